//! Single affine constraints: building relations from code, and reading them back.
//!
//! ```
//! use loopwright_presburger::{Constraint, Dim, Set, Space, Tuple};
//! // [n] -> { S[i, j] : 0 <= i < n and j = 2i }
//! let space = Space::set(&["n"], Tuple::named("S", &["i", "j"]));
//! let set = Set::from_constraints(
//!     space.clone(),
//!     &[
//!         Constraint::ge(&space, 0, &[(Dim::SET, 0, 1)]),
//!         Constraint::ge_named(&space, -1, &[("n", 1), ("i", -1)]),
//!         Constraint::eq_named(&space, 0, &[("j", 1), ("i", -2)]),
//!     ],
//! );
//! let constraints = set.basics().next().unwrap().constraints();
//! assert!(constraints.iter().any(|c| c.is_equality() && c.involves(Dim::SET, 1, 1)));
//! ```

use super::{BasicRelation, Kind, Relation};
use crate::linalg::Row;
use crate::system::{Div, RowKind};
use crate::{Columns, Dim, Int, Space, System};
use std::marker::PhantomData;
use std::sync::Arc;

/// An affine constraint `a . x + c = 0` or `a . x + c >= 0` in a space, possibly over integer divisions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Constraint {
    space: Space,
    kind: RowKind,
    row: Row,
    // Divs behind the space's columns.
    divs: Arc<[Option<Div>]>,
}

impl Constraint {
    #[track_caller]
    fn new(space: &Space, kind: RowKind, constant: i64, coefficients: &[(Dim, usize, i64)]) -> Constraint {
        let columns = Columns::of(space);
        let mut row = Row::zero(columns.len());
        row.set(0, Int::from(constant));
        for &(dim, pos, c) in coefficients {
            super::dims::check_range(space, dim, pos, 1);
            row.add_at(columns.dims(dim).start + pos, &Int::from(c));
        }
        Constraint { space: space.clone(), kind, row, divs: Arc::from([]) }
    }

    #[track_caller]
    fn named(space: &Space, kind: RowKind, constant: i64, coefficients: &[(&str, i64)]) -> Constraint {
        let coefficients: Vec<(Dim, usize, i64)> = coefficients
            .iter()
            .map(|&(name, c)| match find_dim(space, name) {
                Some((dim, pos)) => (dim, pos, c),
                None => panic!("{space} has no dimension called {name}"),
            })
            .collect();
        Constraint::new(space, kind, constant, &coefficients)
    }

    /// `sum c * x[kind][pos] + constant = 0`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn eq(space: &Space, constant: i64, coefficients: &[(Dim, usize, i64)]) -> Constraint {
        Constraint::new(space, RowKind::Eq, constant, coefficients)
    }

    /// `sum c * x[kind][pos] + constant >= 0`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn ge(space: &Space, constant: i64, coefficients: &[(Dim, usize, i64)]) -> Constraint {
        Constraint::new(space, RowKind::Ineq, constant, coefficients)
    }

    /// `sum c * name + constant = 0`, with names of parameters or labels of tuple dimensions.
    ///
    /// # Panics
    /// If a name does not exist.
    #[track_caller]
    pub fn eq_named(space: &Space, constant: i64, coefficients: &[(&str, i64)]) -> Constraint {
        Constraint::named(space, RowKind::Eq, constant, coefficients)
    }

    /// `sum c * name + constant >= 0`, with names of parameters or labels of tuple dimensions.
    ///
    /// # Panics
    /// If a name does not exist.
    #[track_caller]
    pub fn ge_named(space: &Space, constant: i64, coefficients: &[(&str, i64)]) -> Constraint {
        Constraint::named(space, RowKind::Ineq, constant, coefficients)
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Equality or inequality.
    pub fn kind(&self) -> RowKind {
        self.kind
    }

    /// Whether it is an equality.
    pub fn is_equality(&self) -> bool {
        self.kind == RowKind::Eq
    }

    /// The constant term.
    pub fn constant(&self) -> Int {
        self.row.get(0)
    }

    /// The coefficient of a dimension.
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn coefficient(&self, kind: Dim, pos: usize) -> Int {
        super::dims::check_range(&self.space, kind, pos, 1);
        self.row.get(Columns::of(&self.space).dims(kind).start + pos)
    }

    /// The coefficient of division `i`.
    pub fn div_coefficient(&self, i: usize) -> Int {
        self.row.get(Columns::of(&self.space).first_div() + i)
    }

    /// The divisions that the row is over; `None` for an existential without definition.
    pub fn divs(&self) -> &[Option<Div>] {
        &self.divs
    }

    /// The coefficients over `[1 | params | in | out | divs]`.
    pub fn row(&self) -> &Row {
        &self.row
    }

    /// Whether a dimension among `first .. first + n` has a coefficient or occurs in a division that has one.
    ///
    /// # Panics
    /// If the dimensions do not exist.
    #[track_caller]
    pub fn involves(&self, kind: Dim, first: usize, n: usize) -> bool {
        super::dims::check_range(&self.space, kind, first, n);
        let columns = Columns::of(&self.space);
        let range = columns.dims(kind).start + first..columns.dims(kind).start + first + n;
        let mut used: Vec<bool> = (0..self.divs.len()).map(|i| !self.row.is_zero_at(columns.div(i))).collect();
        for i in (0..self.divs.len()).rev() {
            if let (true, Some(div)) = (used[i], &self.divs[i]) {
                if !div.num.is_zero_in(range.clone()) {
                    return true;
                }
                (0..i).for_each(|j| used[j] |= !div.num.is_zero_at(columns.div(j)));
            }
        }
        !self.row.is_zero_in(range)
    }

    /// Whether a division or existential has a coefficient.
    pub fn involves_divs(&self) -> bool {
        !self.row.is_zero_in(Columns::of(&self.space).first_div()..self.row.len())
    }

    // The constraint as a system of its own.
    fn to_system(&self) -> System {
        let mut system = System::universe(Columns::of(&self.space).with_divs(self.divs.len()));
        for (i, div) in self.divs.iter().enumerate() {
            system.set_div(i, div.clone());
        }
        system.push(self.kind, self.row.clone());
        system
    }
}

