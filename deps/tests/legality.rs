//! Verdicts on small programs: what the solver says, what its witness shows, what enumeration says.

mod common;
mod programs;
use common::{Program, judge, map, moved, path, program, tree};
use loopwright_deps::{Error, Kind};
use loopwright_schedule_tree::{Mark, Node, ScheduleTree};
use programs::*;

#[track_caller]
fn relation(program: &Program, kind: Kind, expect: &str) {
    let found = program.dependences.relation(kind);
    assert!(found.is_equal(&map(expect)), "{kind}: {found}");
}

#[track_caller]
fn legal(program: &Program, moves: &[(&[usize], &str)]) {
    legal_tree(program, &moved(&program.original, moves));
}

#[track_caller]
fn legal_tree(program: &Program, tree: &ScheduleTree) {
    let verdict = judge(program, tree);
    assert!(verdict.is_legal(), "{}", verdict.violation().unwrap());
}

#[track_caller]
fn illegal(program: &Program, moves: &[(&[usize], &str)], expect: &str) {
    illegal_tree(program, &moved(&program.original, moves), expect);
}

#[track_caller]
fn illegal_tree(program: &Program, tree: &ScheduleTree, expect: &str) {
    let found = judge(program, tree).violation().map_or("legal".into(), |v| v.to_string());
    for part in expect.split(" .. ") {
        assert!(found.contains(part), "{found}");
    }
}

#[test]
fn dependences() {
    let p = diagonal();
    relation(&p, Kind::Raw, "[n] -> { S[i, j] -> S[i + 1, j - 1] : 1 <= i < n - 1 and 2 <= j < n }");
    relation(&p, Kind::War, "{ }");
    relation(&p, Kind::Waw, "{ }");
    let p = scalar();
    relation(&p, Kind::Raw, "[n] -> { S[i] -> T[j] : 0 <= i <= j < n }");
    relation(&p, Kind::War, "[n] -> { T[i] -> S[j] : 0 <= i < j < n }");
    relation(&p, Kind::Waw, "[n] -> { S[i] -> S[j] : 0 <= i < j < n }");
    let p = red();
    for kind in Kind::ALL {
        relation(&p, kind, "{ }");
    }
    let p = decreasing();
    relation(&p, Kind::Raw, "[n] -> { S[i] -> S[i - 1] : 1 <= i < n - 1 }");
    relation(&p, Kind::War, "{ }");
    let p = triangular();
    relation(&p, Kind::Waw, "[n] -> { S[i, j] -> S[i, k] : 0 <= j < k < i < n }");
    relation(&p, Kind::Raw, "[n] -> { S[i, j] -> S[i, k] : 0 <= j < k < i < n; S[i, j] -> S[k, i] : 0 <= j < i < k < n }");
    relation(&p, Kind::War, "[n] -> { S[i, j] -> S[i, k] : 0 <= j < k < i < n }");
}

#[test]
fn identity_is_legal() {
    for (_, program) in all() {
        legal(&program, &[]);
    }
}

#[test]
fn interchange() {
    illegal(&diagonal(), &[(&[0], "INTERCHANGE")], "RAW: S[ .. runs S[");
    legal(&rows(), &[(&[0], "INTERCHANGE")]);
    legal(&red(), &[(&[0], "INTERCHANGE")]);
}

#[test]
fn an_illegal_interchange_stays_illegal_under_a_parallel_mark() {
    illegal(&diagonal(), &[(&[0], "INTERCHANGE"), (&[0], "SET_PARALLEL(0)")], "RAW");
    illegal(&diagonal(), &[(&[0], "INTERCHANGE"), (&[0, 0], "SET_PARALLEL(4)")], "RAW");
}

#[test]
fn a_mark_that_a_later_shift_invalidates() {
    // The outer loop carries the dependence, the inner one is parallel. At i - j the two instances of a pair meet in one iteration of
    // the outer loop: the order is still right, the mark is not.
    let p = forward();
    let mark = "SET_PARALLEL(0)";
    legal(&p, &[(&[0, 0], mark)]);
    legal(&p, &[(&[0, 0], mark), (&[0], "FULL_SHIFT_VAL(5)")]);
    legal(&p, &[(&[0], "FULL_SHIFT_VAR(1, -1)")]);
    illegal(&p, &[(&[0, 0], mark), (&[0], "FULL_SHIFT_VAR(1, -1)")], "RAW .. the parallel loop at [0, 0, 0]");
}

