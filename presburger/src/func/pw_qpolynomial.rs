//! Quasi-polynomials in pieces, zero outside: `[n] -> { [i] -> 1/2 * i * n : 0 <= i < n }`.

use super::{Arithmetic, MultiAff, Outside, Piece, Pw, PwAff, PwQPolynomial, QPolynomial, UnionPwQPolynomial};
use crate::budget::within;
use crate::{Budget, BudgetSpent, Dim, Error, Int, Point, Rat, Set, Space, Union, Val};

impl Arithmetic for QPolynomial {
    fn known_params(&self) -> Space {
        self.domain.params_space()
    }
    fn with_params_of(&self, model: &Space) -> QPolynomial {
        self.align_params(model)
    }
    fn plus(&self, other: &QPolynomial) -> QPolynomial {
        self.add(other)
    }
    fn negated(&self) -> QPolynomial {
        self.neg()
    }
    fn times(&self, factor: &Int) -> QPolynomial {
        self.scale(factor)
    }
    fn over(&self, divisor: &Int) -> QPolynomial {
        self.scale_down(divisor)
    }
}

impl Piece for QPolynomial {
    const OUTSIDE: Outside = Outside::Zero;
    fn function_space(&self) -> Space {
        self.space()
    }
    fn after(&self, f: &MultiAff) -> QPolynomial {
        self.pullback(f)
    }
    // Where polynomials agree is no set in general; equal forms agree everywhere, and equal gists on the context.
    fn agrees_on(&self, other: &QPolynomial, domain: &Set, budget: &Budget) -> Result<bool, BudgetSpent> {
        if self.is_nan() || self == other {
            return Ok(!self.is_nan());
        }
        let a = self.align_params(&other.domain).align_params(domain.space());
        let b = other.align_params(&a.domain);
        let domain = domain.align_params(&a.domain);
        if let Some(point) = domain.sample_within(budget)? {
            let coords = if a.domain.is_params() { &[][..] } else { &point.coords };
            if a.eval(&point.params, coords) != b.eval(&point.params, coords) {
                return Ok(false);
            }
        }
        Ok(a.sub(&b).gist(&domain).is_obviously_zero())
    }
    fn simplified_on(&self, context: &Set) -> QPolynomial {
        self.gist(context)
    }
    fn has_nan(&self) -> bool {
        self.is_nan()
    }
}

impl From<&PwAff> for PwQPolynomial {
    /// The same values; zero where `function` is undefined.
    fn from(function: &PwAff) -> PwQPolynomial {
        let pieces = function.pieces().iter().map(|(d, a)| (d.clone(), QPolynomial::from(a))).collect();
        Pw::disjoint(function.space().clone(), pieces)
    }
}

impl From<QPolynomial> for PwQPolynomial {
    fn from(q: QPolynomial) -> PwQPolynomial {
        Pw::on(Set::universe(super::set_space(&q.domain)), q)
    }
}

impl PwQPolynomial {
    /// The value at a point: parameters in the order of the space, coordinates of the domain tuple. Zero outside of all pieces.
    ///
    /// ```
    /// use loopwright_presburger::{Int, PwQPolynomial, Val};
    /// let f: PwQPolynomial = "[n] -> { [i] -> n * i^2 : 0 <= i < n }".parse().unwrap();
    /// assert_eq!(f.eval(&[Int::from(5)], &[Int::from(3)]), Val::from(45));
    /// assert_eq!(f.eval(&[Int::from(5)], &[Int::from(5)]), Val::from(0));
    /// ```
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Val {
        self.piece_at(params, coords).map_or(Val::zero(), |q| q.eval(params, coords))
    }

    /// The value at a point of the domain, parameters by name; zero outside of all pieces, NaN where a parameter has no value.
    pub fn eval_at(&self, point: &Point) -> Val {
        let params: Option<Vec<Int>> = self.space().param_ids().iter().map(|id| point.param(id).cloned()).collect();
        params.map_or(Val::NaN, |params| self.eval(&params, &point.coords))
    }

    /// `x -> factor * self(x)`
    pub fn scale_rat(&self, factor: &Rat) -> PwQPolynomial {
        self.map_pieces(|q| q.scale_rat(factor))
    }

    /// Whether every piece is obviously zero.
    pub fn is_obviously_zero(&self) -> bool {
        self.pieces().iter().all(|(_, q)| q.is_obviously_zero())
    }

