//! Random regions of C: the identity and three random legal steps of each, compiled together and compared bit for bit.

use crate::walk::{Tally, Walk};
use crate::{Fallible, parallel};
use indicatif::ProgressBar;
use loopwright::{Error, Options as Reading, Program, Registry, Source};
use loopwright_polybench_tests::{Compiler, Random, Region, RegionVariants, Threads, compare_regions, region};
use std::ops::Range;
use std::time::Duration;

/// What the regions gave.
#[derive(Default)]
pub struct Report {
    /// Regions that were read.
    pub regions: usize,
    /// Regions that the front end refuses.
    pub refused: usize,
    /// The steps.
    pub tally: Tally,
    /// Regions on which three steps were found.
    pub complete: usize,
    /// Comparisons that agreed.
    pub same: usize,
    /// Comparisons that did not.
    pub different: usize,
    /// What is wrong.
    pub faults: Vec<String>,
    /// Time in rewriting and judging, and in generating.
    pub times: [Duration; 2],
}

/// Regions in one program.
const BATCH: usize = 25;
/// Accepted steps of each region, if so many are found.
const STEPS: usize = 3;
/// Steps tried on each region.
const TRIES: usize = 24;
const THREADS: &[u32] = &[1, 4];

/// As many regions as asked for, from number 0 on, those that are refused not counted among them.
pub fn run(seed: u64, count: usize, bar: &ProgressBar) -> Fallible<Report> {
    let mut all = Report::default();
    let mut next = 0;
    while all.regions < count {
        let batches = (count - all.regions).div_ceil(BATCH).min(40);
        let ranges: Vec<Range<usize>> = (0..batches).map(|b| next + b * BATCH..next + (b + 1) * BATCH).collect();
        next += batches * BATCH;
        for report in parallel::each(&ranges, |range| {
            let report = batch(seed, range.clone());
            bar.inc(BATCH as u64);
            report
        })? {
            all.add(report);
        }
    }
    Ok(all)
}

impl Report {
    fn add(&mut self, other: Report) {
        self.regions += other.regions;
        self.refused += other.refused;
        self.tally += other.tally;
        self.complete += other.complete;
        self.same += other.same;
        self.different += other.different;
        self.faults.extend(other.faults);
        (0..2).for_each(|i| self.times[i] += other.times[i]);
    }
}

/// The variants of a region, each with the steps that lead to it.
struct Variants {
    number: usize,
    region: Region,
    texts: Vec<(String, String)>,
}

fn batch(seed: u64, numbers: Range<usize>) -> Fallible<Report> {
    let mut report = Report::default();
    let registry = Registry::standard();
    let mut made = Vec::new();
    for number in numbers {
        let region = region(seed, number);
        let source = Source::from_text("region.c", &region.text);
        let opened = std::panic::catch_unwind(|| Program::open(source, &Reading::default()));
        let program = match opened {
            Ok(Ok(program)) => program,
            Ok(Err(Error::Front(loopwright::c_front::Error::Refused { .. }))) => {
                report.refused += 1;
                continue;
            }
            Ok(Err(why)) => {
                report.faults.push(format!("region {number}: {why}\n{}", region.text));
                continue;
            }
            Err(_) => {
                report.faults.push(format!("region {number}: panic while it is read\n{}", region.text));
                continue;
            }
        };
        report.regions += 1;
        let mut random = Random::labeled(seed, "steps", number);
        let mut walk = Walk::new(&program, &registry);
        let mut texts = vec![(walk.script(None), walk.text.clone())];
        for _ in 0..TRIES {
            if walk.taken.len() < STEPS && walk.step(&mut random, 0) {
                texts.push((walk.script(None), walk.text.clone()));
            }
        }
        report.complete += usize::from(walk.taken.len() == STEPS);
        report.tally += walk.tally;
        (0..2).for_each(|i| report.times[i] += walk.times[i]);
        report.faults.extend(walk.faults.iter().map(|f| format!("region {number}: {f}\n{}", region.text)));
        texts.retain(|(_, text)| !text.is_empty());
        made.push(Variants { number, region, texts });
    }
    let batch: Vec<RegionVariants<'_>> =
        made.iter().map(|v| (&v.region, v.texts.iter().map(|(_, text)| text.as_str()).collect())).collect();
    let compiler = Compiler { threads: Threads::OpenMpEach(THREADS), ..Compiler::default() };
    for (variants, outcomes) in made.iter().zip(compare_regions(&batch, &compiler)?) {
        for ((script, text), outcome) in variants.texts.iter().zip(outcomes) {
            if outcome.is_same() {
                report.same += THREADS.len();
            } else {
                report.different += THREADS.len();
                let (number, original) = (variants.number, &variants.region.text);
                report.faults.push(format!("region {number}: {outcome}\n  after {script}\n{original}\n--\n{text}"));
            }
        }
    }
    Ok(report)
}
