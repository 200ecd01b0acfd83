//! Which bands are permutable: those whose members can be interchanged, as the legality of the interchanged tree says.

mod common;

use common::{Program, path, program};
use loopwright_schedule_tree::ScheduleTree;

// `for i, j in 1..n: A[i][j] = A[read]`, as one band of two members in this order.
fn nest(read: &str, members: [&str; 2]) -> (Program, ScheduleTree) {
    let tree = |a: &str, b: &str| {
        format!(
            "domain: \"[n] -> {{ S[i, j] : 1 <= i, j < n }}\"\nchild:\n  schedule: \"[{{ S[i, j] -> [({a})] }}, {{ S[i, j] -> [({b})] }}]\"\n"
        )
    };
    let [a, b] = members;
    let reads = format!("[n] -> {{ S[i, j] -> A[{read}] : 1 <= i, j < n }}");
    let program = program(&reads, "[n] -> { S[i, j] -> A[i, j] : 1 <= i, j < n }", &tree(a, b), &[0, 1, 3, 4]);
    (program, common::tree(&tree(b, a)))
}

#[track_caller]
fn check(read: &str, members: [&str; 2], expect: bool) {
    let (program, interchanged) = nest(read, members);
    let found = program.dependences.permutable(&program.original).unwrap().contains(&path(&[0]));
    assert_eq!(found, expect, "A[{read}] by {members:?}");
    assert_eq!(common::judge(&program, &interchanged).is_legal(), expect, "A[{read}] by {members:?}");
}

#[test]
fn of_two_members() {
    check("i - 1, j - 1", ["i", "j"], true);
    check("i - 1, j + 1", ["i", "j"], false);
    check("i - 1, j + 1", ["i", "i + j"], true);
    check("i - 1, j + 1", ["i", "-j"], true);
    check("i - 1, j", ["i", "j"], true);
    check("i, j - 1", ["i", "j"], true);
    check("i + 1, j", ["i", "j"], true);
    check("i + 1, j - 1", ["i", "j"], false);
    check("j, i", ["i", "j"], false);
    check("i, n - j", ["i", "j"], true);
    check("n - i, n - j", ["i", "j"], false);
}

#[test]
fn below_outer_members() {
    // The dependence on the inner band is carried outside of it.
    let carried = program(
        "[n] -> { S[t, i, j] -> A[t - 1, i - 1, j + 1] : 1 <= t, i, j < n }",
        "[n] -> { S[t, i, j] -> A[t, i, j] : 1 <= t, i, j < n }",
        "domain: \"[n] -> { S[t, i, j] : 1 <= t, i, j < n }\"\nchild:\n  schedule: \"[{ S[t, i, j] -> [(t)] }]\"\n  child:\n    \
         schedule: \"[{ S[t, i, j] -> [(i)] }, { S[t, i, j] -> [(j)] }]\"\n",
        &[3],
    );
    let permutable = carried.dependences.permutable(&carried.original).unwrap();
    assert_eq!(permutable.into_iter().collect::<Vec<_>>(), [path(&[0]), path(&[0, 0])]);
}
