//! When instances run: for each leaf and statement the instances that reach it and their time.
//!
//! The time of an instance is the list of what it meets on the way to its leaf: a value per band member, a position per sequence, an
//! unordered position per set. Two instances are ordered by the first coordinate in which they differ. [`Occurrence`] keeps this
//! list; [`schedule_map`](ScheduleTree::schedule_map) flattens it to one tuple of integers.

use crate::{Error, Node, NodeKind, Path, ScheduleTree, functions};
use loopwright_presburger::{
    Aff, Int, Map, MultiPwAff, MultiUnionPwAff, PwAff, Set, Space, Tuple, UnionMap, UnionPwAff, UnionSet,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// One coordinate of a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coordinate {
    /// The value of a band member.
    Member {
        /// The band.
        node: Path,
        /// Which of its members.
        member: usize,
        /// The value, a function of the instance.
        value: PwAff,
    },
    /// The position below a sequence.
    Position {
        /// The sequence.
        node: Path,
        /// Which of its children.
        index: usize,
    },
    /// The position below a set: instances that differ here first are not ordered.
    Unordered {
        /// The set.
        node: Path,
        /// Which of its children.
        index: usize,
    },
}

/// The runs of one statement at one leaf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Occurrence {
    /// The leaf.
    pub leaf: Path,
    /// The statement.
    pub statement: Tuple,
    /// The instances that reach the leaf.
    pub domain: Set,
    /// Their time, outermost coordinate first.
    pub time: Vec<Coordinate>,
}

impl ScheduleTree {
    /// The occurrences, leaves depth first, at each leaf by statement.
    ///
    /// Exact. Costs an intersection per filter that constrains a statement.
    ///
    /// # Errors
    /// [`Error::Broken`] where a band has no schedule for a statement that reaches it, and for extension and expansion nodes (their
    /// instances have no time as a function of the instance here).
    pub fn occurrences(&self) -> Result<Vec<Occurrence>, Error> {
        let mut found = Vec::new();
        let mut walk = Walk { path: Vec::new(), time: Vec::new(), found: &mut found };
        walk.node(self.root(), &BTreeMap::new())?;
        Ok(found)
    }

    /// `{ S[i] -> [t_0, .., t_k] }`: instances to their times, flat and padded with zeros to one length.
    ///
    /// Instances below different children of a set have the same time if nothing else tells them apart: equal times are unordered.
    ///
    /// # Errors
    /// As [`occurrences`](ScheduleTree::occurrences).
    pub fn schedule_map(&self) -> Result<UnionMap, Error> {
        let occurrences = self.occurrences()?;
        let length = occurrences.iter().map(|o| o.time.len()).max().unwrap_or(0);
        Ok(UnionMap::union_all(&occurrences.iter().map(|o| UnionMap::from(o.map(length))).collect::<Vec<_>>()))
    }

    /// The instances that reach the node at `path`.
    ///
    /// # Errors
    /// [`Error::NoNode`], [`Error::Broken`] for a band on the way that has no schedule for a statement where an extension needs it.
    pub fn reaching_domain(&self, path: &Path) -> Result<UnionSet, Error> {
        self.node(path)?;
        let mut domain = UnionSet::empty();
        let mut node = self.root();
        for (depth, &position) in path.positions().iter().enumerate() {
            match &**node {
                Node::Domain { domain: d, .. } => domain = d.clone(),
                Node::Filter { filter, .. } => domain = domain.intersect(filter),
                Node::Expansion { expansion, .. } => domain = domain.apply(expansion),
                Node::Extension { extension, .. } => {
                    let outer = self.prefix_schedule(&path.positions()[..depth].into())?;
                    let times = if outer.n() == 0 {
                        UnionSet::from(Set::universe(Space::set(&[], Tuple::anonymous(0))))
                    } else {
                        UnionMap::from(&outer).intersect_domain(&domain).range()
                    };
                    domain = domain.union(&extension.intersect_domain(&times).range());
                }
                _ => {}
            }
            node = &node.children()[position];
        }
        Ok(domain)
    }

    /// The schedule by the members of the bands above the node at `path`: `[{ S[i, j] -> [(i)] }, { S[i, j] -> [(j)] }]`.
    ///
    /// Sequences and sets above do not show.
    ///
    /// # Errors
    /// [`Error::NoNode`]; [`Error::Broken`] below an expansion.
    pub fn prefix_schedule(&self, path: &Path) -> Result<MultiUnionPwAff, Error> {
        self.node(path)?;
        let mut members: Vec<UnionPwAff> = Vec::new();
        let mut node = self.root();
        for (depth, &position) in path.positions().iter().enumerate() {
            match &**node {
                Node::Band { band, .. } => members.extend(band.schedule().elements().iter().cloned()),
                Node::Expansion { .. } => {
                    let message = "stands above: a prefix schedule is not a function of the expanded instances here";
                    return Err(broken(path.positions()[..depth].into(), NodeKind::Expansion, message));
                }
                _ => {}
            }
            node = &node.children()[position];
        }
        let space = Space::set(&[], Tuple::anonymous(members.len()));
        if members.is_empty() {
            return Ok(MultiUnionPwAff::empty_tuple(&space, self.domain().cloned().unwrap_or_else(UnionSet::empty)));
        }
        Ok(MultiUnionPwAff::new(&space, members))
    }
}

