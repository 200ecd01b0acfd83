//! Counting and summation against brute force on random parametric sets, and against closed forms known from the literature.
//!
//! `COUNT_CASES` sets the number of random cases (60 by default), `COUNT_SEED` the first seed.

use loopwright_presburger::{Budget, Extremum, Int, Map, PwFold, PwQPolynomial, Set, Val};

/// A linear congruential generator (Knuth's MMIX constants): the same cases on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) % n as u64) as i64
    }
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below(high - low + 1)
    }
    fn one_in(&mut self, n: i64) -> bool {
        self.below(n) == 0
    }
}

/// `row . [1, params, dims]`
type Row = Vec<i64>;

enum Atom {
    AtLeast(Row),
    Equal(Row),
    /// `row mod m = k`
    Residue(Row, i64, i64),
    /// `row >= floor(num/den)`
    AboveFloor(Row, Row, i64),
}

struct Case {
    params: usize,
    dims: usize,
    pieces: Vec<Vec<Atom>>,
}

const PARAMS: [&str; 2] = ["n", "m"];
const DIMS: [&str; 3] = ["x", "y", "z"];
// Every dimension lies between -REACH and REACH plus a parameter and an earlier dimension.
const REACH: i64 = 3;
const PARAM_RANGE: std::ops::RangeInclusive<i64> = -4..=6;

fn dot(row: &[i64], point: &[i64]) -> i64 {
    row.iter().zip(point).map(|(a, b)| a * b).sum()
}

impl Case {
    fn random(rng: &mut Random) -> Case {
        let params = rng.between(0, 2) as usize;
        let dims = rng.between(1, 3) as usize;
        let n = if rng.one_in(3) { 2 } else { 1 };
        let mut case = Case { params, dims, pieces: Vec::new() };
        for _ in 0..n {
            let mut atoms = Vec::new();
            for d in 0..dims {
                let (mut lower, mut upper) = (case.unit(d), case.unit(d));
                lower[0] = rng.between(0, REACH);
                upper.iter_mut().for_each(|c| *c = -*c);
                upper[0] = rng.between(0, REACH);
                // A triangular or a parametric bound in the place of a constant one.
                if params > 0 && rng.one_in(2) {
                    upper[1 + rng.below(params as i64) as usize] = 1;
                }
                if d > 0 && rng.one_in(3) {
                    upper[1 + params + rng.below(d as i64) as usize] = 1;
                }
                atoms.extend([Atom::AtLeast(lower), Atom::AtLeast(upper)]);
            }
            for _ in 0..rng.between(0, 2) {
                let row = case.row(rng, 3);
                atoms.push(match rng.below(8) {
                    0 => Atom::Equal(row),
                    1 => {
                        let m = rng.between(2, 4);
                        Atom::Residue(row, m, rng.below(m))
                    }
                    2 => Atom::AboveFloor(row, case.row(rng, 3), rng.between(2, 4)),
                    _ => Atom::AtLeast(row),
                });
            }
            case.pieces.push(atoms);
        }
        case
    }

    fn unit(&self, dim: usize) -> Row {
        let mut row = vec![0; 1 + self.params + self.dims];
        row[1 + self.params + dim] = 1;
        row
    }

    fn row(&self, rng: &mut Random, size: i64) -> Row {
        let mut row: Row =
            (0..1 + self.params + self.dims).map(|_| if rng.one_in(2) { 0 } else { rng.between(-size, size) }).collect();
        row[0] = rng.between(-5, 5);
        row
    }

    fn text(&self, row: &[i64]) -> String {
        let names = PARAMS[..self.params].iter().chain(&DIMS[..self.dims]);
        let terms: Vec<String> = row[1..].iter().zip(names).map(|(c, n)| format!("{c} * {n}")).collect();
        format!("({} + {})", row[0], terms.join(" + "))
    }

