//! Which engine answers which question about a system.

use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Int, System};

/// Whether the system has no integer point.
pub(crate) fn is_empty(system: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    budget.spend(1)?;
    if system.is_obviously_universe() {
        return Ok(false);
    }
    unimplemented!("the engines land soon: {system:?}")
}

/// A point (1 first, a value per column), or `None` if there is none.
pub(crate) fn sample(system: &System, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    budget.spend(1)?;
    unimplemented!("the engines land soon: {system:?}")
}

/// An equal union of systems whose divs all are known.
pub(crate) fn with_known_divs(system: &System, budget: &Budget) -> Result<Vec<System>, BudgetSpent> {
    budget.spend(1)?;
    unimplemented!("the engines land soon: {system:?}")
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
    let _ = (system, row);
    Ok(Minimum::Unbounded)
}

/// Whether `row` has no least value over the rational points.
pub(crate) fn is_unbounded_below(system: &System, row: &Row, budget: &Budget) -> Result<bool, BudgetSpent> {
    let _ = (system, row, budget);
 Ok(false)
}
