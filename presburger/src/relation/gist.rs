//! Simplification in a context.
//!
//! `gist(A, C)` is any relation `G` with `G and C = A and C`; here, the pieces of `A` that meet `C`, each simplified in four steps.
//! 1. An inequality of `A` that is tight on all of `A and C`, but no constraint of `C`, becomes an equality.
//! 2. Inequalities that `C` and the piece's other constraints imply are dropped.
//! 3. The equations of the affine hull of `C` are solved, for columns that `A` does not use first, then for later ones first, and
//!    substituted in what is left: equalities that `C` implies vanish.
//! 4. A congruence is taken by the smallest modulus that suffices inside `C` ([`super::congruence`]).
//!
//! ```text
//! gist({ x + y <= 5 }, { x >= 2, y >= 3 })     = { x + y = 5 }
//! gist({ x = y, y >= 1 }, { x = 2y })          = { false }
//! gist({ x mod 12 = 1 }, { x mod 8 = 5 })      = { x mod 3 = 1 }
//! ```

use super::congruence::Congruence;
use super::embed::conjoin;
use super::engines::{self, Minimum};
use super::project::simplified;
use super::subtract::{negated, obviously_implied};
use super::{Kind, Params, Relation, affine};
use crate::budget::within;
use crate::linalg::Row;
use crate::linalg::hermite::{self, Solutions};
use crate::system::RowKind;
use crate::system::normalize::tighten_ineq;
use crate::{Budget, BudgetSpent, Columns, Int, System};
use std::sync::Arc;

// With more pieces than this, the context is replaced by its simple hull.
const MAX_CONTEXT: usize = 6;

impl<K: Kind> Relation<K> {
    /// A simpler relation that equals `self` inside the context: `gist and context = self and context`.
    ///
    /// Constraints implied by the context (together with the others of their piece) are dropped, and pieces that do not meet it;
    /// equalities of the context are substituted, and moduli lose the factors that the context supplies.
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

// A value for every column, 1 first.
type Coordinates = Vec<Int>;

// A piece in its contexts, in one layout: the piece's columns, then those of the contexts' divs.
struct Frame {
    // The definitions alone.
    bare: System,
    // Of a context that the piece does not meet as well: what is dropped must not let its points in.
    contexts: Vec<System>,
    // Whether all have the same layout, which is so if no div is unknown.
    common: bool,
}

impl Frame {
    // `None` if the piece meets no context; else also a point of the piece in every context that it meets.
    fn of(piece: &System, contexts: &[&System], budget: &Budget) -> Result<Option<(Frame, Vec<Coordinates>)>, BudgetSpent> {
        let mut bare = piece.with_rows(Vec::new(), Vec::new());
        let common = contexts.iter().all(|c| c.divs_known());
        if common {
            bare = contexts.iter().fold(bare, |f, c| conjoin(&f, &c.with_rows(Vec::new(), Vec::new())));
        }
        let contexts: Vec<System> = contexts.iter().map(|c| conjoin(&bare, c)).collect();
        let mut points = Vec::new();
        for c in &contexts {
            if let Some(mut point) = engines::sample(&conjoin(c, piece), budget)? {
                point.truncate(bare.columns().len());
                points.push(point);
            }
        }
        Ok((!points.is_empty()).then_some((Frame { bare, contexts, common }, points)))
    }

