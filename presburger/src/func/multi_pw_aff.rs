//! Tuples of piecewise expressions: products, domains, composition.

use super::{Multi, MultiAff, MultiPwAff, PwAff, PwMultiAff, preimage, set_space};
use crate::rat::Rat;
use crate::{Budget, Int, Params, Set, Space, Tuple};

impl From<&MultiAff> for MultiPwAff {
    fn from(multi: &MultiAff) -> MultiPwAff {
        Multi::new(&multi.space, multi.elements.iter().map(PwAff::from).collect())
    }
}

impl MultiPwAff {
    /// `{ S[i, j] -> S[i, j] }` for a set space.
    #[track_caller]
    pub fn identity(space: &Space) -> MultiPwAff {
        MultiPwAff::from(&MultiAff::identity(space))
    }

    /// The domain space: a set space, or parameters alone.
    pub fn domain_space(&self) -> Space {
        self.space.domain()
    }

    pub(crate) fn domain_set_space(&self) -> Space {
        set_space(&self.space.domain())
    }

    /// `{ x : every element is defined at x }`
    pub fn domain(&self) -> Set {
        let all = self.domain.clone().unwrap_or_else(|| Set::universe(self.domain_set_space()));
        self.elements.iter().fold(all, |d, e| d.intersect(&e.domain()))
    }

    /// The elements' values at a point. `None` where one is undefined or NaN.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Option<Vec<Rat>> {
        let named: Vec<(&str, Int)> = self.space.param_ids().iter().map(|p| &**p).zip(params.iter().cloned()).collect();
        if self.domain.as_ref().is_some_and(|d| !d.align_params(&self.space).contains_point(&named, coords)) {
            return None;
        }
        self.elements.iter().map(|e| e.eval(params, coords)).collect()
    }

    /// Whether a piece of an element is NaN.
    pub fn involves_nan(&self) -> bool {
        self.elements.iter().any(PwAff::involves_nan)
    }

    /// The tuple restricted to `set` (over `[]` for functions of parameters alone).
    ///
    /// # Panics
    /// If `set` is no set of the domain space.
    #[track_caller]
    pub fn intersect_domain(&self, set: &Set) -> MultiPwAff {
        let mut out = self.map_elements(|e| e.intersect_domain(set));
        out.domain = self.domain.as_ref().map(|d| d.intersect(set));
        out
    }

    /// The tuple restricted to the parameter values in `params`.
    pub fn intersect_params(&self, params: &Params) -> MultiPwAff {
        let mut out = self.map_elements(|e| e.intersect_params(params));
        out.domain = self.domain.as_ref().map(|d| d.intersect_params(params));
        out
    }

    // A part without elements restricts the other one by its explicit domain.
    #[track_caller]
    fn restricting(&self, other: &MultiPwAff) -> (MultiPwAff, MultiPwAff) {
        let by = |a: &MultiPwAff, b: &MultiPwAff| b.domain.as_ref().map_or_else(|| a.clone(), |d| a.intersect_domain(d));
        (by(self, other), by(other, self))
    }

    /// `{ x -> [self(x) -> other(x)] }`
    ///
    /// # Panics
    /// If the domains differ.
    #[track_caller]
    pub fn range_product(&self, other: &MultiPwAff) -> MultiPwAff {
        let (a, b) = self.restricting(other);
        a.range_product_elements(&b)
    }

    /// `{ x -> [self_0(x), .., other_0(x), ..] }`
    ///
    /// # Panics
    /// If the domains differ.
    #[track_caller]
    pub fn flat_range_product(&self, other: &MultiPwAff) -> MultiPwAff {
        let (a, b) = self.restricting(other);
        a.flat_range_product_elements(&b)
    }

    /// `{ [x -> y] -> [self(x) -> other(y)] }`
    ///
    /// # Panics
    /// If one is a function of parameters alone and the other is not.
    #[track_caller]
    pub fn product(&self, other: &MultiPwAff) -> MultiPwAff {
        if self.space.is_set() && other.space.is_set() {
            return self.range_product(other);
        }
        let (Some(a), Some(b)) = (self.space.domain_tuple(), other.space.domain_tuple()) else {
            panic!("product of {} and {}", self.space, other.space);
        };
        let pair = self.space.union_params(&other.space).with_tuples(Some(a.clone()), Some(b.clone()));
        self.pullback(&MultiAff::domain_map(&pair)).range_product(&other.pullback(&MultiAff::range_map(&pair)))
    }

    /// `{ x -> A[..] }` for `{ x -> [A[..] -> B[..]] }`; `None` if the range is not wrapped.
    pub fn range_factor_domain(&self) -> Option<MultiPwAff> {
        let (a, _) = self.range_tuple().unwrapped()?;
        Some(self.part(0, a.len(), a.clone(), || self.domain()))
    }

    /// `{ x -> B[..] }` for `{ x -> [A[..] -> B[..]] }`; `None` if the range is not wrapped.
    pub fn range_factor_range(&self) -> Option<MultiPwAff> {
        let (a, b) = self.range_tuple().unwrapped()?;
        Some(self.part(a.len(), b.len(), b.clone(), || self.domain()))
    }

    /// `x -> self(f(x))`
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback(&self, f: &MultiAff) -> MultiPwAff {
        self.pullback_pw(&PwMultiAff::from(f))
    }

    /// `x -> self(f(x))`, where `f` is defined.
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback_pw(&self, f: &PwMultiAff) -> MultiPwAff {
        let tuple =
            |t: &Tuple| self.space.union_params(f.space()).with_tuples(f.space().domain_tuple().cloned(), Some(t.clone()));
        let space = tuple(self.range_tuple());
        if let Some(domain) = &self.domain {
            let inside = |(d, e): &(Set, MultiAff)| match preimage::preimage(domain, e, &Budget::UNLIMITED) {
                Ok(s) => s.intersect(d),
                Err(_) => unreachable!("an unlimited budget is never spent"),
            };
            let parts: Vec<Set> = f.pieces().iter().map(inside).collect();
            return Multi::empty_tuple(&space, Set::union_all(set_space(&space.domain()), &parts));
        }
        Multi::new(&space, self.elements.iter().map(|e| e.pullback_pw(f)).collect())
    }

    /// Whether both tuples have the same domain and the same values on it. NaN equals nothing.
    pub fn is_equal(&self, other: &MultiPwAff) -> bool {
        self.space.same_tuples(&other.space) && PwMultiAff::from(self).is_equal(&PwMultiAff::from(other))
    }
}
