//! One value per space: unions of sets, maps and functions over several tuple structures.

mod algebra;
mod map;
mod set;

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

impl<T: Spaced> Union<T> {
    /// No members.
    pub fn new() -> Union<T> {
        Union { members: BTreeMap::new() }
    }

    /// No members.
    pub fn empty() -> Union<T> {
        Union::new()
    }

    /// The members in the order of their tuples.
    pub fn members(&self) -> impl ExactSizeIterator<Item = &T> + Clone {
        self.members.values()
    }

    /// The members in the order of their tuples.
    pub fn iter(&self) -> std::collections::btree_map::Values<'_, Key, T> {
        self.members.values()
    }

    /// The number of members.
    pub fn n_members(&self) -> usize {
        self.members.len()
    }

    /// Whether there are no members. Cheap; `false` says nothing about elements.
    pub fn is_obviously_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The member with the tuples of `space`; parameters do not matter.
    pub fn get(&self, space: &Space) -> Option<&T> {
        self.get_by_tuples(space.domain_tuple(), space.range_tuple())
    }

    /// The member with these tuples.
    pub fn get_by_tuples(&self, domain: Option<&Tuple>, range: Option<&Tuple>) -> Option<&T> {
        self.members.get(&(domain.cloned(), range.cloned()))
    }

    /// This union with `member` in the place of the one with its tuples, if any.
    pub fn with_member(&self, member: T) -> Union<T> {
        let mut out = self.clone();
        out.insert(member);
        out
    }

    /// Puts `member` in the place of the one with its tuples, if any, which is returned.
    pub fn insert(&mut self, member: T) -> Option<T> {
        self.members.insert(member.key(), member)
    }

    /// The only member, if there is exactly one.
    pub fn single(&self) -> Option<&T> {
        if self.members.len() == 1 { self.members.values().next() } else { None }
    }
}

impl<T: Spaced> Default for Union<T> {
    fn default() -> Union<T> {
        Union::new()
    }
}

impl<T: Spaced> From<T> for Union<T> {
    fn from(member: T) -> Union<T> {
        Union { members: BTreeMap::from([(member.key(), member)]) }
    }
}

impl<'a, T: Spaced> IntoIterator for &'a Union<T> {
    type Item = &'a T;
    type IntoIter = std::collections::btree_map::Values<'a, Key, T>;
    fn into_iter(self) -> Self::IntoIter {
        self.members.values()
    }
}
