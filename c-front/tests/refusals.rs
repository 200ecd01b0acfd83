//! Everything that is refused, and where: `@` marks the place, the text after `|` is part of the message.

mod support;

use loopwright_c_front::{Color, Error, Options, Source, extract};
use support::{error, program};

/// Checks the first diagnostic of a file whose text has an `@` before the place.
#[track_caller]
fn file(marked: &str, message: &str) {
    let at = marked.find('@').expect("a mark");
    let text = marked.replacen('@', "", 1);
    let (line, column) = loopwright_c_front::line_column(&text, at);
    let error = error(&text);
    let Some(first) = error.diagnostics().first() else { panic!("{marked}\nno place: {error}") };
    assert!(first.message.contains(message), "expected {message}\nfound {first}\n{marked}");
    assert_eq!((first.line, first.column), (line, column), "{first}\n{marked}");
    assert_eq!(first.file, "t.c");
    assert!(!first.help.is_empty() && first.length > 0, "{first:?}");
    assert!(first.render(&text, Color::Never).contains(&format!("t.c:{line}:{column}")));
}

/// The same for a region in the test program.
#[track_caller]
fn region(marked: &str, message: &str) {
    file(&program(marked), message);
}

#[test]
fn control() {
    region("@while (n > 0) x[0] = 1;", "`while` in the region");
    region("@asm(\"nop\");", "a call of `asm`");
    region("@do x[0] = 1; while (0);", "`do`");
    region("for (i = 0; i < n; i++) { @break; }", "`break`");
    region("for (i = 0; i < n; i++) { if (i > 3) @continue; x[i] = 0; }", "`continue`");
    region("@return;", "`return`");
    region("@goto end; end: ;", "`goto`");
    region("@here: x[0] = 1;", "a label");
    region("@switch (n) { case 1: x[0] = 1; }", "`switch`");
    region("@__asm__(\"nop\");", "inline assembly");
}

#[test]
fn headers() {
    region("@for (;;) x[0] = 1;", "does not set its counter");
    region("@for (; i < n; i++) x[i] = 1;", "does not set its counter");
    region("for (@i = 0, j = 0; i < n; i++) x[i] = 1;", "several counters");
    region("for (@int q = 0, r = 1; q < n; q++) x[q] = 1;", "several counters");
    region("for (i = 0; i < n; @i++, j++) x[i] = 1;", "several counters");
    region("@for (i = 0; ; i++) x[i] = 1;", "without a condition");
    region("@for (i = 0; i < n; ) x[i] = 1;", "without a step");
    region("for (i = 1; i < n; @i *= 2) x[i] = 1;", "does not add a constant");
    region("for (i = 0; i < n; @j++) x[i] = 1;", "does not add a constant");
    region("for (i = 0; i < n; i += @m) x[i] = 1;", "a step that is not a constant");
    region("for (i = 0; i < n; i += @0) x[i] = 1;", "a step of 0");
    region("for (@p[0] = 0; p[0] < n; p[0]++) x[0] = 1;", "not a variable");
    region("for (@a = 0; a < n; a++) x[0] = 1;", "counter `a` of type `double`");
    region("for (i = 0; @i > n; i++) x[0] = 1;", "may not end");
    region("for (i = 0; @n > 3; i++) x[0] = 1;", "may not end");
    region("for (i = 0; @i % 3 != 2; i++) x[i] = 1;", "not a bound on `i`");
    region("for (i = 0; @i != n && i < m; i++) x[i] = 1;", "not a bound on `i`");
    region("for (i = 0; i < n; i++) for (@i = 0; i < m; i++) x[i] = 1;", "assigned in the body");
}

#[test]
fn counters() {
    region("for (@i = 0; i < n; i++) { i = i + 1; x[i] = 1; }", "assigned in the region outside the header");
    region("for (@i = 0; i < n; i++) x[i] = i++;", "assigned in the region outside the header");
    region("for (i = 0; i < n; i++) x[i] = 1; a = @i;", "read outside its loop");
    region("for (i = 0; i < n; i++) x[i] = 1; x[@i] = 1;", "outside its loop");
    file(
        "int g(int *);\nvoid f(double *x) { int i; g(&i);\n#pragma scop\nfor (@i = 0; i < 3; i++) x[i] = 1;\n#pragma endscop\n}\n",
        "address of counter `i`",
    );
    file(
        "void f(double *x) { volatile int i;\n#pragma scop\nfor (@i = 0; i < 3; i++) x[i] = 1;\n#pragma endscop\n}\n",
        "volatile",
    );
}