#[test]
fn scalars_are_memory() {
    illegal(&scalar(), &[(&[0, 0], "SPLIT(1)")], "s before");
    illegal(&scalar(), &[(&[0, 0], "FULL_SPLIT")], "reads s before");
    illegal(&scalar(), &[(&[0], "PARTIAL_SHIFT_VAL(0, 1)")], "s before");
    illegal(&scalar(), &[(&[0], "PARTIAL_SHIFT_VAL(1, 1)")], "WAR");
    illegal(&scalar(), &[(&[0], "SET_PARALLEL(0)")], "the parallel loop at [0, 0]");
    legal(&scalar(), &[(&[0], "TILE_1D(32)")]);
}

#[test]
fn dead_writes_keep_their_place() {
    let p = dead_write();
    relation(
        &p,
        Kind::Waw,
        "[n] -> { S[i] -> S[j] : 0 <= i < j < n; S[i] -> D[j] : 0 <= i <= j < n; S[i] -> T[j] : 0 <= i <= j < n; D[i] -> S[j] : 0 <= i < j < n; D[i] -> D[j] : 0 <= i < j < n; D[i] -> T[j] : 0 <= i <= j < n; T[i] -> S[j] : 0 <= i < j < n; T[i] -> D[j] : 0 <= i < j < n; T[i] -> T[j] : 0 <= i < j < n }",
    );
    illegal(&p, &[(&[0], "PARTIAL_SHIFT_VAL(0, 1)")], "S[");
    illegal(&p, &[(&[0], "PARTIAL_SHIFT_VAL(1, 1)")], "D[");
    illegal(&p, &[(&[0], "PARTIAL_SHIFT_VAL(2, 1)")], "T[");
}

#[test]
fn fusion_and_shifts() {
    let p = mirrored();
    illegal(&p, &[(&[0], "FULL_FUSE")], "RAW: S[ .. A[");
    illegal(&p, &[(&[0], "FULL_FUSE"), (&[0], "PARTIAL_SHIFT_VAL(1, 3)")], "RAW");
    legal(&p, &[(&[0], "FULL_FUSE"), (&[0], "PARTIAL_SHIFT_PARAM(1, n, 1)")]);
    let p = jacobi();
    illegal(&p, &[(&[0, 0], "FULL_FUSE")], "WAR");
    legal(&p, &[(&[0, 0], "FULL_FUSE"), (&[0, 0], "PARTIAL_SHIFT_VAL(1, 1)")]);
    illegal(
        &p,
        &[(&[0, 0], "FULL_FUSE"), (&[0, 0], "PARTIAL_SHIFT_VAL(1, 1)"), (&[0, 0], "SET_PARALLEL(2)")],
        "parallel loop at [0, 0, 0]",
    );
}

#[test]
fn a_shift_by_two_to_the_forty() {
    legal(&jacobi(), &[(&[0], "FULL_SHIFT_VAL(1099511627776)")]);
    legal(&mirrored(), &[(&[0], "FULL_FUSE"), (&[0], "PARTIAL_SHIFT_PARAM(1, n, 1099511627776)")]);
    illegal(&mirrored(), &[(&[0], "FULL_FUSE"), (&[0], "PARTIAL_SHIFT_VAL(0, 1099511627776)")], "runs T[");
}

#[test]
fn parity_guards() {
    legal(&red(), &[(&[0], "SET_PARALLEL(0)"), (&[0, 0, 0], "SET_PARALLEL(0)")]);
    legal(&red(), &[(&[0], "TILE_2D(2, 3)")]);
}

#[test]
fn decreasing_recurrences() {
    illegal(&decreasing(), &[(&[0], "SET_PARALLEL(0)")], "RAW .. x[");
    let forward = tree(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n - 1 }"
child:
  schedule: "L_0[{ S[i] -> [(i)] }]"
"#,
    );
    illegal_tree(&decreasing(), &forward, "RAW .. runs S[");
    legal(&decreasing(), &[(&[0], "TILE_1D(3)")]);
}

