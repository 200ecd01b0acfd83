//! Fourier-Motzkin elimination of a column from inequalities, with its real, dark and exact shadows.
//!
//! A lower bound `b*x + l >= 0` and an upper bound `-a*x + u >= 0` (`a, b > 0`) combine into `a*l + b*u >= 0`. Over the rationals the
//! combinations of all pairs are the projection (real shadow). Over the integers they are if every `a` or every `b` is one;
//! otherwise `a*l + b*u >= (a-1)*(b-1)` (dark shadow) is enough for an integer `x` to exist, but not necessary.

use crate::Int;
use crate::linalg::Row;

/// Which projection the combinations describe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shadow {
    /// A superset of the integer projection; the projection over the rationals.
    Real,
    /// A subset of the integer projection.
    Dark,
}

/// The bounds that inequalities put on a column.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    /// Positions of rows with a positive coefficient.
    pub lower: Vec<usize>,
    /// Positions of rows with a negative coefficient.
    pub upper: Vec<usize>,
    unit_lower: bool,
    unit_upper: bool,
}

impl Bounds {
    /// The bounds of column `col`.
    pub fn of(ineqs: &[Row], col: usize) -> Bounds {
        let mut bounds = Bounds { unit_lower: true, unit_upper: true, ..Bounds::default() };
        for (i, row) in ineqs.iter().enumerate() {
            match row.sign(col) {
                1 => {
                    bounds.lower.push(i);
                    bounds.unit_lower &= row.get(col).is_one();
                }
                -1 => {
                    bounds.upper.push(i);
                    bounds.unit_upper &= row.get(col) == Int::MINUS_ONE;
                }
                _ => {}
            }
        }
        bounds
    }

    /// Whether elimination is exact over the integers: unit coefficients on one side, or no bound on one side.
    pub fn is_exact(&self) -> bool {
        self.unit_lower || self.unit_upper
    }

    /// How many rows elimination adds, those that it removes subtracted.
    pub fn growth(&self) -> isize {
        let (l, u) = (self.lower.len() as isize, self.upper.len() as isize);
        l * u - l - u
    }
}

/// The combination of a lower and an upper bound on `col` that is free of it.
pub fn combine(lower: &Row, upper: &Row, col: usize, shadow: Shadow) -> Row {
    let (b, a) = (lower.get(col), -upper.get(col));
    let mut row = lower.combine(&a, upper, &b);
    if shadow == Shadow::Dark {
        row.add_at(0, &-((&a - Int::ONE) * (&b - Int::ONE)));
    }
    row
}

/// The inequalities without `col`: those that do not use it and the combinations of all its bounds. The column's coefficients
/// are zero in the result.
pub fn eliminate(ineqs: &[Row], col: usize, bounds: &Bounds, shadow: Shadow) -> Vec<Row> {
    let mut out: Vec<Row> = ineqs.iter().filter(|r| r.is_zero_at(col)).cloned().collect();
    for &l in &bounds.lower {
        for &u in &bounds.upper {
            out.push(combine(&ineqs[l], &ineqs[u], col, shadow));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Bounds, Shadow, eliminate};
    use crate::linalg::Row;

    /// Columns `[1, x, y]`; eliminates y.
    #[track_caller]
    fn check(rows: &[[i64; 3]], shadow: Shadow, exact: bool, expect: &[[i64; 3]]) {
        let rows: Vec<Row> = rows.iter().map(|r| Row::from_slice(r)).collect();
        let bounds = Bounds::of(&rows, 2);
        assert_eq!(bounds.is_exact(), exact);
        let expect: Vec<Row> = expect.iter().map(|r| Row::from_slice(r)).collect();
        assert_eq!(eliminate(&rows, 2, &bounds, shadow), expect);
    }

    #[test]
    fn shadows() {
        // 0 <= y <= x
        check(&[[0, 0, 1], [0, 1, -1]], Shadow::Real, true, &[[0, 1, 0]]);
        // x <= 2y and 3y <= x + 1
        check(&[[0, -1, 2], [1, 1, -3]], Shadow::Real, false, &[[2, -1, 0]]);
        check(&[[0, -1, 2], [1, 1, -3]], Shadow::Dark, false, &[[0, -1, 0]]);
        // one-sided: nothing is left
        check(&[[5, 1, 1]], Shadow::Real, true, &[]);
    }
}
