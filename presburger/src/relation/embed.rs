//! Moving systems between layouts of columns, and joining two systems in one layout.
//!
//! Every structural operation (reverse, domain, product, curry, compose, ..) is one of these moves: each dimension of an operand goes
//! to a dimension of the result or is hidden, that is, becomes an existential. Hidden columns are first placed behind the range
//! tuple, where turning them into divs changes no row.

use super::project::simplified;
use super::{Kind, Relation};
use crate::linalg::Row;
use crate::system::Div;
use crate::{Columns, Dim, Space, System};
use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

/// Where a dimension of an operand goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Slot {
    /// To a dimension of the result.
    To(Dim, usize),
    /// To the hidden column of this number.
    Hidden(usize),
}
use Slot::{Hidden, To};

/// The columns of `space` with `hidden` more behind the range.
pub(crate) fn frame(space: &Space, hidden: usize) -> Columns {
    let columns = Columns::of(space);
    Columns { range: columns.range + hidden, ..columns }
}

/// For every column of `from` before the divs, its column in the frame of `to`. Parameters go by name.
pub(crate) fn layout(from: &Space, to: &Space, slot: impl Fn(Dim, usize) -> Slot) -> Vec<usize> {
    let columns = Columns::of(to);
    let mut place = Vec::with_capacity(Columns::of(from).len());
    place.push(0);
    for kind in [Dim::Param, Dim::In, Dim::Out] {
        for i in 0..from.dim(kind) {
            let by_name = if kind == Dim::Param { to.param_position(&from.param_ids()[i]) } else { None };
            place.push(match by_name {
                Some(p) => 1 + p,
                None => match slot(kind, i) {
                    To(kind, i) => columns.dims(kind).start + i,
                    Hidden(k) => columns.first_div() + k,
                },
            });
        }
    }
    place
}

/// The system over `columns` (without divs), old column `c` going to `place[c]`; divs follow.
pub(crate) fn place(system: &System, columns: Columns, place: &[usize]) -> System {
    let old = system.columns();
    debug_assert_eq!(place.len(), old.first_div());
    let new = columns.with_divs(old.divs);
    let mut source = vec![None; new.len()];
    for (c, &p) in place.iter().enumerate() {
        debug_assert!(source[p].is_none(), "two columns in one place");
        source[p] = Some(c);
    }
    for i in 0..old.divs {
        source[new.div(i)] = Some(old.div(i));
    }
    system.gather(new, &source)
}

/// Turns the last `hidden` columns of the range into unknown divs.
pub(crate) fn hide(system: System, hidden: usize) -> System {
    if hidden == 0 {
        return system;
    }
    let old = system.columns();
    let new = Columns { range: old.range - hidden, divs: old.divs + hidden, ..old };
    let source: Vec<Option<usize>> = (0..old.len()).map(Some).collect();
    system.gather(new, &source)
}

/// `{ x : a(x) and b(x) }` over the same columns: divs of `b` follow those of `a`, equal known ones are shared.
pub(crate) fn conjoin(a: &System, b: &System) -> System {
    let (ca, cb) = (a.columns(), b.columns());
    debug_assert_eq!(ca.with_divs(0), cb.with_divs(0));
    let mut out = a.clone();
    if cb.divs == 0 {
        for row in b.eqs() {
            out.push_eq(row.with_zeros(cb.len(), ca.divs));
        }
        for row in b.ineqs() {
            out.push_ineq(row.with_zeros(cb.len(), ca.divs));
        }
        return out;
    }
    let widest = ca.len() + cb.divs;
    // source[c]: the column of `b` that is column `c` of the result.
    let mut source: Vec<Option<usize>> = (0..widest).map(|c| (c < cb.first_div()).then_some(c)).collect();
    for (j, div) in b.divs().iter().enumerate() {
        let known = div.as_ref().map(|d| Div { num: d.num.gather(&source), den: d.den.clone() });
        let shared = known.as_ref().and_then(|d| {
            let fits = d.num.is_zero_in(out.columns().len()..widest);
            let same = |c: &usize| {
                source[*c].is_none()
                    && out.divs()[*c - ca.first_div()].as_ref().is_some_and(|o| o.den == d.den && same_prefix(&o.num, &d.num))
            };
            if fits { out.columns().div_range().find(same) } else { None }
        });
        let col = shared.unwrap_or_else(|| {
            let width = out.columns().len();
            out.push_div(known.map(|d| Div { num: d.num.without(width, widest - width), den: d.den }))
        });
        source[col] = Some(cb.div(j));
    }
    source.truncate(out.columns().len());
    for row in b.eqs() {
        out.push_eq(row.gather(&source));
    }
    for row in b.ineqs() {
        out.push_ineq(row.gather(&source));
    }
    out
}

