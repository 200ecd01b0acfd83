//! Parametric integer programming: the lexicographic minimum (or maximum) as a piecewise quasi-affine function of the parameters.
//!
//! Feautrier, "Parametric integer programming" (RAIRO 1988): the dual lexicographic simplex ([`tableau`]) runs on constants that
//! are affine in the parameters. A row whose sign differs within the cell of parameters at hand ([`context`]) splits the cell; a
//! fractional value is cut off by Gomory's cut, whose right-hand side introduces a new integer division of the parameters.
//!
//! ```text
//! lexmin([n] -> { [x, y] : 2x + 3y >= n, x >= 0, y >= 0, x <= 1 })  =  { x = 0, y = ceil(n/3) : n >= 1;  x = y = 0 : n <= 0 }
//! ```
//! Unknowns of any sign are shifted by a big parameter; a minimum that still contains it does not exist.

mod context;
mod tableau;

use super::coefficient::{Coefficient, Run, Task, widen};
use super::redundant::remove_redundant;
use super::sample;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, Div, Int, System};
use context::{Context, Sign, below_zero};
use tableau::{Known, LexTableau, Place, Var};

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
    #[error(
        "the lexicographic optimum does not exist: some dimension is unbounded in its direction"
    )]
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
pub fn lexopt(
    system: &System,
    context: Option<&System>,
    direction: Direction,
    budget: &Budget,
) -> Result<Vec<Piece>, LexError> {
    let Some(problem) = Problem::new(system, context, direction, budget)? else {
        return Ok(Vec::new());
    };
    let cells = widen(&problem)?.map_err(|()| LexError::Unbounded)?;
    cells
        .into_iter()
        .filter_map(|cell| problem.piece(cell).transpose())
        .collect()
}

/// The lexicographic minimum: see [`lexopt`].
///
/// # Errors
/// [`LexError`].
pub fn lexmin(
    system: &System,
    context: Option<&System>,
    budget: &Budget,
) -> Result<Vec<Piece>, LexError> {
    lexopt(system, context, Direction::Min, budget)
}

/// The lexicographic maximum: see [`lexopt`].
///
/// # Errors
/// [`LexError`].
pub fn lexmax(
    system: &System,
    context: Option<&System>,
    budget: &Budget,
) -> Result<Vec<Piece>, LexError> {
    lexopt(system, context, Direction::Max, budget)
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
    let visible = Columns {
        params: columns.first_div() - 1,
        domain: 0,
        range: 0,
        divs: columns.divs,
    };
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

/// What a column of the input becomes.
#[derive(Debug, Clone, Copy)]
enum Role {
    /// A column of the context.
    Param(usize),
    /// An unknown.
    Unknown(usize),
}

/// A row split into its parametric part and its unknowns.
struct Split {
    params: Row,
    unknowns: Vec<Int>,
}

struct Problem<'a> {
    context: System,
    eqs: Vec<Split>,
    ineqs: Vec<Split>,
    unknowns: usize,
    range: usize,
    direction: Direction,
    div_roles: Vec<Role>,
    budget: &'a Budget,
}

