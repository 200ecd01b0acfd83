//! The Boolean algebra of union sets and union maps, member by member.
//!
//! Union operations cannot mismatch: members with other tuples have no elements in common.

use super::{Key, Union};
use crate::budget::within;
use crate::{Budget, BudgetSpent, Id, Kind, Params, Point, Relation, Space};
use std::collections::BTreeMap;

impl<K: Kind> FromIterator<Relation<K>> for Union<Relation<K>> {
    /// The union of all; members of equal tuples are united.
    fn from_iter<I: IntoIterator<Item = Relation<K>>>(all: I) -> Union<Relation<K>> {
        // One body for all iterators: every closure would bring its own copy, which costs a fifth of the build.
        grouped(all.into_iter().filter(|r| !r.is_obviously_empty()).collect())
    }
}

fn grouped<K: Kind>(all: Vec<Relation<K>>) -> Union<Relation<K>> {
    let mut groups: BTreeMap<Key, Vec<Relation<K>>> = BTreeMap::new();
    for r in all {
        groups.entry(super::Spaced::key(&r)).or_default().push(r);
    }
    let members = groups
        .into_iter()
        .map(|(key, mut group)| {
            let first = if group.len() == 1 { group.pop() } else { None };
            let member = first.unwrap_or_else(|| Relation::union_all(group[0].space().clone(), &group));
            (key, member)
        })
        .collect();
    Union { members }
}

impl<K: Kind> Union<Relation<K>> {
    // Members under `op`; obviously empty results are dropped.
    pub(crate) fn map_members<L: Kind>(&self, op: impl Fn(&Relation<K>) -> Relation<L>) -> Union<Relation<L>> {
        self.members().map(op).collect()
    }

    pub(crate) fn try_map_members<L: Kind, E>(
        &self,
        op: impl Fn(&Relation<K>) -> Result<Relation<L>, E>,
    ) -> Result<Union<Relation<L>>, E> {
        self.members().map(op).collect()
    }

