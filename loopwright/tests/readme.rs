//! What the README shows of the command is what the command prints.

use std::path::Path;
use std::process::{Command, Output};

/// The fenced block of the README that has this info string.
fn block(info: &str) -> String {
    let readme =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../README.md")).expect("the README is there");
    let (_, after) = readme.split_once(&format!("```{info}\n")).unwrap_or_else(|| panic!("no block {info} in the README"));
    after.split_once("```").expect("blocks end").0.to_string()
}

fn loopwright(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_loopwright")).current_dir(folder).args(args).output().expect("the command runs")
}

#[test]
fn the_first_transformation() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name);
    std::fs::write(file("matmul.c"), block("c matmul.c")).expect("written");
    std::fs::write(file("steps.json"), block("json steps.json")).expect("written");
    let show = loopwright(folder.path(), &["show", "matmul.c"]);
    assert_eq!(String::from_utf8_lossy(&show.stdout).trim_end(), block("text show").trim_end());
    let transform = loopwright(folder.path(), &["transform", "matmul.c", "--script", "steps.json", "-o", "matmul.tiled.c"]);
    assert!(transform.status.success(), "{}", String::from_utf8_lossy(&transform.stderr));
    assert_eq!(std::fs::read_to_string(file("matmul.tiled.c")).expect("written"), block("c matmul.tiled.c"));
    std::fs::write(file("inner.json"), r#"[{"node": 3, "move": ["SET_PARALLEL", 0]}]"#).expect("written");
    let refused = loopwright(folder.path(), &["transform", "matmul.c", "--script", "inner.json", "-o", "inner.c"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(!file("inner.c").exists());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.starts_with(block("text refusal").trim_end()), "{said}");
}
