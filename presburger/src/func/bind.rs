//! Parameters in the place of values and dimensions, and back.
//!
//! Binding a value to a parameter gives the points where both are equal; binding a domain tuple makes its dimensions parameters;
//! unbinding makes parameters dimensions of a new domain tuple. The parameters are named by a tuple's labels: `A[M, N]`.

use super::divs::Divs;
use super::{Aff, Comparison, Multi, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, UnionPwAff};
use crate::{Columns, Dim, Id, Set, Space, Tuple, UnionSet};

/// The names in a tuple that labels all its dimensions.
#[track_caller]
fn names(tuple: &Tuple) -> Vec<Id> {
    tuple.labels().into_iter().map(|l| l.unwrap_or_else(|| panic!("{tuple} does not name all its dimensions"))).collect()
}

/// `[M, N] -> { A[M, N] }`
#[track_caller]
fn parameters(tuple: &Tuple) -> MultiAff {
    let names = names(tuple);
    let space = Space::params(&names.iter().map(|n| &**n).collect::<Vec<_>>());
    MultiAff::from_elements(&space, tuple.clone(), names.iter().map(|n| Aff::param(&space, n)).collect())
}

impl Aff {
    /// `[name] -> { x : self(x) = name }`
    pub fn bind(&self, name: &str) -> Set {
        self.compare(Comparison::Eq, &Aff::param(&self.domain, name))
    }

    /// `{ [A -> B] -> f }` to `{ [B -> A] -> f }`; the pair's name is kept only if both tuples are equal. `None` without a pair.
    pub fn domain_reverse(&self) -> Option<Aff> {
        swap(&self.domain).map(|f| self.pullback(&f))
    }

    /// Parameters become the dimensions of a new domain tuple: `[M, N] -> { [M + N] }` with `A[M]` to `[N] -> { A[M] -> [M + N] }`.
    /// A domain tuple `D` that is there already stays behind the new one: `[A -> D]`.
    ///
    /// # Panics
    /// If `tuple` does not name all its dimensions.
    #[track_caller]
    pub fn unbind_params(&self, tuple: &Tuple) -> Aff {
        let names = names(tuple);
        let inner = match self.domain.range_tuple() {
            Some(d) => Tuple::wrapped(tuple.clone(), d.clone()),
            None => tuple.clone(),
        };
        let kept = self.domain.param_ids().iter().filter(|p| !names.contains(p)).cloned().collect();
        let domain = self.domain.with_tuples(None, Some(inner)).with_params(kept);
        if self.is_nan() {
            return Aff::nan(&domain);
        }
        let columns = Columns::of(&domain);
        let first = columns.dims(Dim::Out).start;
        let mut pool = Divs::new(columns.len());
        let mut images = vec![pool.column(0)];
        for p in self.domain.param_ids() {
            let col = match names.iter().position(|n| n == p) {
                Some(i) => first + i,
                None => 1 + domain.param_position(p).expect("kept"),
            };
            images.push(pool.column(col));
        }
        images.extend((0..self.domain.dim(Dim::Out)).map(|i| pool.column(first + names.len() + i)));
        let e = self.compose_into(&mut pool, images);
        Aff::finish(domain, pool, e)
    }
}

/// `{ [B -> A] -> [A -> B] }` for a set space of pairs.
fn swap(space: &Space) -> Option<MultiAff> {
    let (a, b) = space.range_tuple()?.unwrapped()?;
    let name = if a == b { space.tuple().name().cloned() } else { None };
    let swapped = space.with_tuples(None, Some(Tuple::wrapped(b.clone(), a.clone()).with_name(name)));
    let (n, m) = (a.len(), b.len());
    let elements = (m..m + n).chain(0..m).map(|i| Aff::var(&swapped, Dim::SET, i)).collect();
    Some(MultiAff::from_elements(&swapped, space.tuple().clone(), elements))
}

impl MultiAff {
    /// `{ [A -> B] -> f }` to `{ [B -> A] -> f }`. `None` without a pair.
    pub fn domain_reverse(&self) -> Option<MultiAff> {
        swap(&self.domain_space()).map(|f| self.pullback(&f))
    }

    /// Parameters become the dimensions of a new domain tuple: see [`Aff::unbind_params`].
    ///
    /// # Panics
    /// If `tuple` does not name all its dimensions.
    #[track_caller]
    pub fn unbind_params(&self, tuple: &Tuple) -> MultiAff {
        let elements: Vec<Aff> = self.elements.iter().map(|e| e.unbind_params(tuple)).collect();
        let domain = Aff::zero(&self.domain_space()).unbind_params(tuple).domain_space().clone();
        MultiAff::from_elements(&domain, self.range_tuple().clone(), elements)
    }
}

impl PwAff {
    /// `[name] -> { x : self(x) = name }`
    pub fn bind(&self, name: &str) -> Set {
        let parts: Vec<Set> = self.pieces.iter().map(|(d, e)| d.intersect(&e.bind(name))).collect();
        Set::union_all(self.domain_set_space().union_params(&Space::params(&[name])), &parts)
    }

    /// `{ [A -> B] -> f }` to `{ [B -> A] -> f }`. `None` without a pair.
    pub fn domain_reverse(&self) -> Option<PwAff> {
        swap(&self.domain_space()).map(|f| self.pullback(&f))
    }
}

impl PwMultiAff {
    /// `{ [A -> B] -> f }` to `{ [B -> A] -> f }`. `None` without a pair.
    pub fn domain_reverse(&self) -> Option<PwMultiAff> {
        swap(&self.domain_space()).map(|f| self.pullback(&f))
    }

