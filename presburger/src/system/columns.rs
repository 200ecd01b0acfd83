//! The layout `[1 | params | domain | range | divs]` of a system's columns.

use crate::{Dim, Space};
use std::ops::Range;

/// How many columns of each kind a system has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Columns {
    /// Parameters.
    pub params: usize,
    /// Dimensions of the domain tuple.
    pub domain: usize,
    /// Dimensions of the range tuple (of the only tuple of a set).
    pub range: usize,
    /// Existentially quantified integers.
    pub divs: usize,
}

impl Columns {
    /// The layout of a space, without divs.
    pub fn of(space: &Space) -> Columns {
        Columns { params: space.dim(Dim::Param), domain: space.dim(Dim::In), range: space.dim(Dim::Out), divs: 0 }
    }

    /// All columns, the constant's included.
    #[inline]
    pub fn len(&self) -> usize {
        1 + self.params + self.domain + self.range + self.divs
    }

    /// Never: there is always the constant's column.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// The first div column: also the number of columns without divs.
    #[inline]
    pub fn first_div(&self) -> usize {
        1 + self.params + self.domain + self.range
    }

    /// The column of div `i`.
    #[inline]
    pub fn div(&self, i: usize) -> usize {
        self.first_div() + i
    }

    /// The columns of one kind of dimension.
    pub fn dims(&self, kind: Dim) -> Range<usize> {
        match kind {
            Dim::Param => 1..1 + self.params,
            Dim::In => 1 + self.params..1 + self.params + self.domain,
            Dim::Out => 1 + self.params + self.domain..self.first_div(),
        }
    }

    /// The columns of both tuples.
    pub fn tuples(&self) -> Range<usize> {
        1 + self.params..self.first_div()
    }

    /// The div columns.
    pub fn div_range(&self) -> Range<usize> {
        self.first_div()..self.len()
    }

    /// The same layout with `divs` divs.
    pub fn with_divs(&self, divs: usize) -> Columns {
        Columns { divs, ..*self }
    }
}
