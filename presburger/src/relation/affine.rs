//! Equalities that hold on all integer points, and constraints that say nothing.
//!
//! The affine hull grows from points: the equations of one point, then, while some equation fails at some point of a piece, that point
//! is added and one equation is lost. Divisions count as columns, so that a stride of all pieces stays an equation of the hull.

use super::embed::conjoin;
use super::project::simplified;
use super::subtract::negated;
use super::{BasicRelation, Kind, Relation, engines};
use crate::budget::within;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, Int, System, solve};
use std::sync::Arc;

/// The layout with the known divs of all pieces, and the pieces in it.
pub(crate) fn common_frame(columns: Columns, pieces: &[Arc<System>]) -> (System, Vec<System>) {
    let frame = pieces.iter().fold(System::universe(columns), |f, p| conjoin(&f, &p.with_rows(Vec::new(), Vec::new())));
    let wide = pieces.iter().map(|p| conjoin(&frame, p)).collect();
    (frame, wide)
}

/// A basis of the equations (over all columns of the pieces, which agree) that hold on all points; `None` if there is no point.
pub(crate) fn equations(pieces: &[System], budget: &Budget) -> Result<Option<Vec<Row>>, BudgetSpent> {
    let mut eqs: Option<Vec<Row>> = None;
    for piece in pieces {
        if eqs.is_none() {
            eqs = solve::affine_hull::affine_hull(piece, budget)?;
            continue;
        }
        let Some(eqs) = &mut eqs else { continue };
        let mut k = 0;
        while k < eqs.len() {
            budget.spend(1)?;
            match counterexample(piece, &eqs[k], budget)? {
                None => k += 1,
                Some(point) => {
                    // Equation k fails there; the others are corrected by it.
                    let pivot = eqs.remove(k);
                    let value = pivot.dot(&point);
                    for row in eqs.iter_mut() {
                        let other = row.dot(&point);
                        if !other.is_zero() {
                            let mixed = row.combine(&value, &pivot, &-other);
                            let g = mixed.gcd_in(0..mixed.len());
                            *row = if g.is_zero() { mixed } else { mixed.div_exact(&g) };
                        }
                    }
                }
            }
        }
    }
    Ok(eqs)
}

// A point of the system where the row is not 0.
fn counterexample(system: &System, row: &Row, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    if follows_from_equalities(system, row) {
        return Ok(None);
    }
    for side in [row.clone(), row.neg()] {
        // side >= 1
        let outside = negated(&side.neg());
        let mut test = system.clone();
        test.push_ineq(outside);
        if let Some(point) = engines::sample(&test, budget)? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

// Whether the row is a combination of the system's equalities.
fn follows_from_equalities(system: &System, row: &Row) -> bool {
    let mut rest = row.clone();
    let mut eqs = system.eqs().to_vec();
    for col in 1..row.len() {
        let Some(k) = eqs.iter().position(|r| !r.is_zero_at(col)) else { continue };
        let pivot = eqs.swap_remove(k);
        rest = rest.eliminate(col, &pivot);
        eqs = eqs.iter().map(|r| r.eliminate(col, &pivot)).collect();
    }
    rest.is_zero_in(0..rest.len())
}

/// The system without inequalities that the rest implies, as far as linear programs can tell; `None` if it has no rational point.
pub(crate) fn irredundant(system: &System, budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    Ok(solve::redundant::remove_redundant(system, budget)?.and_then(simplified))
}

impl<K: Kind> Relation<K> {
    /// The equalities (also between integer divisions that the pieces have in common) that hold for all elements: the smallest such
    /// conjunction around `self` that this describes. Exact over the integers.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn affine_hull_within(&self, budget: &Budget) -> Result<BasicRelation<K>, BudgetSpent> {
        let columns = Columns::of(&self.space);
        let known = self.with_known_divs_within(budget)?;
        let (frame, wide) = common_frame(columns, &known.pieces);
        let hull = match equations(&wide, budget)? {
            Some(eqs) => simplified(frame.with_rows(eqs, Vec::new())),
            None => None,
        };
        Ok(self.basic(hull.unwrap_or_else(|| System::contradiction(columns))))
    }

    /// The same relation with the equalities that hold on each piece made explicit; empty pieces are dropped.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn detect_equalities_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        let mut pieces = Vec::new();
        for p in self.systems() {
            let Some(eqs) = equations(std::slice::from_ref(p), budget)? else { continue };
            let mut piece = p.clone();
            eqs.into_iter().for_each(|r| piece.push_eq(r));
            pieces.extend(simplified(piece).map(Arc::new));
        }
        super::embed::dedup(&mut pieces);
        Ok(Relation::from_pieces(self.space.clone(), pieces))
    }

    /// The same relation without constraints that the others of their piece imply, as far as linear programs can tell.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn remove_redundancies_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        let mut pieces = Vec::new();
        for p in self.systems() {
            pieces.extend(irredundant(p, budget)?.map(Arc::new));
        }
        super::embed::dedup(&mut pieces);
        Ok(Relation::from_pieces(self.space.clone(), pieces))
    }

    within! {
        /// The equalities that hold for all elements: [`Relation::affine_hull_within`] without a limit.
        pub fn affine_hull = affine_hull_within(&self) -> BasicRelation<K>;
        /// The same relation with explicit equalities: [`Relation::detect_equalities_within`] without a limit.
        pub fn detect_equalities = detect_equalities_within(&self) -> Relation<K>;
        /// The same relation without redundant constraints: [`Relation::remove_redundancies_within`] without a limit.
        pub fn remove_redundancies = remove_redundancies_within(&self) -> Relation<K>;
    }
}
