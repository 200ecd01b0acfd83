//! Dependences: which instances of a program must keep their order, and the proof that a schedule tree keeps it.
//!
//! One validator serves every transformation: it takes the dependences of the original order and a new tree, and it knows nothing of
//! how the tree came about. This crate knows neither C nor how a tree is printed; it does no input or output, and every public type
//! is `Send + Sync`.
//!
//! | module | content |
//! |---|---|
//! | [`dependence`] | [`Accesses`], [`Dependence`], [`Dependences`] |
//! | [`memory`] | RAW, WAR and WAW over all instances |
//! | [`dataflow`] | [`AccessInfo`], [`Flow`]: the last writer of what is read |
//! | [`delta`] | distances in time; the walk down a tree |
//! | [`legality`] | [`Verdict`]: does a tree keep all dependences? |
//! | [`witness`] | [`Violation`]: two instances in the wrong order, and their replay |
//! | [`parallel`] | [`Loop`]: which loops carry which dependences |
//! | [`permutable`] | which bands can be interchanged and tiled |
//! | [`reduction`] | [`Reductions`]: updates that may run in any order, up to rounding |
//! | [`report`] | [`LoopReport`]: all that is known of each loop |
//! | [`answer`] | the answer as JSON |

pub mod answer;
pub mod dataflow;
pub mod delta;
pub mod dependence;
pub mod error;
pub mod legality;
pub mod memory;
pub mod parallel;
pub mod permutable;
pub mod reduction;
pub mod report;
mod running;
pub mod witness;

pub use answer::{Answer, Witness};
pub use dataflow::{AccessInfo, Flow};
pub use delta::Delta;
pub use dependence::{Accesses, Dependence, Dependences, Kind};
pub use error::Error;
pub use legality::Verdict;
pub use parallel::Loop;
pub use reduction::Reductions;
pub use report::{LoopReport, Relaxation};
pub use witness::{Reason, ReplayError, Violation};
