//! Annotations: a parallel mark, the loop type of a member. The order stays.

use super::{Standard, int, position};
use crate::{ArgKind, Arguments, Choice, Cursor, Formal, LoopType, Mark, Node, Refusal, Schema};

const MEMBER: Formal = Formal { name: "member", kind: ArgKind::Member };
const TYPE: Formal = Formal { name: "loop type", kind: ArgKind::Int };
const THREADS: Formal = Formal { name: "threads", kind: ArgKind::Int };

/// Does a parallel mark stand right above, with marks only in between?
fn is_parallel(at: &Cursor) -> bool {
    let mut above = at.parent();
    while let Some(cursor) = &above {
        match &**cursor.node() {
            Node::Mark { mark: Mark::Parallel { .. }, .. } => return true,
            Node::Mark { .. } => above = cursor.parent(),
            _ => return false,
        }
    }
    false
}

pub(super) const ALL: &[Standard] = &[
    Standard {
        name: "SET_PARALLEL",
        summary: "marks the loop of a band as parallel, with a number of threads (0: up to the run time)",
        schema: Schema::Fixed(&[THREADS]),
        arguments: |name, at| match &**at.node() {
            Node::Band { .. } if is_parallel(at) => {
                Err(Refusal::Already { name: name.into(), at: at.path().to_string(), what: "is marked parallel".into() })
            }
            Node::Band { band, .. } if !band.is_empty() => {
                Ok(Arguments::product(vec![Choice::Range { min: Some(0), max: Some(i64::from(i32::MAX)) }]))
            }
            _ => Err(Refusal::place(name, "a band", at)),
        },
        rewrite: |name, at, args| {
            let threads = u32::try_from(int(name, args, 0)?);
            let threads = threads.map_err(|_| super::wrong(name, args, 0, "a number of threads, from 0"))?;
            Ok(at.replaced(Node::mark(Mark::Parallel { threads }, at.node().clone()))?)
        },
    },
    Standard {
        name: "SET_LOOP_OPT",
        summary: "sets the loop type of a member: 0 default, 1 atomic, 2 unroll, 3 separate",
        schema: Schema::Fixed(&[MEMBER, TYPE]),
        arguments: |name, at| match at.node().as_band() {
            Some(band) if !band.is_empty() => {
                Ok(Arguments::product(vec![Choice::below(band.len()), Choice::below(LoopType::ALL.len())]))
            }
            _ => Err(Refusal::place(name, "a band", at)),
        },
        rewrite: |name, at, args| {
            let Node::Band { band, child } = &**at.node() else {
                return Err(Refusal::place(name, "a band", at));
            };
            let mut members = band.members().to_vec();
            let member = position(name, args, 0)?;
            let member = members.get_mut(member).ok_or_else(|| super::wrong(name, args, 0, "a member of the band"))?;
            let loop_type = LoopType::from_number(int(name, args, 1)?);
            member.loop_type = loop_type.ok_or_else(|| super::wrong(name, args, 1, "0, 1, 2 or 3"))?;
            Ok(at.replaced(Node::band(band.with_members(members), child.clone()))?)
        },
    },
];
