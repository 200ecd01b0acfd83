//! Small regions and the sets and maps that they stand for.

mod support;

use loopwright_c_front::{Options, Source, extract};
use loopwright_presburger::{UnionMap, UnionSet};
use support::scop;

/// The domains of a region's statements.
#[track_caller]
fn domain(region: &str, expect: &str) {
    let expect: UnionSet = expect.parse().unwrap();
    let found = scop(region).domain();
    assert!(found.is_equal(&expect), "{region}\nfound {found:?}");
}

#[track_caller]
fn accesses(region: &str, reads: &str, writes: &str) {
    let scop = scop(region);
    let (reads, writes): (UnionMap, UnionMap) = (reads.parse().unwrap(), writes.parse().unwrap());
    assert!(scop.reads().is_equal(&reads), "{region}\nreads {:?}", scop.reads());
    assert!(scop.writes().is_equal(&writes), "{region}\nwrites {:?}", scop.writes());
}

/// The rendered body of statement 0 at counters `c0`, `c1`, ..
#[track_caller]
fn body(region: &str, expect: &str) {
    let scop = scop(region);
    let statement = &scop.statements[0];
    let indices: Vec<loopwright_scop::Index> = (0..statement.depth()).map(|d| format!("c{d}").as_str().into()).collect();
    assert_eq!(statement.body.render(&indices), expect, "{region}");
}

#[test]
fn loops() {
    domain("for (i = 0; i < n; i++) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < n }");
    domain("for (int q = 1; q <= n; ++q) x[q] = 0;", "[n] -> { S0[q] : 1 <= q <= n }");
    domain("for (i = n - 1; i >= 0; i--) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < n }");
    domain("for (i = n; i > m; --i) x[i] = 0;", "[n, m] -> { S0[i] : m < i <= n }");
    domain("for (i = 0; i < n; i += 3) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < n and i mod 3 = 0 }");
    domain("for (i = n; 0 < i; i -= 2) x[i] = 0;", "[n] -> { S0[i] : 0 < i <= n and (i - n) mod 2 = 0 }");
    domain("for (i = m; i != n; i++) x[i] = 0;", "[n, m] -> { S0[i] : m <= i < n }");
    domain("for (i = m; i != n; i--) x[i] = 0;", "[n, m] -> { S0[i] : n < i <= m }");
    domain("for (i = 0; i < n; i = i + 1) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < n }");
    domain("for (i = 0; i < n; i = 2 + i) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < n and i mod 2 = 0 }");
    domain("for (i = n; i > 0; i = i - 1) x[i] = 0;", "[n] -> { S0[i] : 0 < i <= n }");
    domain("for (i = 0; i < n && i < m; i++) x[i] = 0;", "[n, m] -> { S0[i] : 0 <= i < n and i < m }");
    domain("for (i = 0; i < n || i < m; i++) x[i] = 0;", "[n, m] -> { S0[i] : 0 <= i and (i < n or i < m) }");
    domain("for (i = 0; 2 * i + 1 < n; i++) x[i] = 0;", "[n] -> { S0[i] : 0 <= i and 2i + 1 < n }");
    domain("for (i = 0; i > n && i < m; i++) x[i] = 0;", "[n, m] -> { S0[i] : 0 <= i < m and n < 0 }");
    domain("for (i = 0; !(i >= n); i++) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < n }");
    domain("for (i = 0; i < N; i++) x[i] = 0;", "{ S0[i] : 0 <= i < 100 }");
    domain("for (i = 0; i < n; i++) for (j = 0; j < i; j++) A[i][j] = 0;", "[n] -> { S0[i, j] : 0 <= j < i < n }");
    domain("for (i = 0; i < 4; i++) { } for (j = 0; j < 2; j++) x[j] = 0;", "{ S0[j] : 0 <= j < 2 }");
    domain("for (t = 0; t < l; t++) x[t] = 0;", "[l] -> { S0[t] : 0 <= t < l }");
    domain("for (v = 0; v < u; v++) x[v] = 0;", "[u] -> { S0[v] : 0 <= v < u }");
    domain("for (i = 0; i < n; i++) { for (int i = 0; i < 3; i++) ; x[i] = 0; }", "[n] -> { S0[i] : 0 <= i < n }");
    domain("for (unsigned char c = 0; c < 200; c++) x[c] = 0;", "{ S0[c] : 0 <= c < 200 }");
    domain("for (size_t z = 0; z < 10; z += 3) x[z] = 0;", "{ S0[z] : 0 <= z < 10 and z mod 3 = 0 }");
    domain("for (v = 10; v > 0; v--) x[v] = 0;", "{ S0[v] : 0 < v <= 10 }");
    domain("{ int q; for (q = 0; q < n; q++) x[q] = 0; }", "[n] -> { S0[q] : 0 <= q < n }");
    domain("for (i = 0; i < 3; i++) for (int i = 5; i < 7; i++) x[i] = 0;", "{ S0[i, j] : 0 <= i < 3 and 5 <= j < 7 }");
}

