//! The order oracle, and its agreement with the schedule map.

use loopwright_presburger::{Int, UnionMap};
use loopwright_schedule_tree::{Instance, Move, Order, Path, Registry, ScheduleTree};

const JACOBI: &str = r#"
domain: "[T, n] -> { S[t, i] : 0 <= t < T and 0 < i < n - 1; R[t, i] : 0 <= t < T and 0 < i < n - 1 }"
child:
  schedule: "L_0[{ S[t, i] -> [(t)]; R[t, i] -> [(t)] }]"
  child:
    sequence:
    - filter: "{ S[t, i] }"
      child: { schedule: "L_1[{ S[t, i] -> [(i)] }]" }
    - filter: "{ R[t, i] }"
      child: { schedule: "L_2[{ R[t, i] -> [(-i)] }]" }
"#;

const BRANCH: &str = r#"
domain: "{ P[i] : 0 <= i < 8; Q[i] : 0 <= i < 8; A[i] : 0 <= i < 8 }"
child:
  schedule: "[{ P[i] -> [(floor(i/2))]; Q[i] -> [(floor(i/2))]; A[i] -> [(-1)] }]"
  child:
    set:
    - filter: "{ P[i]; A[i] }"
    - filter: "{ Q[i] }"
"#;

fn instance(text: &str) -> Instance {
    let (name, rest) = text.split_once('[').unwrap();
    let coordinates: Vec<i64> = rest.trim_end_matches(']').split(',').map(|c| c.trim().parse().unwrap()).collect();
    Instance::new(name, &coordinates)
}

#[track_caller]
fn check(tree: &str, a: &str, b: &str, expect: Order) {
    let tree: ScheduleTree = tree.parse().unwrap();
    let params = [("T", Int::from(4)), ("n", Int::from(6))];
    assert_eq!(tree.order(&instance(a), &instance(b), &params), Ok(expect));
    let turned = match expect {
        Order::Before => Order::After,
        Order::After => Order::Before,
        other => other,
    };
    assert_eq!(tree.order(&instance(b), &instance(a), &params), Ok(turned));
}

#[test]
fn concrete_instances() {
    check(JACOBI, "S[0, 1]", "S[0, 2]", Order::Before);
    check(JACOBI, "R[0, 1]", "R[0, 2]", Order::After);
    check(JACOBI, "R[0, 1]", "S[1, 4]", Order::Before);
    check(JACOBI, "R[1, 4]", "S[1, 1]", Order::After);
    check(JACOBI, "S[2, 2]", "S[2, 2]", Order::Same);
    check(BRANCH, "P[0]", "P[1]", Order::Equal);
    check(BRANCH, "P[0]", "Q[1]", Order::Unordered);
    check(BRANCH, "P[1]", "Q[2]", Order::Before);
    check(BRANCH, "P[7]", "A[0]", Order::After);
}

#[track_caller]
fn refused(tree: &str, a: &str, b: &str, expect: &str) {
    let tree: ScheduleTree = tree.parse().unwrap();
    let params = [("T", Int::from(4)), ("n", Int::from(6))];
    assert_eq!(tree.order(&instance(a), &instance(b), &params).unwrap_err().to_string(), expect);
}

#[test]
fn instances_that_do_not_run() {
    refused(JACOBI, "S[0, 1]", "S[0, 5]", "the domain at [] does not contain S[0, 5]");
    refused(JACOBI, "X[0]", "S[0, 1]", "the domain at [] does not contain X[0]");
    refused(JACOBI, "S[0]", "S[0, 1]", "the domain at [] does not contain S[0]");
}

// The order by the flat map: lexicographic comparison of the times.
fn by_map(map: &UnionMap, a: &Instance, b: &Instance, params: &[(&str, Int)]) -> std::cmp::Ordering {
    let time = |i: &Instance| {
        let map = map.members().find(|m| m.space().domain_tuple().unwrap().name() == Some(&i.statement)).unwrap();
        let mut fixed = map.clone();
        for (name, value) in params {
            if let Some(position) = fixed.space().param_position(name) {
                fixed = fixed.fix(loopwright_presburger::Dim::Param, position, value);
            }
        }
        for (position, value) in i.coordinates.iter().enumerate() {
            fixed = fixed.fix(loopwright_presburger::Dim::In, position, value);
        }
        let points = fixed.range().project_out_all_params().points().unwrap();
        assert_eq!(points.len(), 1, "{i} has one time");
        points[0].coords.clone()
    };
    time(a).cmp(&time(b))
}

