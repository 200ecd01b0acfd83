//! Set algebra against a pointwise oracle: small random relations (boxes, strides, existentials, several pieces), every operation
//! compared with brute force over the points.

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Columns, Dim, Div, Int, Kind, Map, Relation, Set, Space, System, Tuple};
use proptest::prelude::*;
use std::collections::BTreeSet;

const REACH: i64 = 4;

/// A conjunction over `dims` dimensions in `-REACH ..= REACH` and `exists` bounded existentials.
#[derive(Debug, Clone)]
struct Piece {
    exists: usize,
    /// (is equality, coefficients over 1, dims, existentials)
    rows: Vec<(bool, Vec<i64>)>,
    /// (dimension, modulus, remainder)
    stride: Option<(usize, i64, i64)>,
}

type Points = BTreeSet<Vec<i64>>;

fn all_points(dims: usize, reach: i64) -> Vec<Vec<i64>> {
    (0..dims).fold(vec![Vec::new()], |acc, _| {
        acc.into_iter().flat_map(|p| (-reach..=reach).map(move |v| [p.clone(), vec![v]].concat())).collect()
    })
}

fn dot(row: &[i64], x: &[i64]) -> i64 {
    row[0] + row[1..].iter().zip(x).map(|(a, b)| a * b).sum::<i64>()
}

impl Piece {
    fn holds(&self, x: &[i64]) -> bool {
        self.stride.is_none_or(|(d, m, r)| (x[d] - r).rem_euclid(m) == 0)
            && all_points(self.exists, 3).iter().any(|e| {
                let full = [x, e].concat();
                self.rows.iter().all(|(eq, row)| if *eq { dot(row, &full) == 0 } else { dot(row, &full) >= 0 })
            })
    }

    fn system(&self, space: &Space) -> System {
        let columns = Columns::of(space);
        let dims = columns.tuples().len();
        let first = columns.first_div();
        let strides = usize::from(self.stride.is_some());
        let mut system = System::universe(columns.with_divs(self.exists + strides));
        let width = system.columns().len();
        let mut bound = |col: usize, reach: i64| {
            for sign in [1, -1] {
                let mut row = Row::zero(width);
                row.set(0, Int::from(reach));
                row.set(col, Int::from(sign));
                system.push_ineq(row);
            }
        };
        (0..dims).for_each(|d| bound(columns.tuples().start + d, REACH));
        (0..self.exists).for_each(|e| bound(first + e, 3));
        if let Some((d, m, r)) = self.stride {
            // x[d] - m * floor((x[d] - r) / m) = r
            let mut num = Row::zero(width);
            num.set(0, Int::from(-r));
            num.set(columns.tuples().start + d, Int::ONE);
            let mut row = num.clone();
            row.set(first + self.exists, Int::from(-m));
            system.set_div(self.exists, Some(Div { num, den: Int::from(m) }));
            system.push_eq(row);
        }
        for (eq, coefficients) in &self.rows {
            let mut row = Row::zero(width);
            row.set(0, Int::from(coefficients[0]));
            for (i, c) in coefficients[1..].iter().enumerate() {
                let col = if i < dims { columns.tuples().start + i } else { first + i - dims };
                row.set(col, Int::from(*c));
            }
            if *eq { system.push_eq(row) } else { system.push_ineq(row) }
        }
        system
    }
}

fn pieces(dims: usize) -> impl Strategy<Value = Vec<Piece>> {
    let piece = (0..3usize).prop_flat_map(move |e| {
        let exists = e.saturating_sub(1);
        let row = (proptest::bool::weighted(0.25), -4..=4i64, proptest::collection::vec(-2..=2i64, dims + exists))
            .prop_map(|(eq, c, rest)| (eq, [vec![c], rest].concat()));
        let stride = proptest::option::weighted(0.3, (0..dims, 2..=3i64, 0..=2i64));
        (proptest::collection::vec(row, 0..4), stride).prop_map(move |(rows, stride)| Piece { exists, rows, stride })
    });
    proptest::collection::vec(piece, 1..=3)
}

fn set_space(dims: usize) -> Space {
    Space::set(&[], Tuple::anonymous(dims))
}

fn map_space(inputs: usize, outputs: usize) -> Space {
    Space::map(&[], Tuple::anonymous(inputs), Tuple::anonymous(outputs))
}

