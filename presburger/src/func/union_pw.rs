//! Functions on several spaces: [`UnionPwAff`](super::UnionPwAff) and [`UnionPwMultiAff`](super::UnionPwMultiAff).
//!
//! Members are filed by the tuples of their spaces. An operation meets members with equal tuples; the others drop out (sum,
//! difference) or are kept (the `union_` operations).

use super::{Aff, Outside, Piece, Pw, PwAff, PwMultiAff, Quasiaffine, UnionPwAff, UnionPwMultiAff, preimage};
use crate::{Budget, Error, Int, Map, Params, Set, Spaced, Tuple, Union, UnionMap, UnionSet};
use std::collections::BTreeMap;

impl<E: Piece> FromIterator<Pw<E>> for Union<Pw<E>> {
    /// Members with the same tuples are joined by [`Pw::union_add`].
    fn from_iter<I: IntoIterator<Item = Pw<E>>>(iter: I) -> Union<Pw<E>> {
        let mut out = Union::new();
        for member in iter {
            let joined = match out.get(member.space()) {
                Some(present) => Pw::union_add(present, &member),
                None => member,
            };
            out.insert(joined);
        }
        out
    }
}

impl<E: Piece> Union<Pw<E>> {
    /// Applies `f` to every member; a member may change its space.
    pub fn map_functions<F: Piece>(&self, f: impl FnMut(&Pw<E>) -> Pw<F>) -> Union<Pw<F>> {
        let kept = self.members.values().map(f).filter(|m| !m.is_obviously_nowhere());
        kept.fold(Union::new(), |mut out, m| {
            out.insert(m);
            out
        })
    }

    /// Applies `f` to the members with equal tuples; the others drop out.
    #[track_caller]
    pub fn zip_functions(&self, other: &Union<Pw<E>>, f: impl Fn(&Pw<E>, &Pw<E>) -> Pw<E>) -> Union<Pw<E>> {
        let mut out = Union::new();
        for (key, a) in &self.members {
            if let Some(b) = other.members.get(key) {
                let joined = f(a, b);
                if !joined.is_obviously_nowhere() {
                    out.insert(joined);
                }
            }
        }
        out
    }

    /// Applies `f` to the members with equal tuples; the others are kept.
    #[track_caller]
    pub fn union_functions(&self, other: &Union<Pw<E>>, f: impl Fn(&Pw<E>, &Pw<E>) -> Pw<E>) -> Union<Pw<E>> {
        let mut out = self.clone();
        for (key, b) in &other.members {
            let joined = match self.members.get(key) {
                Some(a) => f(a, b),
                None => b.clone(),
            };
            out.insert(joined);
        }
        out
    }

    /// `x -> self(x) + other(x)` where both are defined (everywhere, where a function is zero [`Outside`] its pieces).
    pub fn add(&self, other: &Union<Pw<E>>) -> Union<Pw<E>> {
        match E::OUTSIDE {
            Outside::Undefined => self.zip_functions(other, Pw::add),
            Outside::Zero => self.union_functions(other, Pw::add),
        }
    }

    /// `x -> self(x) - other(x)` where both are defined, as for `add`.
    pub fn sub(&self, other: &Union<Pw<E>>) -> Union<Pw<E>> {
        match E::OUTSIDE {
            Outside::Undefined => self.zip_functions(other, Pw::sub),
            Outside::Zero => self.union_functions(&other.neg(), Pw::add),
        }
    }

    /// `x -> -self(x)`
    pub fn neg(&self) -> Union<Pw<E>> {
        self.map_functions(Pw::neg)
    }

    /// `x -> factor * self(x)`
    pub fn scale(&self, factor: &Int) -> Union<Pw<E>> {
        self.map_functions(|m| m.scale(factor))
    }

    /// `x -> self(x) / divisor`, exact and rational; NaN for 0.
    pub fn scale_down(&self, divisor: &Int) -> Union<Pw<E>> {
        self.map_functions(|m| m.scale_down(divisor))
    }

    /// The sum where both are defined, one of them where only that one is.
    pub fn union_add(&self, other: &Union<Pw<E>>) -> Union<Pw<E>> {
        self.union_functions(other, Pw::union_add)
    }

    /// `{ x : a member is defined at x }`; functions of parameters alone are defined on `[]`.
    pub fn domain(&self) -> UnionSet {
        self.members.values().map(Pw::domain).collect()
    }

    /// The function restricted to `set`.
    pub fn intersect_domain(&self, set: &UnionSet) -> Union<Pw<E>> {
        self.restricted(set, |m, s| Some(m.intersect_domain(s?)))
    }

