//! The sources that reach a sink, level by level.
//!
//! A tree decides the order of a source and a sink at one place: a band member, or two children of a sequence. Of two sources before
//! the same sink, the one that is decided at the inner place is the later one, since the other one parts from both at the outer place;
//! and of two children of a sequence before the sink's child, the right one is the later one. So places are visited innermost first,
//! with the sinks that are still *open*: no must source has been met for them. At a place, the sources are candidates
//! `C = { m -> [s -> e] }`, and with `<` the order between sources inside the place, those that reach the sinks are
//! `C \ { m -> [s -> e] : exists d: m < d, d -> [s -> e] in C, d must or kill }`.

use super::{AccessInfo, Flow};
use crate::Error;
use crate::memory::{Place, instances, ordered};
use crate::running;
use loopwright_presburger::{Budget, BudgetSpent, Map, Params, Set, Space, UnionMap};
use loopwright_schedule_tree::ScheduleTree;
use std::collections::BTreeMap;

/// The flow of some access information.
pub(super) fn flow(info: &AccessInfo, budget: &Budget) -> Result<Flow, Error> {
    info.schedule.verify_within(budget)?;
    running::unchanged(&info.schedule, &Params::universe(Space::params(&[])), budget)?;
    let domain = instances(&info.schedule)?;
    let [sink, must, may, kill] =
        [&info.sink, &info.must_source, &info.may_source, &info.kill].map(|accesses| accesses.intersect_domain(&domain));
    let mut flow = Flow::default();
    let mut arrays: Vec<_> = sink.members().filter_map(|m| m.space().range_tuple()).collect();
    arrays.sort();
    arrays.dedup();
    for array in arrays {
        let of_array = |accesses: &UnionMap| accesses.filter(|space| space.range_tuple() == Some(array));
        let sources = Source::all(&of_array(&must), &of_array(&may), &of_array(&kill), budget)?;
        let mut element = Element { tree: &info.schedule, sources, before: BTreeMap::new(), budget };
        for sink in &of_array(&sink) {
            element.sink(sink, &mut flow)?;
        }
    }
    Ok(flow)
}

/// What one statement does to one array, as a source.
struct Source {
    // Its must sources and kills, or its other may sources.
    map: Map,
    definite: bool,
    // Those of `map` that write for certain, and those that write at all.
    must: Option<Map>,
    writes: Option<Map>,
}

impl Source {
    fn all(must: &UnionMap, may: &UnionMap, kill: &UnionMap, budget: &Budget) -> Result<Vec<Source>, BudgetSpent> {
        let mut sources = Vec::new();
        let (definite, writes) = (must.union(kill), must.union(may));
        for map in &definite {
            let writes = writes.get(map.space()).map(|w| w.intersect(map));
            sources.push(Source { map: map.clone(), definite: true, must: must.get(map.space()).cloned(), writes });
        }
        for map in &may.subtract_within(&definite, budget)? {
            sources.push(Source { map: map.clone(), definite: false, must: None, writes: Some(map.clone()) });
        }
        Ok(sources)
    }
}

/// All sources of one array.
struct Element<'a> {
    tree: &'a ScheduleTree,
    sources: Vec<Source>,
    // Which instances of one source run before which of another one, with the places that say so.
    before: BTreeMap<(usize, usize), Vec<(Place, Map)>>,
    budget: &'a Budget,
}

