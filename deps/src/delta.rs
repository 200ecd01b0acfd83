//! Distances in time: how a band member, and how a whole tree, orders pairs of instances.
//!
//! For pairs `R = { S[i] -> T[j] }` and a band member `f`, the delta of a pair is `f(T[j]) - f(S[i])`, a quasi-affine function of the
//! pair. Its sign decides: positive where the source runs first, negative where it runs last, zero where the next level decides.
//! `walk` goes down a tree with the pairs that are still undecided, level by level, and reports every place where some are decided.

use crate::Error;
use loopwright_presburger::func::Comparison;
use loopwright_presburger::{Aff, Budget, BudgetSpent, Map, Set, Space, Tuple, UnionPwAff, UnionSet};
use loopwright_schedule_tree::{Band, Mark, Node, Path};
use std::ops::ControlFlow;

/// The delta of a band member on pairs of instances of two statements.
#[derive(Debug, Clone)]
pub struct Delta {
    // Invariant: the maps are disjoint where the pieces of the member's functions are; the functions live on the wrapped pairs.
    parts: Vec<(Map, Aff)>,
}

impl Delta {
    /// The delta of `member` on `pairs`. Pairs with an end where the member has no value are left out.
    pub fn new(member: &UnionPwAff, pairs: &Map) -> Delta {
        let (source, sink) = ends(pairs);
        let value = |statement: &Tuple| member.get_by_tuples(Some(statement), Some(&Tuple::anonymous(1)));
        let (Some(from), Some(to)) = (value(source), value(sink)) else { return Delta { parts: Vec::new() } };
        let (n, m) = (source.len(), sink.len());
        let wrapped = pairs.space().wrap();
        let (front, back): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..n + m).collect());
        let mut parts = Vec::new();
        for (from_domain, from) in from.pieces() {
            let pairs = on_domain(pairs, from_domain);
            for (to_domain, to) in to.pieces() {
                let pairs = on_range(&pairs, to_domain);
                if !pairs.is_obviously_empty() {
                    let delta = to.on_domain(&wrapped, &back).sub(&from.on_domain(&wrapped, &front));
                    parts.push((pairs, delta));
                }
            }
        }
        Delta { parts }
    }

    /// `{ S[i] -> T[j] in R : delta op 0 }`
    pub fn select(&self, op: Comparison) -> Option<Map> {
        let mut selected: Option<Map> = None;
        for (pairs, delta) in &self.parts {
            let part = match delta.as_int() {
                Some(value) if holds(value.signum(), op) => pairs.clone(),
                Some(_) => continue,
                None => pairs.intersect(&delta.sign_set(op).unwrap()),
            };
            if !part.is_obviously_empty() {
                selected = Some(match selected {
                    Some(others) => others.union(&part),
                    None => part,
                });
            }
        }
        selected
    }
}

fn holds(sign: i32, op: Comparison) -> bool {
    match op {
        Comparison::Lt => sign < 0,
        Comparison::Le => sign <= 0,
        Comparison::Eq => sign == 0,
        Comparison::Ge => sign >= 0,
        Comparison::Gt => sign > 0,
        Comparison::Ne => sign != 0,
    }
}

/// The tuples of the sources and the sinks.
pub(crate) fn ends(pairs: &Map) -> (&Tuple, &Tuple) {
    let space: &Space = pairs.space();
    (space.domain_tuple().expect("a map"), space.range_tuple().expect("a map"))
}

fn on_domain(pairs: &Map, set: &Set) -> Map {
    if set.is_obviously_universe() { pairs.clone() } else { pairs.intersect_domain(set) }
}

fn on_range(pairs: &Map, set: &Set) -> Map {
    if set.is_obviously_universe() { pairs.clone() } else { pairs.intersect_range(set) }
}

/// The part of a union set in the space of one statement.
pub(crate) fn set_of<'a>(set: &'a UnionSet, statement: &Tuple) -> Option<&'a Set> {
    set.get_by_tuples(None, Some(statement))
}

/// A place where a tree decides the order of pairs.
pub(crate) enum Decision<'a> {
    /// A band is entered; nothing is decided yet.
    Band {
        /// The band.
        path: &'a Path,
        /// Its members.
        band: &'a Band,
        /// The undecided pairs.
        pairs: &'a Map,
    },
    /// A band member: those with a delta other than zero are decided.
    Member {
        /// The band.
        path: &'a Path,
        /// Which of its members.
        member: usize,
        /// Whether a parallel mark lies on it.
        parallel: bool,
        /// The delta of the undecided pairs.
        delta: &'a Delta,
    },
    /// The children of a sequence or set: all these are decided.
    Children {
        /// The sequence or set.
        path: &'a Path,
        /// The child of the sources and that of the sinks.
        children: (usize, usize),
        /// What their positions say.
        order: ChildOrder,
        /// The pairs whose ends lie below different children.
        pairs: &'a Map,
    },
    /// A leaf: these never differed.
    Leaf {
        /// The leaf.
        path: &'a Path,
        /// The pairs.
        pairs: &'a Map,
    },
}