    fn condition(&self, atoms: &[Atom]) -> String {
        let atom = |a: &Atom| match a {
            Atom::AtLeast(r) => format!("{} >= 0", self.text(r)),
            Atom::Equal(r) => format!("{} = 0", self.text(r)),
            Atom::Residue(r, m, k) => format!("{} mod {m} = {k}", self.text(r)),
            Atom::AboveFloor(r, num, den) => format!("{} >= floor({}/{den})", self.text(r), self.text(num)),
        };
        atoms.iter().map(atom).collect::<Vec<_>>().join(" and ")
    }

    fn header(&self) -> String {
        format!("[{}] -> ", PARAMS[..self.params].join(", "))
    }

    fn set_text(&self) -> String {
        let tuple = DIMS[..self.dims].join(", ");
        let members: Vec<String> = self.pieces.iter().map(|p| format!("[{tuple}] : {}", self.condition(p))).collect();
        format!("{}{{ {} }}", self.header(), members.join("; "))
    }

    fn contains(&self, point: &[i64]) -> bool {
        let holds = |a: &Atom| match a {
            Atom::AtLeast(r) => dot(r, point) >= 0,
            Atom::Equal(r) => dot(r, point) == 0,
            Atom::Residue(r, m, k) => dot(r, point).rem_euclid(*m) == *k,
            Atom::AboveFloor(r, num, den) => dot(r, point) >= dot(num, point).div_euclid(*den),
        };
        self.pieces.iter().any(|p| p.iter().all(holds))
    }

    /// Calls `visit` with `[1, params, dims]` of all points for given parameters.
    fn each(&self, params: &[i64], visit: &mut dyn FnMut(&[i64])) {
        let mut point = vec![1];
        point.extend(params);
        self.walk(&mut point, visit);
    }

    fn walk(&self, point: &mut Vec<i64>, visit: &mut dyn FnMut(&[i64])) {
        let d = point.len() - 1 - self.params;
        if d == self.dims {
            if self.contains(point) {
                visit(point);
            }
            return;
        }
        // The first atoms of each piece are the bounds of the dimensions, in terms of the columns before.
        let bound = |p: &Vec<Atom>, i: usize| match &p[2 * d + i] {
            Atom::AtLeast(r) => dot(&r[..point.len()], point),
            _ => unreachable!("bounds come first"),
        };
        let low = self.pieces.iter().map(|p| -bound(p, 0)).min().unwrap_or(0);
        let high = self.pieces.iter().map(|p| bound(p, 1)).max().unwrap_or(-1);
        for v in low..=high {
            point.push(v);
            self.walk(point, visit);
            point.pop();
        }
    }
}

fn all_params(n: usize) -> Vec<Vec<i64>> {
    (0..n).fold(vec![Vec::new()], |all, _| all.iter().flat_map(|p| PARAM_RANGE.map(|v| [&p[..], &[v]].concat())).collect())
}

// In the order of the names: m before n.
fn named(params: &[i64]) -> Vec<Int> {
    params.iter().rev().map(|&v| Int::from(v)).collect()
}

fn environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

fn seeds() -> std::ops::Range<u64> {
    let first = environment("COUNT_SEED", 1);
    first..first + environment("COUNT_CASES", 60)
}

