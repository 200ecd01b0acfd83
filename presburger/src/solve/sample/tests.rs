//! Emptiness, samples and optima against brute force, and hard cases.

use super::{IntOptimum, is_empty, minimize_integer, sample};
use crate::linalg::Row;
use crate::solve::testing::{brute_force, system};
use crate::{Budget, Int, System};
use proptest::prelude::*;

#[track_caller]
fn check_empty(system: &System, expected: bool) {
    let budget = Budget::steps(50_000_000);
    assert_eq!(is_empty(system, &budget), Ok(expected));
}

#[test]
fn parity() {
    check_empty(&system(2, &[&[-1, 2, -2]], &[]), true);
    check_empty(&system(2, &[], &[&[-1, 2, -2], &[1, -2, 2]]), true);
    check_empty(&system(2, &[&[-1, 15, 28]], &[&[1 << 60, 1, 0], &[1 << 60, -1, 0]]), false);
    check_empty(&system(2, &[&[-1, 15, 28]], &[&[-1 << 60, 1, 0], &[-1 << 60, 0, 1]]), true);
}

#[test]
fn thin_sets() {
    // 10x - 15y between and on multiples of 5
    check_empty(&system(2, &[], &[&[-5, 10, -15], &[9, -10, 15]]), false);
    check_empty(&system(2, &[], &[&[-6, 10, -15], &[9, -10, 15]]), true);
    // 1000x - 999y = 1 as two inequalities: the points are (1, 1), (1000, 1001), ..
    check_empty(&system(2, &[], &[&[-2, 1, 0], &[1000, -1, 0], &[-1, 1000, -999], &[1, -1000, 999]]), false);
    check_empty(&system(2, &[], &[&[-2, 1, 0], &[999, -1, 0], &[-1, 1000, -999], &[1, -1000, 999]]), true);
    // wide but between two lattice lines
    check_empty(&system(2, &[], &[&[-1, 4, -4], &[3, -4, 4], &[1_000_000, -1, 0], &[1_000_000, 1, 0]]), true);
}

#[test]
fn a_thin_chain() {
    let mut s = system(5, &[], &[&[-1, 1, 0, 0, 0, 0], &[101, -1, 0, 0, 0, 0]]);
    for i in 1..5i64 {
        let mut low = [0; 6];
        let mut high = [0; 6];
        let (a, b) = (i as usize, i as usize + 1);
        (low[0], low[a], low[b]) = (i - 1, 101, -100);
        (high[0], high[a], high[b]) = (i - 1, -101, 102);
        s.push_ineq(Row::from_slice(&low));
        s.push_ineq(Row::from_slice(&high));
    }
    check_empty(&s, false);
    let mut x4 = Row::zero(6);
    x4.set(5, Int::ONE);
    assert_eq!(minimize_integer(&s, &x4, &Budget::UNLIMITED), Ok(IntOptimum::At(Int::ONE)));
}

#[test]
fn thirty_digits() {
    let big: Int = "123456789012345678901234567890".parse().unwrap();
    let mut s = system(2, &[], &[]);
    // big x - (big + 1) y = 1
    let row = Row::from_ints(vec![Int::MINUS_ONE, big.clone(), -(&big + Int::ONE)]);
    s.push_eq(row);
    check_empty(&s, false);
    let mut x = Row::zero(3);
    x.set(1, Int::ONE);
    s.push_ineq(x.clone());
    // x = -1 mod (big + 1), x >= 0
    assert_eq!(minimize_integer(&s, &x, &Budget::UNLIMITED), Ok(IntOptimum::At(big)));
}

#[test]
fn unbounded_without_points() {
    // 3 <= 6x - 9y + 12z <= 5 has no multiple of 3 but 3: exclude it
    check_empty(&system(3, &[], &[&[-4, 6, -9, 12], &[5, -6, 9, -12]]), true);
    check_empty(&system(3, &[], &[&[-3, 6, -9, 12], &[5, -6, 9, -12]]), false);
    // a lattice-free triangle times a line
    check_empty(&system(3, &[], &[&[-1, 3, 3, 0], &[2, -3, 0, 0], &[2, 0, -3, 0]]), true);
    check_empty(&system(3, &[], &[&[-1, 3, 3, 3], &[2, -3, 0, -5], &[2, 0, -3, 7]]), false);
}

#[test]
fn optima() {
    let s = system(1, &[], &[&[-7, 2]]);
    assert_eq!(minimize_integer(&s, &Row::from_slice(&[0, 1]), &Budget::UNLIMITED), Ok(IntOptimum::At(Int::from(4))));
    assert_eq!(minimize_integer(&s, &Row::from_slice(&[0, -1]), &Budget::UNLIMITED), Ok(IntOptimum::Unbounded));
}

#[test]
fn a_spent_budget_is_an_error() {
    let s = system(2, &[], &[&[-1, 4, -4], &[3, -4, 4], &[100, -1, 0], &[100, 1, 0]]);
    assert!(is_empty(&s, &Budget::steps(3)).is_err());
}

fn rows(n: usize, max: usize) -> impl Strategy<Value = Vec<Vec<i64>>> {
    let row = (-12i64..13, proptest::collection::vec(-7i64..8, n)).prop_map(|(c, mut a)| {
        a.insert(0, c);
        a
    });
    proptest::collection::vec(row, 0..max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]
    #[test]
    fn boxes_agree_with_brute_force(eqs in rows(3, 2), ineqs in rows(3, 5)) {
        let mut s = system(3, &[], &[]);
        eqs.iter().for_each(|r| s.push_eq(Row::from_slice(r)));
        ineqs.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
        for i in 1..4 {
            for sign in [1, -1] {
                let mut row = [4, 0, 0, 0];
                row[i] = sign;
                s.push_ineq(Row::from_slice(&row));
            }
        }
        let points = brute_force(&s, 4);
        let found = sample(&s, &Budget::UNLIMITED).unwrap();
        prop_assert_eq!(found.is_none(), points.is_empty());
        if let Some(p) = found {
            prop_assert!(s.contains(&p));
        }
        let objective = Row::from_slice(&[0, 3, -2, 1]);
        let best = points.iter().map(|p| objective.dot(p)).min();
        let answer = minimize_integer(&s, &objective, &Budget::UNLIMITED).unwrap();
        prop_assert_eq!(answer, best.map_or(IntOptimum::Empty, IntOptimum::At));
    }

    #[test]
    fn unbounded_sets_have_all_brute_force_points(eqs in rows(3, 2), ineqs in rows(3, 5)) {
        let mut s = system(3, &[], &[]);
        eqs.iter().for_each(|r| s.push_eq(Row::from_slice(r)));
        ineqs.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
        match sample(&s, &Budget::UNLIMITED).unwrap() {
            Some(p) => prop_assert!(s.contains(&p)),
            None => prop_assert!(brute_force(&s, 8).is_empty()),
        }
    }
}
