//! The verification: one-step transformations and random sequences on all kernels, and random regions; judged, generated, compiled
//! and compared bit for bit.

use crate::walk::Tally;
use crate::{Done, Fallible, one_step, parallel, regions, root, sequences, witnesses};
use indicatif::{ProgressBar, ProgressStyle};
use loopwright_polybench_tests::{Dataset, Kernel, kernels};
use std::fmt::Write;
use std::process::Command;
use std::time::Instant;

/// What to verify.
#[derive(clap::Args)]
pub struct Options {
    /// Only every n-th single step; 0: none.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Random sequences for each kernel.
    #[arg(long, default_value_t = 40)]
    sequences: usize,
    /// Steps of each sequence.
    #[arg(long, default_value_t = 10)]
    length: usize,
    /// Random regions.
    #[arg(long, default_value_t = 5000)]
    regions: usize,
    /// Illegal random steps whose witnesses are replayed, besides those of the sequences.
    #[arg(long, default_value_t = 10_000)]
    witnesses: usize,
    /// The seed of all random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this kernel.
    #[arg(long)]
    kernel: Option<String>,
    /// Write the tables to docs/verification.md.
    #[arg(long)]
    record: bool,
    /// Only the smallest problem size for the sequences.
    #[arg(skip)]
    datasets: Datasets,
}

/// The problem sizes of the sequences.
#[derive(Default, Clone, Copy)]
enum Datasets {
    #[default]
    MiniAndSmall,
    Mini,
}

impl Options {
    /// The sample that CI runs.
    pub fn sample() -> Options {
        let datasets = Datasets::Mini;
        Options {
            every: 29,
            sequences: 1,
            length: 10,
            regions: 100,
            witnesses: 300,
            seed: 1,
            kernel: None,
            record: false,
            datasets,
        }
    }

    fn plan(&self) -> sequences::Plan {
        let datasets: &[Dataset] = match self.datasets {
            Datasets::MiniAndSmall => &[Dataset::Mini, Dataset::Small],
            Datasets::Mini => &[Dataset::Mini],
        };
        sequences::Plan { seed: self.seed, sequences: self.sequences, length: self.length, datasets }
    }
}

/// A part of the verification: its table, with a sentence above.
struct Part {
    text: String,
    passed: usize,
    faults: Vec<String>,
}

pub fn run(options: &Options) -> Done {
    let chosen: Vec<&Kernel> = kernels().iter().filter(|k| options.kernel.as_deref().is_none_or(|n| n == k.name)).collect();
    if chosen.is_empty() {
        return Err("no kernel has that name".into());
    }
    let mut parts = Vec::new();
    if options.every > 0 {
        parts.push(single_steps(&chosen, options).map_err(|e| e.to_string())?);
    }
    if options.sequences > 0 {
        parts.push(random_sequences(&chosen, options).map_err(|e| e.to_string())?);
    }
    if options.witnesses > 0 {
        parts.push(replayed_witnesses(&chosen, options).map_err(|e| e.to_string())?);
    }
    if options.regions > 0 && options.kernel.is_none() {
        parts.push(random_regions(options).map_err(|e| e.to_string())?);
    }
    let text: Vec<&str> = parts.iter().map(|p| p.text.as_str()).collect();
    let text = text.join("\n");
    println!("{text}");
    let faults: Vec<&String> = parts.iter().flat_map(|p| &p.faults).collect();
    faults.iter().for_each(|f| println!("FAULT {f}"));
    if options.record {
        record(&text, options)?;
    }
    println!("{} passed, {} failed", parts.iter().map(|p| p.passed).sum::<usize>(), faults.len());
    if faults.is_empty() { Ok(()) } else { Err(format!("{} faults", faults.len()).into()) }
}

