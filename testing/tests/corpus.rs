//! The corpora and regressions of all fuzz targets, replayed as plain tests.

use loopwright_testing::oracle::TARGETS;
use std::path::{Path, PathBuf};

/// Larger files are not kept: a crash is minimized before it becomes a regression.
const LARGEST: u64 = 4_096;

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

#[track_caller]
fn replay(name: &str) {
    let (_, check) = TARGETS.iter().find(|(n, _)| *n == name).expect("a target");
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
    let corpus = files(&fuzz.join("corpus").join(name));
    assert!(corpus.len() >= 10, "the corpus of {name} has {} files", corpus.len());
    for path in corpus.into_iter().chain(files(&fuzz.join("regressions").join(name))) {
        let data = std::fs::read(&path).unwrap();
        assert!(data.len() as u64 <= LARGEST, "{} is too large", path.display());
        println!("{}", path.display());
        check(&data);
    }
}

#[test]
fn values() {
    replay("values");
}

#[test]
fn trees() {
    replay("trees");
}

#[test]
fn c() {
    replay("c");
}

#[test]
fn algebra() {
    replay("algebra");
}

#[test]
fn order() {
    replay("order");
}

#[test]
fn moves() {
    replay("moves");
}