    /// The function restricted to the complement of `set`.
    pub fn subtract_domain(&self, set: &UnionSet) -> Union<Pw<E>> {
        self.restricted(set, |m, s| Some(s.map_or_else(|| m.clone(), |s| m.subtract_domain(s))))
    }

    /// A simpler function that agrees with this one on `context`.
    pub fn gist(&self, context: &UnionSet) -> Union<Pw<E>> {
        self.restricted(context, |m, s| Some(m.gist(s?)))
    }

    fn restricted(&self, set: &UnionSet, f: impl Fn(&Pw<E>, Option<&Set>) -> Option<Pw<E>>) -> Union<Pw<E>> {
        let mut out = Union::new();
        for m in self.members.values() {
            if let Some(m) = f(m, set.get(&m.domain_set_space())).filter(|m| !m.is_obviously_nowhere()) {
                out.insert(m);
            }
        }
        out
    }

    /// The function restricted to the parameter values in `params`.
    pub fn intersect_params(&self, params: &Params) -> Union<Pw<E>> {
        self.map_functions(|m| m.intersect_params(params))
    }

    /// A simpler function that agrees with this one for the parameter values in `context`.
    pub fn gist_params(&self, context: &Params) -> Union<Pw<E>> {
        self.map_functions(|m| m.gist_params(context))
    }

    /// The same function with pieces merged where one expression serves several.
    pub fn coalesce(&self) -> Union<Pw<E>> {
        self.map_functions(Pw::coalesce)
    }

    /// Whether a member has a piece that is NaN.
    pub fn involves_nan(&self) -> bool {
        self.members.values().any(Pw::involves_nan)
    }

    /// `x -> self(f(x))`, where `f` is defined.
    pub fn pullback(&self, f: &UnionPwMultiAff) -> Union<Pw<E>> {
        let mut out: BTreeMap<_, Pw<E>> = BTreeMap::new();
        for g in self.members.values() {
            for h in f.members.values().filter(|h| h.space().range_tuple() == g.space().domain_tuple()) {
                let composed = preimage::compose(g, h, &Budget::UNLIMITED).expect("an unlimited budget is never spent");
                if composed.is_obviously_nowhere() {
                    continue;
                }
                let key = crate::Spaced::key(&composed);
                let joined = match out.get(&key) {
                    // Different members of f send one space to different ones: where both are defined, f was no function.
                    Some(present) => Pw::union_add(present, &composed),
                    None => composed,
                };
                out.insert(key, joined);
            }
        }
        Union { members: out }
    }
}

impl<E: Quasiaffine> Union<Pw<E>> {
    /// `x -> floor(self(x))`
    pub fn floor(&self) -> Union<Pw<E>> {
        self.map_functions(Pw::floor)
    }

    /// `x -> self(x) - m * floor(self(x) / m)`
    ///
    /// # Panics
    /// If `m` is not positive.
    #[track_caller]
    pub fn modulo(&self, m: &Int) -> Union<Pw<E>> {
        self.map_functions(|f| f.modulo(m))
    }

    /// Whether both functions have the same domain and the same values on it. NaN equals nothing.
    pub fn is_equal(&self, other: &Union<Pw<E>>) -> bool {
        let covered = |a: &Union<Pw<E>>, b: &Union<Pw<E>>, compare: bool| {
            a.members.iter().all(|(key, m)| match b.members.get(key) {
                Some(n) => !compare || m.is_equal(n),
                None => !m.involves_nan() && m.domain().is_empty(),
            })
        };
        covered(self, other, true) && covered(other, self, false)
    }

    /// `{ x -> y : y = self(x) }`; functions of parameters alone become maps from `[]`.
    pub fn to_union_map(&self) -> UnionMap {
        self.members.values().map(Pw::to_map_from_domain).collect()
    }
}

impl UnionPwAff {
    /// `{ x -> [value] : x in domain }`
    pub fn constant_on(domain: &UnionSet, value: &Int) -> UnionPwAff {
        domain.members().map(|s| PwAff::constant_on(s, value)).collect()
    }

    /// `[name] -> { x -> [name] : x in domain }`
    pub fn param_on(domain: &UnionSet, name: &str) -> UnionPwAff {
        domain.members().map(|s| Pw::on(s.clone(), Aff::param(s.space(), name))).collect()
    }

    /// The member on the tuple `domain` (a statement), if any.
    pub fn at(&self, domain: &Tuple) -> Option<&PwAff> {
        self.get_by_tuples(Some(domain), Some(&Tuple::anonymous(1)))
    }

