//! Single dimensions: fixing, bounding, comparing, naming, inserting and moving them.

use super::embed::Slot::To;
use super::{Kind, Relation};
use crate::linalg::Row;
use crate::space::Id;
use crate::system::RowKind;
use crate::{Columns, Dim, Int, Space, Tuple};

#[track_caller]
pub(crate) fn check_range(space: &Space, kind: Dim, first: usize, n: usize) {
    let size = space.dim(kind);
    assert!(first + n <= size, "dimensions {first}..{} of {kind:?} are not in {space}, which has {size}", first + n);
}

pub(crate) fn tuple_of(space: &Space, kind: Dim) -> Option<&Tuple> {
    match kind {
        Dim::Param => None,
        Dim::In => space.domain_tuple(),
        Dim::Out => space.range_tuple(),
    }
}

pub(crate) fn with_tuple(space: &Space, kind: Dim, tuple: Tuple) -> Space {
    match kind {
        Dim::Param => space.clone(),
        Dim::In => space.with_tuples(Some(tuple), space.range_tuple().cloned()),
        Dim::Out => space.with_tuples(space.domain_tuple().cloned(), Some(tuple)),
    }
}

/// The space without some dimensions; a tuple loses its name and nesting.
#[track_caller]
pub(crate) fn without_dims(space: &Space, kind: Dim, first: usize, n: usize) -> Space {
    check_range(space, kind, first, n);
    if kind == Dim::Param {
        let mut ids = space.param_ids().to_vec();
        ids.drain(first..first + n);
        return space.with_params(ids);
    }
    match tuple_of(space, kind) {
        Some(tuple) => with_tuple(space, kind, tuple.without_dims(first, n).with_name(None)),
        None => space.clone(),
    }
}

impl<K: Kind> Relation<K> {
    // Adds one row, which `make` writes over the columns of the space, to every piece.
    pub(crate) fn constrained(&self, kind: RowKind, row: &Row) -> Relation<K> {
        Relation::collect(
            self.space.clone(),
            self.systems().map(|s| {
                let mut s = s.clone();
                s.push(kind, row.with_zeros(row.len(), s.columns().divs));
                s
            }),
        )
    }

    // The row of the given column coefficients.
    fn row(&self, constant: Int, coefficients: &[(Dim, usize, i64)]) -> Row {
        let columns = Columns::of(&self.space);
        let mut row = Row::zero(columns.len());
        row.set(0, constant);
        for &(kind, pos, c) in coefficients {
            check_range(&self.space, kind, pos, 1);
            row.add_at(columns.dims(kind).start + pos, &Int::from(c));
        }
        row
    }

    /// `{ x in self : x[pos] = value }`
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn fix(&self, kind: Dim, pos: usize, value: &Int) -> Relation<K> {
        check_range(&self.space, kind, pos, 1);
        self.constrained(RowKind::Eq, &self.row(-value, &[(kind, pos, 1)]))
    }

    /// `{ x in self : x[pos] >= value }`
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn lower_bound(&self, kind: Dim, pos: usize, value: &Int) -> Relation<K> {
        check_range(&self.space, kind, pos, 1);
        self.constrained(RowKind::Ineq, &self.row(-value, &[(kind, pos, 1)]))
    }

    /// `{ x in self : x[pos] <= value }`
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn upper_bound(&self, kind: Dim, pos: usize, value: &Int) -> Relation<K> {
        check_range(&self.space, kind, pos, 1);
        self.constrained(RowKind::Ineq, &self.row(value.clone(), &[(kind, pos, -1)]))
    }