    // Whether no point of a context satisfies the constraints.
    fn is_empty(&self, constraints: &[(RowKind, &Row)], budget: &Budget) -> Result<bool, BudgetSpent> {
        for c in &self.contexts {
            let mut test = c.clone();
            let pad = c.columns().len() - self.bare.columns().len();
            constraints.iter().for_each(|(kind, row)| test.push(*kind, row.with_zeros(row.len(), pad)));
            if let Some(test) = simplified(test)
                && !engines::is_empty(&test, budget)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    // Whether rows of every context imply `row >= 0` obviously.
    fn obviously_implies(&self, row: &Row) -> bool {
        self.contexts.iter().all(|c| obviously_implied(c, &row.with_zeros(row.len(), c.columns().len() - row.len())))
    }
}

// The piece simplified in the contexts, or `None` if it meets none.
fn gist_piece(piece: &System, contexts: &[&System], budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    let Some((frame, points)) = Frame::of(piece, contexts, budget)? else { return Ok(None) };
    let pad = frame.bare.columns().len() - piece.columns().len();
    let rows = |rows: &[Row]| -> Vec<Row> { rows.iter().map(|r| r.with_zeros(r.len(), pad)).collect() };
    let (mut eqs, mut ineqs) = (rows(piece.eqs()), rows(piece.ineqs()));
    let first_div = piece.columns().first_div();
    // Constraints over divs are examined first: dropping them simplifies most.
    ineqs.sort_by_key(|r| r.is_zero_in(first_div..r.len()));
    ineqs.retain(|r| !frame.obviously_implies(r));
    if !frame.common {
        drop_implied(&frame, &eqs, &mut ineqs, budget)?;
        return Ok(simplified(frame.bare.with_rows(eqs, ineqs)));
    }
    let hull = affine::equations(&frame.contexts, budget)?.unwrap_or_default();
    move_tight(&frame, &hull, &mut eqs, &mut ineqs, &points, budget)?;
    drop_implied(&frame, &eqs, &mut ineqs, budget)?;
    let solved = solved(hull.clone(), &used_columns(&frame.bare, eqs.iter().chain(&ineqs)));
    let substitute = |r: &Row| solved.iter().fold(r.clone(), |r, (col, pivot)| r.eliminate(*col, pivot));
    eqs = eqs.iter().map(substitute).filter(|r| !r.is_zero_in(0..r.len())).collect();
    ineqs = ineqs.iter().map(substitute).collect();
    Ok(simplified(with_small_moduli(&frame, eqs, ineqs, &hull)))
}

// Inequalities that are 0 wherever the piece meets a context become equalities, as far as linear programs over the integer solutions of
// all equalities can tell.
fn move_tight(
    frame: &Frame,
    hull: &[Row],
    eqs: &mut Vec<Row>,
    ineqs: &mut Vec<Row>,
    points: &[Vec<Int>],
    budget: &Budget,
) -> Result<(), BudgetSpent> {
    if ineqs.iter().all(|r| points.iter().any(|p| !r.dot(p).is_zero())) {
        return Ok(());
    }
    let mut meetings = Vec::with_capacity(frame.contexts.len());
    for c in &frame.contexts {
        let given = c.with_rows([c.eqs(), hull, eqs].concat(), [c.ineqs(), ineqs].concat());
        meetings.extend(Meeting::of(&given));
    }
    let mut k = 0;
    while k < ineqs.len() {
        budget.spend(1)?;
        let mut tight = points.iter().all(|p| ineqs[k].dot(p).is_zero());
        for meeting in &meetings {
            tight = tight && meeting.is_tight(&ineqs[k], budget)?;
        }
        if tight {
            eqs.push(ineqs.remove(k));
        } else {
            k += 1;
        }
    }
    Ok(())
}

// The points that satisfy a system, in the coordinates that its equalities leave free.
struct Meeting {
    solutions: Solutions,
    system: System,
}

impl Meeting {
    // `None` if there obviously are none.
    fn of(system: &System) -> Option<Meeting> {
        let solutions = hermite::solve(system.eqs(), system.columns().len() - 1)?;
        let mut free = System::universe(Columns { range: solutions.free(), ..Columns::default() });
        for row in system.closed().ineqs() {
            if let Some(row) = tighten_ineq(&solutions.substitute(row)).ok()? {
                free.push_ineq(row);
            }
        }
        Some(Meeting { solutions, system: free })
    }

    // Whether an inequality of the system holds with equality only.
    fn is_tight(&self, row: &Row, budget: &Budget) -> Result<bool, BudgetSpent> {
        let row = match tighten_ineq(&self.solutions.substitute(row)) {
            Ok(Some(row)) => row,
            Ok(None) => return Ok(self.solutions.substitute(row).is_zero_at(0)),
            Err(_) => return Ok(true),
        };
        Ok(match engines::lower_bound(&self.system, &row.neg(), budget)? {
            Minimum::Empty => true,
            Minimum::Unbounded => false,
            Minimum::At(v) => !v.is_negative(),
        })
    }
}

// Inequalities that follow from every context and the other constraints go.
fn drop_implied(frame: &Frame, eqs: &[Row], ineqs: &mut Vec<Row>, budget: &Budget) -> Result<(), BudgetSpent> {
    let mut k = 0;
    while k < ineqs.len() {
        let below = negated(&ineqs[k]);
        let others = ineqs.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, r)| (RowKind::Ineq, r));
        let all = eqs.iter().map(|r| (RowKind::Eq, r)).chain(others).chain([(RowKind::Ineq, &below)]);
        if frame.is_empty(&all.collect::<Vec<_>>(), budget)? {
            ineqs.remove(k);
        } else {
            k += 1;
        }
    }
    Ok(())
}

// Which columns the rows use, directly or through definitions of divs.
fn used_columns<'r>(system: &System, rows: impl Iterator<Item = &'r Row>) -> Vec<bool> {
    let columns = system.columns();
    let mut used = vec![false; columns.len()];
    let mark = |row: &Row, used: &mut Vec<bool>| (1..row.len()).filter(|&c| !row.is_zero_at(c)).for_each(|c| used[c] = true);
    rows.for_each(|row| mark(row, &mut used));
    for (i, div) in system.divs().iter().enumerate().rev() {
        if let (true, Some(div)) = (used[columns.div(i)], div) {
            mark(&div.num, &mut used);
        }
    }
    used
}