#[test]
fn affine() {
    region("for (i = 0; i < @p[0]; i++) x[i] = 1;", "data-dependent loop bound: an element of `p`");
    region("for (i = 0; i < n; i++) if (@p[i] > 0) x[i] = 1;", "data-dependent condition");
    region("for (i = 0; i < n; i++) x[@p[i]] = 1;", "data-dependent subscript");
    region("for (i = 0; i < @n * m; i++) x[i] = 1;", "a product of two variables");
    region("for (i = 0; i < n; i++) for (j = 0; j < m; j++) x[@i * j] = 1;", "a product of two variables");
    region("for (i = 0; i < @n / m; i++) x[i] = 1;", "a quotient by a variable");
    region("if (@n % 0) a = 1;", "division by zero");
    region("if (@s > 0) a = 1;", "`s` of type `double`");
    region("if (n > @0.5) a = 1;", "a floating-point constant");
    region("for (i = 0; i < @n; i++) { n = 3; x[i] = 1; }", "`n` is written in the region");
    region("for (i = 0; i < @(n | 1); i++) x[i] = 1;", "a bitwise operator");
    region("for (i = 0; i < @abs(n); i++) x[i] = 1;", "a call of `abs` in a loop bound");
    region("for (i = 0; i < @(double)n; i++) x[i] = 1;", "a cast to `double`");
    region("for (i = 0; i < @99999999999999999999; i++) x[i] = 1;", "does not fit 64 bits");
    region("for (i = 0; i < @2147483647 + 1; i++) x[i] = 1;", "does not fit `int`");
    region("if (@*y > 0) a = 1;", "a pointer is dereferenced");
    region("for (i = 0; i < @n << m; i++) x[i] = 1;", "a shift by something");
}

#[test]
fn unsigned_types() {
    region("for (v = 0; v < @u - 1; v++) x[v] = 1;", "`unsigned` arithmetic may wrap");
    region("for (v = 0; v < @u - w + 20; v++) x[v] = 1;", "arithmetic may wrap");
    region("@for (v = 10; v >= 0; v--) x[v] = 1;", "counter `v` of type");
    region("for (v = @n; v > 0; v--) x[v] = 1;", "arithmetic may wrap");
    region("for (i = n; @i < u; i++) x[0] = 1;", "arithmetic may wrap");
    region("@for (v = 0; v < u; v += 2) x[v] = 1;", "counter `v` of type");
    region("for (v = 0; @v != u; v += 2) x[v] = 1;", "may pass its bound and wrap");
    region("for (v = 0; v < u; v++) x[@v - 1] = 1;", "arithmetic may wrap");
    region("@for (unsigned char c = 0; c <= 255; c++) x[c] = 1;", "counter `c` of type");
}

#[test]
fn statements() {
    region("@g(n);", "a call of `g`");
    region("a = @g(n);", "a call of `g`");
    region("a = @printf(\"x\");", "a call of `printf`");
    region("@*y = 1;", "dereferenced with `*`");
    region("a = @*y;", "dereferenced with `*`");
    region("@y = &x[0];", "`y` with 0");
    region("a = @A[1];", "`A` with 1 of its 2 subscripts");
    region("a = @x[1][2];", "too many subscripts");
    region("a = @(b = 1) + 2;", "an assignment inside an expression");
    region("a = @b++ + 1;", "inside an expression");
    region("a = @(1, 2);", "the comma operator");
    region("@n + 1;", "without effect");
    region("a = @nothing;", "`nothing` is not declared");
    region("a = @({ b; });", "a statement expression");
    region("@static int q;", "static");
    region("double @*q; a = 1;", "local `q` of type `double *`");
    region("double q[2] @= {1, 2};", "an initializer list");
    region("for (i = 0; i < n; i++) { double @q[i + 1]; q[0] = 1; }", "the size of `q` depends on `i`");
    region("@typedef int q; a = 1;", "a type definition");
    file("struct s { int m; };\nvoid f(struct s *p) {\n#pragma scop\n@p->m = 1;\n#pragma endscop\n}\n", "a structure member");
    file("void f(double **p) {\n#pragma scop\n@p[0][1] = 1;\n#pragma endscop\n}\n", "`p` of type `double * *`");
    file("void f(volatile double *p) {\n#pragma scop\n@p[0] = 1;\n#pragma endscop\n}\n", "volatile `p`");
    file(
        "double sqrt(double x) { return x; }\nvoid f(double *p) {\n#pragma scop\np[0] = @sqrt(p[1]);\n#pragma endscop\n}\n",
        "a call of `sqrt`",
    );
    file("void f(double *p) {\n#pragma scop\n double @q = 1; p[0] = q;\n#pragma endscop\n p[1] = q; }\n", "used after it");
}