#[test]
fn order_of_the_text_alone() {
    let p = textual();
    illegal(&p, &[(&[0, 0], "SET_PARALLEL(0)")], "A[ .. parallel loop at [0, 0, 0]");
    illegal(&p, &[(&[0], "FULL_SHIFT_VAR(1, 1)")], "WAR: T[");
    illegal(&p, &[(&[0], "PARTIAL_SHIFT_VAR(0, 1, 1)")], "S[");
    // A wavefront: t + i, then t. S[t, i] and T[t, i] still meet at one time, where the order of the text decides.
    let wavefront = |first: &str, second: &str| {
        tree(&format!(
            r#"
domain: "[n] -> {{ S[t, i] : 1 <= t, i < n; T[t, i] : 1 <= t, i < n }}"
child:
  schedule: "[{{ S[t, i] -> [(t + i)]; T[t, i] -> [(t + i)] }}, {{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }}]"
  child:
    sequence:
    - filter: "{{ {first}[t, i] }}"
    - filter: "{{ {second}[t, i] }}"
"#
        ))
    };
    legal_tree(&p, &wavefront("S", "T"));
    illegal_tree(&p, &wavefront("T", "S"), "B[ .. the node at [0, 0] runs T[");
}

#[test]
fn parallel_loops() {
    legal(&rows(), &[(&[0], "SET_PARALLEL(4)")]);
    illegal(&rows(), &[(&[0, 0], "SET_PARALLEL(4)")], "C[ .. the parallel loop at [0, 0, 0]");
    // The inner loops under the sequential time loop.
    legal(&jacobi(), &[(&[0, 0, 0, 0], "SET_PARALLEL(0)"), (&[0, 0, 1, 0], "SET_PARALLEL(0)")]);
    illegal(&jacobi(), &[(&[0], "SET_PARALLEL(0)")], "parallel loop at [0, 0]");
    // Two nested ones.
    legal(&red(), &[(&[0, 0], "SET_PARALLEL(0)")]);
}

#[test]
fn a_parallel_loop_of_one_iteration() {
    let p = common::program(
        "{ S[i] -> A[0] : 3 <= i <= 3 }",
        "{ S[i] -> A[0] : 3 <= i <= 3 }",
        "{ domain: \"{ S[i] : 3 <= i <= 3 }\", child: { schedule: \"L_0[{ S[i] -> [(i)] }]\" } }",
        &[],
    );
    legal(&p, &[(&[0], "SET_PARALLEL(0)")]);
    // As many iterations as the tile has: the tile loop has one.
    let p = common::program(
        "{ S[i] -> s[] : 0 <= i < 4 }",
        "{ S[i] -> s[] : 0 <= i < 4 }",
        "{ domain: \"{ S[i] : 0 <= i < 4 }\", child: { schedule: \"L_0[{ S[i] -> [(i)] }]\" } }",
        &[1],
    );
    legal(&p, &[(&[0], "TILE_1D(4)"), (&[0], "SET_PARALLEL(0)")]);
    illegal(&p, &[(&[0], "TILE_1D(3)"), (&[0], "SET_PARALLEL(0)")], "s before");
}

#[test]
fn a_parallel_mark_stands_over_a_band() {
    let p = jacobi();
    let sequence = p.original.node(&path(&[0, 0])).unwrap().clone();
    let marked = Node::mark(Mark::Parallel { threads: 0 }, sequence);
    let error = p.dependences.check(&p.original.with_node(&path(&[0, 0]), marked).unwrap()).unwrap_err();
    assert!(error.to_string().contains("below it stands a sequence"), "{error}");
    let p = rows();
    let inner = p.original.node(&path(&[0, 0])).unwrap().clone();
    let named = Node::mark(Mark::Parallel { threads: 0 }, Node::mark(Mark::new("kernel"), inner));
    illegal_tree(&p, &p.original.with_node(&path(&[0, 0]), named).unwrap(), "the parallel loop at [0, 0, 0, 0]");
}

