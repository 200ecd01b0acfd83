//! Regions that are found without pragmas: which statements they hold, and what is left out.

use loopwright_c_front::{Error, Extraction, Options, Regions, Source, extract};

fn read(text: &str) -> Result<Extraction, Error> {
    extract(&Source::from_text("a.c", text), &Options { regions: Regions::Automatic, ..Options::default() })
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What is found in a whole file.
#[track_caller]
fn file(text: &str, regions: &[&str], left_out: &[&str]) {
    let found = read(text).unwrap_or_else(|e| panic!("{text}\n{e}"));
    let contents: Vec<String> = found.scops.iter().map(|s| squeezed(&text[s.region.content.clone()])).collect();
    assert_eq!(contents, regions, "{text}");
    let reasons: Vec<String> = found.left_out.iter().map(ToString::to_string).collect();
    assert_eq!(reasons, left_out, "{text}");
    assert!(found.scops.windows(2).all(|w| w[0].region.content.end <= w[1].region.content.start));
}

/// What is found in the body of a function `f`; it starts on line 5.
#[track_caller]
fn body(text: &str, regions: &[&str], left_out: &[&str]) {
    let left_out: Vec<String> = left_out.iter().map(|l| l.replacen(": ", ": left out of f: ", 1)).collect();
    let left_out: Vec<String> = left_out.iter().map(|l| format!("a.c:{l}")).collect();
    let left_out: Vec<&str> = left_out.iter().map(String::as_str).collect();
    let before = "#define LOOP(i) for (i = 0; i < n; i++)\nvoid g(int);\nvoid f(int n, int m, double *A, double B[10][10])\n{ int i, j, q; double x;\n";
    file(&format!("{before}{text}\n}}\n"), regions, &left_out);
}

#[test]
fn runs() {
    body("for (i = 0; i < n; i++) A[i] = 0;", &["for (i = 0; i < n; i++) A[i] = 0;"], &[]);
    body("x = 0; for (i = 0; i < n; i++) x += A[i]; A[0] = x;", &["x = 0; for (i = 0; i < n; i++) x += A[i]; A[0] = x;"], &[]);
    body("x = 0; A[0] = x;", &[], &[]);
    body("g(1); for (i = 0; i < n; i++) A[i] = 0; g(2);", &["for (i = 0; i < n; i++) A[i] = 0;"], &[]);
    body(
        "for (i = 0; i < n; i++) A[i] = 0; g(2);\nfor (i = 0; i < n; i++) A[i] = 1;",
        &["for (i = 0; i < n; i++) A[i] = 0;", "for (i = 0; i < n; i++) A[i] = 1;"],
        &["5:35: a call of `g`"],
    );
    body(
        "for (int k = 0; k < n; k++) A[k] = 0; int t; double u = 1; for (i = 0; i < n; i++) A[i] += u;",
        &["for (int k = 0; k < n; k++) A[k] = 0; int t; double u = 1; for (i = 0; i < n; i++) A[i] += u;"],
        &[],
    );
    body("int t; ; for (i = 0; i < n; i++) A[i] = 0; int u;", &["for (i = 0; i < n; i++) A[i] = 0;"], &[]);
    body("{ double t = 1; for (i = 0; i < n; i++) A[i] = t; }", &["{ double t = 1; for (i = 0; i < n; i++) A[i] = t; }"], &[]);
    body("", &[], &[]);
}

#[test]
fn neighbors_that_do_not_go_together() {
    body(
        "for (i = 0; i < n; i++) q = i;\nfor (j = 0; j < q; j++) A[j] = 1;\nfor (j = 0; j < q; j++) A[j] = 2;",
        &["for (i = 0; i < n; i++) q = i;", "for (j = 0; j < q; j++) A[j] = 1; for (j = 0; j < q; j++) A[j] = 2;"],
        &["6:17: `q` is written in the region and used in a loop bound"],
    );
    body(
        "for (j = 0; j < q; j++) A[j] = 1;\nfor (i = 0; i < n; i++) q = i;\nfor (j = 0; j < n; j++) A[j] = 1;",
        &["for (j = 0; j < q; j++) A[j] = 1;", "for (i = 0; i < n; i++) q = i; for (j = 0; j < n; j++) A[j] = 1;"],
        &["5:17: `q` is written in the region and used in a loop bound"],
    );
    body("int t = 3; for (i = 0; i < n; i++) A[i] = t;\ng(t);", &["for (i = 0; i < n; i++) A[i] = t;"], &[]);
}

#[test]
fn inside_of_what_is_refused() {
    body(
        "while (x > 0) { x--; for (i = 0; i < n; i++) A[i] = x; }",
        &["x--; for (i = 0; i < n; i++) A[i] = x;"],
        &["5:1: `while` in the region"],
    );
    body(
        "do for (i = 0; i < n; i++) A[i] = x; while (A[0] > 0);",
        &["for (i = 0; i < n; i++) A[i] = x;"],
        &["5:1: `do` in the region"],
    );
    body(
        "for (i = 0; i < n; i++) { g(i); for (j = 0; j < i; j++) A[j] = i; }",
        &["for (j = 0; j < i; j++) A[j] = i;"],
        &["5:27: a call of `g`"],
    );
    body(
        "if (A[0] > x) for (i = 0; i < n; i++) A[i] = x; else { g(1); for (i = 0; i < n; i++) A[i] = 1; }",
        &["for (i = 0; i < n; i++) A[i] = x;", "for (i = 0; i < n; i++) A[i] = 1;"],
        &["5:5: data-dependent condition: an element of `A`"],
    );
    body(
        "switch (n) { case 1: for (i = 0; i < n; i++) A[i] = x; break; default: g(1); for (i = 0; i < n; i++) A[i] = 1; }",
        &["for (i = 0; i < n; i++) A[i] = x;", "for (i = 0; i < n; i++) A[i] = 1;"],
        &[
            "5:1: `switch` in the region",
            "5:14: a label in the region",
            "5:56: `break` in the region",
            "5:63: a label in the region",
        ],
    );
    body(
        "again: for (i = 0; i < n; i++) A[i] = x; if (A[0] > 0) goto again;",
        &["for (i = 0; i < n; i++) A[i] = x;"],
        &["5:1: a label in the region"],
    );
    body(
        "for (;;) for (;;) while (1) { for (i = 0; i < n; i++) A[i] = x; }",
        &["for (i = 0; i < n; i++) A[i] = x;"],
        &["5:19: `while` in the region"],
    );
    body("for (i = 0; i < n; i++) g(i);", &[], &["5:25: a call of `g`"]);
}

#[test]
fn pragmas_and_directives_bound_regions() {
    body(
        "#pragma omp parallel for\nfor (i = 0; i < n; i++) A[i] = 0;",
        &[],
        &["5:1: the statement after `#pragma omp parallel for`"],
    );
    body(
        "for (i = 0; i < n; i++) A[i] = 1;\n#pragma omp parallel for\nfor (i = 0; i < n; i++) for (j = 0; j < n; j++) A[i] = 0;\nfor (i = 0; i < n; i++) A[i] = 2;",
        &["for (i = 0; i < n; i++) A[i] = 1;", "for (i = 0; i < n; i++) A[i] = 2;"],
        &["6:1: the statement after `#pragma omp parallel for`"],
    );
    body("_Pragma(\"GCC ivdep\") for (i = 0; i < n; i++) A[i] = 0;", &[], &["5:20: the statement after `#pragma GCC ivdep`"]);
    body(
        "for (i = 0; i < n; i++) A[i] = 1;\n#pragma scop\nfor (i = 0; i < n; i++) A[i] = 0;\n#pragma endscop\nfor (i = 0; i < n; i++) A[i] = 2;",
        &["for (i = 0; i < n; i++) A[i] = 1;", "for (i = 0; i < n; i++) A[i] = 0;", "for (i = 0; i < n; i++) A[i] = 2;"],
        &[],
    );
    body(
        "for (i = 0; i < n; i++) A[i] = 1;\n#ifdef NO\nfor (i = 0; i < n; i++) A[i] = 0;\n#else\nfor (i = 0; i < n; i++) A[i] = 3;\n#endif\nfor (i = 0; i < n; i++) A[i] = 2;",
        &["for (i = 0; i < n; i++) A[i] = 1;", "for (i = 0; i < n; i++) A[i] = 3;", "for (i = 0; i < n; i++) A[i] = 2;"],
        &[],
    );
    body(
        "for (i = 0; i < n; i++) {\n#pragma GCC unroll 4\nfor (j = 0; j < n; j++) A[i] = 1; for (j = 0; j < n; j++) A[i] = 2; }",
        &["for (j = 0; j < n; j++) A[i] = 2;"],
        &["6:1: `#pragma GCC unroll 4` inside the region", "6:1: the statement after `#pragma GCC unroll 4`"],
    );
}

#[test]
fn macros() {
    body("LOOP(i) A[i] = 0;", &[], &["5:1: statements that come from a macro or an included file"]);
    body("for (i = 0; i < n; i++) LOOP(j) A[i] = 0;", &["for (i = 0; i < n; i++) LOOP(j) A[i] = 0;"], &[]);
    file(
        "#define END ; }\nvoid f(int n, double *A) { for (int i = 0; i < n; i++) { A[i] = 0 END }\n",
        &[],
        &["a.c:2:28: left out of f: statements that come from a macro or an included file"],
    );
    file(
        "#define WRAP(x) x\nvoid f(int n, double *A) { WRAP(for (int i = 0; i < n; i++) A[i] = 0;) }\n",
        &[],
        &["a.c:2:28: left out of f: statements that come from a macro or an included file"],
    );
    file(
        "void f(int n, double *A) {\n#define N 10\n for (int i = 0; i < N; i++) A[i] = N;\n#undef N\n for (int i = 0; i < n; i++) A[i] = 1; }\n",
        &["for (int i = 0; i < N; i++) A[i] = N;", "for (int i = 0; i < n; i++) A[i] = 1;"],
        &[],
    );
}

#[test]
fn files() {
    file("int x;\n", &[], &[]);
    file("", &[], &[]);
    file(
        "int f(int n, int *p) { for (int i = 0; i < n; i++) p[i] = 0; return 1; }\nint g(int n, int *p) { for (int i = 0; i < n; i++) p[i] = 0; return 1; }\n",
        &["for (int i = 0; i < n; i++) p[i] = 0;"; 2],
        &[],
    );
    // what stands in an included file or above a #line is known for what it is
    file(
        "#include <stdlib.h>\n#line 77 \"other.c\"\nvoid f(int n, int *p) { for (int i = 0; i < n; i++) p[i] = 0;\n# 5\n while (1) ; }\n",
        &["for (int i = 0; i < n; i++) p[i] = 0;"],
        &["a.c:5:2: left out of f: `while` in the region"],
    );
    // one function that cannot be read leaves the others
    file(
        "void f(int n, int *p) { for (int i = 0; i < n; i++) p[i] = 0; }\nvoid bad(int n) { for (;;) { n = n @ 1; } }\nvoid h(int n, int *p) { for (int i = 0; i < n; i++) p[i] = 1; }\n",
        &["for (int i = 0; i < n; i++) p[i] = 0;", "for (int i = 0; i < n; i++) p[i] = 1;"],
        &["a.c:2:36: left out of bad: unexpected `@`"],
    );
    // K&R, and a loop without a body of its own
    file(
        "void f(n, p) int n; int *p; { for (int i = 0; i < n; i++) p[i] = 0; }\n",
        &["for (int i = 0; i < n; i++) p[i] = 0;"],
        &[],
    );
}

#[test]
fn proofs_within_a_budget() {
    let loop_ = "for (int i = 0; i < n; i++) if (i % 3 == 1 || (i + n) % 5 == 2) A[i] = 0;";
    let text = format!("void f(int n, double *A) {{\n  {loop_}\n  {loop_} }}\n");
    let source = Source::from_text("a.c", &text);
    let within = |proof_steps| {
        let found = extract(&source, &Options { regions: Regions::Automatic, proof_steps, ..Options::default() }).unwrap();
        (found.scops.len(), found.left_out.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    assert_eq!(within(Options::default().proof_steps), (1, vec![]));
    let (regions, left_out) = within(20);
    assert_eq!((regions, left_out.len()), (0, 2));
    assert!(left_out[0].starts_with("a.c:2:") && left_out[0].ends_with("left out of f: the budget for proofs is spent here"));
}

#[test]
fn a_region_knows_its_place() {
    let text = "void f(int n, int *p) {\n\tif (n)\n\t\tfor (int i = 0; i < n; i++) p[i] = 0; // tail\n  while (n--) for (int i = 0; i < n; i++)\n      p[i] = 1;\n}\n";
    let found = read(text).unwrap();
    let regions: Vec<_> = found.scops.iter().map(|s| &s.region).collect();
    assert_eq!((regions[0].line, regions[1].line), (2, 4));
    assert_eq!(&text[regions[0].content.clone()], "\tif (n)\n\t\tfor (int i = 0; i < n; i++) p[i] = 0;");
    assert_eq!((&*regions[0].before, &*regions[0].after, &*regions[0].indent), ("", "\t", "\t"));
    assert_eq!(&text[regions[1].content.clone()], "for (int i = 0; i < n; i++)\n      p[i] = 1;\n");
    assert_eq!((&*regions[1].before, &*regions[1].after, &*regions[1].indent), ("{\n", "  }\n", "    "));
    assert_eq!(regions[0].helpers_at, 0);
    let loops: Vec<&str> = found.scops[1].loops.iter().map(|l| &text[l.range.clone()]).collect();
    assert_eq!(loops, ["for (int i = 0; i < n; i++)"]);
}
