//! What only union sets can do.

use super::{UnionMap, UnionSet};
use crate::{Map, Params, Set, Space};

impl UnionSet {
    /// `{ y : exists x in self: x -> y in map }`
    pub fn apply(&self, map: &UnionMap) -> UnionSet {
        let pairs = self.members().flat_map(|s| map.members().map(move |m| (s, m)));
        pairs.filter(|(s, m)| s.space().range_tuple() == m.space().domain_tuple()).map(|(s, m)| s.apply(m)).collect()
    }

    /// `{ a -> b : [a -> b] in self }`; members that are not wrapped pairs have no part in it.
    pub fn unwrap(&self) -> UnionMap {
        self.members().filter(|s| s.is_wrapping()).map(Set::unwrap).collect()
    }

    /// `{ x -> x : x in self }`
    pub fn identity(&self) -> UnionMap {
        self.map_members(Set::identity)
    }

    /// `{ [a -> b] : a in self, b in other }`
    pub fn product(&self, other: &UnionSet) -> UnionSet {
        self.members().flat_map(|a| other.members().map(move |b| a.product(b))).collect()
    }

    /// `{ x -> y : x in self, y in other, x <lex y }` for elements with equal tuples.
    pub fn lex_lt(&self, other: &UnionSet) -> UnionMap {
        self.compare(other, Set::lex_lt)
    }

    /// `{ x -> y : x in self, y in other, x <=lex y }` for elements with equal tuples.
    pub fn lex_le(&self, other: &UnionSet) -> UnionMap {
        self.compare(other, Set::lex_le)
    }

    /// `{ x -> y : x in self, y in other, x >lex y }` for elements with equal tuples.
    pub fn lex_gt(&self, other: &UnionSet) -> UnionMap {
        self.compare(other, Set::lex_gt)
    }

    /// `{ x -> y : x in self, y in other, x >=lex y }` for elements with equal tuples.
    pub fn lex_ge(&self, other: &UnionSet) -> UnionMap {
        self.compare(other, Set::lex_ge)
    }

    fn compare(&self, other: &UnionSet, order: impl Fn(&Set, &Set) -> Map) -> UnionMap {
        self.members().filter_map(|a| other.get(a.space()).map(|b| order(a, b))).collect()
    }

    /// The members for which `keep` answers yes.
    pub fn filter(&self, keep: impl Fn(&Space) -> bool) -> UnionSet {
        self.members().filter(|a| keep(a.space())).cloned().collect()
    }

    /// `{ x : the parameters are in params }` in the spaces of the members of `self`.
    pub fn universe_over(&self, params: &Params) -> UnionSet {
        self.universe().intersect_params(params)
    }
}