#[test]
fn sets_and_leaves_are_unordered() {
    let p = scalar();
    let in_a_set = tree(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "L_0[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  child:
    set:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#,
    );
    illegal_tree(&p, &in_a_set, "at [0, 0] their order is open");
    let at_a_leaf = tree(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "L_0[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
"#,
    );
    illegal_tree(&p, &at_a_leaf, "at [0, 0] their order is open");
    let nothing = ScheduleTree::from_domain(p.original.domain().unwrap().clone());
    illegal_tree(&p, &nothing, "at [0] their order is open");
    let free = red();
    legal_tree(&free, &ScheduleTree::from_domain(free.original.domain().unwrap().clone()));
    legal(&branches(), &[]);
    illegal(&branches(), &[(&[0, 0], "FULL_SPLIT")], "A[");
}

#[test]
fn bands_of_several_members_and_filters_that_cut() {
    let p = triangular();
    let together = tree(
        r#"
domain: "[n] -> { S[i, j] : 0 <= j < i < n }"
child:
  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]"
"#,
    );
    legal_tree(&p, &together);
    let swapped = tree(
        r#"
domain: "[n] -> { S[i, j] : 0 <= j < i < n }"
child:
  schedule: "[{ S[i, j] -> [(j)] }, { S[i, j] -> [(i)] }]"
"#,
    );
    legal_tree(&p, &swapped);
    let backward = tree(
        r#"
domain: "[n] -> { S[i, j] : 0 <= j < i < n }"
child:
  schedule: "[{ S[i, j] -> [(i)] }, { S[i, j] -> [(-j)] }]"
"#,
    );
    illegal_tree(&p, &backward, "A[ .. the node at [0] runs S[");
    let peeled = |first: &str, second: &str| {
        tree(&format!(
            r#"
domain: "[n] -> {{ S[i, j] : 0 <= j < i < n }}"
child:
  sequence:
  - filter: "{{ S[i, j] : {first} }}"
    child:
      schedule: "[{{ S[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)] }}]"
  - filter: "{{ S[i, j] : {second} }}"
    child:
      schedule: "[{{ S[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)] }}]"
"#
        ))
    };
    legal_tree(&p, &peeled("i < 3", "i >= 3"));
    illegal_tree(&p, &peeled("i >= 3", "i < 3"), "S[");
    legal_tree(&p, &peeled("j >= i", "j < i"));
    illegal_tree(&p, &peeled("i mod 2 = 0", "i mod 2 = 1"), "S[");
    legal_tree(
        &p,
        &tree(
            r#"
domain: "[n] -> { S[i, j] : 0 <= j < i < n }"
child:
  schedule: "[{ S[i, j] -> [(i)] : i < 3; S[i, j] -> [(2*i)] : i >= 3 }, { S[i, j] -> [(j)] }]"
"#,
        ),
    );
}

#[test]
fn nothing_is_judged_that_is_not_the_program() {
    let p = triangular();
    #[track_caller]
    fn refused(program: &Program, text: &str, expect: &str) {
        let error: Error = program.dependences.check(&tree(text)).unwrap_err();
        assert!(error.to_string().contains(expect), "{error}");
    }
    refused(
        &p,
        "{ domain: \"[n] -> { S[i, j] : 0 <= j < i < n - 1 }\", child: { schedule: \"[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]\" } }",
        "S[i, j] loses instances",
    );
    refused(
        &p,
        "{ domain: \"[n] -> { S[i, j] : 0 <= j < i < n; T[] }\", child: { schedule: \"[{ S[i, j] -> [(i)]; T[] -> [(0)] }]\" } }",
        "T[] has instances",
    );
    refused(
        &p,
        "{ domain: \"[n] -> { S[i, j] : 0 <= j < i < n }\", child: { schedule: \"[{ S[i, j] -> [(i)] : i > 2 }]\" } }",
        "no value for some instances",
    );
    refused(
        &p,
        "{ domain: \"[n] -> { S[i, j] : 0 <= j < i < n }\", child: { sequence: [ { filter: \"{ S[i, j] : i > 2 }\" } ] } }",
        "leaves out instances",
    );
    refused(
        &p,
        "{ domain: \"[n] -> { S[i, j] : 0 <= j < i < n }\", child: { guard: \"[n] -> { [] : n > 3 }\" } }",
        "changes which instances run",
    );
    refused(
        &p,
        "{ domain: \"[n] -> { S[i, j] : 0 <= j < i < n }\", child: { context: \"[n] -> { [] : n > 3 }\", child: { schedule: \"[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]\" } } }",
        "changes which instances run",
    );
}

