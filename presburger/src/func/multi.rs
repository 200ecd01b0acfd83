//! Tuples of functions: structure and element-wise arithmetic, once for [`MultiAff`](super::MultiAff),
//! [`MultiPwAff`](super::MultiPwAff) and [`MultiUnionPwAff`](super::MultiUnionPwAff).
//!
//! A tuple `f = (f_0, .., f_{n-1})` maps `x` to `A[f_0(x), .., f_{n-1}(x)]` where all elements are defined. A tuple without elements
//! cannot say where it is defined, so it carries an explicit domain.

use super::{Element, Multi};
use crate::{Dim, Id, Int, Space, Tuple};

impl<E: Element> Multi<E> {
    /// The tuple of `elements` in `space`: a map space, or the set space of the range for functions of parameters alone and for
    /// [`MultiUnionPwAff`](super::MultiUnionPwAff).
    ///
    /// # Panics
    /// If there are not as many elements as range dimensions, or an element has another domain.
    #[track_caller]
    pub fn new(space: &Space, elements: Vec<E>) -> Multi<E> {
        let n = space.dim(Dim::Out);
        assert!(!space.is_params() && elements.len() == n, "{space} needs {n} elements, not {}", elements.len());
        let space = elements.iter().fold(space.clone(), |s, e| s.union_params(&e.known_params()));
        for (i, e) in elements.iter().enumerate() {
            assert!(e.fits(&space), "element {i} does not fit {space}: {e:?}");
        }
        let elements: Vec<E> = elements.iter().map(|e| e.with_params_of(&space)).collect();
        let domain = elements.is_empty().then(|| E::everywhere(&space));
        Multi { space, elements, domain }
    }

    /// The tuple without elements in `space` that is defined on `domain`.
    ///
    /// # Panics
    /// If `space` has range dimensions.
    #[track_caller]
    pub fn empty_tuple(space: &Space, domain: E::Domain) -> Multi<E> {
        assert!(!space.is_params() && space.dim(Dim::Out) == 0, "{space} has range dimensions");
        Multi { space: space.clone(), elements: Vec::new(), domain: Some(domain) }
    }

    /// The space: a map space, or the range's set space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// This tuple with the parameters of `model` added.
    pub fn align_params(&self, model: &Space) -> Multi<E> {
        let space = self.space.union_params(model);
        if space.param_ids() == self.space.param_ids() {
            return self.clone();
        }
        let elements = self.elements.iter().map(|e| e.with_params_of(&space)).collect();
        Multi { space, elements, domain: self.domain.clone() }
    }

    /// The number of elements.
    pub fn n(&self) -> usize {
        self.elements.len()
    }

    /// Element `pos`.
    ///
    /// # Panics
    /// If there is none.
    #[track_caller]
    pub fn get(&self, pos: usize) -> &E {
        &self.elements[pos]
    }

    /// The elements.
    pub fn elements(&self) -> &[E] {
        &self.elements
    }

    /// The explicit domain of a tuple without elements.
    pub fn explicit_domain(&self) -> Option<&E::Domain> {
        self.domain.as_ref()
    }

    /// This tuple with element `pos` replaced.
    ///
    /// # Panics
    /// If there is no such element or the new one has another domain.
    #[track_caller]
    pub fn set(&self, pos: usize, element: E) -> Multi<E> {
        let mut elements = self.elements.clone();
        elements[pos] = element;
        Multi::new(&self.space, elements)
    }

    /// The range tuple.
    pub fn range_tuple(&self) -> &Tuple {
        self.space.tuple()
    }

    /// The name of the range tuple: a band's name in a schedule.
    pub fn name(&self) -> Option<&Id> {
        self.range_tuple().name()
    }

    /// This tuple under another name.
    pub fn with_name(&self, name: Option<&str>) -> Multi<E> {
        self.with_range_tuple(self.range_tuple().with_name(name.map(Id::from)))
    }

