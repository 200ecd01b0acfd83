//! The harness tells right variants from wrong ones, and one bad variant does not disturb the others.

use loopwright_polybench_tests::{
    CompareOptions, Compiler, Dataset, Kernel, Optimization, Outcome, Threads, Variant, compare, kernel, kernels,
};
use std::num::NonZeroUsize;
use std::time::Duration;

fn gemm() -> &'static Kernel {
    kernel("gemm").unwrap()
}

/// gemm with `old` replaced by `new`; `old` must occur once.
#[track_caller]
fn edited(old: &str, new: &str) -> Variant {
    let text = gemm().source();
    assert_eq!(text.matches(old).count(), 1, "{old}");
    Variant::new(format!("{old} -> {new}"), text.replace(old, new))
}

/// gemm with statements in front of its loops.
fn preceded_by(statements: &str) -> Variant {
    edited("#pragma scop", &format!("{statements}\n#pragma scop"))
}

fn options() -> CompareOptions {
    CompareOptions { timeout: Duration::from_millis(500), ..CompareOptions::default() }
}

fn with_threads(threads: Threads) -> CompareOptions {
    let mut options = options();
    options.compiler.threads = threads;
    options
}

fn outcomes(variants: &[Variant], options: &CompareOptions) -> Vec<Outcome> {
    compare(gemm(), Dataset::Mini, variants, options).unwrap_or_else(|e| panic!("{e}"))
}

fn outcome(variant: Variant) -> Outcome {
    outcomes(&[variant], &options()).remove(0)
}

#[track_caller]
fn check_same(variant: Variant) {
    assert_eq!(outcome(variant), Outcome::Same);
}

#[track_caller]
fn check_different(variant: Variant, array: &str, index: &[usize], count: usize) {
    match outcome(variant) {
        Outcome::Different { array: a, index: i, count: c, expected, actual } => {
            assert_eq!((a.as_str(), i.as_slice(), c), (array, index, count));
            assert_ne!(expected, actual);
        }
        other => panic!("{other}"),
    }
}

#[track_caller]
fn check_crash(variant: Variant, reason: &str) {
    match outcome(variant) {
        Outcome::Crash { reason: r } => assert!(r.contains(reason), "{r}"),
        other => panic!("{other}"),
    }
}

#[track_caller]
fn check_compile_error(outcome: &Outcome, part: &str) {
    match outcome {
        Outcome::CompileError { message } => {
            assert!(message.contains(part), "{message}");
        }
        other => panic!("{other}"),
    }
}

const INNER: &str = "for (j = 0; j < _PB_NJ; j++)\n            C[i][j] += alpha * A[i][k] * B[k][j];";

#[test]
fn the_original_is_the_same_for_all_kernels() {
    for kernel in kernels() {
        let identity = Variant::new("identity", kernel.source());
        let outcomes = compare(kernel, Dataset::Mini, &[identity], &options());
        assert_eq!(outcomes.unwrap(), [Outcome::Same], "{kernel}");
    }
}

#[test]
fn another_legal_order_is_the_same() {
    check_same(edited(INNER, "for (j = _PB_NJ - 1; j >= 0; j--)\n            C[i][j] += alpha * A[i][k] * B[k][j];"));
}

#[test]
fn another_order_of_the_sum_is_different() {
    let reversed = edited("for (k = 0; k < _PB_NK; k++)", "for (k = _PB_NK - 1; k >= 0; k--)");
    assert!(matches!(outcome(reversed), Outcome::Different { .. }));
}

#[test]
fn another_operator_is_different() {
    check_different(edited("C[i][j] += alpha", "C[i][j] -= alpha"), "C", &[0, 0], 500);
}

#[test]
fn a_loop_that_ends_too_early_is_different() {
    check_different(edited("for (k = 0; k < _PB_NK; k++)", "for (k = 0; k < _PB_NK - 1; k++)"), "C", &[0, 0], 500);
    check_different(edited(INNER, &INNER.replace("_PB_NJ", "_PB_NJ - 1")), "C", &[0, 24], 20);
}

#[test]
fn one_wrong_element_is_found() {
    check_different(edited("#pragma endscop", "#pragma endscop\n C[7][11] = -C[7][11];"), "C", &[7, 11], 1);
}

#[test]
fn a_write_to_an_array_that_is_only_read_is_different() {
    check_different(edited("#pragma endscop", "#pragma endscop\n  A[1][2] = 0;"), "A", &[1, 2], 1);
}

#[test]
fn a_crash_names_its_signal() {
    check_crash(preceded_by("*(volatile int *) 0 = 1;"), "signal 11");
    check_crash(preceded_by("abort();"), "signal 6");
    check_crash(preceded_by("exit(3);"), "status 3");
    check_crash(preceded_by("exit(0);"), "status 0");
}

#[test]
fn an_access_outside_of_an_array_is_a_crash() {
    check_crash(preceded_by("(&C[0][0])[NI * NJ] = 0;"), "signal 11");
    check_crash(preceded_by("(&C[0][0])[-1] = 0;"), "before the start of array C");
    check_crash(preceded_by("C[0][0] += *(volatile double *) &B[NK][0];"), "signal 11");
}

#[test]
fn an_endless_loop_times_out() {
    assert_eq!(outcome(preceded_by("for (volatile int x = 0; x == 0;) ;")), Outcome::Timeout);
}

