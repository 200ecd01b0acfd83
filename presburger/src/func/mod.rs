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

use crate::linalg::Row;
use crate::system::Div;
use crate::{Int, Set, Space, Union, UnionSet};

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

/// What a [`Multi`] can hold.
pub trait Element: Clone {
    /// The explicit domain of a tuple without elements.
    type Domain: Clone + std::fmt::Debug + PartialEq + Eq + std::hash::Hash;
}

impl Element for Aff {
    type Domain = ();
}
impl Element for PwAff {
    type Domain = Set;
}
impl Element for UnionPwAff {
    type Domain = UnionSet;
}

/// What a [`Pw`] can hold.
pub trait Piece: Clone {
    /// The space of the function: the map space from domain to range, or the range's set space over parameters alone.
    fn function_space(&self) -> Space;
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

impl Piece for Aff {
    fn function_space(&self) -> Space {
        let value = crate::Tuple::anonymous(1);
        if self.domain.is_params() {
            self.domain.with_tuples(None, Some(value))
        } else {
            self.domain.with_tuples(self.domain.range_tuple().cloned(), Some(value))
        }
    }
}

impl Piece for MultiAff {
    fn function_space(&self) -> Space {
        self.space.clone()
    }
}