    /// This tuple with another range tuple of as many dimensions.
    ///
    /// # Panics
    /// If the number of dimensions differs.
    #[track_caller]
    pub fn with_range_tuple(&self, tuple: Tuple) -> Multi<E> {
        assert_eq!(tuple.len(), self.n(), "{tuple} has another number of dimensions than {}", self.space);
        let space = self.space.with_tuples(self.space.domain_tuple().cloned(), Some(tuple));
        Multi { space, ..self.clone() }
    }

    /// Applies `f` to every element; the space stays (parameters that the new elements know are added).
    pub fn map_elements(&self, f: impl FnMut(&E) -> E) -> Multi<E> {
        let elements: Vec<E> = self.elements.iter().map(f).collect();
        let space = elements.iter().fold(self.space.clone(), |s, e| s.union_params(&e.known_params()));
        let elements = elements.iter().map(|e| e.with_params_of(&space)).collect();
        Multi { space, elements, domain: self.domain.clone() }
    }

    /// Applies `f` to the elements of both tuples in pairs.
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn zip_elements(&self, other: &Multi<E>, mut f: impl FnMut(&E, &E) -> E) -> Multi<E> {
        if let Err(e) = self.space.check_same(&other.space) {
            panic!("{e}");
        }
        let elements: Vec<E> = self.elements.iter().zip(&other.elements).map(|(a, b)| f(a, b)).collect();
        let space = elements.iter().fold(self.space.union_params(&other.space), |s, e| s.union_params(&e.known_params()));
        let elements = elements.iter().map(|e| e.with_params_of(&space)).collect();
        let domain = self.domain.as_ref().zip(other.domain.as_ref()).map(|(a, b)| E::meet(a, b));
        Multi { space, elements, domain }
    }

    /// `x -> self(x) + other(x)`
    ///
    /// # Panics
    /// If the tuples differ; parameters are aligned by name.
    #[track_caller]
    pub fn add(&self, other: &Multi<E>) -> Multi<E> {
        self.zip_elements(other, E::plus)
    }

    /// `x -> self(x) - other(x)`
    ///
    /// # Panics
    /// If the tuples differ; parameters are aligned by name.
    #[track_caller]
    pub fn sub(&self, other: &Multi<E>) -> Multi<E> {
        self.zip_elements(other, |a, b| a.plus(&b.negated()))
    }

    /// `x -> -self(x)`
    pub fn neg(&self) -> Multi<E> {
        self.map_elements(E::negated)
    }

    /// `x -> factor * self(x)`
    pub fn scale(&self, factor: &Int) -> Multi<E> {
        self.map_elements(|e| e.times(factor))
    }

    /// `x -> self(x) / divisor`, exact and rational; NaN for 0.
    pub fn scale_down(&self, divisor: &Int) -> Multi<E> {
        self.map_elements(|e| e.over(divisor))
    }

    #[track_caller]
    fn each(&self, values: &[Int], f: impl Fn(&E, &Int) -> E) -> Multi<E> {
        assert_eq!(values.len(), self.n(), "a value for each element of {}", self.space);
        let mut values = values.iter();
        self.map_elements(|e| f(e, values.next().expect("as many as elements")))
    }

    /// `x -> [factors_i * self_i(x)]`
    ///
    /// # Panics
    /// If there is not one factor per element.
    #[track_caller]
    pub fn scale_each(&self, factors: &[Int]) -> Multi<E> {
        self.each(factors, E::times)
    }

    /// `x -> [self_i(x) / divisors_i]`, exact and rational.
    ///
    /// # Panics
    /// If there is not one divisor per element.
    #[track_caller]
    pub fn scale_down_each(&self, divisors: &[Int]) -> Multi<E> {
        self.each(divisors, E::over)
    }

    /// `x -> floor(self(x))`, element by element.
    pub fn floor(&self) -> Multi<E> {
        self.map_elements(E::floored)
    }

