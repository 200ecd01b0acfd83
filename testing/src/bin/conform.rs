//! `conform [FILE]`: answers every line `{id, op, args, arg_types?, options?}` of a file (or standard input) with one line
//! `{"id", "result", "us"}`, `{"id", "error"}` or `{"id", "unsupported": true}`.
//!
//! A worker process evaluates, so that an operation that does not end, overflows the stack or exhausts memory costs its own entry
//! only: the worker is ended after the limit and started anew.

use loopwright_testing::conform::answer;
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);
const WORKER: &str = "--worker";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let result = match args.first().map(String::as_str) {
        Some(WORKER) => work(),
        Some("--help" | "-h") => {
            println!(
                "usage: conform [FILE]\nreads operations as JSON lines from FILE or standard input, writes results as JSON lines"
            );
            Ok(())
        }
        file => drive(file),
    };
    if let Err(error) = result {
        eprintln!("conform: {error}");
        std::process::exit(1);
    }
}

/// Evaluates the lines of standard input.
fn work() -> std::io::Result<()> {
    std::panic::set_hook(Box::new(|_| {}));
    let mut out = std::io::stdout();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let entry: Json = serde_json::from_str(&line).unwrap_or(Json::Null);
        let result = std::panic::catch_unwind(|| answer(&entry)).unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str).or_else(|| payload.downcast_ref::<&str>().copied());
            json!({ "id": entry["id"], "error": format!("panic: {}", text.unwrap_or("of unknown kind")) })
        });
        writeln!(out, "{result}")?;
        out.flush()?;
    }
    Ok(())
}

struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl Worker {
    fn start() -> std::io::Result<Worker> {
        let mut child =
            Command::new(std::env::current_exe()?).arg(WORKER).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || std::io::Error::other("the worker has no pipes");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let (send, answers) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Worker { child, input, answers })
    }

    fn ask(&mut self, line: &str) -> Result<String, &'static str> {
        writeln!(self.input, "{line}").and_then(|()| self.input.flush()).map_err(|_| "the worker ended")?;
        self.answers.recv_timeout(LIMIT).map_err(|e| match e {
            RecvTimeoutError::Timeout => "time limit",
            RecvTimeoutError::Disconnected => "the worker ended (stack overflow or out of memory)",
        })
    }

    fn stop(mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn drive(file: Option<&str>) -> std::io::Result<()> {
    let input: Box<dyn Read> = match file {
        Some(path) if path != "-" => Box::new(std::fs::File::open(path)?),
        _ => Box::new(std::io::stdin()),
    };
    let mut worker = Worker::start()?;
    let mut out = std::io::stdout().lock();
    for line in BufReader::new(input).lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let result = worker.ask(&line).unwrap_or_else(|why| {
            let entry: Json = serde_json::from_str(&line).unwrap_or(Json::Null);
            json!({ "id": entry["id"], "error": why }).to_string()
        });
        if (result.contains("\"error\":\"time limit\"") || result.contains("\"error\":\"the worker ended"))
            && let Ok(fresh) = Worker::start()
        {
            std::mem::replace(&mut worker, fresh).stop();
        }
        writeln!(out, "{result}")?;
    }
    worker.stop();
    Ok(())
}
