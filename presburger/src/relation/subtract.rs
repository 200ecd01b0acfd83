//! Set difference: depth first over the constraints of the subtrahend.
//!
//! For a piece `r` and a conjunction `b = c1 and .. and ck` with explicit divisions, `r \ b` is the disjoint union of
//! `r and c1 and .. and c(i-1) and not ci`. The divisions of `b` are added to `r` as definitions, which constrain nothing, so a stride
//! `x mod m = 0` is one constraint on one division and its complement one range, never `m` cases. A constraint that `r` and the
//! earlier ones imply cuts nothing and is skipped, and `r` stays whole where `b` does not meet it. Several subtrahends are taken one
//! after the other on an explicit stack; a question ("is it a subset?") stops at the first part that survives them all.

use super::embed::conjoin;
use super::engines;
use super::project::simplified;
use crate::linalg::Row;
use crate::system::RowKind;
use crate::{Budget, BudgetSpent, Int, System};
use std::ops::ControlFlow;
use std::sync::Arc;

/// Calls `visit` with the disjoint, non-empty parts of `piece` outside all `subtrahends` until it breaks.
///
/// `piece` is not empty; the subtrahends' divs are known.
pub(crate) fn difference(
    piece: &System,
    subtrahends: &[Arc<System>],
    budget: &Budget,
    visit: &mut dyn FnMut(System) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, BudgetSpent> {
    let bounds: Vec<Bounds> = subtrahends.iter().map(|b| Bounds::of(b)).collect();
    let mut stack = vec![(piece.clone(), 0)];
    while let Some((rest, next)) = stack.pop() {
        budget.spend(1)?;
        let box_rest = Bounds::of(&rest);
        let meeting = (next..subtrahends.len()).find(|&k| !box_rest.is_disjoint(&bounds[k]));
        let Some(k) = meeting else {
            if visit(rest).is_break() {
                return Ok(ControlFlow::Break(()));
            }
            continue;
        };
        match split(&rest, &subtrahends[k], budget)? {
            None => stack.push((rest, k + 1)),
            Some(parts) => stack.extend(parts.into_iter().rev().map(|p| (p, k + 1))),
        }
    }
    Ok(ControlFlow::Continue(()))
}

// The parts of `rest` outside `b`, or `None` if `b` does not meet `rest`.
fn split(rest: &System, b: &System, budget: &Budget) -> Result<Option<Vec<System>>, BudgetSpent> {
    let Some(both) = simplified(conjoin(rest, b)) else { return Ok(None) };
    if engines::is_empty(&both, budget)? {
        return Ok(None);
    }
    // `rest` over columns that include the divisions of `b`, and the rows of `b` over those columns.
    let definitions = b.with_rows(Vec::new(), Vec::new());
    let mut base = conjoin(rest, &definitions);
    // The layout of `base` without rows: conjoining `b` to it shares every division of `b`.
    let rows = conjoin(&base.with_rows(Vec::new(), Vec::new()), b);
    let cuts = cuts_of(&rows, &base);
    let mut parts = Vec::new();
    for cut in cuts {
        budget.spend(base.ineqs().len() as u64 + 1)?;
        let mut outside = base.clone();
        outside.push_ineq(negated(&cut));
        if let Some(outside) = simplified(outside)
            && !engines::is_empty(&outside, budget)?
        {
            parts.push(outside);
            base.push_ineq(cut);
        }
    }
    Ok(Some(parts))
}

// The constraints of the subtrahend as inequalities that `base` does not obviously imply.
fn cuts_of(rows: &System, base: &System) -> Vec<Row> {
    let width = base.columns().len();
    debug_assert_eq!(rows.columns().len(), width);
    let mut cuts = Vec::new();
    for eq in rows.eqs() {
        cuts.push(eq.clone());
        cuts.push(eq.neg());
    }
    cuts.extend(rows.ineqs().iter().cloned());
    cuts.retain(|c| !obviously_implied(base, c));
    cuts
}

/// `not (row >= 0)` over the integers: `-row - 1 >= 0`.
pub(crate) fn negated(row: &Row) -> Row {
    let mut out = row.neg();
    out.add_at(0, &Int::MINUS_ONE);
    out
}

/// Whether a row of the system with the same coefficients implies `row >= 0`.
pub(crate) fn obviously_implied(system: &System, row: &Row) -> bool {
    let n = row.len();
    let same = |r: &Row| match (r.narrow(), row.narrow()) {
        (Some(a), Some(b)) => a[1..] == b[1..],
        _ => (1..n).all(|i| r.get(i) == row.get(i)),
    };
    if row.is_zero_in(1..n) {
        return row.sign(0) >= 0;
    }
    system.ineqs().iter().any(|r| same(r) && r.get(0) <= row.get(0))
        || system.eqs().iter().any(|r| {
            (same(r) && r.get(0) <= row.get(0)) || {
                let r = r.neg();
                same(&r) && r.get(0) <= row.get(0)
            }
        })
}

/// Whether the system, whose divs are known, contains the point given by its columns before the divs.
pub(crate) fn contains_prefix(system: &System, point: &[Int]) -> bool {
    debug_assert_eq!(point.len(), system.columns().first_div());
    let mut full = point.to_vec();
    full.resize(system.columns().len(), Int::ZERO);
    for (i, div) in system.divs().iter().enumerate() {
        if let Some(div) = div {
            full[system.columns().div(i)] = div.num.dot(&full).div_floor(&div.den);
        }
    }
    system.contains(&full)
}

/// Bounds of single columns, read off rows with one variable.
#[derive(Debug, Clone)]
pub(crate) struct Bounds(Vec<(Option<Int>, Option<Int>)>);

impl Bounds {
    pub(crate) fn of(system: &System) -> Bounds {
        let n = system.columns().first_div();
        let mut bounds = vec![(None, None); n];
        let all = system.eqs().iter().map(|r| (RowKind::Eq, r)).chain(system.ineqs().iter().map(|r| (RowKind::Ineq, r)));
        for (kind, row) in all {
            let Some(col) = row.first_nonzero(1..row.len()) else { continue };
            if col >= n || row.first_nonzero(col + 1..row.len()).is_some() {
                continue;
            }
            // c * x + k >= 0
            let (c, k) = (row.get(col), row.get(0));
            let (lo, hi): &mut (Option<Int>, Option<Int>) = &mut bounds[col];
            if kind == RowKind::Eq || c.is_positive() {
                let (c, k) = if c.is_positive() { (c.clone(), k.clone()) } else { (-&c, -&k) };
                let bound = (-&k).div_ceil(&c);
                *lo = Some(lo.take().map_or(bound.clone(), |old| old.max(bound)));
            }
            if kind == RowKind::Eq || c.is_negative() {
                let (c, k) = if c.is_positive() { (-&c, -&k) } else { (c, k) };
                let bound = k.div_floor(&-&c);
                *hi = Some(hi.take().map_or(bound.clone(), |old| old.min(bound)));
            }
        }
        Bounds(bounds)
    }

    /// Whether some column's ranges do not meet: then the systems are disjoint.
    pub(crate) fn is_disjoint(&self, other: &Bounds) -> bool {
        let apart = |hi: &Option<Int>, lo: &Option<Int>| matches!((hi, lo), (Some(h), Some(l)) if h < l);
        self.0.iter().zip(&other.0).any(|(a, b)| apart(&a.1, &b.0) || apart(&b.1, &a.0))
    }

    /// Whether some column's ranges leave a gap of at least one integer between them.
    pub(crate) fn has_gap(&self, other: &Bounds) -> bool {
        let gap = |hi: &Option<Int>, lo: &Option<Int>| matches!((hi, lo), (Some(h), Some(l)) if &(h + Int::ONE) < l);
        self.0.iter().zip(&other.0).any(|(a, b)| gap(&a.1, &b.0) || gap(&b.1, &a.0))
    }
}
