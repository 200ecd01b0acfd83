//! Tiling: `n` nested loops become `n` tile loops over `n` point loops.
//!
//! With loops `i_1 .. i_n` and sizes `s_1 .. s_n` the tile loops have the schedules `s_k*floor(i_k/s_k)`, the point loops the old
//! ones. Legal when the loops are permutable, which is not looked at here (Irigoin and Triolet 1988).

use super::{Standard, int, without_claims};
use crate::{Arg, ArgKind, Arguments, Band, Choice, Cursor, Formal, Node, Refusal, ScheduleTree, Schema, functions};
use loopwright_presburger::{Int, MultiUnionPwAff};
use std::sync::Arc;

const SIZE: Formal = Formal { name: "size", kind: ArgKind::Int };

pub(super) const ALL: &[Standard] = &[
    Standard {
        name: "TILE",
        summary: "tiles a nest of loops, one size per loop",
        schema: Schema::Many(SIZE),
        arguments: |name, at| {
            let loops = nest(at, usize::MAX).0.len();
            if loops == 0 {
                return Err(Refusal::place(name, "a band", at));
            }
            Ok(Arguments::new((1..=loops).map(|n| vec![Choice::from(2); n])))
        },
        rewrite: tile,
    },
    fixed("TILE_1D", "tiles one loop", &[SIZE]),
    fixed("TILE_2D", "tiles two nested loops", &[SIZE; 2]),
    fixed("TILE_3D", "tiles three nested loops", &[SIZE; 3]),
];

const fn fixed(name: &'static str, summary: &'static str, formals: &'static [Formal]) -> Standard {
    Standard { name, summary, schema: Schema::Fixed(formals), arguments, rewrite: tile }
}

fn arguments(name: &str, at: &Cursor) -> Result<Arguments, Refusal> {
    let n = name.trim_end_matches('D').rsplit('_').next().and_then(|n| n.parse().ok()).unwrap_or(1);
    if nest(at, n).0.len() < n {
        let needs = if n == 1 { "a band".into() } else { format!("{n} nested loops in bands directly below each other") };
        return Err(Refusal::place(name, needs, at));
    }
    Ok(Arguments::product(vec![Choice::from(2); n]))
}

// The outermost loops from a node down, `most` at most: the bands that hold them, one entry per member, and the node below.
fn nest(at: &Cursor, most: usize) -> (Vec<(Arc<Band>, usize)>, Arc<Node>) {
    let mut loops = Vec::new();
    let mut node = at.node().clone();
    while let Node::Band { band, child } = &*node {
        if loops.len() + band.len() > most || band.is_empty() {
            break;
        }
        loops.extend((0..band.len()).map(|member| (band.clone(), member)));
        node = child.clone();
    }
    (loops, node)
}

fn tile(name: &str, at: &Cursor, args: &[Arg]) -> Result<ScheduleTree, Refusal> {
    let (loops, below) = nest(at, args.len());
    if loops.len() != args.len() {
        return Err(Refusal::place(name, format!("{} nested loops", args.len()), at));
    }
    let mut node = without_claims(&below);
    for (band, member) in loops.iter().rev() {
        let mut point = Band::new(one(band.schedule(), *member, "point"));
        let loop_type = band.members()[*member];
        point = point.with_members(vec![crate::Member { coincident: false, ..loop_type }]);
        node = Arc::new(Node::band(point, node));
    }
    for (position, (band, member)) in loops.iter().enumerate().rev() {
        let size = int(name, args, position)?;
        if size < 1 {
            return Err(super::wrong(name, args, position, "a positive size"));
        }
        let schedule = functions::tile_starts(&one(band.schedule(), *member, "tile"), &Int::from(size));
        node = Arc::new(Node::band(Band::new(schedule), node));
    }
    Ok(at.replaced(node)?)
}

// One member of a schedule; a label `L` becomes `L_suffix`.
fn one(schedule: &MultiUnionPwAff, member: usize, suffix: &str) -> MultiUnionPwAff {
    let name = schedule.name().map(|label| {
        let index = if schedule.n() > 1 { member.to_string() } else { String::new() };
        format!("{label}{index}_{suffix}")
    });
    functions::member(schedule, member).with_name(name.as_deref())
}