#[test]
fn bounds_with_choices() {
    domain("for (i = 0; i < MIN(n, m); i++) x[i] = 0;", "[n, m] -> { S0[i] : 0 <= i < n and i < m }");
    domain("for (i = MAX(n, m); i < 9; i++) x[i] = 0;", "[n, m] -> { S0[i] : n <= i < 9 and m <= i }");
    domain("for (i = MIN(n, m); i < 9; i++) x[i] = 0;", "[n, m] -> { S0[i] : i < 9 and (n <= i or m <= i) }");
    domain("for (i = 0; i < n / 2; i++) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < floor(n / 2) }");
    domain("for (i = n / 3; i < 0; i++) x[0] = 0;", "[n] -> { S0[i] : i < 0 and 3i >= n and i >= -floor((-n) / 3) }");
    domain("for (i = 0; i < (n > 3 ? n - 3 : 1); i++) x[i] = 0;", "[n] -> { S0[i] : 0 <= i < n - 3 and n > 3; S0[0] : n <= 3 }");
}

#[test]
fn conditions() {
    domain(
        "for (i = 0; i < n; i++) if (i > 2) x[i] = 0; else y[i] = 0;",
        "[n] -> { S0[i] : 2 < i < n; S1[i] : 0 <= i < n and i <= 2 }",
    );
    domain("if (n == 3 || m != 2) a = 0;", "[n, m] -> { S0[] : n = 3 or m < 2 or m > 2 }");
    domain("if (n) a = 0; if (!n) b = 0;", "[n] -> { S0[] : n != 0; S1[] : n = 0 }");
    domain(
        "for (i = -5; i < n; i++) for (j = -5; j < n; j++) if ((i + j) % 2 == 0) A[i][j] = 0;",
        "[n] -> { S0[i, j] : -5 <= i, j < n and (i + j) mod 2 = 0 }",
    );
    domain("for (i = -5; i < 5; i++) if (i % 2 == 1) x[i] = 0;", "{ S0[i] : i = 1 or i = 3 }");
    domain("for (i = -5; i < 5; i++) if (i % 2 != 0) x[i] = 0;", "{ S0[i] : -5 <= i < 5 and i mod 2 = 1 }");
    domain("for (i = -5; i < 5; i++) if (i % 3 == -2) x[i] = 0;", "{ S0[i] : i = -5 or i = -2 }");
    domain("for (i = -5; i < 5; i++) if (i / 2 == -1) x[i] = 0;", "{ S0[i] : i = -3 or i = -2 }");
    domain("for (i = -5; i < 5; i++) if (i / 2 == 0) x[i] = 0;", "{ S0[i] : -1 <= i <= 1 }");
    domain("for (i = -5; i < 5; i++) if (i & 1) x[i] = 0;", "{ S0[i] : -5 <= i < 5 and i mod 2 = 1 }");
    domain("for (i = -4; i < 5; i++) if (i >> 1 == -1) x[i] = 0;", "{ S0[i] : i = -2 or i = -1 }");
    domain("for (i = 0; i < 9; i++) if (i << 1 > 6) x[i] = 0;", "{ S0[i] : 3 < i < 9 }");
    domain("if (n > 0 && (m < 1 || n < m)) a = 0;", "[n, m] -> { S0[] : n > 0 and (m < 1 or n < m) }");
    domain("if ((n > 0) + (m > 0) == 1) a = 0;", "[n, m] -> { S0[] : (n > 0 and m <= 0) or (n <= 0 and m > 0) }");
    domain("if (u > 0) for (v = 0; v < u - 1; v++) x[v] = 0;", "[u] -> { S0[v] : 0 <= v < u - 1 }");
    domain("if (n > 1) if (m > 1) a = 0; else b = 0;", "[n, m] -> { S0[] : n > 1 and m > 1; S1[] : n > 1 and m <= 1 }");
}

