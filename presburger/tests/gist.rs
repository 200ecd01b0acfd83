//! Gists by example: set, context, and the form in which the set is expected inside it.

use loopwright_presburger::{Kind, Map, Relation, Set};
use std::str::FromStr;

#[track_caller]
fn check<K: Kind>(set: &str, context: &str, expected: &str)
where
    Relation<K>: FromStr<Err: std::fmt::Debug>,
{
    let [set, context, expected]: [Relation<K>; 3] = [set, context, expected].map(|t| t.parse().unwrap());
    let gist = set.gist(&context);
    assert!(gist.intersect(&context).is_equal(&set.intersect(&context)), "{gist:?} differs in the context");
    assert!(gist.is_equal(&expected), "{gist:?} is not {expected:?}");
}

#[track_caller]
fn set(set: &str, context: &str, expected: &str) {
    check::<loopwright_presburger::OfSet>(set, context, expected);
}

#[track_caller]
fn map(map: &str, context: &str, expected: &str) {
    check::<loopwright_presburger::OfMap>(map, context, expected);
}

#[test]
fn constraints_of_the_context_go() {
    set("{ [x] : 0 <= x <= 9 }", "{ [x] : x >= 0 }", "{ [x] : x <= 9 }");
    set("{ [x] : 0 <= x <= 9 }", "{ [x] : 3 <= x <= 4 }", "{ [x] }");
    set("{ [x] : 0 <= x <= 9 }", "{ [x] : x >= 10 }", "{ [x] : false }");
    set("{ [x] : 0 <= x <= 9 }", "{ [x] : false }", "{ [x] }");
    set("{ [x, y] : x < 0 or y < 0 }", "{ [x, y] : x >= 0 }", "{ [x, y] : y < 0 }");
    set("[n] -> { [x] : x = n and x mod 32 = 0 }", "[n] -> { [x] : x mod 32 = 0 }", "[n] -> { [x] : x = n }");
    set("{ [x] : 0 <= x <= 9 }", "{ [x] : exists a, b : x = 6a + 10b and 0 <= a <= 5 and b >= 0 }", "{ [x] : x <= 9 }");
}

#[test]
fn moduli_lose_what_the_context_supplies() {
    set("{ [x] : x mod 6 = 0 }", "{ [x] : x mod 3 = 0 }", "{ [x] : x mod 2 = 0 }");
    set("{ [x] : x mod 12 = 1 }", "{ [x] : x mod 8 = 5 }", "{ [x] : x mod 3 = 1 }");
    set("{ [x] : x mod 12 = 1 }", "{ [x] : x mod 8 = 4 }", "{ [x] : false }");
    set("{ [x] : x mod 3 = 1 }", "{ [x] : x mod 12 = 1 }", "{ [x] }");
    set("{ [x] : x mod 3200 = 0 }", "{ [x] : x mod 10 = 0 }", "{ [x] : x mod 3200 = 0 }");
    set("{ [x, y] : (x + y) mod 6 = 0 }", "{ [x, y] : x mod 2 = 0 and y mod 2 = 0 }", "{ [x, y] : (x + y) mod 3 = 0 }");
    set(
        "{ [a, b, c] : a mod 6 = 0 and a = c }",
        "{ [a, b, c] : b mod 2 = 0 and b = c }",
        "{ [a, b, c] : a mod 3 = 0 and a = c }",
    );
    set("{ [a, b, c] : a mod 2 = 0 and a = c }", "{ [a, b, c] : b mod 2 = 0 and b = c }", "{ [a, b, c] : a = c }");
    set("{ [x] : x mod 6 = 0 }", "{ [x] : x mod 4 = 0 or x mod 10 = 0 }", "{ [x] : x mod 3 = 0 }");
    set("{ [x] : x mod 6 = 0 }", "{ [x] : x mod 4 = 0 or x mod 9 = 0 }", "{ [x] : x mod 6 = 0 }");
}

#[test]
fn tight_constraints_become_equalities() {
    set("{ [x, y] : x + y <= 5 }", "{ [x, y] : x >= 2 and y >= 3 and x <= 7 }", "{ [x, y] : x + y = 5 }");
    set("{ [x] : x <= 5 }", "{ [x] : 5 <= x <= 7 }", "{ [x] : x = 5 }");
    set("{ [x, y] : y >= x }", "{ [x, y] : y <= x }", "{ [x, y] : y = x }");
    // What the context says as well is left to it.
    map("{ [x] -> [x] : 0 <= x <= 5 }", "{ [x] -> [floor(x/2)] : 0 <= x <= 9 }", "{ [x] -> [x] }");
}

#[test]
fn equalities_of_the_context_are_substituted() {
    map(
        "[N] -> { [x, y] -> [z, w] : x <= z < N and w = y - z }",
        "{ [x, y] -> [a, b] : 2a = x + y and b = x - y }",
        "[N] -> { [x, x] -> [z, w] : x < N }",
    );
    map(
        "{ [x, y] -> [a, b] : 2a = x + y and b = x - y }",
        "[N] -> { [x, y] -> [z, w] : x <= z < N and w = y - z }",
        "[N] -> { [x, x] -> [x, b] }",
    );
    map("{ [x, y] -> [y, x] }", "{ [x, y] -> [a, b] : a = x and y <= b <= y + 1 }", "{ [x, x] -> [a, x] }");
    // A variable of the context alone never enters.
    set("{ [y, b] : y <= b <= y + 1 }", "[N] -> { [y, b] : y + b = N }", "{ [y, b] : y <= b <= y + 1 }");
    map(
        "{ [x, y] -> [a, b] : a = x and y <= b <= y + 1 and 0 <= x, y <= 5 }",
        "[N] -> { [x, y] -> [2x, N - y] : 0 <= x, y < N }",
        "[N] -> { [0, y] -> [a, b] : y <= 5 and y <= b <= 1 + y }",
    );
}

#[test]
fn types_other_than_sets() {
    let [a, b]: [Map; 2] = ["{ A[i] -> B[i] : i >= 3 }", "{ A[i] -> B[j] : i = j }"].map(|t| t.parse().unwrap());
    assert!(a.gist(&b).is_equal(&"{ A[i] -> B[j] : i >= 3 }".parse().unwrap()));
    let params: Set = "[n] -> { [i] : 0 <= i < n and n >= 5 }".parse().unwrap();
    let gist = params.gist_params(&"[n] -> { : n >= 5 }".parse().unwrap());
    assert!(gist.is_equal(&"[n] -> { [i] : 0 <= i < n }".parse().unwrap()));
}
