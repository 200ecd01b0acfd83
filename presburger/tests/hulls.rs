//! What coalescing and hulls find, case by case: the relation is the same (or contains it) and as small as stated.

use loopwright_presburger::Set;

#[track_caller]
fn coalesces(text: &str, pieces: usize) {
    let set: Set = text.parse().unwrap();
    let coalesced = set.coalesce();
    assert!(coalesced.is_equal(&set), "{coalesced} is not {set}");
    assert_eq!(coalesced.n_basic(), pieces, "{coalesced}");
}

#[track_caller]
fn hull(found: loopwright_presburger::BasicSet, expected: &str) {
    let (found, expected): (Set, Set) = (found.into(), expected.parse().unwrap());
    assert!(found.is_equal(&expected), "{found} is not {expected}");
}

#[track_caller]
fn affine_hull(text: &str, expected: &str) {
    hull(text.parse::<Set>().unwrap().affine_hull(), expected);
}

#[track_caller]
fn simple_hull(text: &str, expected: &str) {
    hull(text.parse::<Set>().unwrap().simple_hull(), expected);
}

#[test]
fn adjacent_and_overlapping_pieces_are_one() {
    coalesces("{ [i] : 0 <= i <= 3; [i] : 4 <= i <= 9 }", 1);
    coalesces("{ [i] : 0 <= i <= 3; [i] : 5 <= i <= 9 }", 2);
    coalesces("{ [i] : 0 <= i <= 6; [i] : 4 <= i <= 9 }", 1);
    coalesces("{ [i, j] : 0 <= i, j <= 9 and i <= 4; [i, j] : 5 <= i <= 9 and 0 <= j <= 9 }", 1);
    coalesces("{ [i, j] : 0 <= j <= i <= 9; [i, j] : 0 <= i < j <= 9 }", 1);
    coalesces("[N] -> { [i] : 0 <= i < N; [i] : i = N }", 2);
    coalesces("[N] -> { [i] : 0 <= i < N; [i] : i = N and N >= 0 }", 1);
    coalesces("{ [i] : i >= 0; [i] : i < 0 }", 1);
    coalesces("{ [i] : 0 <= i <= 9; [i] : 2 <= i <= 3; [i] : false }", 1);
}

#[test]
fn neighbouring_residue_classes_are_one() {
    coalesces("{ [i] : i mod 2 = 0; [i] : i mod 2 = 1 }", 1);
    coalesces(
        "{ [i] : (2 + i) mod 5 = 0; [i] : (1 + i) mod 5 = 0; [i] : i mod 5 = 0; [i] : (-1 + i) mod 5 = 0; [i] : (-2 + i) mod 5 = 0 }",
        1,
    );
    coalesces("{ [i] : i mod 4 = 1; [i] : i mod 4 = 2 }", 1);
    coalesces("{ [i] : i mod 4 = 0; [i] : i mod 4 = 2 }", 2);
    coalesces("{ [i, j] : (i + j) mod 3 = 1 and 0 <= i <= 9; [i, j] : (i + j) mod 3 = 2 and 0 <= i <= 9 }", 1);
}

#[test]
fn equations_of_unions() {
    affine_hull("{ [i, j] : i = j and 0 <= i <= 5; [i, j] : i = j and 9 <= i <= 12 }", "{ [i, j] : i = j }");
    affine_hull("{ [i, j] : i = j and 0 <= i <= 5; [i, j] : i = j + 2 and 0 <= i <= 5 }", "{ [i, j] }");
    affine_hull("{ [i, j] : i = 0 and j = 1; [i, j] : i = 2 and j = 5 }", "{ [i, j] : j = 2i + 1 }");
    affine_hull("{ [i, j, k] : i + j = 4 and k = 2; [i, j, k] : i = 1 and j = 3 and 0 <= k <= 9 }", "{ [i, j, k] : i + j = 4 }");
    affine_hull("[N] -> { [i] : i = N; [i] : i = N and N >= 3 }", "[N] -> { [i] : i = N }");
    affine_hull("{ [i, j] : 4i <= 4j + 1 and 4i >= 4j - 1; [i, j] : i = j }", "{ [i, j] : i = j }");
    affine_hull("{ [i, j] : i mod 4 = 0 and j = 1; [i, j] : i mod 4 = 0 and j = 2 }", "{ [i, j] : i mod 4 = 0 }");
    affine_hull("{ [i] : i > 3 and i < 3; [i] : i = 7 }", "{ [i] : i = 7 }");
    affine_hull("{ [i] : i > 3 and i < 3 }", "{ [i] : false }");
}

#[test]
fn simple_hulls() {
    simple_hull("{ [i] : 0 <= i <= 2; [i] : 7 <= i <= 9 }", "{ [i] : 0 <= i <= 9 }");
    simple_hull("{ [i, j] : i = j and 0 <= i <= 2; [i, j] : i = j and 7 <= i <= 9 }", "{ [i, j] : i = j and 0 <= i <= 9 }");
    simple_hull("{ [i, j] : i = 0 and j = 0; [i, j] : i = 1 and j = 2 }", "{ [i, j] : j = 2i and 0 <= i <= 1 }");
}