#[test]
fn a_compile_error_is_of_its_variant() {
    check_compile_error(&outcome(edited("C[i][j] *= beta;", "C[i][j] *= ;")), "error:");
    check_compile_error(&outcome(preceded_by("{")), "error:");
    check_compile_error(&outcome(preceded_by("#if 1")), "unterminated");
    check_compile_error(&outcome(preceded_by("undeclared = 1;")), "undeclared");
    check_compile_error(&outcome(preceded_by("undeclared = 1;")), "v1.c:52:");
}

/// A function that is declared and never defined parses alone and fails only when linked.
#[test]
fn a_link_error_is_of_its_variant() {
    let variants = [
        edited("int i, j, k;", "int i, j, k;\n  extern int nowhere(void);\n  nowhere();"),
        Variant::new("identity", gemm().source()),
    ];
    let outcomes = outcomes(&variants, &options());
    assert!(matches!(&outcomes[0], Outcome::CompileError { message } if message.contains("nowhere")));
    assert_eq!(outcomes[1], Outcome::Same);
}

#[test]
fn bad_variants_do_not_disturb_the_others() {
    let same = || Variant::new("identity", gemm().source());
    let variants = [
        same(),
        preceded_by("{"),
        edited("C[i][j] += alpha", "C[i][j] -= alpha"),
        preceded_by("abort();"),
        same(),
        preceded_by("for (volatile int x = 0; x == 0;) ;"),
        edited("i < _PB_NI", "i <= _PB_NI - 1"),
    ];
    for per_program in [1, 3, 64] {
        let options = CompareOptions { variants_per_program: NonZeroUsize::new(per_program).unwrap(), ..options() };
        let outcomes = outcomes(&variants, &options);
        assert_eq!(outcomes.len(), 7);
        assert_eq!(outcomes[0], Outcome::Same);
        assert!(matches!(outcomes[1], Outcome::CompileError { .. }));
        assert!(matches!(outcomes[2], Outcome::Different { .. }));
        assert!(matches!(outcomes[3], Outcome::Crash { .. }));
        assert_eq!(outcomes[4], Outcome::Same);
        assert_eq!(outcomes[5], Outcome::Timeout);
        assert_eq!(outcomes[6], Outcome::Same);
    }
}

#[test]
fn no_variants_no_answers() {
    assert_eq!(outcomes(&[], &options()), []);
}

/// Every variant brings helper functions of the same name, as code generation does, with different bodies here.
#[test]
fn helpers_of_variants_do_not_meet() {
    let helper = |bound: &str| {
        let text = gemm().source().replace("k < _PB_NK", "k < lw_min(_PB_NK, 1000)");
        let function = format!(
            "static inline long lw_min(long a, long b)\n{{\n  return a < b ? {bound} : b;\n}}\n\nstatic\nvoid kernel_gemm("
        );
        Variant::new(bound, text.replacen("static\nvoid kernel_gemm(", &function, 1))
    };
    let outcomes = outcomes(&[helper("a"), helper("a - 1"), helper("(a)")], &options());
    assert_eq!(outcomes[0], Outcome::Same);
    assert!(matches!(outcomes[1], Outcome::Different { .. }));
    assert_eq!(outcomes[2], Outcome::Same);
}

#[test]
fn threads_are_those_asked_for() {
    let variant = edited(
        "#pragma endscop",
        "#pragma endscop\n  int team = 0;\n#pragma omp parallel\n#pragma omp atomic\n  team++;\n  C[0][0] += team;",
    );
    let added = |threads| match &outcomes(std::slice::from_ref(&variant), &with_threads(threads))[0] {
        Outcome::Different { index, count: 1, expected, actual, .. } if index == &[0, 0] => {
            (hex_float(actual) - hex_float(expected)).round()
        }
        other => panic!("{other}"),
    };
    assert_eq!(added(Threads::Sequential), 1.0);
    assert_eq!(added(Threads::OpenMp(1)), 1.0);
    assert_eq!(added(Threads::OpenMp(4)), 4.0);
}

/// `0x1.8p+3`
fn hex_float(text: &str) -> f64 {
    let (digits, exponent) = text.strip_prefix("0x1").unwrap().split_once('p').unwrap();
    let digits = digits.strip_prefix('.').unwrap_or("");
    let fraction = u64::from_str_radix(&format!("0{digits}"), 16).unwrap() as f64;
    (1.0 + fraction / 16f64.powi(digits.len() as i32)) * 2f64.powi(exponent.parse().unwrap())
}

#[test]
fn a_parallel_loop_of_four_threads_is_the_same() {
    let parallel = edited("#pragma scop\n  for (i = 0;", "#pragma omp parallel for private(j, k) num_threads(4)\n  for (i = 0;");
    let options = CompareOptions { runs: 5, ..with_threads(Threads::OpenMp(4)) };
    assert_eq!(outcomes(&[parallel], &options), [Outcome::Same]);
}

#[test]
fn every_optimization_level_agrees() {
    for optimization in [Optimization::O1, Optimization::O2, Optimization::O3] {
        let options = CompareOptions { compiler: Compiler { optimization, ..Compiler::default() }, ..options() };
        let reversed = edited(INNER, &INNER.replace("j = 0; j < _PB_NJ; j++", "j = _PB_NJ - 1; j >= 0; j--"));
        assert_eq!(outcomes(&[reversed], &options), [Outcome::Same]);
    }
}

#[test]
fn a_missing_compiler_is_an_error() {
    let mut options = options();
    options.compiler.command = "no-such-compiler".into();
    let identity = Variant::new("identity", gemm().source());
    let error = compare(gemm(), Dataset::Mini, &[identity], &options).unwrap_err();
    assert!(error.to_string().contains("no-such-compiler"), "{error}");
}
