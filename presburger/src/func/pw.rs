//! Functions in pieces: structure and arithmetic, once for [`PwAff`](super::PwAff) and [`PwMultiAff`](super::PwMultiAff).
//!
//! `{ f_1 on D_1; f_2 on D_2; .. }` with pairwise disjoint domains; undefined elsewhere. A binary operation works on the pairwise
//! intersections of the domains and drops those that are empty (decided exactly).

use super::{Outside, Piece, Pw, Quasiaffine, domain_of, set_space};
use crate::budget::within;
use crate::{Budget, BudgetSpent, Int, Set, Space};

impl<E: Piece> Pw<E> {
    /// The function that is nowhere defined.
    ///
    /// # Panics
    /// If `space` is a space of parameters: a map space, or the range's set space for functions of parameters alone is needed.
    #[track_caller]
    pub fn nowhere(space: &Space) -> Pw<E> {
        assert!(!space.is_params(), "a function has a range, {space} does not");
        Pw { space: space.clone(), pieces: Vec::new() }
    }

    /// `piece` on `domain`.
    ///
    /// # Panics
    /// If `domain` is no set of the domain space (over `[]` for functions of parameters alone).
    #[track_caller]
    pub fn on(domain: Set, piece: E) -> Pw<E> {
        let space = piece.function_space();
        Pw::disjoint(space, vec![(domain, piece)])
    }

    /// Pieces whose domains are known to be disjoint; parameters are aligned, obviously empty domains dropped.
    #[track_caller]
    pub(crate) fn disjoint(space: Space, pieces: Vec<(Set, E)>) -> Pw<E> {
        let space = pieces.iter().fold(space, |s, (d, e)| s.union_params(d.space()).union_params(&e.function_space()));
        let domain_space = set_space(&domain_of(&space));
        let aligned = |(d, e): (Set, E)| {
            if let Err(e) = d.space().check_same(&domain_space) {
                panic!("{e}");
            }
            let d = if d.space().param_ids() == space.param_ids() { d } else { d.align_params(&space) };
            (d, e.with_params_of(&space))
        };
        let pieces = pieces.into_iter().filter(|(d, _)| !d.is_obviously_empty()).map(aligned).collect();
        Pw { space, pieces }
    }

    /// Pieces in order of priority: where domains overlap, the earlier piece decides.
    ///
    /// # Panics
    /// If a domain or a piece does not fit `space`.
    #[track_caller]
    pub fn from_pieces_within(space: &Space, pieces: Vec<(Set, E)>, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        let mut out: Vec<(Set, E)> = Vec::new();
        for (d, e) in pieces {
            if let Err(e) = e.function_space().check_same(space) {
                panic!("{e}");
            }
            let mut rest = d;
            for (earlier, _) in &out {
                if !rest.is_obviously_empty() {
                    rest = rest.subtract_within(earlier, budget)?;
                }
            }
            out.push((rest, e));
        }
        Ok(Pw::disjoint(space.clone(), out))
    }

    /// [`Pw::from_pieces_within`] without a limit.
    #[track_caller]
    pub fn from_pieces(space: &Space, pieces: Vec<(Set, E)>) -> Pw<E> {
        match Pw::from_pieces_within(space, pieces, &Budget::UNLIMITED) {
            Ok(value) => value,
            Err(_) => unreachable!("an unlimited budget is never spent"),
        }
    }

    /// The space: a map space, or the range's set space for functions of parameters alone.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The domain space: a set space, or parameters alone.
    pub fn domain_space(&self) -> Space {
        domain_of(&self.space)
    }

    /// The set space of the pieces' domains: over `[]` for functions of parameters alone.
    pub fn domain_set_space(&self) -> Space {
        set_space(&domain_of(&self.space))
    }

    /// The set space of the range.
    pub fn range_space(&self) -> Space {
        self.space.range()
    }

    /// The pieces, with disjoint domains.
    pub fn pieces(&self) -> &[(Set, E)] {
        &self.pieces
    }

    /// The number of pieces.
    pub fn n_piece(&self) -> usize {
        self.pieces.len()
    }