    /// The domain's dimensions become parameters: `{ A[i, j] -> f(i, j) }` with `A[M, N]` to `[M, N] -> { f(M, N) }`.
    ///
    /// # Panics
    /// If `tuple` is not the domain tuple or does not name all its dimensions.
    #[track_caller]
    pub fn bind_domain(&self, tuple: &Tuple) -> PwMultiAff {
        self.pullback(&parameters(tuple))
    }

    /// The dimensions of the pair's first part become parameters: `{ [A[i] -> B] -> f }` with `A[M]` to `[M] -> { B -> f }`.
    ///
    /// # Panics
    /// If the domain is no pair, `tuple` is not its first part or does not name all its dimensions.
    #[track_caller]
    pub fn bind_domain_wrapped_domain(&self, tuple: &Tuple) -> PwMultiAff {
        let pair = self.space.domain_tuple().and_then(Tuple::unwrapped);
        let (_, b) = pair.unwrap_or_else(|| panic!("the domain of {} is no pair", self.space));
        let ids = parameters(tuple);
        let rest = ids.domain_space().with_tuples(None, Some(b.clone()));
        let first = ids.elements.iter().map(|e| e.on_domain(&rest, &[]));
        let second = (0..b.len()).map(|i| Aff::var(&rest, Dim::SET, i));
        let whole = self.space.domain().tuple().clone();
        self.pullback(&MultiAff::from_elements(&rest, whole, first.chain(second).collect()))
    }
}

impl MultiPwAff {
    /// `{ [A -> B] -> f }` to `{ [B -> A] -> f }`. `None` without a pair.
    pub fn domain_reverse(&self) -> Option<MultiPwAff> {
        swap(&self.domain_space()).map(|f| self.pullback(&f))
    }

    /// `[M, N] -> { x : self(x) = (M, N) }`
    ///
    /// # Panics
    /// If `tuple` is not the range tuple or does not name all its dimensions.
    #[track_caller]
    pub fn bind(&self, tuple: &Tuple) -> Set {
        assert!(tuple == self.range_tuple(), "{tuple} is not the range of {}", self.space);
        let parts = self.elements.iter().zip(names(tuple)).map(|(e, n)| e.bind(&n));
        parts.fold(self.domain(), |all, s| all.intersect(&s))
    }

    /// The tuple with `n` more dimensions of the domain from `first` on, on which nothing depends. The domain tuple becomes flat.
    ///
    /// # Panics
    /// If this is a function of parameters alone, or there is no such position.
    #[track_caller]
    pub fn insert_domain_dims(&self, first: usize, n: usize) -> MultiPwAff {
        let old = self.domain_space();
        assert!(old.is_set() && first <= old.dim(Dim::SET), "no position {first} in {old}");
        let new = old.with_tuples(None, Some(old.tuple().with_dims(first, n)));
        let kept = (0..new.dim(Dim::SET)).filter(|i| !(first..first + n).contains(i));
        let elements = kept.map(|i| Aff::var(&new, Dim::SET, i)).collect();
        self.pullback(&MultiAff::from_elements(&new, old.tuple().clone(), elements))
    }
}

impl UnionPwAff {
    /// `[name] -> { x : self(x) = name }`
    pub fn bind(&self, name: &str) -> UnionSet {
        self.members().map(|m| m.bind(name)).collect()
    }
}

impl MultiUnionPwAff {
    /// `[M, N] -> { x : self(x) = (M, N) }`
    ///
    /// # Panics
    /// If `tuple` is not this tuple or does not name all its dimensions.
    #[track_caller]
    pub fn bind(&self, tuple: &Tuple) -> UnionSet {
        assert!(tuple == self.range_tuple(), "{tuple} is not the tuple of {}", self.space);
        let parts = self.elements.iter().zip(names(tuple)).map(|(e, n)| e.bind(&n));
        parts.fold(self.domain(), |all, s| all.intersect(&s))
    }
}

/// A comparison of tuples in lexicographic order.
impl Multi<Aff> {
    /// `{ x : self(x) op other(x) in lexicographic order }` for an order comparison.
    ///
    /// # Panics
    /// If the spaces differ.
    #[track_caller]
    pub fn lex_compare(&self, op: Comparison, other: &MultiAff) -> Set {
        if matches!(op, Comparison::Eq) {
            return self.eq_set(other);
        }
        if let Err(e) = self.space.check_same(&other.space) {
            panic!("{e}");
        }
        let space = super::set_space(&self.domain_space().union_params(&other.space.params_space()));
        let strict: &[Comparison] = match op {
            Comparison::Lt | Comparison::Le => &[Comparison::Lt],
            Comparison::Gt | Comparison::Ge => &[Comparison::Gt],
            _ => &[Comparison::Lt, Comparison::Gt],
        };
        let mut same = Set::universe(space.clone());
        let mut parts: Vec<Set> = Vec::new();
        for (a, b) in self.elements.iter().zip(&other.elements) {
            parts.extend(strict.iter().map(|&op| same.intersect(&a.compare(op, b))));
            same = same.intersect(&a.eq_set(b));
        }
        if matches!(op, Comparison::Le | Comparison::Ge) {
            parts.push(same);
        }
        Set::union_all(space, &parts)
    }

    /// `{ x : self(x) <lex other(x) }`
    ///
    /// # Panics
    /// If the spaces differ.
    #[track_caller]
    pub fn lex_lt_set(&self, other: &MultiAff) -> Set {
        self.lex_compare(Comparison::Lt, other)
    }

    /// `{ x : self(x) <=lex other(x) }`
    ///
    /// # Panics
    /// If the spaces differ.
    #[track_caller]
    pub fn lex_le_set(&self, other: &MultiAff) -> Set {
        self.lex_compare(Comparison::Le, other)
    }
}
