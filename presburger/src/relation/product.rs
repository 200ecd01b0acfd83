//! Products, wrapping, currying and flattening: new tuple structures over the same dimensions.

use super::embed::Slot::{self, Hidden, To};
use super::{Map, Set};
use crate::{Dim, Tuple};

// A tuple that is not nested stays as it is.
fn flat(tuple: &Tuple) -> Tuple {
    if tuple.unwrapped().is_some() { tuple.flattened() } else { tuple.clone() }
}

fn flat_pair(a: &Tuple, b: &Tuple) -> Tuple {
    let mut labels = a.labels();
    labels.extend(b.labels());
    Tuple::new(None, labels)
}

// Puts dimensions of `from` at `kind`, starting at `offset`.
fn shifted(from: Dim, kind: Dim, offset: usize) -> impl Fn(Dim, usize) -> Slot {
    move |k, i| if k == from { To(kind, offset + i) } else { To(k, i) }
}

impl Set {
    /// `{ [a -> b] : a in self, b in other }`
    pub fn product(&self, other: &Set) -> Set {
        let pair = Tuple::wrapped(self.space.tuple().clone(), other.space.tuple().clone());
        self.pair(other, pair)
    }

    /// `{ [a, b] : a in self, b in other }`
    pub fn flat_product(&self, other: &Set) -> Set {
        self.pair(other, flat_pair(self.space.tuple(), other.space.tuple()))
    }

    fn pair(&self, other: &Set, tuple: Tuple) -> Set {
        let n = self.space.dim(Dim::Out);
        let space = self.space.union_params(&other.space).with_tuples(None, Some(tuple));
        self.merge(other, space, 0, To, shifted(Dim::Out, Dim::Out, n))
    }

    /// The set in the space without nesting: `{ [a, b] : P[A[a] -> B[b]] in self }`; a tuple that is not nested stays as it is.
    pub fn flatten(&self) -> Set {
        let tuple = flat(self.space.tuple());
        self.respaced(self.space.with_tuples(None, Some(tuple)))
    }

    /// `{ P[A[a] -> B[b]] -> [a, b] : P[A[a] -> B[b]] in self }`
    pub fn flatten_map(&self) -> Map {
        let flat = self.space.tuple().flattened();
        let map = self.identity();
        let space = map.space.with_tuples(map.space.domain_tuple().cloned(), Some(flat));
        map.respaced(space)
    }

    /// `{ [b -> a] : [a -> b] in self }`
    ///
    /// # Panics
    /// If the set's tuple is not a wrapped pair.
    #[track_caller]
    pub fn wrapped_reverse(&self) -> Set {
        let old = self.space.tuple();
        let name = old.name().filter(|_| old.unwrapped().is_some_and(|(a, b)| a == b)).cloned();
        let out = self.unwrap().reverse().wrap();
        let tuple = out.space.tuple().with_name(name);
        out.respaced(out.space.with_tuples(None, Some(tuple)))
    }
}

impl Map {
    /// `{ [a -> b] : a -> b in self }`
    pub fn wrap(&self) -> Set {
        let n = self.space.dim(Dim::In);
        self.recast(self.space.wrap(), 0, |k, i| match k {
            Dim::In => To(Dim::Out, i),
            Dim::Out => To(Dim::Out, n + i),
            Dim::Param => To(k, i),
        })
    }

    /// `{ [a -> c] -> [b -> d] : a -> b in self, c -> d in other }`
    pub fn product(&self, other: &Map) -> Map {
        let (a, b) = self.tuples();
        let (c, d) = other.tuples();
        self.pairs(other, Tuple::wrapped(a.clone(), c.clone()), Tuple::wrapped(b.clone(), d.clone()))
    }

    /// `{ [a, c] -> [b, d] : a -> b in self, c -> d in other }`
    pub fn flat_product(&self, other: &Map) -> Map {
        let (a, b) = self.tuples();
        let (c, d) = other.tuples();
        self.pairs(other, flat_pair(a, c), flat_pair(b, d))
    }

    fn pairs(&self, other: &Map, domain: Tuple, range: Tuple) -> Map {
        let (n_in, n_out) = (self.space.dim(Dim::In), self.space.dim(Dim::Out));
        let space = self.space.union_params(&other.space).with_tuples(Some(domain), Some(range));
        self.merge(other, space, 0, To, move |k, i| match k {
            Dim::In => To(k, n_in + i),
            Dim::Out => To(k, n_out + i),
            Dim::Param => To(k, i),
        })
    }

