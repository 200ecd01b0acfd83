//! Linear programs over the rationals: every column of a system is one variable, of any sign.
//!
//! ```text
//! minimize([x, y] : x >= 0, y >= 0, 2x + 3y >= 7;  x + y)  =  7/3
//! ```
//! The engine is the tableau of `super::tableau`; divs are closed (their defining inequalities added) first.

use super::coefficient::{Coefficient, Run, Task, widen};
use super::tableau::{Optimum, Sense, Tableau, coefficients};
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, System};
use num_bigint::BigInt;
use num_rational::Ratio;

/// The answer to a linear program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lp {
    /// Nothing satisfies the constraints.
    Empty,
    /// The objective has no bound.
    Unbounded,
    /// The optimum, attained at a vertex.
    Optimum(Ratio<BigInt>),
}

/// `min { objective . x : x in system }` over the rationals.
///
/// # Errors
/// [`BudgetSpent`].
pub fn minimize(system: &System, objective: &Row, budget: &Budget) -> Result<Lp, BudgetSpent> {
    optimize(system, objective, Sense::Min, budget)
}

/// `max { objective . x : x in system }` over the rationals.
///
/// # Errors
/// [`BudgetSpent`].
pub fn maximize(system: &System, objective: &Row, budget: &Budget) -> Result<Lp, BudgetSpent> {
    optimize(system, objective, Sense::Max, budget)
}

/// Whether no rational point satisfies the system (then no integer point does).
///
/// # Errors
/// [`BudgetSpent`].
pub fn is_rationally_empty(system: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    Ok(minimize(system, &Row::zero(system.columns().len()), budget)? == Lp::Empty)
}

struct Program<'a> {
    system: System,
    objective: &'a Row,
    sense: Sense,
    budget: &'a Budget,
}

fn optimize(system: &System, objective: &Row, sense: Sense, budget: &Budget) -> Result<Lp, BudgetSpent> {
    widen(&Program { system: system.closed(), objective, sense, budget })
}

impl Task for Program<'_> {
    type Output = Lp;
    fn run<C: Coefficient>(&self) -> Run<Lp> {
        let mut tableau: Tableau<'_, C> = tableau(&self.system, self.budget)?;
        if tableau.is_empty() {
            return Ok(Lp::Empty);
        }
        Ok(match tableau.optimize(&coefficients(self.objective)?, self.sense)? {
            Optimum::Unbounded => Lp::Unbounded,
            Optimum::At(num, den) => Lp::Optimum(Ratio::new(num.to_int().to_bigint(), den.to_int().to_bigint())),
        })
    }
}

/// For each row, whether `row . x >= 0` at all integer points because `row . x > -1` at all rational ones. The tableau is built once.
///
/// # Errors
/// [`BudgetSpent`].
pub fn implied(system: &System, rows: &[Row], budget: &Budget) -> Result<Vec<bool>, BudgetSpent> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    widen(&Implied { system: system.closed(), rows, budget })
}

struct Implied<'a> {
    system: System,
    rows: &'a [Row],
    budget: &'a Budget,
}

impl Task for Implied<'_> {
    type Output = Vec<bool>;
    fn run<C: Coefficient>(&self) -> Run<Vec<bool>> {
        let mut tableau: Tableau<'_, C> = tableau(&self.system, self.budget)?;
        let mut out = vec![true; self.rows.len()];
        if tableau.is_empty() {
            return Ok(out);
        }
        for (row, implied) in self.rows.iter().zip(&mut out) {
            let mut above = coefficients::<C>(row)?;
            above[0] = above[0].add(&C::one())?;
            *implied = !tableau.reaches_zero(&above, Sense::Min)?;
        }
        Ok(out)
    }
}

/// The tableau of a closed system: equalities first, up to the first contradiction.
pub(crate) fn tableau<'b, C: Coefficient>(system: &System, budget: &'b Budget) -> Run<Tableau<'b, C>> {
    let mut tableau = Tableau::new(system.columns().len() - 1, budget);
    for row in system.eqs() {
        if !tableau.add_eq(&coefficients(row)?)? {
            return Ok(tableau);
        }
    }
    for row in system.ineqs() {
        if !tableau.add_ineq(&coefficients(row)?)? {
            return Ok(tableau);
        }
    }
    Ok(tableau)
}
