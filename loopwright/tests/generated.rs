//! What generated code looks like and what surrounds it: strides, pragmas, helper functions, what is implied by types.

use loopwright::{Budget, Options, Program, Source, State, Step};
use std::process::Command;

fn after(text: &str, steps: &[&str]) -> (Program, State) {
    let program = Program::open(Source::from_text("a.c", text), &Options::default()).unwrap_or_else(|e| panic!("{e}"));
    let mut state = program.original();
    for text in steps {
        let step: Step = serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}"));
        state = program.apply(&state, &step).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert!(program.judge(&state, step.scop, &Budget::UNLIMITED).unwrap().legal, "{text}");
    }
    (program, state)
}

fn emitted(text: &str, steps: &[&str]) -> String {
    let (program, state) = after(text, steps);
    program.emit_all(&state, &Budget::UNLIMITED).unwrap()
}

/// A function around a region.
fn function(region: &str) -> String {
    format!("void f(int n, double *a, double *b) {{\n  int i, j;\n#pragma scop\n{region}\n#pragma endscop\n}}\n")
}

#[track_caller]
fn compiles(code: &str) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), code).unwrap();
    let output = Command::new("cc").args(["-fopenmp", "-c", "a.c"]).current_dir(dir.path()).output().unwrap();
    assert!(output.status.success(), "{}\n{code}", String::from_utf8_lossy(&output.stderr));
}

/// What stands in the region afterwards, all of it or in part.
#[track_caller]
fn region(text: &str, steps: &[&str], has: &[&str], has_not: &[&str]) {
    let code = emitted(&function(text), steps);
    for part in has {
        assert!(code.contains(part), "`{part}` is not in\n{code}");
    }
    for part in has_not {
        assert!(!code.contains(part), "`{part}` is in\n{code}");
    }
    compiles(&code);
}

const PAIR: &str = "for (i = 0; i < n; i++) a[i] = 1;\nfor (i = 2; i < n; i++) b[i] = a[i-2];";

