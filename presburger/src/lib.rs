//! Presburger arithmetic: sets, maps and quasi-affine functions over the integers, exact, in pure Rust.
//!
//! This crate knows nothing of statements, arrays, time or C. It does no input or output, reads no clock and keeps no global state;
//! every public type is `Send + Sync`.
//!
//! Layers, from the face down: [`text`] (isl notation), [`relation`] and [`func`] (values with spaces), [`count`] (cards, sums and
//! bounds), [`system`] (constraints without names), [`solve`] (engines over systems), [`linalg`] (rows and matrices), [`Int`].

pub mod budget;
pub mod count;
pub mod error;
pub mod func;
pub mod int;
pub mod linalg;
pub mod rat;
pub mod relation;
pub mod solve;
pub mod space;
pub mod system;
pub mod text;
pub mod union;
pub mod val;

pub use budget::{Budget, BudgetSpent};
pub use error::{Error, ParseError, SpaceMismatch};
pub use func::{
    Aff, Arithmetic, Comparison, Element, Extremum, Fold, Multi, MultiAff, MultiPwAff, MultiUnionPwAff, Outside, Piece, Pw,
    PwAff, PwFold, PwMultiAff, PwQPolynomial, QPolynomial, Quasiaffine, Rounding, UnionPwAff, UnionPwMultiAff,
    UnionPwQPolynomial,
};
pub use int::Int;
pub use rat::Rat;
pub use relation::{
    BasicMap, BasicRelation, BasicSet, Constraint, Kind, Map, OfMap, OfParams, OfSet, Optimum, Params, Point, Relation, Set,
};
pub use space::{Dim, Id, Space, Tuple};
pub use system::{Columns, Div, RowKind, System};
pub use union::{Spaced, Union, UnionMap, UnionSet};
pub use val::Val;
