//! What can go wrong with dependences, and what to do about it.

use loopwright_presburger::BudgetSpent;
use loopwright_schedule_tree::{NodeKind, Path};

/// Everything that data, rather than the caller's code, can make fail.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A tree breaks an invariant of schedule trees, or a place in it does not exist.
    #[error(transparent)]
    Tree(#[from] loopwright_schedule_tree::Error),
    /// A node whose effect on the order cannot be judged.
    #[error("the {kind} at {path} changes which instances run: the order below it cannot be compared with the original order")]
    Unsupported {
        /// Where.
        path: Path,
        /// What stands there.
        kind: NodeKind,
    },
    /// The new tree runs other instances than the original one.
    #[error("the tree does not run the instances of the original order: {statement} {problem}")]
    Instances {
        /// A statement whose instances differ.
        statement: String,
        /// How they differ, as the end of a sentence.
        problem: String,
    },
    /// A schedule map has no tree.
    #[error("the schedule map is no order: {why}")]
    ScheduleMap {
        /// Why not.
        why: String,
    },
    /// The budget was spent.
    #[error(transparent)]
    Budget(#[from] BudgetSpent),
}
