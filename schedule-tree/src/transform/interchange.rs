//! Interchange: a band and the band directly below it change places.

use super::{Standard, without_claims};
use crate::{Arguments, Node, Refusal, Schema};
use std::sync::Arc;

pub(super) const ALL: &[Standard] = &[Standard {
    name: "INTERCHANGE",
    summary: "swaps a band with the band directly below it",
    schema: Schema::Fixed(&[]),
    arguments: |name, at| match &**at.node() {
        Node::Band { child, .. } if child.as_band().is_some() => Ok(Arguments::product(vec![])),
        _ => Err(Refusal::place(name, "a band directly over a band", at)),
    },
    rewrite: |name, at, _| {
        let Node::Band { band: outer, child } = &**at.node() else {
            return Err(Refusal::place(name, "a band", at));
        };
        let Node::Band { band: inner, child: below } = &**child else {
            return Err(Refusal::place(name, "a band over a band", at));
        };
        let node = Node::band(inner.clone(), Node::band(outer.clone(), below.clone()));
        Ok(at.replaced(without_claims(&Arc::new(node)))?)
    },
}];