#[test]
fn reads_and_writes() {
    accesses(
        "for (i = 1; i < n; i++) A[i][2 * i] += B[i - 1][0] * s + x[i % 2];",
        "[n] -> { S0[i] -> A[i, 2i] : 1 <= i < n; S0[i] -> B[i - 1, 0] : 1 <= i < n; S0[i] -> s[] : 1 <= i < n; S0[i] -> x[i mod 2] : 1 <= i < n }",
        "[n] -> { S0[i] -> A[i, 2i] : 1 <= i < n }",
    );
    accesses("a = b = sqrt(s);", "{ S0[] -> s[] }", "{ S0[] -> a[]; S0[] -> b[] }");
    accesses("a++; --y[3];", "{ S0[] -> a[]; S1[] -> y[3] }", "{ S0[] -> a[]; S1[] -> y[3] }");
    accesses(
        "for (i = 0; i < 3; i++) x[i] = i > 0 ? y[i - 1] : y[2];",
        "{ S0[i] -> y[i - 1] : 0 < i < 3; S0[0] -> y[2] }",
        "{ S0[i] -> x[i] : 0 <= i < 3 }",
    );
    accesses("a = MAX(x[0], y[1]);", "{ S0[] -> x[0]; S0[] -> y[1] }", "{ S0[] -> a[] }");
    accesses("a = s > 0 && b > 0 ? 1 : (float)n;", "{ S0[] -> s[]; S0[] -> b[]; S0[] -> n[] }", "{ S0[] -> a[] }");
    accesses(
        "{ double acc = s; acc += x[0]; a = acc; }",
        "{ S0[] -> s[]; S1[] -> acc[]; S1[] -> x[0]; S2[] -> acc[] }",
        "{ S0[] -> acc[]; S1[] -> acc[]; S2[] -> a[] }",
    );
    accesses("{ double a = s; b = a; } a = 1;", "{ S0[] -> s[]; S1[] -> a_2[] }", "{ S0[] -> a_2[]; S1[] -> b[]; S2[] -> a[] }");
    accesses(
        "for (i = 0; i < 4; i++) { int q[4]; q[i] = 0; p[i] = q[i] + n; }",
        "{ S1[i] -> q[i] : 0 <= i < 4; S1[i] -> n[] : 0 <= i < 4 }",
        "{ S0[i] -> q[i] : 0 <= i < 4; S1[i] -> p[i] : 0 <= i < 4 }",
    );
}

#[test]
fn bodies() {
    body("for (i = 0; i < n; i++) x[i] = (double)i / n;", "x[((int)(c0))] = (double)((int)(c0)) / n;");
    body("for (t = 0; t < l; t++) x[t] = MIN(t, 3);", "x[((long)(c0))] = MIN(((long)(c0)), 3);");
    body("for (size_t z = 0; z < 9; z++) x[z]=0; // c", "x[((size_t)(c0))]=0;");
    body("for (i = 0; i < n; i++) x[i] =\n    x[i]\n /* c */ + 1;", "x[((int)(c0))] = x[((int)(c0))] + 1;");
    body("for (i = 0; i < 3; i++) for (int i = 5; i < 7; i++) x[i] = 0;", "x[((int)(c1))] = 0;");
    body("{ double acc = s, more = 1; a = acc; }", "acc = s;");
    body("{ const double a = s; b = a; }", "a_2 = s;");
}

#[test]
fn bodies_through_macros() {
    let check = |define: &str, statement: &str, expect: &str| {
        let text = format!(
            "{define}\nvoid f(double *x, double *y) {{ int i;\n#pragma scop\nfor (i = 0; i < 9; i++) {statement}\n#pragma endscop\n}}\n"
        );
        let source = loopwright_c_front::Source::from_text("t.c", &text);
        let scop = loopwright_c_front::extract(&source, &loopwright_c_front::Options::default()).unwrap().scops.remove(0);
        assert_eq!(scop.statements[0].body.render(&["c".into()]), expect);
    };
    check("#define V(c) c##f", "x[i] = V(1.0);", "x[((int)(c))] = V(1.0);");
    check("#define AT x[i]", "AT = y[i];", "x[((int)(c))] = y[((int)(c))];");
    check("#define AT(k) x[k]", "AT(i) = y[i];", "AT(((int)(c))) = y[((int)(c))];");
    check("#define SET(a, b) a = b;", "SET(x[i], y[i])", "x[((int)(c))] = y[((int)(c))];");
    check("#define NEG -", "x[i] = NEG-y[i];", "x[((int)(c))] = NEG-y[((int)(c))];");
    check("#define NEG(i) - i", "x[i] = -NEG(y[i]);", "x[((int)(c))] = -NEG(y[((int)(c))]);");
    check("#define BODY { x[i] = -M y[i]; }\n#define M -", "BODY", "x[((int)(c))] = - - y[((int)(c))];");
}

#[test]
fn locals_are_hoisted() {
    let scop =
        scop("for (i = 0; i < n; i++) { const double acc = x[i]; float r[4][2], q; q = acc; r[0][1] = q; y[i] = r[0][1]; }");
    let declaration = |name: &str| match &scop.array(name).unwrap().shape {
        loopwright_scop::Shape::Local { declaration } => declaration.clone(),
        loopwright_scop::Shape::Outside => String::new(),
    };
    assert_eq!(declaration("acc"), "double acc;");
    assert_eq!(declaration("r"), "float r[4][2];");
    assert_eq!(declaration("q"), "float q;");
    assert_eq!(declaration("y"), "");
}

