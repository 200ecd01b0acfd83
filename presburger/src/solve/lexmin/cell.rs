//! Finished cells: a domain of parameters with one solution, and which cells may be one.

use crate::linalg::Row;
use crate::{Columns, Div, System};

/// A cell of parameters with one solution.
pub(super) struct Cell {
    pub(super) domain: System,
    pub(super) values: Vec<Option<Row>>,
    /// Whether the cell is all of the cell that its last split made.
    pub(super) whole: bool,
}

impl Cell {
    /// The solution without the divs that it does not use.
    fn essence(&self) -> (Vec<Option<Row>>, Vec<Option<Div>>) {
        let source = used_columns(&self.domain, self.values.iter().flatten());
        let values = self.values.iter().map(|v| v.as_ref().map(|v| v.gather(&source))).collect();
        let columns = Columns { divs: source.len() - self.domain.columns().first_div(), ..self.domain.columns() };
        let bare = self.domain.with_rows(Vec::new(), Vec::new()).gather(columns, &source);
        (values, bare.divs().to_vec())
    }

    /// Whether both cells have the same values of the first `range` unknowns; if so, what differs behind them is forgotten.
    pub(super) fn agrees(&mut self, other: &Cell, range: usize) -> bool {
        if self.essence() == other.essence() {
            return true;
        }
        let mut mine = Cell { values: self.values[..range].to_vec(), domain: self.domain.clone(), whole: self.whole };
        let theirs = Cell { values: other.values[..range].to_vec(), domain: other.domain.clone(), whole: other.whole };
        if mine.essence() != theirs.essence() {
            return false;
        }
        mine.values.resize(self.values.len(), None);
        *self = mine;
        true
    }

    /// This solution on another domain over the same parameters.
    pub(super) fn on(self, mut domain: System, whole: bool) -> Cell {
        let (values, divs) = self.essence();
        let first = domain.columns().first_div();
        let mut place: Vec<usize> = (0..first).collect();
        let moved = |row: &Row, place: &[usize], width: usize| {
            let mut out = Row::zero(width);
            place.iter().enumerate().for_each(|(i, &c)| out.set(c, row.get(i)));
            out
        };
        for div in divs.into_iter().flatten() {
            let num = moved(&div.num, &place, domain.columns().len());
            place.push(find_or_push_div(&mut domain, Div { num, den: div.den }));
        }
        let width = domain.columns().len();
        Cell { values: values.iter().map(|v| v.as_ref().map(|v| moved(v, &place, width))).collect(), domain, whole }
    }
}

/// The column of a div with this definition.
pub(super) fn find_or_push_div(system: &mut System, div: Div) -> usize {
    match system.divs().iter().position(|d| d.as_ref() == Some(&div)) {
        Some(i) => system.columns().div(i),
        None => system.push_div(Some(div)),
    }
}

/// The columns that the rows use, directly or through definitions of divs (all but divs always count).
pub(super) fn used_columns<'r>(system: &System, rows: impl Iterator<Item = &'r Row>) -> Vec<Option<usize>> {
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
    let divs = (0..columns.divs).filter(|&i| used[i]).map(|i| columns.div(i));
    (0..columns.first_div()).chain(divs).map(Some).collect()
}
