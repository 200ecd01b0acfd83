//! Many variants of a kernel against the original, bit for bit, with one call of the compiler and one run.
//!
//! All variants become functions of one C program ([`crate::program`]). It runs the original, then each variant in a
//! process of its own on freshly initialized arrays, and compares every array of the kernel, those included that should
//! only be read. A variant that crashes, hangs, or does not compile is reported as such and does not disturb the others:
//! when the joint compilation fails, every variant is parsed alone, those at fault are set aside, and the rest is compiled
//! again.

use crate::compiler::{Compiled, Compiler};
use crate::program;
use crate::{Dataset, Error, Kernel};
use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

/// A text to compare with a kernel's own: the whole C file, its region replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// What the caller calls it; messages name it.
    pub name: String,
    /// The C file.
    pub text: String,
}

impl Variant {
    /// A variant of that name and text.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Variant {
        Variant { name: name.into(), text: text.into() }
    }
}

/// How variants are compiled and run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompareOptions {
    /// The compiler, the optimization level, the threads.
    pub compiler: Compiler,
    /// CPU time of one run of one variant, summed over its threads. On the clock a run may take twenty times as long
    /// and ten seconds more.
    pub timeout: Duration,
    /// How often each variant runs. A race may need several runs to show.
    pub runs: u32,
    /// At most so many variants in one program.
    pub variants_per_program: NonZeroUsize,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions {
            compiler: Compiler::default(),
            timeout: Duration::from_secs(30),
            runs: 1,
            variants_per_program: NonZeroUsize::new(64).expect("64 is not 0"),
        }
    }
}

/// What a variant computes, compared with the original.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Every array has the same bits.
    Same,
    /// An array differs.
    Different {
        /// The first array, in the order of the kernel's `main`, that differs.
        array: String,
        /// Its first element that does.
        index: Vec<usize>,
        /// The original's value, as `%a` or `%d` prints it.
        expected: String,
        /// The variant's value.
        actual: String,
        /// How many elements of that array differ.
        count: usize,
    },
    /// The variant does not compile.
    CompileError {
        /// The compiler's messages.
        message: String,
    },
    /// The variant did not return in time.
    Timeout,
    /// The variant died, or accessed memory outside of an array.
    Crash {
        /// `"signal 11 (Segmentation fault)"`
        reason: String,
    },
}

impl Outcome {
    /// Whether the variant computes what the original computes.
    pub fn is_same(&self) -> bool {
        *self == Outcome::Same
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::Same => write!(f, "same"),
            Outcome::Different { array, index, expected, actual, count } => {
                write!(f, "different: {array}")?;
                for i in index {
                    write!(f, "[{i}]")?;
                }
                write!(f, " is {actual}, not {expected} ({count} elements of {array} differ)")
            }
            Outcome::CompileError { message } => write!(f, "does not compile:\n{message}"),
            Outcome::Timeout => write!(f, "did not return in time"),
            Outcome::Crash { reason } => write!(f, "crash: {reason}"),
        }
    }
}

/// Compares every variant with the kernel's own text; the answers are in the order of the variants.
///
/// Equal texts are compiled and run once.
///
/// # Errors
/// When there is no compiler, when the kernel's own text fails, or when temporary files cannot be written. A fault of a
/// variant is an [`Outcome`].
///
/// ```
/// use loopwright_polybench_tests::{CompareOptions, Dataset, Variant, compare, kernel};
/// let gemm = kernel("gemm").unwrap();
/// let wrong = gemm.source().replace("C[i][j] *= beta", "C[i][j] *= alpha");
/// let variants = [Variant::new("identity", gemm.source()), Variant::new("wrong", wrong)];
/// let outcomes = compare(gemm, Dataset::Mini, &variants, &CompareOptions::default())?;
/// assert!(outcomes[0].is_same());
/// assert!(outcomes[1].to_string().starts_with("different: C[0][0] is "));
/// # Ok::<(), loopwright_polybench_tests::Error>(())
/// ```
pub fn compare(kernel: &Kernel, dataset: Dataset, variants: &[Variant], options: &CompareOptions) -> Result<Vec<Outcome>, Error> {
    let mut distinct: Vec<&str> = Vec::new();
    let mut position: HashMap<&str, usize> = HashMap::new();
    let places: Vec<usize> = variants
        .iter()
        .map(|v| {
            *position.entry(&v.text).or_insert_with(|| {
                distinct.push(&v.text);
                distinct.len() - 1
            })
        })
        .collect();
    let job = Job { kernel, original: kernel.source(), arguments: job_arguments(kernel, dataset), options };
    let mut outcomes = Vec::with_capacity(distinct.len());
    for texts in distinct.chunks(options.variants_per_program.get()) {
        outcomes.extend(job.compare(texts)?);
    }
    Ok(places.iter().map(|&p| outcomes[p].clone()).collect())
}

fn job_arguments(kernel: &Kernel, dataset: Dataset) -> Vec<String> {
    let mut arguments = kernel.cpp_arguments(dataset);
    arguments.push("-DPOLYBENCH_HARNESS".into());
    arguments
}

struct Job<'a> {
    kernel: &'a Kernel,
    original: String,
    arguments: Vec<String>,
    options: &'a CompareOptions,
}

