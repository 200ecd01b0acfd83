//! What can go wrong between a schedule and its loops.
//!
//! Every refusal names the expression, the loop or the tree position it is about, so that the caller can answer "what do I change?".

use loopwright_presburger::BudgetSpent;
use thiserror::Error;

/// Why no loops were produced.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Error {
    /// The budget was spent before the AST was complete.
    #[error("budget spent while generating loops: {0}")]
    Budget(#[from] BudgetSpent),
    /// A loop has no lower or no upper bound.
    #[error("loop {depth} (over {statements}) has no {side} bound, so its iterations cannot be enumerated")]
    Unbounded {
        /// Depth of the loop, outermost 0.
        depth: usize,
        /// The statements that the loop would run.
        statements: String,
        /// "lower" or "upper".
        side: &'static str,
    },
    /// A value cannot be proven to fit into 64 bits.
    #[error("the value of `{expression}` cannot be proven to fit into 64 bits: it may lie anywhere in {range}")]
    Overflow {
        /// The expression, as C.
        expression: String,
        /// Its interval under the parameter ranges.
        range: String,
    },
    /// A number of the schedule is beyond what generated code can hold.
    #[error("the number {0} is too large for generated code")]
    TooLarge(String),
    /// A loop marked for unrolling has no constant number of iterations.
    #[error("loop {depth} (over {statements}) cannot be unrolled: {why}")]
    NotUnrollable {
        /// Depth of the loop, outermost 0.
        depth: usize,
        /// The statements that the loop would run.
        statements: String,
        /// What is missing.
        why: String,
    },
    /// A kind of node that this generator does not handle.
    #[error("cannot generate code for {what} at {path}")]
    Unsupported {
        /// What it is.
        what: String,
        /// Child positions from the root of the tree.
        path: String,
    },
    /// More loops are nested than generated code may have.
    #[error("loops nest deeper than {0}")]
    TooDeep(usize),
    /// A text is not a schedule, context, options triple or a tree.
    #[error("{0}")]
    Input(String),
    /// The interpreter met an identifier without a value.
    #[error("no value for `{0}`")]
    NoValue(String),
    /// The interpreter's arithmetic left 128 bits, or a promise of the AST does not hold.
    #[error("while interpreting: {0}")]
    Interpreter(String),
    /// The interpreter took more steps than allowed.
    #[error("more than {0} steps")]
    Steps(u64),
}
