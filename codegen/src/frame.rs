//! Rows of systems as linear forms: what every column is worth at a point of the generated code.

use std::sync::Arc;

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Int, System};

use crate::error::Error;
use crate::linear::{Atom, Linear, Rounding};

/// A number of a system as an `i128`.
pub(crate) fn small(value: &Int) -> Result<i128, Error> {
    // half of the range is kept for sums
    value.to_i128().filter(|v| v.unsigned_abs() < 1 << 100).ok_or_else(|| Error::TooLarge(value.to_string()))
}

/// The values of the columns of one system, at a point where the first dimensions have values.
pub(crate) struct Frame {
    /// By column; `None` where the column has no value here.
    values: Vec<Option<Linear>>,
}

impl Frame {
    /// Parameters by name, dimensions by `values`; divisions wherever all that they refer to has a value.
    pub fn new(system: &System, params: &[Arc<str>], values: &[Linear]) -> Result<Frame, Error> {
        let columns = system.columns();
        let mut known: Vec<Option<Linear>> = vec![None; columns.len()];
        known[0] = Some(Linear::constant(1));
        for (k, name) in params.iter().enumerate() {
            known[1 + k] = Some(Linear::atom(Atom::Param(name.clone())));
        }
        for (slot, value) in known[columns.tuples()].iter_mut().zip(values) {
            *slot = Some(value.clone());
        }
        let mut frame = Frame { values: known };
        for (k, div) in system.divs().iter().enumerate() {
            let Some(div) = div else { continue };
            if frame.knows(&div.num) {
                let value = frame.linear(&div.num, None)?.divided(small(&div.den)?, Rounding::Floor)?;
                frame.values[columns.div(k)] = Some(value);
            }
        }
        Ok(frame)
    }

    /// Has every column that the row uses a value?
    pub fn knows(&self, row: &Row) -> bool {
        (0..row.len()).all(|k| row.is_zero_at(k) || self.values[k].is_some())
    }

    /// Has this column a value?
    pub fn has(&self, column: usize) -> bool {
        self.values[column].is_some()
    }

    /// The row as a form, one column left out. Columns without a value count as 0.
    pub fn linear(&self, row: &Row, except: Option<usize>) -> Result<Linear, Error> {
        let mut sum = Linear::default();
        for (k, value) in self.values.iter().enumerate() {
            if let (Some(value), false, true) = (value, row.is_zero_at(k), Some(k) != except) {
                sum = sum.plus(small(&row.get(k))?, value)?;
            }
        }
        Ok(sum)
    }
}
