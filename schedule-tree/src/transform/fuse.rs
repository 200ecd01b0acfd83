//! Fusion: the loops of several children of a sequence (or set) become one loop around them.
//!
//! The fused band's schedule is the union of the bands' schedules, each on its own child's instances. Below it the children keep
//! their order. FULL_FUSE, and FUSE of the only two children, put the fused band in the place of the sequence:
//!
//! ```text
//! sequence           band AB
//!   A: band a          sequence
//!     x         =>       A: x
//!   B: band b            B: y
//!     y
//! ```
//!
//! A child that is a sequence itself then joins the sequence around it. FUSE of two among several children puts both at the place of
//! the first and keeps their bands, which then have one iteration:
//!
//! ```text
//! sequence           sequence
//!   A: band a          A, B: band AB
//!     x                  sequence
//!   B: band b              A: band a
//!     y         =>           x
//!   C                      B: band b
//!                            y
//!                      C
//! ```
//!
//! FUSE takes a child that does not start with a band as a loop of one iteration, at 0: this sinks it into the other child's loop
//! (`x = 0; for (j) ..` becomes a loop with `x = 0` at `j = 0`), which makes imperfect nests perfect, and gives two children without
//! loops a common band in which shifts can reorder them.

use super::{Standard, branches, joined, position, union, without_claims};
use crate::{Arg, ArgKind, Arguments, Band, Choice, Cursor, Formal, Node, Refusal, ScheduleTree, Schema, functions};
use loopwright_presburger::{Aff, Int, MultiUnionPwAff, PwAff, Space, Tuple, UnionPwAff, UnionSet};
use std::sync::Arc;

type Branch = (UnionSet, Arc<Node>);

pub(super) const ALL: &[Standard] = &[
    Standard {
        name: "FULL_FUSE",
        summary: "fuses the loops of all children of a sequence or set",
        schema: Schema::Fixed(&[]),
        arguments: |name, at| match branches(at.node()) {
            Some(branches)
                if branches.len() > 1
                    && branches.iter().all(|b| members(b).is_some_and(|m| Some(m) == members(&branches[0]))) =>
            {
                Ok(Arguments::product(vec![]))
            }
            _ => Err(Refusal::place(
                name,
                "a sequence or set of at least two children that all start with a band of as many members",
                at,
            )),
        },
        rewrite: |name, at, _| full_fuse(name, at),
    },
    Standard {
        name: "FUSE",
        summary: "fuses the loops of children i < j of a sequence or set; a child without a loop runs once, at 0",
        schema: Schema::Fixed(&[Formal { name: "i", kind: ArgKind::Child }, Formal { name: "j", kind: ArgKind::Child }]),
        arguments: |name, at| {
            let needs = "a sequence or set with two children, not with bands of different numbers of members";
            let branches = branches(at.node()).ok_or_else(|| Refusal::place(name, needs, at))?;
            let members: Vec<Option<usize>> = branches.iter().map(members).collect();
            let fit = |i: usize, j: usize| members[i].is_none() || members[j].is_none() || members[j] == members[i];
            let partners = |i: usize| (i + 1..members.len()).filter(|&j| fit(i, j)).collect();
            let pairs = Arguments::new((0..members.len()).map(|i| {
                let partners: Vec<usize> = partners(i);
                vec![Choice::only(i), Choice::List(partners.into_iter().map(|j| Arg::Int(j as i64)).collect())]
            }));
            if pairs.products().is_empty() { Err(Refusal::place(name, needs, at)) } else { Ok(pairs) }
        },
        rewrite: fuse,
    },
];

// The number of members of the band that a branch starts with.
fn members((_, node): &Branch) -> Option<usize> {
    node.as_band().map(|band| band.len()).filter(|n| *n > 0)
}

fn full_fuse(name: &str, at: &Cursor) -> Result<ScheduleTree, Refusal> {
    let all = branches(at.node()).ok_or_else(|| Refusal::place(name, "a sequence or set", at))?;
    let fused = fused(name, at, &all)?;
    let below = |(filter, node): (UnionSet, Arc<Node>)| match &*node {
        Node::Band { band, child } if !band.is_empty() => (filter, without_claims(child)),
        _ => (filter, without_claims(&node)),
    };
    let inner = spliced(at.node(), all.into_iter().map(below).collect());
    Ok(at.replaced(Node::band(fused, joined(at.node(), inner)))?)
}

// The branches of a sequence, where a branch that is a sequence is replaced by its own branches.
fn spliced(like: &Node, all: Vec<Branch>) -> Vec<Branch> {
    if !matches!(like, Node::Sequence { .. }) {
        return all;
    }
    let mut out = Vec::with_capacity(all.len());
    for (filter, node) in all {
        match branches(&node).filter(|_| matches!(*node, Node::Sequence { .. })) {
            Some(parts) => out.extend(parts.into_iter().map(|(part, below)| (filter.intersect(&part), below))),
            None => out.push((filter, node)),
        }
    }
    out
}

fn fuse(name: &str, at: &Cursor, args: &[Arg]) -> Result<ScheduleTree, Refusal> {
    let mut outer = branches(at.node()).ok_or_else(|| Refusal::place(name, "a sequence or set", at))?;
    let (i, j) = (position(name, args, 0)?, position(name, args, 1)?);
    if i >= j || j >= outer.len() {
        return Err(super::wrong(name, args, 1, "a child after the first one"));
    }
    if outer.len() == 2 {
        return full_fuse(name, at);
    }
    let second = outer.remove(j);
    let pair = [outer[i].clone(), second];
    let band = fused(name, at, &pair)?;
    let filter = union(pair.iter().map(|(filter, _)| filter));
    let inner = pair.map(|(filter, node)| (filter, without_claims(&node))).to_vec();
    outer[i] = (filter, Arc::new(Node::band(band, joined(at.node(), inner))));
    Ok(at.replaced(joined(at.node(), spliced(at.node(), outer)))?)
}

// One band for the bands that the branches start with; a branch without one is at 0.
fn fused(name: &str, at: &Cursor, branches: &[Branch]) -> Result<Band, Refusal> {
    let count = branches.iter().find_map(members).unwrap_or(1);
    let label = branches.iter().find_map(|(_, node)| node.as_band()).and_then(|band| band.schedule().name().cloned());
    let zero = |filter: &UnionSet| {
        let functions: UnionPwAff = filter.members().map(|s| PwAff::from(Aff::constant(s.space(), &Int::ZERO))).collect();
        let space = Space::set(&[], Tuple::anonymous(count).with_name(label.clone()));
        MultiUnionPwAff::new(&space, vec![functions; count])
    };
    let schedule = |(filter, node): &Branch| match node.as_band().filter(|band| !band.is_empty()) {
        Some(band) => band.schedule().clone(),
        None => zero(filter),
    };
    let schedules: Vec<MultiUnionPwAff> = branches.iter().map(schedule).collect();
    if schedules.iter().any(|s| s.n() != count) {
        return Err(Refusal::place(name, "children that start with bands of as many members", at));
    }
    let parts: Vec<_> = branches.iter().map(|(filter, _)| filter).zip(&schedules).collect();
    Ok(Band::new(functions::united(&parts).with_name(Some("Fused"))))
}
