//! Tuples of expressions on several spaces: the partial schedules of bands.
//!
//! A band over statements `S` and `T` has one member per loop: `L_0[{ S[i, j] -> [(i)]; T[k] -> [(k)] }, { S[i, j] -> [(j)]; .. }]`.
//!
//! ```
//! use loopwright_presburger::{Aff, Dim, Int, MultiUnionPwAff, PwAff, Space, Tuple, UnionPwAff};
//! let s = Space::set(&["n"], Tuple::named("S", &["i", "j"]));
//! let t = Space::set(&["n"], Tuple::named("T", &["k"]));
//! let member = |s_dim, t_dim| -> UnionPwAff {
//!     [PwAff::from(Aff::var(&s, Dim::SET, s_dim)), PwAff::from(Aff::var(&t, Dim::SET, t_dim))].into_iter().collect()
//! };
//! let band = MultiUnionPwAff::from_members(Some("L_0"), vec![member(0, 0), member(1, 0)]);
//! let tiles = band.tile_starts(&[Int::from(32), Int::from(8)]);
//! let j = tiles.get(1).at(s.tuple()).unwrap();
//! assert_eq!(j.eval(&[Int::from(100)], &[Int::from(3), Int::from(21)]).unwrap().to_string(), "16");
//! ```

use super::{Aff, Multi, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, UnionPwAff, UnionPwMultiAff};
use crate::{Error, Int, Params, Set, Space, Tuple, Union, UnionMap, UnionSet};

impl MultiUnionPwAff {
    /// The tuple `name[members..]`.
    pub fn from_members(name: Option<&str>, members: Vec<UnionPwAff>) -> MultiUnionPwAff {
        let tuple = Tuple::anonymous(members.len()).with_name(name.map(Into::into));
        Multi::new(&Space::set(&[], tuple), members)
    }

    /// The tuple whose value on each statement is one of `statements`, on all of the statement's space.
    ///
    /// # Panics
    /// If a range tuple differs from `range`, or two functions have one domain.
    #[track_caller]
    pub fn from_multi_affs(range: &Tuple, statements: &[MultiAff]) -> MultiUnionPwAff {
        let mut members: Vec<UnionPwAff> = vec![Union::new(); range.len()];
        for f in statements {
            assert!(f.range_tuple() == range, "{} does not map to {range}", f.space());
            for (member, e) in members.iter_mut().zip(f.elements()) {
                assert!(member.insert(PwAff::from(e)).is_none(), "two functions on {}", f.space().domain());
            }
        }
        Multi::new(&Space::set(&[], range.clone()), members)
    }

    /// `{ x -> A[0, .., 0] : x in domain }` for the set space `range`.
    pub fn zero_on(range: &Space, domain: &UnionSet) -> MultiUnionPwAff {
        if range.tuple().is_empty() {
            return Multi::empty_tuple(range, domain.clone());
        }
        Multi::new(range, vec![UnionPwAff::constant_on(domain, &Int::ZERO); range.tuple().len()])
    }

    /// `{ x : every member is defined at x }`
    pub fn domain(&self) -> UnionSet {
        let mut all = self.domain.clone();
        for e in &self.elements {
            let d = e.domain();
            all = Some(all.map_or_else(|| d.clone(), |a| a.intersect(&d)));
        }
        all.unwrap_or_default()
    }

    /// The tuple restricted to `set` (a filter).
    pub fn intersect_domain(&self, set: &UnionSet) -> MultiUnionPwAff {
        self.restrict(|e| e.intersect_domain(set), |d| d.intersect(set))
    }

    /// The tuple restricted to the parameter values in `params`.
    pub fn intersect_params(&self, params: &Params) -> MultiUnionPwAff {
        self.restrict(|e| e.intersect_params(params), |d| d.intersect_params(params))
    }

    /// The tuple restricted to the points whose values are in `range` (a set of the tuple's space).
    ///
    /// # Panics
    /// If `range` is a set of another space.
    #[track_caller]
    pub fn intersect_range(&self, range: &Set) -> MultiUnionPwAff {
        if let Err(e) = range.space().check_same(&self.space.range()) {
            panic!("{e}");
        }
        let domain = if self.n() == 0 {
            self.domain().intersect_params(&range.params())
        } else {
            self.to_union_map().intersect_range(&UnionSet::from(range.clone())).domain()
        };
        self.intersect_domain(&domain)
    }

