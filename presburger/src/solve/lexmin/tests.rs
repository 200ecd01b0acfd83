//! Lexicographic optima against brute force, parameter by parameter.

use super::{Direction, LexError, Piece, lexmin, lexopt};
use crate::linalg::Row;
use crate::{Budget, Columns, Div, Int, System};
use proptest::prelude::*;

fn problem(params: usize, range: usize, divs: usize, eqs: &[&[i64]], ineqs: &[&[i64]]) -> System {
    let mut s = System::universe(Columns { params, range, divs, ..Columns::default() });
    eqs.iter().for_each(|r| s.push_eq(Row::from_slice(r)));
    ineqs.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
    s
}

/// All integer vectors of length `n` with coordinates in `-reach ..= reach`.
fn grid(n: usize, reach: i64) -> Vec<Vec<Int>> {
    let mut out = vec![Vec::new()];
    for _ in 0..n {
        out = out
            .iter()
            .flat_map(|p: &Vec<Int>| (-reach..=reach).map(move |v| p.iter().cloned().chain([Int::from(v)]).collect()))
            .collect();
    }
    out
}

/// The parameters completed by the values of the piece's divs, if the piece holds there.
fn point_in(piece: &Piece, params: &[Int]) -> Option<Vec<Int>> {
    let mut point: Vec<Int> = std::iter::once(Int::ONE).chain(params.iter().cloned()).collect();
    for div in piece.domain.divs() {
        let div = div.as_ref().expect("divs of a domain are known");
        let width = div.num.len();
        point.resize(width, Int::ZERO);
        let value = div.num.dot(&point).div_floor(&div.den);
        let at = piece.domain.columns().first_div() + point_divs(piece, div);
        point[at] = value;
    }
    point.resize(piece.domain.columns().len(), Int::ZERO);
    piece.domain.contains(&point).then_some(point)
}

fn point_divs(piece: &Piece, div: &Div) -> usize {
    piece.domain.divs().iter().position(|d| d.as_ref() == Some(div)).expect("a div of the piece")
}

/// Compares with brute force at all parameters within `reach`; unknowns must be bounded by the system within `wide`.
#[track_caller]
fn check(s: &System, direction: Direction, reach: i64, wide: i64) -> usize {
    let c = s.columns();
    let pieces = lexopt(s, None, direction, &Budget::steps(200_000_000)).expect("bounded problems have optima");
    let candidates = grid(c.range + c.divs, wide);
    for params in grid(c.params, reach) {
        let points = candidates.iter().filter(|x| {
            let point: Vec<Int> = std::iter::once(&Int::ONE).chain(&params).chain(x.iter()).cloned().collect();
            s.contains(&point)
        });
        let values = points.map(|x| &x[..c.range]);
        let best = if direction == Direction::Min { values.min() } else { values.max() };
        let found: Vec<(&Piece, Vec<Int>)> = pieces.iter().filter_map(|p| Some((p, point_in(p, &params)?))).collect();
        assert!(found.len() <= 1, "pieces overlap at {params:?}: {pieces:?}");
        let value: Option<Vec<Int>> = found.first().map(|(p, point)| p.values.iter().map(|r| r.dot(point)).collect());
        assert_eq!(value.as_deref(), best, "at {params:?} of {s:?}: {pieces:?}");
        if let Some((piece, point)) = found.first() {
            let full = point[..1 + c.params].iter().cloned();
            let Some(divs) = piece.divs.iter().map(|d| Some(d.as_ref()?.dot(point))).collect::<Option<Vec<Int>>>() else {
                continue;
            };
            let whole: Vec<Int> = full.chain(value.into_iter().flatten()).chain(divs).collect();
            assert!(s.contains(&whole), "div values at {params:?} of {s:?}: {pieces:?}");
        }
    }
    pieces.len()
}

#[test]
fn ceil_is_one_piece() {
    // x >= n/2
    let s = problem(1, 1, 0, &[], &[&[0, -1, 2], &[9, 0, -1]]);
    assert_eq!(check(&s, Direction::Min, 8, 10), 1);
    // x = floor(n/3) as the largest
    let s = problem(1, 1, 0, &[], &[&[0, 1, -3]]);
    assert_eq!(check(&s, Direction::Max, 8, 10), 1);
}

#[test]
fn maximum_of_two_bounds() {
    let s = problem(2, 1, 0, &[], &[&[0, -1, 0, 1], &[0, 0, -1, 1], &[9, 0, 0, -1]]);
    assert_eq!(check(&s, Direction::Min, 6, 10), 2);
}

