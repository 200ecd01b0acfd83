//! A system as a parametric problem: which columns are parameters, which unknowns, and the way back.

use super::cell::{Cell, find_or_push_div, used_columns};
use super::run::Failure;
use super::{Direction, LexError, Piece};
use crate::linalg::Row;
use crate::solve::coefficient::widen;
use crate::solve::redundant::{implicit_equalities, remove_redundant};
use crate::solve::sample;
use crate::{Budget, BudgetSpent, Columns, Div, Int, System};

/// What a column of the input becomes.
#[derive(Debug, Clone, Copy)]
enum Role {
    /// A column of the context.
    Param(usize),
    /// An unknown.
    Unknown(usize),
}

/// A row split into its parametric part and its unknowns.
pub(super) struct Split {
    pub(super) params: Row,
    pub(super) unknowns: Vec<Int>,
}

pub(super) struct Problem<'a> {
    pub(super) context: System,
    pub(super) eqs: Vec<Split>,
    pub(super) ineqs: Vec<Split>,
    pub(super) unknowns: usize,
    pub(super) range: usize,
    /// The cuts after which a cell is given up.
    pub(super) patience: usize,
    direction: Direction,
    div_roles: Vec<Role>,
    pub(super) budget: &'a Budget,
}

impl<'a> Problem<'a> {
    /// `None` if the context or the system is obviously empty.
    pub(super) fn new(
        system: &System,
        context: Option<&System>,
        direction: Direction,
        budget: &'a Budget,
    ) -> Result<Option<Self>, BudgetSpent> {
        let columns = system.columns();
        let first = 1 + columns.params + columns.domain;
        let mut known = System::universe(Columns { range: 0, divs: 0, ..columns });
        if let Some(given) = context {
            debug_assert_eq!(given.columns().first_div(), first);
            debug_assert!(given.divs_known());
            let source: Vec<Option<usize>> = (0..given.columns().len()).map(Some).collect();
            known = given.gather(Columns { divs: given.columns().divs, ..known.columns() }, &source);
        }
        let Some(system) = implicit_equalities(system, budget)? else {
            return Ok(None);
        };
        // Divs of parameters alone are parameters; the others are unknowns behind the range.
        let mut roles: Vec<Role> = (0..first).map(Role::Param).collect();
        roles.extend((0..columns.range).map(Role::Unknown));
        let mut unknowns = columns.range;
        for (i, div) in system.divs().iter().enumerate() {
            let parametric = div
                .as_ref()
                .filter(|d| (first..columns.div(i)).all(|c| d.num.is_zero_at(c) || matches!(roles[c], Role::Param(_))));
            let role = match parametric {
                Some(d) => {
                    let num = parametric_part(&d.num, &roles, known.columns().len());
                    Role::Param(find_or_push_div(&mut known, Div { num, den: d.den.clone() }))
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
            if i < columns.range && direction == Direction::Max { Int::MINUS_ONE } else { Int::ONE }
        };
        let split = |row: &Row| {
            let mut coefficients = vec![Int::ZERO; unknowns];
            for (c, role) in roles.iter().enumerate() {
                if let Role::Unknown(i) = *role {
                    coefficients[i] = row.get(c) * sign(i);
                }
            }
            Split { params: parametric_part(row, &roles, width), unknowns: coefficients }
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
            if row.unknowns.iter().all(Int::is_zero) { known.push_eq(row.params) } else { eqs.push(row) }
        }
        for row in ineqs.iter().map(split) {
            if row.unknowns.iter().all(Int::is_zero) { known.push_ineq(row.params) } else { rest.push(row) }
        }
        Ok(Some(Problem {
            context: known,
            eqs,
            ineqs: rest,
            unknowns,
            range: columns.range,
            patience: usize::MAX,
            direction,
            div_roles: roles[columns.first_div()..].to_vec(),
            budget,
        }))
    }

    /// The pieces of the optimum, or `None` where patience ended.
    pub(super) fn pieces(&self) -> Result<Option<Vec<Piece>>, LexError> {
        match widen(self)? {
            Ok(cells) => cells.into_iter().filter_map(|cell| self.piece(cell).transpose()).collect::<Result<_, _>>().map(Some),
            Err(Failure::Unbounded) => Err(LexError::Unbounded),
            Err(Failure::Entangled) => Ok(None),
        }
    }

    /// A finished cell as a piece over its own columns: domain simplified, unused divs dropped.
    pub(super) fn piece(&self, cell: Cell) -> Result<Option<Piece>, LexError> {
        let Some(domain) = remove_redundant(&cell.domain, self.budget)? else {
            return Ok(None);
        };
        let range_value = |row: &Row| {
            if self.direction == Direction::Max { row.neg() } else { row.clone() }
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
        let rows = domain.eqs().iter().chain(domain.ineqs()).chain(&values).chain(divs.iter().flatten());
        let source = used_columns(&domain, rows);
        let columns = Columns { divs: source.len() - domain.columns().first_div(), ..domain.columns() };
        Ok(Some(Piece {
            domain: domain.gather(columns, &source),
            values: values.iter().map(|r| r.gather(&source)).collect(),
            divs: divs.iter().map(|r| r.as_ref().map(|r| r.gather(&source))).collect(),
        }))
    }

    /// All constraints over `[1 | params | domain | unknowns | divs of the context]`.
    pub(super) fn joint(&self, context: &System) -> System {
        let columns = context.columns();
        let first = columns.first_div();
        let all = Columns { range: self.unknowns, ..columns };
        let widened: Vec<Option<usize>> =
            (0..first).map(Some).chain((0..self.unknowns).map(|_| None)).chain((first..columns.len()).map(Some)).collect();
        let mut joint = context.gather(all, &widened);
        let join = |row: &Split| {
            let params = row.params.with_zeros(row.params.len(), columns.len() - row.params.len());
            let mut out = params.gather(&widened);
            row.unknowns.iter().enumerate().for_each(|(i, a)| out.set(first + i, a.clone()));
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