    /// A simpler tuple that agrees with this one on `context`.
    pub fn gist(&self, context: &UnionSet) -> MultiUnionPwAff {
        self.restrict(|e| e.gist(context), |d| d.gist(context))
    }

    /// A simpler tuple that agrees with this one for the parameter values in `context`.
    pub fn gist_params(&self, context: &Params) -> MultiUnionPwAff {
        self.restrict(|e| e.gist_params(context), |d| d.gist_params(context))
    }

    /// The same tuple with pieces merged where one expression serves several.
    pub fn coalesce(&self) -> MultiUnionPwAff {
        self.restrict(UnionPwAff::coalesce, UnionSet::coalesce)
    }

    fn restrict(&self, f: impl Fn(&UnionPwAff) -> UnionPwAff, g: impl Fn(&UnionSet) -> UnionSet) -> MultiUnionPwAff {
        let mut out = self.map_elements(f);
        out.domain = self.domain.as_ref().map(g);
        out
    }

    /// The sum where both are defined, one of them where only that one is.
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn union_add(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        let mut out = self.zip_elements(other, UnionPwAff::union_add);
        out.domain = self.domain.as_ref().zip(other.domain.as_ref()).map(|(a, b)| a.union(b));
        out
    }

    /// `self + by` where both are defined, `self` elsewhere: a shift of some statements.
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn shift(&self, by: &MultiUnionPwAff) -> MultiUnionPwAff {
        let mut out = self.zip_elements(by, UnionPwAff::shift);
        out.domain = self.domain.clone();
        out
    }

    /// Member `pos` plus `by` on the statement of `by`'s domain; the others stay.
    ///
    /// # Panics
    /// If there is no such member.
    #[track_caller]
    pub fn shift_at(&self, pos: usize, by: &Aff) -> MultiUnionPwAff {
        let by = UnionPwAff::from(PwAff::from(by));
        self.set(pos, self.get(pos).shift(&by))
    }

    /// Member `pos` plus `value` on all statements.
    ///
    /// # Panics
    /// If there is no such member.
    #[track_caller]
    pub fn shift_all(&self, pos: usize, value: &Int) -> MultiUnionPwAff {
        let member = self.get(pos).map_functions(|m| m.map_pieces(|e| e.add_constant(value)));
        self.set(pos, member)
    }

    /// Member `pos` plus `factor` times the parameter `name` on all statements.
    ///
    /// # Panics
    /// If there is no such member.
    #[track_caller]
    pub fn shift_all_by_param(&self, pos: usize, name: &str, factor: &Int) -> MultiUnionPwAff {
        let by = |e: &Aff| Aff::param(&e.domain, name).scale(factor);
        let member = self.get(pos).map_functions(|m| m.map_pieces(|e| e.add(&by(e))));
        self.set(pos, member)
    }

    /// The domain tuples on which all members are defined.
    pub fn statements(&self) -> Vec<&Tuple> {
        let Some((first, rest)) = self.elements.split_first() else {
            return self.domain.iter().flat_map(|d| d.members().map(|s| s.space().tuple())).collect();
        };
        let tuples = first.by_tuple().filter_map(|(t, _)| t);
        tuples.filter(|t| rest.iter().all(|e| e.at(t).is_some())).collect()
    }

    /// The functions of the statement on `domain`, if all members have one (a tuple without members: if its domain has one).
    pub fn at(&self, domain: &Tuple) -> Option<MultiPwAff> {
        let parts: Vec<PwAff> = self.elements.iter().map(|e| e.at(domain).cloned()).collect::<Option<_>>()?;
        let space = self.space.with_tuples(Some(domain.clone()), Some(self.range_tuple().clone()));
        match &self.domain {
            Some(d) => d.get_by_tuples(None, Some(domain)).map(|s| Multi::empty_tuple(&space, s.clone())),
            None => Some(Multi::new(&space, parts)),
        }
    }

