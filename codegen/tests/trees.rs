//! Small schedule trees and the C that they become, and what is refused.

use std::collections::BTreeMap;
use std::sync::Arc;

use loopwright_codegen::{Error, Options, ParamInfos, ParamType, generate, helpers_used};
use loopwright_schedule_tree::ScheduleTree;

fn options() -> Options {
    let params: ParamInfos = BTreeMap::from([(Arc::from("n"), ParamType::Int.into())]);
    Options { params, ..Options::default() }
}

fn run(tree: &str) -> Result<String, Error> {
    let tree: ScheduleTree = tree.parse().unwrap();
    generate(&tree, &options()).map(|ast| ast.to_string())
}

#[track_caller]
fn check(tree: &str, expect: &str) {
    assert_eq!(run(tree).unwrap(), expect, "\n{}", run(tree).unwrap());
}

#[track_caller]
fn refused(tree: &str, part: &str) {
    let error = run(tree).unwrap_err().to_string();
    assert!(error.contains(part), "{error}");
}

#[test]
fn a_band_is_a_loop() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"#,
        "for (int c0 = 0; c0 <= n - 1L; c0++) {\n  S(c0);\n}\n",
    );
}

#[test]
fn a_tiled_band_has_a_stride() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(32*floor(i/32))] }]"
  child:
    schedule: "[{ S[i] -> [(i)] }]"
"#,
        "for (long c0 = 0; c0 <= n - 1L; c0 += 32) {\n  for (int c1 = c0; c1 <= lw_min(n - 1L, c0 + 31); c1++) {\n    S(c1);\n  }\n}\n",
    );
}

#[test]
fn a_parallel_mark_is_a_pragma() {
    check(
        r#"
domain: "{ S[i, j] : 0 <= i < 10 and 0 <= j < i }"
child:
  mark: "parallel(4)"
  child:
    schedule: "[{ S[i, j] -> [(i)] }]"
    child:
      schedule: "[{ S[i, j] -> [(j)] }]"
"#,
        "#pragma omp parallel for num_threads(4)\nfor (int c0 = 1; c0 <= 9; c0++) {\n  for (int c1 = 0; c1 <= c0 - 1; c1++) {\n    S(c0, c1);\n  }\n}\n",
    );
}

#[test]
fn a_loop_that_vanished_has_no_pragma() {
    check(
        r#"
domain: "{ S[i, j] : i = 3 and 0 <= j < 5 }"
child:
  mark: "parallel"
  child:
    schedule: "[{ S[i, j] -> [(i)] }]"
    child:
      schedule: "[{ S[i, j] -> [(j)] }]"
"#,
        "for (int c1 = 0; c1 <= 4; c1++) {\n  S(3, c1);\n}\n",
    );
}

#[test]
fn a_shift_by_two_to_the_forty_is_computed_in_64_bits() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i + 1099511627776)] }]"
"#,
        "for (long c0 = 1099511627776L; c0 <= n + 1099511627775L; c0++) {\n  S(c0 - 1099511627776L);\n}\n",
    );
}

#[test]
fn statements_share_a_loop() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i)]; T[i] -> [(i + 1)] }]"
  child:
    sequence:
    - filter: "{ T[i] }"
    - filter: "{ S[i] }"
"#,
        "for (int c0 = 0; c0 <= n - 1L; c0++) {\n  if (c0 >= 1) {\n    T(c0 - 1);\n  }\n  S(c0);\n}\nif (n >= 1) {\n  T(n - 1);\n}\n",
    );
}

#[test]
fn unrolling_copies_the_body() {
    check(
        r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and i <= j <= i + 2 }"
child:
  schedule: "[{ S[i, j] -> [(i)] }]"
  child:
    schedule: "[{ S[i, j] -> [(j)] }]"
    options: "{ unroll[0] }"
"#,
        "for (int c0 = 0; c0 <= n - 1L; c0++) {\n  S(c0, c0);\n  S(c0, c0 + 1);\n  S(c0, c0 + 2L);\n}\n",
    );
}

#[test]
fn what_has_no_constant_number_of_trips_is_not_unrolled() {
    refused(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
  options: "{ unroll[0] }"
"#,
        "loop 0 (over S) cannot be unrolled: its number of iterations is not a constant (from 0 to n - 1)",
    );
}

#[test]
fn what_has_no_bound_is_refused() {
    refused(
        r#"
domain: "{ S[i] : 0 <= i }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"#,
        "loop 0 (over S) has no upper bound",
    );
}

#[test]
fn what_may_leave_64_bits_is_refused() {
    refused(
        r#"
domain: "[m] -> { S[i] : 0 <= i < 1048576m }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"#,
        "the value of `1048576 * m` cannot be proven to fit into 64 bits",
    );
}

