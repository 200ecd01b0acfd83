//! Two engines and brute force on one corpus: the Omega test and simplex with integer sampling share only `System`, so that a fault in
//! one shows as a difference from the other.

use loopwright_presburger::linalg::Row;
use loopwright_presburger::solve::{omega, sample};
use loopwright_presburger::{Budget, Columns, Int, System};
use proptest::prelude::*;

/// A system over `n` range columns from rows `[constant, coefficients..]`.
fn system(n: usize, eqs: &[Vec<i64>], ineqs: &[Vec<i64>]) -> System {
    let mut system = System::universe(Columns { range: n, ..Columns::default() });
    eqs.iter().for_each(|r| system.push_eq(Row::from_slice(r)));
    ineqs.iter().for_each(|r| system.push_ineq(Row::from_slice(r)));
    system
}

/// The same system with `-reach <= x <= reach` for every column.
fn boxed(system: &System, n: usize, reach: i64) -> System {
    let mut out = system.clone();
    for column in 1..=n {
        for sign in [1, -1] {
            let mut row = vec![0; n + 1];
            (row[0], row[column]) = (reach, sign);
            out.push_ineq(Row::from_slice(&row));
        }
    }
    out
}

/// Whether no point with coordinates in `-reach ..= reach` satisfies the system.
fn is_empty_by_force(system: &System, n: usize, reach: i64) -> bool {
    let side = 2 * reach + 1;
    let coordinate = |index: i64, place: usize| Int::from(index / side.pow(place as u32) % side - reach);
    let point = |index| std::iter::once(Int::ONE).chain((0..n).map(|place| coordinate(index, place))).collect::<Vec<Int>>();
    (0..side.pow(n as u32)).all(|index| !system.contains(&point(index)))
}

/// The answer on which both engines agree.
#[track_caller]
fn is_empty(system: &System) -> bool {
    let budget = Budget::steps(20_000_000);
    let omega = omega::is_empty(system, &budget).expect("the Omega test decides");
    let point = sample::sample(system, &budget).expect("sampling decides");
    assert_eq!(omega, point.is_none(), "the engines differ on {system:?}");
    if let Some(point) = point {
        assert!(system.contains(&point), "the sample {point:?} is outside of {system:?}");
    }
    omega
}

#[track_caller]
fn check(n: usize, eqs: &[&[i64]], ineqs: &[&[i64]], empty: bool) {
    let rows = |rows: &[&[i64]]| rows.iter().map(|r| r.to_vec()).collect::<Vec<_>>();
    assert_eq!(is_empty(&system(n, &rows(eqs), &rows(ineqs))), empty);
}

#[test]
fn only_the_dark_shadow_has_points() {
    // 27 <= 11x + 13y <= 45 and -10 <= 7x - 9y <= 4: Pugh's example, without integer points
    check(2, &[], &[&[-27, 11, 13], &[45, -11, -13], &[10, 7, -9], &[4, -7, 9]], true);
    check(2, &[], &[&[-24, 11, 13], &[45, -11, -13], &[10, 7, -9], &[4, -7, 9]], false);
    // 2y <= 3x <= 2y + 1 and x, y in boxes
    check(2, &[], &[&[0, 3, -2], &[1, -3, 2], &[-1, 1, 0], &[1, -1, 0]], false);
    check(2, &[], &[&[-1, 4, -6], &[1, -4, 6]], true);
}

#[test]
fn only_splinters_have_points() {
    // 5y <= 3x <= 5y + 1 within 6 <= x <= 7: (7, 4) alone, below the dark shadow
    check(2, &[], &[&[0, 3, -5], &[1, -3, 5], &[-6, 1, 0], &[7, -1, 0]], false);
    check(2, &[], &[&[0, 3, -5], &[1, -3, 5], &[-8, 1, 0], &[9, -1, 0]], true);
    // the same with a third variable that must hit a multiple of 7
    check(3, &[], &[&[0, 3, -5, 0], &[1, -3, 5, 0], &[-6, 1, 0, 0], &[7, -1, 0, 0], &[0, 1, 0, -7], &[0, -1, 0, 7]], false);
    check(3, &[], &[&[0, 3, -5, 0], &[1, -3, 5, 0], &[-6, 1, 0, 0], &[6, -1, 0, 0], &[0, 1, 0, -7], &[0, -1, 0, 7]], true);
}

#[test]
fn equalities_have_solutions_in_the_integers() {
    check(2, &[&[-1, 6, 10]], &[], true);
    check(2, &[&[-2, 6, 10]], &[], false);
    check(3, &[&[-1, 6, 10, 15]], &[], false);
    check(3, &[&[-1, 6, 10, 15], &[0, 2, 0, -1]], &[], true);
    check(3, &[&[17, 7, -12, 31], &[-7, 12, 31, -5]], &[], false);
    check(2, &[&[-17, 5, -3]], &[&[0, 1, 0], &[3, -1, 0], &[0, 0, 1]], true);
    check(2, &[&[-17, 5, -3]], &[&[0, 1, 0], &[4, -1, 0], &[0, 0, 1]], false);
}