impl<'a> Problem<'a> {
    /// `None` if the context or the system is obviously empty.
    fn new(
        system: &System,
        context: Option<&System>,
        direction: Direction,
        budget: &'a Budget,
    ) -> Result<Option<Self>, BudgetSpent> {
        let columns = system.columns();
        let first = 1 + columns.params + columns.domain;
        let mut known = System::universe(Columns {
            range: 0,
            divs: 0,
            ..columns
        });
        if let Some(given) = context {
            debug_assert_eq!(given.columns().first_div(), first);
            debug_assert!(given.divs_known());
            let source: Vec<Option<usize>> = (0..given.columns().len()).map(Some).collect();
            known = given.gather(
                Columns {
                    divs: given.columns().divs,
                    ..known.columns()
                },
                &source,
            );
        }
        let Some(system) = super::redundant::implicit_equalities(system, budget)? else {
            return Ok(None);
        };
        // Divs of parameters alone are parameters; the others are unknowns behind the range.
        let mut roles: Vec<Role> = (0..first).map(Role::Param).collect();
        roles.extend((0..columns.range).map(Role::Unknown));
        let mut unknowns = columns.range;
        for (i, div) in system.divs().iter().enumerate() {
            let parametric = div.as_ref().filter(|d| {
                (first..columns.div(i))
                    .all(|c| d.num.is_zero_at(c) || matches!(roles[c], Role::Param(_)))
            });
            let role = match parametric {
                Some(d) => {
                    let num = parametric_part(&d.num, &roles, known.columns().len());
                    Role::Param(find_or_push_div(
                        &mut known,
                        Div {
                            num,
                            den: d.den.clone(),
                        },
                    ))
                }
                None => {
                    unknowns += 1;
                    Role::Unknown(unknowns - 1)
                }
            };
            roles.push(role);
        }
        let width = known.columns().len();
        let sign = |i: usize| {
            if i < columns.range && direction == Direction::Max {
                Int::MINUS_ONE
            } else {
                Int::ONE
            }
        };
        let split = |row: &Row| {
            let mut coefficients = vec![Int::ZERO; unknowns];
            for (c, role) in roles.iter().enumerate() {
                if let Role::Unknown(i) = *role {
                    coefficients[i] = row.get(c) * sign(i);
                }
            }
            Split {
                params: parametric_part(row, &roles, width),
                unknowns: coefficients,
            }
        };
        let bounds = (0..columns.divs)
            .filter(|&i| matches!(roles[columns.div(i)], Role::Unknown(_)))
            .filter_map(|i| system.div_bounds(i))
            .flatten();
        let ineqs: Vec<Row> = system.ineqs().iter().cloned().chain(bounds).collect();
        let Some(ineqs) = sample::tighten(ineqs) else {
            return Ok(None);
        };
        let (mut eqs, mut rest) = (Vec::new(), Vec::new());
        for row in system.eqs().iter().map(split) {
            if row.unknowns.iter().all(Int::is_zero) {
                known.push_eq(row.params)
            } else {
                eqs.push(row)
            }
        }
        for row in ineqs.iter().map(split) {
            if row.unknowns.iter().all(Int::is_zero) {
                known.push_ineq(row.params)
            } else {
                rest.push(row)
            }
        }
        Ok(Some(Problem {
            context: known,
            eqs,
            ineqs: rest,
            unknowns,
            range: columns.range,
            direction,
            div_roles: roles[columns.first_div()..].to_vec(),
            budget,
        }))
    }

    /// A finished cell as a piece over its own columns: domain simplified, unused divs dropped.
    fn piece(&self, cell: Cell) -> Result<Option<Piece>, LexError> {
        let Some(domain) = remove_redundant(&cell.domain, self.budget)? else {
            return Ok(None);
        };
        let range_value = |row: &Row| {
            if self.direction == Direction::Max {
                row.neg()
            } else {
                row.clone()
            }
        };
        let mut values: Vec<Row> = Vec::with_capacity(self.range);
        for value in &cell.values[..self.range] {
            values.push(range_value(value.as_ref().ok_or(LexError::Unbounded)?));
        }
        let divs: Vec<Option<Row>> = self
            .div_roles
            .iter()
            .map(|role| match *role {
                Role::Unknown(i) => cell.values[i].clone(),
                Role::Param(c) => {
                    let mut row = Row::zero(domain.columns().len());
                    row.set(c, Int::ONE);
                    Some(row)
                }
            })
            .collect();
        let rows = domain
            .eqs()
            .iter()
            .chain(domain.ineqs())
            .chain(&values)
            .chain(divs.iter().flatten());
        let source = used_columns(&domain, rows);
        let columns = Columns {
            divs: source.len() - domain.columns().first_div(),
            ..domain.columns()
        };
        Ok(Some(Piece {
            domain: domain.gather(columns, &source),
            values: values.iter().map(|r| r.gather(&source)).collect(),
            divs: divs
                .iter()
                .map(|r| r.as_ref().map(|r| r.gather(&source)))
                .collect(),
        }))
    }

