//! Statements that update an element by an associative and commutative operator: what reductions are made of.

use serde::{Deserialize, Serialize};
use std::fmt;

/// An associative and commutative operator; on floating-point numbers up to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Operator {
    /// `+`; a subtraction adds the negative.
    #[serde(rename = "+")]
    Add,
    /// `*`
    #[serde(rename = "*")]
    Multiply,
    /// The smaller one.
    #[serde(rename = "min")]
    Min,
    /// The larger one.
    #[serde(rename = "max")]
    Max,
    /// `&`
    #[serde(rename = "&")]
    And,
    /// `|`
    #[serde(rename = "|")]
    Or,
    /// `^`
    #[serde(rename = "^")]
    Xor,
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operator::Add => "+",
            Operator::Multiply => "*",
            Operator::Min => "min",
            Operator::Max => "max",
            Operator::And => "&",
            Operator::Or => "|",
            Operator::Xor => "^",
        })
    }
}

/// A statement of the form `x = x op e`. What `e` reads is for the accesses to say: it may read `x`'s array as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The operator.
    pub operator: Operator,
    /// The sites of the reads of `x`: two in `x = x < e ? x : e`.
    pub reads: Vec<usize>,
    /// The site of the write of `x`; it is that of the read as well in `x += e`.
    pub write: usize,
}
