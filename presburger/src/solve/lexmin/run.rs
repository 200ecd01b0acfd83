//! The run: cells of parameters are solved, split and merged, depth first.

use super::cell::Cell;
use super::context::{Context, Sign, below_zero};
use super::problem::Problem;
use super::tableau::{Known, LexTableau, Place, Var};
use crate::Int;
use crate::System;
use crate::solve::coefficient::{Coefficient, Run, Task};
use crate::solve::sample;

/// The state of one cell.
#[derive(Clone)]
struct State<'b, C> {
    context: Context<'b, C>,
    tableau: LexTableau<'b, C>,
    whole: bool,
    cuts: usize,
}

/// What remains to be done.
enum Todo<'b, C> {
    Solve(Box<State<'b, C>>),
    /// Both halves of a split are done; their cells start at `start`.
    Merge {
        start: usize,
        parent: System,
        whole: bool,
    },
}

/// How work on a cell ended.
enum Outcome<'b, C> {
    /// No point for any parameters of the cell.
    Infeasible,
    Solved(Cell),
    /// More cuts than there is patience for.
    Entangled,
    Split {
        negative: Box<State<'b, C>>,
        other: Box<State<'b, C>>,
        parent: System,
        whole: bool,
    },
}

/// Why there are no cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// One of them has points and no optimum.
    Unbounded,
    /// One of them needs more cuts than there is patience for.
    Entangled,
}

const CUTS_BEFORE_DOUBT: usize = 24;

impl Task for Problem<'_> {
    type Output = Result<Vec<Cell>, Failure>;

    fn run<C: Coefficient>(&self) -> Run<Self::Output> {
        let mut cells: Vec<Cell> = Vec::new();
        let Some(start) = self.start::<C>()? else {
            return Ok(Ok(cells));
        };
        let mut todo = vec![Todo::Solve(Box::new(start))];
        while let Some(next) = todo.pop() {
            self.budget.spend(1)?;
            match next {
                Todo::Solve(state) => match self.solve(*state)? {
                    Outcome::Infeasible => {}
                    Outcome::Entangled => return Ok(Err(Failure::Entangled)),
                    Outcome::Solved(cell) => {
                        if cell.values[..self.range].iter().any(Option::is_none) {
                            return Ok(Err(Failure::Unbounded));
                        }
                        cells.push(cell);
                    }
                    Outcome::Split { negative, other, parent, whole } => {
                        todo.push(Todo::Merge { start: cells.len(), parent, whole });
                        todo.push(Todo::Solve(negative));
                        todo.push(Todo::Solve(other));
                    }
                },
                Todo::Merge { start, parent, whole } => {
                    let one = match &mut cells[start..] {
                        [a, b] => a.whole && b.whole && a.agrees(b, self.range),
                        _ => false,
                    };
                    if one {
                        cells.truncate(start + 1);
                        let merged = cells.pop().map(|cell| cell.on(parent, whole));
                        cells.extend(merged);
                        continue;
                    }
                    cells[start..].iter_mut().for_each(|cell| cell.whole = false);
                }
            }
        }
        Ok(Ok(cells))
    }
}

