//! The standard transformations, each a mechanical rewrite.
//!
//! | name | arguments | available on | result |
//! |---|---|---|---|
//! | `TILE_1D` `TILE_2D` `TILE_3D` `TILE` | a size per loop | that many nested loops | tile loops `s*floor(i/s)` over point loops |
//! | `INTERCHANGE` | | band over a band | the two change places |
//! | `FULL_FUSE` | | sequence or set of bands | one band over a sequence of the bands' children |
//! | `FUSE` | i, j | sequence or set, children i < j | one band over both; a child without a band runs once, at 0 |
//! | `FULL_SPLIT` | | sequence or set under a band | a copy of the band for each child |
//! | `SPLIT` | k | the same | a copy for the children before k, one for the rest |
//! | `SCALE` | factor | band | member times factor |
//! | `FULL_SHIFT_VAL` `PARTIAL_SHIFT_VAL` | \[statement,\] value | band | member plus value |
//! | `FULL_SHIFT_VAR` `PARTIAL_SHIFT_VAR` | \[statement,\] iterator, factor | band | member plus factor times iterator |
//! | `FULL_SHIFT_PARAM` `PARTIAL_SHIFT_PARAM` | \[statement,\] parameter, factor | band | member plus factor times parameter |
//! | `SET_PARALLEL` | threads (0: up to the run time) | band | a mark above the band |
//! | `SET_LOOP_OPT` | member, type (0 default, 1 atomic, 2 unroll, 3 separate) | band | the member's loop type |
//!
//! Rewrites that change the order drop what bands below the place claim about dependences (`permutable`, `coincident`).

mod annotate;
mod fuse;
mod interchange;
mod scale;
mod shift;
mod split;
mod tile;

use crate::{Arg, Arguments, Cursor, Node, Refusal, ScheduleTree, Schema, Transformation};
use loopwright_presburger::UnionSet;
use std::sync::Arc;

/// All of them.
pub fn standard() -> Vec<Arc<dyn Transformation>> {
    let tables: [&[Standard]; 7] = [tile::ALL, interchange::ALL, fuse::ALL, split::ALL, scale::ALL, shift::ALL, annotate::ALL];
    tables.into_iter().flatten().map(|t| Arc::new(*t) as Arc<dyn Transformation>).collect()
}

impl Cursor {
    /// The tree with the loops from this band inwards tiled, one size per loop: `TILE`.
    ///
    /// # Errors
    /// Says what is missing where the loops are not there, and which size is wrong.
    pub fn tile(&self, sizes: &[i64]) -> Result<ScheduleTree, Refusal> {
        tile::ALL[0].apply(self, &sizes.iter().map(|s| Arg::Int(*s)).collect::<Vec<_>>())
    }

    /// The tree with this band and the one directly below it swapped: `INTERCHANGE`.
    ///
    /// # Errors
    /// Where no band stands directly over a band.
    pub fn interchange(&self) -> Result<ScheduleTree, Refusal> {
        interchange::ALL[0].apply(self, &[])
    }

    /// The tree with a parallel mark above this band: `SET_PARALLEL`.
    ///
    /// # Errors
    /// Where no band stands.
    pub fn parallel(&self, threads: u32) -> Result<ScheduleTree, Refusal> {
        annotate::ALL[0].apply(self, &[Arg::Int(i64::from(threads))])
    }
}

/// A transformation as a row of a table.
#[derive(Clone, Copy)]
struct Standard {
    name: &'static str,
    summary: &'static str,
    schema: Schema,
    arguments: fn(&str, &Cursor) -> Result<Arguments, Refusal>,
    rewrite: fn(&str, &Cursor, &[Arg]) -> Result<ScheduleTree, Refusal>,
}

impl Transformation for Standard {
    fn name(&self) -> &str {
        self.name
    }

    fn summary(&self) -> &str {
        self.summary
    }

    fn schema(&self) -> Schema {
        self.schema
    }

    fn arguments(&self, at: &Cursor) -> Result<Arguments, Refusal> {
        (self.arguments)(self.name, at)
    }

    fn rewrite(&self, at: &Cursor, args: &[Arg]) -> Result<ScheduleTree, Refusal> {
        (self.rewrite)(self.name, at, args)
    }
}

// Arguments that `apply` has checked against the schema and the possible values. A wrong kind, possible only when `rewrite` is
// called directly, is refused like any other wrong argument.
fn int(name: &str, args: &[Arg], position: usize) -> Result<i64, Refusal> {
    args.get(position).and_then(Arg::as_int).ok_or_else(|| wrong(name, args, position, "an integer"))
}

fn position(name: &str, args: &[Arg], at: usize) -> Result<usize, Refusal> {
    usize::try_from(int(name, args, at)?).map_err(|_| wrong(name, args, at, "a position, from 0"))
}

fn wrong(name: &str, args: &[Arg], position: usize, expected: &str) -> Refusal {
    Refusal::Argument {
        name: name.into(),
        position,
        formal: "argument".into(),
        expected: expected.into(),
        found: args.get(position).map_or("nothing".into(), Arg::to_string),
    }
}

/// The subtree without claims about dependences; shared where there are none.
fn without_claims(node: &Arc<Node>) -> Arc<Node> {
    let mut changed = match &**node {
        Node::Band { band, child } if band.has_claims() => Some(Node::band(band.without_claims(), child.clone())),
        _ => None,
    };
    for (position, child) in node.children().iter().enumerate() {
        let new = without_claims(child);
        if !Arc::ptr_eq(&new, child) {
            changed = Some(changed.as_ref().unwrap_or(node).with_child(position, new));
        }
    }
    changed.map_or_else(|| node.clone(), Arc::new)
}

/// The filters of a sequence or set with the nodes below them; `None` for other nodes and broken ones.
fn branches(node: &Node) -> Option<Vec<(UnionSet, Arc<Node>)>> {
    let (Node::Sequence { children } | Node::Set { children }) = node else {
        return None;
    };
    let branch = |child: &Arc<Node>| match &**child {
        Node::Filter { filter, child } => Some((filter.clone(), child.clone())),
        _ => None,
    };
    children.iter().map(branch).collect()
}

/// A node of the kind of `like` (sequence or set) with these branches; the only child's subtree if there is one.
fn joined(like: &Node, mut branches: Vec<(UnionSet, Arc<Node>)>) -> Arc<Node> {
    if branches.len() == 1 {
        return branches.remove(0).1;
    }
    Arc::new(if matches!(like, Node::Set { .. }) { Node::set(branches) } else { Node::sequence(branches) })
}

/// The union of filters.
fn union<'a>(filters: impl IntoIterator<Item = &'a UnionSet>) -> UnionSet {
    UnionSet::union_all(filters)
}
