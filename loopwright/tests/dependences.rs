//! `loopwright flow` and `loopwright deps`: relations, loops, reductions, wrong input.

use serde_json::Value;
use std::process::{Command, Output};

// Runs the command in a folder with the given files.
fn run(files: &[(&str, &str)], args: &[&str]) -> Output {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(dir.path().join(name), text).unwrap();
    }
    Command::new(env!("CARGO_BIN_EXE_loopwright")).args(args).current_dir(dir.path()).output().unwrap()
}

#[track_caller]
fn output(files: &[(&str, &str)], args: &[&str]) -> String {
    let output = run(files, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[track_caller]
fn fails(files: &[(&str, &str)], args: &[&str], code: i32, expect: &str) {
    let output = run(files, args);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(stderr.contains(expect) && !stderr.contains("panicked"), "{args:?}: `{expect}` is not in: {stderr}");
}

const LAST_OF_TEN: &str =
    "sink: { S[] -> a[] }\nmust_source: { T[i] -> a[] : 0 <= i < 10 }\nschedule_map: { T[i] -> [0, i]; S[] -> [1, 0] }\n";

#[test]
fn flow() {
    let expect = "must_dependence: \"{ T[i = 9] -> [S[] -> a[]] }\"\nmay_dependence: \"{ T[i = 9] -> [S[] -> a[]] }\"\n\
        must_no_source: \"{ }\"\nmay_no_source: \"{ }\"\n";
    assert_eq!(output(&[("a.ai", LAST_OF_TEN)], &["flow", "a.ai"]), expect);
}

#[test]
fn flow_of_wrong_input() {
    let ai = |text: &str, code, expect: &str| fails(&[("a.ai", text)], &["flow", "a.ai"], code, expect);
    ai("", 1, "a.ai: line 1, column 1: the text is empty");
    ai("- sink", 1, "a mapping is expected");
    ai("sink: { S[] -> a[] }", 1, "one of the keys `schedule` and `schedule_map` is missing");
    ai("sink: { S[] -> a[ }\nschedule_map: { S[] -> [] }", 1, "line 1, column");
    ai("sink: { S[] -> a[] }\nschedule_map: { S[] -> [i] }", 1, "the schedule map is no order");
    ai("sink: { S[] -> a[] }\nschedule:\n  filter: \"{ S[] }\"", 1, "a tree starts with a domain");
    ai("sink: { S[] -> a[] }\nsink: { S[] -> a[] }\nschedule_map: { S[] -> [] }", 1, "second time");
    fails(&[("a.ai", LAST_OF_TEN)], &["flow", "a.ai", "--budget", "3"], 4, "budget spent");
    fails(&[], &["flow", "a.ai"], 1, "a.ai");
}

// A function with a region over arrays and scalars of several types.
fn program(region: &str) -> String {
    format!(
        "#include <math.h>\nvoid f(int n, double A[n], double B[n][n], double s, double p, float g, int k, unsigned u, int *a, unsigned *b, \
         long *l) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
    )
}

#[track_caller]
fn deps(region: &str, args: &[&str]) -> Value {
    let all: Vec<&str> = ["deps", "a.c", "--json"].iter().chain(args).copied().collect();
    let text = output(&[("a.c", &program(region))], &all);
    let mut value: Value = serde_json::from_str(&text).unwrap();
    value["scops"][0].take()
}

// Per loop: `parallel`, or what it takes.
#[track_caller]
fn loops(region: &str, expect: &[&str]) {
    let found: Vec<String> = deps(region, &[])["loops"].as_array().unwrap().iter().map(one).collect();
    assert_eq!(found, expect, "{region}");
}

fn one(found: &Value) -> String {
    if found["parallel"] == true {
        return "parallel".into();
    }
    let with = &found["parallel_with"];
    let strings = |v: &Value| v.as_array().into_iter().flatten().map(|v| format!(" {}", v.as_str().unwrap())).collect::<String>();
    let private = strings(&with["private"]);
    let reductions = with["reductions"].as_array().into_iter().flatten();
    let reductions: String =
        reductions.map(|r| format!(" {} {}", r["operator"].as_str().unwrap(), r["array"].as_str().unwrap())).collect();
    match (with.is_null(), private.is_empty()) {
        (true, _) => "sequential".into(),
        (false, true) => format!("reduction{reductions}"),
        (false, false) if reductions.is_empty() => format!("private{private}"),
        (false, false) => format!("private{private}, reduction{reductions}"),
    }
}

// The only loop around a statement.
#[track_caller]
fn around(statement: &str, expect: &str) {
    loops(&format!("  for (int i = 0; i < n; i++) {{ {statement} }}"), &[expect]);
}

#[test]
fn reductions() {
    for statement in ["s += A[i];", "s -= A[i];", "s = s + A[i];", "s = A[i] + s;", "s = A[i] + s - 1;", "s = s - A[i] - A[i];"] {
        around(statement, "reduction + s");
    }
    for statement in ["k++;", "--k;", "k += a[i];", "k = (k) + 2 * a[i];", "k = 1 - (2 - k);"] {
        around(statement, "reduction + k");
    }
    around("s *= A[i];", "reduction * s");
    around("s = A[i] * s * 2;", "reduction * s");
    around("k &= a[i];", "reduction & k");
    around("k = a[i] | k;", "reduction | k");
    around("u ^= b[i];", "reduction ^ u");
    around("s = fmin(s, A[i]);", "reduction min s");
    around("s = fmax(A[i], s);", "reduction max s");
    around("g = fminf(A[i], g);", "reduction min g");
    around("s = s < A[i] ? s : A[i];", "reduction min s");
    around("s = s < A[i] ? A[i] : s;", "reduction max s");
    around("s = A[i] >= s ? A[i] : s;", "reduction max s");
    around("s = (((A[i]) > (s)) ? (s) : (A[i]));", "reduction min s");
    around("k = k <= a[i] ? k : a[i];", "reduction min k");
    around("A[0] += B[i][0];", "reduction + A");
    around("A[i / 2] += 1;", "reduction + A");
    around("s += A[i]; s -= B[i][0];", "reduction + s");
    around("double t = A[i]; s += t * t;", "private t, reduction + s");
    around("s += A[i]; p *= A[i];", "reduction * p + s");
}

#[test]
fn no_reductions() {
    for statement in [
        "s = A[i] - s;",
        "s = s / A[i];",
        "s /= A[i];",
        "s = s * s;",
        "s += s;",
        "s = s + s;",
        "s = 2 * s + A[i];",
        "s = fmin(s, s + 1);",
        "s = s < A[i] ? A[i] : 0;",
        "s = s == A[i] ? s : A[i];",
        "s += A[i]; s *= 2;",
        "s += A[i]; A[i] = s;",
        "p = s; s += A[i];",
        "k += A[i];",
        "k = k * 0.5;",
        "k = k < l[i] ? k : l[i];",
        "u = u < a[i] ? u : a[i];",
        "k <<= 1;",
        "k = k % 7;",
    ] {
        around(statement, "sequential");
    }
}

#[test]
fn of_loops() {
    loops("  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      B[i][j] = A[j];", &["parallel", "parallel"]);
    loops(
        "  for (int i = 1; i < n; i++)\n    for (int j = 0; j < n; j++)\n      B[i][j] = B[i - 1][j];",
        &["sequential", "parallel"],
    );
    loops(
        "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      A[i] += B[i][j];",
        &["parallel", "reduction + A"],
    );
    // A dynamic program: the split point is chosen by a maximum over elements that are complete.
    loops(
        "  for (int i = n - 1; i >= 0; i--)\n    for (int j = i + 1; j < n; j++)\n      for (int m = i + 1; m < j; m++)\n        \
         B[i][j] = B[i][j] >= B[i][m] + B[m + 1][j] ? B[i][j] : B[i][m] + B[m + 1][j];",
        &["sequential", "sequential", "reduction max B"],
    );
}

#[track_caller]
fn relations(region: &str, kind: &str, expect: &[&str]) {
    let found = deps(region, &["--kind", kind]);
    assert_eq!(found["kind"], kind);
    let of = |d: &Value| {
        format!("{} {} {}", d["kind"].as_str().unwrap(), d["array"].as_str().unwrap(), d["relation"].as_str().unwrap())
    };
    let found: Vec<String> = found["dependences"].as_array().unwrap().iter().map(of).collect();
    assert_eq!(found.len(), expect.len(), "{found:?}");
    for (found, expect) in found.iter().zip(expect) {
        let split = |text: &str| text.split_at(text.match_indices(' ').nth(1).unwrap().0).0.to_string();
        assert_eq!(split(found), split(expect));
        let map = |text: &str| -> loopwright::presburger::Map { text[split(text).len()..].parse().unwrap() };
        assert!(map(found).is_equal(&map(expect)), "{found}, not {expect}");
    }
}

#[test]
fn by_memory_and_by_value() {
    let region = "  for (int i = 0; i < n; i++)\n    s = s + A[i];";
    relations(
        region,
        "memory",
        &[
            "RAW s [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }",
            "WAR s [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }",
            "WAW s [n] -> { S0[i] -> S0[j] : 0 <= i < j < n }",
        ],
    );
    relations(
        region,
        "value",
        &[
            "RAW s [n] -> { S0[i] -> S0[i + 1] : 0 <= i < n - 1 }",
            "WAR s [n] -> { S0[i] -> S0[i + 1] : 0 <= i < n - 1 }",
            "WAW s [n] -> { S0[i] -> S0[i + 1] : 0 <= i < n - 1 }",
        ],
    );
}

#[test]
fn as_text() {
    let text = output(&[("a.c", &program("  for (int i = 0; i < n; i++)\n    s += A[i];"))], &["deps", "a.c", "--kind", "value"]);
    assert!(text.starts_with("scop 0 in f at a.c:3\nvalue-based dependences\n  RAW s [n] -> { S0[i] -> S0["), "{text}");
    let table: Vec<Vec<&str>> = text.lines().skip(5).map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(table[0], ["loop", "path", "statements", "parallel", "permutable", "carries", "parallel", "with"], "{text}");
    assert_eq!(table[1][..5], ["i", "[0].0", "S0", "no", "yes"], "{text}");
    assert!(text.trim_end().ends_with("RAW s, WAR s, WAW s  + reduction of s"), "{text}");
}

#[test]
fn answers() {
    let steps = r#"[{"path": [0], "move": ["SET_PARALLEL", 0]}]"#;
    let judged = |region: &str| {
        let file = program(region);
        let files = [("a.c", &*file), ("s.json", steps)];
        let output = run(&files, &["transform", "a.c", "--script", "s.json", "-o", "out.c", "--json"]);
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code(), value["steps"][0]["parallel_with"].clone())
    };
    let sum = "  for (int i = 0; i < n; i++) {\n    double t = A[i];\n    s += t;\n  }";
    let with = serde_json::json!({"private": ["t"], "reductions": [{"operator": "+", "array": "s"}]});
    assert_eq!(judged(sum), (Some(3), with));
    assert_eq!(judged("  for (int i = 1; i < n; i++)\n    A[i] = A[i - 1];"), (Some(3), Value::Null));
    assert_eq!(judged("  for (int i = 1; i < n; i++)\n    A[i] = 0;"), (Some(0), Value::Null));
}

#[test]
fn deps_of_wrong_input() {
    let good = program("  for (int i = 0; i < n; i++)\n    s += A[i];");
    fails(&[], &["deps", "a.c"], 1, "a.c");
    fails(&[("a.c", &program("  k = f(1);"))], &["deps", "a.c"], 1, "a.c:4");
    fails(&[("a.c", &good)], &["deps", "a.c", "--kind", "flow"], 2, "memory, value");
    fails(&[("a.c", &good)], &["deps", "a.c", "--kind", "value", "--budget", "10"], 4, "budget spent");
}
