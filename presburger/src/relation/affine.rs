//! Equalities that hold on all integer points, and constraints that say nothing.
//!
//! The affine hull of several pieces is that of the first, joined with the others one by one ([`solve::affine_hull`]). Divisions count
//! as columns, so that a stride of all pieces stays an equation of the hull.

use super::embed::conjoin;
use super::project::simplified;
use super::{BasicRelation, Kind, Relation};
use crate::budget::within;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, System, solve};
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
        eqs = match eqs {
            None => solve::affine_hull::affine_hull(piece, budget)?,
            Some(eqs) => Some(solve::affine_hull::join(eqs, piece, budget)?),
        };
    }
    Ok(eqs)
}

/// A basis of the equations that follow from both lists (Zassenhaus: eliminating `[u | u]` and `[w | 0]` on the left leaves the
/// intersection of both row spaces on the right).
pub(crate) fn shared_equations(a: &[Row], b: &[Row]) -> Vec<Row> {
    let Some(width) = a.first().map(Row::len) else { return Vec::new() };
    let twice: Vec<Option<usize>> = (0..width).chain(0..width).map(Some).collect();
    let once: Vec<Option<usize>> = (0..width).map(Some).chain((0..width).map(|_| None)).collect();
    let mut rows: Vec<Row> = a.iter().map(|r| r.gather(&twice)).chain(b.iter().map(|r| r.gather(&once))).collect();
    for col in 0..width {
        let Some(k) = rows.iter().position(|r| !r.is_zero_at(col)) else { continue };
        let pivot = rows.remove(k);
        for row in rows.iter_mut().filter(|r| !r.is_zero_at(col)) {
            let rest = row.eliminate(col, &pivot);
            let g = rest.gcd_in(0..rest.len());
            *row = if g.is_zero() { rest } else { rest.div_exact(&g) };
        }
    }
    let right: Vec<Option<usize>> = (width..2 * width).map(Some).collect();
    rows.iter().map(|r| r.gather(&right)).filter(|r| !r.is_zero_in(0..width)).collect()
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
