//! Random sequences of steps on a kernel; where they end is compiled and compared with the original bit for bit.

use crate::Fallible;
use crate::walk::{Tally, Walk};
use loopwright::{Options as Reading, Program, Registry, Source, Step};
use loopwright_polybench_tests::{CompareOptions, Compiler, Dataset, Kernel, Random, Threads, Variant, compare};
use std::time::Duration;

/// What to do.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The seed.
    pub seed: u64,
    /// Sequences for each kernel.
    pub sequences: usize,
    /// Steps of each, illegal ones included.
    pub length: usize,
    /// The problem sizes of the runs.
    pub datasets: &'static [Dataset],
}

/// What the sequences of one kernel gave.
#[derive(Default)]
pub struct Report {
    /// The steps.
    pub tally: Tally,
    /// Comparisons that agreed: one for each sequence, problem size and number of threads.
    pub same: usize,
    /// Comparisons that did not.
    pub different: usize,
    /// What is wrong.
    pub faults: Vec<String>,
    /// Time in rewriting and judging, and in generating.
    pub times: [Duration; 2],
}

/// The numbers of threads of the runs.
const THREADS: &[u32] = &[1, 4];

/// The sequences of one kernel.
pub fn run(kernel: &Kernel, plan: &Plan) -> Fallible<Report> {
    let registry = Registry::standard();
    let mut report = Report::default();
    // a size may stand in the region as a number, so the steps are found at the first problem size and repeated at the others
    let mut sequences: Vec<Vec<Step>> = Vec::new();
    for (position, &dataset) in plan.datasets.iter().enumerate() {
        let reading = Reading { cc_args: kernel.cpp_arguments(dataset), ..Reading::default() };
        let program = Program::open(Source::read(&kernel.source_path())?, &reading)?;
        let mut variants = Vec::new();
        for number in 0..plan.sequences {
            let mut walk = Walk::new(&program, &registry);
            if position == 0 {
                let mut random = Random::labeled(plan.seed, kernel.name, number);
                for _ in 0..plan.length {
                    let scop = random.below(program.scops().len());
                    walk.step(&mut random, scop);
                }
                report.tally += walk.tally;
                (0..2).for_each(|i| report.times[i] += walk.times[i]);
                sequences.push(walk.taken.clone());
            } else {
                sequences[number].iter().for_each(|step| {
                    walk.take(step);
                });
            }
            report.faults.extend(walk.faults.iter().map(|f| format!("{}: {dataset:?}: {f}", kernel.name)));
            variants.push(Variant::new(walk.script(None), walk.text));
        }
        let compiler = Compiler { threads: Threads::OpenMpEach(THREADS), ..Compiler::default() };
        let outcomes = compare(kernel, dataset, &variants, &CompareOptions { compiler, ..CompareOptions::default() })?;
        for (variant, outcome) in variants.iter().zip(outcomes) {
            if outcome.is_same() {
                report.same += THREADS.len();
            } else {
                report.different += THREADS.len();
                report.faults.push(format!("{}: {dataset:?}: {outcome}\n  after {}", kernel.name, variant.name));
            }
        }
    }
    Ok(report)
}