#[test]
fn only_helpers_that_are_used_are_given() {
    let tree: ScheduleTree = r#"
domain: "[n, m] -> { S[i] : 0 <= i < n and i < m }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
"#
    .parse()
    .unwrap();
    let helpers = helpers_used(&generate(&tree, &options()).unwrap());
    assert_eq!(helpers, "static inline long lw_min(long a, long b) { return a < b ? a : b; }\n");
}

#[test]
fn statements_at_several_residues_share_a_loop_over_the_stride() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "[{ S[i] -> [(3i)]; T[i] -> [(3i + 1)] }]"
"#,
        "for (long c0 = 0; c0 <= 3 * (long)n - 3; c0 += 3) {\n  S(c0 / 3);\n  T(c0 / 3);\n}\n",
    );
}

#[test]
fn tiles_of_several_domains_keep_their_stride() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 2 <= i < n }"
child:
  schedule: "[{ S[i] -> [(8*floor(i/8))]; T[i] -> [(8*floor(i/8))] }]"
  child:
    schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
    child:
      sequence:
      - filter: "{ S[i] }"
      - filter: "{ T[i] }"
"#,
        "for (long c0 = 0; c0 <= n - 1L; c0 += 8) {\n  for (int c1 = c0; c1 <= lw_min(n - 1L, c0 + 7); c1++) {\n    S(c1);\n    if (c1 >= 2) {\n      T(c1);\n    }\n  }\n}\n",
    );
}

#[test]
fn a_first_instance_stands_before_its_loop() {
    check(
        r#"
domain: "[n] -> { S[]; T[k] : 0 <= k < n }"
child:
  schedule: "[{ S[] -> [(0)]; T[k] -> [(k)] }]"
  child:
    sequence:
    - filter: "{ S[] }"
    - filter: "{ T[k] }"
"#,
        "S();\nfor (int c0 = 0; c0 <= n - 1L; c0++) {\n  T(c0);\n}\n",
    );
}

#[test]
fn two_parallel_marks_are_one_pragma() {
    let tree = r#"
domain: "{ S[i] : 0 <= i < 10 }"
child:
  mark: "parallel(4)"
  child:
    mark: "parallel(8)"
    child:
      schedule: "[{ S[i] -> [(i)] }]"
"#;
    check(tree, "#pragma omp parallel for num_threads(4)\nfor (int c0 = 0; c0 <= 9; c0++) {\n  S(c0);\n}\n");
    let ast = generate(&tree.parse().unwrap(), &options()).unwrap();
    let lost: Vec<String> = ast.lost.iter().map(|mark| format!("{:?} {}", mark.path, mark.why)).collect();
    assert_eq!(lost, ["[0, 0] the loop is parallel already"]);
}

#[test]
fn a_guard_is_a_condition() {
    check(
        r#"
domain: "[n, m] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n, m] -> [{ S[i] -> [(i)] }]"
  child:
    guard: "[n, m] -> { [i0] : m > 0 and i0 < m }"
"#,
        "for (int c0 = 0; c0 <= n - 1L; c0++) {\n  if (m >= c0 + 1) {\n    S(c0);\n  }\n}\n",
    );
}

#[test]
fn a_context_is_taken_for_granted() {
    check(
        r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and i <= j < n }"
child:
  context: "[n] -> { [] : n > 5 }"
  child:
    schedule: "[n] -> [{ S[i, j] -> [(i)] }]"
    child:
      context: "[n] -> { [i0] : i0 < n - 1 }"
      child:
        schedule: "[n] -> [{ S[i, j] -> [(j)] }]"
"#,
        "for (int c0 = 0; c0 <= n - 1; c0++) {\n  for (int c1 = c0; c1 <= n - 1; c1++) {\n    S(c0, c1);\n  }\n}\n",
    );
}

#[test]
fn the_children_of_a_set_node_run_one_after_the_other() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  child:
    set:
    - filter: "{ T[i] }"
    - filter: "{ S[i] }"
"#,
        "for (int c0 = 0; c0 <= n - 1L; c0++) {\n  T(c0);\n  S(c0);\n}\n",
    );
}

#[test]
fn negative_multiples_count_in_their_steps() {
    check(
        r#"
domain: "[n] -> { S[i, j] : 0 <= i < n and 0 <= j < i }"
child:
  schedule: "[n] -> [{ S[i, j] -> [(-2i)] }, { S[i, j] -> [(3i - 3j)] }]"
"#,
        "for (long c0 = 2 - 2 * (long)n; c0 <= -2; c0 += 2) {\n  for (long c1 = 3; c1 <= -3 * (c0 / 2); c1 += 3) {\n    S(-(c0 / 2), -(c0 / 2) - c1 / 3);\n  }\n}\n",
    );
}