    /// All constraints over `[1 | params | domain | unknowns | divs of the context]`.
    fn joint(&self, context: &System) -> System {
        let columns = context.columns();
        let first = columns.first_div();
        let all = Columns {
            range: self.unknowns,
            ..columns
        };
        let widened: Vec<Option<usize>> = (0..first)
            .map(Some)
            .chain((0..self.unknowns).map(|_| None))
            .chain((first..columns.len()).map(Some))
            .collect();
        let mut joint = context.gather(all, &widened);
        let join = |row: &Split| {
            let params = row
                .params
                .with_zeros(row.params.len(), columns.len() - row.params.len());
            let mut out = params.gather(&widened);
            row.unknowns
                .iter()
                .enumerate()
                .for_each(|(i, a)| out.set(first + i, a.clone()));
            out
        };
        self.eqs.iter().for_each(|r| joint.push_eq(join(r)));
        self.ineqs.iter().for_each(|r| joint.push_ineq(join(r)));
        joint
    }
}

/// The part of `row` on context columns, `width` wide.
fn parametric_part(row: &Row, roles: &[Role], width: usize) -> Row {
    let mut out = Row::zero(width);
    for (c, role) in roles.iter().enumerate() {
        if let Role::Param(p) = *role {
            out.set(p, row.get(c));
        }
    }
    out
}

/// The column of a div with this definition.
fn find_or_push_div(system: &mut System, div: Div) -> usize {
    match system.divs().iter().position(|d| d.as_ref() == Some(&div)) {
        Some(i) => system.columns().div(i),
        None => system.push_div(Some(div)),
    }
}

/// The columns that the rows use, directly or through definitions of divs (all but divs always count).
fn used_columns<'r>(system: &System, rows: impl Iterator<Item = &'r Row>) -> Vec<Option<usize>> {
    let columns = system.columns();
    let mut used = vec![false; columns.divs];
    let mark = |row: &Row, used: &mut Vec<bool>| {
        for (i, used) in used.iter_mut().enumerate() {
            *used = *used || !row.is_zero_at(columns.div(i));
        }
    };
    rows.for_each(|row| mark(row, &mut used));
    for i in (0..columns.divs).rev() {
        if let (true, Some(div)) = (used[i], &system.divs()[i]) {
            mark(&div.num, &mut used);
        }
    }
    let divs = (0..columns.divs)
        .filter(|&i| used[i])
        .map(|i| columns.div(i));
    (0..columns.first_div()).chain(divs).map(Some).collect()
}

/// A cell of parameters with one solution.
struct Cell {
    domain: System,
    values: Vec<Option<Row>>,
    /// Whether the cell is all of the cell that its last split made.
    whole: bool,
}

impl Cell {
    /// The solution without the divs that it does not use.
    fn essence(&self) -> (Vec<Option<Row>>, Vec<Option<Div>>) {
        let source = used_columns(&self.domain, self.values.iter().flatten());
        let values = self
            .values
            .iter()
            .map(|v| v.as_ref().map(|v| v.gather(&source)))
            .collect();
        let columns = Columns {
            divs: source.len() - self.domain.columns().first_div(),
            ..self.domain.columns()
        };
        let bare = self
            .domain
            .with_rows(Vec::new(), Vec::new())
            .gather(columns, &source);
        (values, bare.divs().to_vec())
    }

