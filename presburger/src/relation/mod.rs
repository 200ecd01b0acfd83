//! Sets, maps and parameter sets: finite unions of systems in one space.
//!
//! `Relation<K>` is one type for three kinds, so that an operation is written once and an operation that makes no sense for a
//! kind (the reverse of a set) does not compile.

mod affine;
mod boolean;
mod coalesce;
mod compose;
mod congruence;
mod constraint;
mod dims;
pub(crate) mod embed;
pub(crate) mod engines;
mod function;
mod gist;
mod hull;
mod lexopt;
mod order;
mod points;
mod product;
pub(crate) mod project;
pub(crate) mod subtract;

pub use constraint::Constraint;
pub use lexopt::Optimum;
pub use points::Point;

use crate::{Columns, Space, System};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

mod sealed {
    pub trait Sealed {}
}

/// What a relation relates: [`OfSet`], [`OfMap`] or [`OfParams`].
pub trait Kind: sealed::Sealed + Copy + Clone + fmt::Debug + PartialEq + Eq + std::hash::Hash + Send + Sync + 'static {
    /// Whether a space has the tuples of this kind.
    fn accepts(space: &Space) -> bool;
    /// The kind's name in messages.
    const NAME: &'static str;
}

macro_rules! kinds {
    ($($(#[$meta:meta])* $kind:ident, $name:literal, $test:ident;)*) => {$(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $kind {}
        impl sealed::Sealed for $kind {}
        impl Kind for $kind {
            fn accepts(space: &Space) -> bool {
                space.$test()
            }
            const NAME: &'static str = $name;
        }
    )*};
}
kinds! {
    /// The kind of sets: one tuple.
    OfSet, "set", is_set;
    /// The kind of maps: two tuples.
    OfMap, "map", is_map;
    /// The kind of parameter sets: no tuple.
    OfParams, "parameter set", is_params;
}

/// A conjunction of affine constraints in a space.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BasicRelation<K: Kind> {
    // Invariant: the system's columns are those of the space (plus divs), `K::accepts(space)`.
    space: Space,
    system: Arc<System>,
    kind: PhantomData<K>,
}

/// A finite union of conjunctions in a space. Pieces may overlap.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Relation<K: Kind> {
    // Invariant: every piece's columns are those of the space (plus divs), no piece is obviously empty, `K::accepts(space)`.
    space: Space,
    pieces: Vec<Arc<System>>,
    kind: PhantomData<K>,
}

/// `{ S[i] : .. }`
pub type Set = Relation<OfSet>;
/// `{ S[i] -> A[j] : .. }`
pub type Map = Relation<OfMap>;
/// `[n] -> { : .. }`
pub type Params = Relation<OfParams>;
/// One conjunction of a [`Set`].
pub type BasicSet = BasicRelation<OfSet>;
/// One conjunction of a [`Map`].
pub type BasicMap = BasicRelation<OfMap>;

impl<K: Kind> BasicRelation<K> {
    /// From a system whose columns are those of `space` plus divs.
    #[track_caller]
    pub fn from_system(space: Space, system: System) -> BasicRelation<K> {
        assert!(K::accepts(&space), "{space} is not the space of a {}", K::NAME);
        assert_eq!(system.columns().with_divs(0), Columns::of(&space), "columns do not fit {space}");
        BasicRelation { space, system: Arc::new(system), kind: PhantomData }
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The constraints.
    pub fn system(&self) -> &System {
        &self.system
    }
}

impl<K: Kind> Relation<K> {
    /// From systems whose columns are those of `space` plus divs. Obviously empty ones are dropped.
    #[track_caller]
    pub fn from_systems(space: Space, systems: impl IntoIterator<Item = System>) -> Relation<K> {
        assert!(K::accepts(&space), "{space} is not the space of a {}", K::NAME);
        let columns = Columns::of(&space);
        let pieces = systems
            .into_iter()
            .filter_map(|s| {
                assert_eq!(s.columns().with_divs(0), columns, "columns do not fit {space}");
                s.normalized().map(Arc::new)
            })
            .collect();
        Relation { space, pieces, kind: PhantomData }
    }

    /// The space.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The systems of the pieces.
    pub fn systems(&self) -> impl ExactSizeIterator<Item = &System> {
        self.pieces.iter().map(|p| &**p)
    }

    /// The pieces.
    pub fn basics(&self) -> impl ExactSizeIterator<Item = BasicRelation<K>> + '_ {
        self.pieces.iter().map(|p| BasicRelation { space: self.space.clone(), system: p.clone(), kind: PhantomData })
    }

    /// The number of pieces.
    pub fn n_basic(&self) -> usize {
        self.pieces.len()
    }

    /// The whole space.
    #[track_caller]
    pub fn universe(space: Space) -> Relation<K> {
        let system = System::universe(Columns::of(&space));
        Relation::from_systems(space, [system])
    }

    /// The empty relation of a space.
    #[track_caller]
    pub fn empty(space: Space) -> Relation<K> {
        Relation::from_systems(space, [])
    }
}