#[test]
fn example_of_the_text() {
    let s = problem(1, 2, 0, &[], &[&[0, -1, 2, 3], &[0, 0, 1, 0], &[0, 0, 0, 1], &[1, 0, -1, 0]]);
    let mut bounded = s.clone();
    bounded.push_ineq(Row::from_slice(&[9, 0, 0, -1]));
    assert_eq!(check(&bounded, Direction::Min, 12, 9), 3);
    assert_eq!(lexmin(&s, None, &Budget::UNLIMITED).unwrap().len(), 2);
}

#[test]
fn strides_restrict_the_domain() {
    // n = 2x; then n = 2e with e existential and x = 5
    let s = problem(1, 1, 0, &[&[0, -1, 2]], &[]);
    assert_eq!(check(&s, Direction::Min, 8, 8), 1);
    let s = problem(1, 1, 1, &[&[0, -1, 0, 2], &[-5, 0, 1, 0]], &[]);
    assert_eq!(check(&s, Direction::Min, 8, 8), 1);
}

#[test]
fn known_divs_of_parameters_are_parameters() {
    // q = floor(n / 3), x >= q, x >= 2
    let mut s = problem(1, 1, 0, &[], &[]);
    s.push_div(Some(Div { num: Row::from_slice(&[0, 1, 0]), den: Int::from(3) }));
    s.push_ineq(Row::from_slice(&[0, 0, 1, -1]));
    s.push_ineq(Row::from_slice(&[-2, 0, 1, 0]));
    s.push_ineq(Row::from_slice(&[9, 0, -1, 0]));
    assert_eq!(check(&s, Direction::Min, 9, 9), 2);
}

#[test]
fn unbounded_is_said() {
    let s = problem(1, 1, 0, &[], &[&[0, 1, -1]]);
    assert_eq!(lexmin(&s, None, &Budget::UNLIMITED), Err(LexError::Unbounded));
    assert!(lexopt(&s, None, Direction::Max, &Budget::UNLIMITED).is_ok());
    // An existential may be unbounded.
    let s = problem(0, 1, 1, &[&[-5, 1, 0]], &[&[0, 1, -1]]);
    let pieces = lexmin(&s, None, &Budget::UNLIMITED).unwrap();
    assert_eq!((pieces.len(), pieces[0].values[0].get(0), pieces[0].divs[0].clone()), (1, Int::from(5), None));
}

#[test]
fn unbounded_without_points_ends() {
    let s = problem(0, 2, 0, &[&[-1, 2, -2]], &[&[0, 1, 0], &[0, 0, 1]]);
    assert_eq!(lexmin(&s, None, &Budget::UNLIMITED), Ok(vec![]));
    // A lattice-free triangle times a line
    let s = problem(0, 3, 0, &[], &[&[-1, 3, 3, 3], &[2, -3, 0, -3], &[2, 0, -3, 0], &[0, 0, 0, 1]]);
    check(
        &{
            let mut t = s.clone();
            t.push_ineq(Row::from_slice(&[4, 0, 0, -1]));
            t.push_ineq(Row::from_slice(&[9, 1, 0, 0]));
            t
        },
        Direction::Min,
        0,
        9,
    );
}

#[test]
fn a_context_restricts() {
    let s = problem(1, 1, 0, &[], &[&[0, -1, 1], &[0, 0, 1]]);
    let mut context = System::universe(Columns { params: 1, ..Columns::default() });
    context.push_ineq(Row::from_slice(&[-3, 1]));
    let pieces = lexmin(&s, Some(&context), &Budget::UNLIMITED).unwrap();
    assert_eq!(pieces.len(), 1);
    assert_eq!(pieces[0].values, vec![Row::from_slice(&[0, 1])]);
}

fn boxed(params: usize, unknowns: usize, reach: i64) -> Vec<Vec<i64>> {
    (0..unknowns)
        .flat_map(|i| {
            [1, -1].map(|sign| {
                let mut row = vec![0; 1 + params + unknowns];
                row[0] = reach;
                row[1 + params + i] = sign;
                row
            })
        })
        .collect()
}

