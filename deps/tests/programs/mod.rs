//! Small programs, each with what makes it worth a look.
#![allow(dead_code)]

use crate::common::{Program, program};

/// `for i, j in 1..n: A[i][j] = A[i-1][j+1]`
pub fn diagonal() -> Program {
    program(
        "[n] -> { S[i, j] -> A[i - 1, j + 1] : 1 <= i, j < n }",
        "[n] -> { S[i, j] -> A[i, j] : 1 <= i, j < n }",
        r#"
domain: "[n] -> { S[i, j] : 1 <= i, j < n }"
child:
  schedule: "L_0[{ S[i, j] -> [(i)] }]"
  child:
    schedule: "L_1[{ S[i, j] -> [(j)] }]"
"#,
        &[0, 1, 3, 4],
    )
}

/// `for i, j in 1..n: A[i][j] = A[i-1][j-1]`
pub fn forward() -> Program {
    program(
        "[n] -> { S[i, j] -> A[i - 1, j - 1] : 1 <= i, j < n }",
        "[n] -> { S[i, j] -> A[i, j] : 1 <= i, j < n }",
        r#"
domain: "[n] -> { S[i, j] : 1 <= i, j < n }"
child:
  schedule: "L_0[{ S[i, j] -> [(i)] }]"
  child:
    schedule: "L_1[{ S[i, j] -> [(j)] }]"
"#,
        &[0, 1, 3, 4],
    )
}

/// `for i { s = A[i]; B[i] = s; }`: every iteration uses the scalar anew.
pub fn scalar() -> Program {
    program(
        "[n] -> { S[i] -> A[i] : 0 <= i < n; T[i] -> s[] : 0 <= i < n }",
        "[n] -> { S[i] -> s[] : 0 <= i < n; T[i] -> B[i] : 0 <= i < n }",
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  schedule: "L_0[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#,
        &[0, 1, 2, 4],
    )
}

/// `for i { A[i] = .. } for j { B[j] = A[n - 1 - j] }`: fusion reverses some pairs, a shift mends it.
pub fn mirrored() -> Program {
    program(
        "[n] -> { T[j] -> A[n - 1 - j] : 0 <= j < n }",
        "[n] -> { S[i] -> A[i] : 0 <= i < n; T[j] -> B[j] : 0 <= j < n }",
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  sequence:
  - filter: "{ S[i] }"
    child:
      schedule: "L_0[{ S[i] -> [(i)] }]"
  - filter: "{ T[i] }"
    child:
      schedule: "L_1[{ T[i] -> [(i)] }]"
"#,
        &[0, 1, 2, 5],
    )
}

/// Red-black Gauss-Seidel, red half: `for i, j in 1..n: if ((i + j) % 2 == 0) A[i][j] = A[i-1][j] + A[i][j-1] + A[i][j+1]`.
pub fn red() -> Program {
    program(
        "[n] -> { S[i, j] -> A[i - 1, j] : 1 <= i, j < n and (i + j) mod 2 = 0; S[i, j] -> A[i, j - 1] : 1 <= i, j < n and (i + j) mod 2 = 0; S[i, j] -> A[i, j + 1] : 1 <= i, j < n and (i + j) mod 2 = 0 }",
        "[n] -> { S[i, j] -> A[i, j] : 1 <= i, j < n and (i + j) mod 2 = 0 }",
        r#"
domain: "[n] -> { S[i, j] : 1 <= i, j < n and (i + j) mod 2 = 0 }"
child:
  schedule: "L_0[{ S[i, j] -> [(i)] }]"
  child:
    schedule: "L_1[{ S[i, j] -> [(j)] }]"
"#,
        &[1, 2, 5],
    )
}

/// `for (i = n - 2; i >= 0; i--) x[i] = x[i + 1] + y[i]`
pub fn decreasing() -> Program {
    program(
        "[n] -> { S[i] -> x[i + 1] : 0 <= i < n - 1; S[i] -> y[i] : 0 <= i < n - 1 }",
        "[n] -> { S[i] -> x[i] : 0 <= i < n - 1 }",
        r#"
domain: "[n] -> { S[i] : 0 <= i < n - 1 }"
child:
  schedule: "L_0[{ S[i] -> [(-i)] }]"
"#,
        &[1, 2, 5],
    )
}

/// `for t, i { S: A[i] = B[i]; T: B[i] = A[i - 1] }`: some dependences are carried by the order of the text alone.
pub fn textual() -> Program {
    program(
        "[n] -> { S[t, i] -> B[i] : 1 <= t, i < n; T[t, i] -> A[i - 1] : 1 <= t, i < n }",
        "[n] -> { S[t, i] -> A[i] : 1 <= t, i < n; T[t, i] -> B[i] : 1 <= t, i < n }",
        r#"
domain: "[n] -> { S[t, i] : 1 <= t, i < n; T[t, i] : 1 <= t, i < n }"
child:
  schedule: "L_0[{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }]"
  child:
    schedule: "L_1[{ S[t, i] -> [(i)]; T[t, i] -> [(i)] }]"
    child:
      sequence:
      - filter: "{ S[t, i] }"
      - filter: "{ T[t, i] }"
"#,
        &[1, 3, 4],
    )
}

