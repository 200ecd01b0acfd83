//! Regions from C text, for tests. Each test file uses some of it.
#![allow(dead_code)]

use loopwright_c_front::{Error, Options, Source, extract};
use loopwright_scop::Scop;

/// The function that tests put their regions into.
pub fn program(region: &str) -> String {
    format!(
        "#include <math.h>\n#include <stddef.h>\n#define N 100\n#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n\
         void f(int n, int m, long l, unsigned u, unsigned w, double A[n][m], double B[n][m], double x[], double *y, int p[], double s)\n\
         {{\n  int i, j, k;\n  long t;\n  unsigned v;\n  double a, b;\n#pragma scop\n{region}\n#pragma endscop\n}}\n"
    )
}

/// The scop of a region.
#[track_caller]
pub fn scop(region: &str) -> Scop {
    let extraction = extract(&Source::from_text("t.c", &program(region)), &Options::default());
    let mut extraction = extraction.unwrap_or_else(|e| panic!("{region}\n{e}"));
    assert_eq!(extraction.scops.len(), 1);
    extraction.scops.remove(0)
}

/// The error of a whole file.
#[track_caller]
pub fn error(text: &str) -> Error {
    match extract(&Source::from_text("t.c", text), &Options::default()) {
        Ok(_) => panic!("accepted: {}", text.split("#pragma scop").nth(1).unwrap_or(text)),
        Err(error) => error,
    }
}