    /// The only piece's function, if there is one piece and its domain is obviously everything.
    pub fn as_total(&self) -> Option<&E> {
        match &self.pieces[..] {
            [(d, e)] if d.is_obviously_universe() => Some(e),
            _ => None,
        }
    }

    /// `{ x : self(x) is defined }`
    pub fn domain(&self) -> Set {
        Set::union_all(self.domain_set_space(), self.pieces.iter().map(|(d, _)| d))
    }

    /// The piece that is defined at a point: parameters in the order of the space, coordinates of the domain tuple.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn piece_at(&self, params: &[Int], coords: &[Int]) -> Option<&E> {
        let names = self.space.param_ids();
        assert_eq!(names.len(), params.len(), "a value for each parameter of {}", self.space);
        let named: Vec<(&str, Int)> = names.iter().map(|n| &**n).zip(params.iter().cloned()).collect();
        self.pieces.iter().find(|(d, _)| d.contains_point(&named, coords)).map(|(_, e)| e)
    }

    /// Whether there are obviously no pieces.
    pub fn is_obviously_nowhere(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether a piece has an element that is NaN.
    pub fn involves_nan(&self) -> bool {
        self.pieces.iter().any(|(_, e)| e.has_nan())
    }

    /// This function with the parameters of `model` added.
    pub fn align_params(&self, model: &Space) -> Pw<E> {
        let space = self.space.union_params(model);
        if space.param_ids() == self.space.param_ids() {
            return self.clone();
        }
        Pw::disjoint(space, self.pieces.clone())
    }

    /// Applies `f` to every piece; domains stay.
    pub fn map_pieces(&self, f: impl FnMut(&E) -> E) -> Pw<E> {
        let mut f = f;
        let pieces: Vec<(Set, E)> = self.pieces.iter().map(|(d, e)| (d.clone(), f(e))).collect();
        let space = pieces.first().map_or_else(|| self.space.clone(), |(_, e)| e.function_space().union_params(&self.space));
        Pw::disjoint(space, pieces)
    }

    /// `x -> f(self(x), other(x))` where both are defined; `f` may say `None` for "undefined".
    #[track_caller]
    pub(crate) fn pairwise_within<F: Piece, G: Piece>(
        &self,
        other: &Pw<F>,
        space: Space,
        budget: &Budget,
        mut f: impl FnMut(&Set, &E, &F) -> Result<Vec<(Set, G)>, BudgetSpent>,
    ) -> Result<Pw<G>, BudgetSpent> {
        let mut pieces = Vec::new();
        for (d, a) in &self.pieces {
            for (e, b) in &other.pieces {
                budget.spend(1)?;
                if let Some(both) = common(d, e, budget)? {
                    pieces.extend(f(&both, a, b)?);
                }
            }
        }
        Ok(Pw::disjoint(space, pieces))
    }

    #[track_caller]
    fn check(&self, other: &Pw<E>) {
        if let Err(e) = self.space.check_same(&other.space) {
            panic!("{e}");
        }
    }

    #[track_caller]
    fn where_both_within(&self, other: &Pw<E>, budget: &Budget, f: impl Fn(&E, &E) -> E) -> Result<Pw<E>, BudgetSpent> {
        self.check(other);
        self.pairwise_within(other, self.space.union_params(&other.space), budget, |d, a, b| Ok(vec![(d.clone(), f(a, b))]))
    }

    /// [`Pw::add`] under a budget.
    #[track_caller]
    pub fn add_within(&self, other: &Pw<E>, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        match E::OUTSIDE {
            Outside::Undefined => self.where_both_within(other, budget, E::plus),
            Outside::Zero => self.union_add_within(other, budget),
        }
    }

    /// [`Pw::sub`] under a budget.
    #[track_caller]
    pub fn sub_within(&self, other: &Pw<E>, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        match E::OUTSIDE {
            Outside::Undefined => self.where_both_within(other, budget, |a, b| a.plus(&b.negated())),
            Outside::Zero => self.union_add_within(&other.neg(), budget),
        }
    }

    /// `x -> -self(x)`
    pub fn neg(&self) -> Pw<E> {
        self.map_pieces(E::negated)
    }

    /// `x -> factor * self(x)`
    pub fn scale(&self, factor: &Int) -> Pw<E> {
        self.map_pieces(|e| e.times(factor))
    }

    /// `x -> self(x) / divisor`, exact and rational; NaN for 0.
    pub fn scale_down(&self, divisor: &Int) -> Pw<E> {
        self.map_pieces(|e| e.over(divisor))
    }

    /// [`Pw::intersect_domain`] under a budget.
    #[track_caller]
    pub fn intersect_domain_within(&self, set: &Set, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        let mut pieces = Vec::new();
        for (d, e) in &self.pieces {
            if let Some(d) = common(d, set, budget)? {
                pieces.push((d, e.clone()));
            }
        }
        Ok(Pw::disjoint(self.space.union_params(set.space()), pieces))
    }

    /// [`Pw::subtract_domain`] under a budget.
    #[track_caller]
    pub fn subtract_domain_within(&self, set: &Set, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        let mut pieces = Vec::new();
        for (d, e) in &self.pieces {
            pieces.push((d.subtract_within(set, budget)?, e.clone()));
        }
        Ok(Pw::disjoint(self.space.union_params(set.space()), pieces))
    }

    /// The function restricted to the parameter values in `params`.
    pub fn intersect_params(&self, params: &crate::Params) -> Pw<E> {
        let pieces = self.pieces.iter().map(|(d, e)| (d.intersect_params(params), e.clone())).collect();
        Pw::disjoint(self.space.union_params(params.space()), pieces)
    }

    /// [`Pw::union_add`] under a budget.
    #[track_caller]
    pub fn union_add_within(&self, other: &Pw<E>, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        self.union_with_within(other, budget, |d, a, b| Ok(vec![(d.clone(), a.plus(b))]))
    }

    /// `f` where both are defined, one of them where only that one is.
    #[track_caller]
    pub(crate) fn union_with_within(
        &self,
        other: &Pw<E>,
        budget: &Budget,
        f: impl FnMut(&Set, &E, &E) -> Result<Vec<(Set, E)>, BudgetSpent>,
    ) -> Result<Pw<E>, BudgetSpent> {
        self.check(other);
        let space = self.space.union_params(&other.space);
        let mut both = self.pairwise_within(other, space.clone(), budget, f)?;
        both.pieces.extend(self.subtract_domain_within(&other.domain(), budget)?.pieces);
        both.pieces.extend(other.subtract_domain_within(&self.domain(), budget)?.pieces);
        both.drop_empty_within(budget)
    }

    /// The pieces whose domains have a point.
    pub(crate) fn drop_empty_within(&self, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        let mut pieces = Vec::new();
        for (d, e) in &self.pieces {
            if !d.is_empty_within(budget)? {
                pieces.push((d.clone(), e.clone()));
            }
        }
        Ok(Pw::disjoint(self.space.clone(), pieces))
    }

    /// [`Pw::coalesce`] under a budget.
    pub fn coalesce_within(&self, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        let mut pieces: Vec<(Set, E)> = Vec::new();
        for (d, e) in &self.pieces {
            let mut same = None;
            for (i, (earlier, f)) in pieces.iter().enumerate() {
                // One expression may serve both domains.
                if e == f || e.agrees_on(f, d, budget)? {
                    same = Some((i, f.clone()));
                } else if e.agrees_on(f, earlier, budget)? {
                    same = Some((i, e.clone()));
                }
                if same.is_some() {
                    break;
                }
            }
            match same {
                Some((i, f)) => pieces[i] = (pieces[i].0.union(d), f),
                None => pieces.push((d.clone(), e.clone())),
            }
        }
        for (d, _) in &mut pieces {
            *d = d.coalesce_within(budget)?;
        }
        Ok(Pw::disjoint(self.space.clone(), pieces))
    }

    /// [`Pw::gist`] under a budget.
    #[track_caller]
    pub fn gist_within(&self, context: &Set, budget: &Budget) -> Result<Pw<E>, BudgetSpent> {
        let mut pieces = Vec::new();
        for (d, e) in &self.pieces {
            if let Some(both) = common(d, context, budget)? {
                pieces.push((d.gist_within(context, budget)?, e.simplified_on(&both)));
            }
        }
        Ok(Pw::disjoint(self.space.union_params(context.space()), pieces))
    }

    within! {
        /// `x -> self(x) + other(x)` where both are defined (everywhere, where a function is [zero outside](Outside) its pieces).
        ///
        /// # Panics
        /// If the tuples differ; parameters are aligned by name.
        pub fn add = add_within(&self, other: &Pw<E>) -> Pw<E>;
        /// `x -> self(x) - other(x)` where both are defined, as for [`Pw::add`].
        ///
        /// # Panics
        /// If the tuples differ; parameters are aligned by name.
        pub fn sub = sub_within(&self, other: &Pw<E>) -> Pw<E>;
        /// The function restricted to `set` (over `[]` for functions of parameters alone).
        ///
        /// # Panics
        /// If `set` is no set of the domain space.
        pub fn intersect_domain = intersect_domain_within(&self, set: &Set) -> Pw<E>;
        /// The function restricted to the complement of `set`.
        ///
        /// # Panics
        /// If `set` is no set of the domain space.
        pub fn subtract_domain = subtract_domain_within(&self, set: &Set) -> Pw<E>;
        /// `self + other` where both are defined, one of them where only that one is.
        ///
        /// # Panics
        /// If the tuples differ; parameters are aligned by name.
        pub fn union_add = union_add_within(&self, other: &Pw<E>) -> Pw<E>;
        /// The same function with pieces merged where one expression serves several, and their domains coalesced.
        pub fn coalesce = coalesce_within(&self) -> Pw<E>;
        /// A simpler function that agrees with this one on `context`; outside it may be anything.
        ///
        /// # Panics
        /// If `context` is no set of the domain space.
        pub fn gist = gist_within(&self, context: &Set) -> Pw<E>;
    }
}

