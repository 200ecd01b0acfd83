//! The kernel's value: a conjunction of affine constraints over integer columns, without names.
//!
//! A system has columns `[1 | params | domain | range | divs]`. An equality row `r` says `r . x = 0`, an inequality row `r . x >= 0`,
//! where `x` has 1 in column 0. The columns behind the tuples are existentially quantified integers ("divs"). A div with a
//! definition `(num, den)` is `floor(num . x / den)`; its two bounding inequalities are implied by the definition and need not be
//! among the rows. A div without one is an unknown existential.
//!
//! All engines take systems, so they can be swapped and compared with each other.

mod columns;
pub(crate) mod normalize;

pub use columns::Columns;

use crate::Int;
use crate::linalg::Row;

/// The definition `floor(num . x / den)` of a div.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Div {
    /// The numerator over all columns; zero in the div's own column and in those of later divs.
    pub num: Row,
    /// The denominator, at least 1.
    pub den: Int,
}

/// Equality or inequality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowKind {
    /// `row . x = 0`
    Eq,
    /// `row . x >= 0`
    Ineq,
}

/// A conjunction of affine constraints.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct System {
    columns: Columns,
    // Invariant: `divs.len() == columns.divs`, every row has `columns.len()` elements,
    // a known div refers only to earlier columns.
    divs: Vec<Option<Div>>,
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

impl System {
    /// No constraint.
    pub fn universe(columns: Columns) -> System {
        System { divs: vec![None; columns.divs], columns, eqs: Vec::new(), ineqs: Vec::new() }
    }

    /// The contradiction `-1 >= 0`, without divs.
    pub fn contradiction(columns: Columns) -> System {
        let mut system = System::universe(Columns { divs: 0, ..columns });
        let mut row = Row::zero(system.columns.len());
        row.set(0, Int::MINUS_ONE);
        system.ineqs.push(row);
        system
    }

    /// The column layout.
    pub fn columns(&self) -> Columns {
        self.columns
    }

    /// The equality rows.
    pub fn eqs(&self) -> &[Row] {
        &self.eqs
    }

    /// The inequality rows.
    pub fn ineqs(&self) -> &[Row] {
        &self.ineqs
    }

    /// The definitions of the divs, `None` where unknown.
    pub fn divs(&self) -> &[Option<Div>] {
        &self.divs
    }

    /// Adds `row . x = 0`.
    pub fn push_eq(&mut self, row: Row) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.eqs.push(row);
    }

    /// Adds `row . x >= 0`.
    pub fn push_ineq(&mut self, row: Row) {
        debug_assert_eq!(row.len(), self.columns.len());
        self.ineqs.push(row);
    }

    /// Adds a row of either kind.
    pub fn push(&mut self, kind: RowKind, row: Row) {
        match kind {
            RowKind::Eq => self.push_eq(row),
            RowKind::Ineq => self.push_ineq(row),
        }
    }

    /// Replaces the rows, keeping columns and divs.
    pub fn with_rows(&self, eqs: Vec<Row>, ineqs: Vec<Row>) -> System {
        debug_assert!(eqs.iter().chain(&ineqs).all(|r| r.len() == self.columns.len()));
        System { columns: self.columns, divs: self.divs.clone(), eqs, ineqs }
    }

    /// Appends a div column and returns that column. A definition's numerator may be shorter than the columns; the rest is 0.
    pub fn push_div(&mut self, definition: Option<Div>) -> usize {
        let col = self.columns.len();
        for row in self.eqs.iter_mut().chain(self.ineqs.iter_mut()) {
            *row = row.with_zeros(col, 1);
        }
        for div in self.divs.iter_mut().flatten() {
            div.num = div.num.with_zeros(col, 1);
        }
        self.columns.divs += 1;
        self.divs.push(definition.map(|d| {
            let width = d.num.len();
            Div { num: d.num.with_zeros(width, self.columns.len() - width), den: d.den }
        }));
        col
    }

    /// Gives div `index` a definition (or takes it away).
    pub fn set_div(&mut self, index: usize, definition: Option<Div>) {
        self.divs[index] = definition;
    }

    /// The same constraints over other columns: new column `i` is old column `source[i]`, or a fresh unconstrained one.
    /// Every old column that some row or definition uses must be among the sources. A div that moves to a dimension's column loses
    /// its definition (use [`System::closed`] before, where it must stay constrained); a dimension that moves to a div's column
    /// becomes an unknown existential. Definitions may refer to later columns until [`System::normalized`] sorts them.
    pub fn gather(&self, columns: Columns, source: &[Option<usize>]) -> System {
        debug_assert_eq!(columns.len(), source.len());
        let first_div = self.columns.len() - self.columns.divs;
        let divs = source[columns.len() - columns.divs..]
            .iter()
            .map(|s| {
                let old = (*s)?.checked_sub(first_div)?;
                self.divs[old].as_ref().map(|d| Div { num: d.num.gather(source), den: d.den.clone() })
            })
            .collect();
        System {
            columns,
            divs,
            eqs: self.eqs.iter().map(|r| r.gather(source)).collect(),
            ineqs: self.ineqs.iter().map(|r| r.gather(source)).collect(),
        }
    }

    /// The two inequalities `den*q <= num . x <= den*q + den - 1` that define div `index`, if it is known.
    pub fn div_bounds(&self, index: usize) -> Option<[Row; 2]> {
        let div = self.divs[index].as_ref()?;
        let col = self.columns.div(index);
        let mut lower = div.num.clone();
        lower.add_at(col, &-&div.den);
        let mut upper = lower.neg();
        upper.add_at(0, &(&div.den - Int::ONE));
        Some([lower, upper])
    }

    /// The rows with the defining inequalities of all known divs added: what an engine needs that treats every column alike.
    pub fn closed(&self) -> System {
        let mut out = self.clone();
        for i in 0..self.divs.len() {
            if let Some([lower, upper]) = self.div_bounds(i) {
                out.ineqs.push(lower);
                out.ineqs.push(upper);
            }
        }
        out
    }

    /// Whether every div has a definition.
    pub fn divs_known(&self) -> bool {
        self.divs.iter().all(Option::is_some)
    }

    /// Whether there are no constraints at all (known divs constrain nothing but themselves).
    pub fn is_obviously_universe(&self) -> bool {
        self.eqs.is_empty() && self.ineqs.is_empty()
    }

    /// Whether `point` (1 first, then a value for every column, divs included) satisfies all rows and definitions.
    pub fn contains(&self, point: &[Int]) -> bool {
        self.eqs.iter().all(|r| r.dot(point).is_zero())
            && self.ineqs.iter().all(|r| !r.dot(point).is_negative())
            && self.divs.iter().enumerate().all(|(i, d)| match d {
                Some(d) => d.num.dot(point).div_floor(&d.den) == point[self.columns.div(i)],
                None => true,
            })
    }

    /// Checks the written invariants (in debug builds, after construction of results).
    pub fn check_invariants(&self) {
        let n = self.columns.len();
        assert_eq!(self.divs.len(), self.columns.divs);
        assert!(self.eqs.iter().chain(&self.ineqs).all(|r| r.len() == n));
        for (i, d) in self.divs.iter().enumerate() {
            if let Some(d) = d {
                assert!(d.num.len() == n && d.den.is_positive());
                assert!(d.num.is_zero_in(self.columns.div(i)..n), "div {i} refers to itself or to a later one");
            }
        }
    }
}
