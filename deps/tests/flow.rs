//! Value-based flow: isl's test inputs where that folder is present.

use loopwright_deps::{AccessInfo, Flow};
use std::path::PathBuf;

// The folder of the conformance data, or `None` where it is absent.
fn folder() -> Option<PathBuf> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let found = [root.join("../shared/conformance"), root.join("../../shared/conformance")].into_iter().find(|p| p.is_dir());
    if found.is_none() {
        println!("SKIPPED: there is no conformance data");
    }
    found
}

#[track_caller]
fn flow_of(info: &str) -> Flow {
    let info: AccessInfo = info.parse().unwrap_or_else(|e| panic!("{e}\n{info}"));
    let again: AccessInfo = info.to_string().parse().unwrap_or_else(|e| panic!("{e}\n{info}"));
    for (a, b) in [
        (&info.sink, &again.sink),
        (&info.must_source, &again.must_source),
        (&info.may_source, &again.may_source),
        (&info.kill, &again.kill),
    ] {
        assert!(a.is_equal(b), "{info}");
    }
    assert_eq!(again.schedule.to_string(), info.schedule.to_string());
    let flow = info.flow().unwrap_or_else(|e| panic!("{e}\n{info}"));
    assert_eq!(differences(&flow.to_string().parse().unwrap(), &flow), Vec::<String>::new(), "{flow}");
    flow
}

fn differences(found: &Flow, expect: &Flow) -> Vec<String> {
    let both = found.entries().into_iter().zip(expect.entries());
    both.filter(|((_, a), (_, b))| !a.is_equal(b)).map(|((key, a), (_, b))| format!("{key}: {a}, not {b}")).collect()
}

#[test]
fn conformance() {
    let Some(folder) = folder() else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder.join("flow")).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "ai"));
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let read = |extension: &str| std::fs::read_to_string(file.with_extension(extension)).unwrap();
        let differences = differences(&flow_of(&read("ai")), &read("flow").parse().unwrap());
        wrong.extend(differences.into_iter().map(|d| format!("{}: {d}", file.display())));
    }
    println!("{} files", files.len());
    assert_eq!(wrong, Vec::<String>::new());
}
