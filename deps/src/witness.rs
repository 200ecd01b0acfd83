//! Witnesses: two concrete instances that a tree runs in the wrong order, and their replay by an oracle that shares no solver.
//!
//! A witness is a point of the violated pairs, with parameter values as small as a few trials find. [`Violation::replay`] evaluates
//! accesses and schedules at that point alone: both instances access the element in the way that the kind says, the original tree
//! runs the source before the sink, and the new tree does not.

use crate::{Accesses, Dependence, Dependences, Kind};
use loopwright_presburger::{Budget, BudgetSpent, Dim, Id, Int, Map, Point, Set, Tuple, UnionMap};
use loopwright_schedule_tree::{Band, Instance, Node, Order, Path, ScheduleTree};
use std::collections::BTreeMap;
use std::fmt;

/// Why the order of two instances is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The sink runs first.
    Reversed {
        /// The band or sequence that decides.
        path: Path,
    },
    /// Nothing says which one runs first.
    Unordered {
        /// The set or leaf where this shows.
        path: Path,
    },
    /// They run in different iterations of a loop that is marked as parallel.
    Parallel {
        /// The band whose outermost member is the loop.
        path: Path,
    },
}

impl Reason {
    /// The node that decides.
    pub fn path(&self) -> &Path {
        match self {
            Reason::Reversed { path } | Reason::Unordered { path } | Reason::Parallel { path } => path,
        }
    }
}

/// Two instances in conflict that run in the wrong order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Which accesses conflict.
    pub kind: Kind,
    /// The array.
    pub array: Id,
    /// The element that both access.
    pub element: Vec<Int>,
    /// The instance that runs first in the original order.
    pub source: Instance,
    /// The instance that runs last in the original order.
    pub sink: Instance,
    /// The values of the parameters.
    pub params: BTreeMap<Id, Int>,
    /// Why the new order is wrong.
    pub reason: Reason,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = match self.kind {
            Kind::Raw => ("writes", "reads"),
            Kind::War => ("reads", "writes"),
            Kind::Waw => ("writes", "writes"),
        };
        let Violation { source, sink, array, .. } = self;
        write!(f, "{}: {source} {first} {array}", self.kind)?;
        for index in &self.element {
            write!(f, "[{index}]")?;
        }
        write!(f, " before {sink} {last} it")?;
        let mut with = " with ";
        for (name, value) in &self.params {
            write!(f, "{with}{name} = {value}")?;
            with = ", ";
        }
        match &self.reason {
            Reason::Reversed { path } => write!(f, "; the node at {path} runs {sink} first"),
            Reason::Unordered { path } => write!(f, "; at {path} their order is open"),
            Reason::Parallel { path } => write!(f, "; the parallel loop at {path} runs them in different iterations"),
        }
    }
}

// Parameter values are tried within these bounds, and then without any.
const BOUNDS: [i64; 5] = [4, 8, 16, 64, 1024];

/// A violation among non-empty pairs in the wrong order; `None` if all lie outside of the context.
pub(crate) fn find(
    dependences: &Dependences,
    dependence: &Dependence,
    wrong: &Map,
    reason: Reason,
    budget: &Budget,
) -> Result<Option<Violation>, BudgetSpent> {
    let wrong = wrong.intersect_params(dependences.context());
    let Some(point) = small_sample(&wrong, budget)? else { return Ok(None) };
    let n = dependence.source().len();
    let (source, sink) = point.coords.split_at(n);
    let params: BTreeMap<Id, Int> = wrong.space().param_ids().iter().cloned().zip(point.params.iter().cloned()).collect();
    let (sources, sinks) = dependences.accesses().sides(dependence.kind);
    let elements = |accesses: &UnionMap, statement: &Tuple, at: &[Int]| -> Option<Set> {
        let accesses = accesses.get_by_tuples(Some(statement), Some(&dependence.array))?;
        Some(fixed(accesses, &params, at).range())
    };
    let both = elements(sources, dependence.source(), source).zip(elements(sinks, dependence.sink(), sink));
    let element = match both {
        Some((a, b)) => a.intersect(&b).sample_within(budget)?,
        None => None,
    };
    // A pair of a dependence has a common element by definition.
    let Some(element) = element else { return Ok(None) };
    Ok(Some(Violation {
        kind: dependence.kind,
        array: dependence.array.name().cloned().unwrap_or_else(|| "".into()),
        element: element.coords,
        source: instance(dependence.source(), source),
        sink: instance(dependence.sink(), sink),
        params,
        reason,
    }))
}

fn instance(statement: &Tuple, at: &[Int]) -> Instance {
    Instance { statement: statement.name().cloned().unwrap_or_else(|| "".into()), coordinates: at.to_vec() }
}

// The map at one point of its domain.
fn fixed(map: &Map, params: &BTreeMap<Id, Int>, at: &[Int]) -> Map {
    let at_point = at.iter().enumerate().fold(map.clone(), |m, (i, value)| m.fix(Dim::In, i, value));
    params.iter().fold(at_point, |m, (name, value)| match m.space().param_position(name) {
        Some(position) => m.fix(Dim::Param, position, value),
        None => m,
    })
}