    /// The same function without pieces that are obviously zero.
    pub fn without_zeros(&self) -> PwQPolynomial {
        let kept = self.pieces().iter().filter(|(_, q)| !q.is_obviously_zero()).cloned().collect();
        Pw::disjoint(self.space().clone(), kept)
    }

    /// [`PwQPolynomial::mul`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    #[track_caller]
    pub fn mul_within(&self, other: &PwQPolynomial, budget: &Budget) -> Result<PwQPolynomial, BudgetSpent> {
        if let Err(e) = self.space().check_same(other.space()) {
            panic!("{e}");
        }
        let space = self.space().union_params(other.space());
        self.pairwise_within(other, space, budget, |d, a, b| Ok(vec![(d.clone(), a.mul_within(b, budget)?)]))
    }

    /// [`PwQPolynomial::fix`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    #[track_caller]
    pub fn fix_within(&self, kind: Dim, pos: usize, value: &Int, budget: &Budget) -> Result<PwQPolynomial, BudgetSpent> {
        let kind = if kind == Dim::Param { Dim::Param } else { Dim::Out };
        let domain = Set::universe(self.domain_set_space()).fix(kind, pos, value);
        Ok(self.intersect_domain_within(&domain, budget)?.map_pieces(|q| q.gist(&domain)))
    }

    within! {
        /// `x -> self(x) * other(x)`; zero where one of them is.
        ///
        /// # Panics
        /// If the tuples differ; parameters are aligned by name.
        pub fn mul = mul_within(&self, other: &PwQPolynomial) -> PwQPolynomial;
        /// The function restricted to the points where a dimension of the domain (or a parameter) has this value.
        ///
        /// # Panics
        /// If there is no such dimension.
        pub fn fix = fix_within(&self, kind: Dim, pos: usize, value: &Int) -> PwQPolynomial;
    }

    /// The greatest value over the pieces (and all parameter values), by enumeration of the dimensions that occur; NaN if there are
    /// no points. Exact; cost: the number of points.
    ///
    /// # Errors
    /// [`Error::Unbounded`] if a dimension that occurs has no bound; [`Error::Budget`].
    pub fn max_value_within(&self, budget: &Budget) -> Result<Val, Error> {
        self.extremum_within(budget, Val::max)
    }

    /// The least value, as [`PwQPolynomial::max_value_within`].
    ///
    /// # Errors
    /// [`Error::Unbounded`] if a dimension that occurs has no bound; [`Error::Budget`].
    pub fn min_value_within(&self, budget: &Budget) -> Result<Val, Error> {
        self.extremum_within(budget, Val::min)
    }

    fn extremum_within(&self, budget: &Budget, better: impl Fn(&Val, &Val) -> Val) -> Result<Val, Error> {
        let mut best: Option<Val> = None;
        for (domain, q) in self.pieces() {
            // Any value will do for a dimension that does not occur.
            let mut relevant = domain.clone();
            for kind in [Dim::Param, Dim::Out] {
                for pos in 0..domain.space().dim(kind) {
                    if !q.involves(kind, pos, 1) {
                        relevant = relevant.eliminate(kind, pos, 1).fix(kind, pos, &Int::ZERO);
                    }
                }
            }
            for point in relevant.points_within(budget)? {
                budget.spend(1)?;
                let coords = if q.domain.is_params() { &[][..] } else { &point.coords };
                let value = q.eval(&point.params, coords);
                best = Some(best.map_or(value.clone(), |b| better(&b, &value)));
            }
        }
        Ok(best.unwrap_or(Val::NaN))
    }
}

impl UnionPwQPolynomial {
    /// `x -> self(x) * other(x)`; zero where one of them is.
    pub fn mul(&self, other: &UnionPwQPolynomial) -> UnionPwQPolynomial {
        self.zip_functions(other, PwQPolynomial::mul)
    }

    /// The value at a point of a member's domain, parameters by name; zero outside.
    pub fn eval_at(&self, point: &Point) -> Val {
        let member = self.members.values().find(|m| m.domain_set_space().same_tuples(&point.space));
        member.map_or(Val::zero(), |m| m.eval_at(point))
    }

    /// Whether every member is obviously zero.
    pub fn is_obviously_zero(&self) -> bool {
        self.members().all(PwQPolynomial::is_obviously_zero)
    }
}

impl From<&QPolynomial> for UnionPwQPolynomial {
    fn from(q: &QPolynomial) -> UnionPwQPolynomial {
        Union::from(PwQPolynomial::from(q.clone()))
    }
}
