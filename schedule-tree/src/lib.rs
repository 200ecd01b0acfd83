//! Schedule trees: the execution order of statement instances as a tree, and mechanical rewrites of it.
//!
//! A tree says in which order the instances of its domain run: bands order by quasi-affine functions, sequences by position, sets
//! not at all (Verdoolaege, Guelton, Grosser, Cohen, IMPACT 2014). Values are immutable and share subtrees; a rewrite is a function
//! from tree to tree.
//!
//! This crate rewrites mechanically: it knows no dependences (see `deps`), no C and no accesses, and it does no input or output.
//! Every public type is `Send + Sync`.
//!
//! | module | content |
//! |---|---|
//! | [`tree`], [`band`], [`mark`] | [`ScheduleTree`], [`Node`], [`Band`], [`Mark`] |
//! | [`path`], [`cursor`] | places in a tree: child positions, depth-first numbers |
//! | [`text`] | isl's YAML form in and out |
//! | [`verify`](mod@verify) | the invariants of trees |
//! | [`occurrence`], [`order`] | when instances run: as functions, and for two concrete instances |
//! | [`statements`] | program order of statements |
//! | [`registry`], [`argument`], [`moves`] | transformations by name, their arguments, moves and steps as plain values |
//! | [`offer`] | what can be done where, enumerable and samplable |
//! | [`transform`] | the standard transformations |
//!
//! ```
//! use loopwright_schedule_tree::{Move, Path, Registry, ScheduleTree};
//!
//! let tree: ScheduleTree = r#"
//! domain: "[n] -> { S[i, j] : 0 <= i, j < n }"
//! child:
//!   schedule: "L_0[{ S[i, j] -> [(i)] }]"
//!   child:
//!     schedule: "L_1[{ S[i, j] -> [(j)] }]"
//! "#.parse()?;
//! let swap: Move = "INTERCHANGE".parse()?;
//! let swapped = Registry::standard().apply(&tree.at(&Path::from([0]))?, &swap)?;
//! assert_eq!(swapped.node(&Path::from([0]))?.as_band().unwrap().label().map(|l| &**l), Some("L_1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod argument;
pub mod band;
pub mod cursor;
pub mod error;
mod functions;
pub mod mark;
pub mod moves;
pub mod occurrence;
pub mod offer;
pub mod order;
pub mod path;
pub mod registry;
pub mod statements;
pub mod text;
pub mod transform;
pub mod tree;
pub mod verify;

pub use argument::{Arg, ArgKind, Arguments, Choice, Formal, Schema};
pub use band::{Band, LoopType, Member};
pub use cursor::Cursor;
pub use error::Error;
pub use mark::Mark;
pub use moves::{Move, Step, StepError, Target};
pub use occurrence::{Coordinate, Occurrence};
pub use offer::Offer;
pub use order::{Instance, Order};
pub use path::Path;
pub use registry::{Refusal, Registry, StepFailure, Transformation};
pub use tree::{Node, NodeKind, ScheduleTree};
