//! Wrong input of every kind: a located error, the right exit code, no panic, and no output file.

use std::path::Path;
use std::process::Command;

const GOOD: &str =
    "void f(int n, double *A) {\n  int i;\n#pragma scop\n  for (i = 1; i < n; i++)\n    A[i] = A[i - 1];\n#pragma endscop\n}\n";

/// Runs the command in a folder with the given files; `expect` must stand in standard error.
#[track_caller]
fn check(files: &[(&str, &str)], args: &[&str], code: i32, expect: &str) {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    let before = listing(dir.path());
    let output = Command::new(env!("CARGO_BIN_EXE_loopwright")).args(args).current_dir(dir.path()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(stderr.contains(expect), "{args:?}: `{expect}` is not in: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert_eq!(listing(dir.path()), before, "{args:?} left files behind");
}

fn listing(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A C region that is refused at `line:column`.
#[track_caller]
fn c(region: &str, place: &str, expect: &str) {
    let text = format!(
        "void g(void);\nvoid f(int n, int m, double *A, double B[10][10], int *p) {{\n  int i, j; double x;\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
    );
    check(&[("a.c", &text)], &["scop", "a.c"], 1, &format!("a.c:{place}"));
    check(&[("a.c", &text)], &["scop", "a.c"], 1, expect);
    check(&[("a.c", &text), ("s.json", "[]")], &["transform", "a.c", "--script", "s.json", "-o", "out.c"], 1, expect);
}

/// A script for the good file.
#[track_caller]
fn script(text: &str, code: i32, expect: &str) {
    check(&[("a.c", GOOD), ("s.json", text)], &["transform", "a.c", "--script", "s.json", "-o", "out.c"], code, expect);
}

/// A schedule tree.
#[track_caller]
fn tree(text: &str, expect: &str) {
    check(&[("t.st", text)], &["ast", "t.st"], 1, expect);
}

/// A triple of schedule, context and options.
#[track_caller]
fn triple(text: &str, expect: &str) {
    check(&[("t.in", text)], &["ast", "t.in"], 1, expect);
}

#[test]
fn usage() {
    check(&[], &[], 2, "Usage");
    check(&[], &["frobnicate"], 2, "unrecognized subcommand");
    check(&[], &["scop"], 2, "<FILE>");
    check(&[], &["transform", "a.c"], 2, "--script");
    check(&[], &["scop", "a.c", "--budget", "many"], 2, "invalid value");
    check(&[], &["scop", "a.c", "--timeout", "-1"], 2, "");
    check(
        &[("a.c", GOOD), ("s.json", "[]")],
        &["transform", "a.c", "--script", "s.json", "-o", "o.c", "--on-illegal", "maybe"],
        2,
        "possible values",
    );
}

#[test]
fn files() {
    check(&[], &["scop", "missing.c"], 1, "missing.c");
    check(&[], &["ast", "missing.st"], 1, "missing.st");
    check(&[("a.c", GOOD)], &["transform", "a.c", "--script", "missing.json", "-o", "o.c"], 1, "missing.json");
    check(&[("a.c", GOOD)], &["check", "a.c", "--moves", "missing.jsonl"], 1, "missing.jsonl");
    check(
        &[("a.c", GOOD), ("s.json", "[]")],
        &["transform", "a.c", "--script", "s.json", "-o", "no/such/folder/o.c"],
        1,
        "no/such/folder",
    );
    check(&[("a.c", GOOD)], &["scop", "a.c", "--cc", "no-such-compiler"], 1, "no-such-compiler");
    check(&[("a.c", "#include \"nowhere.h\"\n")], &["scop", "a.c"], 1, "nowhere.h");
    check(
        &[("a.c", GOOD), ("s.json", "[]")],
        &["transform", "a.c", "--script", "s.json", "-o", "-", "--json"],
        1,
        "standard output",
    );
}

#[test]
fn budget() {
    check(&[("a.c", GOOD)], &["scop", "a.c", "--budget", "1"], 4, "budget");
    check(&[("a.c", GOOD)], &["scop", "a.c", "--timeout", "0"], 4, "budget");
}

#[test]
fn regions() {
    c("  while (n > 0) x = 1;", "5:3", "while");
    c("  g();", "5:3", "g");
    c("  for (i = 0; i < n; i++) for (j = 0; j < n * m; j++) A[i] = 0;", "5:", "");
    c("  for (i = 0; i < n; i++) A[p[i]] = 0;", "5:", "");
    c("  for (i = 0; i < n; i++) if (A[i] > 0) A[i] = 0;", "5:", "");
    c("  for (i = 0; i < n; i++) { i = i + 1; A[i] = 0; }", "5:", "i");
    c("  for (i = 0; i < n; i++) { A[i] = 0; n = 3; }", "5:", "n");
    c("  for (i = 0; i < n; i++) { if (i > 3) break; A[i] = 0; }", "5:", "break");
    c("  for (i = 0; i < n; i++) { if (i > 3) continue; A[i] = 0; }", "5:", "continue");
    c("  goto end; end: x = 1;", "5:3", "goto");
    c("  for (i = 0; i < n; i *= 2) A[i] = 0;", "5:", "");
    c("  for (i = 0; i < n; i++) A[i * i] = 0;", "5:", "");
    c("  for (i = 0; i < n; i++) *p = 0;", "5:", "");
    c("  return;", "5:3", "return");
    c("  p = &i; for (i = 0; i < n; i++) A[i] = 0;", "5:", "");
    c("#pragma omp parallel for\n  for (i = 0; i < n; i++) A[i] = 0;", "5:", "pragma");
    c("  for (i = 0; i < n; i++) A[i] = 0", "", "");
    check(&[("a.c", "#pragma scop\nint x;\n")], &["scop", "a.c"], 1, "a.c:1");
    check(&[("a.c", "void f(void) {\n#pragma endscop\n}\n")], &["scop", "a.c"], 1, "a.c:2");
}

#[test]
fn scripts() {
    script("{", 1, "s.json:1:");
    script("{}", 1, "array");
    script("[1]", 1, "step 0");
    script(r#"[{"path": [0]}]"#, 1, "move");
    script(r#"[{"path": [0], "node": 1, "move": ["TILE_1D", 4]}]"#, 1, "not both");
    script(r#"[{"path": [9], "move": ["TILE_1D", 4]}]"#, 1, "no node");
    script(r#"[{"node": 99, "move": ["TILE_1D", 4]}]"#, 1, "no node 99");
    script(r#"[{"scop": 7, "path": [0], "move": ["TILE_1D", 4]}]"#, 1, "no static control part 7");
    script(r#"[{"path": [0], "move": ["TILE_9D", 4]}]"#, 1, "TILE_9D");
    script(r#"[{"path": [0], "move": ["TILE_1D"]}]"#, 1, "arguments");
    script(r#"[{"path": [0], "move": ["TILE_1D", 1]}]"#, 1, "from 2");
    script(r#"[{"path": [0], "move": ["TILE_1D", "n"]}]"#, 1, "integer");
    script(r#"[{"path": [0], "move": ["INTERCHANGE"]}]"#, 1, "INTERCHANGE");
    script(r#"[{"path": [0], "move": ["FULL_SHIFT_PARAM", "q", 1]}]"#, 1, "FULL_SHIFT_PARAM");
    script(r#"[{"path": [], "move": ["TILE_1D", 4]}]"#, 1, "domain");
    script(r#"[{"path": [0], "move": ["SET_PARALLEL", 4]}]"#, 3, "illegal");
    script(r#"[{"path": [0], "move": ["SET_LOOP_OPT", 0, 2]}]"#, 1, "unroll");
}

#[test]
fn trees() {
    tree("", "");
    tree("domain: [", "line");
    tree("domain: \"{ S[i] : 0 <= i < }\"\n", "line 1");
    tree("domain: \"{ S[i] : 0 <= i < 10 }\"\nchild:\n  shedule: \"[{ S[i] -> [(i)] }]\"\n", "shedule");
    tree("domain: \"{ S[i] : 0 <= i < 10 }\"\nchild:\n  schedule: \"[{ S[i] -> [(i] }]\"\n", "line 3");
    tree("domain: \"{ S[i] : i >= 0 }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n", "upper bound");
    tree("domain: \"{ S[i] : 0 <= i < 10; T[] }\"\nchild:\n  sequence:\n  - filter: \"{ S[i] }\"\n", "sequence");
}

#[test]
fn triples() {
    triple("{ S[i] -> [i] : 0 <= i < 10\n{ : }\n{ }\n", "three");
    triple("{ S[i] -> [i] : 0 <= i < 10 }\n", "");
    triple("{ S[i] -> [i] : 0 <= i }\n{ : }\n{ }\n", "upper bound");
    triple("hello\n", "three");
    triple("{ S[i] -> [i] : 0 <= i < }\n{ : }\n{ }\n", "line 1");
}

#[test]
fn moves() {
    let lines = "not json\n{\"path\": [0], \"move\": [\"TILE_1D\", 4]}\n{\"path\": [0]}\n";
    check(&[("a.c", GOOD), ("m.jsonl", lines)], &["check", "a.c", "--moves", "m.jsonl"], 1, "m.jsonl:1");
    check(&[("a.c", GOOD), ("m.jsonl", lines)], &["check", "a.c", "--moves", "m.jsonl"], 1, "m.jsonl:3");
}
