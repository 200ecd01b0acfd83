//! Wrong input of every kind: a located error, the right exit code, no panic, and no output file.

use std::path::Path;
use std::process::Command;

const GOOD: &str =
    "void f(int n, double *A) {\n  int i;\n#pragma scop\n  for (i = 1; i < n; i++)\n    A[i] = A[i - 1];\n#pragma endscop\n}\n";

/// Runs the command in a folder with the given files; `expect` must stand in standard error.
#[track_caller]
fn check(files: &[(&str, &str)], args: &[&str], code: i32, expect: &str) {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    with_input(&files, args, b"", code, expect);
}

/// The same for files of any bytes, and something on standard input.
#[track_caller]
fn with_input(files: &[(&str, &[u8])], args: &[&str], input: &[u8], code: i32, expect: &str) {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).unwrap();
    }
    std::fs::write(dir.path().join("input"), input).unwrap();
    let before = listing(dir.path());
    let stdin = std::fs::File::open(dir.path().join("input")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_loopwright"));
    let output = command.args(args).stdin(stdin).current_dir(dir.path()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert!(stderr.contains(expect), "{args:?}: `{expect}` is not in: {stderr}");
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(stderr.lines().all(|l| l.len() < 10_000), "{args:?}: a line of {} bytes", stderr.len());
    assert_eq!(listing(dir.path()), before, "{args:?} left files behind");
}

fn listing(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// A function with this body; it starts on line 4.
fn function(body: &str) -> String {
    format!("void g(void);\nvoid f(int n, int m, double *A, double B[10][10], int *p) {{\n  int i, j; double x;\n{body}\n}}\n")
}

/// A C region that is refused at `line:column`.
#[track_caller]
fn c(region: &str, place: &str, expect: &str) {
    let text = function(&format!("#pragma scop\n{region}\n#pragma endscop"));
    check(&[("a.c", &text)], &["scop", "a.c"], 1, &format!("a.c:{place}"));
    check(&[("a.c", &text)], &["show", "a.c"], 1, expect);
    check(&[("a.c", &text), ("s.json", "[]")], &["transform", "a.c", "--script", "s.json", "-o", "out.c"], 1, expect);
}

/// A file without pragmas of which something is left out, said with its place and its function.
#[track_caller]
fn auto(text: &str, expect: &str) {
    check(&[("a.c", text)], &["show", "--auto", "a.c"], 0, expect);
}

/// A script for the good file.
#[track_caller]
fn script(text: &str, code: i32, expect: &str) {
    check(&[("a.c", GOOD), ("s.json", text)], &["transform", "a.c", "--script", "s.json", "-o", "out.c"], code, expect);
}

/// A schedule tree.
#[track_caller]
fn tree(text: &str, expect: &str) {
    check(&[("t.st", text)], &["ast", "t.st"], 1, &format!("t.st: {expect}"));
}

/// A schedule tree that is not even shown.
#[track_caller]
fn no_tree(text: &str, expect: &str) {
    tree(text, expect);
    check(&[("t.st", text)], &["show", "t.st"], 1, &format!("t.st: {expect}"));
    check(&[("t.st", text)], &["show", "--dot", "t.st"], 1, &format!("t.st: {expect}"));
}

/// A set, a map, a schedule: wrong in a place of a text that is right otherwise. The set starts in column 10 of line 1.
#[track_caller]
fn set(text: &str, expect: &str) {
    no_tree(&format!("domain: \"{text}\"\n"), expect);
}

/// A triple of schedule, context and options.
#[track_caller]
fn triple(text: &str, expect: &str) {
    check(&[("t.in", text)], &["ast", "t.in"], 1, &format!("t.in: {expect}"));
}

/// Moves for the good file, one a line.
#[track_caller]
fn moves(text: &str, expect: &str) {
    check(&[("a.c", GOOD), ("m.jsonl", text)], &["check", "a.c", "--moves", "m.jsonl"], 1, &format!("m.jsonl:{expect}"));
}

#[test]
fn usage() {
    check(&[], &[], 2, "Usage");
    check(&[], &["frobnicate"], 2, "unrecognized subcommand");
    check(&[], &["scop"], 2, "<FILE>");
    check(&[], &["transform", "a.c"], 2, "--script");
    check(&[], &["scop", "a.c", "--budget", "many"], 2, "invalid value");
    check(&[], &["scop", "a.c", "--timeout", "-1"], 2, "'-1'");
    check(&[], &["scop", "a.c", "--timeout", "nan"], 2, "--timeout");
    check(&[], &["scop", "a.c", "--timeout", "1e30"], 2, "--timeout");
    check(&[], &["scop", "a.c", "--budget", "99999999999999999999"], 2, "too large");
    check(&[], &["scop", ""], 2, "<FILE>");
    check(&[], &["moves", "a.c", "--node", "-1"], 2, "-1");
    check(&[], &["moves", "a.c", "--node", "one"], 2, "--node");
    check(&[], &["moves", "a.c", "--scop", "1.5"], 2, "--scop");
    check(&[], &["show"], 2, "<FILE>");
    check(&[], &["transform", "a.c", "--script", "s.json", "-o", ""], 2, "--output");
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
    check(&[], &["show", "missing.st"], 1, "missing.st");
    check(&[], &["show", "missing.c"], 1, "missing.c");
    check(&[], &["moves", "missing.c", "--auto"], 1, "missing.c");
    for command in ["scop", "ast", "show", "moves"] {
        check(&[], &[command, "."], 1, "cannot read .: ");
    }
    let script = [("a.c", GOOD), ("s.json", "[]")];
    check(&script, &["transform", "a.c", "--script", "missing.json", "-o", "o.c"], 1, "missing.json");
    check(&script, &["transform", "a.c", "--script", ".", "-o", "o.c"], 1, "cannot read .: ");
    check(&script, &["check", "a.c", "--moves", "missing.jsonl"], 1, "missing.jsonl");
    check(&script, &["check", "a.c", "--moves", "."], 1, "cannot read .: ");
    check(&script, &["transform", "a.c", "--script", "s.json", "-o", "no/such/folder/o.c"], 1, "no/such/folder");
    check(&script, &["transform", "a.c", "--script", "s.json", "-o", "."], 1, "cannot write .: ");
    check(&script, &["transform", "a.c", "--script", "s.json", "-o", "/dev/full"], 1, "cannot write /dev/full: ");
    check(&script, &["transform", "a.c", "--script", "s.json", "-o", "-", "--json"], 1, "standard output");
    check(&[], &["transform", "-", "--script", "-", "-o", "o.c"], 1, "standard input");
    check(&[], &["check", "-", "--moves", "-"], 1, "standard input");
    with_input(&[], &["scop", "-"], b"int x;\n\xff", 1, "<stdin>:2");
    with_input(&[("a.c", b"/* \xe9 */\n")], &["scop", "a.c"], b"", 1, "a.c:1");
    with_input(&[("a.c", b"/* \xe9 */\n")], &["show", "--auto", "a.c"], b"", 1, "a.c:1");
    with_input(&[("t.st", b"domain: \"\xff\"\n")], &["show", "t.st"], b"", 1, "t.st: not UTF-8 at byte 9");
    with_input(&[("t.in", b"\xff")], &["ast", "t.in"], b"", 1, "t.in: not UTF-8 at byte 0");
    with_input(
        &[("a.c", GOOD.as_bytes()), ("m", b"\n\xff")],
        &["check", "a.c", "--moves", "m"],
        b"",
        1,
        "m: not UTF-8 at byte 1",
    );
}

#[test]
fn compilers() {
    check(&[("a.c", GOOD)], &["scop", "a.c", "--cc", "no-such-compiler"], 1, "no-such-compiler");
    check(&[("a.c", GOOD)], &["scop", "a.c", "--cc", "false"], 1, "`false` cannot preprocess a.c");
    check(&[("a.c", GOOD)], &["show", "--auto", "a.c", "--cc", "true"], 1, "`true` cannot preprocess a.c");
    check(&[("a.c", GOOD)], &["scop", "a.c", "--cc", "."], 1, "cannot run `.`");
    check(&[("a.c", "#include \"nowhere.h\"\n")], &["scop", "a.c"], 1, "nowhere.h");
    check(&[("a.c", "int x;\n#error stop\n")], &["moves", "--auto", "a.c"], 1, "a.c:2");
    check(&[("a.c", GOOD)], &["scop", "a.c", "-D", "1x"], 1, "macro names must be identifiers");
    check(&[("a.c", GOOD)], &["scop", "a.c", "-D", "for=while"], 1, "a.c:4:13");
}

#[test]
fn budget() {
    for command in ["scop", "moves", "show"] {
        check(&[("a.c", GOOD)], &[command, "a.c", "--budget", "0"], 4, "budget");
        check(&[("a.c", GOOD)], &[command, "--auto", "a.c", "--timeout", "0"], 4, "budget");
    }
    check(&[("a.c", GOOD)], &["scop", "a.c", "--budget", "1"], 4, "budget");
    let tree = "domain: \"[n] -> { S[i, j] : 0 <= i, j < n }\"\nchild:\n  schedule: \"[{ S[i, j] -> [(i + j)] }]\"\n";
    check(&[("t.st", tree)], &["ast", "t.st", "--budget", "1"], 4, "t.st: budget");
    check(&[("t.st", tree)], &["show", "t.st", "--budget", "0"], 4, "t.st: budget");
    check(&[("t.in", "{ S[i] -> [i] : 0 <= i < 9 }\n{ : }\n{ }\n")], &["ast", "t.in", "--budget", "1"], 4, "t.in: budget");
    check(
        &[("a.c", GOOD), ("m", "{\"node\": 1, \"move\": [\"TILE_1D\", 4]}\n")],
        &["check", "a.c", "--moves", "m", "--timeout", "0"],
        4,
        "budget",
    );
    // sixty dimensions are more than anybody waits for
    let names: Vec<String> = (0..60).map(|k| format!("i{k}")).collect();
    let all = names.join(",");
    let bounds: Vec<String> = names.iter().map(|i| format!("0 <= {i} < 5")).collect();
    let (bounds, sum) = (bounds.join(" and "), names.join("+"));
    let tree = format!("domain: \"{{ S[{all}] : {bounds} }}\"\nchild:\n  schedule: \"[{{ S[{all}] -> [({sum})] }}]\"\n");
    check(&[("t.st", &tree)], &["ast", "t.st", "--timeout", "0.2"], 4, "budget");
}

#[test]
fn regions() {
    c("  while (n > 0) x = 1;", "5:3", "`while`");
    c("  do x = 1; while (x < 0);", "5:3", "`do`");
    c("  switch (n) { case 1: x = 1; }", "5:3", "`switch`");
    c("  g();", "5:3", "a call of `g`");
    c("  asm(\"nop\");", "5:3", "`asm`");
    c("  goto end; end: x = 1;", "5:3", "`goto`");
    c("  l: x = 1;", "5:3", "a label");
    c("  return;", "5:3", "`return`");
    c("  ;", "4:1", "without statements");
    c("  x + 1;", "5:3", "without effect");
    c("  p = &i; for (i = 0; i < n; i++) A[i] = 0;", "5:3", "0 of its 1 subscripts");
    c("  x = sqrt;", "5:7", "`sqrt` is not declared");
    c("  { typedef int t; x = 1; }", "5:5", "a type definition");
    c("  { static int t; t = 1; }", "5:5", "static");
    c("  { volatile int t; t = 1; }", "5:5", "volatile");
}

#[test]
fn loops() {
    c("  for (i = 0; i < n; i++) for (j = 0; j < n * m; j++) A[i] = 0;", "5:43", "a product of two variables in a loop bound");
    c("  for (i = 0; i < n; i++) if (A[i] > 0) A[i] = 0;", "5:31", "data-dependent condition");
    c("  for (i = 0; i < n; i++) { i = i + 1; A[i] = 0; }", "5:8", "counter `i` is assigned");
    c("  for (i = 0; i < n; i++) A[i = 2] = 0;", "5:8", "counter `i` is assigned");
    c("  for (i = 0; i < n; i++) { A[i] = 0; n = 3; }", "5:19", "`n` is written");
    c("  for (i = 0; i < n; i++) { if (i > 3) break; A[i] = 0; }", "5:40", "`break`");
    c("  for (i = 0; i < n; i++) { if (i > 3) continue; A[i] = 0; }", "5:40", "`continue`");
    c("  for (i = 0; i < n; i *= 2) A[i] = 0;", "5:22", "does not add a constant");
    c("  for (i = 0; i < n; i += m) A[i] = 0;", "5:27", "a step that is not a constant");
    c("  for (i = 0; i < n; i += 0) A[i] = 0;", "5:27", "a step of 0");
    c("  for (i = 0; ; i++) A[i] = 0;", "5:3", "without a condition");
    c("  for (i = 0; i < n; ) A[i] = 0;", "5:3", "without a step");
    c("  for (; i < n; i++) A[i] = 0;", "5:3", "does not set its counter");
    c("  for (i = 0, j = 0; i < n; i++) A[i] = 0;", "5:8", "several counters");
    c("  for (i = 0; i >= 0; i++) A[i] = 0;", "5:15", "may not end");
    c("  for (x = 0; x < n; x++) A[0] = x;", "5:8", "type `double`");
    c("  for (unsigned u = 3; u >= 0; u--) A[u] = 0;", "5:3", "may wrap");
    c("  for (i = 0; i < n; i++) for (i = 0; i < n; i++) A[i] = 0;", "5:32", "in the body of its loop");
}

#[test]
fn accesses() {
    c("  for (i = 0; i < n; i++) A[p[i]] = 0;", "5:29", "data-dependent subscript");
    c("  for (i = 0; i < n; i++) A[i * i] = 0;", "5:29", "a product of two variables in a subscript");
    c("  for (i = 0; i < n; i++) A[i / 0] = 0;", "5:29", "division by zero");
    c("  for (i = 0; i < n; i++) A[i % m] = 0;", "5:29", "a remainder by a variable");
    c("  for (i = 0; i < n; i++) *p = 0;", "5:27", "dereferenced");
    c("  for (i = 0; i < n; i++) B[i] = 0;", "5:27", "1 of its 2 subscripts");
    c("  for (i = 0; i < n; i++) B[i][i][i] = 0;", "5:27", "too many subscripts");
    c("  for (i = 0; i < n; i++) C[i] = 0;", "5:27", "`C` is not a variable");
    c("  for (i = 0; i < n; i++) A[i] = (p[i], 1);", "5:34", "comma");
    c("  for (i = 0; i < n; i++) A[i] = p[i]++;", "5:34", "`++`");
    c("  for (i = 0; i < n; i++) A[i] = ({ 1; });", "5:34", "a statement expression");
    c("  for (i = 0; i < n; i++) A[(int)x] = 1;", "5:34", "type `double`");
    c("  for (i = 0; i < n; i++) A[99999999999999999999] = 1;", "5:29", "does not fit 64 bits");
    c("  for (i = 0; i < n; i++) A[sizeof x] = 0;", "5:29", "`sizeof`");
}

#[test]
fn directives() {
    c("#pragma omp parallel for\n  for (i = 0; i < n; i++) A[i] = 0;", "5:1", "#pragma omp parallel for");
    c("#define Z 1\n  x = Z;", "5:1", "a macro definition");
    c("#if 1\n  x = 1;", "5", "unterminated #if");
    c("#pragma scop\n  x = 1;\n#pragma endscop", "5:1", "inside a region");
    check(&[("a.c", "#pragma scop\nint x;\n")], &["scop", "a.c"], 1, "a.c:1");
    check(&[("a.c", "#pragma scop\nint x;\n#pragma endscop\n")], &["scop", "a.c"], 1, "a region outside a function");
    check(&[("a.c", "void f(void) {\n#pragma endscop\n}\n")], &["scop", "a.c"], 1, "a.c:2");
    check(
        &[("a.c", "void f(int n) {\n#pragma scop\n n = 1; }\nvoid g(int n) { n = 1;\n#pragma endscop\n}\n")],
        &["scop", "a.c"],
        1,
        "a.c:2",
    );
    let made = format!("#define P _Pragma(\"scop\")\n{}", function("P for (i = 0; i < n; i++) A[i] = 0;"));
    check(&[("a.c", &made)], &["scop", "a.c"], 1, "a.c:5:1");
}

#[test]
fn syntax() {
    c("  for (i = 0; i < n; i++) A[i] = 0", "7:1", "unexpected `}`");
    c("  for (i = 0; i < n; i++) { A[i] = 0;", "7:1", "end of file");
    c("  for (i = 0; i < n; i++) A[i] = 0; }", "4:1", "outside a function");
    c("  for (i = 0; i < n; i++) A[i] = \"abc;", "5:34", "closing quote");
    c("  for (i = 0; i < n; i++) A[i] = 'a;", "5:34", "closing quote");
    c("  for (i = 0; i < 09; i++) A[i] = 0;", "5:21", "unexpected");
    c("  for (i = 0; i < n; i++) A[i] = 0; /*", "5:37", "unterminated comment");
    c("  x = @;", "5:7", "unexpected `@`");
    check(&[("a.c", "void f(int n, double *A) {\n#pragma scop\n for (int i = 0; i < n")], &["scop", "a.c"], 1, "a.c:2:1");
    // line ends and marks of other systems
    let windows = function("#pragma scop\n  for (i = 0; i < n; i++)\n    A[i * i] = 0;\n#pragma endscop").replace('\n', "\r\n");
    check(&[("a.c", &windows)], &["scop", "a.c"], 1, "a.c:6:7");
    check(&[("a.c", &format!("\u{feff}{windows}"))], &["scop", "a.c"], 1, "a.c:6:7");
}

#[test]
fn more_than_anybody_writes() {
    let many = |n: usize, text: &str| text.repeat(n);
    let deep = |n: usize| format!("  A[{}1{}] = 0;", "(".repeat(n), ")".repeat(n));
    c(&deep(5_000), "5:203", "nested more than 200 deep");
    c(&format!("{}x = 1;{}", many(5_000, "{"), many(5_000, "}")), "5:200", "nested more than 200 deep");
    c(&format!("{}x = 1;", many(3_000, "if (n) ")), "5:", "nested more than 200 deep");
    c(&format!("{}x = 1;", many(300, "for (int k = 0; k < n; k++) ")), "5:", "nested more than 200 deep");
    c(&format!("{}x = 1;", many(1_200, "if (n) x = 2; else ")), "5:", "`else` branches");
    c(&format!("  x = {}1;", many(3_000, "n ? 1 : ")), "5:", "more than 500 `&&`, `||` and `?:`");
    c(&format!("  for (i = 0; i < n && {}1; i++) x = 1;", many(3_000, "i < m && ")), "5:", "more than 500 `&&`, `||` and `?:`");
    c(&format!("  A[{}1] = 1;", many(11_000, "n + ")), "5:", "more than 20000 tokens");
    c(&format!("  A[{}1] = 1;", (2..40).map(|k| format!("n % {k} + ")).collect::<String>()), "5:5", "too many cases");
}

#[test]
fn automatic() {
    auto("void f(int n) { while (n) n--; }\n", "a.c:1:17: left out of f: `while`");
    auto("void f(int n, double *A) {\n for (int i = 0; i < n", "a.c:2:22: left out of f: unexpected `end of file`");
    auto("void f(int n) { for (;;) { n = @; } }\n", "a.c:1:32: left out of f: unexpected `@`");
    auto("void f(int n) { for (;;) puts(\"a); }\n", "a.c:1:31: left out of f: a literal without its closing quote");
    auto("int f(n) int n; { for (;;) n++; return n; }\n", "a.c:1:19: left out of f: a loop header");
    auto(
        &function("#pragma omp parallel for\n  for (i = 0; i < n; i++) A[i] = 0;"),
        "a.c:4:1: left out of f: the statement after `#pragma omp",
    );
    auto(
        &function(&format!("{}x = 1;", "for (int k = 0; k < n; k++) ".repeat(3_000))),
        "left out of f: statements nested more than 200 deep",
    );
    auto(
        &function(&format!("{}x = 1;{}", "{".repeat(3_000), "}".repeat(3_000))).replace("double x;", "for (;;);"),
        "nested more than 200 deep",
    );
    auto(&function(&format!("for (i = 0; i < n; i++) x = {}1;", "n ? 1 : ".repeat(3_000))), "left out of f: more than 500");
    auto(
        "#define L for (int i = 0; i < n; i++)\nvoid f(int n, double *A) { L A[i] = 0; }\n",
        "a.c:2:28: left out of f: statements that come from a macro",
    );
    // one report a construct, however often it is met
    let nest = function("for (i = 0; i < n; i++) { for (j = 0; j < n; j++) { g(); } }");
    check(&[("a.c", &nest)], &["show", "--auto", "a.c"], 0, "a.c:4:53: left out of f: a call of `g`\n");
    // what is no function leaves nothing to report, and a part that is not there cannot be named
    check(
        &[("a.c", "int x;\n"), ("s.json", r#"[{"node": 1, "move": ["TILE_1D", 4]}]"#)],
        &["transform", "--auto", "a.c", "--script", "s.json", "-o", "o.c"],
        1,
        "no static control part 0",
    );
    check(&[("a.c", "int x;\n")], &["moves", "--auto", "a.c", "--node", "1"], 1, "--node: the file has no static control part");
}

#[test]
fn listing_moves() {
    check(&[("a.c", GOOD)], &["moves", "a.c", "--node", "99"], 1, "--node: there is no node 99: the tree has nodes 0 to 2");
    check(&[("a.c", GOOD)], &["moves", "a.c", "--node", "18446744073709551615"], 1, "--node: there is no node");
    check(&[("a.c", GOOD)], &["moves", "a.c", "--scop", "1"], 1, "there is no static control part 1");
    check(&[("a.c", GOOD)], &["moves", "--json", "a.c", "--scop", "1", "--node", "0"], 1, "there is no static control part 1");
}

#[test]
fn scripts() {
    script("", 1, "s.json:1:0");
    script("{", 1, "s.json:1:");
    script("{}", 1, "array");
    script("[\0]", 1, "s.json:1:2");
    script("\u{feff}[]", 1, "s.json:1:1");
    script("[{\"node\": 1,\r\n \"move\": [\"TILE_1D\" 4]}]", 1, "s.json:2:21");
    script("[{\"node\": 1, \"move\": [\"TILE_1D\", 4]}] x", 1, "s.json:1:39");
    script(&"[".repeat(100_000), 1, "s.json:1:128");
    script("[1]", 1, "step 0");
    script("[null]", 1, "step 0");
    script(r#"[{"path": [0]}]"#, 1, "move");
    script(r#"[{"path": [0], "moves": ["TILE_1D", 4]}]"#, 1, "\"moves\"");
    script(r#"[{"path": [0], "move": null}]"#, 1, "step 0: move");
    script(r#"[{"path": [0], "move": []}]"#, 1, "move[0]");
    script(r#"[{"path": [0], "move": [7]}]"#, 1, "move[0]");
    script(r#"[{"path": [0], "move": ["TILE_1D", true]}]"#, 1, "move[1]");
    script(r#"[{"path": [0], "move": ["TILE_1D", 1e3]}]"#, 1, "move[1]");
    script(r#"[{"path": [0], "move": ["TILE_1D", 99999999999999999999]}]"#, 1, "move[1]");
    script(r#"[{"path": "0", "move": ["TILE_1D", 4]}]"#, 1, "path: expected");
    script(r#"[{"node": -1, "move": ["TILE_1D", 4]}]"#, 1, "node: expected");
    script(r#"[{"node": 1.5, "move": ["TILE_1D", 4]}]"#, 1, "node: expected");
    script(r#"[{"scop": -1, "node": 1, "move": ["TILE_1D", 4]}]"#, 1, "scop: expected");
    script(r#"[{"path": [0], "node": 1, "move": ["TILE_1D", 4]}]"#, 1, "not both");
}

#[test]
fn steps() {
    script(r#"[{"path": [9], "move": ["TILE_1D", 4]}]"#, 1, "no node");
    script(r#"[{"node": 99, "move": ["TILE_1D", 4]}]"#, 1, "no node 99");
    script(r#"[{"node": 18446744073709551615, "move": ["TILE_1D", 4]}]"#, 1, "no node 18446744073709551615");
    script(r#"[{"scop": 7, "path": [0], "move": ["TILE_1D", 4]}]"#, 1, "no static control part 7");
    script(r#"[{"path": [0], "move": ["TILE_9D", 4]}]"#, 1, "TILE_9D");
    script(r#"[{"path": [0], "move": ["\u001b[31m\u202e", 4]}]"#, 1, r"\u{1b}[31m\u{202e}");
    script(&format!(r#"[{{"path": [0], "move": ["{}", 4]}}]"#, "A".repeat(1_000_000)), 1, "AAA..");
    script(&format!(r#"[{{"path": [0], "move": ["TILE"{}]}}]"#, ", 4".repeat(100_000)), 1, "at most 1 here");
    script(r#"[{"path": [0], "move": ["TILE_1D"]}]"#, 1, "arguments");
    script(r#"[{"path": [0], "move": ["TILE_1D", 1]}]"#, 1, "from 2");
    script(r#"[{"path": [0], "move": ["TILE_1D", "n"]}]"#, 1, "integer");
    script(r#"[{"path": [0], "move": ["INTERCHANGE"]}]"#, 1, "INTERCHANGE");
    script(r#"[{"path": [0], "move": ["FULL_SHIFT_PARAM", "q", 1]}]"#, 1, "FULL_SHIFT_PARAM");
    script(r#"[{"path": [], "move": ["TILE_1D", 4]}]"#, 1, "domain");
    script(r#"[{"path": [0], "move": ["SET_PARALLEL", -1]}]"#, 1, "move[1]");
    script(r#"[{"path": [0], "move": ["SET_PARALLEL", 4]}]"#, 3, "illegal");
    script(r#"[{"path": [0], "move": ["SET_LOOP_OPT", 0, 2]}]"#, 1, "unroll");
    script(r#"[{"path": [0], "move": ["SET_LOOP_OPT", 0, 4]}]"#, 1, "move[2]");
    script(r#"[{"path": [0], "move": ["TILE_1D", 9223372036854775807]}]"#, 1, "fit into 64 bits");
    script(r#"[{"path": [0], "move": ["FULL_SHIFT_VAL", -9223372036854775808]}]"#, 1, "fit into 64 bits");
    // the first wrong step of many is found at once
    script(
        &format!(r#"[{{"node": 1, "move": ["TILE_1D", 1]}}{}]"#, r#",{"node":1,"move":["SCALE",2]}"#.repeat(100_000)),
        1,
        "in step 0 of s.json",
    );
    script(&format!("[{}]", vec![r#"{"node": 1, "move": ["SCALE", 9223372036854775807]}"#; 20].join(",")), 1, "too large");
}

#[test]
fn steps_within_a_time() {
    let steps = vec![r#"{"node": 1, "move": ["TILE_1D", 3]}"#; 1_000].join(",");
    check(
        &[("a.c", GOOD), ("s.json", &format!("[{steps}]"))],
        &["transform", "a.c", "--script", "s.json", "-o", "o.c", "--timeout", "1"],
        4,
        "budget",
    );
}

#[test]
fn trees() {
    no_tree("", "line 1, column 1: the text is empty");
    no_tree("domain: [", "line");
    no_tree("- a\n", "line 1, column 1");
    no_tree("domain: 3\n", "line 1, column 9");
    no_tree("domain:\t\"{ S[i] }\"\nchild:\n\tmark: a\n", "line 3");
    no_tree("domain: \"{ S[i] }\"\0\n", "line 1");
    no_tree("domain: \"{ S[i] \n", "line 1, column 9");
    no_tree("domain: &a \"{ S[i] }\"\nchild: *a\n", "line 2, column 8");
    no_tree(&"{".repeat(100_000), "line 1");
    no_tree(&"[".repeat(100_000), "line 1");
    let nest = |n: usize| (0..n).map(|k| format!("{0}child:\n{0} mark: m\n", " ".repeat(k))).collect::<String>();
    no_tree(&format!("domain: \"{{ S[] }}\"\n{}", nest(300)), "the tree is nested more than 256 nodes deep");
    let below = |text: &str| format!("domain: \"{{ S[i] : 0 <= i < 10; T[] }}\"\nchild:\n{text}");
    no_tree(&below("  shedule: \"[{ S[i] -> [(i)] }]\"\n"), "line 3, column 3: a node needs one of the keys");
    no_tree(&below("  schedule: \"[{ S[i] -> [(i] }]\"\n"), "line 3");
    no_tree(&below("  schedule: \"{ S[i] -> [i] }\"\n"), "line 3");
    no_tree(&below("  mark: a\nchild:\n  mark: b\n"), "line 4, column 1: `child` for the second time");
    no_tree(&below("  sequence: []\n"), "line 3");
    no_tree(&below("  sequence:\n  - mark: a\n"), "line 4, column 5: each child of a sequence is a filter");
    no_tree(&below("  schedule: \"[{ S[i] -> [(i)] }]\"\n  permutable: 7\n"), "line 4, column 15");
    no_tree(&below("  schedule: \"[{ S[i] -> [(i)] }]\"\n  coincident: [ 1, 1 ]\n"), "line 4, column 15");
    no_tree(&below("  schedule: \"[{ S[i] -> [(i)] }]\"\n  options: \"{ unroll[\"\n"), "line 4");
    // these are shown, and what is wrong with them is said
    let broken = |text: &str, expect: &str| {
        tree(&below(text), expect);
        check(&[("t.st", &below(text))], &["show", "t.st"], 1, &format!("t.st: {expect}"));
    };
    broken("  schedule: \"[{ S[i] -> [(i)] }]\"\n", "the band at [0] has no schedule everywhere: member 0 has no value for T[]");
    broken("  schedule: \"[{ S[i] -> [(i/2)]; T[] -> [(0)] }]\"\n", "the band at [0]");
    broken("  sequence:\n  - filter: \"{ S[i] }\"\n", "the sequence at [0] leaves out");
    broken(
        "  sequence:\n  - filter: \"{ S[i] }\"\n  - filter: \"{ S[i]; T[] }\"\n",
        "the sequence at [0] runs instances of S[i] twice",
    );
    // these are right, but no loops
    tree("domain: \"{ S[i] : i >= 0 }\"\nchild:\n  schedule: \"[{ S[i] -> [(i)] }]\"\n", "loop 0 (over S) has no upper bound");
    tree(
        &format!("domain: \"{{ S[i] : 0 <= i < {} }}\"\nchild:\n  schedule: \"[{{ S[i] -> [(i)] }}]\"\n", "9".repeat(50)),
        "the number 99999",
    );
}

#[test]
fn sets_and_maps() {
    set("{ S[i] : 0 <= i < }", "line 1, column 28");
    set("{ S[i : i > 0 }", "line 1, column 24: expected ',' or ']'");
    set("{ S[i] : i > 0", "line 1, column 24: expected ';' or '}'");
    set("S[i]", "line 1, column 10");
    set("{ S[i] : i > j }", "line 1, column 23: unknown name 'j'");
    set("{ S[i] -> T[i] }", "line 1, column 12: expected a set, found a map");
    set("[n] -> { : n > 0 }", "line 1, column 19: expected a set, found a parameter set");
    set("{ S[i] : i * i > 0 }", "line 1, column 19: a product");
    set("{ S[i] : i mod 0 = 0 }", "line 1, column 21: division by zero");
    set("{ S[i] : floor(i/0) = 0 }", "line 1, column 25: division by zero");
    set("{ S[i] : 0 <= i ≤ 3 }", "line 1, column 26: unexpected character '≤'");
    set("{ S[i] : i = 1 } }", "line 1, column 27: expected the end");
    set("[n, n] -> { S[i] : i = n }", "line 1, column 14: parameter 'n' is listed twice");
    set(
        &format!("{{ S[i] : {}i = 0{} }}", "(".repeat(20_000), ")".repeat(20_000)),
        "line 1, column 275: nested deeper than 256 levels",
    );
    set(&format!("{{ S[i] : {}i = 0 }}", "exists a: ".repeat(3_000)), "line 1, column 2586: nested deeper than 256 levels");
    set(&format!("{{ S[i] : {}i{} = 0 }}", "floor((".repeat(300), ")/2)".repeat(300)), "line 1");
}

#[test]
fn triples() {
    triple("", "a schedule, a context and options are expected, three in all; there are 0");
    triple("hello\n", "a schedule, a context and options are expected, three in all; there are 1");
    triple("{ S[i] -> [i] : 0 <= i < 10\n{ : }\n{ }\n", "a schedule");
    triple("{ S[i] -> [i] : 0 <= i < 10 }\n", "a schedule");
    triple(
        "{ S[i] -> [i] : 0 <= i < 10 }\n{ : }\n{ }\n{ }\n",
        "a schedule, a context and options are expected, three in all; there are 4",
    );
    triple("\0\n\0\n\0\n", "a schedule");
    triple("{ S[i] -> [i] : 0 <= i < }\n{ : }\n{ }\n", "schedule: line 1, column 26");
    triple("{ S[i] -> [i] : 0 ≤ i }\n{ : }\n{ }\n", "schedule: line 1, column 19: unexpected character '≤'");
    triple("{ S[i] -> [i] : 0 <= i < 9 }\n{ S[i] -> [i] }\n{ }\n", "context: line 1, column 3");
    triple("{ S[i] -> [i] : 0 <= i < 9 }\n{ : }\n{ [i] -> }\n", "options: line 1");
    triple("{ S[i] -> [i] : 0 <= i }\n{ : }\n{ }\n", "loop 0 (over S) has no upper bound");
    triple("{ S[i] -> [j] : 0 <= i < 10 }\n{ : }\n{ }\n", "loop 0 (over S) has no lower bound");
    triple("{ S[i] -> [99999999999999999999999999999 i] : 0 <= i < 10 }\n{ : }\n{ }\n", "the value of");
    triple(&format!("{{ S[i] -> [i] : {}\n{{ : }}\n{{ }}\n", "(".repeat(50_000)), "a schedule");
}

#[test]
fn lines_of_moves() {
    let good = r#"{"path": [0], "move": ["TILE_1D", 4]}"#;
    moves("not json\n", "1: not JSON");
    moves(&format!("{good}\n\n{{\"path\": [0]}}\n"), "3: move: expected");
    moves(&format!("{good}\r\n{{\"node\": 1}}\r\n"), "2: move: expected");
    moves(&format!("[{good}]\n"), "1: step: expected an object");
    moves(&format!("\u{feff}{good}\n"), "1: not JSON");
    moves("\0\n", "1: not JSON");
    moves(&"[".repeat(100_000), "1: not JSON");
    moves(&format!("{good}{good}\n"), "1: not JSON");
    moves(&format!("{{\"path\": [0], \"move\": [\"{}\", 1.5]}}\n", "A".repeat(100_000)), "1: move[1]: expected");
}

const TWO: &str = "void f(int n, double *A) {\n  int i;\n#pragma scop\n  for (i = 0; i < n; i++) /* one */\n    A[i] = 1;\n#pragma endscop\n#pragma scop\n  while (n) /* two */ A[0] = 2;\n#pragma endscop\n#pragma scop\n  for (i = 0; i < n; i++) /* three */\n    A[i] += 3;\n#pragma endscop\n}\n";

/// Runs the command on [`TWO`]: exit code, standard output, standard error.
fn two(args: &[&str], script: &str) -> (Option<i32>, String, String) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("a.c"), TWO).unwrap();
    std::fs::write(dir.path().join("s.json"), script).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_loopwright")).args(args).current_dir(dir.path()).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_refused_region_leaves_the_others() {
    let (code, out, err) = two(&["scop", "a.c"], "");
    assert_eq!(code, Some(1));
    assert!(out.contains("scop 0: f at a.c:3") && out.contains("scop 1: f at a.c:10"), "{out}");
    assert!(err.contains("`while`") && err.contains("a.c:8:3"), "{err}");
    let transform = ["transform", "a.c", "--script", "s.json", "-o", "-"];
    let (code, out, err) = two(&transform, "[{\"scop\": 1, \"path\": [0], \"move\": [\"TILE_1D\", 32]}]");
    assert_eq!(code, Some(0), "{err}");
    let kept = &TWO[..TWO.find("  for (i = 0; i < n; i++) /* three */").unwrap()];
    assert!(out.contains(kept) && !out.contains("/* three */") && err.contains("`while`"), "{out}\n{err}");
    let (code, _, err) = two(&transform, "[{\"scop\": 2, \"path\": [0], \"move\": [\"TILE_1D\", 32]}]");
    assert!(code == Some(1) && err.contains("no static control part 2"), "{err}");
    let (code, out, _) = two(&transform, "[]");
    assert_eq!((code, &out[..]), (Some(0), TWO));
    let (code, out, _) =
        two(&["check", "a.c", "--moves", "s.json"], "{\"scop\": 1, \"path\": [0], \"move\": [\"TILE_1D\", 32]}\n");
    assert!(code == Some(0) && out.contains("\"legal\":true"), "{out}");
}
