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

/// A point (1 first, a value per column) of the system as it stands, without changing its columns first.
pub(crate) fn sample_columns(system: &System, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    sample(system, budget)
}
