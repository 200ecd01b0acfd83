//! Quasi-affine functions and the three ways to combine them: a tuple of, pieces of, one per space.
//!
//! | type | value | example |
//! |---|---|---|
//! | [`Aff`] | one quasi-affine expression | `{ S[i] -> [(floor((i)/2))] }` |
//! | [`MultiAff`] | a tuple of them | `{ S[i] -> A[i, i + 1] }` |
//! | [`PwAff`], [`PwMultiAff`] | pieces with disjoint domains | `[n] -> { S[i] -> [(i)] : i < n }` |
//! | [`MultiPwAff`] | a tuple of piecewise expressions | |
//! | [`UnionPwAff`], [`UnionPwMultiAff`] | one per space | `{ S[i] -> [(i)]; T[j] -> [(2j)] }` |
//! | [`MultiUnionPwAff`] | a tuple of those: a band's partial schedule | `L_0[{ S[i] -> [(i)]; T[j] -> [(j)] }]` |
//! | [`Fold`], [`PwFold`] | the greatest or least of some quasi-polynomials | `{ S[i] -> max(1, i^2) }` |
//! | [`QPolynomial`], [`PwQPolynomial`] | quasi-polynomials, zero outside of the pieces | `{ S[i] -> i * floor((i)/2) : i >= 0 }` |
//!
//! Functions are exact and rational: `i/2` is 1/2 at 1. As relations ([`Map`](crate::Map)) they relate only the integer points whose
//! values are integers.

mod aff;
mod arithmetic;
mod bind;
mod compare;
mod convert;
pub(crate) mod divs;
mod fold;
mod gist;
mod multi;
mod multi_aff;
mod multi_pw_aff;
mod multi_union;
pub(crate) mod polynomial;
mod preimage;
mod pw;
mod pw_aff;
mod pw_multi_aff;
mod pw_qpolynomial;
mod qpolynomial;
mod union_pw;
mod wrapped;

pub use compare::Comparison;
pub use fold::{Extremum, Fold};
pub use qpolynomial::QPolynomial;

use crate::linalg::Row;
use crate::system::Div;
use crate::{Budget, BudgetSpent, Int, Set, Space, System, Union};
use std::fmt::Debug;
use std::hash::Hash;

/// A quasi-affine function `x -> (num . x) / den` of a domain (a set space, or parameters alone), with integer divisions.
///
/// Columns of `num` are `[1 | params | domain tuple | divs]`, as in a system over the domain space (`Columns::of(domain)` with
/// the domain tuple in the range columns).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Aff {
    // The domain: a set space or a space of parameters.
    pub(crate) domain: Space,
    // Invariant: all known, each refers only to earlier columns.
    pub(crate) divs: Vec<Div>,
    pub(crate) num: Row,
    // At least 1; 0 for NaN.
    pub(crate) den: Int,
}

/// The arithmetic that every kind of function has.
///
/// Concrete types have these operations under their usual names (`add`, `neg`, ..), documented there.
pub trait Arithmetic: Clone + Debug + PartialEq + Eq + Hash {
    /// The parameters that the function knows, as a space.
    fn known_params(&self) -> Space;
    /// The function with the parameters of `model` added.
    fn with_params_of(&self, model: &Space) -> Self;
    /// `a + b`
    fn plus(&self, other: &Self) -> Self;
    /// `-a`
    fn negated(&self) -> Self;
    /// `factor * a`
    fn times(&self, factor: &Int) -> Self;
    /// `a / divisor`, exact and rational
    fn over(&self, divisor: &Int) -> Self;
}

/// The arithmetic of quasi-affine functions: rounding.
pub trait Rounding: Arithmetic {
    /// `floor(a)`
    fn floored(&self) -> Self;
}

