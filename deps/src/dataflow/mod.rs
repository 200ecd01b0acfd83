//! Value-based flow: which access an element's value comes from.
//!
//! A sink `s -> e` gets the value of `e` from the last source before it. Some sources certainly write (*must*), others may write
//! (*may*), and a *kill* certainly ends the life of a value without giving a new one. With `<` the order of the schedule, a source `m`
//! of `e` reaches the sink unless a must source or kill `d` of `e` lies in between, `m < d < s`. Hence, for every sink access,
//!
//! - the *may dependences* come from all must and may sources that reach it,
//! - the *must dependence* comes from a must source that reaches it where nothing else does: the value is certainly its value,
//! - a sink has *no may source* if no must source or kill runs before it: what it reads may stem from before the program, and
//!   *no must source* if nothing at all reaches it: what it reads certainly does.
//!
//! (Feautrier, "Dataflow analysis of array and scalar references", 1991; the names are those of isl's access information.) Sources that
//! the schedule leaves unordered, below different children of a set or at equal times, do not hide each other.
//!
//! ```
//! use loopwright_deps::AccessInfo;
//! let info: AccessInfo = r#"
//! sink: "{ S[] -> a[] }"
//! must_source: "{ T[i] -> a[] : 0 <= i < 10 }"
//! schedule_map: "{ T[i] -> [0, i]; S[] -> [1, 0] }"
//! "#.parse()?;
//! let flow = info.flow()?;
//! assert!(flow.must_dependence.is_equal(&"{ T[9] -> [S[] -> a[]] }".parse().unwrap()));
//! assert!(flow.must_no_source.is_empty());
//! # Ok::<(), loopwright_deps::Error>(())
//! ```

mod last;
mod program;
mod text;

use crate::Error;
use loopwright_presburger::{Budget, MultiUnionPwAff, UnionMap};
use loopwright_schedule_tree::{Band, Node, ScheduleTree};

/// What flow is computed from: accesses and the order in which they happen.
#[derive(Debug, Clone, PartialEq)]
pub struct AccessInfo {
    /// `{ S[i] -> A[e] : S[i] may read A[e] }`: where values are wanted.
    pub sink: UnionMap,
    /// `{ T[j] -> A[e] : T[j] certainly writes A[e] }`
    pub must_source: UnionMap,
    /// `{ T[j] -> A[e] : T[j] may write A[e] }`; must sources may be among them.
    pub may_source: UnionMap,
    /// `{ K[j] -> A[e] : no value of A[e] lives on after K[j] }`
    pub kill: UnionMap,
    /// The order. Accesses of instances that it does not run count for nothing.
    pub schedule: ScheduleTree,
}

/// Where the values of sinks come from.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Flow {
    /// `{ T[j] -> [S[i] -> A[e]] : the value that S[i] gets from A[e] is certainly that of T[j] }`
    pub must_dependence: UnionMap,
    /// `{ T[j] -> [S[i] -> A[e]] : the value that S[i] gets from A[e] may be that of T[j] }`
    pub may_dependence: UnionMap,
    /// `{ S[i] -> A[e] : no source and no kill of A[e] runs before S[i] }`
    pub must_no_source: UnionMap,
    /// `{ S[i] -> A[e] : no must source and no kill of A[e] runs before S[i] }`
    pub may_no_source: UnionMap,
}

impl AccessInfo {
    /// Access information without sources.
    pub fn new(sink: UnionMap, schedule: ScheduleTree) -> AccessInfo {
        AccessInfo { sink, must_source: UnionMap::empty(), may_source: UnionMap::empty(), kill: UnionMap::empty(), schedule }
    }

    /// The flow of values.
    ///
    /// Exact, for all parameter values, if every sink has finitely many sources before it. For each sink access and each level of the
    /// tree, innermost first, the cost is a set difference per pair of a source and a must source decided there; levels outside of one
    /// where all sinks have met a must source cost nothing.
    ///
    /// # Errors
    /// A broken tree, nodes that change which instances run, a spent budget.
    pub fn flow_within(&self, budget: &Budget) -> Result<Flow, Error> {
        last::flow(self, budget)
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// A broken tree, nodes that change which instances run.
    pub fn flow(&self) -> Result<Flow, Error> {
        self.flow_within(&Budget::UNLIMITED)
    }
}

/// The tree of a schedule map `{ S[i] -> [f(i)] }`: one band under the domain of the map.
///
/// # Errors
/// [`Error::ScheduleMap`] unless the map is a quasi-affine function with times in one space.
pub fn tree_of_map(map: &UnionMap) -> Result<ScheduleTree, Error> {
    let refused = |why: String| Error::ScheduleMap { why };
    let mut times = map.members().filter_map(|m| m.space().range_tuple());
    let first = times.next();
    if let Some(other) = times.find(|t| Some(*t) != first) {
        let first = first.map(ToString::to_string).unwrap_or_default();
        return Err(refused(format!("times are in {first} and in {other}; give all statements times of one length")));
    }
    let child = if first.is_none_or(|t| t.is_empty()) {
        Node::Leaf
    } else {
        let function = MultiUnionPwAff::from_union_map(map).map_err(|e| refused(e.to_string()))?;
        Node::band(Band::new(function), Node::Leaf)
    };
    Ok(ScheduleTree::new(Node::domain(map.domain(), child))?)
}

impl Flow {
    /// `{ T[j] -> S[i] : a value may flow from T[j] to S[i] }`
    pub fn pairs(&self) -> UnionMap {
        self.may_dependence.members().map(|m| m.range_factor_domain()).collect()
    }
}
