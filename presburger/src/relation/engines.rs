//! Which engine answers which question about a system.

use super::project::simplified;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Int, System, solve};

/// Whether the system has no integer point.
pub(crate) fn is_empty(system: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    budget.spend(1)?;
    if system.is_obviously_universe() {
        return Ok(false);
    }
    solve::sample::is_empty(system, budget)
}

/// A point (1 first, a value per column), or `None` if there is none.
pub(crate) fn sample(system: &System, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    budget.spend(1)?;
    solve::sample::sample(system, budget)
}

/// An equal union of systems whose divs all are known.
pub(crate) fn with_known_divs(system: &System, budget: &Budget) -> Result<Vec<System>, BudgetSpent> {
    let all = solve::omega::with_known_divs(system, budget)?;
    Ok(all.into_iter().filter_map(simplified).collect())
}

/// The least value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Minimum {
    /// There is no point.
    Empty,
    /// There is no least value.
    Unbounded,
    /// The least value.
    At(Int),
}

/// The least value of `row` over the integer points.
pub(crate) fn minimum(system: &System, row: &Row, budget: &Budget) -> Result<Minimum, BudgetSpent> {
    budget.spend(1)?;
    Ok(match solve::sample::minimize_integer(system, row, budget)? {
        solve::sample::IntOptimum::Empty => Minimum::Empty,
        solve::sample::IntOptimum::Unbounded => Minimum::Unbounded,
        solve::sample::IntOptimum::At(v) => Minimum::At(v),
    })
}

/// Whether `row` has no least value over the rational points.
pub(crate) fn is_unbounded_below(system: &System, row: &Row, budget: &Budget) -> Result<bool, BudgetSpent> {
    Ok(matches!(solve::simplex::minimize(system, row, budget)?, solve::simplex::Lp::Unbounded))
}

/// A bound below which `row` has no value on the integer points (by a linear program), or `None` if there is none.
/// `Minimum::At(v)` says `row >= v`; the bound may not be attained.
pub(crate) fn lower_bound(system: &System, row: &Row, budget: &Budget) -> Result<Minimum, BudgetSpent> {
    budget.spend(1)?;
    Ok(match solve::simplex::minimize(system, row, budget)? {
        solve::simplex::Lp::Empty => Minimum::Empty,
        solve::simplex::Lp::Unbounded => Minimum::Unbounded,
        solve::simplex::Lp::Optimum(v) => Minimum::At(Int::from(v.ceil().to_integer())),
    })
}

/// Whether a linear program shows that there is no integer point.
pub(crate) fn is_rationally_empty(system: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    budget.spend(1)?;
    solve::simplex::is_rationally_empty(system, budget)
}

/// For each row whether `row >= 0` on all points, as far as linear programs can tell.
pub(crate) fn implied(system: &System, rows: &[Row], budget: &Budget) -> Result<Vec<bool>, BudgetSpent> {
    budget.spend(1)?;
    solve::simplex::implied(system, rows, budget)
}