impl<'a> Problem<'a> {
    fn start<C: Coefficient>(&self) -> Run<Option<State<'a, C>>> {
        let Some(mut context) = Context::new(self.context.clone(), self.budget)? else {
            return Ok(None);
        };
        let params = self.context.columns().len();
        let mut tableau = LexTableau::new(self.unknowns, params, self.budget);
        for row in &self.eqs {
            let Some(rest) = tableau.push_eq(&row.params, &row.unknowns)? else {
                continue;
            };
            if !context.restrict(&rest)? || !context.restrict(&rest.neg())? {
                return Ok(None);
            }
        }
        for row in &self.ineqs {
            tableau.push(&row.params, &row.unknowns, Var::Slack)?;
        }
        Ok(Some(State { context, tableau, whole: true, cuts: 0 }))
    }

    fn solve<C: Coefficient>(&self, mut state: State<'a, C>) -> Run<Outcome<'a, C>> {
        loop {
            self.budget.spend(1)?;
            match choose(&mut state)? {
                Choice::Raise(r) => {
                    if !state.tableau.raise(r)? {
                        return Ok(Outcome::Infeasible);
                    }
                }
                Choice::Require(r) => {
                    let row = state.tableau.constant(r);
                    state.whole = false;
                    if !state.context.restrict(&row)? {
                        return Ok(Outcome::Infeasible);
                    }
                    state.tableau.set_known(r, Known::NonNegative);
                }
                Choice::Split(r) => return split(state, r),
                Choice::Feasible => match fractional(&state.tableau) {
                    None => return Ok(Outcome::Solved(self.solved(state))),
                    Some(_) if state.cuts >= self.patience => return Ok(Outcome::Entangled),
                    Some(r) => {
                        if !self.cut(&mut state, r)? {
                            return Ok(Outcome::Infeasible);
                        }
                    }
                },
            }
        }
    }

    fn solved<C: Coefficient>(&self, state: State<'a, C>) -> Cell {
        let values = (0..self.unknowns).map(|i| state.tableau.solution(i)).collect();
        Cell { domain: state.context.system, values, whole: state.whole }
    }

    /// Cuts off the fractional value of row `r`. False if nothing is left.
    fn cut<C: Coefficient>(&self, state: &mut State<'a, C>, r: usize) -> Run<bool> {
        state.cuts += 1;
        if state.cuts.is_power_of_two() && state.cuts >= CUTS_BEFORE_DOUBT {
            // Cuts need not end on unbounded sets without integer points: ask the other way.
            if sample::is_empty(&self.joint(&state.context.system), self.budget)? {
                return Ok(false);
            }
        }
        let (mut missing, den) = state.tableau.fraction(r)?;
        if !missing.is_zero_in(1..missing.len()) {
            let (col, added) = state.context.div(&missing, &den)?;
            if added {
                state.tableau.add_param();
                missing = missing.with_zeros(col, 1);
            }
            missing.set(col, -den);
            // `missing` is now (-constant) mod den, between 0 and den - 1.
            let mut positive = missing.clone();
            positive.add_at(0, &Int::MINUS_ONE);
            if !state.context.has_point_with(&positive)? {
                state.tableau.add_zero(r, &missing)?;
                state.tableau.set_known(r, Known::NonNegative);
                return Ok(true);
            }
        }
        let cut = state.tableau.push_cut(r, &missing)?;
        if state.tableau.can_rise(cut) {
            return state.tableau.raise(cut);
        }
        // No column helps: only parameters that miss nothing have a solution.
        state.tableau.pop();
        state.whole = false;
        if !state.context.restrict(&missing.neg())? {
            return Ok(false);
        }
        state.tableau.add_zero(r, &missing)?;
        state.tableau.set_known(r, Known::NonNegative);
        Ok(true)
    }
}

/// The next step on a cell.
enum Choice {
    /// This row is negative: a dual pivot raises it.
    Raise(usize),
    /// This row must not be negative and nothing can raise it: parameters that make it negative have no solution.
    Require(usize),
    /// The sign of this row depends on the parameters.
    Split(usize),
    /// No row is negative.
    Feasible,
}

fn choose<C: Coefficient>(state: &mut State<'_, C>) -> Run<Choice> {
    let (tableau, context) = (&mut state.tableau, &mut state.context);
    let rows = tableau.rows();
    let trivial = context.is_trivial();
    // Rows that are cheap to judge first.
    for r in (0..rows).filter(|&r| tableau.is_open(r)).collect::<Vec<_>>() {
        let sign = match tableau.big_sign(r) {
            0 => tableau.plain_sign(r),
            big => Some(big),
        };
        if tableau.known(r) == Known::Negative || sign.is_some_and(|s| s < 0) {
            return Ok(Choice::Raise(r));
        }
        if sign.is_some() {
            tableau.set_known(r, Known::NonNegative);
        }
    }
    debug_assert!(!trivial || (0..rows).all(|r| !tableau.is_open(r)));
    let mut split = None;
    for r in 0..rows {
        if !tableau.is_open(r) {
            continue;
        }
        match context.sign(&tableau.constant(r))? {
            Sign::Negative => return Ok(Choice::Raise(r)),
            Sign::NonNegative => tableau.set_known(r, Known::NonNegative),
            Sign::Both if !tableau.can_rise(r) => return Ok(Choice::Require(r)),
            Sign::Both => split = split.or(Some(r)),
        }
    }
    Ok(split.map_or(Choice::Feasible, Choice::Split))
}

fn split<'b, C: Coefficient>(mut state: State<'b, C>, r: usize) -> Run<Outcome<'b, C>> {
    let row = state.tableau.constant(r);
    let (parent, whole) = (state.context.system.clone(), state.whole);
    state.whole = true;
    let mut negative = state.clone();
    // Both halves have points: the sign was decided by samples.
    let _ = negative.context.restrict(&below_zero(&row))?;
    negative.tableau.set_known(r, Known::Negative);
    let _ = state.context.restrict(&row)?;
    state.tableau.set_known(r, Known::NonNegative);
    Ok(Outcome::Split { negative: Box::new(negative), other: Box::new(state), parent, whole })
}

/// The first unknown's row whose value is not integral.
fn fractional<C: Coefficient>(tableau: &LexTableau<'_, C>) -> Option<usize> {
    (0..tableau.unknowns()).find_map(|i| match tableau.place(i) {
        Place::Row(r) if !tableau.is_integral(r) => Some(r),
        _ => None,
    })
}
