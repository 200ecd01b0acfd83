//! The executed instances and their order on every traced input of the conformance data (skipped where it is absent).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loopwright_codegen::{Ast, Options, Unrolling, generate, generate_from_map, interpret, read_triple};
use serde_json::Value;

fn folder() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/conformance");
    if folder.join("codegen/traces.jsonl").is_file() {
        return Some(folder);
    }
    println!("SKIPPED: no conformance data");
    None
}

fn ast(file: &Path) -> Result<Ast, String> {
    let text = std::fs::read_to_string(file).map_err(|e| e.to_string())?;
    let options = Options { unroll: Unrolling::Preferred, ..Options::default() };
    if file.extension().is_some_and(|e| e == "in") {
        let (schedule, context, styles) = read_triple(&text).map_err(|e| e.to_string())?;
        return generate_from_map(&schedule, &context, &styles, &options).map_err(|e| e.to_string());
    }
    let tree = text.parse().map_err(|e| format!("{e}"))?;
    generate(&tree, &options).map_err(|e| e.to_string())
}

type Instance = (String, Vec<i128>);

fn numbers(value: &Value) -> Vec<i128> {
    value.as_array().into_iter().flatten().filter_map(Value::as_i64).map(i128::from).collect()
}

fn judge(folder: &Path, line: &Value) -> Result<(), String> {
    let ast = ast(&folder.join(line["file"].as_str().unwrap_or_default()))?;
    let params: Vec<(&str, i128)> = line["params"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(name, value)| Some((name.as_str(), i128::from(value.as_i64()?))))
        .collect();
    let mut times: BTreeMap<Instance, Vec<Vec<i128>>> = BTreeMap::new();
    for entry in line["trace"].as_array().into_iter().flatten() {
        let instance = (entry[1].as_str().unwrap_or_default().to_string(), numbers(&entry[2]));
        times.entry(instance).or_default().push(numbers(&entry[0]));
    }
    let mut run: Vec<Instance> = Vec::new();
    interpret(&ast, params, 2_000_000, |name, instance| run.push((name.to_string(), instance.to_vec())))
        .map_err(|e| e.to_string())?;
    let mut counts: BTreeMap<&Instance, usize> = BTreeMap::new();
    run.iter().for_each(|instance| *counts.entry(instance).or_default() += 1);
    let expected: BTreeMap<&Instance, usize> = times.iter().map(|(instance, times)| (instance, times.len())).collect();
    if counts != expected {
        return Err(format!("{} instances run, {} expected", run.len(), line["n"]));
    }
    if times.values().all(|times| times.len() == 1) && line.get("unordered").is_none() {
        let order: Vec<&Vec<i128>> = run.iter().map(|instance| &times[instance][0]).collect();
        if !order.is_sorted() {
            return Err("order".into());
        }
    }
    Ok(())
}

#[test]
fn traced_inputs_run_their_instances_in_order() {
    let Some(folder) = folder() else { return };
    let text = std::fs::read_to_string(folder.join("codegen/traces.jsonl")).unwrap();
    let mut failures = Vec::new();
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if let Err(why) = judge(&folder, &line) {
            failures.push(format!("{}: {why}", line["file"]));
        }
    }
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), failures.join("\n"));
}
