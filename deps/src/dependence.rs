//! What a dependence is: a kind, an array, and which instance of one statement must run before which instance of another.

use loopwright_presburger::{Id, Map, Params, Tuple, UnionMap, UnionSet};
use loopwright_scop::Scop;
use std::fmt;

/// Which accesses the source and the sink of a dependence make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Read after write: the source writes, the sink reads.
    Raw,
    /// Write after read: the source reads, the sink writes.
    War,
    /// Write after write.
    Waw,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Raw, Kind::War, Kind::Waw];

    /// `RAW`, `WAR` or `WAW`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Raw => "RAW",
            Kind::War => "WAR",
            Kind::Waw => "WAW",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What instances read and write.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Accesses {
    /// `{ S[i] -> A[e] : S[i] may read A[e] }`
    pub reads: UnionMap,
    /// `{ S[i] -> A[e] : S[i] may write A[e] }`
    pub writes: UnionMap,
}

impl Accesses {
    /// The accesses of a static control part.
    pub fn of(scop: &Scop) -> Accesses {
        Accesses { reads: scop.reads(), writes: scop.writes() }
    }

    /// The accesses of the sources and those of the sinks of a kind of dependence.
    pub fn sides(&self, kind: Kind) -> (&UnionMap, &UnionMap) {
        match kind {
            Kind::Raw => (&self.writes, &self.reads),
            Kind::War => (&self.reads, &self.writes),
            Kind::Waw => (&self.writes, &self.writes),
        }
    }
}

/// The dependences of one kind from one statement to another through one array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependence {
    /// Which accesses conflict.
    pub kind: Kind,
    /// The array.
    pub array: Tuple,
    /// `{ S[i] -> T[j] : S[i] runs before T[j] in the original order and both access one element of the array }`
    pub relation: Map,
}

impl Dependence {
    /// The statement of the sources.
    pub fn source(&self) -> &Tuple {
        self.relation.space().domain_tuple().expect("a map")
    }

    /// The statement of the sinks.
    pub fn sink(&self) -> &Tuple {
        self.relation.space().range_tuple().expect("a map")
    }
}

/// All dependences of a program, with what the proofs about them need: the instances, their accesses, and what is known of the
/// parameters.
///
/// Made by [`Dependences::analyze`](crate::Dependences::analyze_within).
#[derive(Debug, Clone, PartialEq)]
pub struct Dependences {
    pub(crate) list: Vec<Dependence>,
    pub(crate) accesses: Accesses,
    pub(crate) domain: UnionSet,
    pub(crate) context: Params,
}

impl Dependences {
    /// The dependences by kind, source, sink, array, without those that have no pair.
    pub fn iter(&self) -> std::slice::Iter<'_, Dependence> {
        self.list.iter()
    }

    /// `{ S[i] -> T[j] }` over all arrays.
    pub fn relation(&self, kind: Kind) -> UnionMap {
        self.list.iter().filter(|d| d.kind == kind).map(|d| d.relation.clone()).collect()
    }

    /// `{ S[i] -> T[j] : T[j] reads an element that S[i] wrote before }`, overwritten in between or not.
    pub fn raw(&self) -> UnionMap {
        self.relation(Kind::Raw)
    }

    /// `{ S[i] -> T[j] : T[j] writes an element that S[i] read before }`
    pub fn war(&self) -> UnionMap {
        self.relation(Kind::War)
    }

    /// `{ S[i] -> T[j] : T[j] writes an element that S[i] wrote before }`
    pub fn waw(&self) -> UnionMap {
        self.relation(Kind::Waw)
    }

    /// The accesses that the dependences come from.
    pub fn accesses(&self) -> &Accesses {
        &self.accesses
    }

    /// The instances of the original order.
    pub fn domain(&self) -> &UnionSet {
        &self.domain
    }

    /// What is known of the parameters.
    pub fn context(&self) -> &Params {
        &self.context
    }

    /// The names of the arrays that cause dependences, sorted.
    pub fn arrays(&self) -> Vec<Id> {
        let mut names: Vec<Id> = self.list.iter().filter_map(|d| d.array.name().cloned()).collect();
        names.sort();
        names.dedup();
        names
    }
}

impl<'a> IntoIterator for &'a Dependences {
    type Item = &'a Dependence;
    type IntoIter = std::slice::Iter<'a, Dependence>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
