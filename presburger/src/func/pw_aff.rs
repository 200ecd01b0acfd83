//! Piecewise affine expressions: comparisons, minima and maxima, truncated division, choice.

use super::pw::common;
use super::{Aff, Comparison, MultiAff, Pw, PwAff, PwMultiAff, preimage, set_space};
use crate::budget::within;
use crate::rat::Rat;
use crate::{Budget, BudgetSpent, Error, Int, Set, Space};

impl From<Aff> for PwAff {
    fn from(aff: Aff) -> PwAff {
        Pw::on(Set::universe(set_space(&aff.domain)), aff)
    }
}

impl From<&Aff> for PwAff {
    fn from(aff: &Aff) -> PwAff {
        PwAff::from(aff.clone())
    }
}

impl PwAff {
    /// `{ x -> [0] }` on a domain: a set space, or a space of parameters.
    #[track_caller]
    pub fn zero(domain: &Space) -> PwAff {
        PwAff::from(Aff::zero(domain))
    }

    /// `{ x -> [value] : x in domain }`
    #[track_caller]
    pub fn constant_on(domain: &Set, value: &Int) -> PwAff {
        Pw::on(domain.clone(), Aff::constant(domain.space(), value))
    }

    /// `1` on `set`, `0` elsewhere.
    pub fn indicator(set: &Set) -> PwAff {
        let yes = Aff::constant(set.space(), &Int::ONE);
        let all = Set::universe(set.space().clone());
        let space = yes.space();
        Pw::from_pieces(&space, vec![(set.clone(), yes), (all, Aff::zero(set.space()))])
    }

    /// The value, if the function is obviously one constant everywhere.
    pub fn as_constant(&self) -> Option<Rat> {
        self.as_total().and_then(Aff::as_constant)
    }

    /// The integer value, if the function is obviously one constant integer everywhere.
    pub fn as_int(&self) -> Option<Int> {
        self.as_total().and_then(Aff::as_int)
    }

    /// Whether every piece is obviously the same constant.
    pub fn is_constant(&self) -> bool {
        let first = self.pieces.first().and_then(|(_, e)| e.as_constant());
        first.is_some() && self.pieces.iter().all(|(_, e)| e.as_constant() == first)
    }

