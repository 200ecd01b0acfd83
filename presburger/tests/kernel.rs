//! The kernel against brute force: normal form, Omega emptiness, known divs.

use loopwright_presburger::linalg::Row;
use loopwright_presburger::solve::omega;
use loopwright_presburger::{Budget, Columns, Div, Int, System};
use proptest::prelude::*;

const DIM: i64 = 2;
const DIV: i64 = 4;

/// A random system over `dims` dimensions and `divs` existentials (some with definitions), all in small boxes.
fn systems() -> impl Strategy<Value = System> {
    (1usize..=3, 0usize..=2).prop_flat_map(|(dims, divs)| {
        let width = 1 + dims + divs;
        let row = move || proptest::collection::vec(-4i64..=4, width);
        let constant = -9i64..=9;
        let rows = proptest::collection::vec((row(), constant, prop::bool::weighted(0.25)), 0..5);
        let defs = proptest::collection::vec(proptest::option::of((row(), 1i64..=5)), divs);
        (rows, defs).prop_map(move |(rows, defs)| build(dims, divs, rows, defs))
    })
}

fn build(dims: usize, divs: usize, rows: Vec<(Vec<i64>, i64, bool)>, defs: Vec<Option<(Vec<i64>, i64)>>) -> System {
    let columns = Columns { params: 0, domain: 0, range: dims, divs };
    let mut system = System::universe(columns);
    for (mut coefficients, constant, equality) in rows {
        coefficients[0] = constant;
        if equality { system.push_eq(Row::from_slice(&coefficients)) } else { system.push_ineq(Row::from_slice(&coefficients)) }
    }
    for (d, def) in defs.into_iter().enumerate() {
        if let Some((mut num, den)) = def {
            num[columns.div(d)..].fill(0);
            system.set_div(d, Some(Div { num: Row::from_slice(&num), den: Int::from(den) }));
        }
    }
    for col in 1..columns.len() {
        let bound = if col < columns.first_div() { DIM } else { DIV };
        for sign in [1, -1] {
            let mut row = Row::zero(columns.len());
            row.set(0, Int::from(bound));
            row.set(col, Int::from(sign));
            system.push_ineq(row);
        }
    }
    system
}

/// The points over the dimensions alone, by trying every value; `reach` bounds unknown divs.
fn points(system: &System, dims: usize, reach: i64) -> Vec<Vec<i64>> {
    let mut out = Vec::new();
    let mut point = vec![-DIM; dims];
    loop {
        if holds(system, &point, reach) {
            out.push(point.clone());
        }
        let Some(i) = (0..dims).find(|&i| point[i] < DIM) else {
            return out;
        };
        point[i] += 1;
        point[..i].fill(-DIM);
    }
}

fn holds(system: &System, dims: &[i64], reach: i64) -> bool {
    let columns = system.columns();
    let mut partial = vec![vec![1]];
    partial[0].extend_from_slice(dims);
    for d in 0..columns.divs {
        let def = &system.divs()[d];
        partial = partial
            .into_iter()
            .flat_map(|p| -> Vec<Vec<i64>> {
                let values: Vec<i64> = match def {
                    Some(def) => {
                        let mut full: Vec<Int> = p.iter().map(|&v| Int::from(v)).collect();
                        full.resize(columns.len(), Int::ZERO);
                        vec![def.num.dot(&full).div_floor(&def.den).to_i64().unwrap()]
                    }
                    None => (-reach..=reach).collect(),
                };
                values.into_iter().map(|v| [&p[..], &[v]].concat()).collect()
            })
            .collect();
    }
    partial.iter().any(|p| {
        let full: Vec<Int> = p.iter().map(|&v| Int::from(v)).collect();
        system.contains(&full)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn omega_decides_emptiness(system in systems()) {
        let dims = system.columns().range;
        let expect = points(&system, dims, DIV).is_empty();
        prop_assert_eq!(omega::is_empty(&system, &Budget::UNLIMITED).unwrap(), expect);
    }

    #[test]
    fn normal_form_keeps_the_points(system in systems()) {
        let dims = system.columns().range;
        let expect = points(&system, dims, DIV);
        match system.clone().normalized() {
            None => prop_assert!(expect.is_empty()),
            Some(normal) => {
                // Unknown divs of the normal form may be other ones than before: search farther.
                prop_assert_eq!(&points(&normal, dims, 12), &expect, "normal form {:?}", normal);
                let again = normal.clone().normalized();
                prop_assert_eq!(again.as_ref(), Some(&normal));
            }
        }
    }

    #[test]
    fn known_divs_keep_the_points(system in systems()) {
        let dims = system.columns().range;
        let expect = points(&system, dims, DIV);
        let parts = omega::with_known_divs(&system, &Budget::UNLIMITED).unwrap();
        prop_assert!(parts.iter().all(System::divs_known));
        let mut got: Vec<Vec<i64>> = parts.iter().flat_map(|p| points(p, dims, 0)).collect();
        got.sort();
        got.dedup();
        let mut expect = expect;
        expect.sort();
        prop_assert_eq!(got, expect);
    }
}

#[test]
fn budget_is_obeyed() {
    // A thin simplex: many splinters.
    let columns = Columns { params: 0, domain: 0, range: 3, divs: 0 };
    let mut system = System::universe(columns);
    for row in [[0, 1000, -1001, 0], [-1, -1000, 1002, 0], [0, 0, 997, -1003], [-3, 0, -998, 1005], [100_000, -1, -1, -1]] {
        system.push_ineq(Row::from_slice(&row));
    }
    assert!(omega::is_empty(&system, &Budget::steps(50)).is_err());
}