fn small_sample(pairs: &Map, budget: &Budget) -> Result<Option<Point>, BudgetSpent> {
    let params = pairs.space().dim(Dim::Param);
    if params > 0 {
        for bound in BOUNDS {
            let (low, high) = (Int::from(-bound), Int::from(bound));
            let near =
                (0..params).fold(pairs.clone(), |m, i| m.lower_bound(Dim::Param, i, &low).upper_bound(Dim::Param, i, &high));
            if let Some(point) = near.sample_within(budget)? {
                return Ok(Some(point));
            }
        }
    }
    pairs.sample_within(budget)
}

/// Why a replay does not confirm a violation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// An instance does not access the element.
    #[error("{instance} does not access {array}{element:?} in the way that a {kind} dependence needs")]
    Access {
        /// The instance.
        instance: Instance,
        /// The array.
        array: Id,
        /// The element.
        element: Vec<Int>,
        /// The kind.
        kind: Kind,
    },
    /// The original tree does not run the source first.
    #[error("the original tree does not run {source_instance} before {sink}: {order:?}")]
    Original {
        /// The source.
        source_instance: Instance,
        /// The sink.
        sink: Instance,
        /// What the tree says.
        order: Order,
    },
    /// The new tree does not break the order in the way that the reason says.
    #[error("the new tree keeps {source_instance} before {sink}: {order:?} with regard to {reason:?}")]
    New {
        /// The source.
        source_instance: Instance,
        /// The sink.
        sink: Instance,
        /// What the tree says.
        order: Order,
        /// What was claimed.
        reason: Reason,
    },
    /// An instance does not run in one of the trees.
    #[error(transparent)]
    Tree(#[from] loopwright_schedule_tree::Error),
}

impl Violation {
    /// Runs both orders at the violation's point and confirms that the element is accessed in the wrong order.
    ///
    /// # Errors
    /// Says what does not hold.
    pub fn replay(&self, accesses: &Accesses, original: &ScheduleTree, new: &ScheduleTree) -> Result<(), ReplayError> {
        let params: Vec<(&str, Int)> = self.params.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let (sources, sinks) = accesses.sides(self.kind);
        for (accesses, instance) in [(sources, &self.source), (sinks, &self.sink)] {
            if !self.is_accessed(accesses, instance, &params) {
                let (array, element) = (self.array.clone(), self.element.clone());
                return Err(ReplayError::Access { instance: instance.clone(), array, element, kind: self.kind });
            }
        }
        let (source, sink) = (&self.source, &self.sink);
        let order = original.order(source, sink, &params)?;
        if order != Order::Before {
            return Err(ReplayError::Original { source_instance: source.clone(), sink: sink.clone(), order });
        }
        let order = new.order(source, sink, &params)?;
        let broken = match (&self.reason, order) {
            (Reason::Reversed { .. }, Order::After) => true,
            (Reason::Unordered { .. }, Order::Equal | Order::Unordered) => true,
            (Reason::Parallel { path }, Order::Before) => runs_apart(new, path, source, sink, &params)?,
            _ => false,
        };
        if broken {
            return Ok(());
        }
        Err(ReplayError::New { source_instance: source.clone(), sink: sink.clone(), order, reason: self.reason.clone() })
    }

    fn is_accessed(&self, accesses: &UnionMap, instance: &Instance, params: &[(&str, Int)]) -> bool {
        let point: Vec<Int> = instance.coordinates.iter().chain(&self.element).cloned().collect();
        accesses.members().any(|map| {
            let (statement, array) = crate::delta::ends(map);
            statement.name() == Some(&instance.statement)
                && array.name() == Some(&self.array)
                && statement.len() == instance.coordinates.len()
                && array.len() == self.element.len()
                && map.contains_point(params, &point)
        })
    }
}

// Whether the outer iterations of two instances are equal at the band at `path`, under a parallel mark, and its outermost member
// tells them apart. The tree is cut at the band, and then below its outermost member.
fn runs_apart(
    tree: &ScheduleTree,
    path: &Path,
    source: &Instance,
    sink: &Instance,
    params: &[(&str, Int)],
) -> Result<bool, ReplayError> {
    let Some(band) = tree.node(path)?.as_band() else { return Ok(false) };
    let Some(outermost) = band.schedule().select(0, 1) else { return Ok(false) };
    let above = tree.with_node(path, Node::Leaf)?;
    let with_member = tree.with_node(path, Node::band(Band::new(outermost), Node::Leaf))?;
    let apart = matches!(with_member.order(source, sink, params)?, Order::Before | Order::After);
    Ok(apart && above.order(source, sink, params)? == Order::Equal && is_marked(tree, path))
}

// Whether a parallel mark waits for the band at `path`: it stands above, with no other band in between.
fn is_marked(tree: &ScheduleTree, path: &Path) -> bool {
    let mut marked = false;
    let Ok(cursor) = tree.at(path) else { return false };
    for node in cursor.ancestors() {
        match &**node {
            Node::Mark { mark: loopwright_schedule_tree::Mark::Parallel { .. }, .. } => marked = true,
            Node::Band { band, .. } if !band.is_empty() => marked = false,
            _ => {}
        }
    }
    marked
}