#[test]
fn macros() {
    let text = |define: &str, statement: &str| {
        format!("#define {define}\nvoid f(int n, double *x, int *p) {{ int i;\n#pragma scop\n{statement}\n#pragma endscop\n}}\n")
    };
    file(&text("LAST p[0]", "for (i = 0; i <\n  @LAST; i++) x[i] = 0;"), "data-dependent loop bound");
    file(&text("SET(a) a = g(1)", "for (i = 0; i < n; i++)\n    @SET(x[i]);"), "a call of `g`");
    file(&text("x (x)", "for (i = 0; i < n; i++) @x[i] = 0;"), "itself a macro");
    file(&text("OMP _Pragma(\"omp parallel for\")", "@OMP\nfor (i = 0; i < n; i++) x[i] = 0;"), "#pragma omp parallel for");
}

#[test]
fn directives() {
    file("void f(int n, double *x) {\n@#pragma scop\nx[0] = 1;\n}\n", "without `#pragma endscop`");
    file("void f(int n, double *x) {\nx[0] = 1;\n@#pragma endscop\n}\n", "without `#pragma scop`");
    file(
        "void f(int n, double *x) {\n#pragma scop\nx[0] = 1;\n@#pragma scop\nx[0] = 1;\n#pragma endscop\n}\n",
        "inside a region",
    );
    file("void f(int n, double *x) {\n@#pragma scop\n#pragma endscop\n}\n", "without statements");
    region("@#pragma omp parallel for\nfor (i = 0; i < n; i++) x[i] = 1;", "`#pragma omp parallel for` inside the region");
    region("for (i = 0; i < n; i++) {\n  @#pragma GCC ivdep\n x[i] = 1; }", "`#pragma GCC ivdep`");
    region("@#define Q 1\na = Q;", "a macro definition");
    region("@#include <stddef.h>\na = 1;", "`#include`");
    file(
        "void f(double *x) {\n#if 1\n#pragma scop\nx[0] = 1;\n@#else\nx[0] = 2;\n#endif\n#pragma endscop\n}\n",
        "conditional directives",
    );
    file("@#pragma scop\nint x;\n#pragma endscop\n", "outside a function");
    file("void f(double *x) {\n#pragma scop\n@if (1) {\n#pragma endscop\nx[0] = 1; }\n}\n", "cut this statement");
    file("void f(double *x) {\n@_Pragma(\"scop\")\nx[0] = 1;\n_Pragma(\"endscop\")\n}\n", "not a `#pragma scop` line");
    file("void f(double *x) {\n@#pragma scop\nx[0] = 1;\n#if 0\n#pragma endscop\n#endif\n}\n", "without `#pragma endscop`");
}

#[test]
fn syntax() {
    region("x[0] = @;", "unexpected `;`");
    region("for (i = 0; i < n; i++ @{ x[i] = 1; }", "unexpected `{`");
    let deep = format!("a = {}1{};", "(".repeat(300), ")".repeat(300));
    assert!(error(&program(&deep)).to_string().contains("nested more than"));
    let loops: String = (0..250).map(|k| format!("for (int c{k} = 0; c{k} < 2; c{k}++) ")).collect();
    assert!(error(&program(&format!("{loops} a = 1;"))).to_string().contains("nested more than"));
    let long = format!("a = 1{};", " + 1".repeat(30_000));
    assert!(error(&program(&long)).to_string().contains("tokens in one statement"));
}

