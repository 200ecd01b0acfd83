//! Reductions: updates `x = x op e` with an associative and commutative operator, which may run in any order as far as they go.
//!
//! Let `U` hold the pairs `S[i] -> x` of a statement that updates `x` with `op` and does not access `x` otherwise. Two instances
//! that both update an element with the same operator conflict on it only by the order of the updates; a *hard* conflict is any
//! other one. So hard conflicts of accesses `a` and `b` are `(a \ U) . b^-1` together with `(a and U) . (b \ U)^-1`, for each operator.
//!
//! That an update may move is a fact to be reported, not one that legality assumes: floating-point operators are associative up to
//! rounding only, and updates that run at the same time need a private accumulator or atomic access.

use crate::memory::{instances, top_context};
use crate::running;
use crate::{Accesses, Dependences, Error};
use loopwright_presburger::{Budget, BudgetSpent, Map, Tuple, UnionMap};
use loopwright_scop::{AccessKind, Operator, Scop, Statement};
use std::collections::BTreeMap;

/// The updates of a program, by operator.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reductions {
    // `{ S[i] -> A[e] : S[i] updates A[e] with the operator and does not access it otherwise }`
    updates: BTreeMap<Operator, UnionMap>,
}

impl Reductions {
    /// The updates of a static control part.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn of_within(scop: &Scop, budget: &Budget) -> Result<Reductions, BudgetSpent> {
        let mut updates: BTreeMap<Operator, UnionMap> = BTreeMap::new();
        for statement in &scop.statements {
            if let Some((operator, updated)) = update(statement, budget)? {
                let all = updates.entry(operator).or_default();
                *all = all.add(&updated);
            }
        }
        Ok(Reductions { updates })
    }

    /// `{ S[i] -> A[e] : S[i] updates A[e] with the operator and does not access it otherwise }`
    pub fn updates(&self, operator: Operator) -> Option<&UnionMap> {
        self.updates.get(&operator)
    }

    /// The operators with which an array is updated.
    pub fn operators(&self, array: &Tuple) -> Vec<Operator> {
        let updates = |all: &UnionMap| all.members().any(|m| m.space().range_tuple() == Some(array));
        self.updates.iter().filter(|(_, all)| updates(all)).map(|(operator, _)| *operator).collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.updates.is_empty()
    }

    // The hard ones of the conflicts between a source and a sink.
    fn hard(&self, source: &Map, sink: &Map, budget: &Budget) -> Result<Map, BudgetSpent> {
        for all in self.updates.values() {
            if let (Some(of_source), Some(of_sink)) = (all.get(source.space()), all.get(sink.space())) {
                let others = source.subtract_within(of_source, budget)?.apply_range(&sink.reverse());
                let to_others = source.intersect(of_source).apply_range(&sink.subtract_within(of_sink, budget)?.reverse());
                return Ok(others.union(&to_others));
            }
        }
        Ok(source.apply_range(&sink.reverse()))
    }
}

// The elements that the instances of a statement update, and with which operator.
fn update(statement: &Statement, budget: &Budget) -> Result<Option<(Operator, Map)>, BudgetSpent> {
    let Some(update) = &statement.update else { return Ok(None) };
    let (mut written, mut read, mut others) = (None, Vec::new(), Vec::new());
    for access in &statement.accesses {
        match access.kind {
            AccessKind::Write if access.site == update.write => written = Some(&access.relation),
            AccessKind::Read if update.reads.contains(&access.site) => read.push(&access.relation),
            _ => others.push(&access.relation),
        }
    }
    let Some(written) = written.filter(|_| read.len() == update.reads.len()) else { return Ok(None) };
    for relation in read {
        if relation.space() != written.space() || !relation.is_equal_within(written, budget)? {
            return Ok(None);
        }
    }
    let mut updated = written.clone();
    for other in others.into_iter().filter(|o| o.space() == written.space()) {
        updated = updated.subtract_within(other, budget)?;
    }
    Ok((!updated.is_empty_within(budget)?).then_some((update.operator, updated)))
}

impl Dependences {
    /// The dependences that are left if the updates of reductions may run in any order: those by hard conflicts.
    ///
    /// # Errors
    /// As [`analyze_within`](Dependences::analyze_within).
    pub fn hard_within(scop: &Scop, reductions: &Reductions, budget: &Budget) -> Result<Dependences, Error> {
        let original = scop.schedule();
        let domain = instances(original)?;
        let context = scop.context.intersect(&top_context(original));
        running::unchanged(original, &context, budget)?;
        let Accesses { reads, writes } = Accesses::of(scop);
        let accesses = Accesses { reads: reads.intersect_domain(&domain), writes: writes.intersect_domain(&domain) };
        let hard = |source: &Map, sink: &Map| reductions.hard(source, sink, budget);
        let list = Dependences::list(&accesses, original, &hard, budget)?;
        Ok(Dependences { list, accesses, domain, context })
    }
}
