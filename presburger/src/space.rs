//! The shape of sets, maps and functions: parameters, and tuples with names, dimensions and nesting.
//!
//! A dimension's identity is its position; its name is a label that equality ignores. A tuple's name and nesting are part of the
//! shape. Parameters are identified by name and kept sorted, so aligning two values is a merge.
//!
//! | kind | domain | range | example |
//! |---|---|---|---|
//! | parameters | - | - | `[n] -> { : n > 0 }` |
//! | set | - | yes | `[n] -> { S[i, j] : 0 <= i < n }` |
//! | map | yes | yes | `{ S[i] -> A[i + 1] }` |

use crate::SpaceMismatch;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A name: of a parameter, a tuple, a dimension.
pub type Id = Arc<str>;

/// One tuple of a space: `S[i, j]`, `[i]`, or a wrapped pair `P[A[i] -> B[j]]`.
#[derive(Clone)]
pub struct Tuple {
    name: Option<Id>,
    body: Body,
}

#[derive(Clone)]
enum Body {
    Flat(Arc<[Option<Id>]>),
    Wrapped(Arc<(Tuple, Tuple)>),
}

impl Tuple {
    /// An unnamed tuple of `dims` dimensions without labels.
    pub fn anonymous(dims: usize) -> Tuple {
        Tuple { name: None, body: Body::Flat(vec![None; dims].into()) }
    }

    /// A tuple `name[d0, d1, ..]` with labelled dimensions.
    pub fn named(name: &str, dims: &[&str]) -> Tuple {
        Tuple::new(Some(name.into()), dims.iter().map(|d| Some(Id::from(*d))).collect())
    }

    /// A flat tuple from its parts.
    pub fn new(name: Option<Id>, dims: Vec<Option<Id>>) -> Tuple {
        Tuple { name, body: Body::Flat(dims.into()) }
    }

    /// The tuple `[domain -> range]`.
    pub fn wrapped(domain: Tuple, range: Tuple) -> Tuple {
        Tuple { name: None, body: Body::Wrapped(Arc::new((domain, range))) }
    }

    /// The tuple's name.
    pub fn name(&self) -> Option<&Id> {
        self.name.as_ref()
    }

    /// This tuple under another name.
    pub fn with_name(&self, name: Option<Id>) -> Tuple {
        Tuple { name, body: self.body.clone() }
    }

    /// The number of dimensions, nested ones included.
    pub fn len(&self) -> usize {
        match &self.body {
            Body::Flat(dims) => dims.len(),
            Body::Wrapped(pair) => pair.0.len() + pair.1.len(),
        }
    }

    /// Whether the tuple has no dimension.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pair inside a wrapped tuple.
    pub fn unwrapped(&self) -> Option<(&Tuple, &Tuple)> {
        match &self.body {
            Body::Flat(_) => None,
            Body::Wrapped(pair) => Some((&pair.0, &pair.1)),
        }
    }

    /// The label of dimension `pos`, counted through nested tuples.
    pub fn label(&self, pos: usize) -> Option<&Id> {
        match &self.body {
            Body::Flat(dims) => dims.get(pos).and_then(Option::as_ref),
            Body::Wrapped(pair) => {
                let n = pair.0.len();
                if pos < n { pair.0.label(pos) } else { pair.1.label(pos - n) }
            }
        }
    }

    /// All labels in order.
    pub fn labels(&self) -> Vec<Option<Id>> {
        (0..self.len()).map(|i| self.label(i).cloned()).collect()
    }

    /// The position of the dimension labelled `label`.
    pub fn position(&self, label: &str) -> Option<usize> {
        (0..self.len()).find(|&i| self.label(i).is_some_and(|l| &**l == label))
    }

    /// The flat tuple with the same dimensions and no name.
    pub fn flattened(&self) -> Tuple {
        Tuple::new(None, self.labels())
    }

    /// This tuple with dimension `pos` labelled `label`.
    pub fn with_label(&self, pos: usize, label: Option<Id>) -> Tuple {
        match &self.body {
            Body::Flat(dims) => {
                let mut dims = dims.to_vec();
                dims[pos] = label;
                Tuple { name: self.name.clone(), body: Body::Flat(dims.into()) }
            }
            Body::Wrapped(pair) => {
                let n = pair.0.len();
                let (a, b) = if pos < n {
                    (pair.0.with_label(pos, label), pair.1.clone())
                } else {
                    (pair.0.clone(), pair.1.with_label(pos - n, label))
                };
                Tuple { name: self.name.clone(), body: Body::Wrapped(Arc::new((a, b))) }
            }
        }
    }