    /// The domain tuples with their functions, in order.
    pub fn by_tuple(&self) -> impl Iterator<Item = (Option<&Tuple>, &PwAff)> {
        self.members.iter().map(|(key, m)| (key.0.as_ref(), m))
    }

    /// This function with the member on `domain` replaced by what `f` makes of it; nothing changes if there is none.
    ///
    /// # Panics
    /// If `f` changes the space.
    #[track_caller]
    pub fn map_at(&self, domain: &Tuple, f: impl FnOnce(&PwAff) -> PwAff) -> UnionPwAff {
        let Some(m) = self.at(domain) else { return self.clone() };
        let new = f(m);
        if let Err(e) = new.space().check_same(m.space()) {
            panic!("{e}");
        }
        self.with_member(new)
    }

    /// The minimum where both are defined, one of them where only that one is.
    pub fn union_min(&self, other: &UnionPwAff) -> UnionPwAff {
        self.union_functions(other, PwAff::union_min)
    }

    /// The maximum where both are defined, one of them where only that one is.
    pub fn union_max(&self, other: &UnionPwAff) -> UnionPwAff {
        self.union_functions(other, PwAff::union_max)
    }

    /// `{ x : self(x) = 0 }`
    pub fn zero_union_set(&self) -> UnionSet {
        self.members.values().map(PwAff::zero_set).collect()
    }

    /// `self + by` where both are defined, `self` elsewhere.
    pub fn shift(&self, by: &UnionPwAff) -> UnionPwAff {
        let shifted = |m: &PwAff, by: &PwAff| {
            let both = Pw::add(m, by);
            let rest = m.subtract_domain(&by.domain());
            let all = Pw::disjoint(both.space.union_params(&rest.space), [both.pieces, rest.pieces].concat());
            all.drop_empty_within(&Budget::UNLIMITED).unwrap_or(all)
        };
        self.map_functions(|m| by.get(m.space()).map_or_else(|| m.clone(), |b| shifted(m, b)))
    }
}

impl UnionPwMultiAff {
    /// `{ x -> [self(x) -> other(x)] }`-like joins: `f` on every pair of members over one domain.
    #[track_caller]
    fn join(&self, other: &UnionPwMultiAff, f: impl Fn(&PwMultiAff, &PwMultiAff) -> PwMultiAff) -> UnionPwMultiAff {
        let mut out = Union::new();
        for a in self.members.values() {
            for b in other.members.values().filter(|b| b.space().domain_tuple() == a.space().domain_tuple()) {
                let joined = f(a, b);
                if joined.is_obviously_nowhere() {
                    continue;
                }
                // Members of one function over one tuple have disjoint domains: the sum of both is their union.
                let sum = out.members.get(&joined.key()).map(|other: &PwMultiAff| other.union_add(&joined));
                out.insert(sum.unwrap_or(joined));
            }
        }
        out
    }

    /// `{ x -> [self(x) -> other(x)] }` where both are defined.
    pub fn range_product(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.join(other, PwMultiAff::range_product)
    }

    /// `{ x -> [self_0(x), .., other_0(x), ..] }` where both are defined.
    pub fn flat_range_product(&self, other: &UnionPwMultiAff) -> UnionPwMultiAff {
        self.join(other, PwMultiAff::flat_range_product)
    }

    /// The function that a single-valued relation is.
    ///
    /// # Errors
    /// If a map is not single-valued, or its values are no piecewise quasi-affine expression that can be found.
    pub fn from_union_map(map: &UnionMap) -> Result<UnionPwMultiAff, Error> {
        map.members().map(PwMultiAff::from_map).collect::<Result<Vec<PwMultiAff>, Error>>().map(|v| v.into_iter().collect())
    }
}

impl<E: Quasiaffine> From<&Union<Pw<E>>> for UnionMap {
    fn from(function: &Union<Pw<E>>) -> UnionMap {
        function.to_union_map()
    }
}

impl<E: Piece> Pw<E> {
    /// A simpler function that agrees with this one for the parameter values in `context`.
    pub fn gist_params(&self, context: &Params) -> Pw<E> {
        self.gist(&Set::from_params(context, self.domain_set_space().union_params(context.space())))
    }
}

impl<E: Quasiaffine> Pw<E> {
    fn to_map_from_domain(&self) -> Map {
        if self.space.is_map() { Map::from(self) } else { Set::from(self).to_map_from_unit() }
    }
}
