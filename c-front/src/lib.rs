//! From C text to static control parts.
//!
//! The walk: `cc -E` (with a map back to every token of the original), lang-c, regions between `#pragma scop` and
//! `#pragma endscop`, affine analysis by C's rules for integer types, and [`Scop`]s. Whatever is not understood exactly is
//! refused with a place, a name and advice.
//!
//! This is the only crate that reads C. It runs the C compiler's preprocessor and nothing else, and writes no file.

mod accesses;
mod diagnostic;
mod error;
mod eval;
mod extract;
mod formula;
mod lexer;
mod locate;
mod loops;
mod lower;
mod preprocess;
mod prove;
mod regions;
mod survey;
mod template;
mod types;
mod unit;

pub use diagnostic::{Color, Diagnostic, line_column};
pub use error::Error;

use loopwright_presburger::Budget;
use loopwright_scop::Scop;
use std::path::{Path, PathBuf};

/// A C file: its name for messages, its text, and the directory that `#include "..."` starts from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name in messages.
    pub name: String,
    /// The text.
    pub text: String,
    /// Where quoted includes are looked up.
    pub dir: Option<PathBuf>,
}

impl Source {
    /// A text that is in no file; quoted includes start from the current directory.
    pub fn from_text(name: &str, text: &str) -> Source {
        Source {
            name: name.to_string(),
            text: text.to_string(),
            dir: None,
        }
    }

    /// A text as bytes.
    ///
    /// # Errors
    /// [`Error::NotUtf8`].
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Source, Error> {
        let text = String::from_utf8(bytes).map_err(|e| {
            let offset = e.utf8_error().valid_up_to();
            let line = e.as_bytes()[..offset]
                .iter()
                .filter(|b| **b == b'\n')
                .count()
                + 1;
            Error::NotUtf8 {
                file: name.to_string(),
                line,
                offset,
            }
        })?;
        Ok(Source {
            name: name.to_string(),
            text,
            dir: None,
        })
    }

    /// The file at `path`.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::NotUtf8`].
    pub fn read(path: &Path) -> Result<Source, Error> {
        let bytes = std::fs::read(path).map_err(|source| Error::Read {
            path: path.to_path_buf(),
            source,
        })?;
        let dir = path.parent().map(|p| {
            if p.as_os_str().is_empty() {
                PathBuf::from(".")
            } else {
                p.to_path_buf()
            }
        });
        Ok(Source {
            dir,
            ..Source::from_bytes(&path.to_string_lossy(), bytes)?
        })
    }
}

/// How a file is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The C compiler whose preprocessor is used.
    pub cc: String,
    /// Arguments for it: `-I`, `-D`, `-std`.
    pub cc_args: Vec<String>,
    /// The limit, in elementary steps, of all proofs for one region.
    pub proof_steps: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            cc: "cc".into(),
            cc_args: Vec::new(),
            proof_steps: 200_000_000,
        }
    }
}

/// A file and its static control parts, in order.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The file.
    pub source: Source,
    /// Its static control parts.
    pub scops: Vec<Scop>,
}
