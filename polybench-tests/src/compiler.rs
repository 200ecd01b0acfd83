//! One call of the C compiler, limited in CPU time.
//!
//! `-ffp-contract=off` is always given: a product and a sum contracted into one rounding would differ between two
//! otherwise equal variants.

use crate::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

/// How C is compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    /// The command: `"gcc"`.
    pub command: String,
    /// `-O1` compiles faster, `-O2` is what correctness is judged by.
    pub optimization: Optimization,
    /// Whether OpenMP pragmas are obeyed.
    pub threads: Threads,
    /// Further arguments: `-fsanitize=undefined`, `-fno-sanitize-recover`.
    pub arguments: Vec<String>,
    /// Seconds of CPU time after which a compilation counts as failed.
    pub cpu_seconds: u32,
}

/// The optimization level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Optimization {
    /// `-O1`
    O1,
    /// `-O2`
    O2,
    /// `-O3`
    O3,
}

/// Whether OpenMP pragmas are obeyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// Compiled without OpenMP: the pragmas are comments.
    Sequential,
    /// `-fopenmp`, and so many threads at run time, whatever a pragma asks for.
    OpenMp(u32),
    /// `-fopenmp`, and a run with each of these numbers of threads; at least one.
    OpenMpEach(&'static [u32]),
}

impl Threads {
    /// The numbers of threads of the runs.
    pub(crate) fn counts(&self) -> &[u32] {
        match self {
            Threads::Sequential => &[1],
            Threads::OpenMp(count) => std::slice::from_ref(count),
            Threads::OpenMpEach(counts) => counts,
        }
    }
}

impl Default for Compiler {
    fn default() -> Self {
        Compiler {
            command: "gcc".into(),
            optimization: Optimization::O2,
            threads: Threads::Sequential,
            arguments: Vec::new(),
            cpu_seconds: 120,
        }
    }
}

/// The compiler's verdict on a text.
pub(crate) enum Compiled {
    /// The output file exists.
    Done,
    /// The messages.
    Failed(String),
}

impl Compiler {
    /// Compiles and links `source` into `output`.
    pub(crate) fn build<S: AsRef<OsStr>>(&self, arguments: &[S], source: &Path, output: &Path) -> Result<Compiled, Error> {
        let mut command = self.command(arguments);
        command.arg("-o").arg(output).arg(source).arg("-lm");
        self.finish(command)
    }

    /// Parses `source` and writes nothing.
    pub(crate) fn check<S: AsRef<OsStr>>(&self, arguments: &[S], source: &Path) -> Result<Compiled, Error> {
        let mut command = self.command(arguments);
        command.arg("-fsyntax-only").arg(source);
        self.finish(command)
    }

    /// The shell sets the limit, which the compiler's own processes inherit, and becomes the compiler.
    fn command<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Command {
        let mut command = Command::new("sh");
        command
            .arg("-c")
            .arg(r#"ulimit -t "$0"; exec "$@""#)
            .arg(self.cpu_seconds.to_string())
            .arg(&self.command)
            .arg(match self.optimization {
                Optimization::O1 => "-O1",
                Optimization::O2 => "-O2",
                Optimization::O3 => "-O3",
            })
            .args(["-ffp-contract=off", "-w"])
            .args(&self.arguments)
            .args(arguments)
            .env("LC_ALL", "C");
        if self.threads != Threads::Sequential {
            command.arg("-fopenmp");
        }
        command
    }

    fn finish(&self, mut command: Command) -> Result<Compiled, Error> {
        let no_compiler = |source| Error::NoCompiler { command: self.command.clone(), source };
        let output = command.output().map_err(no_compiler)?;
        if output.status.success() {
            return Ok(Compiled::Done);
        }
        if output.status.code() == Some(127) {
            return Err(no_compiler(std::io::Error::from(std::io::ErrorKind::NotFound)));
        }
        let mut message = String::from_utf8_lossy(&output.stderr).into_owned();
        if message.trim().is_empty() {
            message = format!("{} ended with {} (limit: {} s of CPU time)", self.command, output.status, self.cpu_seconds);
        }
        Ok(Compiled::Failed(message))
    }

    /// A run of `program` with so many threads.
    pub(crate) fn run_command(&self, program: &Path, threads: u32) -> Command {
        let mut command = Command::new(program);
        if self.threads != Threads::Sequential {
            let threads = threads.to_string();
            command.env("OMP_NUM_THREADS", &threads).env("OMP_THREAD_LIMIT", &threads).env("OMP_DYNAMIC", "false");
            // Parallel regions in inner loops are entered very often, also with more threads than cores: waiting must not spin.
            command.env("OMP_WAIT_POLICY", "passive");
        }
        command
    }
}