#[test]
fn files() {
    let options = Options { cc: "no-such-compiler".into(), ..Options::default() };
    let missing = extract(&Source::from_text("t.c", ""), &options).err().unwrap();
    assert!(matches!(missing, Error::CcMissing { .. }) && missing.to_string().contains("no-such-compiler"));
    let error = error("int x;\n#include \"no-such-file.h\"\n");
    assert!(matches!(error, Error::Cc { .. }) && error.to_string().contains("t.c:2"), "{error}");
    let bytes = Source::from_bytes("t.c", b"int x;\n// \xff\n".to_vec()).err().unwrap();
    assert!(matches!(bytes, Error::NotUtf8 { line: 2, offset: 10, .. }), "{bytes}");
    assert!(matches!(Source::read("no-such-file.c".as_ref()), Err(Error::Read { .. })));
    let none = extract(&Source::from_text("t.c", "int x;\n"), &Options::default()).unwrap();
    assert!(none.scops.is_empty());
    let inactive = "#if 0\n#pragma scop\n#endif\nint x;\n";
    assert!(extract(&Source::from_text("t.c", inactive), &Options::default()).unwrap().scops.is_empty());
}

#[test]
fn every_region_is_reported() {
    let text = "void f(double *x) {\n#pragma scop\nx[0] = g();\n#pragma endscop\n#pragma scop\nx[0] = 1;\n#pragma endscop\n#pragma scop\nwhile (1);\n#pragma endscop\n}\n";
    let found = extract(&Source::from_text("t.c", text), &Options::default()).unwrap();
    let lines: Vec<usize> = found.refused.iter().map(|d| d.line).collect();
    assert_eq!((lines, found.scops.len()), (vec![3, 9], 1));
    let none = text.replace("x[0] = 1;", "while (0);");
    let lines: Vec<usize> = error(&none).diagnostics().iter().map(|d| d.line).collect();
    assert_eq!(lines, [3, 6, 9]);
    // a function that cannot be parsed, a directive that cannot be put back
    let text = "void e(double *x) {\n#pragma scop\nx[0] = ;\n#pragma endscop\n}\nvoid f(double *x) {\n#pragma scop\nx[0] = 1;\n#pragma endscop\n#pragma scop\n#define Q\nx[0] = 1;\n#pragma endscop\n}\n";
    let found = extract(&Source::from_text("t.c", text), &Options::default()).unwrap();
    let lines: Vec<usize> = found.refused.iter().map(|d| d.line).collect();
    assert_eq!((lines, found.scops[0].region.line), (vec![3, 11], 7));
}

/// Constructs that change something, or have another value, where nobody looks for it.
#[test]
fn hidden_effects_and_places() {
    let g = |body: &str| {
        format!("int expect(int);\nvoid f(int n, int *A) {{\n  int i;\n#pragma scop\n  {body}\n#pragma endscop\n}}\n")
    };
    file(&g("for (i = 0; i < n; i++) A[i] = @expect(i);"), "a call of `expect`");
    file(&g("for (i = 0; i < n; i++) A[i] = @isinf_sign(i);"), "a call of `isinf_sign`");
    file(&g("for (i = 0; i < n; i++) A[i] = @sizeof(int[n++]);"), "a type of computed size");
    file(&g("for (i = 0; i < n; i++) A[i] = @_Alignof(int[n++]);"), "a type of computed size");
    file(&g("for (i = 0; i < n; i++) A[i] = @sizeof(__typeof__(int[n++]));"), "a type of computed size");
    file(&g("for (i = 0; i < n; i++) A[i] = @sizeof(int (*)[n++]);"), "a type of computed size");
    file(&g("int t[@n++]; for (i = 0; i < n; i++) t[i] = A[i];"), "computed with effects");
    file(&g("for (i = 0; i < 3; i++) { A[i] = @__LINE__; }"), "depends on the line");
    file(&g("for (i = 0; i < @__LINE__; i++) A[i] = 0;"), "depends on the line");
    file(&g("for (i = 0; i < 3; i++) A[i] = @__COUNTER__;"), "`__COUNTER__`");
    file(&format!("#define HERE (1 + __LINE__)\n{}", g("for (i = 0; i < 3; i++) A[i] = @HERE;")), "`HERE`");
    file(&format!("#define ID(x) (x)\n{}", g("for (i = 0; i < 3; i++) A[i] = @ID(__LINE__);")), "`__LINE__`");
}

