//! Every one-step transformation of a kernel with a few arguments: judged, generated, compiled and compared bit for bit.

use crate::{Fallible, moves};
use loopwright::{Budget, Options as Reading, Program, Registry, Source, Step};
use loopwright_polybench_tests::{CompareOptions, Compiler, Dataset, Kernel, Optimization, Threads, Variant, compare};

/// What became of the steps of one kernel.
#[derive(Default)]
pub struct Report {
    pub legal: usize,
    pub illegal: usize,
    pub refused: usize,
    pub no_code: usize,
    pub same: usize,
    pub faults: Vec<String>,
}

/// Every n-th step of the kernel.
pub fn run(kernel: &Kernel, every: usize) -> Fallible<Report> {
    let budget = Budget::UNLIMITED;
    let registry = Registry::standard();
    let reading = Reading { cc_args: kernel.cpp_arguments(Dataset::Mini), ..Reading::default() };
    let program = Program::open(Source::read(&kernel.source_path())?, &reading)?;
    let original = program.original();
    let mut variants = vec![Variant::new("identity", program.emit_all(&original, &budget)?)];
    let mut report = Report::default();
    let all = original.trees().iter().enumerate().flat_map(|(scop, tree)| moves::one_step(tree, scop, &registry));
    for step in all.step_by(every) {
        let Ok(next) = program.apply_from(&original, &step, &registry) else {
            report.refused += 1;
            continue;
        };
        let answer = program.judge(&next, step.scop, &budget)?;
        if !answer.legal {
            report.illegal += 1;
            continue;
        }
        report.legal += 1;
        match program.emit_all(&next, &budget) {
            Ok(text) => variants.push(Variant::new(step.to_string(), text)),
            Err(why) => {
                report.no_code += 1;
                if !may_lack_code(&step) {
                    report.faults.push(format!("{}: {step}: no code: {why}", kernel.name));
                }
            }
        }
    }
    for threads in [Threads::Sequential, Threads::OpenMp(4)] {
        let compiler = Compiler { threads, optimization: Optimization::O2, ..Compiler::default() };
        let outcomes = compare(kernel, Dataset::Mini, &variants, &CompareOptions { compiler, ..CompareOptions::default() })?;
        for (variant, outcome) in variants.iter().zip(outcomes) {
            if outcome.is_same() {
                report.same += 1;
            } else {
                report.faults.push(format!("{}: {}: {threads:?}: {outcome}", kernel.name, variant.name));
            }
        }
    }
    Ok(report)
}

/// Only unrolling without constant bounds may lack code.
fn may_lack_code(step: &Step) -> bool {
    step.action.name == "SET_LOOP_OPT"
}