#[test]
fn card_is_the_number_of_points() {
    for seed in seeds() {
        let case = Case::random(&mut Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        let text = case.set_text();
        let set: Set = text.parse().unwrap();
        let card = set.card_within(&Budget::steps(1 << 32)).unwrap_or_else(|_| panic!("seed {seed}: budget spent on {text}"));
        let again: PwQPolynomial = card.to_string().parse().unwrap_or_else(|e| panic!("seed {seed}: {card}: {e}"));
        for params in all_params(case.params) {
            let mut count = 0;
            case.each(&params, &mut |_| count += 1);
            let got = card.eval(&named(&params), &[]);
            assert_eq!(got, Val::from(count), "seed {seed}: {text} has the card {card}, wrong at {params:?}");
            assert_eq!(again.eval(&named(&params), &[]), got, "seed {seed}: {card} reads back as {again}");
        }
    }
}

#[test]
fn sums_are_sums() {
    for seed in seeds().step_by(2) {
        let rng = &mut Random(seed.wrapping_mul(0xD134_2543_DE82_EF95));
        let case = Case::random(rng);
        let (p, q, den) = (case.row(rng, 2), case.row(rng, 3), rng.between(1, 3));
        let (square, tuple) = (rng.one_in(3), DIMS[..case.dims].join(", "));
        let power = if square { "^2" } else { "" };
        let value = format!("({} * floor({}/{den}){power})", case.text(&p), case.text(&q));
        let f: PwQPolynomial = format!("{}{{ [{tuple}] -> {value} }}", case.header()).parse().unwrap();
        let set: Set = case.set_text().parse().unwrap();
        let sum = f.intersect_domain(&set).sum().unwrap_or_else(|e| panic!("seed {seed}: {value} on {set}: {e}"));
        for params in all_params(case.params) {
            let mut total = 0;
            case.each(&params, &mut |x| {
                let floor = dot(&q, x).div_euclid(den);
                total += dot(&p, x) * if square { floor * floor } else { floor };
            });
            let got = sum.eval(&named(&params), &[]);
            assert_eq!(got, Val::from(total), "seed {seed}: the sum of {value} on {set} is {sum}, wrong at {params:?}");
        }
    }
}

#[test]
fn bounds_hold() {
    for seed in seeds().step_by(6) {
        let rng = &mut Random(seed.wrapping_mul(0xA24B_AED4_963E_E407));
        let case = Case::random(rng);
        let (p, q, den) = (case.row(rng, 2), case.row(rng, 3), rng.between(1, 3));
        let tuple = DIMS[..case.dims].join(", ");
        let value = format!("({} * floor({}/{den}))", case.text(&p), case.text(&q));
        let f: PwQPolynomial = format!("{}{{ [{tuple}] -> {value} }}", case.header()).parse().unwrap();
        let set: Set = case.set_text().parse().unwrap();
        let f = f.intersect_domain(&set);
        let (max, min) = (f.bound(Extremum::Max).unwrap(), f.bound(Extremum::Min).unwrap());
        for params in all_params(case.params) {
            let at = |bound: &PwFold| bound.eval(&named(&params), &[]);
            let mut points = 0;
            case.each(&params, &mut |x| {
                let v = Val::from(dot(&p, x) * dot(&q, x).div_euclid(den));
                let above = at(&max).is_some_and(|m| m.compare(&v).is_some_and(|o| o.is_ge()));
                let below = at(&min).is_some_and(|m| m.compare(&v).is_some_and(|o| o.is_le()));
                assert!(above && below, "seed {seed}: {value} on {set} is {v} at {x:?}, bounds {min} and {max}");
                points += 1;
            });
            assert!(points > 0 || at(&max).is_none(), "seed {seed}: a bound without points at {params:?}: {max}");
        }
    }
}

#[test]
fn known_bounds() {
    let max = |f: &str| f.parse::<PwQPolynomial>().unwrap().bound(Extremum::Max).unwrap().to_string();
    assert_eq!(max("{ [0:10] -> 1 }"), "{ max(1) }");
    assert_eq!(max("{ [[m] -> [0:m]] -> m^2 }"), "{ [m] -> max(m^2) : m >= 0 }");
    assert_eq!(max("{ [[x] -> [x]] -> 1 : exists a : x = 2 a }"), "{ [x] -> max(1) : (x) mod 2 = 0 }");
    assert_eq!(max("{ [[a=0:1] -> [b=0:1]] -> (floor((a + b)/2)) }"), "{ [a] -> max(a) : 0 <= a <= 1 }");
    assert_eq!(max("{ [x] -> x : x >= 0 }"), "{ max(infty) }");
    assert_eq!(max("[n] -> { [i, j] -> i + j : 0 <= i <= n and 0 <= j <= i }"), "[n] -> { max(2 * n) : n >= 0 }");
}

// ---- closed forms -----------------------------------------------------------------------------------------------------------

#[track_caller]
fn card(set: &str, expect: &str) {
    let set: Set = set.parse().unwrap();
    assert_eq!(set.card().to_string(), expect, "{set}");
}

#[test]
fn closed_forms() {
    card("[n] -> { [i] : 0 <= i < n }", "[n] -> { n : n >= 1 }");
    card("[n, m] -> { [i, j] : 0 <= i < n and 0 <= j < m }", "[m, n] -> { m * n : n >= 1 and m >= 1 }");
    card("{ [i, j] : 0 <= i, j < 10 and i != j }", "{ 90 }");
    card("{ [i] : false }", "{ 0 }");
    card("[n] -> { [i] : 0 <= 2i <= n }", "[n] -> { (1 + floor((n)/2)) : n >= 0 }");
    card("[n] -> { [] : n >= 3 }", "[n] -> { 1 : n >= 3 }");
    card("{ [i] : i >= 0 }", "{ infty }");
    card("[n] -> { [i, j] : 0 <= i < n }", "[n] -> { infty : n >= 1 }");
    card("[n] -> { [i] : 2i = n }", "[n] -> { 1 : (n) mod 2 = 0 }");
}

/// The values of `card` for `n = 0, 1, ..`.
#[track_caller]
fn values(set: &str, expect: &[i64]) {
    let set: Set = set.parse().unwrap();
    let card = set.card();
    let got: Vec<Val> = (0..expect.len()).map(|n| card.eval(&[Int::from(n)], &[])).collect();
    assert_eq!(got, expect.iter().map(|&v| Val::from(v)).collect::<Vec<_>>(), "{set} has the card {card}");
}

#[test]
fn known_sequences() {
    // Partitions of n into at most three parts: round((n + 3)^2/12).
    values("[n] -> { [a, b, c] : a >= b >= c >= 0 and a + b + c = n }", &[1, 1, 2, 3, 4, 5, 7, 8, 10, 12, 14, 16, 19, 21]);
    // Change for n in coins of 1, 2 and 5.
    values("[n] -> { [a, b, c] : a, b, c >= 0 and a + 2b + 5c = n }", &[1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13]);
    // Tetrahedral numbers.
    values("[n] -> { [i, j, k] : 0 <= i <= j <= k < n }", &[0, 1, 4, 10, 20, 35, 56]);
    // 3 x 3 matrices of non-negative integers with all line sums n (MacMahon): C(n+2, 4) + C(n+3, 4) + C(n+4, 4).
    values(
        "[n] -> { [a, b, c, d] : a, b, c, d >= 0 and a + b <= n and c + d <= n and a + c <= n and b + d <= n and a + b + c + d >= n }",
        &[1, 6, 21, 55, 120, 231],
    );
    // Integer triangles with perimeter n (Alcuin).
    values(
        "[n] -> { [a, b, c] : 1 <= a <= b <= c and a + b > c and a + b + c = n }",
        &[0, 0, 0, 1, 0, 1, 1, 2, 1, 3, 2, 4, 3, 5],
    );
    // The points of the triangle with the vertices (0, 0), (n/2, 0), (0, n/3).
    values("[n] -> { [x, y] : x, y >= 0 and 2x + 3y <= n }", &[1, 1, 2, 3, 4, 5, 7, 8, 10, 12, 14]);
}

#[test]
fn existentials() {
    let check = |text: &str| {
        let set: Set = text.parse().unwrap();
        let (card, points) = (set.card(), set.count_points().unwrap());
        assert_eq!(card.eval(&[], &[]), Val::from(points as i64), "{text}");
    };
    check("{ [i] : exists (a, b : i = 7a + 8b and a >= 0 and b >= 0) and i <= 100 }");
    check("{ [i, j] : exists (a : i = 3a + j and 0 <= a <= j) and 0 <= j <= 9; [i, i] : 0 <= i <= 20 and i mod 3 != 1 }");
    check("{ [i] : exists (a : 2a <= i <= 3a and a mod 5 = 2) and i <= 60 }");
    check("{ [i, j] : 0 <= i, j <= 20 and not exists (a : i + 2j = 5a) }");
}

#[test]
fn tiles() {
    let set: Set =
        "[n, m] -> { [t, u, i, j] : 32t <= i < 32t + 32 and 8u <= j < 8u + 8 and 0 <= i < n and 0 <= j < m }".parse().unwrap();
    let card = set.card();
    for (n, m) in [(0, 5), (1, 1), (31, 9), (64, 16), (100, 77), (1000, 3)] {
        assert_eq!(card.eval(&[Int::from(m), Int::from(n)], &[]), Val::from(n * m), "n = {n}, m = {m}: {card}");
    }
    // Tiles that are not empty.
    let set: Set =
        "[n] -> { [t, u] : exists (i, j : 32t <= i < 32t + 32 and 8u <= j < 8u + 8 and 0 <= j <= i < n) }".parse().unwrap();
    let card = set.card();
    for n in [0i64, 1, 8, 9, 33, 100] {
        let tiles = (0..(n + 31) / 32).map(|t| (n.min(32 * t + 32) - 1) / 8 + 1).sum::<i64>();
        assert_eq!(card.eval(&[Int::from(n)], &[]), Val::from(tiles), "n = {n}: {card}");
    }
}

#[test]
fn maps_and_sums() {
    let card = |map: &str| map.parse::<Map>().unwrap().card().to_string();
    assert_eq!(card("[n] -> { S[i] -> A[j] : i <= j < n }"), "[n] -> { S[i] -> (n - i) : i < n }");
    assert_eq!(card("{ S[i] -> A[j] : j >= i }"), "{ S[i] -> infty }");
    assert_eq!(card("{ [t] -> [i] : 32t <= i < 32t + 32 }"), "{ [t] -> 32 }");
    let sum = |f: &str| f.parse::<PwQPolynomial>().unwrap().sum().unwrap().to_string();
    assert_eq!(sum("[n] -> { [i] -> i : 1 <= i <= n }"), "[n] -> { (1/2 * n + 1/2 * n^2) : n >= 1 }");
    assert_eq!(sum("{ [i, j] -> i * j : 0 <= i, j <= 3 }"), "{ 36 }");
    assert_eq!(sum("{ [i] -> 0 }"), "{ 0 }");
    assert!("{ [i] -> i : i >= 0 }".parse::<PwQPolynomial>().unwrap().sum().is_err());
    let tiles: PwQPolynomial = "[n] -> { [i] -> floor((i)/32) : 0 <= i < n }".parse().unwrap();
    let tiles = tiles.sum().unwrap();
    for n in [0i64, 1, 31, 32, 33, 64, 100, 1000] {
        assert_eq!(tiles.eval(&[Int::from(n)], &[]), Val::from((0..n).map(|i| i / 32).sum::<i64>()), "n = {n}: {tiles}");
    }
    let pairs: PwQPolynomial = "{ [S[i] -> A[j]] -> j : 0 <= j < i }".parse().unwrap();
    assert_eq!(pairs.sum_range().unwrap().to_string(), "{ S[i] -> (-1/2 * i + 1/2 * i^2) : i >= 1 }");
}

#[test]
fn budgets_are_kept() {
    let set: Set = "[n] -> { [x, y, z] : x, y, z >= 0 and 7x + 11y + 13z <= n }".parse().unwrap();
    assert!(set.card_within(&Budget::steps(50)).is_err());
}