    /// The function on each space, as one piecewise tuple each; functions of parameters alone apart.
    pub fn to_union_pw_multi_aff(&self) -> UnionPwMultiAff {
        let mut out = Union::new();
        for t in self.statements() {
            let f = self.at(t).map(|m| PwMultiAff::from(&m));
            if let Some(f) = f.filter(|f| !f.is_obviously_nowhere()) {
                out.insert(f);
            }
        }
        if let Some(f) = self.of_params().map(|m| PwMultiAff::from(&m)).filter(|f| !f.is_obviously_nowhere()) {
            out.insert(f);
        }
        out
    }

    // The tuple of functions of parameters alone, if all members have one.
    fn of_params(&self) -> Option<MultiPwAff> {
        let value = Tuple::anonymous(1);
        let parts: Vec<PwAff> =
            self.elements.iter().map(|e| e.get_by_tuples(None, Some(&value)).cloned()).collect::<Option<_>>()?;
        (!parts.is_empty()).then(|| Multi::new(&self.space, parts))
    }

    /// `{ x -> y : y = self(x) }`; functions of parameters alone become maps from `[]`.
    pub fn to_union_map(&self) -> UnionMap {
        self.to_union_pw_multi_aff().to_union_map()
    }

    /// The tuple that has the values of `function`, whose members all must have one range tuple.
    ///
    /// # Errors
    /// If there is no member, or the range tuples differ.
    pub fn from_union_pw_multi_aff(function: &UnionPwMultiAff) -> Result<MultiUnionPwAff, Error> {
        let mut members = function.members();
        let Some(first) = members.next() else {
            return Err(Error::Domain("no function: the tuple of an empty union is not known".into()));
        };
        let range = first.range_space();
        if let Some(other) = members.find(|m| !m.range_space().same_tuples(&range)) {
            return Err(crate::SpaceMismatch { left: Box::new(range), right: Box::new(other.range_space()) }.into());
        }
        if range.tuple().is_empty() {
            return Ok(Multi::empty_tuple(&range, function.domain()));
        }
        let member = |i: usize| -> UnionPwAff { function.members().map(|m| m.get(i)).collect() };
        Ok(Multi::new(&range, (0..range.tuple().len()).map(member).collect()))
    }

    /// The tuple that a single-valued relation into one space is.
    ///
    /// # Errors
    /// If the relation has no map, is not single-valued, or its maps have different range tuples.
    pub fn from_union_map(map: &UnionMap) -> Result<MultiUnionPwAff, Error> {
        MultiUnionPwAff::from_union_pw_multi_aff(&UnionPwMultiAff::from_union_map(map)?)
    }

    // A part without members restricts the other one by its explicit domain.
    fn restricting(&self, other: &MultiUnionPwAff) -> (MultiUnionPwAff, MultiUnionPwAff) {
        let by = |a: &MultiUnionPwAff, b: &MultiUnionPwAff| match &b.domain {
            Some(d) => a.intersect_domain(d),
            None => a.clone(),
        };
        (by(self, other), by(other, self))
    }

    /// `{ x -> [self(x) -> other(x)] }`
    pub fn range_product(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        let (a, b) = self.restricting(other);
        a.range_product_elements(&b)
    }

    /// `{ x -> [self_0(x), .., other_0(x), ..] }`: the members of two bands in one.
    pub fn flat_range_product(&self, other: &MultiUnionPwAff) -> MultiUnionPwAff {
        let (a, b) = self.restricting(other);
        a.flat_range_product_elements(&b)
    }

    /// Members `first .. first + n` under the tuple's name.
    ///
    /// # Panics
    /// If they do not exist.
    #[track_caller]
    pub fn members(&self, first: usize, n: usize) -> MultiUnionPwAff {
        let tuple = Tuple::new(self.name().cloned(), self.range_tuple().labels()[first..first + n].to_vec());
        self.part(first, n, tuple, || self.domain())
    }

    /// `{ x -> A[..] }` for `{ x -> [A[..] -> B[..]] }`; `None` if the range is not wrapped.
    pub fn range_factor_domain(&self) -> Option<MultiUnionPwAff> {
        let (a, _) = self.range_tuple().unwrapped()?;
        Some(self.part(0, a.len(), a.clone(), || self.domain()))
    }

