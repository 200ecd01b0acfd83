//! What only union maps can do.

use super::{UnionMap, UnionSet};
use crate::budget::within;
use crate::relation::Relation;
use crate::{Budget, BudgetSpent, Map, Set, Space};

impl UnionMap {
    /// `{ x : exists y: x -> y in self }`
    pub fn domain(&self) -> UnionSet {
        self.map_members(Map::domain)
    }

    /// `{ y : exists x: x -> y in self }`
    pub fn range(&self) -> UnionSet {
        self.map_members(Map::range)
    }

    /// `{ y -> x : x -> y in self }`
    pub fn reverse(&self) -> UnionMap {
        self.map_members(Map::reverse)
    }

    // The results of `op` on all pairs of members whose spaces pass `fits`.
    fn pairs(
        &self,
        other: &UnionMap,
        fits: impl Fn(&Space, &Space) -> bool + Copy,
        op: impl Fn(&Map, &Map) -> Map + Copy,
    ) -> UnionMap {
        self.members().flat_map(|a| other.members().filter(move |b| fits(a.space(), b.space())).map(move |b| op(a, b))).collect()
    }

    /// `{ x -> z : exists y: x -> y in self, y -> z in other }`
    pub fn apply_range(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range_tuple() == b.domain_tuple(), Map::apply_range)
    }

    /// `{ z -> y : exists x: x -> y in self, x -> z in other }`
    pub fn apply_domain(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.domain_tuple() == b.domain_tuple(), Map::apply_domain)
    }

    /// `self after first`: `{ x -> z : exists y: x -> y in first, y -> z in self }`
    pub fn compose(&self, first: &UnionMap) -> UnionMap {
        first.apply_range(self)
    }

    // The member of a set with the given tuple.
    fn set_at<'a>(set: &'a UnionSet, tuple: Option<&crate::Tuple>) -> Option<&'a Set> {
        set.get_by_tuples(None, tuple)
    }

    /// `{ x -> y in self : x in set }`
    pub fn intersect_domain(&self, set: &UnionSet) -> UnionMap {
        self.members().filter_map(|m| Some(m.intersect_domain(UnionMap::set_at(set, m.space().domain_tuple())?))).collect()
    }

    /// `{ x -> y in self : y in set }`
    pub fn intersect_range(&self, set: &UnionSet) -> UnionMap {
        self.members().filter_map(|m| Some(m.intersect_range(UnionMap::set_at(set, m.space().range_tuple())?))).collect()
    }

    /// `{ x -> y in self : x not in set }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn subtract_domain_within(&self, set: &UnionSet, budget: &Budget) -> Result<UnionMap, BudgetSpent> {
        self.try_map_members(|m| match UnionMap::set_at(set, m.space().domain_tuple()) {
            Some(s) => m.subtract_domain_within(s, budget),
            None => Ok(m.clone()),
        })
    }

    /// `{ x -> y in self : y not in set }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn subtract_range_within(&self, set: &UnionSet, budget: &Budget) -> Result<UnionMap, BudgetSpent> {
        self.try_map_members(|m| match UnionMap::set_at(set, m.space().range_tuple()) {
            Some(s) => m.subtract_range_within(s, budget),
            None => Ok(m.clone()),
        })
    }

    /// A simpler map that equals `self` on the domain elements in `context`.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn gist_domain_within(&self, context: &UnionSet, budget: &Budget) -> Result<UnionMap, BudgetSpent> {
        let members = self.members().filter_map(|m| {
            let c = UnionMap::set_at(context, m.space().domain_tuple())?;
            Some(m.gist_within(&Map::universe(m.space().union_params(c.space())).intersect_domain(c), budget))
        });
        members.collect()
    }

    /// A simpler map that equals `self` on the range elements in `context`.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn gist_range_within(&self, context: &UnionSet, budget: &Budget) -> Result<UnionMap, BudgetSpent> {
        let members = self.members().filter_map(|m| {
            let c = UnionMap::set_at(context, m.space().range_tuple())?;
            Some(m.gist_within(&Map::universe(m.space().union_params(c.space())).intersect_range(c), budget))
        });
        members.collect()
    }

    /// Whether no element is related to two, of the same or of different tuples.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_single_valued_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        let members: Vec<&Map> = self.members().collect();
        for (i, a) in members.iter().enumerate() {
            if !a.is_single_valued_within(budget)? {
                return Ok(false);
            }
            for b in &members[i + 1..] {
                let same = a.space().domain_tuple() == b.space().domain_tuple();
                if same && !a.domain().is_disjoint_within(&b.domain(), budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether no two elements are related to one.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_injective_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        self.reverse().is_single_valued_within(budget)
    }

    /// Whether the map is single-valued and injective.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_bijective_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        Ok(self.is_single_valued_within(budget)? && self.is_injective_within(budget)?)
    }

    /// Whether every element is related to itself alone: the map is an identity on its domain.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_identity_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        for m in self {
            if !m.is_identity_within(budget)? && !m.is_empty_within(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    within! {
        /// `{ x -> y in self : x not in set }`
        pub fn subtract_domain = subtract_domain_within(&self, set: &UnionSet) -> UnionMap;
        /// `{ x -> y in self : y not in set }`
        pub fn subtract_range = subtract_range_within(&self, set: &UnionSet) -> UnionMap;
        /// A simpler map that equals `self` on the domain elements in `context`.
        pub fn gist_domain = gist_domain_within(&self, context: &UnionSet) -> UnionMap;
        /// A simpler map that equals `self` on the range elements in `context`.
        pub fn gist_range = gist_range_within(&self, context: &UnionSet) -> UnionMap;
        /// Whether no element is related to two.
        pub fn is_single_valued = is_single_valued_within(&self) -> bool;
        /// Whether no two elements are related to one.
        pub fn is_injective = is_injective_within(&self) -> bool;
        /// Whether the map is single-valued and injective.
        pub fn is_bijective = is_bijective_within(&self) -> bool;
        /// Whether the map is an identity on its domain.
        pub fn is_identity = is_identity_within(&self) -> bool;
    }

    /// `{ [a -> b] : a -> b in self }`
    pub fn wrap(&self) -> UnionSet {
        self.map_members(Map::wrap)
    }

    /// `{ y - x : x -> y in self }` for members between equal tuples.
    pub fn deltas(&self) -> UnionSet {
        self.homogeneous().map(Map::deltas).collect()
    }

    /// `{ [x -> y] -> y - x : x -> y in self }` for members between equal tuples.
    pub fn deltas_map(&self) -> UnionMap {
        self.homogeneous().map(Map::deltas_map).collect()
    }

    fn homogeneous(&self) -> impl Iterator<Item = &Map> {
        self.members().filter(|m| m.space().domain_tuple() == m.space().range_tuple())
    }

    /// `{ [a -> c] -> [b -> d] : a -> b in self, c -> d in other }`
    pub fn product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |_, _| true, Map::product)
    }

    /// `{ a -> [b -> c] : a -> b in self, a -> c in other }`
    pub fn range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.domain_tuple() == b.domain_tuple(), Map::range_product)
    }

    /// `{ a -> [b, c] : a -> b in self, a -> c in other }`
    pub fn flat_range_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.domain_tuple() == b.domain_tuple(), Map::flat_range_product)
    }

    /// `{ [a -> c] -> b : a -> b in self, c -> b in other }`
    pub fn domain_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range_tuple() == b.range_tuple(), Map::domain_product)
    }

    /// `{ [a, c] -> b : a -> b in self, c -> b in other }`
    pub fn flat_domain_product(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range_tuple() == b.range_tuple(), Map::flat_domain_product)
    }

    /// `{ a -> [b -> c] : [a -> b] -> c in self }`; members of another shape have no part in it.
    pub fn curry(&self) -> UnionMap {
        self.members().filter(|m| m.tuples().0.unwrapped().is_some()).map(Map::curry).collect()
    }

    /// `{ [a -> b] -> c : a -> [b -> c] in self }`; members of another shape have no part in it.
    pub fn uncurry(&self) -> UnionMap {
        self.members().filter(|m| m.tuples().1.unwrapped().is_some()).map(Map::uncurry).collect()
    }

    /// `{ [a -> c] -> [b -> d] : [a -> b] -> [c -> d] in self }`; members of another shape have no part in it.
    pub fn zip(&self) -> UnionMap {
        let nested = |m: &&Map| m.tuples().0.unwrapped().is_some() && m.tuples().1.unwrapped().is_some();
        self.members().filter(nested).map(Map::zip).collect()
    }

    /// `{ [b -> a] -> c : [a -> b] -> c in self }`; members of another shape have no part in it.
    pub fn domain_reverse(&self) -> UnionMap {
        self.members().filter(|m| m.tuples().0.unwrapped().is_some()).map(Map::domain_reverse).collect()
    }

    /// `{ a -> [c -> b] : a -> [b -> c] in self }`; members of another shape have no part in it.
    pub fn range_reverse(&self) -> UnionMap {
        self.members().filter(|m| m.tuples().1.unwrapped().is_some()).map(Map::range_reverse).collect()
    }

    /// `{ [a -> b] -> a : a -> b in self }`
    pub fn domain_map(&self) -> UnionMap {
        self.map_members(Map::domain_map)
    }

    /// `{ [a -> b] -> b : a -> b in self }`
    pub fn range_map(&self) -> UnionMap {
        self.map_members(Map::range_map)
    }

    // Members that have a pair on the given side, with a factor of the given tuples.
    fn by_factor(
        &self,
        factors: &UnionMap,
        tuples: impl Fn(&Map) -> Option<(crate::Tuple, crate::Tuple)>,
        op: impl Fn(&Map, &Map) -> Map,
    ) -> UnionMap {
        let members = self.members().filter_map(|m| {
            let (domain, range) = tuples(m)?;
            Some(op(m, factors.get_by_tuples(Some(&domain), Some(&range))?))
        });
        members.collect()
    }

    /// `{ [a -> b] -> c in self : a -> c in factor }`
    pub fn intersect_domain_factor_domain(&self, factor: &UnionMap) -> UnionMap {
        let tuples = |m: &Map| m.tuples().0.unwrapped().map(|(a, _)| (a.clone(), m.tuples().1.clone()));
        self.by_factor(factor, tuples, Map::intersect_domain_factor_domain)
    }

    /// `{ [a -> b] -> c in self : b -> c in factor }`
    pub fn intersect_domain_factor_range(&self, factor: &UnionMap) -> UnionMap {
        let tuples = |m: &Map| m.tuples().0.unwrapped().map(|(_, b)| (b.clone(), m.tuples().1.clone()));
        self.by_factor(factor, tuples, Map::intersect_domain_factor_range)
    }

    /// `{ a -> [b -> c] in self : a -> b in factor }`
    pub fn intersect_range_factor_domain(&self, factor: &UnionMap) -> UnionMap {
        let tuples = |m: &Map| m.tuples().1.unwrapped().map(|(b, _)| (m.tuples().0.clone(), b.clone()));
        self.by_factor(factor, tuples, Map::intersect_range_factor_domain)
    }

    /// `{ a -> [b -> c] in self : a -> c in factor }`
    pub fn intersect_range_factor_range(&self, factor: &UnionMap) -> UnionMap {
        let tuples = |m: &Map| m.tuples().1.unwrapped().map(|(_, c)| (m.tuples().0.clone(), c.clone()));
        self.by_factor(factor, tuples, Map::intersect_range_factor_range)
    }

    /// `{ x -> y : x in domain, y in range }`
    pub fn from_domain_and_range(domain: &UnionSet, range: &UnionSet) -> UnionMap {
        domain.members().flat_map(|a| range.members().map(move |b| Map::from_domain_and_range(a, b))).collect()
    }

    /// `{ x -> [] : x in set }`
    pub fn from_domain(set: &UnionSet) -> UnionMap {
        set.map_members(Map::from_domain)
    }

    /// `{ [] -> x : x in set }`
    pub fn from_range(set: &UnionSet) -> UnionMap {
        set.map_members(Map::from_range)
    }

    /// `{ x -> x : x in set }`
    pub fn identity(set: &UnionSet) -> UnionMap {
        set.identity()
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u <lex v }` for images with equal tuples.
    pub fn lex_lt_map(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range_tuple() == b.range_tuple(), Map::lex_lt_map)
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u <=lex v }` for images with equal tuples.
    pub fn lex_le_map(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range_tuple() == b.range_tuple(), Map::lex_le_map)
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u >lex v }` for images with equal tuples.
    pub fn lex_gt_map(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range_tuple() == b.range_tuple(), Map::lex_gt_map)
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u >=lex v }` for images with equal tuples.
    pub fn lex_ge_map(&self, other: &UnionMap) -> UnionMap {
        self.pairs(other, |a, b| a.range_tuple() == b.range_tuple(), Map::lex_ge_map)
    }

    /// `{ x -> y : y is reached from x by exactly power steps of self }`, for `power` other than 0; a negative one follows the
    /// reverse. Power 0 is the identity on all elements of domain and range spaces.
    pub fn fixed_power(&self, power: i64) -> UnionMap {
        let mut square = if power < 0 { self.reverse() } else { self.clone() };
        let mut left = power.unsigned_abs();
        let mut result: Option<UnionMap> = None;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(result.map_or_else(|| square.clone(), |r| r.apply_range(&square)));
            }
            left >>= 1;
            if left > 0 {
                square = square.apply_range(&square);
            }
        }
        result.unwrap_or_else(|| self.domain().universe().union(&self.range().universe()).identity())
    }

    /// The members for which `keep` answers yes.
    pub fn filter(&self, keep: impl Fn(&Space) -> bool) -> UnionMap {
        self.members().filter(|a| keep(a.space())).cloned().collect::<super::Union<Relation<_>>>()
    }
}
