//! The `loopwright` command: static control parts of C files, their transformation, proof and regeneration.

mod args;
mod ast;
mod check;
mod deps;
mod flow;
mod moves;
mod output;
mod scop;
mod show;
mod transform;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

/// How a command ends; the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    Done = 0,
    Input = 1,
    Illegal = 3,
    Budget = 4,
}

/// A failed command: what to print on standard error, and the exit code.
struct Failure {
    message: String,
    status: Status,
}

impl Failure {
    fn input(message: impl std::fmt::Display) -> Failure {
        Failure { message: format!("error: {}", plain(&message.to_string())), status: Status::Input }
    }
}

/// A message that may quote its input: without control characters, and with long lines cut.
fn plain(message: &str) -> String {
    const LONGEST: usize = 2000;
    let steers =
        |c: char| c.is_control() || matches!(c, '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line = |line: &str| {
        let mut out = String::new();
        for c in line.chars().take(LONGEST) {
            if steers(c) && c != '\t' { out.extend(c.escape_default()) } else { out.push(c) }
        }
        if line.chars().nth(LONGEST).is_some() { out + ".." } else { out }
    };
    message.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn main() -> ExitCode {
    // clap itself ends with 2 on wrong usage and 0 on --help.
    let args = Args::parse();
    let result = match &args.command {
        Command::Scop(a) => scop::run(a),
        Command::Transform(a) => transform::run(a),
        Command::Check(a) => check::run(a),
        Command::Ast(a) => ast::run(a),
        Command::Moves(a) => moves::run(a),
        Command::Show(a) => show::run(a),
        Command::Deps(a) => deps::run(a),
        Command::Flow(a) => flow::run(a),
    };
    let status = result.unwrap_or_else(|failure| {
        anstream::eprintln!("{}", failure.message.trim_end());
        failure.status
    });
    ExitCode::from(status as u8)
}