// The equations in echelon form with their pivots: columns that are not used first, then later ones first. Substituting the pivots in
// this order brings no column into a row that is not among the used ones.
fn solved(mut equations: Vec<Row>, used: &[bool]) -> Vec<(usize, Row)> {
    let mut order: Vec<usize> = (1..used.len()).collect();
    order.sort_by_key(|&c| (used[c], std::cmp::Reverse(c)));
    let mut out = Vec::with_capacity(equations.len());
    for col in order {
        let nonzero = (0..equations.len()).filter(|&i| !equations[i].is_zero_at(col));
        let Some(best) = nonzero.min_by_key(|&i| (equations[i].get(col).abs(), i)) else { continue };
        let pivot = equations.swap_remove(best);
        for row in &mut equations {
            *row = row.eliminate(col, &pivot);
        }
        out.push((col, pivot));
    }
    out
}

// The rows over the definitions of the frame, with every congruence by the smallest modulus that the contexts leave room for.
fn with_small_moduli(frame: &Frame, mut eqs: Vec<Row>, ineqs: Vec<Row>, hull: &[Row]) -> System {
    let bare = &frame.bare;
    let mut congruences = Vec::new();
    let mut k = 0;
    while k < eqs.len() {
        let others: Vec<&Row> = eqs.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, r)| r).collect();
        let congruence = Congruence::of(bare, &eqs[k]).filter(|c| {
            let defined = bare.divs().iter().flatten().map(|d| &d.num);
            others.iter().copied().chain(&ineqs).chain(defined).all(|r| r.is_zero_at(c.column))
        });
        let cases = frame.contexts.iter().map(|c| c.eqs().iter().chain(hull).chain(others.iter().copied()).cloned().collect());
        match congruence.and_then(|c| c.reduced(cases)) {
            Some(reduced) => {
                congruences.push(reduced);
                eqs.remove(k);
            }
            None => k += 1,
        }
    }
    let mut out = bare.with_rows(eqs, ineqs);
    congruences.iter().for_each(|c| c.push_to(&mut out));
    out
}
