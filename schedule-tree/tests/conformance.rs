//! The trees, scops and verdicts of the conformance folder: what they say must be readable, and the moves must apply.

use loopwright_schedule_tree::{Move, Node, NodeKind, Path, Registry, ScheduleTree};
use serde_json::Value;
use std::path::PathBuf;

fn folder() -> Option<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/conformance");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("SKIPPED: no conformance folder");
    None
}

fn files(folder: PathBuf, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|e| e == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[track_caller]
fn round_trip(text: &str, what: &str) -> ScheduleTree {
    let tree: ScheduleTree = text.parse().unwrap_or_else(|e| panic!("{what}: {e}"));
    let printed = tree.to_string();
    let again: ScheduleTree = printed.parse().unwrap_or_else(|e| panic!("{what}: {e}\n{printed}"));
    let flow = tree.to_flow();
    assert!(flow.parse::<ScheduleTree>().unwrap_or_else(|e| panic!("{what}: {e}\n{flow}")) == again, "{what}\n{flow}");
    assert_eq!(again.nodes().count(), tree.nodes().count(), "{what}\n{text}\n{printed}");
    for ((path, a), (_, b)) in tree.nodes().zip(again.nodes()) {
        assert!(same(a, b), "{what}: {path}\n{a}\n{b}");
    }
    tree
}

// The same node, by meaning.
fn same(a: &Node, b: &Node) -> bool {
    match (a, b) {
        (Node::Domain { domain: a, .. }, Node::Domain { domain: b, .. }) => a.is_equal(b),
        (Node::Context { context: a, .. }, Node::Context { context: b, .. }) => a.is_equal(b),
        (Node::Filter { filter: a, .. }, Node::Filter { filter: b, .. }) => a.is_equal(b),
        (Node::Band { band: a, .. }, Node::Band { band: b, .. }) => {
            let options = match (a.options(), b.options()) {
                (Some(a), Some(b)) => a.is_equal(b),
                (a, b) => a.is_none() && b.is_none(),
            };
            options && a.schedule().is_equal(b.schedule()) && a.members() == b.members() && a.is_permutable() == b.is_permutable()
        }
        (a, b) => a.kind() == b.kind(),
    }
}

#[test]
fn trees_are_read_and_written() {
    let Some(folder) = folder() else { return };
    for file in files(folder, "st") {
        let what = file.display().to_string();
        let tree = round_trip(&std::fs::read_to_string(&file).unwrap(), &what);
        tree.verify().unwrap_or_else(|e| panic!("{what}: {e}"));
    }
}

fn json(file: &PathBuf) -> Value {
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn location(value: &Value) -> Path {
    value.as_array().unwrap().iter().map(|i| i.as_u64().unwrap() as usize).collect::<Vec<_>>().into()
}

#[test]
fn scops_have_the_nodes_statements_and_moves_that_the_data_says() {
    let Some(folder) = folder() else { return };
    let registry = Registry::standard();
    for file in files(folder.join("scops"), "json") {
        let scop = json(&file);
        let what = file.display().to_string();
        round_trip(scop["pet"]["pet_schedule"].as_str().unwrap(), &what);
        let tree = round_trip(scop["tadashi"]["schedule_yaml"].as_str().unwrap(), &what);
        let nodes = scop["tadashi"]["nodes"].as_array().unwrap();
        assert_eq!(tree.nodes().count(), nodes.len(), "{what}");
        for (number, node) in nodes.iter().enumerate() {
            let path = tree.path(number).unwrap();
            assert_eq!(path, location(&node["location"]), "{what}: node {number}");
            assert_eq!(tree.number(&path), Ok(number));
            let at = tree.at(&path).unwrap();
            assert_eq!(at.node().kind().to_string().to_uppercase(), node["type"].as_str().unwrap(), "{what}: {path}");
            if at.node().kind() == NodeKind::Band {
                // The data lists them by name; its statements are numbered in program order.
                let mut expect: Vec<&str> = node["stmts"].as_array().unwrap().iter().map(|s| s.as_str().unwrap()).collect();
                expect.sort_by_key(|s| s[2..].parse::<u32>().unwrap());
                let statements = at.statements();
                let found: Vec<&str> = statements.iter().map(|t| &**t.name().unwrap()).collect();
                assert_eq!(found, expect, "{what}: {path}");
            }
            let moves = scop["tadashi"]["available"][number.to_string()].as_array();
            for name in moves.into_iter().flatten().map(|m| m.as_str().unwrap().to_uppercase()) {
                let available = registry.get(&name).unwrap().available(&at);
                assert!(available.is_ok(), "{what}: {name} at {path}: {available:?}");
            }
        }
    }
}

#[test]
fn moves_with_an_exact_verdict_apply() {
    let Some(folder) = folder() else { return };
    let registry = Registry::standard();
    let mut applied = 0;
    for file in files(folder.join("verdicts"), "jsonl") {
        let kernel = file.file_stem().unwrap().to_str().unwrap().to_string();
        let scop = json(&folder.join("scops").join(format!("{kernel}.json")));
        let tree: ScheduleTree = scop["tadashi"]["schedule_yaml"].as_str().unwrap().parse().unwrap();
        for (line, text) in std::fs::read_to_string(&file).unwrap().lines().enumerate() {
            let entry: Value = serde_json::from_str(text).unwrap();
            let mut action = vec![entry["tr"].clone()];
            action.extend(entry["args"].as_array().unwrap().iter().cloned());
            let action = Move::from_json(&Value::Array(action)).unwrap();
            let at = tree.at(&location(&entry["location"])).unwrap();
            let result = registry.apply(&at, &action);
            if entry.get("exact_memory_legal").is_some() {
                let result = result.unwrap_or_else(|e| panic!("{kernel}, line {}: {e}", line + 1));
                if line % 8 == 0 {
                    result.verify().unwrap_or_else(|e| panic!("{kernel}, {action} at {}: {e}\n{result}", at.path()));
                }
                applied += 1;
            } else if !["SCALE", "SPLIT", "FULL_SPLIT", "FUSE"].contains(&&*action.name) {
                assert!(result.is_err(), "{kernel}, line {}: {action} at {}", line + 1, at.path());
            }
        }
    }
    assert!(applied > 3000, "{applied}");
}
