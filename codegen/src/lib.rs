//! From schedules to loops: an abstract syntax tree of loops, conditions and statement instances, and C with OpenMP.
//!
//! Invariants of absence: this crate knows neither legality nor statement bodies. A statement is a name and index
//! expressions; its body is rendered by a closure of the caller. Only [`print`](mod@print) writes C.

pub mod ast;
mod build;
mod error;
pub mod expr;
mod facts;
mod fate;
mod frame;
mod guard;
mod header;
pub mod interpret;
mod isolate;
mod linear;
mod options;
mod order;
mod pieces;
pub mod print;
mod region;
mod scan;
mod shadow;
mod stride;
mod triple;
pub mod typing;
mod unroll;

pub use ast::{Ast, CType, For, If, Mark, Node, User};
pub use build::{generate, generate_within};
pub use error::Error;
pub use expr::{Comparison, Expr};
pub use fate::{Lost, LostMark};
pub use interpret::interpret;
pub use options::{Options, Unrolling};
pub use print::c::{Index, PrintOptions, arguments, print_c};
pub use print::helpers::{Helper, HelperNames, helpers, helpers_used};
pub use scan::LoopStyle;
pub use triple::{generate_from_map, generate_from_map_within, read_triple};
pub use typing::{ParamInfo, ParamInfos, ParamType, assign_types};