fn build<K: Kind>(space: &Space, pieces: &[Piece]) -> (Relation<K>, Points) {
    let dims = space.dim(Dim::In) + space.dim(Dim::Out);
    let points = all_points(dims, REACH).into_iter().filter(|x| pieces.iter().any(|p| p.holds(x))).collect();
    (Relation::from_systems(space.clone(), pieces.iter().map(|p| p.system(space))), points)
}

/// Whether a system contains `x`: known divs are computed, unknown ones searched in a range that covers these tests.
fn system_holds(system: &System, x: &[i64]) -> bool {
    let unknown = system.divs().iter().filter(|d| d.is_none()).count();
    all_points(unknown, 14).into_iter().any(|values| {
        let mut values = values.into_iter();
        let mut point: Vec<Int> = vec![Int::ONE];
        point.extend(x.iter().map(|&v| Int::from(v)));
        point.resize(system.columns().len(), Int::ZERO);
        for (i, div) in system.divs().iter().enumerate() {
            let col = system.columns().div(i);
            point[col] = match div {
                Some(d) => d.num.dot(&point).div_floor(&d.den),
                None => values.next().map_or(Int::ZERO, Int::from),
            };
        }
        system.contains(&point)
    })
}

/// The points of a relation in the cube of the given reach, by brute force over its systems.
fn points_of<K: Kind>(relation: &Relation<K>, reach: i64) -> Points {
    let dims = relation.space().dim(Dim::In) + relation.space().dim(Dim::Out);
    all_points(dims, reach).into_iter().filter(|x| relation.systems().any(|s| system_holds(s, x))).collect()
}

#[track_caller]
fn same<K: Kind>(what: &str, relation: &Relation<K>, expected: &Points) {
    same_within(what, relation, expected, REACH + 1);
}

#[track_caller]
fn same_within<K: Kind>(what: &str, relation: &Relation<K>, expected: &Points, reach: i64) {
    let inside: Points = expected.iter().filter(|p| p.iter().all(|v| v.abs() <= reach)).cloned().collect();
    let found = points_of(relation, reach);
    assert!(
        found == inside,
        "{what}: missing {:?}, superfluous {:?} in {relation:?}",
        inside.difference(&found).collect::<Vec<_>>(),
        found.difference(&inside).collect::<Vec<_>>()
    );
}

fn set(pieces: &[Piece], dims: usize) -> (Set, Points) {
    build(&set_space(dims), pieces)
}

fn map(pieces: &[Piece]) -> (Map, Points) {
    build(&map_space(1, 1), pieces)
}

