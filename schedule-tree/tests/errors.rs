//! Bad trees: texts that cannot be read, and trees that break an invariant, each with the place of the error.

use loopwright_schedule_tree::ScheduleTree;
use loopwright_schedule_tree::tree::MAX_DEPTH;

#[track_caller]
fn text(text: &str, expect: &str) {
    let error = text.parse::<ScheduleTree>().expect_err("must not be read").to_string();
    assert!(error.starts_with(expect), "expected {expect}\nfound    {error}");
}

#[test]
fn texts_that_are_no_trees() {
    text("", "line 1, column 1: the text is empty");
    text("domain: [", "line ");
    text("domain: \"{ S[i] }\"\nchild:\n  shedule: \"x\"", "line 3, column 3: a node needs one of the keys domain, context,");
    text("domain: \"{ S[i] }\"\ndomain: \"{ S[i] }\"", "line 2, column 1: `domain` for the second time in one node");
    text("domain: \"{ S[i] }\"\nfilter: \"{ S[i] }\"", "line 2, column 1: `filter` in a node that is a `domain` already");
    text(
        "domain: \"{ S[i] }\"\npermutable: 1",
        "line 2, column 1: `permutable` has no meaning beside `domain`, which goes with child",
    );
    text("filter: \"{ S[i] }\"", "line 1, column 1: a tree starts with a domain or an extension, not with a filter");
    text("domain: { a: b }", "line 1, column ");
    text("- domain: \"{ S[i] }\"", "line 1, column 1: a node is expected (a mapping such as `filter: \"{ S[i] }\"`), not a list");
    text("domain: \"{ S[i }\"", "line 1, column 16: ");
    text("domain: \"{ S[i] }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }\"", "line 3, column ");
    text(
        "domain: \"{ S[i] }\"\nchild:\n  sequence: \"{ S[i] }\"",
        "line 3, column 13: the children of a sequence are a list, not a string",
    );
    text("domain: \"{ S[i] }\"\nchild:\n  sequence: []", "line 3, column 13: a sequence without children");
    text("domain: \"{ S[i] }\"\nchild:\n  set:\n  - mark: x", "line 4, column 5: each child of a set is a filter, not a mark");
    text(
        "domain: \"{ S[i] }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n  permutable: 2",
        "line 4, column 15: 0 or 1 is expected, not `2`",
    );
    text(
        "domain: \"{ S[i] }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n  coincident: [ 1, 0 ]",
        "line 4, column 15: 2 flags for the 1 members of the band",
    );
    text(
        "domain: \"{ S[i] }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n  options: \"{ unroll[x]; atomic[0] }\"",
        "line 4, column 12: member 0 is to be both atomic and unroll",
    );
    text("domain: \"{ S[i] }\"\nchild:\n  expansion: \"{ S[i] -> T[i] }\"", "line 3, column 3: the key `contraction` is missing");
    text("domain: \"{ S[i] }\"\nchild: *x", "line 2, column ");
}

#[test]
fn deep_texts_are_refused() {
    let deep = |n: usize| {
        let mut text = "domain: \"{ S[i] }\"\n".to_string();
        for i in 0..n {
            text += &format!("{:i$}child:\n{:w$}mark: m\n", "", "", i = 2 * i, w = 2 * i + 2);
        }
        text
    };
    assert!(deep(MAX_DEPTH - 2).parse::<ScheduleTree>().is_ok());
    text(&deep(MAX_DEPTH), &format!("the tree is nested more than {MAX_DEPTH} nodes deep"));
    text(&deep(40 * MAX_DEPTH), "line ");
    text(&"{ child: ".repeat(100_000), "line 1, column ");
    text(&"[".repeat(100_000), "line 1, column ");
}

#[track_caller]
fn broken(text: &str, expect: &str) {
    let tree: ScheduleTree = text.parse().unwrap();
    assert_eq!(tree.verify().expect_err("must not verify").to_string(), expect);
}

const D: &str = "domain: \"[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }\"\nchild:\n";

#[test]
fn broken_trees() {
    broken(&format!("{D}  domain: \"{{ S[i] }}\""), "the domain at [0] stands below the root");
    broken(
        &format!("{D}  sequence:\n  - filter: \"{{ S[i] }}\"\n  - filter: \"{{ T[i]; S[i] : i < 3 }}\""),
        "the sequence at [0] runs instances of S[i] twice: children 0 and 1 share some",
    );
    broken(
        &format!("{D}  sequence:\n  - filter: \"{{ S[i] }}\"\n  - filter: \"{{ T[i] : i > 0 }}\""),
        "the sequence at [0] leaves out instances of T[i] that reach it",
    );
    broken(&format!("{D}  set:\n  - filter: \"{{ S[i] }}\""), "the set at [0] leaves out instances of T[i] that reach it");
    broken(
        &format!("{D}  schedule: \"[{{ S[i] -> [(i)] }}]\""),
        "the band at [0] has no schedule everywhere: member 0 has no value for T[i]",
    );
    broken(
        &format!("{D}  schedule: \"[{{ S[i] -> [(i)] : i > 0; T[i] -> [(i)] }}]\""),
        "the band at [0] has no schedule everywhere: member 0 has no value for some instances of S[i]",
    );
    broken(
        &format!("{D}  schedule: \"[{{ S[i] -> [(i/2)]; T[i] -> [(i)] }}]\""),
        "the band at [0] has no schedule everywhere: member 0 has fractions as values for S[i]",
    );
}

#[test]
fn good_trees() {
    let good = [
        "domain: \"{ S[i] : i mod 2 = 0 }\"\nchild: { schedule: \"[{ S[i] -> [(i/2)] }]\" }".to_string(),
        format!("{D}  filter: \"{{ S[i] : i > 3 }}\"\n  child: {{ schedule: \"[{{ S[i] -> [(i)] : i > 3 }}]\" }}"),
        format!(
            "{D}  sequence:\n  - filter: \"{{ S[i] : i < 3 }}\"\n  - filter: \"{{ T[i] }}\"\n  - filter: \"{{ S[i] : i >= 3 }}\""
        ),
    ];
    for text in good {
        text.parse::<ScheduleTree>().unwrap().verify().unwrap();
    }
}

#[test]
fn parallel_marks_stand_over_bands() {
    broken(&format!("{D}  mark: parallel(2)"), "the mark at [0] says parallel, but below it stands a leaf, not a band");
}
