//! Random sequences that only judge: the witness of every illegal step is looked up in both orders.

use crate::Fallible;
use crate::walk::{Tally, Walk};
use loopwright::{Options as Reading, Program, Registry, Source};
use loopwright_polybench_tests::{Dataset, Kernel, Random};
use std::time::Duration;

/// What to do.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The seed.
    pub seed: u64,
    /// Illegal steps for each kernel.
    pub illegal: usize,
    /// Steps of each sequence, illegal ones included.
    pub length: usize,
}

/// What one kernel gave.
#[derive(Default)]
pub struct Report {
    /// The steps.
    pub tally: Tally,
    /// Witnesses that do not replay, refusals without one, panics.
    pub faults: Vec<String>,
    /// Time in rewriting and judging.
    pub time: Duration,
}

/// So many tries for each illegal step; a kernel on which nothing is illegal ends the run.
const TRIES: usize = 200;

/// Sequences from the original order of one kernel until enough steps were illegal.
pub fn run(kernel: &Kernel, plan: &Plan) -> Fallible<Report> {
    let registry = Registry::standard();
    let reading = Reading { cc_args: kernel.cpp_arguments(Dataset::Mini), ..Reading::default() };
    let program = Program::open(Source::read(&kernel.source_path())?, &reading)?;
    let label = format!("witnesses of {}", kernel.name);
    let mut report = Report::default();
    for number in 0..plan.illegal * TRIES / plan.length {
        let mut random = Random::labeled(plan.seed, &label, number);
        let mut walk = Walk::judging(&program, &registry);
        for _ in 0..plan.length {
            if report.tally.illegal + walk.tally.illegal < plan.illegal {
                let scop = random.below(program.scops().len());
                walk.step(&mut random, scop);
            }
        }
        report.tally += walk.tally;
        report.time += walk.times[0];
        report.faults.extend(walk.faults.iter().map(|f| format!("{}: {f}", kernel.name)));
        if report.tally.illegal >= plan.illegal {
            break;
        }
    }
    Ok(report)
}
