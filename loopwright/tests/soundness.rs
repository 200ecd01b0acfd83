//! What other tools accept wrongly, refuse wrongly, or miscompile: each a test here.

use loopwright::{Answer, Budget, Options, Program, Source, State, Step};
use std::process::Command;

fn program(text: &str) -> Program {
    Program::open(Source::from_text("test.c", text), &Options::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn step(text: &str) -> Step {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"))
}

/// The state after all steps, each `{"path": .., "move": ..}`, and the answer to the last one.
#[track_caller]
fn after(program: &Program, steps: &[&str]) -> (State, Answer) {
    let mut state = program.original();
    let mut answer = program.judge(&state, 0, &Budget::UNLIMITED).unwrap();
    for text in steps {
        state = program.apply(&state, &step(text)).unwrap_or_else(|e| panic!("{text}: {e}"));
        answer = program.judge(&state, 0, &Budget::UNLIMITED).unwrap();
    }
    (state, answer)
}

/// A function `f` with this body around and in its region.
fn function(before: &str, region: &str, after: &str) -> String {
    format!(
        "void f(int n, double A[64][64], double B[64][64], double *x) {{\n{before}\n#pragma scop\n{region}\n#pragma endscop\n{after}\n}}\n"
    )
}

#[track_caller]
fn illegal(region: &str, steps: &[&str], kind: &str) {
    let program = program(&function("int i, j; double s;", region, ""));
    let (_, answer) = after(&program, steps);
    assert!(!answer.legal && answer.refused.is_none(), "{answer}");
    assert_eq!(answer.witness.expect("a witness").kind, kind);
}

#[track_caller]
fn legal(region: &str, steps: &[&str]) {
    let program = program(&function("int i, j; double s;", region, ""));
    let (state, answer) = after(&program, steps);
    assert!(answer.legal, "{answer}");
    program.emit_all(&state, &Budget::UNLIMITED).unwrap();
}

#[track_caller]
fn refused(region: &str, text: &str, expect: &str) {
    let program = program(&function("int i, j; double s;", region, ""));
    let error = program.apply(&program.original(), &step(text)).unwrap_err().to_string();
    assert!(error.contains(expect), "{error}");
}

/// Compiles the original and the transformed file, which print with their own `main`, and compares what they print.
#[track_caller]
fn same_output(text: &str, steps: &[&str]) -> String {
    let program = program(text);
    let (state, answer) = after(&program, steps);
    assert!(answer.legal, "{answer}");
    let code = program.emit_all(&state, &Budget::UNLIMITED).unwrap();
    let expected = output_of(text);
    assert_eq!(output_of(&code), expected, "{code}");
    assert!(expected.len() > 10, "the program prints something");
    code
}

#[track_caller]
fn output_of(text: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), text).unwrap();
    let compiled = Command::new("cc")
        .args(["-O2", "-ffp-contract=off", "-fopenmp", "-Wno-unknown-pragmas", "-o", "a", "a.c", "-lm"])
        .current_dir(dir.path())
        .output()
        .unwrap();
    assert!(compiled.status.success(), "{}\n{text}", String::from_utf8_lossy(&compiled.stderr));
    let run = Command::new(dir.path().join("a")).env("OMP_NUM_THREADS", "4").output().unwrap();
    assert!(run.status.success(), "{text}");
    String::from_utf8(run.stdout).unwrap()
}

const UP_LEFT: &str = "for (i = 1; i < n; i++) for (j = 0; j < n - 1; j++) A[i][j] = A[i - 1][j + 1];";
const INTERCHANGE: &str = r#"{"path": [0], "move": ["INTERCHANGE"]}"#;
const PARALLEL: &str = r#"{"path": [0], "move": ["SET_PARALLEL", 4]}"#;

