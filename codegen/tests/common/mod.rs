//! Small expressions that print as isl notation for the generator and are evaluated point by point by the oracle.

use std::collections::BTreeMap;

use loopwright_codegen::{Ast, interpret};
use proptest::prelude::*;

/// `(sum of coefficient * variable + constant)`, then perhaps divided, multiplied or reduced.
#[derive(Debug, Clone)]
pub struct Form {
    pub coefficients: [i128; 3],
    pub param: i128,
    pub constant: i128,
    pub shape: Shape,
}

#[derive(Debug, Clone, Copy)]
pub enum Shape {
    Plain,
    Floor(i128),
    Tile(i128),
    Mod(i128),
}

impl Form {
    pub fn text(&self, dims: usize) -> String {
        let mut text = format!("{} + {}n", self.constant, self.param);
        for (k, c) in self.coefficients.iter().enumerate().take(dims) {
            text += &format!(" + {c}x{k}");
        }
        match self.shape {
            Shape::Plain => text,
            Shape::Floor(d) => format!("floor(({text})/{d})"),
            Shape::Tile(d) => format!("{d}*floor(({text})/{d})"),
            Shape::Mod(d) => format!("({text}) mod {d}"),
        }
    }

    pub fn value(&self, x: &[i128], n: i128) -> i128 {
        let sum: i128 = self.coefficients.iter().zip(x).map(|(c, x)| c * x).sum();
        let sum = sum + self.param * n + self.constant;
        match self.shape {
            Shape::Plain => sum,
            Shape::Floor(d) => sum.div_euclid(d),
            Shape::Tile(d) => d * sum.div_euclid(d),
            Shape::Mod(d) => sum.rem_euclid(d),
        }
    }
}

pub fn form() -> impl Strategy<Value = Form> {
    let coefficient = prop_oneof![4 => Just(0i128), 4 => Just(1i128), 2 => Just(-1i128), 1 => Just(2i128), 1 => Just(-3i128)];
    let shape = prop_oneof![
        6 => Just(Shape::Plain),
        1 => (2i128..5).prop_map(Shape::Floor),
        1 => (2i128..5).prop_map(Shape::Tile),
        1 => (2i128..4).prop_map(Shape::Mod),
    ];
    (prop::array::uniform3(coefficient), prop_oneof![3 => Just(0i128), 1 => Just(1i128)], -3i128..4, shape)
        .prop_map(|(coefficients, param, constant, shape)| Form { coefficients, param, constant, shape })
}

/// A box of instances with further constraints.
#[derive(Debug, Clone)]
pub struct Domain {
    pub dims: usize,
    pub bounds: [(i128, i128); 3],
    pub constraints: Vec<Form>,
}

impl Domain {
    pub fn vars(&self) -> String {
        (0..self.dims).map(|k| format!("x{k}")).collect::<Vec<_>>().join(", ")
    }

    pub fn conditions(&self) -> String {
        let mut conditions: Vec<String> =
            (0..self.dims).map(|k| format!("{} <= x{k} <= {}", self.bounds[k].0, self.bounds[k].1)).collect();
        conditions.extend(self.constraints.iter().map(|f| format!("{} >= 0", f.text(self.dims))));
        if conditions.is_empty() { "0 = 0".into() } else { conditions.join(" and ") }
    }

    pub fn instances(&self, n: i128) -> Vec<Vec<i128>> {
        let mut points = vec![Vec::new()];
        for (low, high) in &self.bounds[..self.dims] {
            points = points.iter().flat_map(|p| (*low..=*high).map(move |v| [&p[..], &[v]].concat())).collect();
        }
        points.retain(|p| self.constraints.iter().all(|f| f.value(p, n) >= 0));
        points
    }
}

pub fn domain() -> impl Strategy<Value = Domain> {
    let bounds = prop::array::uniform3((-2i128..2, 0i128..5).prop_map(|(low, size)| (low, low + size)));
    (0usize..4, bounds, prop::collection::vec(form(), 0..3)).prop_map(|(dims, bounds, constraints)| Domain {
        dims,
        bounds,
        constraints,
    })
}

/// The number of cases: `PROPTEST_CASES`, or few.
pub fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|v| v.parse().ok()).unwrap_or(32);
    ProptestConfig { cases, max_shrink_iters: 200, ..ProptestConfig::default() }
}

/// Runs the AST for several n: every instance of statement `S0`, `S1`, .. once, in the order of its time.
pub fn check_runs(ast: &Ast, text: &str, domains: &[&Domain], time: impl Fn(usize, &[i128], i128) -> Vec<i128>) {
    for n in [-1, 0, 3] {
        let mut expected: BTreeMap<(usize, Vec<i128>), usize> = BTreeMap::new();
        for (k, domain) in domains.iter().enumerate() {
            domain.instances(n).into_iter().for_each(|x| *expected.entry((k, x)).or_default() += 1);
        }
        let mut got = BTreeMap::new();
        let mut times = Vec::new();
        let run = |name: &str, x: &[i128]| {
            let k: usize = name[1..].parse().unwrap();
            *got.entry((k, x.to_vec())).or_default() += 1;
            times.push(time(k, x, n));
        };
        interpret(ast, [("n", n)], 1_000_000, run).unwrap_or_else(|e| panic!("{e}\n{text}\n{ast}"));
        assert_eq!(got, expected, "n = {n}\n{text}\n{ast}");
        assert!(times.is_sorted(), "n = {n}: order\n{text}\n{ast}");
    }
}