/// What the positions of two children say about the order of a source below one and a sink below another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChildOrder {
    SourceFirst,
    SinkFirst,
    Unordered,
}

/// Goes on, or ends the walk.
pub(crate) type Flow = Result<ControlFlow<()>, BudgetSpent>;

/// Walks down from `node`, in a tree that [`crate::running`] accepts, with the undecided `pairs`; calls `visit` with every decision,
/// outermost first.
pub(crate) fn walk(
    node: &Node,
    pairs: Map,
    budget: &Budget,
    visit: &mut dyn FnMut(Decision) -> Flow,
) -> Result<ControlFlow<()>, Error> {
    Walk { path: Path::root(), budget, visit }.node(node, pairs, false)
}

struct Walk<'a> {
    path: Path,
    budget: &'a Budget,
    visit: &'a mut dyn FnMut(Decision) -> Flow,
}

const GO: Result<ControlFlow<()>, Error> = Ok(ControlFlow::Continue(()));

macro_rules! go {
    ($flow:expr) => {
        if $flow?.is_break() {
            return Ok(ControlFlow::Break(()));
        }
    };
}

impl Walk<'_> {
    // Recursive, over a tree of limited nesting. `parallel`: a parallel mark above still waits for the bands that it marks.
    fn node(&mut self, node: &Node, pairs: Map, parallel: bool) -> Result<ControlFlow<()>, Error> {
        self.budget.spend(1)?;
        if pairs.is_obviously_empty() {
            return GO;
        }
        match node {
            Node::Domain { domain: set, child } | Node::Filter { filter: set, child } => {
                let (source, sink) = ends(&pairs);
                let (Some(source), Some(sink)) = (set_of(set, source), set_of(set, sink)) else { return GO };
                let pairs = on_range(&on_domain(&pairs, source), sink);
                self.child(0, child, pairs, parallel)
            }
            Node::Band { band, child } => {
                go!((self.visit)(Decision::Band { path: &self.path, band, pairs: &pairs }));
                let mut pairs = pairs;
                for (member, function) in band.schedule().elements().iter().enumerate() {
                    let delta = Delta::new(function, &pairs);
                    let parallel = parallel && member == 0;
                    go!((self.visit)(Decision::Member { path: &self.path, member, parallel, delta: &delta }));
                    match delta.select(Comparison::Eq) {
                        Some(undecided) => pairs = undecided,
                        None => return GO,
                    }
                }
                self.child(0, child, pairs, parallel && band.is_empty())
            }
            Node::Sequence { children } => self.children(node, children, &pairs, parallel),
            Node::Set { children } => self.children(node, children, &pairs, parallel),
            Node::Mark { mark, child } => self.child(0, child, pairs, parallel || matches!(mark, Mark::Parallel { .. })),
            // A guard that changes nothing: see [`crate::running`].
            Node::Context { child, .. } | Node::Guard { child, .. } => self.child(0, child, pairs, parallel),
            Node::Extension { .. } | Node::Expansion { .. } => {
                Err(Error::Unsupported { path: self.path.clone(), kind: node.kind() })
            }
            Node::Leaf => Ok((self.visit)(Decision::Leaf { path: &self.path, pairs: &pairs })?),
        }
    }

    fn child(&mut self, position: usize, child: &Node, pairs: Map, parallel: bool) -> Result<ControlFlow<()>, Error> {
        let here = self.path.clone();
        self.path = here.child(position);
        let flow = self.node(child, pairs, parallel);
        self.path = here;
        flow
    }

    fn children(
        &mut self,
        node: &Node,
        children: &[std::sync::Arc<Node>],
        pairs: &Map,
        parallel: bool,
    ) -> Result<ControlFlow<()>, Error> {
        let (source, sink) = ends(pairs);
        let side = |statement: &Tuple| -> Vec<(usize, Set)> {
            let filters = children.iter().enumerate().filter_map(|(i, c)| Some((i, c.as_filter()?)));
            filters.filter_map(|(i, f)| Some((i, set_of(f, statement)?.clone()))).collect()
        };
        let (sources, sinks) = (side(source), side(sink));
        for (i, from) in &sources {
            let pairs = on_domain(pairs, from);
            for (j, to) in &sinks {
                let pairs = on_range(&pairs, to);
                if pairs.is_obviously_empty() {
                    continue;
                }
                let order = match (node, i.cmp(j)) {
                    (_, std::cmp::Ordering::Equal) => {
                        // The child is the filter itself, which has just been applied.
                        let below = &children[*i].children()[0];
                        let here = self.path.clone();
                        self.path = here.child(*i);
                        let flow = self.child(0, below, pairs, parallel);
                        self.path = here;
                        go!(flow);
                        continue;
                    }
                    (Node::Set { .. }, _) => ChildOrder::Unordered,
                    (_, std::cmp::Ordering::Less) => ChildOrder::SourceFirst,
                    (_, std::cmp::Ordering::Greater) => ChildOrder::SinkFirst,
                };
                go!((self.visit)(Decision::Children { path: &self.path, children: (*i, *j), order, pairs: &pairs }));
            }
        }
        GO
    }
}