    /// Whether both cells have the same values of the first `range` unknowns; if so, what differs behind them is forgotten.
    fn agrees(&mut self, other: &Cell, range: usize) -> bool {
        if self.essence() == other.essence() {
            return true;
        }
        let mut mine = Cell {
            values: self.values[..range].to_vec(),
            domain: self.domain.clone(),
            whole: self.whole,
        };
        let theirs = Cell {
            values: other.values[..range].to_vec(),
            domain: other.domain.clone(),
            whole: other.whole,
        };
        if mine.essence() != theirs.essence() {
            return false;
        }
        mine.values.resize(self.values.len(), None);
        *self = mine;
        true
    }

    /// This solution on another domain over the same parameters.
    fn on(self, mut domain: System, whole: bool) -> Cell {
        let (values, divs) = self.essence();
        let first = domain.columns().first_div();
        let mut place: Vec<usize> = (0..first).collect();
        let moved = |row: &Row, place: &[usize], width: usize| {
            let mut out = Row::zero(width);
            place
                .iter()
                .enumerate()
                .for_each(|(i, &c)| out.set(c, row.get(i)));
            out
        };
        for div in divs.into_iter().flatten() {
            let num = moved(&div.num, &place, domain.columns().len());
            place.push(find_or_push_div(&mut domain, Div { num, den: div.den }));
        }
        let width = domain.columns().len();
        Cell {
            values: values
                .iter()
                .map(|v| v.as_ref().map(|v| moved(v, &place, width)))
                .collect(),
            domain,
            whole,
        }
    }
}

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
    Split {
        negative: Box<State<'b, C>>,
        other: Box<State<'b, C>>,
        parent: System,
        whole: bool,
    },
}

const CUTS_BEFORE_DOUBT: usize = 24;

impl Task for Problem<'_> {
    /// The cells, or `Err` if one of them has no optimum.
    type Output = Result<Vec<Cell>, ()>;

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
                    Outcome::Solved(cell) => {
                        if cell.values[..self.range].iter().any(Option::is_none) {
                            return Ok(Err(()));
                        }
                        cells.push(cell);
                    }
                    Outcome::Split {
                        negative,
                        other,
                        parent,
                        whole,
                    } => {
                        todo.push(Todo::Merge {
                            start: cells.len(),
                            parent,
                            whole,
                        });
                        todo.push(Todo::Solve(negative));
                        todo.push(Todo::Solve(other));
                    }
                },
                Todo::Merge {
                    start,
                    parent,
                    whole,
                } => {
                    if let [a, b] = &mut cells[start..] {
                        if a.whole && b.whole && a.agrees(b, self.range) {
                            cells.truncate(start + 1);
                            let merged = cells.pop().map(|cell| cell.on(parent, whole));
                            cells.extend(merged);
                            continue;
                        }
                    }
                    cells[start..]
                        .iter_mut()
                        .for_each(|cell| cell.whole = false);
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
            if let Some(rest) = tableau.push_eq(&row.params, &row.unknowns)? {
                if !context.restrict(&rest)? || !context.restrict(&rest.neg())? {
                    return Ok(None);
                }
            }
        }
        for row in &self.ineqs {
            tableau.push(&row.params, &row.unknowns, Var::Slack)?;
        }
        Ok(Some(State {
            context,
            tableau,
            whole: true,
            cuts: 0,
        }))
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
        let values = (0..self.unknowns)
            .map(|i| state.tableau.solution(i))
            .collect();
        Cell {
            domain: state.context.system,
            values,
            whole: state.whole,
        }
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
    for r in (0..rows)
        .filter(|&r| tableau.is_open(r))
        .collect::<Vec<_>>()
    {
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
    Ok(Outcome::Split {
        negative: Box::new(negative),
        other: Box::new(state),
        parent,
        whole,
    })
}

/// The first unknown's row whose value is not integral.
fn fractional<C: Coefficient>(tableau: &LexTableau<'_, C>) -> Option<usize> {
    (0..tableau.unknowns()).find_map(|i| match tableau.place(i) {
        Place::Row(r) if !tableau.is_integral(r) => Some(r),
        _ => None,
    })
}

#[cfg(test)]
mod tests;