    /// `{ [a -> c] -> b : a -> b in self, c -> b in other }`
    ///
    /// # Panics
    /// If the range tuples differ.
    #[track_caller]
    pub fn domain_product(&self, other: &Map) -> Map {
        let tuple = Tuple::wrapped(self.tuples().0.clone(), other.tuples().0.clone());
        self.domains(other, tuple)
    }

    /// `{ [a, c] -> b : a -> b in self, c -> b in other }`
    ///
    /// # Panics
    /// If the range tuples differ.
    #[track_caller]
    pub fn flat_domain_product(&self, other: &Map) -> Map {
        let tuple = flat_pair(self.tuples().0, other.tuples().0);
        self.domains(other, tuple)
    }

    #[track_caller]
    fn domains(&self, other: &Map, domain: Tuple) -> Map {
        assert!(self.tuples().1 == other.tuples().1, "domain product: ranges differ in {} and {}", self.space, other.space);
        let n = self.space.dim(Dim::In);
        let space = self.space.union_params(&other.space).with_tuples(Some(domain), self.space.range_tuple().cloned());
        self.merge(other, space, 0, To, shifted(Dim::In, Dim::In, n))
    }

    /// `{ a -> [b -> c] : a -> b in self, a -> c in other }`
    ///
    /// # Panics
    /// If the domain tuples differ.
    #[track_caller]
    pub fn range_product(&self, other: &Map) -> Map {
        let tuple = Tuple::wrapped(self.tuples().1.clone(), other.tuples().1.clone());
        self.ranges(other, tuple)
    }

    /// `{ a -> [b, c] : a -> b in self, a -> c in other }`
    ///
    /// # Panics
    /// If the domain tuples differ.
    #[track_caller]
    pub fn flat_range_product(&self, other: &Map) -> Map {
        let tuple = flat_pair(self.tuples().1, other.tuples().1);
        self.ranges(other, tuple)
    }

    #[track_caller]
    fn ranges(&self, other: &Map, range: Tuple) -> Map {
        assert!(self.tuples().0 == other.tuples().0, "range product: domains differ in {} and {}", self.space, other.space);
        let n = self.space.dim(Dim::Out);
        let space = self.space.union_params(&other.space).with_tuples(self.space.domain_tuple().cloned(), Some(range));
        self.merge(other, space, 0, To, shifted(Dim::Out, Dim::Out, n))
    }

    // Domain and range tuple.
    pub(crate) fn tuples(&self) -> (&Tuple, &Tuple) {
        match (self.space.domain_tuple(), self.space.range_tuple()) {
            (Some(a), Some(b)) => (a, b),
            _ => unreachable!("a map has two tuples"),
        }
    }

    /// `{ [a -> b] -> a : a -> b in self }`
    pub fn domain_map(&self) -> Map {
        let (n_in, n_out) = (self.space.dim(Dim::In), 0);
        self.projection(self.tuples().0.clone(), n_out, n_in)
    }

    /// `{ [a -> b] -> b : a -> b in self }`
    pub fn range_map(&self) -> Map {
        let (n_in, n_out) = (self.space.dim(Dim::In), self.space.dim(Dim::Out));
        self.projection(self.tuples().1.clone(), n_in, n_out)
    }

    // `{ [a -> b] -> its dimensions first .. first + n }`
    fn projection(&self, range: Tuple, first: usize, n: usize) -> Map {
        let pair = Tuple::wrapped(self.tuples().0.clone(), self.tuples().1.clone());
        let n_in = self.space.dim(Dim::In);
        let space = self.space.with_tuples(Some(pair), Some(range));
        let map: Map = self.recast(space, 0, |k, i| match k {
            Dim::Out => To(Dim::In, n_in + i),
            _ => To(k, i),
        });
        (0..n).fold(map, |m, i| m.equate(Dim::In, first + i, Dim::Out, i))
    }

    /// `{ a -> [b -> c] : [a -> b] -> c in self }`
    ///
    /// # Panics
    /// If the domain is not a wrapped pair.
    #[track_caller]
    pub fn curry(&self) -> Map {
        let (ab, c) = self.tuples();
        let Some((a, b)) = ab.unwrapped() else { panic!("curry of {}: the domain is not a wrapped pair", self.space) };
        let space = self.space.with_tuples(Some(a.clone()), Some(Tuple::wrapped(b.clone(), c.clone())));
        self.respaced(space)
    }

    /// `{ [a -> b] -> c : a -> [b -> c] in self }`
    ///
    /// # Panics
    /// If the range is not a wrapped pair.
    #[track_caller]
    pub fn uncurry(&self) -> Map {
        let (a, bc) = self.tuples();
        let Some((b, c)) = bc.unwrapped() else { panic!("uncurry of {}: the range is not a wrapped pair", self.space) };
        let space = self.space.with_tuples(Some(Tuple::wrapped(a.clone(), b.clone())), Some(c.clone()));
        self.respaced(space)
    }

