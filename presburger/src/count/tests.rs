//! The two engines, elimination and cones, against each other, beyond what brute force reaches.

use super::cell::Engine;
use crate::{Budget, Int, PwQPolynomial, Set};

#[track_caller]
fn by(set: &Set, engine: Engine) -> PwQPolynomial {
    set.card_by(engine, &Budget::UNLIMITED).unwrap()
}

/// Both engines give the same values for `n` (and `m`) in a range.
#[track_caller]
fn agree(text: &str, range: std::ops::Range<i64>, step: usize) {
    let set: Set = text.parse().unwrap();
    let (a, b) = (by(&set, Engine::Elimination), by(&set, Engine::Cones));
    let names = set.space().param_ids().len();
    let values: Vec<i64> = range.step_by(step).collect();
    let points: Vec<Vec<Int>> = (0..names).fold(vec![vec![]], |all, _| {
        all.iter().flat_map(|p| values.iter().map(move |&v| p.iter().cloned().chain([Int::from(v)]).collect())).collect()
    });
    for p in points {
        assert_eq!(a.eval(&p, &[]), b.eval(&p, &[]), "{text} at {p:?}:\n{a}\n{b}");
    }
}

#[test]
fn engines_agree() {
    agree("[n] -> { [x, y] : x, y >= 0 and 3x + 5y <= n }", -3..60, 1);
    agree("[n] -> { [x, y] : x, y >= 0 and 2x + 3y <= n and 5x - 2y >= -7 }", -3..60, 1);
    agree("[n] -> { [x, y, z] : x, y, z >= 0 and 2x + 3y + 5z <= n }", -3..90, 1);
    agree("[n, m] -> { [x, y] : x >= 0 and 3y <= 2x + m and 2y >= x - n and x + y <= n }", -9..14, 1);
    agree("{ [x, y, z] : 0 <= x, y, z and 7x + 11y + 3z <= 100 and x + y <= 2z }", 0..1, 1);
    agree("[n] -> { [x, y] : n <= 2x + 3y <= n + 4 and 0 <= x - y <= 5 }", -20..20, 1);
    agree("[n, m] -> { [x, y] : 0 <= x <= n and 0 <= y <= m and 2x >= 3y - 1 }", -2..12, 1);
    agree("[n] -> { [x, y, z] : 0 <= x <= y <= z and x + y + z = n }", -2..40, 1);
}

#[test]
fn large_coefficients() {
    // No brute force: the triangle (0, 0), (n/1001, 0), (0, n/999) has about n^2 / (2 * 1001 * 999) points.
    let set: Set = "[n] -> { [x, y] : x, y >= 0 and 1001x + 999y <= n }".parse().unwrap();
    let card = set.card();
    let at = |n: i64| (0..=n / 1001).map(|x| (n - 1001 * x) / 999 + 1).sum::<i64>();
    for n in [0, 998, 999, 1001, 5000, 123_456, 9_999_999] {
        assert_eq!(card.eval(&[Int::from(n)], &[]), at(n).into(), "n = {n}");
    }
    // One number: the points of a tetrahedron with edges of 10^6.
    let set: Set = "{ [x, y, z] : x, y, z >= 0 and x + y + z <= 1000000 }".parse().unwrap();
    assert_eq!(set.card().to_string(), "{ 166667666668500001 }");
}
