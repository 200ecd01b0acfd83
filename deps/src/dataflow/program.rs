//! Value-based dependences of a program: those memory-based ones without a write to the element in between.
//!
//! - RAW: from the last write before a read to the read,
//! - WAW: from the last write before a write to the write,
//! - WAR: from the reads since the last write before a write to the write.
//!
//! They generate the memory-based ones: whatever order keeps them all keeps their transitive closure, and every memory-based dependence
//! is a chain of them, since a write that hides one conflicts with both of its ends. RAW alone is the flow of values, all that an order
//! has to keep where every value has storage of its own.

use super::AccessInfo;
use crate::memory::{instances, top_context};
use crate::{Accesses, Dependence, Dependences, Error, Kind};
use loopwright_presburger::{Budget, Params, UnionMap};
use loopwright_schedule_tree::ScheduleTree;
use loopwright_scop::Scop;

impl Dependences {
    /// The value-based dependences of a static control part: RAW by the last writer, and the WAW and WAR that storage adds to it.
    ///
    /// Exact: the writes of statements are certain.
    ///
    /// # Errors
    /// As [`value_based_from_within`](Dependences::value_based_from_within).
    pub fn value_based_within(scop: &Scop, budget: &Budget) -> Result<Dependences, Error> {
        Dependences::value_based_from_within(&Accesses::of(scop), scop.schedule(), &scop.context, budget)
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// A broken tree, nodes that change which instances run.
    pub fn value_based(scop: &Scop) -> Result<Dependences, Error> {
        Dependences::value_based_within(scop, &Budget::UNLIMITED)
    }

    /// The value-based dependences of a program whose `accesses` write for certain, in the order of `original`.
    ///
    /// Exact, if every instance has finitely many before it. See [`AccessInfo::flow_within`] for the cost.
    ///
    /// # Errors
    /// A broken tree, nodes that change which instances run, a spent budget.
    pub fn value_based_from_within(
        accesses: &Accesses,
        original: &ScheduleTree,
        context: &Params,
        budget: &Budget,
    ) -> Result<Dependences, Error> {
        let domain = instances(original)?;
        let context = context.intersect(&top_context(original));
        let accesses =
            Accesses { reads: accesses.reads.intersect_domain(&domain), writes: accesses.writes.intersect_domain(&domain) };
        let Accesses { reads, writes } = &accesses;
        let mut list = Vec::new();
        for (kind, sink, must, may, kill) in [
            (Kind::Raw, reads, Some(writes), None, None),
            (Kind::War, writes, None, Some(reads), Some(writes)),
            (Kind::Waw, writes, Some(writes), None, None),
        ] {
            let or_none = |accesses: Option<&UnionMap>| accesses.cloned().unwrap_or_default();
            let info = AccessInfo {
                must_source: or_none(must),
                may_source: or_none(may),
                kill: or_none(kill),
                ..AccessInfo::new(sink.clone(), original.clone())
            };
            for map in &info.flow_within(budget)?.may_dependence {
                let array = map.space().range_tuple().and_then(|t| t.unwrapped()).expect("a sink and an element").1;
                let relation = map.range_factor_domain().coalesce_within(budget)?;
                list.push(Dependence { kind, array: array.clone(), relation });
            }
        }
        list.sort_by(|a, b| {
            let key = |d: &Dependence| (d.kind, d.source().clone(), d.sink().clone(), d.array.clone());
            key(a).cmp(&key(b))
        });
        Ok(Dependences { list, accesses, domain, context })
    }
}