fn compose(a: &Points, b: &Points) -> Points {
    a.iter().flat_map(|p| b.iter().filter(move |q| p[1] == q[0]).map(move |q| vec![p[0], q[1]])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, max_shrink_iters: 2000, ..ProptestConfig::default() })]

    #[test]
    fn construction(a in pieces(2)) {
        let (s, p) = set(&a, 2);
        same("construction", &s, &p);
    }

    #[test]
    fn boolean(a in pieces(2), b in pieces(2)) {
        let ((s, p), (t, q)) = (set(&a, 2), set(&b, 2));
        same("union", &s.union(&t), &p.union(&q).cloned().collect());
        same("intersect", &s.intersect(&t), &p.intersection(&q).cloned().collect());
        same("subtract", &s.subtract(&t), &p.difference(&q).cloned().collect());
        let outside = all_points(2, REACH + 1).into_iter().filter(|x| !p.contains(x)).collect();
        same("complement", &s.complement(), &outside);
    }

    #[test]
    fn questions(a in pieces(2), b in pieces(2)) {
        let ((s, p), (t, q)) = (set(&a, 2), set(&b, 2));
        assert_eq!(s.is_empty(), p.is_empty(), "is_empty {s:?}");
        assert_eq!(s.is_subset(&t), p.is_subset(&q), "is_subset");
        assert_eq!(s.is_equal(&t), p == q, "is_equal");
        assert_eq!(s.is_disjoint(&t), p.is_disjoint(&q), "is_disjoint");
        let both = s.intersect(&t);
        assert!(both.is_subset(&s) && both.is_subset(&t), "intersection is a subset");
        assert!(s.is_subset(&s.union(&t)), "union is a superset");
        assert!(s.subtract(&t).union(&both).is_equal(&s), "parts are the whole");
        assert!(!s.is_universe());
        assert!(s.union(&s.complement()).is_universe(), "excluded middle");
    }

    #[test]
    fn projection(a in pieces(3)) {
        let (s, p) = set(&a, 3);
        same("first", &s.project_out(Dim::SET, 0, 1), &p.iter().map(|x| x[1..].to_vec()).collect());
        same("middle", &s.project_out(Dim::SET, 1, 1), &p.iter().map(|x| vec![x[0], x[2]]).collect());
        same("two", &s.project_out(Dim::SET, 1, 2), &p.iter().map(|x| vec![x[0]]).collect());
        same("known divs", &s.project_out(Dim::SET, 1, 2).with_known_divs(), &p.iter().map(|x| vec![x[0]]).collect());
        let kept = s.project_out(Dim::SET, 0, 2).with_known_divs();
        assert!(kept.systems().all(System::divs_known), "an unknown existential remains");
        let line = |x: &Vec<i64>| (-REACH - 1..=REACH + 1).map(|v| vec![x[0], v, x[2]]).collect::<Vec<_>>();
        same("eliminate", &s.eliminate(Dim::SET, 1, 1), &p.iter().flat_map(line).collect());
    }

    #[test]
    fn projected_sets_in_boolean_operations(a in pieces(3), b in pieces(3)) {
        let ((s, p), (t, q)) = (set(&a, 3), set(&b, 3));
        let (s, t) = (s.project_out(Dim::SET, 2, 1), t.project_out(Dim::SET, 0, 1));
        let p: Points = p.iter().map(|x| x[..2].to_vec()).collect();
        let q: Points = q.iter().map(|x| x[1..].to_vec()).collect();
        same("subtract", &s.subtract(&t), &p.difference(&q).cloned().collect());
        assert_eq!(s.is_subset(&t), p.is_subset(&q), "is_subset");
        assert_eq!(s.is_disjoint(&t), p.is_disjoint(&q), "is_disjoint");
        assert_eq!(s.is_empty(), p.is_empty(), "is_empty");
    }

    #[test]
    fn simplification(a in pieces(2), b in pieces(2)) {
        let ((s, p), (t, q)) = (set(&a, 2), set(&b, 2));
        let coalesced = s.coalesce();
        same("coalesce", &coalesced, &p);
        assert!(coalesced.n_basic() <= s.n_basic(), "coalesce made more pieces");
        let both: Points = p.intersection(&q).cloned().collect();
        same("gist", &s.gist(&t).intersect(&t), &both);
        same("known divs", &s.with_known_divs(), &p);
        same("without redundancies", &s.remove_redundancies(), &p);
        same("detect_equalities", &s.detect_equalities(), &p);
        for hull in [s.simple_hull(), s.unshifted_simple_hull(), s.affine_hull()] {
            let hull: Set = hull.into();
            assert!(s.is_subset(&hull), "a hull {hull:?} of {s:?} does not contain it");
        }
        let hull: Set = s.simple_hull().into();
        assert!(hull.is_bounded(), "the simple hull of a bounded set is not bounded");
        assert!(hull.is_subset(&s.affine_hull().into()), "the simple hull is not inside the affine hull");
    }

    #[test]
    fn points_and_samples(a in pieces(2)) {
        let (s, p) = set(&a, 2);
        let listed: Vec<Vec<i64>> =
            s.points().unwrap().iter().map(|x| x.coords.iter().map(|v| v.to_i64().unwrap()).collect()).collect();
        assert_eq!(listed, p.iter().cloned().collect::<Vec<_>>());
        match s.sample() {
            Some(point) => assert!(p.contains(&point.coords.iter().map(|v| v.to_i64().unwrap()).collect::<Vec<_>>())),
            None => assert!(p.is_empty()),
        }
        assert!(s.is_bounded());
        for x in all_points(2, 2) {
            let coords: Vec<Int> = x.iter().map(|&v| Int::from(v)).collect();
            assert_eq!(s.contains_point(&[], &coords), p.contains(&x));
        }
    }

    #[test]
    fn optima(a in pieces(2)) {
        let (s, p) = set(&a, 2);
        same("lexmin", &s.lexmin(), &p.iter().min().cloned().into_iter().collect());
        same("lexmax", &s.lexmax(), &p.iter().max().cloned().into_iter().collect());
        let (m, r) = build::<loopwright_presburger::OfMap>(&map_space(1, 1), &a);
        let best = |pick: fn(i64, i64) -> i64| -> Points {
            (-REACH..=REACH)
                .filter_map(|x| r.iter().filter(|p| p[0] == x).map(|p| p[1]).reduce(pick).map(|y| vec![x, y]))
                .collect()
        };
        same("map lexmin", &m.lexmin(), &best(i64::min));
        same("map lexmax", &m.lexmax(), &best(i64::max));
    }

    #[test]
    fn maps(a in pieces(2), b in pieces(2), c in pieces(1)) {
        let ((m, p), (n, q), (s, r)) = (map(&a), map(&b), set(&c, 1));
        let s1 = |points: Vec<i64>| points.into_iter().map(|v| vec![v]).collect::<Points>();
        same("domain", &m.domain(), &s1(p.iter().map(|x| x[0]).collect()));
        same("range", &m.range(), &s1(p.iter().map(|x| x[1]).collect()));
        same("reverse", &m.reverse(), &p.iter().map(|x| vec![x[1], x[0]]).collect());
        same("apply_range", &m.apply_range(&n), &compose(&p, &q));
        same("apply_domain", &m.apply_domain(&n), &p.iter().flat_map(|x| q.iter().filter(move |y| x[0] == y[0]).map(move |y| vec![y[1], x[1]])).collect());
        same("apply", &s.apply(&m), &p.iter().filter(|x| r.contains(&x[..1])).map(|x| vec![x[1]]).collect());
        same("intersect_domain", &m.intersect_domain(&s), &p.iter().filter(|x| r.contains(&x[..1])).cloned().collect());
        same("intersect_range", &m.intersect_range(&s), &p.iter().filter(|x| r.contains(&x[1..])).cloned().collect());
        same("subtract_domain", &m.subtract_domain(&s), &p.iter().filter(|x| !r.contains(&x[..1])).cloned().collect());
        same("subtract_range", &m.subtract_range(&s), &p.iter().filter(|x| !r.contains(&x[1..])).cloned().collect());
        same_within("deltas", &m.deltas(), &s1(p.iter().map(|x| x[1] - x[0]).collect()), 2 * REACH + 1);
        same("deltas_map", &m.deltas_map(), &p.iter().map(|x| vec![x[0], x[1], x[1] - x[0]]).collect());
        same("wrap", &m.wrap(), &p);
        same("identity", &s.identity(), &r.iter().map(|x| vec![x[0], x[0]]).collect());
        same("square", &m.fixed_power(2), &compose(&p, &p));
        let functional = |p: &Points| p.iter().all(|x| p.iter().all(|y| x[0] != y[0] || x[1] == y[1]));
        assert_eq!(m.is_single_valued(), functional(&p), "is_single_valued");
        assert_eq!(m.is_injective(), functional(&p.iter().map(|x| vec![x[1], x[0]]).collect()), "is_injective");
        assert_eq!(m.is_identity(), p.iter().all(|x| x[0] == x[1]), "is_identity");
        assert_eq!(s.is_singleton(), r.len() <= 1, "is_singleton");
    }

    #[test]
    fn products(a in pieces(2), b in pieces(1)) {
        let ((m, p), (s, r)) = (map(&a), set(&b, 1));
        let n = s.lex_lt(&s);
        let q: Points = r.iter().flat_map(|x| r.iter().filter(move |y| x < *y).map(move |y| vec![x[0], y[0]])).collect();
        same("lex_lt", &n, &q);
        same("domain_map", &m.domain_map(), &p.iter().map(|x| vec![x[0], x[1], x[0]]).collect());
        same("range_map", &m.range_map(), &p.iter().map(|x| vec![x[0], x[1], x[1]]).collect());
        let joined: Points = p.iter().flat_map(|x| q.iter().filter(move |y| x[0] == y[0]).map(move |y| vec![x[0], x[1], y[1]])).collect();
        same("range_product", &m.range_product(&n), &joined);
        same("flat_range_product", &m.flat_range_product(&n), &joined);
        same("factor", &m.range_product(&n).range_factor_domain(), &joined.iter().map(|x| vec![x[0], x[1]]).collect());
        same("factor", &m.range_product(&n).range_factor_range(), &joined.iter().map(|x| vec![x[0], x[2]]).collect());
        same("uncurry", &m.range_product(&n).uncurry(), &joined);
        let ends: Points = p.iter().flat_map(|x| q.iter().filter(move |y| x[1] == y[1]).map(move |y| vec![x[0], y[0], x[1]])).collect();
        same("domain_product", &m.domain_product(&n), &ends);
        same("product", &s.product(&s), &r.iter().flat_map(|x| r.iter().map(move |y| vec![x[0], y[0]])).collect());
        same("from_domain_and_range", &Map::from_domain_and_range(&s, &s), &r.iter().flat_map(|x| r.iter().map(move |y| vec![x[0], y[0]])).collect());
    }
}