impl Occurrence {
    /// The time as a flat map, padded with zeros to `length`; positions below sets are zero.
    pub fn map(&self, length: usize) -> Map {
        let space = self.domain.space();
        let constant = |value: usize| PwAff::from(Aff::constant(space, &Int::from(value as i64)));
        let mut elements: Vec<PwAff> = self
            .time
            .iter()
            .map(|coordinate| match coordinate {
                Coordinate::Member { value, .. } => value.clone(),
                Coordinate::Position { index, .. } => constant(*index),
                Coordinate::Unordered { .. } => constant(0),
            })
            .collect();
        elements.resize_with(length.max(elements.len()), || constant(0));
        let range = Tuple::anonymous(elements.len());
        if elements.is_empty() {
            return Map::from_domain_and_range(&self.domain, &Set::universe(Space::set(&[], range)));
        }
        Map::from(&MultiPwAff::new(&space.map_to(&Space::set(&[], range)), elements)).intersect_domain(&self.domain)
    }
}

fn broken(path: Path, kind: NodeKind, message: impl Into<String>) -> Error {
    Error::Broken { path, kind, message: message.into() }
}

struct Walk<'a> {
    path: Vec<usize>,
    time: Vec<TimeOf>,
    found: &'a mut Vec<Occurrence>,
}

// A coordinate before it is known for which statement.
enum TimeOf {
    Member(Path, usize, Arc<crate::Band>),
    Position(Path, usize),
    Unordered(Path, usize),
}

impl Walk<'_> {
    // Recursive, over a tree of limited nesting.
    fn node(&mut self, node: &Node, reaching: &BTreeMap<Tuple, Set>) -> Result<(), Error> {
        let path = || Path::from(&self.path[..]);
        match node {
            Node::Domain { domain, child } => {
                let reaching = domain.members().map(|set| (set.space().tuple().clone(), set.clone())).collect();
                self.child(0, child, &reaching)
            }
            Node::Filter { filter, child } => {
                let meet = |(statement, set): (&Tuple, &Set)| {
                    let filter = functions::set_of(filter, statement)?;
                    let set = if filter.is_obviously_universe() { set.clone() } else { set.intersect(filter) };
                    (!set.is_obviously_empty()).then(|| (statement.clone(), set))
                };
                self.child(0, child, &reaching.iter().filter_map(meet).collect())
            }
            Node::Band { band, child } => {
                let path = path();
                self.time.extend((0..band.len()).map(|member| TimeOf::Member(path.clone(), member, band.clone())));
                self.child(0, child, reaching)?;
                self.time.truncate(self.time.len() - band.len());
                Ok(())
            }
            Node::Sequence { children } | Node::Set { children } => {
                let path = path();
                for (index, child) in children.iter().enumerate() {
                    self.time.push(match node {
                        Node::Set { .. } => TimeOf::Unordered(path.clone(), index),
                        _ => TimeOf::Position(path.clone(), index),
                    });
                    self.child(index, child, reaching)?;
                    self.time.pop();
                }
                Ok(())
            }
            Node::Context { child, .. } | Node::Mark { child, .. } | Node::Guard { child, .. } => self.child(0, child, reaching),
            Node::Extension { .. } | Node::Expansion { .. } => {
                Err(broken(path(), node.kind(), "gives instances a time that is not a function of the instance"))
            }
            Node::Leaf => {
                for (statement, domain) in reaching {
                    let time = self.time.iter().map(|t| coordinate(t, statement)).collect::<Result<_, _>>()?;
                    self.found.push(Occurrence { leaf: path(), statement: statement.clone(), domain: domain.clone(), time });
                }
                Ok(())
            }
        }
    }

    fn child(&mut self, position: usize, child: &Node, reaching: &BTreeMap<Tuple, Set>) -> Result<(), Error> {
        self.path.push(position);
        let result = self.node(child, reaching);
        self.path.pop();
        result
    }
}

fn coordinate(time: &TimeOf, statement: &Tuple) -> Result<Coordinate, Error> {
    Ok(match time {
        TimeOf::Position(node, index) => Coordinate::Position { node: node.clone(), index: *index },
        TimeOf::Unordered(node, index) => Coordinate::Unordered { node: node.clone(), index: *index },
        TimeOf::Member(node, member, band) => {
            let value = functions::of_statement(band.schedule().get(*member), statement);
            let missing = || broken(node.clone(), NodeKind::Band, format!("has no schedule for {statement}, which reaches it"));
            Coordinate::Member { node: node.clone(), member: *member, value: value.cloned().ok_or_else(missing)? }
        }
    })
}