/// `for i { S: x = A[i]; D: x = 0; T: x = B[i]; U: C[i] = x }`: D is dead, but S, D and T are a chain of writes.
pub fn dead_write() -> Program {
    program(
        "[n] -> { S[i] -> A[i] : 0 <= i < n; T[i] -> B[i] : 0 <= i < n; U[i] -> x[] : 0 <= i < n }",
        "[n] -> { S[i] -> x[] : 0 <= i < n; D[i] -> x[] : 0 <= i < n; T[i] -> x[] : 0 <= i < n; U[i] -> C[i] : 0 <= i < n }",
        r#"
domain: "[n] -> { S[i] : 0 <= i < n; D[i] : 0 <= i < n; T[i] : 0 <= i < n; U[i] : 0 <= i < n }"
child:
  schedule: "L_0[{ S[i] -> [(i)]; D[i] -> [(i)]; T[i] -> [(i)]; U[i] -> [(i)] }]"
  child:
    sequence:
    - filter: "{ S[i] }"
    - filter: "{ D[i] }"
    - filter: "{ T[i] }"
    - filter: "{ U[i] }"
"#,
        &[0, 1, 3],
    )
}

/// `for i { for j in 0..i: A[i] = A[i] + A[j] }`: triangular.
pub fn triangular() -> Program {
    program(
        "[n] -> { S[i, j] -> A[i] : 0 <= j < i < n; S[i, j] -> A[j] : 0 <= j < i < n }",
        "[n] -> { S[i, j] -> A[i] : 0 <= j < i < n }",
        r#"
domain: "[n] -> { S[i, j] : 0 <= j < i < n }"
child:
  schedule: "L_0[{ S[i, j] -> [(i)] }]"
  child:
    schedule: "L_1[{ S[i, j] -> [(j)] }]"
"#,
        &[0, 2, 5],
    )
}

/// `for i, j: C[i] = C[i] + A[j]`: the outer loop is parallel, the inner one is a reduction.
pub fn rows() -> Program {
    program(
        "[n] -> { S[i, j] -> C[i] : 0 <= i, j < n; S[i, j] -> A[j] : 0 <= i, j < n }",
        "[n] -> { S[i, j] -> C[i] : 0 <= i, j < n }",
        r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n }"
child:
  schedule: "L_0[{ S[i, j] -> [(i)] }]"
  child:
    schedule: "L_1[{ S[i, j] -> [(j)] }]"
"#,
        &[0, 1, 4],
    )
}

/// `for t { for i: B[i] = A[i-1] + A[i+1]; for i: A[i] = B[i] }`: Jacobi.
pub fn jacobi() -> Program {
    program(
        "[n] -> { S[t, i] -> A[i - 1] : 0 <= t < n and 1 <= i < n; S[t, i] -> A[i + 1] : 0 <= t < n and 1 <= i < n; T[t, i] -> B[i] : 0 <= t < n and 1 <= i < n }",
        "[n] -> { S[t, i] -> B[i] : 0 <= t < n and 1 <= i < n; T[t, i] -> A[i] : 0 <= t < n and 1 <= i < n }",
        r#"
domain: "[n] -> { S[t, i] : 0 <= t < n and 1 <= i < n; T[t, i] : 0 <= t < n and 1 <= i < n }"
child:
  schedule: "L_0[{ S[t, i] -> [(t)]; T[t, i] -> [(t)] }]"
  child:
    sequence:
    - filter: "{ S[t, i] }"
      child:
        schedule: "L_1[{ S[t, i] -> [(i)] }]"
    - filter: "{ T[t, i] }"
      child:
        schedule: "L_2[{ T[t, i] -> [(i)] }]"
"#,
        &[1, 3, 4],
    )
}

/// `for i: if (i < m) A[i] = A[i + m]; else A[i] = A[i - m]`: the branches are a set.
pub fn branches() -> Program {
    program(
        "[m, n] -> { S[i] -> A[i + m] : 0 <= i < n and i < m; T[i] -> A[i - m] : 0 <= i < n and i >= m }",
        "[m, n] -> { S[i] -> A[i] : 0 <= i < n and i < m; T[i] -> A[i] : 0 <= i < n and i >= m }",
        r#"
domain: "[m, n] -> { S[i] : 0 <= i < n and i < m; T[i] : 0 <= i < n and i >= m }"
child:
  schedule: "L_0[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
  child:
    set:
    - filter: "{ S[i] }"
    - filter: "{ T[i] }"
"#,
        &[0, 2, 4],
    )
}

/// All of them.
pub fn all() -> Vec<(&'static str, Program)> {
    vec![
        ("diagonal", diagonal()),
        ("forward", forward()),
        ("scalar", scalar()),
        ("mirrored", mirrored()),
        ("red", red()),
        ("decreasing", decreasing()),
        ("textual", textual()),
        ("dead_write", dead_write()),
        ("triangular", triangular()),
        ("rows", rows()),
        ("jacobi", jacobi()),
        ("branches", branches()),
    ]
}