#[test]
fn the_schedule_map_orders_as_the_tree_does() {
    let registry = Registry::standard();
    let params = [("T", Int::from(2)), ("n", Int::from(5))];
    let instances: Vec<Instance> =
        ["S", "R"].into_iter().flat_map(|s| (0..2).flat_map(move |t| (1..4).map(move |i| Instance::new(s, &[t, i])))).collect();
    let scripts = [
        "TILE_1D(2) at [0]",
        "FULL_FUSE at [0, 0]",
        "FULL_SPLIT at [0, 0]",
        "PARTIAL_SHIFT_VAR(0, 1, -2) at [0]",
        "SCALE(3) at [0]",
    ];
    for script in scripts {
        let (action, place) = script.split_once(" at ").unwrap();
        let path: Path = serde_json::from_str::<Vec<usize>>(place).unwrap().into();
        let tree: ScheduleTree = JACOBI.parse().unwrap();
        let tree = registry.apply(&tree.at(&path).unwrap(), &action.parse::<Move>().unwrap()).unwrap();
        let map = tree.schedule_map().unwrap();
        for a in &instances {
            for b in &instances {
                let expect = match tree.order(a, b, &params).unwrap() {
                    Order::Before => std::cmp::Ordering::Less,
                    Order::After => std::cmp::Ordering::Greater,
                    _ => std::cmp::Ordering::Equal,
                };
                assert_eq!(by_map(&map, a, b, &params), expect, "{script}: {a} and {b}");
            }
        }
    }
}

#[track_caller]
fn script(text: &str) -> ScheduleTree {
    let registry = Registry::standard();
    text.split("; ").filter(|s| !s.is_empty()).fold(JACOBI.parse().unwrap(), |tree: ScheduleTree, step| {
        let (action, place) = step.split_once(" at ").unwrap();
        let path: Path = serde_json::from_str::<Vec<usize>>(place).unwrap().into();
        registry.apply(&tree.at(&path).unwrap(), &action.parse::<Move>().unwrap()).unwrap()
    })
}

// All pairs of instances are ordered alike by two scripts.
#[track_caller]
fn same(a: &str, b: &str) {
    let (first, second) = (script(a), script(b));
    let params = [("T", Int::from(3)), ("n", Int::from(6))];
    let instances: Vec<Instance> =
        ["S", "R"].into_iter().flat_map(|s| (0..3).flat_map(move |t| (1..5).map(move |i| Instance::new(s, &[t, i])))).collect();
    for x in &instances {
        for y in &instances {
            assert_eq!(first.order(x, y, &params), second.order(x, y, &params), "{x} and {y}");
        }
    }
}

#[test]
fn moves_that_keep_the_order() {
    same("", "TILE_1D(2) at [0]");
    same("", "TILE_1D(3) at [0, 0, 1, 0]");
    same("", "SCALE(5) at [0]; SCALE(2) at [0, 0, 0, 0]");
    same("", "FULL_SHIFT_VAL(-7) at [0, 0, 1, 0]");
    same("", "FULL_SHIFT_PARAM(n, 3) at [0]");
    same("", "SET_PARALLEL(0) at [0]; SET_LOOP_OPT(0, 1) at [0, 0]");
    same("FULL_SHIFT_VAL(1) at [0]", "PARTIAL_SHIFT_VAL(0, 1) at [0]; PARTIAL_SHIFT_VAL(1, 1) at [0]");
    same("FULL_SPLIT at [0, 0]", "SPLIT(1) at [0, 0]");
    same("", "FULL_SPLIT at [0, 0]; FUSE(0, 1) at [0]");
    same("FULL_FUSE at [0, 0]", "FUSE(0, 1) at [0, 0]");
    same("", "FULL_FUSE at [0, 0]; FULL_SPLIT at [0, 0, 0]");
}
