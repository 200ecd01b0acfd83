//! Programs by hand, and the oracle that enumerates all of their instances.
#![allow(dead_code)]

use loopwright_deps::{Accesses, Dependences, Verdict};
use loopwright_presburger::{Dim, Int, Params, Point, UnionMap, UnionSet};
use loopwright_schedule_tree::{Band, Instance, Mark, Node, Order, Path, Registry, ScheduleTree};

/// A program, and all of its conflicting pairs at a few sizes.
pub struct Program {
    pub accesses: Accesses,
    pub original: ScheduleTree,
    pub dependences: Dependences,
    enumerated: Vec<Enumerated>,
}

/// All pairs of instances that access one element, one of them for writing, the first before the second.
struct Enumerated {
    params: Vec<(String, Int)>,
    pairs: Vec<(Instance, Instance)>,
}

#[track_caller]
pub fn map(text: &str) -> UnionMap {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[track_caller]
pub fn tree(text: &str) -> ScheduleTree {
    text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[track_caller]
pub fn path(positions: &[usize]) -> Path {
    Path::from(positions)
}

/// A program with the sizes at which it is enumerated, each a value for all of its parameters.
#[track_caller]
pub fn program(reads: &str, writes: &str, original: &str, sizes: &[i64]) -> Program {
    let accesses = Accesses { reads: map(reads), writes: map(writes) };
    let original = tree(original);
    let context: Params = "{ : }".parse().unwrap();
    let dependences = Dependences::analyze(&accesses, &original, &context).unwrap();
    let domain = original.domain().unwrap();
    let mut names: Vec<String> = domain.param_ids().iter().map(|p| p.to_string()).collect();
    names.sort();
    let enumerated = sizes.iter().map(|size| {
        let params = names.iter().map(|name| (name.clone(), Int::from(*size))).collect();
        enumerate(&accesses, &original, params)
    });
    let enumerated = enumerated.collect();
    Program { accesses, original, dependences, enumerated }
}

fn at_params(params: &[(String, Int)], set: &UnionSet) -> UnionSet {
    let all: Params = params.iter().fold("{ : }".parse().unwrap(), |all: Params, (name, value)| {
        all.intersect(&format!("[{name}] -> {{ : {name} = {value} }}").parse().unwrap())
    });
    set.intersect_params(&all)
}

fn instance_at(point: &Point) -> Instance {
    Instance { statement: point.space.tuple().name().unwrap().clone(), coordinates: point.coords.clone() }
}

fn touched(instance: &Instance, accesses: &UnionMap, params: &[(String, Int)]) -> Vec<(String, Vec<Int>)> {
    let mut found = Vec::new();
    for map in accesses.members() {
        if map.space().domain_tuple().unwrap().name() == Some(&instance.statement) {
            let at = instance.coordinates.iter().enumerate().fold(map.clone(), |m, (i, value)| m.fix(Dim::In, i, value));
            let array = map.space().range_tuple().unwrap().to_string();
            let elements = at_params(params, &at.range().into()).points().unwrap();
            found.extend(elements.into_iter().map(|p| (array.clone(), p.coords)));
        }
    }
    found
}

pub fn borrowed(params: &[(String, Int)]) -> Vec<(&str, Int)> {
    params.iter().map(|(name, value)| (&**name, value.clone())).collect()
}

fn enumerate(accesses: &Accesses, original: &ScheduleTree, params: Vec<(String, Int)>) -> Enumerated {
    let domain = at_params(&params, original.domain().unwrap());
    let instances: Vec<Instance> = domain.points().unwrap().iter().map(instance_at).collect();
    let touches: Vec<_> =
        instances.iter().map(|i| (touched(i, &accesses.reads, &params), touched(i, &accesses.writes, &params))).collect();
    let mut pairs = Vec::new();
    for (a, (a_reads, a_writes)) in instances.iter().zip(&touches) {
        for (b, (b_reads, b_writes)) in instances.iter().zip(&touches) {
            let conflict = a_writes.iter().any(|e| b_reads.contains(e) || b_writes.contains(e))
                || a_reads.iter().any(|e| b_writes.contains(e));
            if a != b && conflict && original.order(a, b, &borrowed(&params)).unwrap() == Order::Before {
                pairs.push((a.clone(), b.clone()));
            }
        }
    }
    Enumerated { params, pairs }
}

// The bands that a parallel mark lies on: each with the tree cut above it and the tree cut below its outermost member.
fn marked(tree: &ScheduleTree) -> Vec<(ScheduleTree, ScheduleTree)> {
    let mut found = Vec::new();
    for (path, node) in tree.nodes() {
        let above = path.parent().and_then(|p| tree.node(&p).ok());
        let is_marked = above.is_some_and(|n| matches!(&**n, Node::Mark { mark: Mark::Parallel { .. }, .. }));
        if let Some(band) = node.as_band().filter(|_| is_marked) {
            let outermost = Band::new(band.schedule().select(0, 1).unwrap());
            let cut = |node: Node| tree.with_node(&path, node).unwrap();
            found.push((cut(Node::Leaf), cut(Node::band(outermost, Node::Leaf))));
        }
    }
    found
}

impl Program {
    /// The first pair that a tree runs in the wrong order or in different iterations of a parallel loop, by enumeration.
    pub fn broken(&self, new: &ScheduleTree) -> Option<String> {
        let marked = marked(new);
        for Enumerated { params, pairs } in &self.enumerated {
            let params = borrowed(params);
            for (a, b) in pairs {
                let order = new.order(a, b, &params).unwrap();
                // Cut trees do not run instances that go elsewhere: that is an error there.
                let apart = |(above, with): &(ScheduleTree, ScheduleTree)| {
                    above.order(a, b, &params) == Ok(Order::Equal) && with.order(a, b, &params) != Ok(Order::Equal)
                };
                if order != Order::Before || marked.iter().any(apart) {
                    return Some(format!("{a} before {b} at {params:?}"));
                }
            }
        }
        None
    }
}

/// The tree after moves, each a path and a move such as `TILE_1D(32)`.
#[track_caller]
pub fn moved(tree: &ScheduleTree, moves: &[(&[usize], &str)]) -> ScheduleTree {
    moves.iter().fold(tree.clone(), |tree, (at, action)| {
        let cursor = tree.at(&path(at)).unwrap_or_else(|e| panic!("{action}: {e}\n{tree}"));
        Registry::standard().apply(&cursor, &action.parse().unwrap()).unwrap_or_else(|e| panic!("{action}: {e}\n{tree}"))
    })
}

/// The solver's verdict on a tree; its witness is replayed, and enumeration finds no violation in a legal tree.
#[track_caller]
pub fn judge(program: &Program, new: &ScheduleTree) -> Verdict {
    let verdict = program.dependences.check(new).unwrap_or_else(|e| panic!("{e}\n{new}"));
    match verdict.violation() {
        Some(v) => v.replay(&program.accesses, &program.original, new).unwrap_or_else(|e| panic!("{v}: {e}\n{new}")),
        None => assert_eq!(program.broken(new), None, "{new}"),
    }
    verdict
}
