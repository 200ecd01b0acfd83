//! What can go wrong in this crate, and where.

use crate::{BudgetSpent, Space};
use std::fmt;

/// Two spaces that an operation needed to be the same are not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("spaces differ: {left} against {right}")]
pub struct SpaceMismatch {
    /// The space of the left operand.
    pub left: Box<Space>,
    /// The space of the right operand.
    pub right: Box<Space>,
}

/// A place in a text and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// Byte offset into the text.
    pub offset: usize,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What was expected or is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}

/// Everything that data, rather than the caller's code, can make fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is not in isl notation.
    #[error(transparent)]
    Parse(#[from] ParseError),
    /// The operands live in different spaces.
    #[error(transparent)]
    Space(#[from] SpaceMismatch),
    /// The budget was spent.
    #[error(transparent)]
    Budget(#[from] BudgetSpent),
    /// An enumeration or an optimum over an unbounded set.
    #[error("the set is unbounded{0}; intersect it with bounds first")]
    Unbounded(String),
    /// An operand is outside the operation's domain; the text says how.
    #[error("{0}")]
    Domain(String),
}
