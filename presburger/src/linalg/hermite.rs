//! Integer solutions of linear equations, by unimodular column operations (the column-style Hermite form).
//!
//! For `M` with `k` rows there is a unimodular `U` with `M U = [H 0]`, `H` lower triangular with full column rank. Then
//! `M x + c = 0` has integer solutions iff the triangular system `H z = -c` has, and all of them are `x = U (z; free)`:
//! ```text
//! 4x + 6y = 10   ->   (x, y) = (1, 1) + t (3, -2)
//! ```
//! Hermite 1851; see Schrijver, "Theory of linear and integer programming", chapter 4.

use super::{Matrix, Row};
use crate::Int;

/// All integer solutions of a system of equations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solutions {
    /// One row per unknown, the constant's 1 first (so row 0 is the unit row): unknown `i` is `rows[i] . (1, free..)`.
    pub unknowns: Matrix,
}

impl Solutions {
    /// The number of free integers.
    pub fn free(&self) -> usize {
        self.unknowns.cols() - 1
    }

    /// The row over `(1, free..)` that equals `row` over `(1, unknowns..)` on all solutions.
    pub fn substitute(&self, row: &Row) -> Row {
        self.unknowns.row_times(row)
    }

    /// The solution for the given free integers (1 first).
    pub fn point(&self, free: &[Int]) -> Vec<Int> {
        self.unknowns.apply(free)
    }
}

/// The integer solutions of `eqs . (1, x) = 0` in `n` unknowns, or `None` if there are none.
///
/// ```
/// use loopwright_presburger::linalg::{Row, hermite::solve};
/// assert!(solve(&[Row::from_slice(&[-1, 2, -2])], 2).is_none()); // 2x - 2y = 1
/// assert_eq!(solve(&[Row::from_slice(&[-10, 4, 6])], 2).unwrap().free(), 1);
/// ```
pub fn solve(eqs: &[Row], n: usize) -> Option<Solutions> {
    let echelon = echelon(eqs, n);
    let width = n + 1;

    // The constants' column is never mixed into another, so each equation now reads `c + sum_{j < rank} h_j z_j = 0`.
    let mut z = vec![Int::ZERO; width];
    z[0] = Int::ONE;
    for (row, step) in echelon.rows.iter().zip(&echelon.steps) {
        let rest = row.dot(&z);
        match *step {
            None if rest.is_zero() => {}
            None => return None,
            Some(col) => {
                let pivot = row.get(col);
                if !pivot.divides(&rest) {
                    return None;
                }
                z[col] = -rest.div_exact(&pivot);
            }
        }
    }
    let rank = echelon.rank();
    let particular = echelon.basis.apply(&z);
    let unknowns = (0..width)
        .map(|i| {
            let free = (rank + 1..width).map(|j| echelon.basis.get(i, j));
            Row::from_ints(std::iter::once(particular[i].clone()).chain(free).collect())
        })
        .collect();
    Some(Solutions { unknowns: Matrix::from_rows(unknowns, width - rank) })
}

/// A unimodular change of the unknowns `x = U z` such that the rows (without their constants) use only `z_1 .. z_rank`.
#[derive(Debug, Clone)]
pub struct Echelon {
    /// The transformed rows, constants in front.
    pub rows: Vec<Row>,
    /// For each row the column that it was the first to need.
    pub steps: Vec<Option<usize>>,
    /// `(n + 1) x (n + 1)`: `(1, x) = basis (1, z)`.
    pub basis: Matrix,
}

impl Echelon {
    /// The number of columns that the rows use (the constant's aside).
    pub fn rank(&self) -> usize {
        self.steps.iter().flatten().count()
    }
}