impl Element<'_> {
    // Adds the flow to one sink.
    fn sink(&mut self, sink: &Map, flow: &mut Flow) -> Result<(), Error> {
        let mut places: BTreeMap<Place, Vec<(usize, Map)>> = BTreeMap::new();
        for (x, source) in self.sources.iter().enumerate() {
            for (place, pairs) in ordered(self.tree, &source.map.apply_range(&sink.reverse()), self.budget)? {
                places.entry(place).or_default().push((x, pairs));
            }
        }
        let mut open = sink.wrap().without_empty_pieces_within(self.budget)?;
        let mut reaching: BTreeMap<usize, Map> = BTreeMap::new();
        for (place, decided) in places {
            if open.is_obviously_empty() {
                break;
            }
            let mut candidates = Vec::new();
            for (x, pairs) in decided {
                // { m -> [s -> e] }
                let all = pairs.range_product(&self.sources[x].map).intersect_range(&open);
                let all = all.without_empty_pieces_within(self.budget)?;
                if !all.is_obviously_empty() {
                    candidates.push((x, all));
                }
            }
            for (x, all) in &candidates {
                let rest = self.not_hidden(&place, *x, all, &candidates)?;
                let known = reaching.remove(x).map_or(rest.clone(), |known| known.union(&rest));
                reaching.insert(*x, known);
            }
            for (_, all) in candidates.iter().filter(|(x, _)| self.sources[*x].definite) {
                open = open.subtract_within(&all.range(), self.budget)?;
            }
        }
        self.record(sink, &open, &reaching, flow)
    }

    // Those of the candidates of source `x` at a place that no definite candidate there hides.
    fn not_hidden(&mut self, place: &Place, x: usize, all: &Map, candidates: &[(usize, Map)]) -> Result<Map, Error> {
        let mut rest = all.clone();
        for (d, hiding) in candidates {
            if !self.sources[*d].definite || rest.is_obviously_empty() {
                continue;
            }
            let before: Vec<Map> =
                self.before(x, *d)?.iter().filter(|(inner, _)| inner.is_inside(place)).map(|(_, pairs)| pairs.clone()).collect();
            for pairs in before {
                rest = rest.subtract_within(&pairs.apply_range(hiding), self.budget)?;
            }
        }
        Ok(rest.coalesce_within(self.budget)?)
    }

    fn before(&mut self, x: usize, d: usize) -> Result<&[(Place, Map)], Error> {
        if !self.before.contains_key(&(x, d)) {
            let pairs = self.sources[x].map.apply_range(&self.sources[d].map.reverse());
            self.before.insert((x, d), ordered(self.tree, &pairs, self.budget)?);
        }
        Ok(&self.before[&(x, d)])
    }

    fn record(&self, sink: &Map, open: &Set, reaching: &BTreeMap<usize, Map>, flow: &mut Flow) -> Result<(), Error> {
        let mut without = sink.wrap();
        for (x, pairs) in reaching {
            without = without.subtract_within(&pairs.range(), self.budget)?;
            let source = &self.sources[*x];
            let written = |by: &Map| pairs.intersect_range_factor_range(by).without_empty_pieces_within(self.budget);
            if let Some(writes) = &source.writes {
                add(&mut flow.may_dependence, &written(writes)?);
            }
            if let Some(must) = &source.must {
                let mut only = written(must)?;
                for other in reaching.iter().filter(|(y, _)| *y != x).map(|(_, other)| other) {
                    only = only.subtract_range_within(&other.range(), self.budget)?;
                }
                if !only.is_obviously_empty() {
                    only = only.subtract_range_within(&ambiguous(pairs, self.budget)?, self.budget)?;
                }
                add(&mut flow.must_dependence, &only.coalesce_within(self.budget)?);
            }
        }
        add(&mut flow.must_no_source, &without.coalesce_within(self.budget)?.unwrap());
        add(&mut flow.may_no_source, &open.coalesce_within(self.budget)?.unwrap());
        Ok(())
    }
}

// `{ s : exists m, m' : m -> s, m' -> s in pairs, m != m' }`
fn ambiguous(pairs: &Map, budget: &Budget) -> Result<Set, BudgetSpent> {
    let sources = pairs.reverse();
    if sources.is_single_valued_within(budget)? {
        return Ok(Set::empty(sources.domain().space().clone()));
    }
    let two = sources.range_product(&sources);
    let apart = Map::lex_lt(&pairs.space().domain());
    Ok(two.intersect_range(&apart.wrap()).domain())
}

fn add(all: &mut UnionMap, map: &Map) {
    if !map.is_obviously_empty() {
        *all = all.add(map);
    }
}
