//! A statement: its instances, what they access, and its text.

use crate::{Access, AccessKind, Body, IntType, Span, Update};
use loopwright_presburger::Set;

/// A statement of a static control part.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// `S0`, `S1`, .. in the order of the program text; the tuple name of the domain.
    pub name: String,
    /// The instances, `{ S0[i, j] : .. }`: one dimension for each surrounding loop, with the counter's own values.
    pub domain: Set,
    /// The accesses in the order of evaluation.
    pub accesses: Vec<Access>,
    /// The text with holes.
    pub body: Body,
    /// The form `x = x op e`, if the statement has it.
    pub update: Option<Update>,
    /// The counters of the surrounding loops, outermost first: name and declared type of each dimension.
    pub counters: Vec<(String, IntType)>,
    /// Where the statement stands in the file.
    pub span: Span,
}

impl Statement {
    /// The number of surrounding loops.
    pub fn depth(&self) -> usize {
        self.counters.len()
    }

    /// The reads, in the order of evaluation.
    pub fn reads(&self) -> impl Iterator<Item = &Access> {
        self.accesses.iter().filter(|a| a.kind == AccessKind::Read)
    }

    /// The writes, in the order of evaluation.
    pub fn writes(&self) -> impl Iterator<Item = &Access> {
        self.accesses.iter().filter(|a| a.kind == AccessKind::Write)
    }
}
