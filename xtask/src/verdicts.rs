//! The given verdicts on one-step transformations: every one that is known exactly must be answered, and agree.

use crate::Done;
use loopwright::{Budget, Options, Program, Source, Step};
use loopwright_polybench_tests::{Dataset, kernel};
use serde_json::{Value, json};
use std::path::Path;

pub fn run(data: &Path) -> Done {
    let mut files: Vec<_> = std::fs::read_dir(data.join("verdicts"))?.collect::<Result<Vec<_>, _>>()?;
    files.sort_by_key(std::fs::DirEntry::file_name);
    let (mut agree, mut faults) = (0, 0);
    for file in files {
        let path = file.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let kernel = kernel(&name).ok_or_else(|| format!("verdicts on an unknown kernel {name}"))?;
        let options = Options { cc_args: kernel.cpp_arguments(Dataset::Large), ..Options::default() };
        let program = Program::open(Source::read(&kernel.source_path())?, &options)?;
        for line in std::fs::read_to_string(&path)?.lines() {
            let entry: Value = serde_json::from_str(line)?;
            let Some(expected) = entry["exact_memory_legal"].as_bool() else { continue };
            match verdict(&program, &entry) {
                Ok(legal) if legal == expected => agree += 1,
                Ok(legal) => {
                    faults += 1;
                    println!("WRONG legal: {legal}: {line}");
                }
                Err(why) => {
                    faults += 1;
                    println!("REFUSED {why}: {line}");
                }
            }
        }
    }
    println!("verdicts: {agree} agree, {faults} do not");
    if faults == 0 { Ok(()) } else { Err("verdicts differ".into()) }
}

fn verdict(program: &Program, entry: &Value) -> Result<bool, Box<dyn std::error::Error>> {
    let mut action = vec![json!(entry["tr"].as_str().unwrap_or_default().to_uppercase())];
    action.extend(entry["args"].as_array().into_iter().flatten().cloned());
    let step = Step::from_json(&json!({"path": entry["location"], "move": action}))?;
    let state = program.apply(&program.original(), &step)?;
    Ok(program.judge(&state, 0, &Budget::UNLIMITED)?.legal)
}