    /// `{ x in self : x[a] = x[b] }`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn equate(&self, kind_a: Dim, a: usize, kind_b: Dim, b: usize) -> Relation<K> {
        self.constrained(RowKind::Eq, &self.row(Int::ZERO, &[(kind_a, a, 1), (kind_b, b, -1)]))
    }

    /// `{ x in self : x[a] = -x[b] }`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn oppose(&self, kind_a: Dim, a: usize, kind_b: Dim, b: usize) -> Relation<K> {
        self.constrained(RowKind::Eq, &self.row(Int::ZERO, &[(kind_a, a, 1), (kind_b, b, 1)]))
    }

    /// `{ x in self : x[a] < x[b] }`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn order_lt(&self, kind_a: Dim, a: usize, kind_b: Dim, b: usize) -> Relation<K> {
        self.constrained(RowKind::Ineq, &self.row(Int::MINUS_ONE, &[(kind_a, a, -1), (kind_b, b, 1)]))
    }

    /// `{ x in self : x[a] <= x[b] }`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn order_le(&self, kind_a: Dim, a: usize, kind_b: Dim, b: usize) -> Relation<K> {
        self.constrained(RowKind::Ineq, &self.row(Int::ZERO, &[(kind_a, a, -1), (kind_b, b, 1)]))
    }

    /// `{ x in self : x[a] > x[b] }`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn order_gt(&self, kind_a: Dim, a: usize, kind_b: Dim, b: usize) -> Relation<K> {
        self.order_lt(kind_b, b, kind_a, a)
    }

    /// `{ x in self : x[a] >= x[b] }`
    ///
    /// # Panics
    /// If a dimension does not exist.
    #[track_caller]
    pub fn order_ge(&self, kind_a: Dim, a: usize, kind_b: Dim, b: usize) -> Relation<K> {
        self.order_le(kind_b, b, kind_a, a)
    }

    /// `n` unconstrained dimensions inserted at `pos` of a tuple, which loses its name and nesting. Parameters have names: use
    /// [`Relation::align_params`].
    ///
    /// # Panics
    /// If `pos` is beyond the end, or `kind` is `Param`.
    #[track_caller]
    pub fn insert_dims(&self, kind: Dim, pos: usize, n: usize) -> Relation<K> {
        check_range(&self.space, kind, pos, 0);
        let Some(tuple) = tuple_of(&self.space, kind) else {
            panic!("{kind:?} dimensions cannot be inserted into {}", self.space)
        };
        let space = with_tuple(&self.space, kind, tuple.with_dims(pos, n).with_name(None));
        self.recast(space, 0, |k, i| if k == kind && i >= pos { To(k, i + n) } else { To(k, i) })
    }

    /// `n` unconstrained dimensions behind those of a tuple, which loses its name and nesting.
    ///
    /// # Panics
    /// If `kind` is `Param`.
    #[track_caller]
    pub fn add_dims(&self, kind: Dim, n: usize) -> Relation<K> {
        self.insert_dims(kind, self.space.dim(kind), n)
    }

    /// The same as [`Relation::project_out`].
    ///
    /// # Panics
    /// If the dimensions do not exist.
    #[track_caller]
    pub fn remove_dims(&self, kind: Dim, first: usize, n: usize) -> Relation<K> {
        self.project_out(kind, first, n)
    }

    /// Moves dimensions `src .. src + n` of one kind to position `dst` of another (positions of `to` counted before the move).
    /// Both tuples lose name and nesting. A tuple dimension that becomes a parameter is named by its label.
    ///
    /// # Panics
    /// If the dimensions do not exist, the kinds are equal, or a dimension without label would become a parameter.
    #[track_caller]
    pub fn move_dims(&self, to: Dim, dst: usize, from: Dim, src: usize, n: usize) -> Relation<K> {
        check_range(&self.space, from, src, n);
        check_range(&self.space, to, dst, 0);
        assert!(to != from, "move_dims within {from:?} of {}", self.space);
        let labels: Vec<Option<Id>> = (src..src + n).map(|i| self.space.dim_name(from, i).cloned()).collect();
        let mut space = without_dims(&self.space, from, src, n);
        if to == Dim::Param {
            let names = labels.into_iter().enumerate().map(|(i, l)| match l {
                Some(l) => l,
                None => panic!("dimension {} of {from:?} in {} has no name to become a parameter", src + i, self.space),
            });
            let moved: Vec<Id> = names.collect();
            space = space.with_params(space.param_ids().iter().cloned().chain(moved.iter().cloned()).collect());
            assert!(
                space.dim(Dim::Param) == self.space.dim(Dim::Param) + n,
                "a dimension moved to the parameters of {} has the name of a parameter",
                self.space
            );
            let position = |i: usize| space.param_position(&moved[i - src]).unwrap_or(0);
            return self.recast(space.clone(), 0, |k, i| match k {
                _ if k != from || i < src => To(k, i),
                _ if i < src + n => To(Dim::Param, position(i)),
                _ => To(k, i - n),
            });
        }
        let Some(tuple) = tuple_of(&self.space, to) else { panic!("{} has no {to:?} tuple", self.space) };
        let mut tuple = tuple.with_dims(dst, n).with_name(None);
        for (i, label) in labels.into_iter().enumerate() {
            tuple = tuple.with_label(dst + i, label);
        }
        let space = with_tuple(&space, to, tuple);
        self.recast(space, 0, |k, i| match k {
            _ if k == from && i >= src + n => To(k, i - n),
            _ if k == from && i >= src => To(to, dst + i - src),
            _ if k == to && i >= dst => To(k, i + n),
            _ => To(k, i),
        })
    }

    /// The relation with dimension `pos` named `name`: a parameter is renamed, a tuple dimension labelled.
    ///
    /// # Panics
    /// If the dimension does not exist, or a parameter would lose its name or take that of another.
    #[track_caller]
    pub fn set_dim_name(&self, kind: Dim, pos: usize, name: Option<&str>) -> Relation<K> {
        check_range(&self.space, kind, pos, 1);
        if kind != Dim::Param {
            let tuple = tuple_of(&self.space, kind).map(|t| t.with_label(pos, name.map(Id::from)));
            return match tuple {
                Some(tuple) => self.respaced(with_tuple(&self.space, kind, tuple)),
                None => self.clone(),
            };
        }
        let Some(name) = name else { panic!("a parameter of {} cannot lose its name", self.space) };
        let mut ids = self.space.param_ids().to_vec();
        ids[pos] = Id::from(name);
        let space = self.space.with_params(ids);
        assert_eq!(space.dim(Dim::Param), self.space.dim(Dim::Param), "{} already has a parameter {name}", self.space);
        // Positions by the new names; an old name that is also a new one elsewhere cannot occur.
        let at = space.param_position(name).unwrap_or(0);
        self.recast(space, 0, |k, i| if k == Dim::Param { To(k, at) } else { To(k, i) })
    }

    /// The relation with parameter `old` called `new`; itself if it has no such parameter.
    ///
    /// # Panics
    /// If there is already a parameter `new`.
    #[track_caller]
    pub fn rename_param(&self, old: &str, new: &str) -> Relation<K> {
        match self.space.param_position(old) {
            Some(p) if old != new => self.set_dim_name(Dim::Param, p, Some(new)),
            _ => self.clone(),
        }
    }

    /// The relation with another name for the tuple of the given kind.
    ///
    /// # Panics
    /// If there is no such tuple.
    #[track_caller]
    pub fn set_tuple_name(&self, kind: Dim, name: Option<&str>) -> Relation<K> {
        match tuple_of(&self.space, kind) {
            Some(tuple) => self.respaced(with_tuple(&self.space, kind, tuple.with_name(name.map(Id::from)))),
            None => panic!("{} has no {kind:?} tuple", self.space),
        }
    }

    /// The name of the tuple of the given kind.
    pub fn tuple_name(&self, kind: Dim) -> Option<&Id> {
        tuple_of(&self.space, kind).and_then(Tuple::name)
    }

    /// The same elements in a space of the same shape (other names, labels or nesting).
    ///
    /// # Panics
    /// If the numbers of dimensions or the parameters differ.
    #[track_caller]
    pub fn with_space(&self, space: &Space) -> Relation<K> {
        assert!(
            K::accepts(space) && space.param_ids() == self.space.param_ids() && Columns::of(space) == Columns::of(&self.space),
            "{} does not have the shape of {space}",
            self.space
        );
        self.respaced(space.clone())
    }
}
