//! The kernels of the conformance data: dependences, parallel loops and verdicts, where that folder is present.

use loopwright_deps::{Accesses, Dependences, Kind};
use loopwright_presburger::{Params, UnionMap};
use loopwright_schedule_tree::{Move, Path, Registry, ScheduleTree};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

// The folder, or `None` where it is absent.
fn folder() -> Option<PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let found = [root.join("../shared/conformance"), root.join("../../shared/conformance")].into_iter().find(|p| p.is_dir());
    if found.is_none() {
        println!("SKIPPED: there is no conformance data");
    }
    found
}

fn json(path: &std::path::Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

struct Kernel {
    name: String,
    tree: ScheduleTree,
    accesses: Accesses,
    dependences: Dependences,
    facts: Value,
}

fn kernels(folder: &std::path::Path) -> Vec<Kernel> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("scops")).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| kernel(json(file))).collect()
}

fn kernel(facts: Value) -> Kernel {
    let text = |path: &str| facts.pointer(path).unwrap().as_str().unwrap().to_string();
    let tree: ScheduleTree = text("/tadashi/schedule_yaml").parse().unwrap();
    let union = |path: &str| -> UnionMap { text(path).parse().unwrap() };
    let accesses = Accesses { reads: union("/pet/may_reads"), writes: union("/pet/may_writes") };
    let context: Params = "{ : }".parse().unwrap();
    let dependences = Dependences::analyze(&accesses, &tree, &context).unwrap();
    Kernel { name: text("/kernel"), tree, accesses, dependences, facts }
}

#[test]
fn dependences() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    for Kernel { name, dependences, facts, .. } in kernels(&folder) {
        for (kind, field) in [(Kind::Raw, "flow"), (Kind::War, "war"), (Kind::Waw, "waw")] {
            let expect: UnionMap = facts["tadashi"]["memory_live_deps"][field].as_str().unwrap().parse().unwrap();
            if !dependences.relation(kind).is_equal(&expect) {
                wrong.push(format!("{name} {kind}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn parallel_loops() {
    let Some(folder) = folder() else { return };
    let mut wrong = Vec::new();
    for Kernel { name, dependences, tree, facts, .. } in kernels(&folder) {
        let loops: BTreeMap<Path, bool> =
            dependences.loops(&tree).unwrap().into_iter().map(|l| (l.path.clone(), l.is_parallel())).collect();
        for node in facts["tadashi"]["nodes"].as_array().unwrap() {
            if let Some(expect) = node["exact_parallel"].as_bool() {
                let path: Path = positions(&node["location"]);
                if loops.get(&path) != Some(&expect) {
                    wrong.push(format!("{name} {path}: {:?}", loops.get(&path)));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

fn positions(value: &Value) -> Path {
    value.as_array().unwrap().iter().map(|v| v.as_u64().unwrap() as usize).collect::<Vec<_>>().into()
}

#[test]
fn verdicts() {
    let Some(folder) = folder() else { return };
    let registry = Registry::standard();
    let (mut agree, mut wrong) = (0, Vec::new());
    let mut time = std::time::Duration::ZERO;
    for Kernel { name, tree, accesses, dependences, .. } in kernels(&folder) {
        let lines = std::fs::read_to_string(folder.join("verdicts").join(format!("{name}.jsonl"))).unwrap();
        for line in lines.lines() {
            let entry: Value = serde_json::from_str(line).unwrap();
            let Some(expect) = entry["exact_memory_legal"].as_bool() else { continue };
            let mut action = vec![entry["tr"].clone()];
            action.extend(entry["args"].as_array().unwrap().iter().cloned());
            let action = Move::from_json(&Value::Array(action)).unwrap();
            let path = positions(&entry["location"]);
            let tree_number = tree.number(&path).unwrap();
            assert_eq!(Some(tree_number as u64), entry["node"].as_u64(), "{name} {path}");
            let clock = std::time::Instant::now();
            let answer = registry
                .apply(&tree.at(&path).unwrap(), &action)
                .map_err(|e| e.to_string())
                .and_then(|new| dependences.check(&new).map(|v| (new, v)).map_err(|e| e.to_string()));
            time += clock.elapsed();
            match answer {
                Ok((new, verdict)) if verdict.is_legal() == expect => {
                    agree += 1;
                    if let Some(v) = verdict.violation() {
                        v.replay(&accesses, &tree, &new).unwrap_or_else(|e| panic!("{name}: {action} at {path}: {v}: {e}"));
                    }
                }
                Ok((_, verdict)) => {
                    wrong.push(format!("{name}: {action} at {path}: {:?}", verdict.violation().map(ToString::to_string)))
                }
                Err(e) => wrong.push(format!("{name}: {action} at {path}: {e}")),
            }
        }
    }
    println!("{agree} verdicts agree, {} do not; {time:?}", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