/// The dimension called `name`: a parameter, or a labelled tuple dimension (range before domain).
pub(crate) fn find_dim(space: &Space, name: &str) -> Option<(Dim, usize)> {
    space
        .param_position(name)
        .map(|p| (Dim::Param, p))
        .or_else(|| space.range_tuple().and_then(|t| t.position(name)).map(|p| (Dim::Out, p)))
        .or_else(|| space.domain_tuple().and_then(|t| t.position(name)).map(|p| (Dim::In, p)))
}

impl<K: Kind> BasicRelation<K> {
    /// The constraints of the conjunction. Definitions of divisions are with each constraint, not constraints themselves.
    pub fn constraints(&self) -> Vec<Constraint> {
        let divs: Arc<[Option<Div>]> = self.system.divs().to_vec().into();
        let make = |kind, row: &Row| Constraint { space: self.space.clone(), kind, row: row.clone(), divs: divs.clone() };
        let eqs = self.system.eqs().iter().map(|r| make(RowKind::Eq, r));
        eqs.chain(self.system.ineqs().iter().map(|r| make(RowKind::Ineq, r))).collect()
    }

    /// The relation of this one piece.
    pub fn to_relation(&self) -> Relation<K> {
        match super::project::simplified((*self.system).clone()) {
            Some(system) => Relation::from_pieces(self.space.clone(), vec![Arc::new(system)]),
            None => Relation::empty(self.space.clone()),
        }
    }

    /// The conjunction of constraints in a space.
    ///
    /// # Panics
    /// If a constraint lives in another space.
    #[track_caller]
    pub fn from_constraints(space: Space, constraints: &[Constraint]) -> BasicRelation<K> {
        let mut system = System::universe(Columns::of(&space));
        for c in constraints {
            c.check_space(&space);
            system = super::embed::conjoin(&system, &c.to_system());
        }
        let system = super::project::simplified(system).unwrap_or_else(|| System::contradiction(Columns::of(&space)));
        BasicRelation { space, system: Arc::new(system), kind: PhantomData }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        self.to_relation().is_empty()
    }
}

impl<K: Kind> From<BasicRelation<K>> for Relation<K> {
    fn from(basic: BasicRelation<K>) -> Relation<K> {
        basic.to_relation()
    }
}

impl Constraint {
    #[track_caller]
    fn check_space(&self, space: &Space) {
        if let Err(mismatch) = self.space.check_same(space) {
            panic!("{mismatch}");
        }
        assert!(self.space.param_ids() == space.param_ids(), "parameters differ in {} and {space}", self.space);
    }
}

impl<K: Kind> Relation<K> {
    /// `{ x : all constraints hold }`
    ///
    /// # Panics
    /// If a constraint lives in another space.
    #[track_caller]
    pub fn from_constraints(space: Space, constraints: &[Constraint]) -> Relation<K> {
        BasicRelation::from_constraints(space, constraints).to_relation()
    }

    /// `{ x in self : the constraint holds }`
    ///
    /// # Panics
    /// If the constraint lives in another space.
    #[track_caller]
    pub fn with_constraint(&self, constraint: &Constraint) -> Relation<K> {
        constraint.check_space(&self.space);
        let system = constraint.to_system();
        Relation::collect(self.space.clone(), self.systems().map(|s| super::embed::conjoin(s, &system)))
    }

    /// `{ x in self : all constraints hold }`
    ///
    /// # Panics
    /// If a constraint lives in another space.
    #[track_caller]
    pub fn with_constraints(&self, constraints: &[Constraint]) -> Relation<K> {
        constraints.iter().fold(self.clone(), |r, c| r.with_constraint(c))
    }
}
