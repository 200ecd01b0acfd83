//! Lexicographic order, and what a map is: single-valued, injective, an identity.
//!
//! `x <lex y` is the disjoint union over `k` of `x[0] = y[0], .., x[k-1] = y[k-1], x[k] < y[k]`.

use super::embed::Slot::{Hidden, To};
use super::{Map, Set};
use crate::budget::within;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, Dim, Int, Space, System};

/// Whether equal elements are related too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Equal {
    Excluded,
    Included,
}

// The pieces of `{ x -> y : x <lex y }`, where `x` and `y` are the columns from `first` and from `second`.
fn less(columns: Columns, first: usize, second: usize, n: usize, equal: Equal) -> Vec<System> {
    let mut pieces = Vec::new();
    let mut prefix = System::universe(columns);
    let difference = |k: usize| {
        let mut row = Row::zero(columns.len());
        row.set(first + k, Int::MINUS_ONE);
        row.set(second + k, Int::ONE);
        row
    };
    for k in 0..n {
        let mut piece = prefix.clone();
        let mut row = difference(k);
        // The last level absorbs equality.
        row.set(0, if k + 1 == n && equal == Equal::Included { Int::ZERO } else { Int::MINUS_ONE });
        piece.push_ineq(row);
        pieces.push(piece);
        prefix.push_eq(difference(k));
    }
    if n == 0 && equal == Equal::Included {
        pieces.push(prefix);
    }
    pieces
}

impl Map {
    // `{ x -> y : x < y }`, or with the sides exchanged.
    #[track_caller]
    fn lexicographic(space: &Space, equal: Equal, swapped: bool) -> Map {
        let space = if space.is_map() { space.clone() } else { space.map_to(space) };
        assert!(space.dim(Dim::In) == space.dim(Dim::Out), "no lexicographic order in {space}: the tuples differ in size");
        let columns = Columns::of(&space);
        let (x, y) = (columns.dims(Dim::In).start, columns.dims(Dim::Out).start);
        let (x, y) = if swapped { (y, x) } else { (x, y) };
        Map::collect(space.clone(), less(columns, x, y, space.dim(Dim::In), equal))
    }

    /// `{ x -> y : x <lex y }` over the elements of a set space (or between the tuples of a map space).
    ///
    /// # Panics
    /// If the tuples of a map space differ in size.
    #[track_caller]
    pub fn lex_lt(space: &Space) -> Map {
        Map::lexicographic(space, Equal::Excluded, false)
    }

    /// `{ x -> y : x <=lex y }`
    ///
    /// # Panics
    /// If the tuples of a map space differ in size.
    #[track_caller]
    pub fn lex_le(space: &Space) -> Map {
        Map::lexicographic(space, Equal::Included, false)
    }

    /// `{ x -> y : x >lex y }`
    ///
    /// # Panics
    /// If the tuples of a map space differ in size.
    #[track_caller]
    pub fn lex_gt(space: &Space) -> Map {
        Map::lexicographic(space, Equal::Excluded, true)
    }

