//! `loopwright transform`: a script of steps, each proven, and the C that results.

use crate::args::{OnIllegal, TransformArgs, failure};
use crate::{Failure, Status, output, plain};
use loopwright::{Answer, Emitted, Step, Warning};
use serde_json::json;

pub fn run(args: &TransformArgs) -> Result<Status, Failure> {
    if args.json && args.output.as_os_str() == "-" {
        return Err(Failure::input("--json and -o - both write standard output; name an output file"));
    }
    if args.script.as_os_str() == "-" && args.reading.file.as_os_str() == "-" {
        return Err(Failure::input("the C file and the script cannot both be standard input"));
    }
    let budget = args.reading.limits.budget();
    let steps = script(args)?;
    let program = args.reading.program(&budget)?;
    let text = &program.source().text;
    let mut state = program.original();
    let mut answers: Vec<Answer> = Vec::new();
    let mut illegal = false;
    for (number, step) in steps.iter().enumerate() {
        let fail = |e: loopwright::Error| {
            let f = failure(&e, text);
            let place = plain(&format!("\n  in step {number} of {}: {step}", args.script.display()));
            Failure { message: f.message + &place, ..f }
        };
        let next = program.apply(&state, step).map_err(fail)?;
        let answer = program.explain(&next, step.scop, &budget).map_err(fail)?;
        if answer.legal {
            state = next;
        } else {
            illegal = true;
            let action = match args.on_illegal {
                OnIllegal::Refuse => "nothing is written",
                OnIllegal::Warn => "it is left out",
                OnIllegal::Apply => "it is applied all the same",
            };
            if args.on_illegal == OnIllegal::Apply {
                state = next;
            }
            anstream::eprintln!("step {number}, {step}, is {answer}; {action}");
        }
        answers.push(answer);
        if illegal && args.on_illegal == OnIllegal::Refuse {
            report(args, &answers, &[], Written::Nothing)?;
            return Ok(Status::Illegal);
        }
    }
    let Emitted { mut code, warnings } = program.emitted(&state, &budget).map_err(|e| failure(&e, text))?;
    for warning in &warnings {
        anstream::eprintln!("warning: {warning}");
    }
    if illegal && args.on_illegal == OnIllegal::Apply {
        code = format!("/* loopwright: the order of this file was NOT proven legal (--on-illegal apply) */\n{code}");
    }
    output::write(&args.output, &code)?;
    report(args, &answers, &warnings, Written::File)?;
    Ok(Status::Done)
}

enum Written {
    Nothing,
    File,
}

fn report(args: &TransformArgs, answers: &[Answer], warnings: &[Warning], written: Written) -> Result<(), Failure> {
    if !args.json {
        return Ok(());
    }
    let written = match written {
        Written::Nothing => None,
        Written::File => Some(args.output.to_string_lossy()),
    };
    output::print(&format!("{}\n", json!({"steps": answers, "warnings": warnings, "written": written})))
}

fn script(args: &TransformArgs) -> Result<Vec<Step>, Failure> {
    let text = output::read_text(&args.script)?;
    let name = args.script.display();
    let value: serde_json::Value =
        serde_json::from_str(&text).map_err(|e| Failure::input(format!("{name}:{}:{}: not JSON: {e}", e.line(), e.column())))?;
    let serde_json::Value::Array(items) = value else {
        return Err(Failure::input(format!(
            "{name}: a script is a JSON array of steps, such as [{{\"path\": [0], \"move\": [\"TILE_1D\", 32]}}]"
        )));
    };
    let step = |(i, item)| Step::from_json(item).map_err(|e| Failure::input(format!("{name}: step {i}: {e}")));
    items.iter().enumerate().map(step).collect()
}
