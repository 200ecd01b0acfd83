//! Which loops are parallel, and which would be on private copies of arrays.

mod common;
mod programs;
use common::{Program, judge};
use programs::*;

// Per loop, depth first: `parallel`, `private(..)` or `sequential`.
#[track_caller]
fn loops(program: &Program, expect: &[&str]) {
    let loops = program.dependences.loops(&program.original).unwrap();
    let found: Vec<String> = loops
        .iter()
        .map(|l| match (l.is_parallel(), l.parallel_if_private) {
            (true, _) => "parallel".into(),
            (_, true) => {
                format!("private {}", l.privatizable.iter().map(|a| a.name().unwrap().to_string()).collect::<Vec<_>>().join(" "))
            }
            _ => "sequential".into(),
        })
        .collect();
    assert_eq!(found, expect);
}

#[test]
fn of_small_programs() {
    loops(&diagonal(), &["sequential", "parallel"]);
    loops(&scalar(), &["private s"]);
    loops(&dead_write(), &["private x"]);
    loops(&mirrored(), &["parallel", "parallel"]);
    loops(&red(), &["parallel", "parallel"]);
    loops(&decreasing(), &["sequential"]);
    loops(&textual(), &["sequential", "sequential"]);
    loops(&triangular(), &["sequential", "sequential"]);
    loops(&rows(), &["parallel", "sequential"]);
    loops(&jacobi(), &["sequential", "parallel", "parallel"]);
}

#[test]
fn marked() {
    for (name, program) in all() {
        let marked = program.dependences.mark_parallel(&program.original, 0).unwrap();
        let marks = marked.nodes().filter(|(_, n)| n.kind() == loopwright_schedule_tree::NodeKind::Mark).count();
        let expect = match name {
            "diagonal" | "forward" | "rows" | "red" => 1,
            "mirrored" | "jacobi" => 2,
            _ => 0,
        };
        assert_eq!(marks, expect, "{name}\n{marked}");
        assert!(judge(&program, &marked).is_legal(), "{name}");
    }
}
