//! Piecewise tuples: products, composition, evaluation, and the way from and to tuples of piecewise expressions.

use super::pw::common;
use super::{Aff, Multi, MultiAff, MultiPwAff, Pw, PwAff, PwMultiAff, preimage, set_space};
use crate::budget::within;
use crate::rat::Rat;
use crate::{Budget, BudgetSpent, Int, Set, Space, Tuple};

impl From<MultiAff> for PwMultiAff {
    fn from(multi: MultiAff) -> PwMultiAff {
        Pw::on(Set::universe(set_space(&multi.domain_space())), multi)
    }
}

impl From<&MultiAff> for PwMultiAff {
    fn from(multi: &MultiAff) -> PwMultiAff {
        PwMultiAff::from(multi.clone())
    }
}

impl From<&PwAff> for PwMultiAff {
    fn from(pa: &PwAff) -> PwMultiAff {
        let tuple = |e: &Aff| Multi::new(&e.space(), vec![e.clone()]);
        Pw::disjoint(pa.space.clone(), pa.pieces.iter().map(|(d, e)| (d.clone(), tuple(e))).collect())
    }
}

impl From<PwAff> for PwMultiAff {
    fn from(pa: PwAff) -> PwMultiAff {
        PwMultiAff::from(&pa)
    }
}

impl PwMultiAff {
    /// `{ S[i, j] -> S[i, j] }` for a set space.
    #[track_caller]
    pub fn identity(space: &Space) -> PwMultiAff {
        PwMultiAff::from(MultiAff::identity(space))
    }

