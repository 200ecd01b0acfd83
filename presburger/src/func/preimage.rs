//! Substitution of functions into sets and functions: `{ x : f(x) in S }` and `x -> g(f(x))`.
//!
//! No projection is involved: every row of the set is composed with the expressions of `f`. Where an element of `f` can take values
//! that are no integers, a division says that it must not.

use super::divs::{Divs, Expr, pad};
use super::{MultiAff, Piece, Pw, PwMultiAff, domain_of, set_space};
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, Set, Space, System};

/// `{ x : f(x) in set }`
///
/// # Panics
/// If the range tuple of `f` is not the tuple of `set` (the unit tuple for a set over `[]`).
#[track_caller]
pub(crate) fn preimage(set: &Set, f: &MultiAff, budget: &Budget) -> Result<Set, BudgetSpent> {
    assert!(
        set.space().range_tuple() == f.space().range_tuple(),
        "preimage of a set of {} by a function of {}",
        set.space(),
        f.space()
    );
    let space = set_space(&f.domain_space().union_params(set.space()));
    if f.involves_nan() {
        return Ok(Set::empty(space));
    }
    let set = set.with_known_divs_within(budget)?;
    let systems: Vec<System> = set.systems().map(|s| substitute(s, set.space(), &space, f)).collect();
    Ok(Set::from_systems(space, systems))
}

fn substitute(system: &System, old: &Space, space: &Space, f: &MultiAff) -> System {
    let columns = Columns::of(space);
    let mut pool = Divs::new(columns.len());
    let mut images = vec![pool.column(0)];
    images.extend(old.param_ids().iter().map(|p| pool.column(1 + space.param_position(p).expect("all parameters"))));
    let domain = domain_of(f.space()).union_params(space);
    let mut integral: Vec<Row> = Vec::new();
    for e in f.elements() {
        let e = e.onto(&domain).import_into(&mut pool);
        if e.den == crate::Int::ONE {
            images.push(e);
        } else {
            let whole = pool.floor_expr(&e);
            let rest = e.combine(&crate::Int::ONE, &whole, &crate::Int::MINUS_ONE);
            integral.push(rest.num);
            images.push(whole);
        }
    }
    let divs: Vec<crate::Div> = system.divs().iter().map(|d| d.clone().expect("divs are known")).collect();
    pool.import(&divs, &mut images);
    let map = |rows: &[Row], pool: &Divs| -> Vec<Expr> { rows.iter().map(|r| pool.linear(r, &images)).collect() };
    let (eqs, ineqs) = (map(system.eqs(), &pool), map(system.ineqs(), &pool));
    let mut out = pool.to_system(columns);
    for row in integral.iter().chain(eqs.iter().map(|e| &e.num)) {
        out.push_eq(pad(row, pool.width()));
    }
    for e in &ineqs {
        out.push_ineq(pad(&e.num, pool.width()));
    }
    out
}

impl<E: Piece> Pw<E> {
    #[track_caller]
    pub(crate) fn after_multi_within(&self, f: &MultiAff, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        let space = self.composed_space(f.space());
        let f = if self.space.is_set() { f.clone() } else { f.align_params(&self.space) };
        let mut pieces = Vec::new();
        for (d, e) in &self.pieces {
            let domain = if self.space.is_set() { params_on(d, &f) } else { preimage(d, &f, budget)? };
            pieces.push((domain, e.after(&f)));
        }
        Ok(Pw::disjoint(space, pieces))
    }

    #[track_caller]
    pub(crate) fn after_multi(&self, f: &MultiAff) -> Pw<E> {
        self.after_multi_within(f, &Budget::UNLIMITED).expect("an unlimited budget is never spent")
    }

    fn composed_space(&self, inner: &Space) -> Space {
        self.space.union_params(inner).with_tuples(inner.domain_tuple().cloned(), self.space.range_tuple().cloned())
    }
}

// A condition on parameters alone, as a set of the domain of `f`.
fn params_on(d: &Set, f: &MultiAff) -> Set {
    Set::from_params(&d.params(), set_space(&f.domain_space().union_params(d.space())))
}

/// `x -> g(f(x))`, where `f` is defined.
#[track_caller]
pub(crate) fn compose<E: Piece>(g: &Pw<E>, f: &PwMultiAff, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
    let mut pieces = Vec::new();
    for (d, e) in f.pieces() {
        let composed = g.after_multi_within(e, budget)?.intersect_domain_within(d, budget)?;
        pieces.extend(composed.pieces);
    }
    Ok(Pw::disjoint(g.composed_space(f.space()), pieces))
}