// A guard that the instances below it imply changes nothing; any other one loses instances, wherever it stands.
#[test]
fn nodes_that_change_which_instances_run() {
    #[track_caller]
    fn refused(tree: &ScheduleTree, program: &Program, expect: &str) {
        let error = program.dependences.check(tree).unwrap_err().to_string();
        assert!(error.contains(&format!("the {expect} changes which instances run")), "{error}");
        assert_eq!(program.dependences.loops(tree).unwrap_err().to_string(), error);
        assert_eq!(program.dependences.permutable(tree).unwrap_err().to_string(), error);
    }
    let guarded = |guard: &str, first: &str, second: &str| {
        tree(&format!(
            "{{ domain: \"[n] -> {{ S[i, j] : 0 <= j < i < n }}\", child: {{ schedule: \"[{{ S[i, j] -> [({first})] }}]\", \
             child: {{ guard: \"{guard}\", child: {{ schedule: \"[{{ S[i, j] -> [({second})] }}]\" }} }} }} }}"
        ))
    };
    let p = triangular();
    legal_tree(&p, &guarded("[n] -> { [] : n > 1 }", "i", "j"));
    legal_tree(&p, &guarded("[n] -> { [x] : 0 < x < n }", "i", "j"));
    legal_tree(&p, &guarded("[n] -> { [x] : -n < x < 0 or x > 0 }", "i", "j"));
    illegal_tree(&p, &guarded("[n] -> { [x] : -n < x < 0 }", "-i", "j"), "RAW");
    illegal_tree(&p, &guarded("[n] -> { [x] : 0 < x < n }", "i", "-j"), "RAW");
    for guard in [
        "[n] -> { [] : n > 2 }",
        "[n] -> { [x] : 1 < x < n }",
        "[n] -> { [x] : x mod 2 = 0 }",
        "{ [x, y] : }",
        "{ T[x] : }",
        "{ [x] : 1 = 0 }",
    ] {
        refused(&guarded(guard, "i", "j"), &p, "guard at [0, 0]");
    }
    // no pair of instances comes down to these
    let alone = program("{ }", "{ S[i, j] -> A[i, j] }", "{ domain: \"[n] -> { S[i, j] : 0 <= j < i < n }\" }", &[2]);
    refused(&guarded("[n] -> { [] : n > 2 }", "i", "j"), &alone, "guard at [0, 0]");
    legal_tree(&alone, &guarded("[n] -> { [] : n > 1 }", "i", "j"));
    let below = |node: &str| {
        tree(&format!(
            "{{ domain: \"[n] -> {{ S[i, j] : 0 <= j < i < n }}\", child: {{ \
             schedule: \"[{{ S[i, j] -> [(i)] }}, {{ S[i, j] -> [(j)] }}]\", child: {{ {node} }} }} }}"
        ))
    };
    for p in [&p, &alone] {
        refused(&below("guard: \"[n] -> { [] : n > 5 }\""), p, "guard at [0, 0]");
        refused(&below("extension: \"{ [x, y] -> S[x, y + 1] }\""), p, "extension at [0, 0]");
        let same = "contraction: \"{ S[i, j] -> S[i, j] }\", expansion: \"{ S[i, j] -> S[i, j] }\"";
        refused(&below(same), p, "expansion at [0, 0]");
    }
}

#[test]
fn budgets() {
    let p = jacobi();
    let fused = moved(&p.original, &[(&[0, 0], "FULL_FUSE")]);
    let spent = p.dependences.check_within(&fused, &loopwright_presburger::Budget::steps(10)).unwrap_err();
    assert!(matches!(spent, Error::Budget(_) | Error::Tree(_)), "{spent}");
    assert!(spent.to_string().contains("budget"), "{spent}");
}