/// `work` on every kernel, with a progress bar.
fn on_each<R: Send>(chosen: &[&Kernel], work: impl Fn(&Kernel) -> Fallible<R> + Sync) -> Fallible<Vec<R>> {
    let bar = ProgressBar::new(chosen.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}")?);
    let results = parallel::each(chosen, |kernel| {
        bar.set_message(kernel.name);
        let result = work(kernel).map_err(|e| format!("{}: {e}", kernel.name));
        bar.inc(1);
        Ok(result?)
    });
    bar.finish_and_clear();
    results
}

fn single_steps(chosen: &[&Kernel], options: &Options) -> Fallible<Part> {
    let start = Instant::now();
    let mut reports = on_each(chosen, |kernel| one_step::run(kernel, options.every))?;
    let mut text = String::from(
        "## Single steps\n\nEvery available one-step transformation of every band and sequence of the kernels with a few arguments: \
         judged; every legal one generated, compiled with `-O2 -ffp-contract=off`, and compared bit for bit with the original at MINI, \
         sequential and with 4 threads (two comparisons for each, the identity included). \"No code\": unrolling without constant \
         bounds.\n\n",
    );
    text += "| kernel | legal | illegal | refused | no code | compared equal |\n|---|---|---|---|---|---|\n";
    let mut row = |name: &str, r: &one_step::Report| {
        let _ = writeln!(text, "| {name} | {} | {} | {} | {} | {} |", r.legal, r.illegal, r.refused, r.no_code, r.same);
    };
    let mut all = one_step::Report::default();
    for (kernel, report) in chosen.iter().zip(&reports) {
        row(kernel.name, report);
        all.legal += report.legal;
        all.illegal += report.illegal;
        all.refused += report.refused;
        all.no_code += report.no_code;
        all.same += report.same;
    }
    row("all", &all);
    let _ = writeln!(text, "\nEvery {} step, {:.0} s.", options.every, start.elapsed().as_secs_f64());
    let faults = reports.iter_mut().flat_map(|r| std::mem::take(&mut r.faults)).collect();
    Ok(Part { text, passed: all.same, faults })
}

fn random_sequences(chosen: &[&Kernel], options: &Options) -> Fallible<Part> {
    let start = Instant::now();
    let plan = options.plan();
    let mut reports = on_each(chosen, |kernel| sequences::run(kernel, &plan))?;
    let mut text = format!(
        "## Random sequences\n\n{} sequences of {} random steps for each kernel (seed {}): a transformation among all that are \
         available somewhere, a place, arguments from their domains (unbounded ones: sizes up to 32, shifts within 10). Illegal steps \
         are rolled back, and their witnesses replayed; after every accepted step code is generated. \"No code\": unrolling without \
         constant bounds, or with more than 200 kB of code; rolled back too. The last state of every sequence is compiled with \
         `-O2 -ffp-contract=off -fopenmp` and compared bit for bit with the original at {:?}, with 1 and with 4 threads.\n\n",
        plan.sequences, plan.length, plan.seed, plan.datasets
    );
    text += "| kernel | accepted | illegal | replayed | refused | no code | compared equal | different |\n\
             |---|---|---|---|---|---|---|---|\n";
    let mut row = |name: &str, t: &Tally, same: usize, different: usize| {
        let Tally { accepted, illegal, replayed, refused, no_code } = t;
        let _ = writeln!(text, "| {name} | {accepted} | {illegal} | {replayed} | {refused} | {no_code} | {same} | {different} |");
    };
    let (mut all, mut same, mut different) = (Tally::default(), 0, 0);
    for (kernel, report) in chosen.iter().zip(&reports) {
        row(kernel.name, &report.tally, report.same, report.different);
        all += report.tally;
        same += report.same;
        different += report.different;
    }
    row("all", &all, same, different);
    let time = |i: usize| reports.iter().map(|r| r.times[i].as_secs_f64()).sum::<f64>();
    let seconds = start.elapsed().as_secs_f64();
    let _ = writeln!(text, "\n{seconds:.0} s; {:.0} s of rewriting and judging, {:.0} s of generating.", time(0), time(1));
    let faults = reports.iter_mut().flat_map(|r| std::mem::take(&mut r.faults)).collect();
    Ok(Part { text, passed: same, faults })
}