#[test]
fn an_illegal_order_stays_illegal_under_a_parallel_mark() {
    illegal(UP_LEFT, &[INTERCHANGE], "RAW");
    illegal(UP_LEFT, &[INTERCHANGE, PARALLEL], "RAW");
    // below the mark the inner loop is still in the wrong order
    illegal(UP_LEFT, &[INTERCHANGE, r#"{"path": [0, 0], "move": ["SET_PARALLEL", 0]}"#], "RAW");
}

#[test]
fn a_parallel_mark_is_proven_again_after_every_step() {
    let two = "for (i = 0; i < n; i++) { x[i] = 1.0; A[i][0] = x[i]; }";
    legal(two, &[PARALLEL]);
    // the second statement now runs one iteration later than the first, in parallel with it
    illegal(two, &[PARALLEL, r#"{"path": [0, 0], "move": ["PARTIAL_SHIFT_VAL", 1, 1]}"#], "RAW");
    legal(two, &[r#"{"path": [0], "move": ["PARTIAL_SHIFT_VAL", 1, 1]}"#]);
}

#[test]
fn scalars_declared_in_the_region_keep_their_dependences() {
    let local = "for (i = 0; i < n; i++) { double t; t = x[i]; x[i] = t * 2.0; }";
    illegal(local, &[r#"{"path": [0, 0], "move": ["FULL_SPLIT"]}"#], "WAR");
    illegal(local, &[r#"{"path": [0], "move": ["PARTIAL_SHIFT_VAL", 1, 1]}"#], "WAR");
    illegal(local, &[PARALLEL], "RAW");
}

#[test]
fn dead_writes_keep_their_chains() {
    // the first write is overwritten before anything reads it, but it must not move behind the second one
    let dead = "for (i = 0; i < n; i++) { s = x[i]; s = 1.0; }";
    illegal(dead, &[r#"{"path": [0], "move": ["PARTIAL_SHIFT_VAL", 0, 1]}"#], "WAW");
    illegal(dead, &[r#"{"path": [0, 0], "move": ["FULL_SPLIT"]}"#], "WAW");
    // a read before a dead write
    let read = "for (i = 0; i < n; i++) { A[i][0] = x[i + 1]; x[i] = 0.0; x[i] = 1.0; }";
    illegal(read, &[r#"{"path": [0], "move": ["PARTIAL_SHIFT_VAL", 0, 2]}"#], "WAR");
    legal(read, &[r#"{"path": [0], "move": ["PARTIAL_SHIFT_VAL", 0, -2]}"#]);
}

#[test]
fn fusing_backwards_or_with_itself_is_refused() {
    let two = "for (i = 0; i < n; i++) x[i] = 1.0; for (j = 0; j < n; j++) A[j][0] = x[j];";
    legal(two, &[r#"{"path": [0], "move": ["FUSE", 0, 1]}"#]);
    refused(two, r#"{"path": [0], "move": ["FUSE", 1, 0]}"#, "FUSE");
    refused(two, r#"{"path": [0], "move": ["FUSE", 1, 1]}"#, "FUSE");
}

#[test]
fn parallel_asks_for_pairs_with_equal_outer_iterations() {
    // one iteration carries nothing
    legal("for (i = 3; i < 4; i++) x[0] = x[0] + A[i][0];", &[PARALLEL]);
    // carried by the outer loop only
    legal(
        "for (i = 1; i < n; i++) for (j = 0; j < n; j++) A[i][j] = A[i - 1][j];",
        &[r#"{"path": [0, 0], "move": ["SET_PARALLEL", 4]}"#],
    );
    illegal("for (i = 1; i < n; i++) for (j = 0; j < n; j++) A[i][j] = A[i - 1][j];", &[PARALLEL], "RAW");
}

#[test]
fn decreasing_recurrences() {
    let back = "for (i = n - 2; i >= 0; i--) x[i] = 0.5 * x[i + 1] + 1.0;";
    illegal(back, &[PARALLEL], "RAW");
    legal(back, &[r#"{"path": [0], "move": ["TILE_1D", 4]}"#]);
    same_output(
        "#include <stdio.h>\nint main(void) {\n  double x[40]; int i;\n  for (i = 0; i < 40; i++) x[i] = i * 0.37;\n#pragma scop\n  for (i = 38; i >= 0; i--)\n    x[i] = 0.5 * x[i + 1] + 1.0;\n#pragma endscop\n  for (i = 0; i < 40; i++) printf(\"%a\\n\", x[i]);\n  return 0;\n}\n",
        &[r#"{"path": [0], "move": ["TILE_1D", 7]}"#],
    );
}

#[test]
fn parity_guards_stay() {
    let code = same_output(
        "#include <stdio.h>\nint main(void) {\n  static double A[30][30]; int i, j;\n  for (i = 0; i < 30; i++) for (j = 0; j < 30; j++) A[i][j] = i * 31 + j;\n#pragma scop\n  for (i = 1; i < 29; i++)\n    for (j = 1; j < 29; j++)\n      if ((i + j) % 2 == 0)\n        A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);\n#pragma endscop\n  for (i = 0; i < 30; i++) for (j = 0; j < 30; j++) printf(\"%a\\n\", A[i][j]);\n  return 0;\n}\n",
        &[r#"{"path": [0], "move": ["TILE_2D", 5, 8]}"#, PARALLEL],
    );
    assert!(code.contains('%') || code.contains("+= 2"), "{code}");
}

#[test]
fn long_counters_and_large_shifts() {
    same_output(
        "#include <stdio.h>\nint main(void) {\n  double x[40]; long i, lo = 3000000000L, n = 3000000040L;\n  for (i = 0; i < 40; i++) x[i] = 1.0 / (i + 1);\n#pragma scop\n  for (i = lo; i < n; i++)\n    x[i - lo] = x[i - lo] * (double)i;\n#pragma endscop\n  for (i = 0; i < 40; i++) printf(\"%a\\n\", x[i]);\n  return 0;\n}\n",
        &[r#"{"path": [0], "move": ["FULL_SHIFT_VAL", 1099511627776]}"#, r#"{"path": [0], "move": ["TILE_1D", 16]}"#],
    );
}

#[test]
fn counters_read_after_the_region() {
    for bound in ["n", "0"] {
        let text = format!(
            "#include <stdio.h>\nint main(int argc, char **argv) {{\n  double x[64]; int i = 99, n = 30 + argc, k = 0;\n  for (k = 0; k < 64; k++) x[k] = k;\n#pragma scop\n  for (i = 0; i < {bound}; i++)\n    x[i] = x[i] + 1.0;\n#pragma endscop\n  printf(\"%d\\n\", i);\n  for (k = 0; k < 64; k++) printf(\"%a\\n\", x[k]);\n  return 0;\n}}\n"
        );
        same_output(&text, &[r#"{"path": [0], "move": ["TILE_1D", 8]}"#]);
    }
}

#[test]
fn statements_sink_into_loops() {
    const SINK: &str = r#"{"path": [0, 0], "move": ["FUSE", 0, 1]}"#;
    let sum = "for (i = 0; i < n; i++) { x[i] = 0.0; for (j = 0; j < n; j++) x[i] += A[i][j]; }";
    // a perfect nest: it can be tiled and interchanged
    legal(sum, &[SINK, r#"{"path": [0], "move": ["TILE_2D", 4, 4]}"#, r#"{"path": [0, 0], "move": ["INTERCHANGE"]}"#]);
    // behind the loop the statement would run at its start
    illegal("for (i = 0; i < n; i++) { for (j = 0; j < n; j++) x[i] += A[i][j]; x[i] = 0.0; }", &[SINK], "WAR");
    // at 0, a loop from 1 on is still behind it, one down to 0 is not
    legal("for (i = 0; i < n; i++) { x[i] = 0.0; for (j = 1; j < n; j++) x[i] += A[i][j]; }", &[SINK]);
    illegal("for (i = 0; i < n; i++) { x[i] = 0.0; for (j = n - 1; j >= 0; j--) x[i] += A[i][j]; }", &[SINK], "RAW");
    // two statements get a common band, in which a shift reorders them
    let two = "for (i = 0; i < n; i++) { x[i] = 0.0; A[i][0] = 1.0; }";
    legal(two, &[SINK, r#"{"path": [0, 0], "move": ["PARTIAL_SHIFT_VAL", 0, 1]}"#]);
    for n in [0, 1, 5, 19] {
        let text = format!(
            "#include <stdio.h>\nint main(void) {{\n  double x[20], A[20][20]; int i, j, n = {n};\n  for (i = 0; i < 20; i++) for (j = 0; j < 20; j++) A[i][j] = i * 0.3 + j, x[i] = 7;\n#pragma scop\n  for (i = 0; i < n; i++) {{\n    x[i] = A[i][3];\n    for (j = 1; j < i; j++)\n      x[i] += A[i][j];\n  }}\n#pragma endscop\n  for (i = 0; i < 20; i++) printf(\"%a\\n\", x[i]);\n  return 0;\n}}\n"
        );
        same_output(&text, &[SINK, r#"{"path": [0], "move": ["TILE_2D", 3, 4]}"#, PARALLEL]);
        same_output(&text, &[SINK, r#"{"path": [0], "move": ["INTERCHANGE"]}"#]);
    }
}
