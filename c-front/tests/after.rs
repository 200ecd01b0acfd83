//! The values of counters after the region.

use loopwright_c_front::{Options, Source, extract};
use loopwright_presburger::PwAff;
use loopwright_scop::{CounterScope, FinalValue, Scop};

#[track_caller]
fn scop(before: &str, region: &str, after: &str) -> Scop {
    let text = format!(
        "int g;\nvoid f(int n, int m, double *x) {{\n  int i, j;\n  {before}\n#pragma scop\n{region}\n#pragma endscop\n  {after}\n}}\n"
    );
    let mut scops =
        extract(&Source::from_text("t.c", &text), &Options::default()).unwrap_or_else(|e| panic!("{text}\n{e}")).scops;
    scops.remove(0)
}

/// The final value of counter `i`, or `unused`.
#[track_caller]
fn final_value(region: &str, after: &str, expect: &str) {
    let scop = scop("", region, after);
    let counter = scop.counters.iter().find(|c| c.name == "i" && c.scope == CounterScope::Outside).expect("a counter");
    match &counter.final_value {
        FinalValue::Unused => assert_eq!(expect, "unused", "{region} {after}"),
        FinalValue::Needed(value) => {
            assert_ne!(expect, "unused", "{region} {after}: {value}");
            let expect: PwAff = expect.parse().unwrap();
            // compared where the parameters have int's values
            let small = |v: &PwAff| v.intersect_params(&"[n, m] -> { : -1000 <= n, m <= 1000 }".parse().unwrap());
            assert!(small(value).is_equal(&small(&expect)), "{region}: {value}");
        }
    }
}

const SIMPLE: &str = "for (i = 0; i < n; i++) x[i] = 0;";

#[test]
fn unread_counters() {
    final_value(SIMPLE, "", "unused");
    final_value(SIMPLE, "for (i = 0; i < 3; i++) x[i] = 1;", "unused");
    final_value(SIMPLE, "i = n; x[i] = 1;", "unused");
    final_value(SIMPLE, "{ i = 0; }", "[n] -> { [(n)] : n > 0; [(0)] : n <= 0 }");
}

#[test]
fn read_counters() {
    let whole = "[n] -> { [(n)] : n > 0; [(0)] : n <= 0 }";
    final_value(SIMPLE, "x[i] = 1;", whole);
    final_value(SIMPLE, "if (m) i = 0; x[i] = 1;", whole);
    final_value(SIMPLE, "if (m) { i = 0; } x[i] = 1;", whole);
    final_value(SIMPLE, "i = i + 1;", whole);
    final_value(SIMPLE, "for (j = i; j < 3; j++) x[j] = 1;", whole);
    final_value(
        "for (i = n; i > 0; i -= 2) x[i] = 0;",
        "x[i] = 1;",
        "[n] -> { [(n)] : n <= 0; [(-1)] : n > 0 and n mod 2 = 1; [(0)] : n > 0 and n mod 2 = 0 }",
    );
    final_value("for (i = 0; i < 10; i += 4) x[i] = 0;", "x[i] = 1;", "{ [(12)] }");
    final_value("for (i = 2; i < 2; i++) x[i] = 0; for (j = 0; j < 3; j++) x[j] = 0;", "x[i] = 1;", "{ [(2)] }");
    final_value(
        "for (i = 0; i < n; i++) x[i] = 0; for (i = 0; i < m; i++) x[i] = 1;",
        "x[i] = 1;",
        "[m] -> { [(m)] : m > 0; [(0)] : m <= 0 }",
    );
}