impl Job<'_> {
    /// All texts in one program; when that does not compile, those that fail alone are set aside first; when the rest
    /// still does not compile together, each gets a program of its own.
    fn compare(&self, texts: &[&str]) -> Result<Vec<Outcome>, Error> {
        if let Ok(outcomes) = self.together(texts)? {
            return Ok(outcomes);
        }
        let mut outcomes: Vec<Option<Outcome>> = texts.iter().map(|text| self.parse_alone(text)).collect::<Result<_, _>>()?;
        let rest: Vec<&str> =
            std::iter::zip(texts, &outcomes).filter(|(_, outcome)| outcome.is_none()).map(|(text, _)| *text).collect();
        let mut answers = match self.together(&rest)? {
            Ok(answers) => answers,
            Err(_) => rest.iter().map(|text| self.alone(text)).collect::<Result<_, _>>()?,
        }
        .into_iter();
        for outcome in outcomes.iter_mut().filter(|o| o.is_none()) {
            *outcome = answers.next();
        }
        Ok(outcomes.into_iter().map(|o| o.expect("one answer for each text")).collect())
    }

    /// The compiler's messages when `text` does not parse, with everything around it that the program has.
    fn parse_alone(&self, text: &str) -> Result<Option<Outcome>, Error> {
        let folder = temporary_folder()?;
        let program = program::write(folder.path(), self.kernel, &self.original, &[text])?;
        let compiler = &self.options.compiler;
        Ok(match compiler.check(&self.arguments, &program)? {
            Compiled::Done => None,
            Compiled::Failed(message) => Some(compile_error(&message, folder.path())),
        })
    }

    fn alone(&self, text: &str) -> Result<Outcome, Error> {
        Ok(match self.together(&[text])? {
            Ok(mut outcomes) => outcomes.remove(0),
            Err(outcome) => outcome,
        })
    }

    /// One program for all texts; the inner error is that it does not compile.
    fn together(&self, texts: &[&str]) -> Result<Result<Vec<Outcome>, Outcome>, Error> {
        let folder = temporary_folder()?;
        let program = program::write(folder.path(), self.kernel, &self.original, texts)?;
        let binary = folder.path().join("program");
        let compiler = &self.options.compiler;
        match compiler.build(&self.arguments, &program, &binary)? {
            Compiled::Done => self.runs(&binary, texts.len()).map(Ok),
            Compiled::Failed(message) if texts.is_empty() => {
                Err(Error::DoesNotCompile { kernel: self.kernel.name.into(), message })
            }
            Compiled::Failed(message) => Ok(Err(compile_error(&message, folder.path()))),
        }
    }

    /// The runs with every number of threads; of several outcomes the first that is not "same".
    fn runs(&self, binary: &Path, count: usize) -> Result<Vec<Outcome>, Error> {
        let mut outcomes = vec![Outcome::Same; count];
        for &threads in self.options.compiler.threads.counts() {
            for (outcome, new) in std::iter::zip(&mut outcomes, self.run(binary, count, threads)?) {
                if outcome.is_same() {
                    *outcome = new;
                }
            }
        }
        Ok(outcomes)
    }

    fn run(&self, binary: &Path, count: usize, threads: u32) -> Result<Vec<Outcome>, Error> {
        let output = self
            .options
            .compiler
            .run_command(binary, threads)
            .arg(self.options.timeout.as_millis().max(1).to_string())
            .arg(self.options.runs.max(1).to_string())
            .output()
            .map_err(|e| Error::io(binary, e))?;
        let text = String::from_utf8_lossy(&output.stdout);
        let outcomes: Vec<Outcome> = text.lines().filter_map(outcome).collect();
        if output.status.success() && outcomes.len() == count {
            return Ok(outcomes);
        }
        Err(Error::RunFailed {
            kernel: self.kernel.name.into(),
            message: format!(
                "{}, {} of {count} answers, {}",
                output.status,
                outcomes.len(),
                String::from_utf8_lossy(&output.stderr)
            ),
        })
    }
}

/// A line of the driver: `INDEX STATUS TEXT`.
pub(crate) fn outcome(line: &str) -> Option<Outcome> {
    let mut words = line.splitn(3, ' ');
    let _number: usize = words.next()?.parse().ok()?;
    let status = words.next()?;
    let text = words.next().unwrap_or("");
    Some(match status {
        "OK" => Outcome::Same,
        "TIMEOUT" => Outcome::Timeout,
        "CRASH" => Outcome::Crash { reason: text.into() },
        "DIFF" => {
            let mut words = text.split(' ');
            Outcome::Different {
                array: words.next()?.into(),
                index: words.next()?.split(',').map(|i| i.parse().ok()).collect::<Option<_>>()?,
                expected: words.next()?.into(),
                actual: words.next()?.into(),
                count: words.next()?.parse().ok()?,
            }
        }
        _ => return None,
    })
}

/// The messages without the temporary folder's name.
fn compile_error(message: &str, folder: &Path) -> Outcome {
    Outcome::CompileError { message: message.replace(&format!("{}/", folder.display()), "") }
}

fn temporary_folder() -> Result<tempfile::TempDir, Error> {
    tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))
}
