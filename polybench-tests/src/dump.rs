//! One text compiled alone and run: the values of every array that its region writes, as printed.

use crate::compiler::{Compiled, Compiler};
use crate::program::save;
use crate::{Dataset, Error, Kernel};

/// What a kernel's `print_array` prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dump {
    /// The arrays, in the order of the dump.
    pub arrays: Vec<DumpedArray>,
}

/// One array of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpedArray {
    /// The array's name.
    pub name: String,
    /// Its elements in row-major order, as `%a` or `%d` prints them: equal text is equal bits, but for NaNs.
    pub values: Vec<String>,
}

impl Dump {
    /// All values of all arrays.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().flat_map(|a| a.values.iter().map(String::as_str))
    }
}

/// Compiles `text`, a C file for `kernel`, with the dump switched on, runs it, and returns the dump.
///
/// # Errors
/// When the text does not compile or run, or temporary files cannot be written.
pub fn dump(kernel: &Kernel, dataset: Dataset, text: &str, compiler: &Compiler) -> Result<Dump, Error> {
    let folder = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let source = folder.path().join(format!("{}.c", kernel.name));
    let binary = folder.path().join("program");
    save(&source, text)?;
    let mut arguments = kernel.cpp_arguments(dataset);
    arguments.push("-DPOLYBENCH_DUMP_ARRAYS".into());
    if let Compiled::Failed(message) = compiler.build(&arguments, &source, &binary)? {
        return Err(Error::DoesNotCompile { kernel: kernel.name.into(), message });
    }
    let output = compiler.run_command(&binary, compiler.threads.counts()[0]).output().map_err(|e| Error::io(&binary, e))?;
    let printed = String::from_utf8_lossy(&output.stderr);
    match parse(&printed) {
        Some(dump) if output.status.success() => Ok(dump),
        _ => Err(Error::RunFailed { kernel: kernel.name.into(), message: format!("{}, it printed:\n{printed}", output.status) }),
    }
}

fn parse(text: &str) -> Option<Dump> {
    let body = text.split_once("==BEGIN DUMP_ARRAYS==\n")?.1.split_once("==END   DUMP_ARRAYS==")?.0;
    let mut arrays: Vec<DumpedArray> = Vec::new();
    for line in body.lines() {
        if let Some(name) = line.strip_prefix("begin dump: ") {
            arrays.push(DumpedArray { name: name.into(), values: Vec::new() });
        } else if !line.starts_with("end   dump: ") {
            let words = line.split_whitespace().map(str::to_string);
            arrays.last_mut()?.values.extend(words);
        }
    }
    Some(Dump { arrays })
}