fn replayed_witnesses(chosen: &[&Kernel], options: &Options) -> Fallible<Part> {
    let start = Instant::now();
    let illegal = options.witnesses.div_ceil(chosen.len());
    let plan = witnesses::Plan { seed: options.seed, illegal, length: options.length };
    let mut reports = on_each(chosen, |kernel| witnesses::run(kernel, &plan))?;
    let mut all = Tally::default();
    reports.iter().for_each(|r| all += r.tally);
    let time = reports.iter().map(|r| r.time.as_secs_f64()).sum::<f64>();
    let text = format!(
        "## Witnesses\n\nRandom steps as in the sequences, with no code, until {illegal} were illegal on each kernel (seed {}): of \
         every witness both accesses are looked up and the order of its two instances is evaluated in the original tree and in the refused \
         one.\n\n\
         | kernels | accepted | illegal | replayed | refused |\n|---|---|---|---|---|\n| {} | {} | {} | {} | {} |\n\n\
         {:.0} s; {time:.0} s of rewriting and judging.\n",
        plan.seed,
        chosen.len(),
        all.accepted,
        all.illegal,
        all.replayed,
        all.refused,
        start.elapsed().as_secs_f64(),
    );
    let mut faults: Vec<String> = reports.iter_mut().flat_map(|r| std::mem::take(&mut r.faults)).collect();
    let missing = (illegal * chosen.len()).saturating_sub(all.illegal);
    if missing > 0 {
        faults.push(format!("{missing} illegal steps short of {}", options.witnesses));
    }
    Ok(Part { text, passed: all.replayed, faults })
}

fn random_regions(options: &Options) -> Fallible<Part> {
    let start = Instant::now();
    let bar = ProgressBar::new(options.regions as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} regions")?);
    let report = regions::run(options.seed, options.regions, &bar)?;
    bar.finish_and_clear();
    let regions::Report { regions, refused, tally, complete, same, different, faults, times } = report;
    let mut text = format!(
        "## Random regions\n\nRandom small regions of C (seed {}; `polybench-tests/src/regions`), the identity and three random legal steps \
         of each: generated, compiled with `-O2 -ffp-contract=off -fopenmp`, run on three sets of parameter values with 1 and with 4 \
         threads, and compared bit for bit, counters after the region included.\n\n",
        options.seed
    );
    text += "| regions | refused by the front end | with three steps | accepted | illegal | replayed | refused | no code | compared equal | different |\n\
             |---|---|---|---|---|---|---|---|---|---|\n";
    let Tally { accepted, illegal, replayed, refused: not_applied, no_code } = tally;
    let _ = writeln!(
        text,
        "| {regions} | {refused} | {complete} | {accepted} | {illegal} | {replayed} | {not_applied} | {no_code} | {same} | {different} |"
    );
    let [judging, generating] = times.map(|t| t.as_secs_f64());
    let seconds = start.elapsed().as_secs_f64();
    let _ = writeln!(text, "\n{seconds:.0} s; {judging:.0} s of rewriting and judging, {generating:.0} s of generating.");
    Ok(Part { text, passed: same, faults })
}

fn record(parts: &str, options: &Options) -> Done {
    let commit = Command::new("git").args(["rev-parse", "--short", "HEAD"]).current_dir(root()).output()?;
    let text = format!(
        "# Verification\n\nCommand: `cargo xtask verify-all --record --seed {} --every {} --sequences {} --witnesses {} --regions {}`. Commit {}, 2 cores.\n\n\
         {parts}",
        options.seed,
        options.every,
        options.sequences,
        options.witnesses,
        options.regions,
        String::from_utf8_lossy(&commit.stdout).trim(),
    );
    std::fs::write(root().join("docs/verification.md"), text)?;
    Ok(())
}
