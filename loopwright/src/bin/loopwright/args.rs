//! The command line.

use clap::{Parser, Subcommand, ValueEnum};
use loopwright::presburger::{Budget, BudgetSpent};
use loopwright::{Options, Program, Regions, Source};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::{Failure, Status, output};

const EXIT_CODES: &str = "Exit codes: 0 done, 1 wrong input, 2 wrong usage, 3 illegal, 4 budget spent.";

/// Loop nests of C as integer sets and schedule trees: transformed, proven, and written back as C with OpenMP.
#[derive(Parser)]
#[command(name = "loopwright", version, after_help = EXIT_CODES)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand)]
pub enum Command {
    /// Show the static control parts of a C file: domains, accesses, schedule tree, assumptions.
    #[command(after_help = "Examples:\n  loopwright scop gemm.c\n  loopwright scop --json -I include -D N=100 kernel.c")]
    Scop(ScopArgs),
    /// Apply a script of steps, prove each, and write the transformed C file.
    #[command(after_help = "\
Examples:
  loopwright transform gemm.c --script tile.json -o gemm.tiled.c
  echo '[{\"path\": [0], \"move\": [\"TILE_1D\", 32]}]' | loopwright transform gemm.c --script - -o -

A script is a JSON array of steps; a step names a node by its path or its depth-first number (see `loopwright scop`):
  {\"scop\": 0, \"path\": [0, 1], \"move\": [\"TILE_2D\", 32, 32]}
  {\"node\": 3, \"move\": [\"INTERCHANGE\"]}

With --on-illegal refuse (the default) the first illegal step ends the run with exit code 3 and nothing is written; with warn an
illegal step is left out and the others go on; with apply it is applied all the same, and the output says so.")]
    Transform(TransformArgs),
    /// Judge moves, each alone from the original tree: one JSON answer a line.
    #[command(after_help = "\
Example:
  loopwright check gemm.c --moves moves.jsonl

Each line of the input is a step; each line of the output an answer:
  {\"legal\": false, \"witness\": {\"kind\": \"RAW\", \"array\": \"A\", \"element\": [1], \"source\": {..}, \"sink\": {..}, \"params\": {..}}}")]
    Check(CheckArgs),
    /// List what can be done where: transformations by node, with the domains of their arguments.
    #[command(after_help = "\
Examples:
  loopwright moves gemm.c --node 1
  loopwright moves gemm.c --json | python3 search.py

With --json each line is an offer: a transformation at a node, and for each argument a domain, {\"range\": [least, greatest]} (null:
only 64 bits bound it) or {\"list\": [..]}. Any choice of one value from each domain applies; arguments that depend on each other
come as several offers.
  {\"scop\": 0, \"node\": 3, \"path\": [0, 0], \"move\": \"TILE_1D\", \"args\": [{\"name\": \"size\", .., \"domain\": {\"range\": [2, null]}}]}")]
    Moves(MovesArgs),
    /// Show a C file's static control parts, or a schedule tree (.st, YAML), as a tree: each band beside its original loop.
    #[command(after_help = "Examples:\n  loopwright show gemm.c\n  loopwright show --dot tree.st | dot -Tsvg > tree.svg")]
    Show(ShowArgs),
    /// Print C for a schedule tree (.st, YAML) or a triple of schedule, context and options (.in); statements become calls.
    #[command(after_help = "Examples:\n  loopwright ast tree.st\n  loopwright ast schedule.in")]
    Ast(AstArgs),
    /// Show the dependences of a C file, and which loops are parallel, permutable, or carry what.
    #[command(after_help = DEPS_HELP)]
    Deps(DepsArgs),
    /// Compute value-based flow from access information (.ai, isl's YAML): which source each value comes from.
    #[command(after_help = FLOW_HELP)]
    Flow(FlowArgs),
}

const DEPS_HELP: &str = "\
Examples:
  loopwright deps gemm.c
  loopwright deps gemm.c --kind value --json

A loop is parallel if no dependence with equal outer iterations has its ends in different iterations, and permutable if the members of
its band can be interchanged and tiled. What it takes beside that (private copies, reductions) is said of loops that are not parallel,
and assumed nowhere. JSON:
  {\"scops\": [{\"function\", \"file\", \"line\", \"kind\",
    \"dependences\": [{\"kind\": \"RAW\", \"array\", \"source\", \"sink\", \"relation\"}, ..],
    \"loops\": [{\"path\": [0], \"member\": 0, \"label\"?, \"statements\": [..], \"parallel\", \"permutable\",
      \"carries\": {\"RAW\": [arrays], \"WAR\": [..], \"WAW\": [..]},
      \"parallel_with\": null | {\"private\": [arrays], \"reductions\": [{\"operator\": \"+\", \"array\"}, ..]}}, ..]}]}";

const FLOW_HELP: &str = "\
Example:
  loopwright flow loop.ai

The input has the key `sink`, any of `must_source`, `may_source` and `kill`, and one of `schedule` (a tree) and `schedule_map`:
  sink: \"{ S[] -> a[] }\"
  must_source: \"{ T[i] -> a[] : 0 <= i < 10 }\"
  schedule_map: \"{ T[i] -> [0, i]; S[] -> [1, 0] }\"
The output has must_dependence, may_dependence ({ source -> [sink -> element] }), must_no_source and may_no_source.";

/// Options of reading C.
#[derive(clap::Args)]
pub struct Reading {
    /// The C file; - reads standard input.
    pub file: PathBuf,
    /// A directory for `#include`, passed to the C compiler.
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<String>,
    /// A macro definition, passed to the C compiler.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// The C compiler whose preprocessor is used.
    #[arg(long, default_value = "cc", value_name = "COMMAND")]
    pub cc: String,
    /// Find static control parts without pragmas, and say on standard error what was left out and why.
    #[arg(long)]
    pub auto: bool,
    #[command(flatten)]
    pub limits: Limits,
}

/// Limits of work.
#[derive(clap::Args)]
pub struct Limits {
    /// Give up (exit code 4) after this many elementary steps of the solvers.
    #[arg(long, value_name = "STEPS")]
    pub budget: Option<u64>,
    /// Give up (exit code 4) after this many seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let value: f64 = text.parse().map_err(|_| format!("`{text}` is not a number of seconds"))?;
    Duration::try_from_secs_f64(value).map_err(|e| e.to_string())
}

impl Limits {
    pub fn budget(&self) -> Budget {
        let budget = self.budget.map_or_else(Budget::default, Budget::steps);
        match self.timeout.and_then(|t| Instant::now().checked_add(t)) {
            Some(deadline) => {
                end_after(deadline);
                budget.until(move || Instant::now() >= deadline)
            }
            None => budget,
        }
    }
}

/// How much longer than the time allowed the work may take to notice that it is over.
const GRACE: Duration = Duration::from_millis(50);

/// Ends the program where something does not ask the budget in time: the parser of C, a pipe that is not read.
fn end_after(deadline: Instant) {
    std::thread::spawn(move || {
        std::thread::sleep(deadline.saturating_duration_since(Instant::now()).saturating_add(GRACE));
        anstream::eprintln!("error: {BudgetSpent}");
        std::process::exit(Status::Budget as i32);
    });
}

impl Reading {
    /// Reads the file and its static control parts.
    pub fn program(&self, budget: &Budget) -> Result<Program, Failure> {
        let source = self.source()?;
        let text = source.text.clone();
        let program = Program::open_within(source, &self.options(), budget).map_err(|e| failure(&e, &text))?;
        program.refused().iter().for_each(|d| anstream::eprintln!("{}\n", d.render(&text, loopwright::c_front::Color::Ansi)));
        program.left_out().iter().for_each(|left_out| anstream::eprintln!("{left_out}"));
        Ok(program)
    }

    /// The file.
    pub fn source(&self) -> Result<Source, Failure> {
        source(&self.file)
    }

    /// How to read it.
    pub fn options(&self) -> Options {
        let mut cc_args: Vec<String> = self.include.iter().map(|dir| format!("-I{dir}")).collect();
        cc_args.extend(self.define.iter().map(|d| format!("-D{d}")));
        let regions = if self.auto { Regions::Automatic } else { Regions::Marked };
        Options { cc: self.cc.clone(), cc_args, regions, ..Options::default() }
    }
}

fn source(path: &Path) -> Result<Source, Failure> {
    if path == Path::new("-") {
        Source::from_bytes("<stdin>", output::read(path)?).map_err(Failure::input)
    } else {
        Source::read(path).map_err(Failure::input)
    }
}

/// An error of the library with carets where it has places, and its exit code.
pub fn failure(error: &loopwright::Error, text: &str) -> Failure {
    if error.is_budget() {
        return Failure { message: format!("error: {error}"), status: Status::Budget };
    }
    match error {
        loopwright::Error::Front(front) if !front.diagnostics().is_empty() => {
            let shown = front.diagnostics().iter().map(|d| d.render(text, loopwright::c_front::Color::Ansi));
            Failure { message: shown.collect::<Vec<_>>().join("\n\n"), status: Status::Input }
        }
        other => Failure::input(other),
    }
}

#[derive(clap::Args)]
pub struct ScopArgs {
    #[command(flatten)]
    pub reading: Reading,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

/// What to do about an illegal step.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnIllegal {
    /// Stop with exit code 3; nothing is written.
    Refuse,
    /// Leave the step out, say so, go on.
    Warn,
    /// Apply it all the same, and say so.
    Apply,
}

#[derive(clap::Args)]
pub struct TransformArgs {
    #[command(flatten)]
    pub reading: Reading,
    /// The steps: a JSON array; - reads standard input.
    #[arg(long, value_name = "STEPS.json")]
    pub script: PathBuf,
    /// Where the C goes; - writes standard output.
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// What to do about an illegal step.
    #[arg(long, value_enum, default_value = "refuse")]
    pub on_illegal: OnIllegal,
    /// Print the answers to all steps as one JSON object on standard output.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct CheckArgs {
    #[command(flatten)]
    pub reading: Reading,
    /// The moves: one JSON step a line; - reads standard input.
    #[arg(long, value_name = "MOVES.jsonl")]
    pub moves: PathBuf,
}

#[derive(clap::Args)]
pub struct MovesArgs {
    #[command(flatten)]
    pub reading: Reading,
    /// Only at the node with this depth-first number (see `loopwright show`).
    #[arg(long, value_name = "N")]
    pub node: Option<usize>,
    /// Only in this static control part, from 0.
    #[arg(long, value_name = "N")]
    pub scop: Option<usize>,
    /// Print one JSON object a line.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct ShowArgs {
    #[command(flatten)]
    pub reading: Reading,
    /// Print a graph for Graphviz.
    #[arg(long)]
    pub dot: bool,
}

#[derive(clap::Args)]
pub struct AstArgs {
    /// The schedule tree (.st) or triple (.in); - reads standard input, a tree if it holds the key `domain:`.
    pub file: PathBuf,
    #[command(flatten)]
    pub limits: Limits,
}

/// Which pairs are dependences.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DepsKind {
    /// All pairs of accesses to one element of which one writes.
    Memory,
    /// Those of them without a write to the element in between.
    Value,
}

#[derive(clap::Args)]
pub struct DepsArgs {
    #[command(flatten)]
    pub reading: Reading,
    /// Which pairs are dependences.
    #[arg(long, value_enum, default_value = "memory")]
    pub kind: DepsKind,
    /// Print JSON.
    #[arg(long)]
    pub json: bool,
}

#[derive(clap::Args)]
pub struct FlowArgs {
    /// The access information; - reads standard input.
    pub file: PathBuf,
    #[command(flatten)]
    pub limits: Limits,
}
