//! Parametric integer programming: the lexicographic minimum (or maximum) as a piecewise quasi-affine function of the parameters.
//!
//! Feautrier, "Parametric integer programming" (RAIRO 1988): the dual lexicographic simplex (`tableau`) runs on constants that
//! are affine in the parameters. A row whose sign differs within the cell of parameters at hand (`context`) splits the cell; a
//! fractional value is cut off by Gomory's cut, whose right-hand side introduces a new integer division of the parameters.
//!
//! ```text
//! lexmin([n] -> { [x, y] : 2x + 3y >= n, x >= 0, y >= 0, x <= 1 })  =  { x = 0, y = ceil(n/3) : n >= 1;  x = y = 0 : n <= 0 }
//! ```
//! Unknowns of any sign are shifted by a big parameter; a minimum that still contains it does not exist.

mod cell;
mod context;
mod problem;
mod run;
mod tableau;
#[cfg(test)]
mod tests;

use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, System};
use problem::Problem;

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The lexicographic minimum.
    Min,
    /// The lexicographic maximum.
    Max,
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LexError {
    /// The budget is spent.
    #[error(transparent)]
    Spent(#[from] BudgetSpent),
    /// For some parameters there are points but no optimum.
    #[error("the lexicographic optimum does not exist: some dimension is unbounded in its direction")]
    Unbounded,
}

/// One piece of a lexicographic optimum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Where the piece holds: columns `[1 | params | domain | divs]`, all divs known. Not empty; the pieces are disjoint.
    pub domain: System,
    /// The value of each range column, over the columns of `domain`.
    pub values: Vec<Row>,
    /// A value of each div column of the system such that the optimum is attained, over the columns of `domain`: the smallest, in
    /// order. `None` if the div has no smallest value, or no single expression on the whole piece.
    pub divs: Vec<Option<Row>>,
}

/// The lexicographically smallest (or largest) values of the range columns, as a function of parameters and domain columns. Divs
/// are existentially quantified. Where no piece holds, the system has no point (or the context does not hold).
///
/// `context`, if given, is over `[1 | params | domain | divs]` (or the same number of range columns), all divs known.
///
/// # Errors
/// [`LexError`].
pub fn lexopt(system: &System, context: Option<&System>, direction: Direction, budget: &Budget) -> Result<Vec<Piece>, LexError> {
    let Some(problem) = Problem::new(system, context, direction, budget)? else {
        return Ok(Vec::new());
    };
    problem.pieces()?.ok_or(LexError::Unbounded)
}

/// [`lexopt`] without a context, or `None` if some cell of parameters needs more than `patience` cuts.
///
/// # Errors
/// [`LexError`].
pub(crate) fn lexopt_patiently(
    system: &System,
    direction: Direction,
    patience: usize,
    budget: &Budget,
) -> Result<Option<Vec<Piece>>, LexError> {
    let Some(mut problem) = Problem::new(system, None, direction, budget)? else {
        return Ok(Some(Vec::new()));
    };
    problem.patience = patience;
    problem.pieces()
}

/// The lexicographic minimum: see [`lexopt`].
///
/// # Errors
/// [`LexError`].
pub fn lexmin(system: &System, context: Option<&System>, budget: &Budget) -> Result<Vec<Piece>, LexError> {
    lexopt(system, context, Direction::Min, budget)
}

/// A union equal to the system in which every div is known: `{ x : exists unknown divs }`, in disjoint systems.
///
/// ```
/// use loopwright_presburger::{Budget, Columns, System, linalg::Row, solve::lexmin::with_known_divs};
/// let mut s = System::universe(Columns { range: 1, divs: 1, ..Columns::default() });
/// s.push_eq(Row::from_slice(&[0, 1, -3])); // x = 3e
/// let known = with_known_divs(&s, &Budget::UNLIMITED)?;
/// assert!(known.len() == 1 && known[0].divs_known());
/// # Ok::<(), loopwright_presburger::BudgetSpent>(())
/// ```
/// # Errors
/// [`BudgetSpent`].
pub fn with_known_divs(system: &System, budget: &Budget) -> Result<Vec<System>, BudgetSpent> {
    if system.divs_known() {
        return Ok(vec![system.clone()]);
    }
    let columns = system.columns();
    let visible = Columns { params: columns.first_div() - 1, domain: 0, range: 0, divs: columns.divs };
    let same: Vec<Option<usize>> = (0..columns.len()).map(Some).collect();
    let pieces = match lexmin(&system.gather(visible, &same), None, budget) {
        Ok(pieces) => pieces,
        Err(LexError::Spent(spent)) => return Err(spent),
        Err(LexError::Unbounded) => unreachable!("without range columns nothing can be unbounded"),
    };
    let back = |piece: Piece| {
        let divs = piece.domain.columns().divs;
        let same: Vec<Option<usize>> = (0..piece.domain.columns().len()).map(Some).collect();
        piece.domain.gather(Columns { divs, ..columns }, &same)
    };
    Ok(pieces.into_iter().map(back).collect())
}
