//! Lexicographic minima and maxima as relations.
//!
//! `lexmin R = { x -> y in R : no x -> z in R has z <lex y }`. Where the images of an element have no minimum, the element has none
//! in the result.

use super::embed::Slot::To;
use super::{Kind, Map, Relation};
use crate::budget::within;
use crate::{Budget, BudgetSpent, Dim};

impl<K: Kind> Relation<K> {
    /// `{ x -> y in self : y is the lexicographically least image of x }` (for sets: the least element per parameter value).
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmin_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        self.best(budget, Map::lex_lt)
    }

    /// `{ x -> y in self : y is the lexicographically greatest image of x }` (for sets: the greatest element per parameter value).
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmax_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        self.best(budget, Map::lex_gt)
    }

    within! {
        /// `{ x -> y in self : y is the lexicographically least image of x }`
        pub fn lexmin = lexmin_within(&self) -> Relation<K>;
        /// `{ x -> y in self : y is the lexicographically greatest image of x }`
        pub fn lexmax = lexmax_within(&self) -> Relation<K>;
    }

    // By the definition: without the pairs that have a better one.
    fn best(&self, budget: &Budget, better: impl Fn(&crate::Space) -> Map) -> Result<Relation<K>, BudgetSpent> {
        if self.pieces.is_empty() || self.space.is_params() {
            return Ok(self.clone());
        }
        let unit = crate::Tuple::anonymous(0);
        let domain = self.space.domain_tuple().cloned().unwrap_or(unit);
        let map: Map = self.recast(self.space.with_tuples(Some(domain), self.space.range_tuple().cloned()), 0, To);
        let worse = map.apply_range(&better(&map.space.range()));
        let best = map.subtract_within(&worse, budget)?;
        debug_assert_eq!(best.space.dim(Dim::Out), self.space.dim(Dim::Out));
        Ok(best.recast(self.space.clone(), 0, To))
    }
}
