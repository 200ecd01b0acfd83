//! Tasks of the project: `cargo xtask demo | test | verify-all`.

mod demo;
mod moves;
mod one_step;
mod parallel;
mod regions;
mod sequences;
mod test;
mod verdicts;
mod verify;
mod walk;
mod witnesses;

use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Parser)]
#[command(about = "Tasks of the Loopwright project")]
struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// The main job on a bundled kernel: tree, steps, proofs, C, compiled and compared.
    Demo,
    /// All tests: what CI runs.
    Test,
    /// Every one-step transformation of every kernel, random sequences and random regions: judged, generated, compiled, compared
    /// bit for bit; and the witnesses of many illegal steps.
    VerifyAll(verify::Options),
}

fn main() -> ExitCode {
    let result = match Args::parse().task {
        Task::Demo => demo::run(),
        Task::Test => test::run(),
        Task::VerifyAll(options) => verify::run(&options),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// The result of a task.
type Done = Result<(), Box<dyn std::error::Error>>;

/// The result of a part that runs in a thread of its own.
type Fallible<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// The project's top folder.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask stands in the project").to_path_buf()
}
