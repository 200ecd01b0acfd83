//! Loop distribution: a band over a sequence becomes a sequence of copies of the band.
//!
//! SPLIT k gives the children before `k` one copy and the rest another; FULL_SPLIT gives each child its own:
//!
//! ```text
//! band             sequence            sequence
//!   sequence         A, B: band          A: band
//!     A: x             sequence            x
//!     B: y    =>         A: x      or    B: band
//!     C: z               B: y              y
//!                    C: band             C: band
//!                      z                   z
//! ```

use super::{Standard, branches, joined, position, union, without_claims};
use crate::{ArgKind, Arguments, Band, Choice, Cursor, Formal, Mark, Node, Refusal, ScheduleTree, Schema, functions};
use loopwright_presburger::UnionSet;
use std::sync::Arc;

type Branch = (UnionSet, Arc<Node>);

pub(super) const ALL: &[Standard] = &[
    Standard {
        name: "FULL_SPLIT",
        summary: "gives every child of a sequence or set its own copy of the band above",
        schema: Schema::Fixed(&[]),
        arguments: |name, at| parts(name, at).map(|_| Arguments::product(vec![])),
        rewrite: |name, at, _| {
            let (parent, _, branches) = parts(name, at)?;
            rewrite(at, &parent, branches.into_iter().map(|b| vec![b]).collect())
        },
    },
    Standard {
        name: "SPLIT",
        summary: "gives the children before k one copy of the band above and the rest another",
        schema: Schema::Fixed(&[Formal { name: "k", kind: ArgKind::Child }]),
        arguments: |name, at| {
            let (_, _, branches) = parts(name, at)?;
            let cut = Choice::Range { min: Some(1), max: Some(branches.len() as i64 - 1) };
            Ok(Arguments::product(vec![cut]))
        },
        rewrite: |name, at, args| {
            let (parent, _, mut branches) = parts(name, at)?;
            let k = position(name, args, 0)?;
            if k == 0 || k >= branches.len() {
                return Err(super::wrong(name, args, 0, "a child after the first one"));
            }
            let rest = branches.split_off(k);
            rewrite(at, &parent, vec![branches, rest])
        },
    },
];

// The band above the node, and the branches of the node.
fn parts(name: &str, at: &Cursor) -> Result<(Cursor, Arc<Band>, Vec<Branch>), Refusal> {
    let needs = "a sequence or set of at least two children directly under a band";
    let branches = branches(at.node()).filter(|b| b.len() > 1);
    let parent = at.parent();
    let band = parent.as_ref().and_then(|p| p.node().as_band().cloned());
    match (parent, band, branches) {
        (Some(parent), Some(band), Some(branches)) => Ok((parent, band, branches)),
        _ => Err(Refusal::place(name, needs, at)),
    }
}

// Each group under its own copy of the band above, and of the parallel marks directly above that.
fn rewrite(at: &Cursor, parent: &Cursor, groups: Vec<Vec<Branch>>) -> Result<ScheduleTree, Refusal> {
    let Some(band) = parent.node().as_band() else { return Err(Refusal::place("SPLIT", "a band above", at)) };
    let mut top = parent.clone();
    let mut marks = Vec::new();
    while let Some(above) = top.parent() {
        let Node::Mark { mark: mark @ Mark::Parallel { .. }, .. } = &**above.node() else { break };
        marks.push(mark.clone());
        top = above;
    }
    let mut copies = Vec::with_capacity(groups.len());
    for group in groups {
        let filter = union(group.iter().map(|(filter, _)| filter));
        let inner = group.into_iter().map(|(filter, node)| (filter, without_claims(&node))).collect();
        let copy = band.with_schedule(functions::restricted(band.schedule(), &filter));
        let mut node = Node::band(copy, joined(at.node(), inner));
        for mark in &marks {
            node = Node::mark(mark.clone(), node);
        }
        copies.push((filter, Arc::new(node)));
    }
    Ok(top.replaced(joined(at.node(), copies))?)
}
