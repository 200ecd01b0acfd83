//! What keeps the harness from answering at all; what is wrong with one variant is an [`Outcome`](crate::Outcome).

use std::path::PathBuf;

/// The harness could not answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiler could not be started.
    #[error("cannot run `{command}` (is a C compiler installed?): {source}")]
    NoCompiler {
        /// The command that was tried.
        command: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The text to compare with, or to dump, does not compile.
    #[error("{kernel}: the text does not compile:\n{message}")]
    DoesNotCompile {
        /// The kernel's name.
        kernel: String,
        /// The compiler's messages.
        message: String,
    },
    /// The original, or the program around it, did not run to its end.
    #[error("{kernel}: the run of the original failed: {message}")]
    RunFailed {
        /// The kernel's name.
        kernel: String,
        /// The exit status or signal, and what was printed.
        message: String,
    },
    /// A temporary file could not be written or read.
    #[error("{path}: {source}")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>, source: std::io::Error) -> Error {
        Error::Io { path: path.into(), source }
    }
}