/// What a [`Multi`] can hold: a function with one value.
pub trait Element: Rounding {
    /// The explicit domain of a tuple without elements.
    type Domain: Clone + Debug + PartialEq + Eq + Hash;
    /// Whether the function can be an element of a tuple in `space` (which has its parameters).
    fn fits(&self, space: &Space) -> bool;
    /// The explicit domain that restricts nothing (for [`UnionPwAff`], which has no such domain: the empty one).
    fn everywhere(space: &Space) -> Self::Domain;
    /// The intersection of two explicit domains.
    fn meet(a: &Self::Domain, b: &Self::Domain) -> Self::Domain;
}

/// The value of a function in pieces outside of all its pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outside {
    /// There is none: sums are defined where both terms are.
    Undefined,
    /// Zero: sums are defined where one of the terms is.
    Zero,
}

/// What a [`Pw`] can hold: a function defined everywhere on its domain space.
pub trait Piece: Arithmetic {
    /// The value outside of all pieces.
    const OUTSIDE: Outside;
    /// The space of the function: the map space from domain to range, or the range's set space over parameters alone.
    fn function_space(&self) -> Space;
    /// `x -> self(f(x))`
    fn after(&self, f: &MultiAff) -> Self;
    /// Whether both functions are known to have the same values on `domain`.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    fn agrees_on(&self, other: &Self, domain: &Set, budget: &Budget) -> Result<bool, BudgetSpent>;
    /// A simpler function that agrees with this one on `context`.
    fn simplified_on(&self, context: &Set) -> Self;
    /// Whether an element is NaN.
    fn has_nan(&self) -> bool;
}

/// A piece that is quasi-affine: where two such functions agree is a set, and so is the graph.
pub trait Quasiaffine: Piece + Rounding {
    /// The points where both functions have the same value.
    fn equal_set(&self, other: &Self) -> Set;
    /// The graph `{ x -> y : y = self(x) }` as a system over the function space.
    fn graph(&self) -> System;
}

/// A tuple of functions with one domain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Multi<E: Element> {
    // A map space, or the set space of the range for functions of parameters alone (and for MultiUnionPwAff, whose domains vary).
    pub(crate) space: Space,
    pub(crate) elements: Vec<E>,
    // Invariant: set exactly when there are no elements.
    pub(crate) domain: Option<E::Domain>,
}

/// A function in pieces with disjoint domains.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Pw<E: Piece> {
    // A map space, or the set space of the range for functions of parameters alone; then the pieces' domains are over `[]`.
    pub(crate) space: Space,
    // Invariant: domains are non-empty as far as cheaply known and pairwise disjoint.
    pub(crate) pieces: Vec<(Set, E)>,
}

/// A tuple of affine expressions.
pub type MultiAff = Multi<Aff>;
/// A piecewise affine expression.
pub type PwAff = Pw<Aff>;
/// A piecewise tuple of affine expressions.
pub type PwMultiAff = Pw<MultiAff>;
/// A tuple of piecewise affine expressions.
pub type MultiPwAff = Multi<PwAff>;
/// Piecewise affine expressions on several spaces.
pub type UnionPwAff = Union<PwAff>;
/// Piecewise tuples on several spaces.
pub type UnionPwMultiAff = Union<PwMultiAff>;
/// A tuple of affine expressions on several spaces.
pub type MultiUnionPwAff = Multi<UnionPwAff>;

/// A quasi-polynomial in pieces, zero outside of them.
pub type PwQPolynomial = Pw<QPolynomial>;
/// The greatest or least of quasi-polynomials, in pieces.
pub type PwFold = Pw<Fold>;
/// Quasi-polynomials in pieces on several spaces.
pub type UnionPwQPolynomial = Union<PwQPolynomial>;

/// The domain (a set space, or parameters alone) of functions in `space`.
pub(crate) fn domain_of(space: &Space) -> Space {
    space.domain()
}

/// The set space of a domain: itself, or over `[]` for parameters alone.
pub(crate) fn set_space(domain: &Space) -> Space {
    if domain.is_params() { domain.with_tuples(None, Some(crate::Tuple::anonymous(0))) } else { domain.clone() }
}