    /// `{ x -> y : x >=lex y }`
    ///
    /// # Panics
    /// If the tuples of a map space differ in size.
    #[track_caller]
    pub fn lex_ge(space: &Space) -> Map {
        Map::lexicographic(space, Equal::Included, true)
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u <lex v }`
    ///
    /// # Panics
    /// If the range tuples differ.
    #[track_caller]
    pub fn lex_lt_map(&self, other: &Map) -> Map {
        self.compare_images(other, Map::lex_lt)
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u <=lex v }`
    ///
    /// # Panics
    /// If the range tuples differ.
    #[track_caller]
    pub fn lex_le_map(&self, other: &Map) -> Map {
        self.compare_images(other, Map::lex_le)
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u >lex v }`
    ///
    /// # Panics
    /// If the range tuples differ.
    #[track_caller]
    pub fn lex_gt_map(&self, other: &Map) -> Map {
        self.compare_images(other, Map::lex_gt)
    }

    /// `{ x -> y : exists u, v: x -> u in self, y -> v in other, u >=lex v }`
    ///
    /// # Panics
    /// If the range tuples differ.
    #[track_caller]
    pub fn lex_ge_map(&self, other: &Map) -> Map {
        self.compare_images(other, Map::lex_ge)
    }

    #[track_caller]
    fn compare_images(&self, other: &Map, order: impl Fn(&Space) -> Map) -> Map {
        assert!(
            self.space.range_tuple() == other.space.range_tuple(),
            "lexicographic comparison: ranges differ in {} and {}",
            self.space,
            other.space
        );
        self.apply_range(&order(&self.space.range())).apply_range(&other.reverse())
    }

    /// `{ x -> y in self : x[k] = y[k] for the first n dimensions }`
    ///
    /// # Panics
    /// If a tuple has fewer dimensions.
    #[track_caller]
    pub fn equate_first(&self, n: usize) -> Map {
        (0..n).fold(self.clone(), |m, i| m.equate(Dim::In, i, Dim::Out, i))
    }

    /// Whether no element is related to two: `(x -> y, x -> z in self) implies y = z`, for every value of the parameters.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_single_valued_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        if self.pieces.is_empty() || (self.pieces.len() == 1 && is_obviously_function(&self.pieces[0])) {
            return Ok(true);
        }
        // y -> z for images of one element; by symmetry y < z decides.
        let n_out = self.space.dim(Dim::Out);
        let n_in = self.space.dim(Dim::In);
        let space = self.space.with_tuples(self.space.range_tuple().cloned(), self.space.range_tuple().cloned());
        for (i, a) in self.pieces.iter().enumerate() {
            for (j, b) in self.pieces.iter().enumerate().skip(i) {
                let single = |p: &std::sync::Arc<System>| Map::from_pieces(self.space.clone(), vec![p.clone()]);
                let pairs: Map = single(a).merge(
                    &single(b),
                    space.clone(),
                    n_in,
                    |k, i| if k == Dim::In { Hidden(i) } else { To(Dim::In, i) },
                    |k, i| if k == Dim::In { Hidden(i) } else { To(k, i) },
                );
                if pairs.is_obviously_empty() || n_out == 0 {
                    continue;
                }
                if !pairs.is_disjoint_within(&Map::lex_lt(&space), budget)?
                    || (i != j && !pairs.is_disjoint_within(&Map::lex_gt(&space), budget)?)
                {
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
        if self.space.domain_tuple() != self.space.range_tuple() {
            return Ok(false);
        }
        self.is_subset_within(&Map::identity(&self.space), budget)
    }

    within! {
        /// Whether no element is related to two.
        pub fn is_single_valued = is_single_valued_within(&self) -> bool;
        /// Whether no two elements are related to one.
        pub fn is_injective = is_injective_within(&self) -> bool;
        /// Whether the map is single-valued and injective.
        pub fn is_bijective = is_bijective_within(&self) -> bool;
        /// Whether the map is an identity on its domain.
        pub fn is_identity = is_identity_within(&self) -> bool;
    }
}

// Whether equalities determine every range column: eliminating range columns one after the other leaves a pivot for each.
// Divs that depend on the range make this inconclusive.
fn is_obviously_function(system: &System) -> bool {
    let columns = system.columns();
    let outputs = columns.dims(Dim::Out);
    let mut rows: Vec<Row> = system
        .eqs()
        .iter()
        .filter(|r| (0..columns.divs).all(|i| r.is_zero_at(columns.div(i)) || depends_only_on_inputs(system, i)))
        .cloned()
        .collect();
    outputs.into_iter().all(|col| match rows.iter().position(|r| !r.is_zero_at(col)) {
        Some(k) => {
            let pivot = rows.swap_remove(k);
            for row in &mut rows {
                *row = row.eliminate(col, &pivot);
            }
            true
        }
        None => false,
    })
}

fn depends_only_on_inputs(system: &System, div: usize) -> bool {
    let columns = system.columns();
    let mut needed = vec![false; columns.divs];
    needed[div] = true;
    for i in (0..=div).rev() {
        if !needed[i] {
            continue;
        }
        let Some(d) = &system.divs()[i] else { return false };
        if !d.num.is_zero_in(columns.dims(Dim::Out)) {
            return false;
        }
        (0..i).for_each(|j| needed[j] |= !d.num.is_zero_at(columns.div(j)));
    }
    true
}

impl Set {
    /// `{ x -> y : x in self, y in other, x <lex y }`
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn lex_lt(&self, other: &Set) -> Map {
        self.compare(other, Map::lex_lt)
    }

    /// `{ x -> y : x in self, y in other, x <=lex y }`
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn lex_le(&self, other: &Set) -> Map {
        self.compare(other, Map::lex_le)
    }

    /// `{ x -> y : x in self, y in other, x >lex y }`
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn lex_gt(&self, other: &Set) -> Map {
        self.compare(other, Map::lex_gt)
    }

    /// `{ x -> y : x in self, y in other, x >=lex y }`
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn lex_ge(&self, other: &Set) -> Map {
        self.compare(other, Map::lex_ge)
    }

    #[track_caller]
    fn compare(&self, other: &Set, order: impl Fn(&Space) -> Map) -> Map {
        if let Err(mismatch) = self.space.check_same(&other.space) {
            panic!("{mismatch}");
        }
        order(&self.space).intersect_domain(self).intersect_range(other)
    }

    /// Whether the set has at most one element for every value of the parameters (as in isl, an empty set counts).
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_singleton_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        self.to_map_from_unit().is_single_valued_within(budget)
    }

    within! {
        /// Whether the set has at most one element for every value of the parameters (as in isl, an empty set counts).
        pub fn is_singleton = is_singleton_within(&self) -> bool;
    }
}