#[test]
fn unbounded_directions_do_not_hide_points() {
    check(3, &[], &[&[-4, 6, -9, 12], &[5, -6, 9, -12]], true);
    check(3, &[], &[&[-3, 6, -9, 12], &[5, -6, 9, -12]], false);
    check(3, &[], &[&[-1, 3, 3, 0], &[2, -3, 0, 0], &[2, 0, -3, 0]], true);
    check(2, &[], &[&[-1, 1000, -999], &[1, -1000, 999], &[-2, 1, 0]], false);
    check(2, &[], &[&[-1, 1000, -999], &[1, -1000, 999], &[-2, 1, 0], &[999, -1, 0]], true);
}

/// Rows with constants up to `constant` and coefficients up to `coefficient`, mostly small.
fn rows(n: usize, count: std::ops::Range<usize>, constant: i64, coefficient: i64) -> impl Strategy<Value = Vec<Vec<i64>>> {
    let entry = prop_oneof![2 => -3..=3i64, 3 => -coefficient..=coefficient, 1 => Just(0)];
    let row = (-constant..=constant, proptest::collection::vec(entry, n)).prop_map(|(c, a)| [vec![c], a].concat());
    proptest::collection::vec(row, count)
}

/// Two-sided rows `0 <= c + a . x <= width`: thin sets, where real and dark shadow differ.
fn strips(n: usize, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<i64>>> {
    let strip = (-9..=9i64, proptest::collection::vec(-13..=13i64, n), 0..=8i64).prop_map(|(c, a, width)| {
        let back: Vec<i64> = std::iter::once(width - c).chain(a.iter().map(|x| -x)).collect();
        [[vec![c], a].concat(), back]
    });
    proptest::collection::vec(strip, count).prop_map(|s| s.concat())
}

/// The same question about `y = big x + shift`: rows over `y`, and an equation for each `x`.
fn lifted(n: usize, eqs: &[Vec<i64>], ineqs: &[Vec<i64>], big: &Int, shift: &Int) -> System {
    let mut system = System::universe(Columns { range: 2 * n, ..Columns::default() });
    // a . y + big c - a . shift = big (a . x + c)
    let over_y = |row: &Vec<i64>| {
        let sum = Int::from(row[1..].iter().sum::<i64>());
        let mut out = Row::zero(2 * n + 1);
        out.set(0, &(&Int::from(row[0]) * big) - &(&sum * shift));
        row[1..].iter().enumerate().for_each(|(k, &a)| out.set(n + 1 + k, Int::from(a)));
        out
    };
    eqs.iter().for_each(|row| system.push_eq(over_y(row)));
    for row in ineqs {
        // a . x + c > -1 is all that the rows say
        let mut row = over_y(row);
        row.add_at(0, &(big - &Int::ONE));
        system.push_ineq(row);
    }
    for k in 0..n {
        let mut row = Row::zero(2 * n + 1);
        row.set(0, shift.clone());
        row.set(1 + k, big.clone());
        row.set(n + 1 + k, Int::MINUS_ONE);
        system.push_eq(row);
    }
    system
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    // 2^20 stays within i64, 2^70 asks for i128 and big integers
    #[test]
    fn large_numbers_change_no_answer(eqs in rows(2, 0..2, 12, 9), ineqs in rows(2, 0..4, 12, 9), power in prop_oneof![Just(20u32), Just(70)]) {
        let small = boxed(&system(2, &eqs, &ineqs), 2, 4);
        let bounds: Vec<Vec<i64>> = (1..=2).flat_map(|k| [1, -1].map(|sign| [4, if k == 1 { sign } else { 0 }, if k == 2 { sign } else { 0 }].to_vec())).collect();
        let big = (0..power).fold(Int::ONE, |n, _| &n + &n);
        let large = lifted(2, &eqs, &[ineqs, bounds].concat(), &(&big + &Int::from(7)), &(&big - &Int::from(3)));
        prop_assert_eq!(is_empty(&small), is_empty(&large));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn in_a_box_both_agree_with_brute_force(
        eqs in rows(3, 0..2, 12, 9), ineqs in rows(3, 0..5, 12, 9), thin in strips(3, 0..3)
    ) {
        let all = boxed(&system(3, &eqs, &[ineqs, thin].concat()), 3, 4);
        prop_assert_eq!(is_empty(&all), is_empty_by_force(&all, 3, 4));
    }

    #[test]
    fn without_a_box_both_agree(eqs in rows(3, 0..3, 20, 12), ineqs in rows(3, 0..5, 20, 7), thin in strips(3, 0..3)) {
        let all = system(3, &eqs, &[ineqs, thin].concat());
        if is_empty(&all) {
            prop_assert!(is_empty_by_force(&all, 3, 6));
        }
    }

    #[test]
    fn thin_planes_agree_with_brute_force(thin in strips(2, 1..4), ineqs in rows(2, 0..3, 15, 9)) {
        let all = boxed(&system(2, &[], &[ineqs, thin].concat()), 2, 15);
        prop_assert_eq!(is_empty(&all), is_empty_by_force(&all, 2, 15));
    }
}