// Whether the rows agree on the shorter one's columns.
fn same_prefix(short: &Row, long: &Row) -> bool {
    match (short.narrow(), long.narrow()) {
        (Some(s), Some(l)) => s == &l[..s.len()],
        _ => (0..short.len()).all(|i| short.get(i) == long.get(i)),
    }
}

impl<K: Kind> Relation<K> {
    // Pieces must be simplified and fit the space.
    pub(crate) fn from_pieces(space: Space, pieces: Vec<Arc<System>>) -> Relation<K> {
        debug_assert!(K::accepts(&space), "{space} is not the space of a {}", K::NAME);
        debug_assert!(pieces.iter().all(|p| p.columns().with_divs(0) == Columns::of(&space)));
        Relation { space, pieces, kind: PhantomData }
    }

    // Simplifies the systems, drops obviously empty and repeated ones.
    pub(crate) fn collect(space: Space, systems: impl IntoIterator<Item = System>) -> Relation<K> {
        let mut pieces = Vec::new();
        for system in systems {
            if let Some(system) = simplified(system) {
                pieces.push(Arc::new(system));
            }
        }
        dedup(&mut pieces);
        Relation::from_pieces(space, pieces)
    }

    /// The relation in another space: every tuple dimension goes to its slot, parameters by name.
    pub(crate) fn recast<L: Kind>(&self, space: Space, hidden: usize, slot: impl Fn(Dim, usize) -> Slot) -> Relation<L> {
        let columns = frame(&space, hidden);
        let to = layout(&self.space, &space, slot);
        if hidden == 0 && columns == Columns::of(&self.space) && to.iter().enumerate().all(|(i, &p)| i == p) {
            return Relation::from_pieces(space, self.pieces.clone());
        }
        Relation::collect(space, self.systems().map(|s| hide(place(s, columns, &to), hidden)))
    }

    /// The same elements, dimension by dimension, in a space that divides them between its tuples in another way.
    pub(crate) fn respaced<L: Kind>(&self, space: Space) -> Relation<L> {
        let (inputs, new_inputs) = (self.space.dim(Dim::In), space.dim(Dim::In));
        self.recast(space, 0, |kind, i| match kind {
            Dim::Param => To(kind, i),
            _ => {
                let flat = if kind == Dim::In { i } else { inputs + i };
                if flat < new_inputs { To(Dim::In, flat) } else { To(Dim::Out, flat - new_inputs) }
            }
        })
    }

    /// `{ z : exists hidden: a in self, b in other }` with both operands' dimensions at their slots.
    pub(crate) fn merge<L: Kind, M: Kind>(
        &self,
        other: &Relation<L>,
        space: Space,
        hidden: usize,
        slot: impl Fn(Dim, usize) -> Slot,
        other_slot: impl Fn(Dim, usize) -> Slot,
    ) -> Relation<M> {
        let columns = frame(&space, hidden);
        let (to, other_to) = (layout(&self.space, &space, slot), layout(&other.space, &space, other_slot));
        let left: Vec<System> = self.systems().map(|s| place(s, columns, &to)).collect();
        let right: Vec<System> = other.systems().map(|s| place(s, columns, &other_to)).collect();
        let pairs = left.iter().flat_map(|a| right.iter().map(move |b| (a, b)));
        Relation::collect(space, pairs.map(|(a, b)| hide(conjoin(a, b), hidden)))
    }

    /// The relation with the parameters of `space` added.
    ///
    /// Names of parameters decide; tuples of `space` do not matter.
    pub fn align_params(&self, space: &Space) -> Relation<K> {
        self.aligned_to(space).into_owned()
    }

    pub(crate) fn aligned_to(&self, space: &Space) -> Cow<'_, Relation<K>> {
        let all = self.space.union_params(space);
        if all.param_ids() == self.space.param_ids() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(self.recast(all, 0, To))
    }

    // Both operands with the parameters of both; panics if the tuples differ.
    #[track_caller]
    pub(crate) fn aligned<'a>(&'a self, other: &'a Relation<K>) -> (Cow<'a, Relation<K>>, Cow<'a, Relation<K>>) {
        if let Err(mismatch) = self.space.check_same(&other.space) {
            panic!("{mismatch}");
        }
        (self.aligned_to(&other.space), other.aligned_to(&self.space))
    }
}

/// Drops pieces equal to an earlier one.
pub(crate) fn dedup(pieces: &mut Vec<Arc<System>>) {
    if pieces.len() < 2 {
        return;
    }
    let mut seen = hashbrown::HashSet::with_capacity(pieces.len());
    pieces.retain(|p| seen.insert(p.clone()));
}
