//! Random schedule maps: the interpreter's instances are those of the domains, in the order of their times.
//!
//! The oracle shares nothing with the library: domains and schedules are small expressions that print as isl notation for the
//! generator and are evaluated point by point here.

use std::collections::BTreeMap;

use loopwright_codegen::{Options, Unrolling, generate_from_map, interpret, read_triple};
use proptest::prelude::*;

/// `(sum of coefficient * variable + constant)`, then perhaps divided, multiplied or reduced.
#[derive(Debug, Clone)]
struct Form {
    coefficients: [i128; 3],
    param: i128,
    constant: i128,
    shape: Shape,
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    Plain,
    Floor(i128),
    Tile(i128),
    Mod(i128),
}

impl Form {
    fn text(&self, dims: usize) -> String {
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

    fn value(&self, x: &[i128], n: i128) -> i128 {
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

#[derive(Debug, Clone)]
struct Statement {
    dims: usize,
    box_: [(i128, i128); 3],
    constraints: Vec<Form>,
    time: Vec<Form>,
}

impl Statement {
    fn text(&self, name: usize) -> String {
        let vars: Vec<String> = (0..self.dims).map(|k| format!("x{k}")).collect();
        let time: Vec<String> = self.time.iter().map(|f| f.text(self.dims)).collect();
        let mut domain: Vec<String> =
            (0..self.dims).map(|k| format!("{} <= x{k} <= {}", self.box_[k].0, self.box_[k].1)).collect();
        domain.extend(self.constraints.iter().map(|f| format!("{} >= 0", f.text(self.dims))));
        let domain = if domain.is_empty() { "0 = 0".into() } else { domain.join(" and ") };
        format!("S{name}[{}] -> [{}] : {domain}", vars.join(", "), time.join(", "))
    }

    fn instances(&self, n: i128) -> Vec<Vec<i128>> {
        let mut points = vec![Vec::new()];
        for (low, high) in &self.box_[..self.dims] {
            points = points.iter().flat_map(|p| (*low..=*high).map(move |v| [&p[..], &[v]].concat())).collect();
        }
        points.retain(|p| self.constraints.iter().all(|f| f.value(p, n) >= 0));
        points
    }

    fn time(&self, x: &[i128], n: i128, length: usize) -> Vec<i128> {
        let mut time: Vec<i128> = self.time.iter().map(|f| f.value(x, n)).collect();
        time.resize(length, 0);
        time
    }
}

fn form() -> impl Strategy<Value = Form> {
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

fn statement() -> impl Strategy<Value = Statement> {
    let bounds = prop::array::uniform3((-2i128..2, 0i128..5).prop_map(|(low, size)| (low, low + size)));
    (0usize..4, bounds, prop::collection::vec(form(), 0..3), prop::collection::vec(form(), 1..4))
        .prop_map(|(dims, box_, constraints, time)| Statement { dims, box_, constraints, time })
}

fn check(statements: &[Statement], style: &str) {
    let maps: Vec<String> = statements.iter().enumerate().map(|(k, s)| s.text(k)).collect();
    let length = statements.iter().map(|s| s.time.len()).max().unwrap_or(0);
    let dims: Vec<String> = (0..length).map(|k| format!("t{k}")).collect();
    let styles = if style.is_empty() { "{ }".into() } else { format!("{{ [{}] -> {style}[x] }}", dims.join(", ")) };
    let text = format!("[n] -> {{ {} }}\n[n] -> {{ : -9 <= n <= 9 }}\n{styles}", maps.join("; "));
    let (schedule, context, styles) = read_triple(&text).unwrap();
    let options = Options { unroll: Unrolling::Preferred, ..Options::default() };
    let ast = generate_from_map(&schedule, &context, &styles, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    for n in [-1, 0, 3] {
        let mut expected: BTreeMap<(usize, Vec<i128>), usize> = BTreeMap::new();
        for (k, s) in statements.iter().enumerate() {
            s.instances(n).into_iter().for_each(|x| *expected.entry((k, x)).or_default() += 1);
        }
        let mut got = BTreeMap::new();
        let mut times = Vec::new();
        let run = |name: &str, x: &[i128]| {
            let k: usize = name[1..].parse().unwrap();
            *got.entry((k, x.to_vec())).or_default() += 1;
            times.push(statements[k].time(x, n, length));
        };
        interpret(&ast, [("n", n)], 1_000_000, run).unwrap_or_else(|e| panic!("{e}\n{text}\n{ast}"));
        assert_eq!(got, expected, "n = {n}\n{text}\n{ast}");
        assert!(times.is_sorted(), "n = {n}: order\n{text}\n{ast}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn one_statement(s in statement()) {
        check(&[s], "");
    }

    #[test]
    fn several_statements(s in prop::collection::vec(statement(), 2..4)) {
        check(&s, "");
    }

    #[test]
    fn other_styles(s in prop::collection::vec(statement(), 1..3), style in prop::sample::select(vec!["separate", "atomic", "unroll"])) {
        check(&s, style);
    }
}