    /// `{ x -> [a -> [b -> c]] : x -> [[a -> b] -> c] in self }`
    ///
    /// # Panics
    /// If the range is not a wrapped pair whose first element is one.
    #[track_caller]
    pub fn range_curry(&self) -> Map {
        let (x, abc) = self.tuples();
        let nested = abc.unwrapped().and_then(|(ab, c)| ab.unwrapped().map(|(a, b)| (a, b, c)));
        let Some((a, b, c)) = nested else { panic!("range_curry of {}: the range is not [[a -> b] -> c]", self.space) };
        let range = Tuple::wrapped(a.clone(), Tuple::wrapped(b.clone(), c.clone()));
        self.respaced(self.space.with_tuples(Some(x.clone()), Some(range)))
    }

    /// `{ [a -> c] -> [b -> d] : [a -> b] -> [c -> d] in self }`
    ///
    /// # Panics
    /// If domain and range are not wrapped pairs.
    #[track_caller]
    pub fn zip(&self) -> Map {
        let (ab, cd) = self.tuples();
        let (Some((a, b)), Some((c, d))) = (ab.unwrapped(), cd.unwrapped()) else {
            panic!("zip of {}: domain and range are not wrapped pairs", self.space)
        };
        let (n_a, n_b, n_c) = (a.len(), b.len(), c.len());
        let space =
            self.space.with_tuples(Some(Tuple::wrapped(a.clone(), c.clone())), Some(Tuple::wrapped(b.clone(), d.clone())));
        self.recast(space, 0, move |k, i| match k {
            Dim::In if i < n_a => To(Dim::In, i),
            Dim::In => To(Dim::Out, i - n_a),
            Dim::Out if i < n_c => To(Dim::In, n_a + i),
            Dim::Out => To(Dim::Out, n_b + i - n_c),
            Dim::Param => To(k, i),
        })
    }

    /// Both tuples without name and nesting.
    pub fn flatten(&self) -> Map {
        self.flatten_domain().flatten_range()
    }

    /// The domain without nesting; a tuple that is not nested stays as it is.
    pub fn flatten_domain(&self) -> Map {
        let tuple = flat(self.tuples().0);
        self.respaced(super::dims::with_tuple(&self.space, Dim::In, tuple))
    }

    /// The range without nesting; a tuple that is not nested stays as it is.
    pub fn flatten_range(&self) -> Map {
        let tuple = flat(self.tuples().1);
        self.respaced(super::dims::with_tuple(&self.space, Dim::Out, tuple))
    }

    /// `{ [b -> a] -> c : [a -> b] -> c in self }`
    ///
    /// # Panics
    /// If the domain is not a wrapped pair.
    #[track_caller]
    pub fn domain_reverse(&self) -> Map {
        self.swap(Dim::In)
    }

    /// `{ a -> [c -> b] : a -> [b -> c] in self }`
    ///
    /// # Panics
    /// If the range is not a wrapped pair.
    #[track_caller]
    pub fn range_reverse(&self) -> Map {
        self.swap(Dim::Out)
    }

    #[track_caller]
    fn swap(&self, kind: Dim) -> Map {
        let (a, b, name) = self.pair_of(kind);
        let (n_a, n_b) = (a.len(), b.len());
        // The name belongs to the pair in its old order.
        let name = name.filter(|_| a == b);
        let tuple = Tuple::wrapped(b, a).with_name(name);
        let space = super::dims::with_tuple(&self.space, kind, tuple);
        self.recast(space, 0, move |k, i| match k {
            _ if k != kind => To(k, i),
            _ if i < n_a => To(k, n_b + i),
            _ => To(k, i - n_a),
        })
    }

    // The pair inside one tuple, and the name around it.
    #[track_caller]
    fn pair_of(&self, kind: Dim) -> (Tuple, Tuple, Option<crate::Id>) {
        let tuple = super::dims::tuple_of(&self.space, kind);
        match tuple.and_then(|t| t.unwrapped().map(|(a, b)| (a.clone(), b.clone(), t.name().cloned()))) {
            Some(pair) => pair,
            None => panic!("the {kind:?} tuple of {} is not a wrapped pair", self.space),
        }
    }

    /// `{ a -> c : exists b: [a -> b] -> c in self }`: the first factor of the domain.
    ///
    /// # Panics
    /// If the domain is not a wrapped pair.
    #[track_caller]
    pub fn domain_factor_domain(&self) -> Map {
        self.factor(Dim::In, 0)
    }