    // Both members of every pair with equal tuples.
    fn matching<'a>(&'a self, other: &'a Union<Relation<K>>) -> impl Iterator<Item = (&'a Relation<K>, &'a Relation<K>)> {
        self.members.iter().filter_map(|(key, a)| other.members.get(key).map(|b| (a, b)))
    }

    /// `{ x : x in self or x in other }`
    pub fn union(&self, other: &Union<Relation<K>>) -> Union<Relation<K>> {
        let mut out = self.clone();
        for (key, b) in &other.members {
            let member = out.members.get(key).map_or_else(|| b.clone(), |a| a.union(b));
            out.members.insert(key.clone(), member);
        }
        out
    }

    /// The union of many.
    pub fn union_all<'a>(all: impl IntoIterator<Item = &'a Union<Relation<K>>>) -> Union<Relation<K>>
    where
        K: 'a,
    {
        all.into_iter().flat_map(|u| u.members().cloned()).collect()
    }

    /// `self` with the elements of one more relation.
    pub fn add(&self, relation: &Relation<K>) -> Union<Relation<K>> {
        self.union(&Union::from(relation.clone()))
    }

    /// `{ x : x in self and x in other }`
    pub fn intersect(&self, other: &Union<Relation<K>>) -> Union<Relation<K>> {
        self.matching(other).map(|(a, b)| a.intersect(b)).collect()
    }

    /// `{ x in self : x not in other }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn subtract_within(&self, other: &Union<Relation<K>>, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.members
            .iter()
            .map(|(key, a)| match other.members.get(key) {
                Some(b) => a.subtract_within(b, budget),
                None => Ok(a.clone()),
            })
            .collect()
    }

    /// Whether there is no element.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_empty_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        for a in self {
            if !a.is_empty_within(budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every element of `self` is in `other`.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_subset_within(&self, other: &Union<Relation<K>>, budget: &Budget) -> Result<bool, BudgetSpent> {
        for (key, a) in &self.members {
            let inside = match other.members.get(key) {
                Some(b) => a.is_subset_within(b, budget)?,
                None => a.is_empty_within(budget)?,
            };
            if !inside {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both have the same elements.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_equal_within(&self, other: &Union<Relation<K>>, budget: &Budget) -> Result<bool, BudgetSpent> {
        Ok(self.members == other.members || (self.is_subset_within(other, budget)? && other.is_subset_within(self, budget)?))
    }

    /// Whether `self` is a subset of `other` and not equal to it.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_strict_subset_within(&self, other: &Union<Relation<K>>, budget: &Budget) -> Result<bool, BudgetSpent> {
        Ok(self.is_subset_within(other, budget)? && !other.is_subset_within(self, budget)?)
    }

    /// Whether no element is in both.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_disjoint_within(&self, other: &Union<Relation<K>>, budget: &Budget) -> Result<bool, BudgetSpent> {
        for (a, b) in self.matching(other) {
            if !a.is_disjoint_within(b, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The same elements in fewer pieces where that is found; empty members are dropped.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn coalesce_within(&self, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.try_map_members(|a| a.coalesce_within(budget))
    }

    /// A simpler value that equals `self` inside the context. Members whose tuples the context lacks are dropped.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn gist_within(&self, context: &Union<Relation<K>>, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.matching(context).map(|(a, c)| a.gist_within(c, budget)).collect()
    }

    /// A simpler value that equals `self` for the parameter values of the context.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn gist_params_within(&self, context: &Params, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.try_map_members(|a| a.gist_params_within(context, budget))
    }

    /// Per member: `{ x -> y in self : y is the lexicographically least image of x }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmin_within(&self, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.try_map_members(|a| a.lexmin_within(budget))
    }

    /// Per member: `{ x -> y in self : y is the lexicographically greatest image of x }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmax_within(&self, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.try_map_members(|a| a.lexmax_within(budget))
    }

    /// Some element, or `None` if there is none.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn sample_within(&self, budget: &Budget) -> Result<Option<Point>, BudgetSpent> {
        for a in self {
            if let Some(point) = a.sample_within(budget)? {
                return Ok(Some(point));
            }
        }
        Ok(None)
    }

    /// The same elements with all existentials as explicit divisions.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn with_known_divs_within(&self, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.try_map_members(|a| a.with_known_divs_within(budget))
    }

    /// Without pieces that have no integer point.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn without_empty_pieces_within(&self, budget: &Budget) -> Result<Union<Relation<K>>, BudgetSpent> {
        self.try_map_members(|a| a.without_empty_pieces_within(budget))
    }

    within! {
        /// `{ x in self : x not in other }`
        pub fn subtract = subtract_within(&self, other: &Union<Relation<K>>) -> Union<Relation<K>>;
        /// Whether there is no element.
        pub fn is_empty = is_empty_within(&self) -> bool;
        /// Whether every element of `self` is in `other`.
        pub fn is_subset = is_subset_within(&self, other: &Union<Relation<K>>) -> bool;
        /// Whether both have the same elements.
        pub fn is_equal = is_equal_within(&self, other: &Union<Relation<K>>) -> bool;
        /// Whether `self` is a proper subset of `other`.
        pub fn is_strict_subset = is_strict_subset_within(&self, other: &Union<Relation<K>>) -> bool;
        /// Whether no element is in both.
        pub fn is_disjoint = is_disjoint_within(&self, other: &Union<Relation<K>>) -> bool;
        /// The same elements in fewer pieces where that is found.
        pub fn coalesce = coalesce_within(&self) -> Union<Relation<K>>;
        /// A simpler value that equals `self` inside the context.
        pub fn gist = gist_within(&self, context: &Union<Relation<K>>) -> Union<Relation<K>>;
        /// A simpler value that equals `self` for the parameter values of the context.
        pub fn gist_params = gist_params_within(&self, context: &Params) -> Union<Relation<K>>;
        /// Per member, the lexicographically least images.
        pub fn lexmin = lexmin_within(&self) -> Union<Relation<K>>;
        /// Per member, the lexicographically greatest images.
        pub fn lexmax = lexmax_within(&self) -> Union<Relation<K>>;
        /// Some element, or `None` if there is none.
        pub fn sample = sample_within(&self) -> Option<Point>;
        /// The same elements with all existentials as explicit divisions.
        pub fn with_known_divs = with_known_divs_within(&self) -> Union<Relation<K>>;
        /// Without pieces that have no integer point.
        pub fn without_empty_pieces = without_empty_pieces_within(&self) -> Union<Relation<K>>;
    }

    /// `{ n : exists x: x in self(n) }`
    pub fn params(&self) -> Params {
        let all: Vec<Params> = self.members().map(Relation::params).collect();
        Relation::union_all(self.params_space(), &all)
    }

    /// The space of the parameters of all members.
    pub fn params_space(&self) -> Space {
        self.members().fold(Space::params(&[]), |s, m| s.union_params(m.space()))
    }

    /// `{ x in self : the parameter values are in params }`
    pub fn intersect_params(&self, params: &Params) -> Union<Relation<K>> {
        self.map_members(|a| a.intersect_params(params))
    }

    /// Everything in the spaces of the members.
    pub fn universe(&self) -> Union<Relation<K>> {
        self.map_members(|a| Relation::universe(a.space().clone()))
    }

    /// One conjunction per member, around its elements.
    pub fn simple_hull(&self) -> Union<Relation<K>> {
        self.map_members(|a| a.simple_hull().to_relation())
    }

    /// All members with the parameters of `space` added.
    pub fn align_params(&self, space: &Space) -> Union<Relation<K>> {
        self.map_members(|a| a.align_params(space))
    }

    /// Projects a parameter out of all members.
    pub fn project_out_param(&self, name: &str) -> Union<Relation<K>> {
        self.map_members(|a| a.project_out_param(name))
    }

    /// Projects out all parameters.
    pub fn project_out_all_params(&self) -> Union<Relation<K>> {
        self.map_members(Relation::project_out_all_params)
    }

    /// All elements per member, in lexicographic order.
    ///
    /// # Errors
    /// [`crate::Error::Unbounded`] if a dimension or a parameter is not bounded.
    pub fn points(&self) -> Result<Vec<Point>, crate::Error> {
        let mut all = Vec::new();
        for a in self {
            all.extend(a.points()?);
        }
        Ok(all)
    }

    /// The names of all parameters, sorted.
    pub fn param_ids(&self) -> Vec<Id> {
        self.params_space().param_ids().to_vec()
    }
}