    /// Removes dimensions `first .. first + count`; the result is flat and keeps the name only if nothing was nested.
    pub fn without_dims(&self, first: usize, count: usize) -> Tuple {
        let mut labels = self.labels();
        labels.drain(first..first + count);
        let name = if matches!(self.body, Body::Flat(_)) { self.name.clone() } else { None };
        Tuple::new(name, labels)
    }

    /// Inserts `count` unlabelled dimensions at `first`; the result is flat and keeps the name only if nothing was nested.
    pub fn with_dims(&self, first: usize, count: usize) -> Tuple {
        let mut labels = self.labels();
        labels.splice(first..first, std::iter::repeat_n(None, count));
        let name = if matches!(self.body, Body::Flat(_)) { self.name.clone() } else { None };
        Tuple::new(name, labels)
    }
}

impl PartialEq for Tuple {
    fn eq(&self, other: &Tuple) -> bool {
        self.name == other.name
            && match (&self.body, &other.body) {
                (Body::Flat(a), Body::Flat(b)) => a.len() == b.len(),
                (Body::Wrapped(a), Body::Wrapped(b)) => a == b,
                _ => false,
            }
    }
}

impl Eq for Tuple {}

impl Hash for Tuple {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        match &self.body {
            Body::Flat(dims) => dims.len().hash(state),
            Body::Wrapped(pair) => pair.hash(state),
        }
    }
}

// Orders by name, then structure: the order in which spaces of a union are printed and iterated.
impl Ord for Tuple {
    fn cmp(&self, other: &Tuple) -> std::cmp::Ordering {
        self.name.cmp(&other.name).then_with(|| match (&self.body, &other.body) {
            (Body::Flat(a), Body::Flat(b)) => a.len().cmp(&b.len()),
            (Body::Wrapped(a), Body::Wrapped(b)) => a.cmp(b),
            (Body::Flat(_), Body::Wrapped(_)) => std::cmp::Ordering::Less,
            (Body::Wrapped(_), Body::Flat(_)) => std::cmp::Ordering::Greater,
        })
    }
}

impl PartialOrd for Tuple {
    fn partial_cmp(&self, other: &Tuple) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            f.write_str(name)?;
        }
        match &self.body {
            Body::Flat(dims) => {
                let dims: Vec<String> =
                    dims.iter().enumerate().map(|(i, d)| d.as_ref().map_or(format!("i{i}"), |d| d.to_string())).collect();
                write!(f, "[{}]", dims.join(", "))
            }
            Body::Wrapped(pair) => write!(f, "[{} -> {}]", pair.0, pair.1),
        }
    }
}

impl fmt::Debug for Tuple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A kind of dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dim {
    /// Symbolic constants.
    Param,
    /// The domain tuple of a map.
    In,
    /// The range tuple of a map, or the only tuple of a set.
    Out,
}

impl Dim {
    /// The dimensions of a set (the same as [`Dim::Out`]).
    pub const SET: Dim = Dim::Out;
}

/// The space of a value: parameters and up to two tuples.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Space {
    // Invariant: strictly increasing.
    params: Arc<[Id]>,
    domain: Option<Tuple>,
    range: Option<Tuple>,
}

impl Space {
    fn make(params: &[&str], domain: Option<Tuple>, range: Option<Tuple>) -> Space {
        let mut params: Vec<Id> = params.iter().map(|p| Id::from(*p)).collect();
        params.sort();
        params.dedup();
        Space { params: params.into(), domain, range }
    }

    /// The space of parameter sets `[params] -> { : .. }`.
    pub fn params(params: &[&str]) -> Space {
        Space::make(params, None, None)
    }

    /// The space of sets of `tuple`.
    pub fn set(params: &[&str], tuple: Tuple) -> Space {
        Space::make(params, None, Some(tuple))
    }

    /// The space of maps from `domain` to `range`.
    pub fn map(params: &[&str], domain: Tuple, range: Tuple) -> Space {
        Space::make(params, Some(domain), Some(range))
    }

    /// This space with other tuples.
    pub fn with_tuples(&self, domain: Option<Tuple>, range: Option<Tuple>) -> Space {
        debug_assert!(domain.is_none() || range.is_some());
        Space { params: self.params.clone(), domain, range }
    }

    /// Whether this is a space of parameter sets.
    pub fn is_params(&self) -> bool {
        self.range.is_none()
    }

    /// Whether this is a space of sets.
    pub fn is_set(&self) -> bool {
        self.domain.is_none() && self.range.is_some()
    }

    /// Whether this is a space of maps.
    pub fn is_map(&self) -> bool {
        self.domain.is_some()
    }

    /// The parameters, sorted.
    pub fn param_ids(&self) -> &[Id] {
        &self.params
    }