impl<E: Quasiaffine> Pw<E> {
    /// `x -> floor(self(x))`
    pub fn floor(&self) -> Pw<E> {
        self.map_pieces(E::floored)
    }

    /// `x -> ceil(self(x))`
    pub fn ceil(&self) -> Pw<E> {
        self.map_pieces(|e| e.negated().floored().negated())
    }

    /// `x -> self(x) - m * floor(self(x) / m)`, in `[0, m)`.
    ///
    /// # Panics
    /// If `m` is not positive.
    #[track_caller]
    pub fn modulo(&self, m: &Int) -> Pw<E> {
        assert!(m.is_positive(), "modulo {m}, which is not positive");
        self.map_pieces(|e| e.plus(&e.over(m).floored().times(&-m)))
    }

    /// [`Pw::is_equal`] under a budget.
    pub fn is_equal_within(&self, other: &Pw<E>, budget: &Budget) -> Result<bool, BudgetSpent> {
        if !self.space.same_tuples(&other.space) || self.involves_nan() || other.involves_nan() {
            return Ok(false);
        }
        if self == other {
            return Ok(true);
        }
        if !self.domain().is_equal_within(&other.domain(), budget)? {
            return Ok(false);
        }
        for (d, a) in &self.pieces {
            for (e, b) in &other.pieces {
                if a != b && !d.intersect(e).is_subset_within(&a.equal_set(b), budget)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    within! {
        /// Whether both functions have the same domain and the same values on it. NaN equals nothing.
        pub fn is_equal = is_equal_within(&self, other: &Pw<E>) -> bool;
    }
}

/// The intersection, or `None` if it is empty.
#[track_caller]
pub(crate) fn common(a: &Set, b: &Set, budget: &Budget) -> Result<Option<Set>, BudgetSpent> {
    if b.is_obviously_universe() && b.space().check_same(a.space()).is_ok() {
        return Ok(Some(a.clone()));
    }
    if a.is_obviously_universe() && b.space().check_same(a.space()).is_ok() {
        return Ok(Some(b.clone()));
    }
    let both = a.intersect(b);
    Ok(if both.is_empty_within(budget)? { None } else { Some(both) })
}