/// Conversions to narrower types wrap: their values must be proven to fit.
#[test]
fn narrowing() {
    region("for (i = 0; i < 300; i++) p[@(signed char)i + 128] = i;", "may not fit `signed char`");
    region("for (i = 0; i < @(int)l; i++) p[i] = i;", "may not fit `int`");
    region("for (short c = @n; c < 10; c++) p[c] = 1;", "may not fit `short`");
    region("@for (short c = 0; c < n; c++) p[c] = 1;", "counter `c` of type `short` may wrap");
    region("for (short c = 0; @c != n; c++) p[c] = 1;", "may pass its bound and wrap");
    region("for (i = @l; i < n; i++) p[i] = 1;", "may not fit `int`");
    region("for (i = 0; i < n; i++) p[@(short)i] = 1;", "may not fit `short`");
}

#[test]
fn sizes_of_locals() {
    region("if (n <= 100) { double q[@n]; q[0] = 1; x[0] = q[0]; }", "the size of `q` is a variable");
    region("for (i = 0; i < n; i++) { double q[@m]; q[0] = i; x[i] = q[0]; }", "the size of `q` is a variable");
}

/// The advice of the first diagnostic.
#[track_caller]
fn help(region: &str, expect: &str) {
    let error = error(&program(region));
    let first = error.diagnostics().first().unwrap_or_else(|| panic!("{error}"));
    assert!(first.help.contains(expect), "{first}");
}

#[test]
fn advice() {
    help("x[0] = 1\nx[1] = 2;", "`;` may be missing");
    help("for (i = 0; i < n; i++) x[i] = y[i]\n", "`;` may be missing");
    help("for (k = 0; k * k < n; k++) x[k] = 1;", "before the region");
    help("for (i = 0; i < n; i++) x[i * n + 1] = 1;", "declared with two dimensions");
    help("#pragma omp parallel for\nfor (i = 0; i < n; i++) x[i] = 1;", "loopwright writes such pragmas itself");
    assert!(error("#include \"no-such-file.h\"\n").to_string().contains("-I DIR"));
}

#[test]
fn lines_that_the_user_numbers() {
    let text = "#line 100 \"other.c\"\nvoid f(double *x) {\n#pragma scop\nx[0] = 1;\n#pragma endscop\n# 7\n}\nvoid g(double *x) {\n#pragma scop\nx[0] = 1;\n#pragma endscop\n}\n";
    let found = extract(&Source::from_text("t.c", text), &Options::default()).unwrap();
    let lines: Vec<usize> = found.scops.iter().map(|s| s.region.line).collect();
    assert_eq!(lines, [3, 9]);
}

#[test]
fn blow_ups_end() {
    use loopwright_presburger::Budget;
    let many = |unit: &str, n: usize| vec![unit; n].join("");
    let cases = [
        (format!("x[n{}] = 1;", many("%7*3", 30)), "too many cases"),
        (format!("x[0{}] = 1;", many(" + (n > m)", 20)), "too many cases"),
        (format!("x[{}1] = 1;", many("n>3?1:", 600)), "more than"),
        (format!("if (n > 0{}) x[0] = 1;", many(" && n > 0", 4000)), "more than"),
    ];
    for (region, expect) in &cases {
        let error = error(&program(region));
        assert!(error.to_string().contains(expect), "{region:.60}: {error:.300}");
    }
    let expired = Budget::default().until(|| true);
    let source = Source::from_text("t.c", &program("x[0] = 1;"));
    let error = loopwright_c_front::extract_within(&source, &Options::default(), &expired).unwrap_err();
    assert!(matches!(error, Error::Budget(_)), "{error}");
    let spent = loopwright_c_front::extract_within(&source, &Options::default(), &Budget::steps(1)).unwrap_err();
    assert!(matches!(spent, Error::Budget(_) | Error::Refused(_)), "{spent}");
}