    /// `{ b -> c : exists a: [a -> b] -> c in self }`: the second factor of the domain.
    ///
    /// # Panics
    /// If the domain is not a wrapped pair.
    #[track_caller]
    pub fn domain_factor_range(&self) -> Map {
        self.factor(Dim::In, 1)
    }

    /// `{ a -> b : exists c: a -> [b -> c] in self }`: the first factor of the range.
    ///
    /// # Panics
    /// If the range is not a wrapped pair.
    #[track_caller]
    pub fn range_factor_domain(&self) -> Map {
        self.factor(Dim::Out, 0)
    }

    /// `{ a -> c : exists b: a -> [b -> c] in self }`: the second factor of the range.
    ///
    /// # Panics
    /// If the range is not a wrapped pair.
    #[track_caller]
    pub fn range_factor_range(&self) -> Map {
        self.factor(Dim::Out, 1)
    }

    /// `{ a -> b : exists c, d: [a -> c] -> [b -> d] in self }`: the first factor of a product.
    ///
    /// # Panics
    /// If domain and range are not wrapped pairs.
    #[track_caller]
    pub fn factor_domain(&self) -> Map {
        self.factor(Dim::In, 0).factor(Dim::Out, 0)
    }

    /// `{ c -> d : exists a, b: [a -> c] -> [b -> d] in self }`: the second factor of a product.
    ///
    /// # Panics
    /// If domain and range are not wrapped pairs.
    #[track_caller]
    pub fn factor_range(&self) -> Map {
        self.factor(Dim::In, 1).factor(Dim::Out, 1)
    }

    #[track_caller]
    fn factor(&self, kind: Dim, which: usize) -> Map {
        let (a, b, _) = self.pair_of(kind);
        let (n_a, n_b) = (a.len(), b.len());
        let space = super::dims::with_tuple(&self.space, kind, if which == 0 { a } else { b });
        self.recast(space, if which == 0 { n_b } else { n_a }, move |k, i| match (k == kind, which) {
            (false, _) => To(k, i),
            (true, 0) if i < n_a => To(k, i),
            (true, 0) => Hidden(i - n_a),
            (true, _) if i < n_a => Hidden(i),
            (true, _) => To(k, i - n_a),
        })
    }

    /// `{ x -> y in self : [x -> y] in pairs }`
    ///
    /// # Panics
    /// If the set's tuple is not this map's, wrapped.
    #[track_caller]
    pub fn intersect_wrapped(&self, pairs: &Set) -> Map {
        self.intersect(&pairs.unwrap())
    }

    /// `{ [a -> b] -> c in self : a -> c in factor }`
    ///
    /// # Panics
    /// If the tuples do not fit.
    #[track_caller]
    pub fn intersect_domain_factor_domain(&self, factor: &Map) -> Map {
        let (a, _, _) = self.pair_of(Dim::In);
        self.intersect_factor(factor, (Some(&a), self.space.range_tuple()), To)
    }

    /// `{ [a -> b] -> c in self : b -> c in factor }`
    ///
    /// # Panics
    /// If the tuples do not fit.
    #[track_caller]
    pub fn intersect_domain_factor_range(&self, factor: &Map) -> Map {
        let (a, b, _) = self.pair_of(Dim::In);
        self.intersect_factor(factor, (Some(&b), self.space.range_tuple()), shifted(Dim::In, Dim::In, a.len()))
    }

    /// `{ a -> [b -> c] in self : a -> b in factor }`
    ///
    /// # Panics
    /// If the tuples do not fit.
    #[track_caller]
    pub fn intersect_range_factor_domain(&self, factor: &Map) -> Map {
        let (b, _, _) = self.pair_of(Dim::Out);
        self.intersect_factor(factor, (self.space.domain_tuple(), Some(&b)), To)
    }

    /// `{ a -> [b -> c] in self : a -> c in factor }`
    ///
    /// # Panics
    /// If the tuples do not fit.
    #[track_caller]
    pub fn intersect_range_factor_range(&self, factor: &Map) -> Map {
        let (b, c, _) = self.pair_of(Dim::Out);
        self.intersect_factor(factor, (self.space.domain_tuple(), Some(&c)), shifted(Dim::Out, Dim::Out, b.len()))
    }

    #[track_caller]
    fn intersect_factor(
        &self,
        factor: &Map,
        expected: (Option<&Tuple>, Option<&Tuple>),
        slot: impl Fn(Dim, usize) -> Slot,
    ) -> Map {
        let own = (factor.space.domain_tuple(), factor.space.range_tuple());
        assert!(own == expected, "{} is not a factor of {}", factor.space, self.space);
        let lifted: Map = factor.recast(self.space.union_params(&factor.space), 0, slot);
        self.intersect(&lifted)
    }
}
