//! Simplification in a context.
//!
//! `gist(A, C)` is any relation `G` with `G and C = A and C`; here, the pieces of `A` that meet `C`, without the constraints that `C`
//! and the piece's other constraints imply.

use super::embed::conjoin;
use super::project::simplified;
use super::subtract::{negated, obviously_implied};
use super::{Kind, Params, Relation, engines};
use crate::budget::within;
use crate::linalg::Row;
use crate::system::RowKind;
use crate::{Budget, BudgetSpent, System};
use std::sync::Arc;

// With more pieces than this, the context is replaced by its simple hull.
const MAX_CONTEXT: usize = 6;

impl<K: Kind> Relation<K> {
    /// A simpler relation that equals `self` inside the context: `gist and context = self and context`.
    ///
    /// Constraints implied by the context (together with the others of their piece) are dropped, and pieces that do not meet it.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn gist_within(&self, context: &Relation<K>, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        let (a, c) = self.aligned(context);
        if c.pieces.is_empty() {
            // Anything agrees in an empty context.
            return Ok(Relation::universe(a.space.clone()));
        }
        if a.pieces.is_empty() || a.is_obviously_universe() || c.is_obviously_universe() {
            return Ok(a.into_owned());
        }
        let a = a.with_known_divs_within(budget)?;
        let hull;
        let contexts: Vec<&System> = if c.pieces.len() > MAX_CONTEXT {
            hull = c.simple_hull_within(budget)?;
            vec![hull.system()]
        } else {
            c.systems().collect()
        };
        let mut pieces = Vec::new();
        for p in a.systems() {
            if let Some(piece) = gist_piece(p, &contexts, budget)? {
                if piece.is_obviously_universe() {
                    return Ok(Relation::universe(a.space.clone()));
                }
                pieces.push(Arc::new(piece));
            }
        }
        super::embed::dedup(&mut pieces);
        let rest = Relation::from_pieces(a.space.clone(), pieces);
        // No piece holds in the whole context alone; together they may.
        if rest.n_basic() > 1 && c.is_subset_within(&rest, budget)? {
            return Ok(Relation::universe(a.space.clone()));
        }
        Ok(rest)
    }

    within! {
        /// A simpler relation that equals `self` inside the context: [`Relation::gist_within`] without a limit.
        ///
        /// # Panics
        /// If the tuples differ.
        pub fn gist = gist_within(&self, context: &Relation<K>) -> Relation<K>;
    }

    /// A simpler relation that equals `self` for the parameter values of the context.
    pub fn gist_params(&self, context: &Params) -> Relation<K> {
        self.gist(&context.over(&self.space))
    }

    /// [`Relation::gist_params`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn gist_params_within(&self, context: &Params, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        self.gist_within(&context.over(&self.space), budget)
    }
}

// The piece without the constraints that hold in every context, or `None` if it meets none.
fn gist_piece(piece: &System, contexts: &[&System], budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    let definitions = piece.with_rows(Vec::new(), Vec::new());
    // The piece's divs come first, so its rows are those of the frame, padded. A context that the piece does not meet counts too:
    // what is dropped must not let its points in.
    let frames: Vec<System> = contexts.iter().map(|c| conjoin(&definitions, c)).collect();
    let mut meets = false;
    for c in contexts {
        if let Some(both) = simplified(conjoin(piece, c)) {
            meets |= !engines::is_empty(&both, budget)?;
        }
    }
    if !meets {
        return Ok(None);
    }
    let mut rows: Vec<(RowKind, Row, bool)> = Vec::new();
    rows.extend(piece.ineqs().iter().map(|r| (RowKind::Ineq, r.clone(), true)));
    rows.extend(piece.eqs().iter().map(|r| (RowKind::Eq, r.clone(), true)));
    // Constraints over divs are examined first: dropping them simplifies most.
    let first_div = piece.columns().first_div();
    rows.sort_by_key(|(_, r, _)| r.is_zero_in(first_div..r.len()));
    for k in 0..rows.len() {
        let sides: Vec<Row> = match rows[k].0 {
            RowKind::Ineq => vec![rows[k].1.clone()],
            RowKind::Eq => vec![rows[k].1.clone(), rows[k].1.neg()],
        };
        let mut implied = true;
        'contexts: for frame in &frames {
            let pad = frame.columns().len() - piece.columns().len();
            let padded = |r: &Row| r.with_zeros(r.len(), pad);
            for side in &sides {
                let side = padded(side);
                if obviously_implied(frame, &side) {
                    continue;
                }
                let mut test = frame.clone();
                for (j, (kind, row, kept)) in rows.iter().enumerate() {
                    if *kept && j != k {
                        test.push(*kind, padded(row));
                    }
                }
                test.push_ineq(negated(&side));
                if let Some(test) = simplified(test)
                    && !engines::is_empty(&test, budget)?
                {
                    implied = false;
                    break 'contexts;
                }
            }
        }
        rows[k].2 = !implied;
    }
    let select =
        |wanted: RowKind| rows.iter().filter(|(kind, _, kept)| *kept && *kind == wanted).map(|(_, r, _)| r.clone()).collect();
    Ok(simplified(piece.with_rows(select(RowKind::Eq), select(RowKind::Ineq))))
}
