//! Moves from text to text: each file of `tests/data` holds a tree and moves, each with the tree after it or the refusal.
//!
//! A `>>>` line is a move and its place, applied to the file's first tree; `+++` lines after it are applied to the result. With
//! `UPDATE_GOLDEN=1` in the environment the results are written to the files instead of compared; read the difference before
//! committing it.

use loopwright_schedule_tree::{Move, Registry, ScheduleTree, Step, Target};
use std::path::PathBuf;

fn step(line: &str) -> Step {
    let (action, place) = line.rsplit_once(" at ").unwrap_or_else(|| panic!("no ` at ` in {line}"));
    let target = match place.strip_prefix("node ") {
        Some(number) => Target::Node(number.parse().unwrap()),
        None => Target::Path(serde_json::from_str::<Vec<usize>>(place).unwrap().into()),
    };
    Step::new(target, action.parse::<Move>().unwrap())
}

fn run(tree: &ScheduleTree, script: &[&str]) -> String {
    let registry = Registry::standard();
    let mut tree = tree.clone();
    for line in script {
        let step = step(line);
        match registry.step(&tree, &step) {
            Ok(next) => {
                next.verify().unwrap_or_else(|e| panic!("{step}: {e}\n{next}"));
                assert_eq!(next.to_string().parse::<ScheduleTree>().as_ref(), Ok(&next), "{step}");
                tree = next;
            }
            Err(refusal) => return format!("refused: {refusal}\n"),
        }
    }
    tree.to_string()
}

fn results(text: &str) -> String {
    let mut lines = text.lines().peekable();
    let mut head = String::new();
    while let Some(line) = lines.next_if(|l| !l.starts_with(">>> ")) {
        head += &format!("{line}\n");
    }
    let tree: ScheduleTree = head.parse().unwrap_or_else(|e| panic!("{e}"));
    tree.verify().unwrap();
    let mut out = head;
    while lines.peek().is_some() {
        let mut script = Vec::new();
        while let Some(line) = lines.next_if(|l| l.starts_with(if script.is_empty() { ">>> " } else { "+++ " })) {
            script.push(&line[4..]);
            out += &format!("{line}\n");
        }
        while lines.next_if(|l| !l.starts_with(">>> ")).is_some() {}
        out += &run(&tree, &script);
        out += if lines.peek().is_some() { "\n" } else { "" };
    }
    out
}

#[test]
fn moves_give_the_trees_of_the_data() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    assert!(!files.is_empty());
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let found = results(&text);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&file, found).unwrap();
        } else {
            assert!(found == text, "{}: expected\n{text}\nfound\n{found}", file.display());
        }
    }
}
