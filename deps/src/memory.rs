//! Memory-based dependences: all pairs of conflicting instances in their original order.
//!
//! With accesses `a` of the sources, `b` of the sinks and the original order `<`, the dependences are
//! `{ s -> t : exists e: s -> e in a, t -> e in b, s < t }`. The pairs in conflict, `a . b^-1`, are walked down the original tree: what
//! a level puts in order is taken, what it puts in the opposite order is dropped, and the next level decides the rest. No write
//! hides another: these are more pairs than the flow of values has, and an order that keeps them all keeps every value.

use crate::delta::{ChildOrder, Decision, walk};
use crate::running;
use crate::{Accesses, Dependence, Dependences, Error, Kind};
use loopwright_presburger::func::Comparison;
use loopwright_presburger::{Budget, BudgetSpent, Map, Params, Space, UnionSet};
use loopwright_schedule_tree::{Node, Path, ScheduleTree};
use loopwright_scop::Scop;
use std::cmp::Reverse;
use std::ops::ControlFlow;

impl Dependences {
    /// The dependences of a static control part.
    ///
    /// # Errors
    /// As [`analyze_within`](Dependences::analyze_within).
    pub fn of_within(scop: &Scop, budget: &Budget) -> Result<Dependences, Error> {
        Dependences::analyze_within(&Accesses::of(scop), scop.schedule(), &scop.context, budget)
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// A broken tree, nodes that change which instances run.
    pub fn of(scop: &Scop) -> Result<Dependences, Error> {
        Dependences::of_within(scop, &Budget::UNLIMITED)
    }

    /// The dependences of a program: RAW, WAR and WAW of `accesses` in the order of `original`.
    ///
    /// Exact. Instances that `original` leaves unordered (below different children of a set, or with equal times) do not depend on
    /// each other. The relations hold for all parameter values; `context`, with the context at the top of the tree, says for which
    /// of them the program is ever run, so that no violation is reported elsewhere.
    ///
    /// # Errors
    /// A broken tree, nodes that change which instances run, a spent budget.
    pub fn analyze_within(
        accesses: &Accesses,
        original: &ScheduleTree,
        context: &Params,
        budget: &Budget,
    ) -> Result<Dependences, Error> {
        original.verify_within(budget)?;
        let domain = instances(original)?;
        let context = context.intersect(&top_context(original));
        running::unchanged(original, &context, budget)?;
        let accesses =
            Accesses { reads: accesses.reads.intersect_domain(&domain), writes: accesses.writes.intersect_domain(&domain) };
        let conflicts = |source: &Map, sink: &Map| Ok(source.apply_range(&sink.reverse()));
        let list = Dependences::list(&accesses, original, &conflicts, budget)?;
        Ok(Dependences { list, accesses, domain, context })
    }

    // The dependences among the pairs in conflict, which `conflicts` tells for two statements' accesses of an array.
    pub(crate) fn list(
        accesses: &Accesses,
        original: &ScheduleTree,
        conflicts: &dyn Fn(&Map, &Map) -> Result<Map, BudgetSpent>,
        budget: &Budget,
    ) -> Result<Vec<Dependence>, Error> {
        let mut list = Vec::new();
        for kind in Kind::ALL {
            let (sources, sinks) = accesses.sides(kind);
            for source in sources {
                for sink in sinks {
                    let array = source.space().range_tuple();
                    if array != sink.space().range_tuple() {
                        continue;
                    }
                    let relation = in_order(original, &conflicts(source, sink)?, budget)?;
                    if let Some(relation) = relation {
                        list.push(Dependence { kind, array: array.expect("a map").clone(), relation });
                    }
                }
            }
        }
        Ok(list)
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// A broken tree, nodes that change which instances run.
    pub fn analyze(accesses: &Accesses, original: &ScheduleTree, context: &Params) -> Result<Dependences, Error> {
        Dependences::analyze_within(accesses, original, context, &Budget::UNLIMITED)
    }
}

/// The instances of a tree with a domain at its root.
pub(crate) fn instances(tree: &ScheduleTree) -> Result<UnionSet, Error> {
    let unsupported = || Error::Unsupported { path: Path::root(), kind: tree.root().kind() };
    tree.domain().cloned().ok_or_else(unsupported)
}

// What the contexts right below the root say of the parameters.
pub(crate) fn top_context(tree: &ScheduleTree) -> Params {
    let mut known = Params::universe(Space::params(&[]));
    let mut node = &tree.root().children()[0];
    while let Node::Context { context, child } = &**node {
        known = known.intersect(&context.params());
        node = child;
    }
    known
}

// Those of the pairs whose source runs first; `None` if there are none.
fn in_order(tree: &ScheduleTree, pairs: &Map, budget: &Budget) -> Result<Option<Map>, Error> {
    let found: Vec<Map> = ordered(tree, pairs, budget)?.into_iter().map(|(_, ordered)| ordered).collect();
    let all = Map::union_all(pairs.space().clone(), &found);
    Ok((all.n_basic() > 0).then_some(all))
}

/// A place where a tree puts a source before a sink. Places of one sink are sorted by the sources there: later ones first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    // A longer path is an inner place.
    depth: Reverse<usize>,
    path: Path,
    // The child of a sequence that the sink lies below.
    sink: Option<usize>,
    // The child of a sequence that the source lies below, or a member of a band.
    source: Reverse<usize>,
}

impl Place {
    fn new(path: &Path, sink: Option<usize>, source: usize) -> Place {
        Place { depth: Reverse(path.depth()), path: path.clone(), sink, source: Reverse(source) }
    }

    /// Whether sources that are decided at `outer` can be ordered among each other here.
    pub(crate) fn is_inside(&self, outer: &Place) -> bool {
        match outer.sink {
            Some(_) => outer.path.child(outer.source.0).is_prefix_of(&self.path),
            None if self.path == outer.path => self.source.0 >= outer.source.0,
            None => outer.path.is_prefix_of(&self.path),
        }
    }
}

/// Those of the pairs whose source runs first, by the place that says so; without places that have none.
pub(crate) fn ordered(tree: &ScheduleTree, pairs: &Map, budget: &Budget) -> Result<Vec<(Place, Map)>, Error> {
    let mut found: Vec<(Place, Map)> = Vec::new();
    let _ = walk(tree.root(), pairs.clone(), budget, &mut |decision| {
        let ordered = match decision {
            Decision::Member { path, member, delta, .. } => {
                delta.select(Comparison::Gt).map(|pairs| (Place::new(path, None, member), pairs))
            }
            Decision::Children { path, children: (source, sink), order: ChildOrder::SourceFirst, pairs } => {
                Some((Place::new(path, Some(sink), source), pairs.clone()))
            }
            Decision::Band { .. } | Decision::Children { .. } | Decision::Leaf { .. } => None,
        };
        if let Some((place, ordered)) = ordered {
            let ordered = ordered.without_empty_pieces_within(budget)?;
            if !ordered.is_obviously_empty() {
                found.push((place, ordered));
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(found)
}