#[test]
fn regions_are_placed() {
    let text = "int g(void) { return 1; } static\nvoid f(double *x)\n{\n  int i;\n  #pragma scop\n    for (i = 0; i < 3; i++)\n      x[i] = 0;\n  #pragma endscop\n}\n";
    let source = loopwright_c_front::Source::from_text("t.c", text);
    let scop = loopwright_c_front::extract(&source, &loopwright_c_front::Options::default()).unwrap().scops.remove(0);
    assert_eq!(scop.function, "f");
    assert_eq!(&text[scop.region.content.clone()], "    for (i = 0; i < 3; i++)\n      x[i] = 0;\n");
    assert!(
        text[scop.region.whole.clone()].starts_with("  #pragma scop\n")
            && text[scop.region.whole.clone()].ends_with("#pragma endscop\n")
    );
    assert_eq!(scop.region.helpers_at, 0);
    assert_eq!((scop.region.indent.as_str(), scop.region.line), ("    ", 5));
    assert_eq!((scop.statements[0].span.line, scop.statements[0].span.column), (7, 7));
    assert_eq!(&text[scop.statements[0].span.range.clone()], "x[i] = 0;");
}

#[test]
fn narrow_types_that_hold_their_values() {
    domain("for (short c = 0; c < 100; c++) x[c] = 0;", "{ S0[c] : 0 <= c < 100 }");
    domain("if (n < 1000) for (short c = 0; c < n; c++) x[c] = 0;", "[n] -> { S0[c] : 0 <= c < n < 1000 }");
    domain("if (l > 0 && l < 1000) for (i = 0; i < (int)l; i++) x[i] = 0;", "[l] -> { S0[i] : 0 <= i < l < 1000 }");
    domain("if (l >= 0 && l < 9) for (i = l; i < 10; i++) x[i] = 0;", "[l] -> { S0[i] : 0 <= l <= i < 10 and l < 9 }");
    accesses("for (i = 0; i < 100; i++) x[(signed char)i] = 0;", "{}", "{ S0[i] -> x[i] : 0 <= i < 100 }");
    accesses("for (i = 0; i < n; i++) { double q[N / 2]; q[0] = i; }", "{}", "[n] -> { S0[i] -> q[0] : 0 <= i < n }");
    accesses("double q[n]; for (i = 0; i < n; i++) q[i] = 0;", "{}", "[n] -> { S0[i] -> q[i] : 0 <= i < n }");
}

#[test]
fn generated_code_is_read_back() {
    let text = |region: &str| {
        format!(
            "static inline long lw_floord(long n, long d) {{ return n / d - (n % d < 0); }}\n\
             static inline long lw_ceild(long n, long d) {{ return n / d + (n % d > 0); }}\n\
             static inline long least(long a, long b) {{ return a < b ? a : b; }}\n\
             static inline long lw_max(long a, long b) {{ return a > b ? a : b; }}\n\
             static inline long wrong(long a, long b) {{ return a > b ? b : b; }}\n\
             void f(int n, double *x) {{\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
        )
    };
    let domain = |region: &str, expect: &str| {
        let found = extract(&Source::from_text("t.c", &text(region)), &Options::default());
        let found = found.unwrap_or_else(|e| panic!("{region}\n{e}")).scops.remove(0).domain();
        assert!(found.is_equal(&expect.parse::<UnionSet>().unwrap()), "{region}\nfound {found:?}");
    };
    domain(
        "for (long c = 0; c < n; c += 32) for (long i = c; i <= least(n - 1, c + 31); i += 1) x[i] = 0;",
        "[n] -> { S0[c, i] : c >= 0 and c mod 32 = 0 and c <= i < n and i <= c + 31 }",
    );
    domain(
        "for (long c = 0; c <= lw_floord(n - 1, 32); c++) for (long i = lw_max(1, 32 * c); i < n; i++) x[i] = 0;",
        "[n] -> { S0[c, i] : c >= 0 and 32c <= n - 1 and 1 <= i < n and 32c <= i }",
    );
    domain("for (long c = lw_ceild(-n, 4); c < 0; c++) x[c + n] = 0;", "[n] -> { S0[c] : 4c >= -n and c < 0 }");
    let wrong =
        extract(&Source::from_text("t.c", &text("for (long c = 0; c < wrong(n, 3); c++) x[c] = 0;")), &Options::default());
    assert!(wrong.unwrap_err().to_string().contains("a call of `wrong`"));
}
