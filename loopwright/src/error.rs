//! Why the pipeline stopped.

use loopwright_presburger::BudgetSpent;
use loopwright_schedule_tree::StepFailure;

/// Everything that can go wrong between a file and its transformed form.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file gave no static control parts.
    #[error(transparent)]
    Front(#[from] loopwright_c_front::Error),
    /// A step names a static control part that the file does not have.
    #[error(
        "scop: there is no static control part {scop}: the file has {count} (numbered from 0; refused regions have no number)"
    )]
    NoScop {
        /// The number asked for.
        scop: usize,
        /// How many there are.
        count: usize,
    },
    /// A step does not apply.
    #[error(transparent)]
    Step(#[from] StepFailure),
    /// A tree is broken.
    #[error(transparent)]
    Tree(#[from] loopwright_schedule_tree::Error),
    /// Dependences or legality could not be decided.
    #[error(transparent)]
    Deps(#[from] loopwright_deps::Error),
    /// A schedule has no loops.
    #[error("static control part {scop}: {source}")]
    Codegen {
        /// Which part.
        scop: usize,
        /// Why.
        source: loopwright_codegen::Error,
    },
    /// The budget was spent.
    #[error(transparent)]
    Budget(#[from] BudgetSpent),
}

impl Error {
    /// Whether a larger budget may help.
    pub fn is_budget(&self) -> bool {
        match self {
            Error::Budget(_) | Error::Front(loopwright_c_front::Error::Budget(_)) => true,
            Error::Codegen { source, .. } => matches!(source, loopwright_codegen::Error::Budget(_)),
            Error::Deps(e) => matches!(e, loopwright_deps::Error::Budget(_)),
            Error::Tree(e) => matches!(e, loopwright_schedule_tree::Error::Budget(_)),
            _ => false,
        }
    }
}
