//! The Boolean algebra of relations: union, intersection, difference, complement, and the questions about them.

use super::embed::{conjoin, dedup};
use super::project::simplified;
use super::subtract::{self, Bounds};
use super::{Kind, Params, Relation, engines, points};
use crate::budget::within;
use crate::{Budget, BudgetSpent, Columns, Space, System};
use std::ops::ControlFlow;
use std::sync::Arc;

impl<K: Kind> Relation<K> {
    /// `{ x : x in self or x in other }`. Concatenates the pieces.
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn union(&self, other: &Relation<K>) -> Relation<K> {
        let (a, b) = self.aligned(other);
        if b.pieces.is_empty() || a.is_obviously_universe() {
            return a.into_owned();
        }
        if a.pieces.is_empty() || b.is_obviously_universe() {
            return b.into_owned();
        }
        let mut pieces = a.pieces.clone();
        pieces.extend(b.pieces.iter().cloned());
        dedup(&mut pieces);
        Relation::from_pieces(a.space.clone(), pieces)
    }

    /// The union of many relations of one space, without quadratic copying.
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn union_all<'a>(space: Space, all: impl IntoIterator<Item = &'a Relation<K>>) -> Relation<K> {
        let all: Vec<&Relation<K>> = all.into_iter().collect();
        let space = all.iter().fold(space, |s, r| s.union_params(&r.space));
        let mut pieces = Vec::new();
        for r in &all {
            if let Err(mismatch) = space.check_same(&r.space) {
                panic!("{mismatch}");
            }
            pieces.extend(r.aligned_to(&space).pieces.iter().cloned());
        }
        dedup(&mut pieces);
        Relation::from_pieces(space, pieces)
    }

    /// `{ x : x in self and x in other }`. One piece per pair that is not obviously disjoint.
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn intersect(&self, other: &Relation<K>) -> Relation<K> {
        let (a, b) = self.aligned(other);
        if a.pieces.is_empty() || b.is_obviously_universe() || a.pieces == b.pieces {
            return a.into_owned();
        }
        if b.pieces.is_empty() || a.is_obviously_universe() {
            return b.into_owned();
        }
        let bounds: Vec<Bounds> = b.systems().map(Bounds::of).collect();
        let mut pieces: Vec<Arc<System>> = Vec::new();
        for p in &a.pieces {
            let box_p = Bounds::of(p);
            for (q, box_q) in b.pieces.iter().zip(&bounds) {
                if p == q || q.is_obviously_universe() {
                    pieces.push(p.clone());
                } else if p.is_obviously_universe() {
                    pieces.push(q.clone());
                } else if !box_p.is_disjoint(box_q) {
                    pieces.extend(simplified(conjoin(p, q)).map(Arc::new));
                }
            }
        }
        dedup(&mut pieces);
        Relation::from_pieces(a.space.clone(), pieces)
    }

    /// `{ x in self : the parameter values are in params }`
    pub fn intersect_params(&self, params: &Params) -> Relation<K> {
        let lifted: Relation<K> = params.over(&self.space);
        self.intersect(&lifted)
    }

    /// `{ x in self : x not in other }`, in disjoint parts per piece of `self`.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn subtract_within(&self, other: &Relation<K>, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        let (a, b) = self.aligned(other);
        if a.pieces.is_empty() || b.pieces.is_empty() {
            return Ok(a.into_owned());
        }
        if b.is_obviously_universe() {
            return Ok(Relation::empty(a.space.clone()));
        }
        let known = b.with_known_divs_within(budget)?;
        let mut pieces = Vec::new();
        for p in &a.pieces {
            if b.pieces.contains(p) || engines::is_empty(p, budget)? {
                continue;
            }
            let _ = subtract::difference(p, &known.pieces, budget, &mut |rest| {
                pieces.push(Arc::new(rest));
                ControlFlow::Continue(())
            })?;
        }
        dedup(&mut pieces);
        Ok(Relation::from_pieces(a.space.clone(), pieces))
    }

    /// Whether there is no element, for no value of the parameters. Exact.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_empty_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        for p in &self.pieces {
            if !engines::is_empty(p, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether every element of `self` is in `other`. Stops at the first that is not.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn is_subset_within(&self, other: &Relation<K>, budget: &Budget) -> Result<bool, BudgetSpent> {
        let (a, b) = self.aligned(other);
        if a.pieces.is_empty() || b.is_obviously_universe() {
            return Ok(true);
        }
        let unmatched: Vec<&Arc<System>> = if b.pieces.len() < 8 {
            a.pieces.iter().filter(|p| !b.pieces.contains(p)).collect()
        } else {
            let all: hashbrown::HashSet<&Arc<System>> = b.pieces.iter().collect();
            a.pieces.iter().filter(|p| !all.contains(p)).collect()
        };
        if unmatched.is_empty() {
            return Ok(true);
        }
        if !b.systems().all(System::divs_known) {
            // Making existentials known can take long: first look for an element outside among extreme ones.
            for p in &unmatched {
                for point in points::extreme(p, budget)? {
                    if !points::contains(&b, &point, budget)? {
                        return Ok(false);
                    }
                }
            }
        }
        let known = b.with_known_divs_within(budget)?;
        // A point of a piece that no piece of `other` contains decides at once, before any splitting.
        let mut rest = Vec::new();
        for p in unmatched {
            let Some(point) = engines::sample(p, budget)? else { continue };
            let point = &point[..p.columns().first_div()];
            if !known.systems().any(|q| subtract::contains_prefix(q, point)) {
                return Ok(false);
            }
            rest.push(p);
        }
        for p in rest {
            let outcome = subtract::difference(p, &known.pieces, budget, &mut |_| ControlFlow::Break(()))?;
            if outcome.is_break() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both have the same elements.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn is_equal_within(&self, other: &Relation<K>, budget: &Budget) -> Result<bool, BudgetSpent> {
        let (a, b) = self.aligned(other);
        Ok(a.pieces == b.pieces || (a.is_subset_within(&b, budget)? && b.is_subset_within(&a, budget)?))
    }

    /// Whether `self` is a subset of `other` and not equal to it.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn is_strict_subset_within(&self, other: &Relation<K>, budget: &Budget) -> Result<bool, BudgetSpent> {
        Ok(self.is_subset_within(other, budget)? && !other.is_subset_within(self, budget)?)
    }

    /// Whether no element is in both.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn is_disjoint_within(&self, other: &Relation<K>, budget: &Budget) -> Result<bool, BudgetSpent> {
        let (a, b) = self.aligned(other);
        let bounds: Vec<Bounds> = b.systems().map(Bounds::of).collect();
        for p in a.systems() {
            let box_p = Bounds::of(p);
            for (q, box_q) in b.systems().zip(&bounds) {
                if box_p.is_disjoint(box_q) {
                    continue;
                }
                if let Some(both) = simplified(conjoin(p, q))
                    && !engines::is_empty(&both, budget)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether every element of the space is in the relation.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_universe_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        if self.is_obviously_universe() {
            return Ok(true);
        }
        Relation::universe(self.space.clone()).is_subset_within(self, budget)
    }

    /// `{ x : x not in self }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn complement_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        Relation::universe(self.space.clone()).subtract_within(self, budget)
    }

    /// The same relation in pieces whose existentials all are explicit integer divisions.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn with_known_divs_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        if self.systems().all(System::divs_known) {
            return Ok(self.clone());
        }
        let mut pieces = Vec::new();
        for p in &self.pieces {
            if p.divs_known() {
                pieces.push(p.clone());
            } else {
                pieces.extend(engines::with_known_divs(p, budget)?.into_iter().map(Arc::new));
            }
        }
        dedup(&mut pieces);
        Ok(Relation::from_pieces(self.space.clone(), pieces))
    }

    within! {
        /// `{ x in self : x not in other }`: [`Relation::subtract_within`] without a limit.
        ///
        /// # Panics
        /// If the tuples differ.
        pub fn subtract = subtract_within(&self, other: &Relation<K>) -> Relation<K>;
        /// Whether there is no element: [`Relation::is_empty_within`] without a limit.
        pub fn is_empty = is_empty_within(&self) -> bool;
        /// Whether every element of `self` is in `other`: [`Relation::is_subset_within`] without a limit.
        ///
        /// # Panics
        /// If the tuples differ.
        pub fn is_subset = is_subset_within(&self, other: &Relation<K>) -> bool;
        /// Whether both have the same elements: [`Relation::is_equal_within`] without a limit.
        ///
        /// # Panics
        /// If the tuples differ.
        pub fn is_equal = is_equal_within(&self, other: &Relation<K>) -> bool;
        /// Whether `self` is a proper subset: [`Relation::is_strict_subset_within`] without a limit.
        ///
        /// # Panics
        /// If the tuples differ.
        pub fn is_strict_subset = is_strict_subset_within(&self, other: &Relation<K>) -> bool;
        /// Whether no element is in both: [`Relation::is_disjoint_within`] without a limit.
        ///
        /// # Panics
        /// If the tuples differ.
        pub fn is_disjoint = is_disjoint_within(&self, other: &Relation<K>) -> bool;
        /// Whether every element of the space is contained: [`Relation::is_universe_within`] without a limit.
        pub fn is_universe = is_universe_within(&self) -> bool;
        /// `{ x : x not in self }`: [`Relation::complement_within`] without a limit.
        pub fn complement = complement_within(&self) -> Relation<K>;
        /// The same relation with explicit divisions: [`Relation::with_known_divs_within`] without a limit.
        pub fn with_known_divs = with_known_divs_within(&self) -> Relation<K>;
    }

    /// Whether there are no pieces. Cheap; `false` says nothing.
    pub fn is_obviously_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether some piece has no constraint. Cheap; `false` says nothing.
    pub fn is_obviously_universe(&self) -> bool {
        self.systems().any(System::is_obviously_universe)
    }
}

impl Params {
    /// `{ x : the parameter values are in self }` in a space of any kind.
    pub(crate) fn over<L: Kind>(&self, space: &Space) -> Relation<L> {
        let space = space.union_params(&self.space);
        debug_assert!(Columns::of(&space).params >= self.space.dim(crate::Dim::Param));
        self.recast(space, 0, super::embed::Slot::To)
    }
}
