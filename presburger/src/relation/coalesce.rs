//! Fewer pieces for the same elements.
//!
//! A piece inside another is dropped. Two pieces are merged when their union is again one conjunction: the candidate `H` has the
//! constraints of each that are valid for the other (and the equalities of their common affine hull), so `A or B` lies in `H`, and
//! they are merged exactly if `H` has no integer point outside both (Verdoolaege, "Integer Set Coalescing", IMPACT 2015, describes the
//! cases in which such an `H` exists).

use super::embed::conjoin;
use super::project::simplified;
use super::subtract::{Bounds, negated, obviously_implied};
use super::{Kind, Relation, engines};
use crate::budget::within;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, System};
use std::sync::Arc;

impl<K: Kind> Relation<K> {
    /// The same relation in fewer pieces where that is found; empty pieces are dropped.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn coalesce_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        let mut todo: Vec<System> = Vec::new();
        for p in self.systems() {
            if !engines::is_empty(p, budget)? {
                todo.push(p.clone());
            }
        }
        todo.reverse();
        let mut done: Vec<(System, Bounds)> = Vec::new();
        'pieces: while let Some(piece) = todo.pop() {
            let bounds = Bounds::of(&piece);
            for k in 0..done.len() {
                budget.spend(1)?;
                let (other, other_bounds) = &done[k];
                let lattice_free = piece.columns().divs == 0 && other.columns().divs == 0;
                if lattice_free && bounds.has_gap(other_bounds) {
                    continue;
                }
                if let Some(merged) = merge(other, &piece, budget)? {
                    let (old, _) = done.remove(k);
                    if merged == old {
                        let bounds = Bounds::of(&old);
                        done.insert(k, (old, bounds));
                    } else {
                        todo.push(merged);
                    }
                    continue 'pieces;
                }
            }
            done.push((piece, bounds));
        }
        Ok(Relation::from_pieces(self.space.clone(), done.into_iter().map(|(p, _)| Arc::new(p)).collect()))
    }

    within! {
        /// The same relation in fewer pieces where that is found: [`Relation::coalesce_within`] without a limit.
        pub fn coalesce = coalesce_within(&self) -> Relation<K>;
    }
}

// One conjunction equal to the union, if one is found.
fn merge(a: &System, b: &System, budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    if a == b {
        return Ok(Some(a.clone()));
    }
    if !a.divs_known() || !b.divs_known() {
        for (inner, outer) in [(b, a), (a, b)] {
            if outer.divs_known() && is_inside(inner, outer, budget)? {
                return Ok(Some(outer.clone()));
            }
        }
        return Ok(None);
    }
    // Both over the divs of both.
    let in_a = conjoin(a, &b.with_rows(Vec::new(), Vec::new()));
    let frame = in_a.with_rows(Vec::new(), Vec::new());
    let in_b = conjoin(&frame, b);
    let of_b = split(&inequalities(&in_b), &in_a, budget)?;
    if of_b.invalid.is_empty() {
        return Ok(Some(b.clone()));
    }
    let of_a = split(&inequalities(&in_a), &in_b, budget)?;
    if of_a.invalid.is_empty() {
        return Ok(Some(a.clone()));
    }
    let mut hull = frame;
    for row in of_a.valid.into_iter().chain(of_b.valid) {
        hull.push_ineq(row);
    }
    if covers(&hull, &of_a.invalid, &of_b.invalid, budget)? { Ok(simplified(hull)) } else { Ok(None) }
}

// Whether every point of `inner` is in `outer`, whose divs are known.
fn is_inside(inner: &System, outer: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    let inner = conjoin(inner, &outer.with_rows(Vec::new(), Vec::new()));
    let rows = inequalities(&conjoin(&inner.with_rows(Vec::new(), Vec::new()), outer));
    for row in &rows {
        if !obviously_implied(&inner, row) && meets(&inner, &negated(row), budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn inequalities(system: &System) -> Vec<Row> {
    let eqs = system.eqs().iter().flat_map(|r| [r.clone(), r.neg()]);
    eqs.chain(system.ineqs().iter().cloned()).collect()
}

struct Split {
    valid: Vec<Row>,
    invalid: Vec<Row>,
}

// Which of the rows hold everywhere in `system`.
fn split(rows: &[Row], system: &System, budget: &Budget) -> Result<Split, BudgetSpent> {
    let mut out = Split { valid: Vec::new(), invalid: Vec::new() };
    for row in rows {
        if obviously_implied(system, row) || !meets(system, &negated(row), budget)? {
            out.valid.push(row.clone());
        } else {
            out.invalid.push(row.clone());
        }
    }
    Ok(out)
}

// Whether `system and row >= 0` has a point.
fn meets(system: &System, row: &Row, budget: &Budget) -> Result<bool, BudgetSpent> {
    let mut test = system.clone();
    test.push_ineq(row.clone());
    match simplified(test) {
        Some(test) => Ok(!engines::is_empty(&test, budget)?),
        None => Ok(false),
    }
}

// Whether every point of `hull` satisfies all rows of `a` or all rows of `b`.
fn covers(hull: &System, a: &[Row], b: &[Row], budget: &Budget) -> Result<bool, BudgetSpent> {
    let mut inside = hull.clone();
    for row_a in a {
        let mut outside = inside.clone();
        outside.push_ineq(negated(row_a));
        for row_b in b {
            if meets(&outside, &negated(row_b), budget)? {
                return Ok(false);
            }
        }
        inside.push_ineq(row_a.clone());
    }
    Ok(true)
}