/// Brings rows over `(1, x_1 .. x_n)` into lower triangular form by unimodular operations on the columns behind the first.
pub fn echelon(rows: &[Row], n: usize) -> Echelon {
    let width = n + 1;
    // Work on columns as rows: column j of `[rows; identity]`.
    let k = rows.len();
    let mut columns: Vec<Row> = (0..width)
        .map(|j| {
            let top = rows.iter().map(|r| r.get(j));
            let bottom = (0..width).map(|i| if i == j { Int::ONE } else { Int::ZERO });
            Row::from_ints(top.chain(bottom).collect())
        })
        .collect();
    let mut steps = Vec::with_capacity(k);
    let mut next = 1;
    for i in 0..k {
        loop {
            let used: Vec<usize> = (next..width).filter(|&j| !columns[j].is_zero_at(i)).collect();
            let Some(&least) = used.iter().min_by_key(|&&j| columns[j].get(i).abs()) else {
                steps.push(None);
                break;
            };
            if used.len() == 1 {
                columns.swap(next, least);
                steps.push(Some(next));
                next += 1;
                break;
            }
            let pivot = columns[least].clone();
            for j in used.into_iter().filter(|&j| j != least) {
                let quotient = nearest(&columns[j].get(i), &pivot.get(i));
                columns[j] = columns[j].combine(&Int::ONE, &pivot, &-quotient);
            }
        }
    }
    let at = |i: usize| Row::from_ints(columns.iter().map(|c| c.get(i)).collect());
    Echelon { rows: (0..k).map(at).collect(), steps, basis: Matrix::from_rows((k..k + width).map(at).collect(), width) }
}

/// The integer nearest to `a / b` (so remainders at least halve).
fn nearest(a: &Int, b: &Int) -> Int {
    let (a, b) = if b.is_negative() { (-a, -b) } else { (a.clone(), b.clone()) };
    (a * Int::from(2) + &b).div_floor(&(b * Int::from(2)))
}

#[cfg(test)]
mod tests {
    use super::{echelon, solve};
    use crate::Int;
    use crate::linalg::Row;
    use quickcheck::quickcheck;

    fn rows(flat: &[i8], n: usize) -> Vec<Row> {
        flat.chunks_exact(n + 1).take(4).map(|c| Row::from_slice(&c.iter().map(|&x| i64::from(x)).collect::<Vec<_>>())).collect()
    }

    quickcheck! {
        fn solutions_solve(flat: Vec<i8>, free: Vec<i16>) -> bool {
            let eqs = rows(&flat, 4);
            let Some(solutions) = solve(&eqs, 4) else { return true };
            let mut point = vec![Int::ONE];
            point.extend((0..solutions.free()).map(|i| Int::from(free.get(i).copied().unwrap_or(7))));
            let x = solutions.point(&point);
            x[0].is_one() && eqs.iter().all(|r| r.dot(&x).is_zero() && solutions.substitute(r).is_zero_in(0..solutions.free() + 1))
        }
        fn known_solutions_are_found(flat: Vec<i8>, point: (i8, i8, i8)) -> bool {
            let x = [Int::ONE, Int::from(point.0), Int::from(point.1), Int::from(point.2)];
            let eqs: Vec<Row> = rows(&flat, 3).into_iter().map(|mut r| { let v = -r.dot(&x); r.add_at(0, &v); r }).collect();
            solve(&eqs, 3).is_some()
        }
        fn echelon_is_triangular(flat: Vec<i8>) -> bool {
            let input = rows(&flat, 4);
            let e = echelon(&input, 4);
            let mut used = 0;
            input.iter().zip(&e.rows).zip(&e.steps).all(|((r, h), s)| {
                used = s.unwrap_or(used);
                e.basis.row_times(r) == *h && h.is_zero_in(used + 1..5)
            })
        }
    }

    #[test]
    fn parity_is_seen() {
        assert!(solve(&[Row::from_slice(&[1, 2, -2])], 2).is_none());
        assert!(solve(&[Row::from_slice(&[0, 1, 1]), Row::from_slice(&[1, 1, -1])], 2).is_none());
        assert_eq!(solve(&[Row::from_slice(&[1, 15, 28])], 2).unwrap().free(), 1);
        assert_eq!(solve(&[], 3).unwrap().free(), 3);
    }
}