#[test]
fn inner_counters() {
    // i keeps its value where the loop around it does not run
    final_value("for (j = 0; j < n; j++) for (i = 0; i < j; i++) x[i] = 0;", "x[i] = 1;", "[n] -> { [(n - 1)] : n > 0 }");
    final_value("for (j = n; j > 0; j--) for (i = 5; i < j; i++) x[i] = 0;", "x[i] = 1;", "[n] -> { [(5)] : n > 0 }");
    final_value("if (n > m) for (i = 0; i < 4; i++) x[i] = 0;", "x[i] = 1;", "[n, m] -> { [(4)] : n > m }");
    final_value(
        "for (i = 0; i < 9; i++) x[i] = 1; if (n > m) { for (i = 0; i < 4; i++) x[i] = 0; }",
        "x[i] = 1;",
        "[n, m] -> { [(4)] : n > m; [(9)] : n <= m }",
    );
}

#[test]
fn loops_around_the_region() {
    let text = |before: &str| {
        format!(
            "void f(double *x) {{ int i; for (int t = 0; t < 3; t++) {{ {before}\n#pragma scop\nfor (i = 0; i < 4; i++) x[i] = t;\n#pragma endscop\n}} }}\n"
        )
    };
    let needed = |text: &str| {
        let scop = extract(&Source::from_text("t.c", text), &Options::default()).unwrap().scops.remove(0);
        let counter = scop.counters.iter().find(|c| c.name == "i").unwrap().clone();
        counter.final_value != FinalValue::Unused
    };
    assert!(!needed(&text("")));
    assert!(needed(&text("x[i] = 1;")));
    assert!(needed("int i; void f(double *x) {\n#pragma scop\nfor (i = 0; i < 4; i++) x[i] = 0;\n#pragma endscop\n}\n"));
    assert!(needed(
        "void f(double *x) { int i; again: ;\n#pragma scop\nfor (i = 0; i < 4; i++) x[i] = 0;\n#pragma endscop\n if (x[0]) goto again; }\n"
    ));
}

#[test]
fn many_cases() {
    let region = "for (i = 0; i <= 9; i += 3) { x[i] = 1; for (j = n % 3; j < (i < 3 ? i : 3); j += 2) x[j] = 3; }";
    let scop = scop("i = j = -7;", region, "x[i + j] = 1;");
    let values = scop.counters.iter().filter(|c| matches!(c.final_value, FinalValue::Needed(_)));
    assert_eq!(values.count(), 2);
}

#[test]
fn uses_that_a_switch_leaves_out() {
    let whole = "[n] -> { [(n)] : n > 0; [(0)] : n <= 0 }";
    let switched = |region: &str, rest: &str, expect: &str| {
        let text = format!(
            "int f(int n, int c, double *x) {{ int i = -1; switch (c) {{ default: ;\n#pragma scop\n{region}\n#pragma endscop\n{rest}\n}}\n return i; }}\n"
        );
        let scop = extract(&Source::from_text("t.c", &text), &Options::default()).unwrap().scops.remove(0);
        let counter = scop.counters.iter().find(|c| c.name == "i").unwrap();
        match &counter.final_value {
            FinalValue::Unused => assert_eq!(expect, "unused", "{rest}"),
            FinalValue::Needed(_) => assert_ne!(expect, "unused", "{rest}"),
        }
    };
    switched(SIMPLE, "if (n > 4) break; i = 2;", whole);
    switched(SIMPLE, "break; case 1: i = 5; break;", whole);
    switched(SIMPLE, "case 1: i = 5; break;", whole);
    switched(SIMPLE, "i = 5; break;", "unused");
    final_value(SIMPLE, "while (m) { if (n) break; } i = 2;", "unused");
}

#[test]
fn scops_are_shown() {
    let scop = scop("", SIMPLE, "x[i] = 1;");
    let text = scop.to_string();
    for part in [
        "scop in f at t.c:5",
        "parameter int n",
        "array double x[]",
        "counter int i, declared outside, afterwards",
        "statement S0 at 6:25: x[$0] = 0;",
        "  write ",
        "assuming that signed arithmetic does not wrap",
        "L_0",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let json = scop.to_json();
    assert_eq!(json["statements"][0]["body"], "x[$0] = 0;");
    assert_eq!(json["params"][0]["name"], "n");
    let again: serde_json::Value = serde_json::from_str(&json.to_string()).unwrap();
    assert_eq!(json, again);
}
