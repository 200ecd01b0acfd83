//! One value per space: unions of sets, maps and functions over several tuple structures.

use crate::{Map, Set, Space, Tuple};
use std::collections::BTreeMap;

/// A value that lives in one space.
pub trait Spaced: Clone {
    /// The space that a union files the value under: tuples without parameters.
    fn key(&self) -> Key;
    /// The value's own space.
    fn own_space(&self) -> Space;
}

/// The tuples of a space without its parameters.
pub type Key = (Option<Tuple>, Option<Tuple>);

/// At most one value per tuple structure, in the order of the keys. Parameters of members may differ; operations align them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Union<T: Spaced> {
    pub(crate) members: BTreeMap<Key, T>,
}

/// `{ S[i] : ..; T[i, j] : .. }`
pub type UnionSet = Union<Set>;
/// `{ S[i] -> A[i]; T[i] -> B[] }`
pub type UnionMap = Union<Map>;

impl<K: crate::Kind> Spaced for crate::Relation<K> {
    fn key(&self) -> Key {
        (self.space().domain_tuple().cloned(), self.space().range_tuple().cloned())
    }
    fn own_space(&self) -> Space {
        self.space().clone()
    }
}

impl<E: crate::Piece> Spaced for crate::Pw<E> {
    fn key(&self) -> Key {
        (self.space.domain_tuple().cloned(), self.space.range_tuple().cloned())
    }
    fn own_space(&self) -> Space {
        self.space.clone()
    }
}
