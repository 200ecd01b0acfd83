//! From schedules to loops: an abstract syntax tree of loops, conditions and statement instances, and C with OpenMP.
//!
//! Invariants of absence: this crate knows neither legality nor statement bodies. A statement is a name and index
//! expressions; its body is rendered by a closure of the caller. Only [`print`] writes C.

pub mod ast;
mod error;
pub mod expr;
pub mod interpret;
#[allow(dead_code)]
mod linear;
pub mod print;
pub mod typing;

pub use ast::{Ast, CType, For, If, Mark, Node, User};
pub use error::Error;
pub use expr::{Comparison, Expr};
pub use interpret::interpret;
pub use print::c::{PrintOptions, helpers_used, print_c};
pub use typing::{ParamInfo, ParamInfos, ParamType, assign_types};
