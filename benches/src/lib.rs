//! Benchmarks: `cargo bench --package loopwright-benches`. What they share stands here.

use loopwright::{Options, Program, Source};
use loopwright_polybench_tests::{Dataset, kernel};

/// A PolyBench kernel, read at the MINI data set.
///
/// # Panics
/// If there is no such kernel or no C compiler.
#[must_use]
pub fn program(name: &str) -> Program {
    let kernel = kernel(name).unwrap_or_else(|| panic!("no kernel {name}"));
    let options = Options { cc_args: kernel.cpp_arguments(Dataset::Mini), ..Options::default() };
    let source = Source::read(&kernel.source_path()).unwrap_or_else(|e| panic!("{e}"));
    Program::open(source, &options).unwrap_or_else(|e| panic!("{e}"))
}