#[test]
fn separate_makes_a_loop_of_each_combination() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 10 <= i < 20 }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  options: "{ separate[0] }"
"#,
        "for (int c0 = 0; c0 <= lw_min(n - 1L, 9); c0++) {\n  S(c0);\n}\nfor (int c0 = 10; c0 <= lw_min(n - 1L, 19); c0++) {\n  S(c0);\n  T(c0);\n}\nfor (int c0 = 20; c0 <= n - 1L; c0++) {\n  S(c0);\n}\nfor (int c0 = lw_max(n, 10); c0 <= 19; c0++) {\n  T(c0);\n}\n",
    );
}

#[test]
fn atomic_makes_one_loop() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 10 <= i < 20 }"
child:
  schedule: "[n] -> [{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  options: "{ atomic[0] }"
"#,
        "for (int c0 = 0; c0 <= lw_max(n - 1L, 19); c0++) {\n  if (n >= c0 + 1) {\n    S(c0);\n  }\n  if (c0 >= 10 && c0 <= 19) {\n    T(c0);\n  }\n}\n",
    );
}

#[test]
fn extension_statements_stand_where_the_node_is() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  schedule: "[n] -> [{ S[i] -> [(8*floor(i/8))] }]"
  child:
    extension: "[n] -> { [i0] -> load[i0]; [i0] -> store[i0] }"
    child:
      sequence:
      - filter: "[n] -> { load[i] }"
      - filter: "[n] -> { S[i] }"
        child:
          schedule: "[n] -> [{ S[i] -> [(i)] }]"
      - filter: "[n] -> { store[i] }"
"#,
        "for (long c0 = 0; c0 <= n - 1L; c0 += 8) {\n  load(c0);\n  for (int c1 = c0; c1 <= lw_min(n - 1L, c0 + 7); c1++) {\n    S(c1);\n  }\n  store(c0);\n}\n",
    );
}

#[test]
fn full_tiles_are_isolated_from_partial_ones() {
    check(
        r#"
domain: "[n] -> { S[i] : 0 <= i < n }"
child:
  context: "[n] -> { [] : n >= 32 }"
  child:
    schedule: "[{ S[i] -> [(32*floor(i/32))] }]"
    options: "[n] -> { isolate[[] -> [t]] : 0 <= t <= n - 32 }"
    child:
      schedule: "[{ S[i] -> [(i)] }]"
"#,
        "for (int c0 = 0; c0 <= 32 * (n / 32) - 32; c0 += 32) {\n  for (int c1 = c0; c1 <= c0 + 31; c1++) {\n    S(c1);\n  }\n}\nfor (long c0 = 32 * (n / 32); c0 <= n - 1; c0 += 32) {\n  for (int c1 = c0; c1 <= n - 1; c1++) {\n    S(c1);\n  }\n}\n",
    );
}

#[test]
fn the_isolated_part_has_its_own_loop_types() {
    check(
        r#"
domain: "{ S[i] : 0 <= i < 100 }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
  options: "{ isolate[[] -> [x]] : 10 <= x <= 12; [isolate[] -> unroll[x]] }"
"#,
        "for (int c0 = 0; c0 <= 9; c0++) {\n  S(c0);\n}\nS(10);\nS(11);\nS(12);\nfor (int c0 = 13; c0 <= 99; c0++) {\n  S(c0);\n}\n",
    );
}

#[test]
fn a_part_over_other_outer_dimensions_is_not_isolated() {
    check(
        r#"
domain: "{ S[i] : 0 <= i < 100 }"
child:
  schedule: "[{ S[i] -> [(i)] }]"
  options: "{ isolate[[o] -> [x]] : 10 <= x <= 12 }"
"#,
        "for (int c0 = 0; c0 <= 99; c0++) {\n  S(c0);\n}\n",
    );
}

#[test]
fn an_expansion_runs_the_instances_that_one_stands_for() {
    check(
        r#"
domain: "[n] -> { B[i] : 0 <= i < n }"
child:
  schedule: "[{ B[i] -> [(i)] }]"
  child:
    contraction: "{ S[i] -> B[i]; T[i, j] -> B[i] }"
    expansion: "[n] -> { B[i] -> S[i]; B[i] -> T[i, j] : 0 <= j < i }"
    child:
      sequence:
      - filter: "{ S[i] }"
      - filter: "{ T[i, j] }"
        child:
          schedule: "[{ T[i, j] -> [(j)] }]"
"#,
        "for (int c0 = 0; c0 <= n - 1L; c0++) {\n  S(c0);\n  for (int c1 = 0; c1 <= c0 - 1; c1++) {\n    T(c0, c1);\n  }\n}\n",
    );
}