    /// The elements' values at a point: parameters in the order of the space, coordinates of the domain tuple. `None` where
    /// undefined or NaN.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Option<Vec<Rat>> {
        self.piece_at(params, coords).and_then(|e| e.eval(params, coords))
    }

    /// The tuple, if there is obviously one piece that is defined everywhere.
    pub fn as_multi_aff(&self) -> Option<&MultiAff> {
        self.as_total()
    }

    /// Element `pos` as a function of its own.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn get(&self, pos: usize) -> PwAff {
        let space = self.space.with_tuples(self.space.domain_tuple().cloned(), Some(Tuple::anonymous(1)));
        Pw::disjoint(space, self.pieces.iter().map(|(d, e)| (d.clone(), e.get(pos).clone())).collect())
    }

    /// The number of elements.
    pub fn n(&self) -> usize {
        self.space.dim(crate::Dim::Out)
    }

    /// This function with another range tuple of as many dimensions.
    ///
    /// # Panics
    /// If the number of dimensions differs.
    #[track_caller]
    pub fn with_range_tuple(&self, tuple: Tuple) -> PwMultiAff {
        assert_eq!(tuple.len(), self.n(), "{tuple} has another number of dimensions than {}", self.space);
        let space = self.space.with_tuples(self.space.domain_tuple().cloned(), Some(tuple.clone()));
        Pw::disjoint(space, self.pieces.iter().map(|(d, e)| (d.clone(), e.with_range_tuple(tuple.clone()))).collect())
    }

    #[track_caller]
    fn joined_within(
        &self,
        other: &PwMultiAff,
        range: Tuple,
        budget: &Budget,
        f: impl Fn(&MultiAff, &MultiAff) -> MultiAff,
    ) -> Result<PwMultiAff, BudgetSpent> {
        assert!(
            self.space.domain_tuple() == other.space.domain_tuple(),
            "the functions live on different domains: {} against {}",
            self.space,
            other.space
        );
        let space = self.space.union_params(&other.space).with_tuples(self.space.domain_tuple().cloned(), Some(range));
        self.pairwise_within(other, space, budget, |d, a, b| Ok(vec![(d.clone(), f(a, b))]))
    }

    /// [`PwMultiAff::range_product`] under a budget.
    #[track_caller]
    pub fn range_product_within(&self, other: &PwMultiAff, budget: &Budget) -> Result<PwMultiAff, BudgetSpent> {
        let range = Tuple::wrapped(self.space.tuple().clone(), other.space.tuple().clone());
        self.joined_within(other, range, budget, MultiAff::range_product)
    }

    /// [`PwMultiAff::flat_range_product`] under a budget.
    #[track_caller]
    pub fn flat_range_product_within(&self, other: &PwMultiAff, budget: &Budget) -> Result<PwMultiAff, BudgetSpent> {
        let range = Tuple::new(None, [self.space.tuple().labels(), other.space.tuple().labels()].concat());
        self.joined_within(other, range, budget, MultiAff::flat_range_product)
    }

    within! {
        /// `{ x -> [self(x) -> other(x)] }` where both are defined.
        ///
        /// # Panics
        /// If the domains differ.
        pub fn range_product = range_product_within(&self, other: &PwMultiAff) -> PwMultiAff;
        /// `{ x -> [self_0(x), .., other_0(x), ..] }` where both are defined.
        ///
        /// # Panics
        /// If the domains differ.
        pub fn flat_range_product = flat_range_product_within(&self, other: &PwMultiAff) -> PwMultiAff;
    }

    /// `{ [x -> y] -> [self(x) -> other(y)] }`
    ///
    /// # Panics
    /// If one is a function of parameters alone and the other is not.
    #[track_caller]
    pub fn product(&self, other: &PwMultiAff) -> PwMultiAff {
        if self.space.is_set() && other.space.is_set() {
            return self.range_product(other);
        }
        let (Some(a), Some(b)) = (self.space.domain_tuple(), other.space.domain_tuple()) else {
            panic!("product of {} and {}", self.space, other.space);
        };
        let pair = self.space.union_params(&other.space).with_tuples(Some(a.clone()), Some(b.clone()));
        self.pullback(&MultiAff::domain_map(&pair)).range_product(&other.pullback(&MultiAff::range_map(&pair)))
    }

    /// `x -> self(f(x))`, where `f` is defined.
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback(&self, f: &MultiAff) -> PwMultiAff {
        self.after_multi(f)
    }

    /// `x -> self(f(x))`, where `f` is defined.
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback_pw(&self, f: &PwMultiAff) -> PwMultiAff {
        preimage::compose(self, f, &Budget::UNLIMITED).expect("an unlimited budget is never spent")
    }

    /// The pieces of all elements refined to common ones, restricted to the explicit domain.
    pub fn from_multi_pw_aff_within(multi: &MultiPwAff, budget: &Budget) -> Result<PwMultiAff, BudgetSpent> {
        let space = multi.space.clone();
        let domain = multi.domain.clone().unwrap_or_else(|| Set::universe(set_space(&space.domain())));
        let mut parts: Vec<(Set, Vec<Aff>)> = vec![(domain, Vec::new())];
        for e in &multi.elements {
            let mut next = Vec::new();
            for (d, done) in &parts {
                for (piece, aff) in &e.pieces {
                    budget.spend(1)?;
                    if let Some(both) = common(d, piece, budget)? {
                        next.push((both, [done.clone(), vec![aff.clone()]].concat()));
                    }
                }
            }
            parts = next;
        }
        Ok(Pw::disjoint(space.clone(), parts.into_iter().map(|(d, es)| (d, Multi::new(&space, es))).collect()))
    }

    /// The tuple of the elements as functions of their own.
    pub fn to_multi_pw_aff(&self) -> MultiPwAff {
        if self.n() == 0 {
            return Multi::empty_tuple(&self.space, self.domain());
        }
        Multi::new(&self.space, (0..self.n()).map(|i| self.get(i)).collect())
    }
}

impl From<&MultiPwAff> for PwMultiAff {
    fn from(multi: &MultiPwAff) -> PwMultiAff {
        PwMultiAff::from_multi_pw_aff_within(multi, &Budget::UNLIMITED).expect("an unlimited budget is never spent")
    }
}

impl From<&PwMultiAff> for MultiPwAff {
    fn from(pma: &PwMultiAff) -> MultiPwAff {
        pma.to_multi_pw_aff()
    }
}
