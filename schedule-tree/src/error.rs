//! What can go wrong with a tree, and where.

use crate::{NodeKind, Path};
use loopwright_presburger::BudgetSpent;

/// Everything that data, rather than the caller's code, can make fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The text is not a schedule tree.
    #[error("line {line}, column {column}: {message}")]
    Text {
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// What was expected or is wrong, and what to do.
        message: String,
    },
    /// A tree is nested deeper than [`MAX_DEPTH`](crate::tree::MAX_DEPTH).
    #[error("the tree is nested more than {limit} nodes deep")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// The root is neither a domain nor an extension.
    #[error("a tree starts with a domain or an extension, not with a {found}")]
    Root {
        /// What was found instead.
        found: NodeKind,
    },
    /// No node stands at the path.
    #[error("there is no node at {path}: the {kind} at {at} has {children} children")]
    NoNode {
        /// The path asked for.
        path: Path,
        /// The deepest node on it.
        at: Path,
        /// That node's kind.
        kind: NodeKind,
        /// How many children that node has.
        children: usize,
    },
    /// No node has the number.
    #[error("there is no node {number}: the tree has nodes 0 to {last}")]
    NoNumber {
        /// The number asked for.
        number: usize,
        /// The last number in the tree.
        last: usize,
    },
    /// A node breaks an invariant of schedule trees.
    #[error("the {kind} at {path} {message}")]
    Broken {
        /// Where.
        path: Path,
        /// What stands there.
        kind: NodeKind,
        /// What is wrong, as the end of a sentence.
        message: String,
    },
    /// The budget was spent.
    #[error(transparent)]
    Budget(#[from] BudgetSpent),
}
