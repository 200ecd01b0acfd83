//! Lexicographic minima and maxima as relations.
//!
//! `lexmin R = { x -> y in R : no x -> z in R has z <lex y }`. Where the images of an element have no minimum, the element has none
//! in the result.

use super::embed::Slot::To;
use super::{Kind, Map, Relation};
use crate::budget::within;
use crate::solve::lexmin::{Direction, LexError, Piece, lexopt};
use crate::{Budget, BudgetSpent, Columns, Int, System};
use std::sync::Arc;

impl<K: Kind> Relation<K> {
    /// `{ x -> y in self : y is the lexicographically least image of x }` (for sets: the least element per parameter value).
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmin_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        self.best(Direction::Min, budget)
    }

    /// `{ x -> y in self : y is the lexicographically greatest image of x }` (for sets: the greatest element per parameter value).
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmax_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        self.best(Direction::Max, budget)
    }

    within! {
        /// `{ x -> y in self : y is the lexicographically least image of x }`
        pub fn lexmin = lexmin_within(&self) -> Relation<K>;
        /// `{ x -> y in self : y is the lexicographically greatest image of x }`
        pub fn lexmax = lexmax_within(&self) -> Relation<K>;
    }

    // The optimum of each piece by parametric integer programming, then the best of those by the definition. Where some piece has
    // no optimum everywhere, the definition alone.
    fn best(&self, direction: Direction, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        if self.pieces.is_empty() || self.space.is_params() {
            return Ok(self.clone());
        }
        let mut optima = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            match lexopt(piece, None, direction, budget) {
                Ok(found) => optima.push(found.iter().map(|p| Arc::new(graph(p, piece.columns()))).collect::<Vec<_>>()),
                Err(LexError::Spent(spent)) => return Err(spent),
                Err(LexError::Unbounded) => return self.without_worse(self, direction, budget),
            }
        }
        let mut best = Vec::new();
        for (i, mine) in optima.iter().enumerate() {
            let others = optima.iter().enumerate().filter(|(j, _)| *j != i).flat_map(|(_, o)| o.iter().cloned());
            let mine = Relation::from_pieces(self.space.clone(), mine.clone());
            let others: Relation<K> = Relation::from_pieces(self.space.clone(), others.collect());
            best.extend(mine.without_worse(&others, direction, budget)?.pieces);
        }
        Ok(Relation::from_pieces(self.space.clone(), best))
    }

    /// The pairs of `self` for which `other` has no better one, by the definition.
    fn without_worse(&self, other: &Relation<K>, direction: Direction, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        if self.pieces.is_empty() || other.pieces.is_empty() {
            return Ok(self.clone());
        }
        let unit = crate::Tuple::anonymous(0);
        let domain = self.space.domain_tuple().cloned().unwrap_or(unit);
        let space = self.space.with_tuples(Some(domain), self.space.range_tuple().cloned());
        let [map, other]: [Map; 2] = [self, other].map(|r| r.recast(space.clone(), 0, To));
        let better = match direction {
            Direction::Min => Map::lex_lt(&space.range()),
            Direction::Max => Map::lex_gt(&space.range()),
        };
        let best = map.subtract_within(&other.apply_range(&better), budget)?;
        Ok(best.recast(self.space.clone(), 0, To))
    }
}

/// `{ x -> values(x) : x in domain }` over `columns` (divs replaced by those of the piece).
fn graph(piece: &Piece, columns: Columns) -> System {
    let domain = piece.domain.columns();
    let first = domain.first_div();
    let known = (first..domain.len()).map(Some);
    let source: Vec<Option<usize>> = (0..first).map(Some).chain((0..columns.range).map(|_| None)).chain(known).collect();
    let mut graph = piece.domain.gather(columns.with_divs(domain.divs), &source);
    for (i, value) in piece.values.iter().enumerate() {
        let mut row = value.gather(&source);
        row.set(first + i, Int::MINUS_ONE);
        graph.push_eq(row);
    }
    graph
}
