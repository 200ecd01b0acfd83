//! Matrices of exact integers, as rows.

use super::Row;
use crate::Int;
use std::fmt;

/// A matrix with a fixed number of columns.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Matrix {
    // Invariant: every row has `cols` elements.
    rows: Vec<Row>,
    cols: usize,
}

impl Matrix {
    /// A matrix from rows of `cols` elements each.
    ///
    /// # Panics
    /// If a row has another length.
    pub fn from_rows(rows: Vec<Row>, cols: usize) -> Matrix {
        assert!(rows.iter().all(|r| r.len() == cols), "every row of a matrix has {cols} elements");
        Matrix { rows, cols }
    }

    /// The identity.
    pub fn identity(n: usize) -> Matrix {
        let unit = |i: usize| {
            let mut row = Row::zero(n);
            row.set(i, Int::ONE);
            row
        };
        Matrix { rows: (0..n).map(unit).collect(), cols: n }
    }

    /// The rows.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number of columns.
    pub fn cols(&self) -> usize {
        self.cols
    }

    /// Element in row `i`, column `j`.
    pub fn get(&self, i: usize, j: usize) -> Int {
        self.rows[i].get(j)
    }

    /// The matrix mirrored at its diagonal.
    pub fn transpose(&self) -> Matrix {
        let column = |j: usize| Row::from_ints(self.rows.iter().map(|r| r.get(j)).collect());
        Matrix { rows: (0..self.cols).map(column).collect(), cols: self.rows.len() }
    }

    /// `row * self`: the combination of this matrix's rows.
    ///
    /// # Panics
    /// If `row` has not one element per row of the matrix.
    pub fn row_times(&self, row: &Row) -> Row {
        assert_eq!(row.len(), self.rows.len(), "a row times a matrix has one element per row of the matrix");
        let mut out = Row::zero(self.cols);
        for (i, r) in self.rows.iter().enumerate() {
            if !row.is_zero_at(i) {
                out = out.combine(&Int::ONE, r, &row.get(i));
            }
        }
        out
    }

    /// `self * other`.
    ///
    /// # Panics
    /// If the shapes do not fit.
    pub fn times(&self, other: &Matrix) -> Matrix {
        Matrix { rows: self.rows.iter().map(|r| other.row_times(r)).collect(), cols: other.cols }
    }

    /// `self * column`.
    pub fn apply(&self, column: &[Int]) -> Vec<Int> {
        self.rows.iter().map(|r| r.dot(column)).collect()
    }
}

impl fmt::Debug for Matrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.rows).finish()
    }
}