    /// The value at a point: parameters in the order of the space, coordinates of the domain tuple. `None` where undefined or NaN.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Option<Rat> {
        self.piece_at(params, coords).and_then(|e| e.eval(params, coords))
    }

    /// `x -> self(x) * other(x)`
    ///
    /// # Errors
    /// If on some piece both factors vary.
    #[track_caller]
    pub fn mul(&self, other: &PwAff) -> Result<PwAff, Error> {
        self.fallible(other, Aff::mul)
    }

    /// `x -> self(x) / other(x)`, exact and rational.
    ///
    /// # Errors
    /// If the divisor varies on some piece.
    #[track_caller]
    pub fn div(&self, other: &PwAff) -> Result<PwAff, Error> {
        self.fallible(other, Aff::div)
    }

    #[track_caller]
    fn fallible(&self, other: &PwAff, f: impl Fn(&Aff, &Aff) -> Result<Aff, Error>) -> Result<PwAff, Error> {
        let mut failed = None;
        let space = self.space.union_params(&other.space);
        let out = self.pairwise_within(other, space, &Budget::UNLIMITED, |d, a, b| {
            Ok(match f(a, b) {
                Ok(e) => vec![(d.clone(), e)],
                Err(e) => {
                    failed = Some(e);
                    Vec::new()
                }
            })
        })?;
        failed.map_or(Ok(out), Err)
    }

    /// The quotient `self / divisor` truncated towards zero, as C's `/`.
    ///
    /// # Panics
    /// If `divisor` is 0.
    #[track_caller]
    pub fn tdiv_q(&self, divisor: &Int) -> PwAff {
        assert!(!divisor.is_zero(), "division by zero");
        let quotient = self.scale_down(divisor);
        let mut pieces = Vec::new();
        for (d, e) in &quotient.pieces {
            pieces.push((d.intersect(&e.nonneg_set()), e.floor()));
            pieces.push((d.intersect(&e.neg_set()), e.ceil()));
        }
        let all = Pw::disjoint(quotient.space.clone(), pieces);
        all.drop_empty_within(&Budget::UNLIMITED).unwrap_or(all)
    }

    /// The remainder `self - divisor * tdiv_q(self, divisor)`, with the sign of the dividend, as C's `%`.
    ///
    /// # Panics
    /// If `divisor` is 0.
    #[track_caller]
    pub fn tdiv_r(&self, divisor: &Int) -> PwAff {
        self.sub(&self.tdiv_q(divisor).scale(divisor))
    }

    /// `{ x : self(x) op 0 }`
    pub fn sign_set(&self, op: Comparison) -> Set {
        let parts: Vec<Set> = self.pieces.iter().map(|(d, e)| d.intersect(&e.sign_set(op))).collect();
        Set::union_all(self.domain_set_space(), &parts)
    }

    /// [`PwAff::compare`] under a budget.
    #[track_caller]
    pub fn compare_within(&self, op: Comparison, other: &PwAff, budget: &Budget) -> Result<Set, BudgetSpent> {
        if let Err(e) = self.space.check_same(&other.space) {
            panic!("{e}");
        }
        let mut parts = Vec::new();
        for (d, a) in &self.pieces {
            for (e, b) in &other.pieces {
                if let Some(both) = common(d, e, budget)? {
                    parts.push(both.intersect(&a.compare(op, b)));
                }
            }
        }
        Ok(Set::union_all(set_space(&self.domain_space().union_params(&other.space)), &parts))
    }

    // The left operand where `op` holds, the right one where it does not.
    #[track_caller]
    fn choose(d: &Set, a: &Aff, b: &Aff, op: Comparison, budget: &Budget) -> Result<Vec<(Set, Aff)>, BudgetSpent> {
        if a == b || a.is_nan() {
            return Ok(vec![(d.clone(), a.clone())]);
        }
        if b.is_nan() {
            return Ok(vec![(d.clone(), b.clone())]);
        }
        let mut out = Vec::new();
        for (op, e) in [(op, a), (op.negated(), b)] {
            if let Some(part) = common(d, &a.compare(op, b), budget)? {
                out.push((part, e.clone()));
            }
        }
        Ok(out)
    }

    #[track_caller]
    fn best_within(&self, other: &PwAff, op: Comparison, budget: &Budget) -> Result<PwAff, BudgetSpent> {
        if let Err(e) = self.space.check_same(&other.space) {
            panic!("{e}");
        }
        let space = self.space.union_params(&other.space);
        self.pairwise_within(other, space, budget, |d, a, b| PwAff::choose(d, a, b, op, budget))
    }

    /// [`PwAff::min`] under a budget.
    #[track_caller]
    pub fn min_within(&self, other: &PwAff, budget: &Budget) -> Result<PwAff, BudgetSpent> {
        self.best_within(other, Comparison::Le, budget)
    }

    /// [`PwAff::max`] under a budget.
    #[track_caller]
    pub fn max_within(&self, other: &PwAff, budget: &Budget) -> Result<PwAff, BudgetSpent> {
        self.best_within(other, Comparison::Ge, budget)
    }

    /// [`PwAff::union_min`] under a budget.
    #[track_caller]
    pub fn union_min_within(&self, other: &PwAff, budget: &Budget) -> Result<PwAff, BudgetSpent> {
        self.union_with_within(other, budget, |d, a, b| PwAff::choose(d, a, b, Comparison::Le, budget))
    }

    /// [`PwAff::union_max`] under a budget.
    #[track_caller]
    pub fn union_max_within(&self, other: &PwAff, budget: &Budget) -> Result<PwAff, BudgetSpent> {
        self.union_with_within(other, budget, |d, a, b| PwAff::choose(d, a, b, Comparison::Ge, budget))
    }

    within! {
        /// `{ x : self(x) op other(x) }`, where both are defined.
        ///
        /// # Panics
        /// If the domain tuples differ.
        pub fn compare = compare_within(&self, op: Comparison, other: &PwAff) -> Set;
        /// `x -> min(self(x), other(x))` where both are defined.
        ///
        /// # Panics
        /// If the domain tuples differ.
        pub fn min = min_within(&self, other: &PwAff) -> PwAff;
        /// `x -> max(self(x), other(x))` where both are defined.
        ///
        /// # Panics
        /// If the domain tuples differ.
        pub fn max = max_within(&self, other: &PwAff) -> PwAff;
        /// The minimum where both are defined, one of them where only that one is.
        ///
        /// # Panics
        /// If the domain tuples differ.
        pub fn union_min = union_min_within(&self, other: &PwAff) -> PwAff;
        /// The maximum where both are defined, one of them where only that one is.
        ///
        /// # Panics
        /// If the domain tuples differ.
        pub fn union_max = union_max_within(&self, other: &PwAff) -> PwAff;
    }

    /// `{ x : self(x) <= other(x) }`, where both are defined.
    ///
    /// # Panics
    /// If the domain tuples differ (as the other comparisons).
    #[track_caller]
    pub fn le_set(&self, other: &PwAff) -> Set {
        self.compare(Comparison::Le, other)
    }

    /// `{ x : self(x) < other(x) }`, where both are defined.
    #[track_caller]
    pub fn lt_set(&self, other: &PwAff) -> Set {
        self.compare(Comparison::Lt, other)
    }

    /// `{ x : self(x) >= other(x) }`, where both are defined.
    #[track_caller]
    pub fn ge_set(&self, other: &PwAff) -> Set {
        self.compare(Comparison::Ge, other)
    }

    /// `{ x : self(x) > other(x) }`, where both are defined.
    #[track_caller]
    pub fn gt_set(&self, other: &PwAff) -> Set {
        self.compare(Comparison::Gt, other)
    }

    /// `{ x : self(x) = other(x) }`, where both are defined.
    #[track_caller]
    pub fn eq_set(&self, other: &PwAff) -> Set {
        self.compare(Comparison::Eq, other)
    }

    /// `{ x : self(x) != other(x) }`, where both are defined.
    #[track_caller]
    pub fn ne_set(&self, other: &PwAff) -> Set {
        self.compare(Comparison::Ne, other)
    }

    /// `{ x : self(x) = 0 }`
    pub fn zero_set(&self) -> Set {
        self.sign_set(Comparison::Eq)
    }

    /// `{ x : self(x) != 0 }`
    pub fn non_zero_set(&self) -> Set {
        self.sign_set(Comparison::Ne)
    }

    /// `{ x : self(x) >= 0 }`
    pub fn nonneg_set(&self) -> Set {
        self.sign_set(Comparison::Ge)
    }

    /// `{ x : self(x) > 0 }`
    pub fn pos_set(&self) -> Set {
        self.sign_set(Comparison::Gt)
    }

    /// `{ x : self(x) < 0 }`
    pub fn neg_set(&self) -> Set {
        self.sign_set(Comparison::Lt)
    }

    /// `then` where `self` is not zero, `otherwise` where it is.
    ///
    /// # Panics
    /// If the domain tuples differ.
    #[track_caller]
    pub fn cond(&self, then: &PwAff, otherwise: &PwAff) -> PwAff {
        let (a, b) = (then.intersect_domain(&self.non_zero_set()), otherwise.intersect_domain(&self.zero_set()));
        Pw::disjoint(a.space.union_params(&b.space), [a.pieces, b.pieces].concat())
    }

    /// `x -> self(f(x))`, where `f` is defined.
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback(&self, f: &MultiAff) -> PwAff {
        self.after_multi(f)
    }

    /// `x -> self(f(x))`, where `f` is defined.
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback_pw(&self, f: &PwMultiAff) -> PwAff {
        preimage::compose(self, f, &Budget::UNLIMITED).expect("an unlimited budget is never spent")
    }
}
