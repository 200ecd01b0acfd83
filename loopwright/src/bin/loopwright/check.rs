//! `loopwright check`: verdicts on many moves, each alone from the original tree.

use crate::args::{CheckArgs, failure};
use crate::{Failure, Status, output};
use indicatif::{ProgressBar, ProgressStyle};
use loopwright::{Answer, Budget, Program, Step};

pub fn run(args: &CheckArgs) -> Result<Status, Failure> {
    if args.moves.as_os_str() == "-" && args.reading.file.as_os_str() == "-" {
        return Err(Failure::input("the C file and the moves cannot both be standard input"));
    }
    let budget = args.reading.limits.budget();
    let moves = output::read_text(&args.moves)?;
    let program = args.reading.program(&budget)?;
    let lines: Vec<&str> = moves.lines().collect();
    let bar = ProgressBar::new(lines.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:40} {pos}/{len} moves, {per_sec}, {eta} left").expect("a fixed template"));
    let mut status = Status::Done;
    for (i, line) in lines.iter().enumerate() {
        bar.inc(1);
        if line.trim().is_empty() {
            continue;
        }
        let answer = match parse(line) {
            Ok(step) => answer(&program, &step, &budget)?,
            Err(why) => {
                anstream::eprintln!("{}", Failure::input(format!("{}:{}: {why}", args.moves.display(), i + 1)).message);
                status = Status::Input;
                Answer::refused(why)
            }
        };
        output::print(&format!("{}\n", serde_json::to_string(&answer).expect("plain data")))?;
    }
    bar.finish_and_clear();
    Ok(status)
}

fn parse(line: &str) -> Result<Step, String> {
    let value: serde_json::Value = serde_json::from_str(line).map_err(|e| format!("not JSON: {e}"))?;
    Step::from_json(&value).map_err(|e| e.to_string())
}

fn answer(program: &Program, step: &Step, budget: &Budget) -> Result<Answer, Failure> {
    let original = program.original();
    let fail = |e: loopwright::Error| failure(&e, &program.source().text);
    let next = match program.apply(&original, step) {
        Ok(next) => next,
        Err(why) => return Ok(Answer::refused(why.to_string())),
    };
    let mut answer = program.explain(&next, step.scop, budget).map_err(fail)?;
    if answer.legal {
        answer.codegen = program.why_no_code(&next, step.scop, budget).map_err(fail)?;
    }
    Ok(answer)
}