    /// The position of parameter `name`.
    pub fn param_position(&self, name: &str) -> Option<usize> {
        self.params.binary_search_by(|p| (**p).cmp(name)).ok()
    }

    /// The domain tuple of a map.
    pub fn domain_tuple(&self) -> Option<&Tuple> {
        self.domain.as_ref()
    }

    /// The range tuple of a map, or the tuple of a set.
    pub fn range_tuple(&self) -> Option<&Tuple> {
        self.range.as_ref()
    }

    /// The tuple of a set, or the range tuple of a map.
    ///
    /// # Panics
    /// On a space of parameters.
    #[track_caller]
    pub fn tuple(&self) -> &Tuple {
        self.range.as_ref().expect("a space of parameters has no tuple")
    }

    /// The number of dimensions of one kind.
    pub fn dim(&self, kind: Dim) -> usize {
        match kind {
            Dim::Param => self.params.len(),
            Dim::In => self.domain.as_ref().map_or(0, Tuple::len),
            Dim::Out => self.range.as_ref().map_or(0, Tuple::len),
        }
    }

    /// The name of a dimension, if it has one.
    pub fn dim_name(&self, kind: Dim, pos: usize) -> Option<&Id> {
        match kind {
            Dim::Param => self.params.get(pos),
            Dim::In => self.domain.as_ref().and_then(|t| t.label(pos)),
            Dim::Out => self.range.as_ref().and_then(|t| t.label(pos)),
        }
    }

    /// The space of the domains (a set space) of a map space; of a set space, its parameters.
    pub fn domain(&self) -> Space {
        self.with_tuples(None, self.domain.clone())
    }

    /// The space of the ranges of a map space.
    pub fn range(&self) -> Space {
        self.with_tuples(None, self.range.clone())
    }

    /// The space of the parameters alone.
    pub fn params_space(&self) -> Space {
        self.with_tuples(None, None)
    }

    /// `{ A -> B }` to `{ B -> A }`.
    #[track_caller]
    pub fn reverse(&self) -> Space {
        assert!(self.is_map(), "reverse of {self}, which is not a map space");
        self.with_tuples(self.range.clone(), self.domain.clone())
    }

    /// `{ A -> B }` to `{ [A -> B] }`.
    #[track_caller]
    pub fn wrap(&self) -> Space {
        match (&self.domain, &self.range) {
            (Some(a), Some(b)) => self.with_tuples(None, Some(Tuple::wrapped(a.clone(), b.clone()))),
            _ => panic!("wrap of {self}, which is not a map space"),
        }
    }

    /// `{ [A -> B] }` to `{ A -> B }`, if the tuple is wrapped.
    pub fn unwrap(&self) -> Option<Space> {
        let (a, b) = self.range.as_ref()?.unwrapped()?;
        Some(self.with_tuples(Some(a.clone()), Some(b.clone())))
    }

    /// The map space from this set space to `range`'s tuple, with both parameters.
    pub fn map_to(&self, range: &Space) -> Space {
        self.union_params(range).with_tuples(self.range.clone(), range.range.clone())
    }

    /// This space with the parameters of both.
    pub fn union_params(&self, other: &Space) -> Space {
        if self.params == other.params || other.params.is_empty() {
            return self.clone();
        }
        let mut params: Vec<Id> = self.params.iter().chain(other.params.iter()).cloned().collect();
        params.sort();
        params.dedup();
        Space { params: params.into(), domain: self.domain.clone(), range: self.range.clone() }
    }

    /// This space with exactly these parameters (sorted, duplicates removed).
    pub fn with_params(&self, params: Vec<Id>) -> Space {
        let mut params = params;
        params.sort();
        params.dedup();
        Space { params: params.into(), domain: self.domain.clone(), range: self.range.clone() }
    }

    /// Whether tuples agree in name, size and nesting; parameters do not matter.
    pub fn same_tuples(&self, other: &Space) -> bool {
        self.domain == other.domain && self.range == other.range
    }

    /// Decides whether an operation on both values is defined: tuples must agree, parameters are aligned by name.
    ///
    /// # Errors
    /// [`SpaceMismatch`] with both spaces.
    pub fn check_same(&self, other: &Space) -> Result<(), SpaceMismatch> {
        if self.same_tuples(other) {
            Ok(())
        } else {
            Err(SpaceMismatch { left: Box::new(self.clone()), right: Box::new(other.clone()) })
        }
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.params.is_empty() {
            write!(f, "[{}] -> ", self.params.join(", "))?;
        }
        match (&self.domain, &self.range) {
            (Some(a), Some(b)) => write!(f, "{{ {a} -> {b} }}"),
            (None, Some(t)) => write!(f, "{{ {t} }}"),
            _ => write!(f, "{{ : }}"),
        }
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
