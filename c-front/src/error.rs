//! Why a file gave no static control parts.

use crate::Diagnostic;
use std::path::PathBuf;

/// Everything that can go wrong between a path and its static control parts.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file is not UTF-8.
    #[error("{file}:{line}: the file is not UTF-8 (byte {offset}); convert it first, e.g. with `iconv -t utf-8`")]
    NotUtf8 {
        /// The file.
        file: String,
        /// The line of the first bad byte, from 1.
        line: usize,
        /// The offset of the first bad byte.
        offset: usize,
    },
    /// The compiler cannot be started.
    #[error("cannot run `{command}` to preprocess {file}: {source}; install a C compiler or name another one")]
    CcMissing {
        /// The command.
        command: String,
        /// The file.
        file: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The compiler refused the file; its own messages are in `stderr`.
    #[error("`{command}` cannot preprocess {file}:\n{stderr}")]
    Cc {
        /// The command.
        command: String,
        /// The file.
        file: String,
        /// What the compiler wrote to its standard error.
        stderr: String,
    },
    /// The thread that parses cannot be started.
    #[error("cannot start a thread to parse in: {source}")]
    Thread {
        /// What the system said.
        source: std::io::Error,
    },
    /// The budget was spent.
    #[error(transparent)]
    Budget(#[from] loopwright_presburger::BudgetSpent),
    /// The file is refused, with located reasons.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Refused(Vec<Diagnostic>),
}

impl Error {
    /// The located reasons, if there are any.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Error::Refused(diagnostics) => diagnostics,
            _ => &[],
        }
    }
}