    /// `{ x -> B[..] }` for `{ x -> [A[..] -> B[..]] }`; `None` if the range is not wrapped.
    pub fn range_factor_range(&self) -> Option<MultiUnionPwAff> {
        let (a, b) = self.range_tuple().unwrapped()?;
        Some(self.part(a.len(), b.len(), b.clone(), || self.domain()))
    }

    /// `x -> self(f(x))`, where `f` is defined.
    pub fn pullback(&self, f: &UnionPwMultiAff) -> MultiUnionPwAff {
        if let Some(domain) = &self.domain {
            let inside = UnionMap::from(f).intersect_range(domain).domain();
            return Multi::empty_tuple(&self.space, inside);
        }
        self.map_elements(|e| e.pullback(f))
    }

    /// `x -> f(self(x))` for a function of the tuple.
    ///
    /// # Panics
    /// If the domain tuple of `f` is not the tuple of this function.
    #[track_caller]
    pub fn apply_pw_aff(&self, f: &PwAff) -> UnionPwAff {
        self.applied(f.space());
        self.to_union_pw_multi_aff().map_functions(|m| f.pullback_pw(m))
    }

    /// `x -> f(self(x))` for a tuple of functions of the tuple.
    ///
    /// # Panics
    /// If the domain tuple of `f` is not the tuple of this function.
    #[track_caller]
    pub fn apply_pw_multi_aff(&self, f: &PwMultiAff) -> MultiUnionPwAff {
        self.applied(f.space());
        let space = self.space.union_params(f.space()).with_tuples(None, f.space().range_tuple().cloned());
        let composed: UnionPwMultiAff = self.to_union_pw_multi_aff().map_functions(|m| f.pullback_pw(m));
        if f.n() == 0 {
            return Multi::empty_tuple(&space, composed.domain());
        }
        let member = |i: usize| -> UnionPwAff { composed.members().map(|m| m.get(i)).collect() };
        Multi::new(&space, (0..f.n()).map(member).collect())
    }

    /// `x -> f(self(x))` for a tuple of functions of the tuple.
    ///
    /// # Panics
    /// If the domain tuple of `f` is not the tuple of this function.
    #[track_caller]
    pub fn apply_multi_aff(&self, f: &MultiAff) -> MultiUnionPwAff {
        self.apply_pw_multi_aff(&PwMultiAff::from(f))
    }

    #[track_caller]
    fn applied(&self, f: &Space) {
        assert!(f.domain_tuple() == self.space.range_tuple(), "a function of {f} applied to values of {}", self.space);
    }

    /// `{ x : self(x) = [0, .., 0] }`
    pub fn zero_union_set(&self) -> UnionSet {
        let zero = |d: UnionSet, e: &UnionPwAff| d.intersect(&e.zero_union_set());
        self.elements.iter().fold(self.domain(), zero)
    }

    /// Whether both tuples have the same domain and the same values on it. NaN equals nothing.
    pub fn is_equal(&self, other: &MultiUnionPwAff) -> bool {
        if !self.space.same_tuples(&other.space) {
            return false;
        }
        match (&self.domain, &other.domain) {
            (Some(a), Some(b)) => a.is_equal(b),
            _ => self.elements.iter().zip(&other.elements).all(|(a, b)| a.is_equal(b)),
        }
    }
}

impl From<&MultiUnionPwAff> for UnionMap {
    fn from(function: &MultiUnionPwAff) -> UnionMap {
        function.to_union_map()
    }
}

impl From<&MultiPwAff> for MultiUnionPwAff {
    fn from(multi: &MultiPwAff) -> MultiUnionPwAff {
        let space = multi.space().range();
        match &multi.domain {
            Some(d) => Multi::empty_tuple(&space, UnionSet::from(d.clone())),
            None => Multi::new(&space, multi.elements.iter().map(|e| UnionPwAff::from(e.clone())).collect()),
        }
    }
}

impl From<&MultiAff> for MultiUnionPwAff {
    fn from(multi: &MultiAff) -> MultiUnionPwAff {
        MultiUnionPwAff::from(&MultiPwAff::from(multi))
    }
}
