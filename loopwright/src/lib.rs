//! Loopwright: loop nests of C as integer sets and maps, rewritten by proven transformations, and written back as C with OpenMP.
//!
//! This crate puts the layers together and adds nothing of its own but the pipeline: [`Program`] reads a file, applies steps and
//! writes the file back; [`Answer`] says whether a step is legal and, if not, which two statement instances collide.
//!
//! ```no_run
//! use loopwright::{Budget, Program, Source, Step};
//! use std::path::Path;
//!
//! let program = Program::open(Source::read(Path::new("gemm.c"))?, &Default::default())?;
//! let step: Step = serde_json::from_str(r#"{"path": [0], "move": ["TILE_1D", 32]}"#)?;
//! let original = program.original();
//! let tiled = program.apply(&original, &step)?;
//! let answer = program.judge(&tiled, step.scop, &Budget::UNLIMITED)?;
//! assert!(answer.legal);
//! println!("{}", program.emit(&tiled, &Budget::UNLIMITED)?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod emit;
mod error;
mod program;

pub use emit::{Emitted, Warning};
pub use error::Error;
pub use program::{Program, State};

pub use loopwright_c_front::{Diagnostic, Input, LeftOut, Options, Regions, Source};
pub use loopwright_deps::{Answer, Dependences, Witness};
pub use loopwright_presburger::{Budget, BudgetSpent};
pub use loopwright_schedule_tree::{Move, Offer, Path, Registry, ScheduleTree, Step};

pub use loopwright_c_front as c_front;
pub use loopwright_codegen as codegen;
pub use loopwright_deps as deps;
pub use loopwright_presburger as presburger;
pub use loopwright_schedule_tree as schedule_tree;
pub use loopwright_scop as scop;
