//! The verification: one-step transformations of all kernels, judged, generated, compiled and compared bit for bit.

use crate::{Done, moves, root};
use indicatif::{ProgressBar, ProgressStyle};
use loopwright::{Budget, Options as Reading, Program, Registry, Source, Step};
use loopwright_polybench_tests::{CompareOptions, Compiler, Dataset, Kernel, Optimization, Threads, Variant, compare, kernels};
use std::fmt::Write;
use std::process::Command;
use std::time::Instant;

/// What to verify.
#[derive(clap::Args)]
pub struct Options {
    /// Only every n-th step.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Only this kernel.
    #[arg(long)]
    kernel: Option<String>,
    /// Write the table to docs/verification.md.
    #[arg(long)]
    record: bool,
}

impl Options {
    /// The sample that CI runs.
    pub fn sample() -> Options {
        Options { every: 29, kernel: None, record: false }
    }
}

/// What became of the steps of one kernel.
#[derive(Default)]
struct Counts {
    legal: usize,
    illegal: usize,
    refused: usize,
    no_code: usize,
    same: usize,
}

pub fn run(options: &Options) -> Done {
    let start = Instant::now();
    let chosen: Vec<&Kernel> = kernels().iter().filter(|k| options.kernel.as_deref().is_none_or(|n| n == k.name)).collect();
    if chosen.is_empty() {
        return Err("no kernel has that name".into());
    }
    let bar = ProgressBar::new(chosen.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?);
    let mut table =
        String::from("| kernel | legal | illegal | refused | no code | compared equal |\n|---|---|---|---|---|---|\n");
    let mut faults = Vec::new();
    let mut total = Counts::default();
    for kernel in &chosen {
        bar.set_message(kernel.name);
        let counts = verify(kernel, options, &mut faults).map_err(|e| format!("{}: {e}", kernel.name))?;
        row(&mut table, kernel.name, &counts);
        total.legal += counts.legal;
        total.illegal += counts.illegal;
        total.refused += counts.refused;
        total.no_code += counts.no_code;
        total.same += counts.same;
        bar.inc(1);
    }
    bar.finish_and_clear();
    row(&mut table, "all", &total);
    println!("{table}\nevery {} step(s), {:.0} s", options.every, start.elapsed().as_secs_f64());
    faults.iter().for_each(|f| println!("FAULT {f}"));
    if options.record {
        record(&table, options, start)?;
    }
    println!("{} passed, {} failed", total.same, faults.len());
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults", faults.len()).into()) }
}

fn row(table: &mut String, name: &str, c: &Counts) {
    let _ = writeln!(table, "| {name} | {} | {} | {} | {} | {} |", c.legal, c.illegal, c.refused, c.no_code, c.same);
}

fn verify(kernel: &Kernel, options: &Options, faults: &mut Vec<String>) -> Result<Counts, Box<dyn std::error::Error>> {
    let budget = Budget::UNLIMITED;
    let registry = Registry::standard();
    let reading = Reading { cc_args: kernel.cpp_arguments(Dataset::Mini), ..Reading::default() };
    let program = Program::open(Source::read(&kernel.source_path())?, &reading)?;
    let original = program.original();
    let mut variants = vec![Variant::new("identity", program.emit(&original, &budget)?)];
    let mut counts = Counts::default();
    let all = original.trees().iter().enumerate().flat_map(|(scop, tree)| moves::one_step(tree, scop, &registry));
    for step in all.step_by(options.every) {
        let Ok(next) = program.apply_from(&original, &step, &registry) else {
            counts.refused += 1;
            continue;
        };
        let answer = program.judge(&next, step.scop, &budget)?;
        if !answer.legal {
            counts.illegal += 1;
            continue;
        }
        counts.legal += 1;
        match program.emit(&next, &budget) {
            Ok(text) => variants.push(Variant::new(step.to_string(), text)),
            Err(why) => {
                counts.no_code += 1;
                if !may_lack_code(&step) {
                    faults.push(format!("{}: {step}: no code: {why}", kernel.name));
                }
            }
        }
    }
    for threads in [Threads::Sequential, Threads::OpenMp(4)] {
        let compiler = Compiler { threads, optimization: Optimization::O2, ..Compiler::default() };
        let outcomes = compare(kernel, Dataset::Mini, &variants, &CompareOptions { compiler, ..CompareOptions::default() })?;
        for (variant, outcome) in variants.iter().zip(outcomes) {
            if outcome.is_same() {
                counts.same += 1;
            } else {
                faults.push(format!("{}: {}: {threads:?}: {outcome}", kernel.name, variant.name));
            }
        }
    }
    Ok(counts)
}

/// Only unrolling without constant bounds may lack code.
fn may_lack_code(step: &Step) -> bool {
    step.action.name == "SET_LOOP_OPT"
}

fn record(table: &str, options: &Options, start: Instant) -> Done {
    let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(root()).output()?;
    let text = format!(
        "# Verification\n\nEvery available one-step transformation of every band and sequence of the thirty kernels with a few arguments: judged; every \
         legal one generated, compiled with `-O2 -ffp-contract=off`, and compared bit for bit with the original at MINI, sequential and \
         with 4 threads (two comparisons for each, the identity included). \"No code\": unrolling without constant bounds.\n\n\
         Command: `cargo xtask verify-all --record` (no random choice, so no seed). Commit {}, every {} step, {:.0} s on 2 cores.\n\n{table}",
        String::from_utf8_lossy(&commit.stdout).trim(),
        options.every,
        start.elapsed().as_secs_f64()
    );
    std::fs::write(root().join("docs/verification.md"), text)?;
    Ok(())
}
