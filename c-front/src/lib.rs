//! From C text to static control parts.
//!
//! The walk: `cc -E` (with a map back to every token of the original), lang-c, regions between `#pragma scop` and
//! `#pragma endscop` or found without them, affine analysis by C's rules for integer types, and [`Scop`]s. Whatever is not understood exactly is
//! refused with a place, a name and advice.
//!
//! This is the only crate that reads C. It runs the C compiler's preprocessor and nothing else, and writes no file.

mod accesses;
mod after;
mod assemble;
mod automatic;
mod diagnostic;
mod error;
mod eval;
mod extract;
mod formula;
mod helpers;
mod lexer;
mod locals;
mod locate;
mod loops;
mod lower;
mod names;
mod order;
mod preprocess;
mod prove;
mod read;
mod regions;
mod survey;
mod template;
mod types;
mod unit;
mod update;

pub use diagnostic::{Color, Diagnostic, line_column};
pub use error::Error;
pub use names::Names;

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
        Source { name: name.to_string(), text: text.to_string(), dir: None }
    }

    /// A text as bytes.
    ///
    /// # Errors
    /// [`Error::NotUtf8`].
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Result<Source, Error> {
        let text = String::from_utf8(bytes).map_err(|e| {
            let offset = e.utf8_error().valid_up_to();
            let line = e.as_bytes()[..offset].iter().filter(|b| **b == b'\n').count() + 1;
            Error::NotUtf8 { file: name.to_string(), line, offset }
        })?;
        Ok(Source { name: name.to_string(), text, dir: None })
    }

    /// The file at `path`.
    ///
    /// # Errors
    /// [`Error::Read`], [`Error::NotUtf8`].
    pub fn read(path: &Path) -> Result<Source, Error> {
        let bytes = std::fs::read(path).map_err(|source| Error::Read { path: path.to_path_buf(), source })?;
        let dir = path.parent().map(|p| if p.as_os_str().is_empty() { PathBuf::from(".") } else { p.to_path_buf() });
        Ok(Source { dir, ..Source::from_bytes(&path.to_string_lossy(), bytes)? })
    }
}

/// How a file is read.
#[derive(Clone, Debug)]
pub struct Options {
    /// The C compiler whose preprocessor is used.
    pub cc: String,
    /// Arguments for it: `-I`, `-D`, `-std`.
    pub cc_args: Vec<String>,
    /// The limit, in elementary steps, of all proofs for one region; without pragmas, of those for the whole file.
    pub proof_steps: u64,
    /// Where static control parts are looked for.
    pub regions: Regions,
    /// What has been done to the text.
    pub input: Input,
}

/// What has been done to a text before it is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// Nothing: the compiler's preprocessor runs first.
    #[default]
    C,
    /// It is preprocessed: pragmas are its only directives (line markers are passed over; places are those of the text itself). No
    /// process is started.
    Preprocessed,
}

/// Where static control parts are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Regions {
    /// Between `#pragma scop` and `#pragma endscop`; what is not understood there is an error.
    #[default]
    Marked,
    /// In every function of the file: the maximal runs of statements with a loop that are understood exactly. What is left out is
    /// reported in [`Extraction::left_out`]. A run never crosses a pragma.
    Automatic,
}

/// Something that kept statements with loops out of the static control parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The function.
    pub function: String,
    /// The construct, its place, and what could be written instead.
    pub reason: Diagnostic,
}

impl std::fmt::Display for LeftOut {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Diagnostic { file, line, column, message, .. } = &self.reason;
        write!(f, "{file}:{line}:{column}: left out of {}: {message}", self.function)
    }
}

impl Default for Options {
    fn default() -> Options {
        Options { cc: "cc".into(), cc_args: Vec::new(), proof_steps: 200_000_000, regions: Regions::Marked, input: Input::C }
    }
}

/// Reads the static control parts of a file, in order; a file without regions has none.
///
/// ```no_run
/// use loopwright_c_front::{Options, Source, extract};
/// let source = Source::from_text("a.c", "void f(int n, double *a) {\n#pragma scop\n  for (int i = 0; i < n; i++) a[i] = 0;\n#pragma endscop\n}\n");
/// let extraction = extract(&source, &Options::default())?;
/// assert_eq!(extraction.scops[0].statements[0].name, "S0");
/// # Ok::<(), loopwright_c_front::Error>(())
/// ```
///
/// # Errors
/// [`Error::Refused`] with a located reason for each region, if none is understood exactly, or if the pragmas do not pair up; the
/// others as they say.
pub fn extract(source: &Source, options: &Options) -> Result<Extraction, Error> {
    extract_within(source, options, &Budget::UNLIMITED)
}

/// [`extract`] within a budget, beside [`Options::proof_steps`] for each region.
///
/// # Errors
/// As `extract`, and [`Error::Budget`].
pub fn extract_within(source: &Source, options: &Options, budget: &Budget) -> Result<Extraction, Error> {
    // Parsing recurses as deeply as the input nests, which is limited but more than a small thread's stack may hold.
    std::thread::scope(|scope| {
        let work = || read::read(source, options, budget);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(source) => Err(Error::Thread { source }),
        }
    })
}

const STACK: usize = 512 << 20;

/// A file and its static control parts, in order.
#[derive(Clone, Debug)]
pub struct Extraction {
    /// The file.
    pub source: Source,
    /// Its static control parts.
    pub scops: Vec<Scop>,
    /// What [`Regions::Automatic`] left out, in order.
    pub left_out: Vec<LeftOut>,
    /// The names of its translation unit.
    pub names: Names,
    /// Why other regions between pragmas are none, in order.
    pub refused: Vec<Diagnostic>,
}
