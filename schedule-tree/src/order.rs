//! Which of two instances runs first: an oracle that walks the tree with both, independent of maps and solvers.

use crate::{Error, Node, Path, ScheduleTree, functions};
use loopwright_presburger::{Id, Int, Set, Tuple};
use std::cmp::Ordering;
use std::fmt;

/// A statement instance at given parameters: `S[3, 4]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instance {
    /// The statement's name.
    pub statement: Id,
    /// The values of its iterators.
    pub coordinates: Vec<Int>,
}

impl Instance {
    /// An instance.
    pub fn new(statement: &str, coordinates: &[i64]) -> Instance {
        Instance { statement: statement.into(), coordinates: coordinates.iter().map(|c| Int::from(*c)).collect() }
    }

    fn is_in(&self, set: &Set, params: &[(&str, Int)]) -> bool {
        self.is_of(set.space().tuple()) && set.contains_point(params, &self.coordinates)
    }

    fn is_of(&self, tuple: &Tuple) -> bool {
        tuple.name() == Some(&self.statement) && tuple.len() == self.coordinates.len()
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let coordinates: Vec<String> = self.coordinates.iter().map(Int::to_string).collect();
        write!(f, "{}[{}]", self.statement, coordinates.join(", "))
    }
}

/// How a tree orders two instances.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Order {
    /// The first runs before the second.
    Before,
    /// The first runs after the second.
    After,
    /// Both have the same time: the tree leaves their order open.
    Equal,
    /// They run below different children of a set: the tree leaves their order open.
    Unordered,
    /// They are one and the same instance.
    Same,
}

impl ScheduleTree {
    /// How the tree orders instances `a` and `b` at the given parameters.
    ///
    /// Exact; costs the evaluation of the bands on the way.
    ///
    /// # Errors
    /// [`Error::Broken`] with the node where an instance does not run (outside of the domain or of all filters), would run twice, or
    /// has no schedule; also at extension and expansion nodes.
    pub fn order(&self, a: &Instance, b: &Instance, params: &[(&str, Int)]) -> Result<Order, Error> {
        let mut path = Path::root();
        let mut node = self.root();
        loop {
            let broken = |message: String| Error::Broken { path: path.clone(), kind: node.kind(), message };
            let mut position = 0;
            match &**node {
                Node::Domain { domain: set, .. } | Node::Filter { filter: set, .. } => {
                    for instance in [a, b] {
                        if !set.members().any(|s| instance.is_in(s, params)) {
                            return Err(broken(format!("does not contain {instance}")));
                        }
                    }
                }
                Node::Band { band, .. } => {
                    for (member, function) in band.schedule().elements().iter().enumerate() {
                        let value = |i: &Instance| {
                            let missing = || broken(format!("has no integer value for {i} in member {member}"));
                            functions::value(function, |t| i.is_of(t), params, &i.coordinates).ok_or_else(missing)
                        };
                        match value(a)?.cmp(&value(b)?) {
                            Ordering::Less => return Ok(Order::Before),
                            Ordering::Greater => return Ok(Order::After),
                            Ordering::Equal => {}
                        }
                    }
                }
                Node::Sequence { children } | Node::Set { children } => {
                    let at = |i: &Instance| {
                        let runs = |child: &Node| child.as_filter().is_some_and(|f| f.members().any(|s| i.is_in(s, params)));
                        let mut positions = (0..children.len()).filter(|&c| runs(&children[c]));
                        match (positions.next(), positions.next()) {
                            (Some(position), None) => Ok(position),
                            (None, _) => Err(broken(format!("has no child that runs {i}"))),
                            (Some(x), Some(y)) => Err(broken(format!("has two children that run {i}: {x} and {y}"))),
                        }
                    };
                    position = at(a)?;
                    match position.cmp(&at(b)?) {
                        Ordering::Equal => {}
                        _ if matches!(**node, Node::Set { .. }) => return Ok(Order::Unordered),
                        Ordering::Less => return Ok(Order::Before),
                        Ordering::Greater => return Ok(Order::After),
                    }
                }
                Node::Extension { .. } | Node::Expansion { .. } => {
                    return Err(broken("gives instances a time that is not a function of the instance".into()));
                }
                Node::Context { .. } | Node::Mark { .. } | Node::Guard { .. } => {}
                Node::Leaf => return Ok(if a == b { Order::Same } else { Order::Equal }),
            }
            node = &node.children()[position];
            path = path.child(position);
        }
    }
}