fn rows(n: usize, reach: i64, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<i64>>> {
    let row = (-9i64..10, proptest::collection::vec(-reach..=reach, n)).prop_map(|(c, mut a)| {
        a.insert(0, c);
        a
    });
    proptest::collection::vec(row, count)
}

fn add(s: &mut System, eqs: &[Vec<i64>], ineqs: &[Vec<i64>]) {
    eqs.iter().for_each(|r| s.push_eq(Row::from_slice(r)));
    ineqs.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(250))]
    #[test]
    fn one_parameter_two_unknowns(eqs in rows(3, 4, 0..2), ineqs in rows(3, 4, 1..5), max: bool) {
        let mut s = problem(1, 2, 0, &[], &[]);
        add(&mut s, &eqs, &ineqs);
        add(&mut s, &[], &boxed(1, 2, 5));
        check(&s, if max { Direction::Max } else { Direction::Min }, 7, 5);
    }

    #[test]
    fn two_parameters_two_unknowns(ineqs in rows(4, 3, 1..4), max: bool) {
        let mut s = problem(2, 2, 0, &[], &[]);
        add(&mut s, &[], &ineqs);
        add(&mut s, &[], &boxed(2, 2, 4));
        check(&s, if max { Direction::Max } else { Direction::Min }, 4, 4);
    }

    #[test]
    fn existentials(eqs in rows(3, 4, 0..2), ineqs in rows(3, 4, 1..5)) {
        let mut s = problem(1, 1, 1, &[], &[]);
        add(&mut s, &eqs, &ineqs);
        add(&mut s, &[], &boxed(1, 2, 5));
        check(&s, Direction::Min, 7, 5);
    }

    #[test]
    fn no_parameters(eqs in rows(3, 5, 0..2), ineqs in rows(3, 5, 1..6)) {
        let mut s = problem(0, 3, 0, &[], &[]);
        add(&mut s, &eqs, &ineqs);
        add(&mut s, &[], &boxed(0, 3, 4));
        check(&s, Direction::Min, 0, 4);
    }
}

/// All pieces of a union hold exactly at the points (of `1 + visible` columns) of the system, at most one at each.
#[track_caller]
fn check_union(s: &System, union: &[System], reach: i64, wide: i64) {
    let c = s.columns();
    let hidden = grid(c.divs, wide);
    for visible in grid(c.first_div() - 1, reach) {
        let expected = hidden.iter().any(|e| {
            let point: Vec<Int> = std::iter::once(&Int::ONE).chain(&visible).chain(e).cloned().collect();
            s.contains(&point)
        });
        let holds = |u: &&System| {
            let piece = Piece { domain: (*u).clone(), values: vec![], divs: vec![] };
            point_in(&piece, &visible).is_some()
        };
        assert_eq!(union.iter().filter(holds).count(), usize::from(expected), "at {visible:?} of {s:?}: {union:?}");
    }
}

#[test]
fn unknown_divs_become_known() {
    // x = 3e + 5f with 0 <= e <= 2, 0 <= f <= 1
    let s = problem(0, 1, 2, &[&[0, 1, -3, -5]], &[&[0, 0, 1, 0], &[2, 0, -1, 0], &[0, 0, 0, 1], &[1, 0, 0, -1]]);
    check_union(&s, &super::with_known_divs(&s, &Budget::UNLIMITED).unwrap(), 14, 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn known_divs_keep_the_points(eqs in rows(4, 5, 0..2), ineqs in rows(4, 5, 1..4)) {
        let mut s = problem(0, 2, 2, &[], &[]);
        add(&mut s, &eqs, &ineqs);
        add(&mut s, &[], &boxed(2, 2, 4));
        check_union(&s, &super::with_known_divs(&s, &Budget::UNLIMITED).unwrap(), 5, 4);
        let omega = crate::solve::omega::with_known_divs(&s, &Budget::UNLIMITED).unwrap();
        for piece in &omega {
            prop_assert!(piece.divs_known());
        }
    }

    #[test]
    fn the_engines_agree(eqs in rows(4, 9, 0..3), ineqs in rows(4, 9, 0..6)) {
        let mut s = problem(0, 4, 0, &[], &[]);
        add(&mut s, &eqs, &ineqs);
        let omega = crate::solve::omega::is_empty(&s, &Budget::UNLIMITED).unwrap();
        prop_assert_eq!(crate::solve::sample::is_empty(&s, &Budget::UNLIMITED).unwrap(), omega);
        match lexmin(&s, None, &Budget::UNLIMITED) {
            Ok(pieces) => prop_assert_eq!(pieces.is_empty(), omega),
            Err(e) => prop_assert!(e == LexError::Unbounded && !omega),
        }
    }
}