    /// `x -> self(x) - m_i * floor(self(x) / m_i)`, element by element.
    ///
    /// # Panics
    /// If there is not one modulus per element, or one is not positive.
    #[track_caller]
    pub fn modulo_each(&self, moduli: &[Int]) -> Multi<E> {
        assert!(moduli.iter().all(Int::is_positive), "a modulus must be positive: {moduli:?}");
        self.each(moduli, |e, m| e.plus(&e.over(m).floored().times(&-m)))
    }

    /// The tuple of the outer tile counters: `x -> [floor(self_i(x) / sizes_i)]`.
    ///
    /// # Panics
    /// If there is not one size per element, or one is not positive.
    #[track_caller]
    pub fn tile_indices(&self, sizes: &[Int]) -> Multi<E> {
        assert!(sizes.iter().all(Int::is_positive), "a tile size must be positive: {sizes:?}");
        self.each(sizes, |e, s| e.over(s).floored())
    }

    /// The tuple of the first points of the tiles: `x -> [sizes_i * floor(self_i(x) / sizes_i)]`.
    ///
    /// # Panics
    /// If there is not one size per element, or one is not positive.
    #[track_caller]
    pub fn tile_starts(&self, sizes: &[Int]) -> Multi<E> {
        self.tile_indices(sizes).scale_each(sizes)
    }

    // The parts of a product over one domain, in the given range tuple.
    #[track_caller]
    fn joined(&self, other: &Multi<E>, range: Tuple) -> Multi<E> {
        assert!(
            self.space.domain_tuple() == other.space.domain_tuple(),
            "the tuples live on different domains: {} against {}",
            self.space,
            other.space
        );
        let space = self.space.union_params(&other.space).with_tuples(self.space.domain_tuple().cloned(), Some(range));
        let elements: Vec<E> = self.elements.iter().chain(&other.elements).map(|e| e.with_params_of(&space)).collect();
        let domain =
            if elements.is_empty() { self.domain.as_ref().zip(other.domain.as_ref()).map(|(a, b)| E::meet(a, b)) } else { None };
        Multi { space, elements, domain }
    }

    /// Both tuples over one domain, structure only. The explicit domain of a part without elements is dropped if the other part
    /// has elements: the typed `range_product`s intersect with it first.
    #[track_caller]
    pub(crate) fn range_product_elements(&self, other: &Multi<E>) -> Multi<E> {
        self.joined(other, Tuple::wrapped(self.range_tuple().clone(), other.range_tuple().clone()))
    }

    /// As [`Multi::range_product_elements`], with a flat unnamed range tuple.
    #[track_caller]
    pub(crate) fn flat_range_product_elements(&self, other: &Multi<E>) -> Multi<E> {
        let labels = [self.range_tuple().labels(), other.range_tuple().labels()].concat();
        self.joined(other, Tuple::new(None, labels))
    }

    /// Elements `first .. first + n` in the range tuple `tuple`; `domain` is used if there are none.
    pub(crate) fn part(&self, first: usize, n: usize, tuple: Tuple, domain: impl FnOnce() -> E::Domain) -> Multi<E> {
        let space = self.space.with_tuples(self.space.domain_tuple().cloned(), Some(tuple));
        let elements = self.elements[first..first + n].to_vec();
        let domain = elements.is_empty().then(domain);
        Multi { space, elements, domain }
    }

    /// `x -> [f_first(x), .., f_{first+n-1}(x)]` without name, or `None` if no element would be left.
    ///
    /// # Panics
    /// If the elements do not exist.
    #[track_caller]
    pub fn select(&self, first: usize, n: usize) -> Option<Multi<E>> {
        let labels = self.range_tuple().labels()[first..first + n].to_vec();
        let space = self.space.with_tuples(self.space.domain_tuple().cloned(), Some(Tuple::new(None, labels)));
        (n > 0).then(|| Multi { space, elements: self.elements[first..first + n].to_vec(), domain: None })
    }
}