#[test]
fn statements_with_other_domains_keep_the_stride_of_their_tiles() {
    region(
        PAIR,
        &[r#"{"path": [0], "move": ["FULL_FUSE"]}"#, r#"{"path": [0], "move": ["TILE_1D", 8]}"#],
        &["c0 = 0; c0 <= n - 1L; c0 += 8"],
        &["%"],
    );
}

#[test]
fn one_loop_is_parallel_once() {
    let program =
        Program::open(Source::from_text("a.c", &function("for (i = 0; i < n; i++) a[i] = 1;")), &Options::default()).unwrap();
    let mark =
        |path: &str| -> Step { serde_json::from_str(&format!(r#"{{"path": {path}, "move": ["SET_PARALLEL", 2]}}"#)).unwrap() };
    let marked = program.apply(&program.original(), &mark("[0]")).unwrap();
    let error = program.apply(&marked, &mark("[0, 0]")).unwrap_err().to_string();
    assert!(error.contains("the loop at [0, 0] is marked parallel already"), "{error}");
    assert!(program.apply(&marked, &mark("[0]")).is_err());
    assert!(marked.moves(0).unwrap().iter().all(|offer| offer.name != "SET_PARALLEL"));
}

const TILED: &[&str] = &[r#"{"path": [0], "move": ["TILE_1D", 8]}"#];
const LOOP: &str = "for (i = 0; i < n; i++) a[i] = 1;";
const MIN: &str = "static inline long lw_min(long a, long b) { return a < b ? a : b; }\n";

/// A file with text before and after a function whose tiled loop needs `lw_min`; how often that helper is defined, and as what.
#[track_caller]
fn helper(before: &str, after: &str, name: &str, definitions: usize) {
    let code = emitted(&format!("{before}{}{after}", function(LOOP)), TILED);
    assert!(code.contains(&format!("{name}(n - 1L, c0 + 7)")), "{code}");
    assert_eq!(code.matches(&format!("static inline long {name}(")).count(), definitions, "{code}");
    compiles(&code);
}

#[test]
fn helpers_are_defined_once_and_clash_with_nothing() {
    helper("", "", "lw_min", 1);
    helper("#include <stdio.h>\n/* f */\n", "", "lw_min", 1);
    // of an earlier run
    helper(MIN, "", "lw_min", 1);
    helper("static inline long\nlw_min(long a, long b)\n{ return a < b ? a : b; }\n", "", "lw_min", 0);
    // another function, variable, macro of that name
    helper("double lw_min(double x) { return x; }\n", "", "lw_min2", 1);
    helper("int lw_min, lw_min2;\n", "", "lw_min3", 1);
    helper("#define lw_min(x) (x)\n", "", "lw_min2", 1);
    helper("", "int lw_min;\n", "lw_min2", 1);
    // below, in a comment, in a string, in code that is left out
    helper("", MIN, "lw_min2", 1);
    helper(&format!("/*\n{MIN}*/\n"), "", "lw_min", 2);
    helper(&format!("const char *s = \"\\\n{}\";\n", MIN.trim()), "", "lw_min", 2);
    helper(&format!("#if 0\n{MIN}#endif\n"), "", "lw_min2", 1);
}

#[test]
fn a_second_run_uses_the_helpers_of_the_first() {
    let text = function(&format!("{LOOP}\n#pragma endscop\n a[0] += 1;\n#pragma scop\nfor (i = 0; i < n; i++) b[i] = 1;"));
    let once = emitted(&text, TILED);
    let body = once.find("void f").unwrap();
    let again = format!("{}{}", &once[..body], text);
    let twice = emitted(&again, TILED);
    assert_eq!(twice, once);
}

#[track_caller]
fn warns(text: &str, steps: &[&str], expect: &[&str]) {
    let (program, state) = after(&function(text), steps);
    let emitted = program.emitted(&state, &Budget::UNLIMITED).unwrap();
    let warnings: Vec<String> = emitted.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, expect, "{}", emitted.code);
    assert!(expect.is_empty() || !emitted.code.contains("#pragma omp"), "{}", emitted.code);
}

#[test]
fn marks_of_loops_that_vanish_are_reported() {
    let parallel = r#"{"path": [0], "move": ["SET_PARALLEL", 2]}"#;
    warns(LOOP, &[parallel], &[]);
    warns(
        "for (i = 3; i < 4; i++) for (j = 0; j < n; j++) a[j] = i;",
        &[parallel],
        &["the parallel mark at [0] of part 0: the loop has at most one iteration; no pragma written"],
    );
    warns(
        "for (i = 0; i < 4; i++) a[i] = i;",
        &[r#"{"path": [0], "move": ["SET_LOOP_OPT", 0, 2]}"#, parallel],
        &["the parallel mark at [0] of part 0: the loop is unrolled; no pragma written"],
    );
    warns(
        "for (i = 0; i < 4; i++) if (i > 5) a[i] = i;",
        &[parallel],
        &["the parallel mark at [0] of part 0: no instance is run there; no pragma written"],
    );
}

#[test]
fn what_types_imply_is_not_asked() {
    region(
        "for (i = 0; i < n; i++) for (j = 0; j <= i; j++) a[j] += 1;",
        &[r#"{"path": [0], "move": ["INTERCHANGE"]}"#],
        &[],
        &["2147483647"],
    );
    region("for (i = 0; i < n; i += 2) a[i] = 1;", &[], &["c0 += 2"], &["% 2", "if ("]);
    region("for (i = 0; i < n; i++) if (i % 2 == 0 && i > 3) a[i] = 1;", &[], &["c0 = 4; ", "c0 += 2"], &["% 2", "if ("]);
}

#[test]
fn a_counter_of_its_own_type_needs_no_cast() {
    region("for (i = 0; i < n; i++) a[i] = i;", &[], &["a[c0] = c0;"], &[]);
    region("for (i = 0; i < n; i++) a[i] = i;", &TILED[..1], &["a[c1] = c1;"], &[]);
    region("for (i = 0; i < n; i++) a[i] = i;", &[r#"{"path": [0], "move": ["FULL_SHIFT_VAL", 1]}"#], &["a[((int)(c0 - 1"], &[]);
    region("for (long k = 0; k < n; k++) a[k] = k;", &[], &["a[((long)(c0))]"], &[]);
}

const JACOBI: &str = "void f(int T, int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        B[i][j] = 0.2 * (A[i][j] + A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < n - 1; j++)
        A[i][j] = B[i][j];
  }
#pragma endscop
}
";

#[test]
fn jacobi_fused_skewed_and_tiled_steps_from_tile_to_tile() {
    let steps = [
        r#"{"path": [0, 0, 1, 0], "move": ["FULL_SHIFT_VAL", 1]}"#,
        r#"{"path": [0, 0, 1, 0, 0], "move": ["FULL_SHIFT_VAL", 1]}"#,
        r#"{"path": [0, 0], "move": ["FULL_FUSE"]}"#,
        r#"{"path": [0, 0, 0], "move": ["FULL_FUSE"]}"#,
        r#"{"path": [0, 0], "move": ["FULL_SHIFT_VAR", 0, 2]}"#,
        r#"{"path": [0, 0, 0], "move": ["FULL_SHIFT_VAR", 0, 2]}"#,
        r#"{"path": [0], "move": ["TILE_3D", 16, 32, 128]}"#,
    ];
    let program = Program::open(Source::from_text("a.c", JACOBI), &Options::default()).unwrap();
    let apply = |state, text: &&str| program.apply(&state, &serde_json::from_str::<Step>(text).unwrap()).unwrap();
    let state = steps.iter().fold(program.original(), apply);
    assert!(program.judge(&state, 0, &Budget::UNLIMITED).unwrap().legal);
    let code = program.emit(&state, &Budget::UNLIMITED).unwrap();
    for part in ["c0 = 0; c0 <= T - 1L; c0 += 16)", "c1 = 2 * c0; ", "c1 += 32)", "c2 += 128)"] {
        assert!(code.contains(part), "`{part}` is not in\n{code}");
    }
    assert!(!code[code.find("void f").unwrap()..].contains('%'), "{code}");
    compiles(&code);
}
