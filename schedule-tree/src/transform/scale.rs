//! Scaling: every member of a band times a factor. The order stays; the loop has a stride.

use super::{Standard, int};
use crate::{ArgKind, Arguments, Choice, Formal, Node, Refusal, Schema, functions};
use loopwright_presburger::Int;

pub(super) const ALL: &[Standard] = &[Standard {
    name: "SCALE",
    summary: "multiplies the members of a band by a factor",
    schema: Schema::Fixed(&[Formal { name: "factor", kind: ArgKind::Int }]),
    arguments: |name, at| match &**at.node() {
        Node::Band { band, .. } if !band.is_empty() => Ok(Arguments::product(vec![Choice::from(2)])),
        _ => Err(Refusal::place(name, "a band", at)),
    },
    rewrite: |name, at, args| {
        let Node::Band { band, child } = &**at.node() else {
            return Err(Refusal::place(name, "a band", at));
        };
        let factor = int(name, args, 0)?;
        if factor < 1 {
            return Err(super::wrong(name, args, 0, "a positive factor"));
        }
        let scaled = band.with_schedule(functions::scaled(band.schedule(), &Int::from(factor)));
        let scaled = if band.is_permutable() { scaled.permutable() } else { scaled }.with_members(band.members().to_vec());
        Ok(at.replaced(Node::band(scaled, child.clone()))?)
    },
}];
