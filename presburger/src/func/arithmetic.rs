//! The traits that let tuples, pieces and unions share their code: what each kind of function answers.

use super::divs::{Divs, Expr, pad};
use super::{Aff, Arithmetic, Element, Multi, MultiAff, Outside, Piece, Pw, PwAff, Quasiaffine, Rounding, UnionPwAff, set_space};
use crate::{Budget, BudgetSpent, Columns, Int, Set, Space, System, Union, UnionSet};

impl Arithmetic for Aff {
    fn known_params(&self) -> Space {
        self.domain.params_space()
    }
    fn with_params_of(&self, model: &Space) -> Aff {
        self.align_params(model)
    }
    fn plus(&self, other: &Aff) -> Aff {
        self.add(other)
    }
    fn negated(&self) -> Aff {
        self.neg()
    }
    fn times(&self, factor: &Int) -> Aff {
        self.scale(factor)
    }
    fn over(&self, divisor: &Int) -> Aff {
        self.scale_down(divisor)
    }
}

impl Rounding for Aff {
    fn floored(&self) -> Aff {
        self.floor()
    }
}

impl<E: Element> Arithmetic for Multi<E> {
    fn known_params(&self) -> Space {
        self.space.params_space()
    }
    fn with_params_of(&self, model: &Space) -> Multi<E> {
        self.align_params(model)
    }
    fn plus(&self, other: &Multi<E>) -> Multi<E> {
        self.add(other)
    }
    fn negated(&self) -> Multi<E> {
        self.neg()
    }
    fn times(&self, factor: &Int) -> Multi<E> {
        self.scale(factor)
    }
    fn over(&self, divisor: &Int) -> Multi<E> {
        self.scale_down(divisor)
    }
}

impl<E: Element> Rounding for Multi<E> {
    fn floored(&self) -> Multi<E> {
        self.floor()
    }
}

impl<E: Piece> Arithmetic for Pw<E> {
    fn known_params(&self) -> Space {
        self.space.params_space()
    }
    fn with_params_of(&self, model: &Space) -> Pw<E> {
        self.align_params(model)
    }
    fn plus(&self, other: &Pw<E>) -> Pw<E> {
        self.add(other)
    }
    fn negated(&self) -> Pw<E> {
        self.neg()
    }
    fn times(&self, factor: &Int) -> Pw<E> {
        self.scale(factor)
    }
    fn over(&self, divisor: &Int) -> Pw<E> {
        self.scale_down(divisor)
    }
}

impl<E: Quasiaffine> Rounding for Pw<E> {
    fn floored(&self) -> Pw<E> {
        self.floor()
    }
}

impl<E: Piece> Arithmetic for Union<Pw<E>> {
    fn known_params(&self) -> Space {
        self.members.values().fold(Space::params(&[]), |s, m| s.union_params(&m.known_params()))
    }
    // The members of a union keep their own parameters; operations align them.
    fn with_params_of(&self, _: &Space) -> Union<Pw<E>> {
        self.clone()
    }
    fn plus(&self, other: &Union<Pw<E>>) -> Union<Pw<E>> {
        self.add(other)
    }
    fn negated(&self) -> Union<Pw<E>> {
        self.neg()
    }
    fn times(&self, factor: &Int) -> Union<Pw<E>> {
        self.scale(factor)
    }
    fn over(&self, divisor: &Int) -> Union<Pw<E>> {
        self.scale_down(divisor)
    }
}

impl<E: Quasiaffine> Rounding for Union<Pw<E>> {
    fn floored(&self) -> Union<Pw<E>> {
        self.floor()
    }
}

impl Element for Aff {
    type Domain = ();
    fn fits(&self, space: &Space) -> bool {
        self.domain.range_tuple() == space.domain_tuple()
    }
    fn everywhere(_: &Space) {}
    fn meet(_: &(), _: &()) {}
}

impl Element for PwAff {
    type Domain = Set;
    fn fits(&self, space: &Space) -> bool {
        self.space.domain_tuple() == space.domain_tuple()
    }
    fn everywhere(space: &Space) -> Set {
        Set::universe(set_space(&space.domain()))
    }
    fn meet(a: &Set, b: &Set) -> Set {
        a.intersect(b)
    }
}

impl Element for UnionPwAff {
    type Domain = UnionSet;
    fn fits(&self, space: &Space) -> bool {
        space.is_set()
    }
    fn everywhere(_: &Space) -> UnionSet {
        UnionSet { members: Default::default() }
    }
    fn meet(a: &UnionSet, b: &UnionSet) -> UnionSet {
        a.intersect(b)
    }
}

impl Piece for Aff {
    const OUTSIDE: Outside = Outside::Undefined;
    fn function_space(&self) -> Space {
        self.space()
    }
    fn after(&self, f: &MultiAff) -> Aff {
        self.pullback(f)
    }
    fn agrees_on(&self, other: &Aff, domain: &Set, budget: &Budget) -> Result<bool, BudgetSpent> {
        Ok(!self.has_nan() && !other.has_nan() && domain.is_subset_within(&self.equal_set(other), budget)?)
    }
    fn simplified_on(&self, context: &Set) -> Aff {
        self.gist(context)
    }
    fn has_nan(&self) -> bool {
        self.is_nan()
    }
}

impl Quasiaffine for Aff {
    fn equal_set(&self, other: &Aff) -> Set {
        self.eq_set(other)
    }
    fn graph(&self) -> System {
        graph(&self.space(), std::slice::from_ref(self))
    }
}

impl Piece for MultiAff {
    const OUTSIDE: Outside = Outside::Undefined;
    fn function_space(&self) -> Space {
        self.space.clone()
    }
    fn after(&self, f: &MultiAff) -> MultiAff {
        self.pullback(f)
    }
    fn agrees_on(&self, other: &MultiAff, domain: &Set, budget: &Budget) -> Result<bool, BudgetSpent> {
        Ok(!self.has_nan() && !other.has_nan() && domain.is_subset_within(&self.equal_set(other), budget)?)
    }
    fn simplified_on(&self, context: &Set) -> MultiAff {
        self.gist(context)
    }
    fn has_nan(&self) -> bool {
        self.involves_nan()
    }
}

impl Quasiaffine for MultiAff {
    fn equal_set(&self, other: &MultiAff) -> Set {
        self.eq_set(other)
    }
    fn graph(&self) -> System {
        graph(&self.space, &self.elements)
    }
}

/// `{ x -> y : den_i * y_i = num_i(x) }` over the columns of `space`, which has the elements' parameters.
fn graph(space: &Space, elements: &[Aff]) -> System {
    let columns = Columns::of(space);
    if elements.iter().any(Aff::is_nan) {
        return System::contradiction(columns);
    }
    let first_output = columns.dims(crate::Dim::Out).start;
    let mut pool = Divs::new(columns.len());
    let mut rows = Vec::with_capacity(elements.len());
    for e in elements {
        let images: Vec<Expr> = (0..first_output).map(|c| pool.column(c)).collect();
        rows.push(e.compose_into(&mut pool, images));
    }
    let mut system = pool.to_system(columns);
    for (i, e) in rows.iter().enumerate() {
        let mut row = pad(&e.num, pool.width());
        row.add_at(first_output + i, &-&e.den);
        system.push_eq(row);
    }
    system
}
