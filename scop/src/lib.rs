//! A static control part as data: what a region of a program does, apart from the order in which it is written down.
//!
//! A [`Scop`] has parameters, arrays, statements and an initial schedule tree. A [`Statement`] has a domain (the set of its
//! instances), accesses (maps from instances to array elements) and a [`Body`] (its text with holes for counters and accesses).
//! This crate holds data only: it reads no C, proves nothing and changes no order.
//!
//! Running example: `for (i = 0; i < n; i++) A[i] = 2 * A[i];` is
//! `S0[i] : 0 <= i < n` with a read `S0[i] -> A[i]`, then a write `S0[i] -> A[i]`.

mod access;
mod body;
mod region;
mod scop;
mod statement;
mod text;
mod update;

pub use access::{Access, AccessKind};
pub use body::{Body, Index, Piece};
pub use region::{Region, Span};
pub use scop::{Array, Assumption, Counter, CounterScope, FinalValue, IntType, Param, Scop, Shape};
pub use statement::Statement;
pub use update::{Operator, Update};
