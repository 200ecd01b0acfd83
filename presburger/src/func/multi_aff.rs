//! Tuples of quasi-affine functions: identity, projection, composition, evaluation.

use super::{Aff, Multi, MultiAff, set_space};
use crate::rat::Rat;
use crate::{Dim, Int, Set, Space};

impl MultiAff {
    /// The tuple of `elements` on `domain` (a set space, or parameters alone) with range tuple `range`.
    ///
    /// # Panics
    /// If the numbers of elements and dimensions differ, or an element has another domain.
    #[track_caller]
    pub fn from_elements(domain: &Space, range: crate::Tuple, elements: Vec<Aff>) -> MultiAff {
        Multi::new(&domain.with_tuples(domain.range_tuple().cloned(), Some(range)), elements)
    }

    /// `{ S[i, j] -> S[i, j] }` for a set space.
    ///
    /// ```
    /// # use loopwright_presburger::{MultiAff, Space, Tuple};
    /// let s = Space::set(&[], Tuple::named("S", &["i", "j"]));
    /// let id = MultiAff::identity(&s);
    /// assert_eq!(id.n(), 2);
    /// assert_eq!(id.pullback(&id), id);
    /// ```
    ///
    /// # Panics
    /// If `space` is not a set space.
    #[track_caller]
    pub fn identity(space: &Space) -> MultiAff {
        assert!(space.is_set(), "identity on {space}, which is not a set space");
        let elements = (0..space.dim(Dim::Out)).map(|i| Aff::var(space, Dim::Out, i)).collect();
        MultiAff::from_elements(space, space.tuple().clone(), elements)
    }

    /// `{ x -> A[0, .., 0] }`
    #[track_caller]
    pub fn zero(space: &Space) -> MultiAff {
        let domain = space.domain();
        Multi::new(space, vec![Aff::zero(&domain); space.dim(Dim::Out)])
    }

    /// `{ [A -> B] -> A }` for a map space `A -> B`.
    ///
    /// # Panics
    /// If `space` is not a map space.
    #[track_caller]
    pub fn domain_map(space: &Space) -> MultiAff {
        let wrapped = space.wrap();
        let elements = (0..space.dim(Dim::In)).map(|i| Aff::var(&wrapped, Dim::Out, i)).collect();
        MultiAff::from_elements(&wrapped, space.domain().tuple().clone(), elements)
    }

    /// `{ [A -> B] -> B }` for a map space `A -> B`.
    ///
    /// # Panics
    /// If `space` is not a map space.
    #[track_caller]
    pub fn range_map(space: &Space) -> MultiAff {
        let (wrapped, n) = (space.wrap(), space.dim(Dim::In));
        let elements = (0..space.dim(Dim::Out)).map(|i| Aff::var(&wrapped, Dim::Out, n + i)).collect();
        MultiAff::from_elements(&wrapped, space.range().tuple().clone(), elements)
    }

    /// `{ S[i, j, k] -> [j] }`: dimensions `first .. first + n` of a set space.
    ///
    /// # Panics
    /// If the dimensions do not exist.
    #[track_caller]
    pub fn project_onto(space: &Space, first: usize, n: usize) -> MultiAff {
        let elements = (first..first + n).map(|i| Aff::var(space, Dim::Out, i)).collect();
        let labels = space.tuple().labels()[first..first + n].to_vec();
        MultiAff::from_elements(space, crate::Tuple::new(None, labels), elements)
    }

    /// The domain: a set space, or a space of parameters.
    pub fn domain_space(&self) -> Space {
        super::domain_of(&self.space)
    }

    /// The set space of the range.
    pub fn range_space(&self) -> Space {
        self.space.range()
    }

    /// The elements' values at a point: parameters in the order of the space, coordinates of the domain tuple. `None` if one is NaN.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Option<Vec<Rat>> {
        self.elements.iter().map(|e| e.eval(params, coords)).collect()
    }

    /// Whether an element is NaN.
    pub fn involves_nan(&self) -> bool {
        self.elements.iter().any(Aff::is_nan)
    }

    /// `x -> self(f(x))`
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback(&self, f: &MultiAff) -> MultiAff {
        let domain = f.domain_space().union_params(&self.space.params_space());
        let elements = self.elements.iter().map(|e| e.pullback(f)).collect();
        MultiAff::from_elements(&domain, self.range_tuple().clone(), elements)
    }

    /// `{ x -> [self(x) -> other(x)] }`
    ///
    /// # Panics
    /// If the domains differ.
    #[track_caller]
    pub fn range_product(&self, other: &MultiAff) -> MultiAff {
        self.range_product_elements(other)
    }

    /// `{ x -> [self_0(x), .., other_0(x), ..] }`
    ///
    /// # Panics
    /// If the domains differ.
    #[track_caller]
    pub fn flat_range_product(&self, other: &MultiAff) -> MultiAff {
        self.flat_range_product_elements(other)
    }

    /// `{ [x -> y] -> [self(x) -> other(y)] }`
    ///
    /// # Panics
    /// If one is a function of parameters alone and the other is not.
    #[track_caller]
    pub fn product(&self, other: &MultiAff) -> MultiAff {
        if self.space.is_set() && other.space.is_set() {
            return self.range_product(other);
        }
        let (Some(a), Some(b)) = (self.space.domain_tuple(), other.space.domain_tuple()) else {
            panic!("product of {} and {}", self.space, other.space);
        };
        let pair = self.space.union_params(&other.space).with_tuples(None, Some(crate::Tuple::wrapped(a.clone(), b.clone())));
        let both = pair.unwrap().expect("wrapped");
        self.pullback(&MultiAff::domain_map(&both)).range_product(&other.pullback(&MultiAff::range_map(&both)))
    }

    /// `{ x -> A[..] }` for `{ x -> [A[..] -> B[..]] }`; `None` if the range is not wrapped.
    pub fn range_factor_domain(&self) -> Option<MultiAff> {
        let (a, _) = self.range_tuple().unwrapped()?;
        Some(self.part(0, a.len(), a.clone(), || ()))
    }

    /// `{ x -> B[..] }` for `{ x -> [A[..] -> B[..]] }`; `None` if the range is not wrapped.
    pub fn range_factor_range(&self) -> Option<MultiAff> {
        let (a, b) = self.range_tuple().unwrapped()?;
        Some(self.part(a.len(), b.len(), b.clone(), || ()))
    }

    /// The points where both tuples are equal.
    ///
    /// # Panics
    /// If the spaces differ.
    #[track_caller]
    pub fn eq_set(&self, other: &MultiAff) -> Set {
        let space = set_space(&self.domain_space().union_params(&other.space.params_space()));
        let equal = |(a, b): (&Aff, &Aff)| a.eq_set(b);
        self.zip_elements(other, |a, _| a.clone());
        self.elements.iter().zip(&other.elements).map(equal).fold(Set::universe(space), |a, b| a.intersect(&b))
    }
}
