//! The Omega test: exact integer emptiness and projection by elimination.
//!
//! Source: W. Pugh, "A practical algorithm for exact array dependence analysis", CACM 35(8), 1992. Equalities are solved by
//! unimodular changes of variables, inequalities by Fourier-Motzkin elimination where that is exact; otherwise the integer
//! points are those above the dark shadow and those on the splinters `b*x = l + i` close to a lower bound.

use crate::linalg::Row;
use crate::solve::fourier_motzkin::{Bounds, Shadow, eliminate};
use crate::system::normalize::{Contradiction, merge_ineqs, tighten_eq};
use crate::{Budget, BudgetSpent, Div, Int, System};

/// Whether a system has no integer point.
///
/// Exact. Cost: doubly exponential in the number of columns in the worst case; the budget is charged per row operation.
///
/// # Errors
/// [`BudgetSpent`] if the budget ends before the answer.
pub fn is_empty(system: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    let closed = system.closed();
    let mut todo = vec![Problem { eqs: closed.eqs().to_vec(), ineqs: closed.ineqs().to_vec() }];
    while let Some(problem) = todo.pop() {
        if problem.advance(&mut todo, budget)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// A conjunction over columns `[1 | variables]`; a variable without a coefficient is free.
struct Problem {
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

impl Problem {
    /// Whether the problem has a solution, as far as it is decided here: alternatives that remain go onto `todo`.
    fn advance(mut self, todo: &mut Vec<Problem>, budget: &Budget) -> Result<bool, BudgetSpent> {
        loop {
            if self.solve_equalities(budget)?.is_err() {
                return Ok(false);
            }
            budget.spend(self.ineqs.len() as u64)?;
            let mut found = Vec::new();
            match merge_ineqs(std::mem::take(&mut self.ineqs), &mut found) {
                Err(Contradiction) => return Ok(false),
                Ok(rows) => self.ineqs = rows,
            }
            if !found.is_empty() {
                self.eqs = found;
                continue;
            }
            let Some(width) = self.ineqs.first().map(Row::len) else {
                return Ok(true);
            };
            let candidates =
                (1..width).map(|c| (c, Bounds::of(&self.ineqs, c))).filter(|(_, b)| b.lower.len() + b.upper.len() > 0);
            let best = candidates.min_by_key(|(c, b)| (!b.is_exact(), b.growth(), *c));
            let Some((col, bounds)) = best else {
                return Ok(true);
            };
            budget.spend((bounds.lower.len() * bounds.upper.len() + 1) as u64)?;
            if bounds.is_exact() {
                self.ineqs = eliminate(&self.ineqs, col, &bounds, Shadow::Real);
                continue;
            }
            for splinter in splinters(&self.ineqs, col, &bounds, budget)? {
                todo.push(Problem { eqs: vec![splinter], ineqs: self.ineqs.clone() });
            }
            self.ineqs = eliminate(&self.ineqs, col, &bounds, Shadow::Dark);
        }
    }

    /// Eliminates all equalities: a smallest coefficient is brought down to one by changes of variables, then substituted.
    fn solve_equalities(&mut self, budget: &Budget) -> Result<Result<(), Contradiction>, BudgetSpent> {
        while let Some(row) = self.eqs.pop() {
            let row = match tighten_eq(&row) {
                Err(Contradiction) => return Ok(Err(Contradiction)),
                Ok(None) => continue,
                Ok(Some(row)) => row,
            };
            let col = (1..row.len())
                .filter(|&c| !row.is_zero_at(c))
                .min_by_key(|&c| (row.get(c).abs(), c))
                .expect("a tightened equality has a coefficient");
            budget.spend((self.eqs.len() + self.ineqs.len() + 1) as u64)?;
            if row.get(col).abs().is_one() {
                for r in self.eqs.iter_mut().chain(self.ineqs.iter_mut()) {
                    *r = r.eliminate(col, &row);
                }
            } else {
                // x_col = x' - sum q_i x_i with q_i = floor(a_i / a_col): coefficients become remainders.
                let quotients = remainders_change(&row, col);
                for r in self.eqs.iter_mut().chain(self.ineqs.iter_mut()) {
                    *r = change_variable(r, col, &quotients);
                }
                self.eqs.push(change_variable(&row, col, &quotients));
            }
        }
        Ok(Ok(()))
    }
}

/// The row `q` with `q_i = floor(a_i / a_col)` and 0 at `col`, for the change of variables `x_col = x' - q . x`.
fn remainders_change(row: &Row, col: usize) -> Row {
    let a = row.get(col);
    let mut q = Row::from_ints(row.to_ints().iter().map(|c| c.div_floor(&a)).collect());
    q.set(col, Int::ZERO);
    q
}

/// A row after `x_col = x' - q . x`.
fn change_variable(row: &Row, col: usize, quotients: &Row) -> Row {
    let c = row.get(col);
    if c.is_zero() { row.clone() } else { row.combine(&Int::ONE, quotients, &-c) }
}

/// The equalities `b*x + l = i` near each lower bound that hold every integer point outside the dark shadow.
fn splinters(ineqs: &[Row], col: usize, bounds: &Bounds, budget: &Budget) -> Result<Vec<Row>, BudgetSpent> {
    let largest = bounds.upper.iter().map(|&u| -ineqs[u].get(col)).max().expect("an inexact column has upper bounds");
    let mut out = Vec::new();
    for &l in &bounds.lower {
        let lower = &ineqs[l];
        let b = lower.get(col);
        // i from 0 to floor((a*b - a - b) / a)
        let last = (&largest * &b - &largest - &b).div_floor(&largest);
        let mut i = Int::ZERO;
        while i <= last {
            budget.spend(1)?;
            let mut row = lower.clone();
            row.add_at(0, &-&i);
            out.push(row);
            i += Int::ONE;
        }
    }
    Ok(out)
}

/// The projection `{ x : exists columns }` onto the other dimensions: the columns (of parameters or tuples) disappear from the
/// layout's count through `system.gather` beforehand; here every unknown existential is eliminated or given a definition.
///
/// The union of the results has the same integer points, and in each result every div is known.
///
/// Exact. Existentials with unit coefficients go by Fourier-Motzkin elimination; one whose bounds on a side are `a_i*x <= u_i`
/// is replaced by `floor(u_i / a_i)` where bound `i` is the tightest, one piece for each `i`; what remains entangled falls to
/// dark shadows and splinters.
///
/// # Errors
/// [`BudgetSpent`] if the budget ends before the answer.
pub fn with_known_divs(system: &System, budget: &Budget) -> Result<Vec<System>, BudgetSpent> {
    let mut todo = vec![system.clone()];
    let mut done = Vec::new();
    while let Some(next) = todo.pop() {
        budget.spend(1 + next.ineqs().len() as u64)?;
        let Some(mut system) = next.normalized() else {
            continue;
        };
        if system.divs_known() {
            done.push(system);
            continue;
        }
        if open_dependent_divs(&mut system) {
            todo.push(system);
            continue;
        }
        let before = todo.len();
        match unknown_in_equality(&system) {
            Some((row, unknowns)) => todo.push(isolate_unknown(&system, &row, &unknowns)),
            None => eliminate_unknown(&system, &mut todo, budget)?,
        }
        // Depth first in order: the first alternative is worked on next.
        todo[before..].reverse();
    }
    Ok(done)
}

/// Turns definitions that depend on unknown divs back into bounds. Whether there were any.
fn open_dependent_divs(system: &mut System) -> bool {
    let columns = system.columns();
    let mut opened = false;
    for d in 0..columns.divs {
        let Some(def) = &system.divs()[d] else {
            continue;
        };
        if system.divs_in(&def.num).any(|e| system.divs()[e].is_none()) {
            let bounds = system.div_bounds(d).expect("known");
            bounds.into_iter().for_each(|r| system.push_ineq(r));
            system.set_div(d, None);
            opened = true;
        }
    }
    opened
}

/// An equality with several unknown divs (with one, the normal form would have defined it).
fn unknown_in_equality(system: &System) -> Option<(Row, Vec<usize>)> {
    system.eqs().iter().find_map(|row| {
        let unknowns: Vec<usize> =
            system.divs_in(row).filter(|&d| system.divs()[d].is_none()).map(|d| system.columns().div(d)).collect();
        (!unknowns.is_empty()).then(|| (row.clone(), unknowns))
    })
}

/// One step of a unimodular change of the unknown divs that leaves fewer or smaller coefficients in `row`.
fn isolate_unknown(system: &System, row: &Row, unknowns: &[usize]) -> System {
    let &col = unknowns.iter().min_by_key(|&&c| (row.get(c).abs(), c)).expect("not empty");
    let a = row.get(col);
    let mut quotients = Row::zero(row.len());
    for &c in unknowns.iter().filter(|&&c| c != col) {
        quotients.set(c, row.get(c).div_floor(&a));
    }
    let change = |rows: &[Row]| rows.iter().map(|r| change_variable(r, col, &quotients)).collect();
    system.with_rows(change(system.eqs()), change(system.ineqs()))
}

/// Removes one unknown div that occurs in inequalities only: one or several systems that together are equal.
fn eliminate_unknown(system: &System, todo: &mut Vec<System>, budget: &Budget) -> Result<(), BudgetSpent> {
    let columns = system.columns();
    let ineqs = system.ineqs();
    let unknown: Vec<usize> = (0..columns.divs).filter(|&d| system.divs()[d].is_none()).collect();
    let bounds: Vec<(usize, Bounds)> = unknown.iter().map(|&d| (d, Bounds::of(ineqs, columns.div(d)))).collect();
    let exact = bounds.iter().filter(|(_, b)| b.is_exact()).min_by_key(|(d, b)| (b.growth(), *d));
    if let Some((d, b)) = exact {
        budget.spend((b.lower.len() * b.upper.len()) as u64)?;
        todo.push(system.with_rows(system.eqs().to_vec(), eliminate(ineqs, columns.div(*d), b, Shadow::Real)));
        return Ok(());
    }
    // A side whose bounds involve no other unknown: the div can be the tightest of them.
    let free =
        |rows: &[usize], d: usize| rows.iter().all(|&r| unknown.iter().all(|&e| e == d || ineqs[r].is_zero_at(columns.div(e))));
    let sides = bounds.iter().flat_map(|(d, b)| [(*d, &b.upper), (*d, &b.lower)]);
    if let Some((d, rows)) = sides.filter(|(d, rows)| free(rows, *d)).min_by_key(|(d, rows)| (rows.len(), *d)) {
        for choice in 0..rows.len() {
            budget.spend(rows.len() as u64)?;
            todo.push(at_tightest_bound(system, d, rows, choice));
        }
        return Ok(());
    }
    let (d, b) = bounds.iter().min_by_key(|(d, b)| (b.growth(), *d)).expect("some div is unknown");
    let col = columns.div(*d);
    for row in splinters(ineqs, col, b, budget)? {
        let mut alternative = system.clone();
        alternative.push_eq(row);
        todo.push(alternative);
    }
    todo.push(system.with_rows(system.eqs().to_vec(), eliminate(ineqs, col, b, Shadow::Dark)));
    Ok(())
}

/// The part of a system where bound `rows[choice]` on div `d` is the tightest (the first of equally tight ones), with the div
/// defined by that bound.
fn at_tightest_bound(system: &System, d: usize, rows: &[usize], choice: usize) -> System {
    let col = system.columns().div(d);
    let ineqs = system.ineqs();
    // An upper bound -a*x + u >= 0 gives x = floor(u / a). A lower bound b*x + l >= 0 gives x = ceil(-l / b) = -floor(l / b).
    let bound = |r: usize| {
        let mut num = ineqs[r].clone();
        let den = num.get(col).abs();
        num.set(col, Int::ZERO);
        Div { num, den }
    };
    let mut out = system.clone();
    let mut floors = Vec::with_capacity(rows.len());
    for &r in rows {
        floors.push(out.push_div(Some(bound(r))));
    }
    let width = out.columns().len();
    for (i, &floor) in floors.iter().enumerate() {
        // Tightest: the smallest floor on either side. Strictly smaller than earlier ones makes the pieces disjoint.
        if i != choice {
            let mut row = Row::zero(width);
            row.set(floor, Int::ONE);
            row.set(floors[choice], Int::MINUS_ONE);
            row.set(0, if i < choice { Int::MINUS_ONE } else { Int::ZERO });
            out.push_ineq(row);
        }
    }
    let is_upper = ineqs[rows[choice]].sign(col) < 0;
    let mut row = Row::zero(width);
    row.set(col, Int::ONE);
    row.set(floors[choice], if is_upper { Int::MINUS_ONE } else { Int::ONE });
    out.push_eq(row);
    out
}
