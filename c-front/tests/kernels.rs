//! The thirty PolyBench kernels, and the facts that are known of sixteen of them.

use loopwright_c_front::{Options, Source, extract};
use loopwright_presburger::{Dim, Map, Params, Relation, Set, UnionMap, UnionSet};
use loopwright_schedule_tree::Node;
use loopwright_scop::Scop;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../polybench-tests/kernels")
}

#[track_caller]
fn kernel(name: &str) -> Scop {
    let path = folder().join(name).join(format!("{name}.c"));
    let options = Options { cc_args: vec![format!("-I{}", folder().display())], ..Options::default() };
    let source = Source::read(&path).unwrap();
    let mut scops = extract(&source, &options).unwrap_or_else(|e| panic!("{name}: {e}")).scops;
    assert_eq!(scops.len(), 1, "{name}");
    scops.remove(0)
}

#[test]
fn all_thirty_are_extracted() {
    let folders = std::fs::read_dir(folder()).unwrap().map(|e| e.unwrap()).filter(|e| e.file_type().unwrap().is_dir());
    let mut names: Vec<String> = folders.map(|e| e.file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names.len(), 30);
    for name in &names {
        let scop = kernel(name);
        assert!(!scop.statements.is_empty(), "{name}");
        assert_eq!(scop.function, format!("kernel_{}", name.replace('-', "_")));
        for statement in &scop.statements {
            assert!(!statement.domain.is_empty(), "{name} {}", statement.name);
            assert!(
                statement.body.kept().is_some(),
                "{name}: {} cannot be put back as written: {}",
                statement.name,
                statement.body
            );
        }
    }
}

/// The text of a fact.
fn text<'a>(facts: &'a Value, group: &str, key: &str) -> &'a str {
    facts[group][key].as_str().unwrap_or_else(|| panic!("{group}.{key}"))
}

/// A relation under the other tool's statement name, at sizes inside every declared extent.
fn renamed<K: loopwright_presburger::Kind>(
    relation: &Relation<K>,
    kind: Dim,
    names: &BTreeMap<String, String>,
    small: &Params,
) -> Relation<K> {
    let other = relation.tuple_name(kind).and_then(|own| names.get(&**own)).expect("a statement");
    relation.set_tuple_name(kind, Some(other)).intersect_params(small)
}

/// Bands, sequences, .. with their labels, depth first; the number of children of each.
fn shape(node: &Node, out: &mut Vec<(String, String, usize)>) {
    let label = node.as_band().and_then(|b| b.label().map(|l| l.to_string())).unwrap_or_default();
    out.push((format!("{:?}", node.kind()).to_uppercase(), label, node.children().len()));
    node.children().iter().for_each(|child| shape(child, out));
}

#[track_caller]
fn agrees(name: &str, facts: &Value) {
    let scop = kernel(name);
    // Statements of the other tool in program order, those that only update counters left out.
    let writes: UnionMap = text(facts, "pet", "may_writes").parse().unwrap();
    let counter = |array: &str| scop.counters.iter().any(|c| c.name == array);
    let data = |m: &&Map| m.tuple_name(Dim::Out).is_some_and(|array| !counter(array));
    let number = |name: &str| name.trim_start_matches("S_").parse::<usize>().unwrap();
    let mut theirs: Vec<String> = writes.members().filter(data).map(|m| m.tuple_name(Dim::In).unwrap().to_string()).collect();
    theirs.sort_by_key(|n| number(n));
    theirs.dedup();
    assert_eq!(theirs.len(), scop.statements.len(), "{name}: statements");
    let names: BTreeMap<String, String> = scop.statements.iter().map(|s| s.name.clone()).zip(theirs.iter().cloned()).collect();

    let params: Vec<&str> = scop.params.iter().map(|p| p.name.as_str()).collect();
    let bounds: Vec<String> = params.iter().map(|p| format!("1 <= {p} <= 100")).collect();
    let small: Params = format!("[{}] -> {{ : {} }}", params.join(", "), bounds.join(" and ")).parse().unwrap();
    let known = |r: &Option<&loopwright_presburger::Id>| r.is_some_and(|n| theirs.iter().any(|t| **t == **n));

    let instances: UnionSet = text(facts, "pet", "instance_set").parse().unwrap();
    let expect: UnionSet =
        instances.members().filter(|s| known(&s.tuple_name(Dim::SET))).map(|s: &Set| s.intersect_params(&small)).collect();
    let found: UnionSet = scop.domain().members().map(|s| renamed(s, Dim::SET, &names, &small)).collect();
    assert!(found.is_equal(&expect), "{name}: domains\n{found}");

    for (key, found) in [("may_reads", scop.reads()), ("may_writes", scop.writes()), ("must_writes", scop.writes())] {
        let all: UnionMap = text(facts, "pet", key).parse().unwrap();
        let expect: UnionMap = all
            .members()
            .filter(|m| known(&m.tuple_name(Dim::In)))
            .filter(data)
            .map(|m: &Map| m.intersect_params(&small))
            .collect();
        let found: UnionMap = found.members().map(|m| renamed(m, Dim::In, &names, &small)).collect();
        assert!(
            found.is_equal(&expect),
            "{name}: {key}\nours alone {}\ntheirs alone {}",
            found.subtract(&expect),
            expect.subtract(&found)
        );
    }

    let mut found = Vec::new();
    shape(scop.schedule().root(), &mut found);
    let nodes = facts["tadashi"]["nodes"].as_array().unwrap();
    let expect: Vec<(String, String, usize)> = nodes
        .iter()
        .map(|n| {
            (n["type"].as_str().unwrap().into(), n["label"].as_str().unwrap().into(), n["children"].as_array().unwrap().len())
        })
        .collect();
    assert_eq!(found, expect, "{name}: tree");

    let ours: Vec<Node> = scop.schedule().nodes().map(|(_, n)| (**n).clone()).collect();
    let instances: UnionSet = scop.domain().members().map(|s| renamed(s, Dim::SET, &names, &small)).collect();
    for (node, fact) in ours.iter().zip(nodes) {
        let Some(band) = node.as_band() else { continue };
        let schedule = fact["expr"].as_str().unwrap();
        let label = fact["label"].as_str().unwrap();
        let expect: UnionMap = schedule.replace(&format!("{label}[{{"), "{").replace("}]", "}").parse().unwrap();
        let found = UnionMap::from(&band.schedule().with_name(None));
        let found: UnionMap = found.members().map(|m| renamed(m, Dim::In, &names, &small)).collect();
        assert!(
            found.intersect_domain(&instances).is_equal(&expect.intersect_domain(&instances)),
            "{name}: {label} {schedule}\n{found}"
        );
    }
}

#[test]
fn sixteen_agree_with_known_facts() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/conformance/scops");
    let Ok(entries) = std::fs::read_dir(&data) else {
        println!("SKIPPED: {} is absent", data.display());
        return;
    };
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let facts: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
        let name = facts["kernel"].as_str().unwrap();
        agrees(name, &facts);
        println!("{name} agrees");
    }
}
