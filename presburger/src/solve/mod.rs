//! Engines over systems. They share only [`System`](crate::System), so that one can check another.
//!
//! | engine | answers | method |
//! |---|---|---|
//! | [`fourier_motzkin`] | elimination of a column | Fourier 1827, Motzkin 1936 |
//! | [`omega`] | emptiness, exact projection, known divs | Pugh, "The Omega Test", CACM 1992 |
//! | [`simplex`] | rational optima | Dantzig; undo after Detlefs, Nelson, Saxe 2005 |
//! | [`sample`] | emptiness, sample points, integer optima | unimodular elimination, basis reduction (Cook et al. 1993) |
//! | [`redundant`] | redundant rows, implicit equalities | simplex |
//! | [`affine_hull`] | integer affine hull | sampling |
//! | [`lexmin`] | parametric lexicographic optima | Feautrier, "Parametric integer programming", 1988 |
pub mod affine_hull;
pub(crate) mod coefficient;
pub mod fourier_motzkin;
pub mod lexmin;
pub mod omega;
pub mod redundant;
pub mod sample;
pub mod simplex;
pub(crate) mod tableau;
#[cfg(test)]
pub(crate) mod testing;
