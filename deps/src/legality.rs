//! Legality: a tree is legal when it runs the source of every dependence before its sink, and every loop that is marked as parallel
//! carries none.
//!
//! Every dependence of the *original* order is walked down the whole new tree; nothing is taken over from earlier verdicts. At each
//! level the lexicographic sign of the delta of times decides: pairs with a negative delta are violated, pairs with a positive delta
//! are kept and need no further look, the others go on to the next level. Whatever reaches a leaf undecided, or lies below different
//! children of a set, is unordered and therefore violated. At a band under a parallel mark the pairs that are still undecided, those
//! with equal outer iterations, must have delta zero in the outermost member.

use crate::delta::{ChildOrder, Decision, walk};
use crate::memory::instances;
use crate::running;
use crate::witness::{self, Reason, Violation};
use crate::{Dependence, Dependences, Error};
use loopwright_presburger::func::Comparison;
use loopwright_presburger::{Budget, BudgetSpent, Map};
use loopwright_schedule_tree::{Node, ScheduleTree};
use std::ops::ControlFlow;

/// What `check` finds.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Every dependence is kept.
    Legal,
    /// These two instances run in the wrong order.
    Illegal(Box<Violation>),
}

impl Verdict {
    /// Whether every dependence is kept.
    pub fn is_legal(&self) -> bool {
        matches!(self, Verdict::Legal)
    }

    /// The witness of an illegal tree.
    pub fn violation(&self) -> Option<&Violation> {
        match self {
            Verdict::Legal => None,
            Verdict::Illegal(violation) => Some(violation),
        }
    }
}

impl Dependences {
    /// Whether `tree` keeps the order of all dependences and may run the loops marked as parallel in parallel.
    ///
    /// Exact: legal means that for all parameter values of the context every dependence is kept, illegal comes with two instances
    /// that run in the wrong order. Costs a few emptiness tests per dependence and level.
    ///
    /// # Errors
    /// A broken tree, a tree of other instances, nodes that change which instances run, a spent budget.
    pub fn check_within(&self, tree: &ScheduleTree, budget: &Budget) -> Result<Verdict, Error> {
        self.same_instances(tree, budget)?;
        self.runs_in_context(tree, budget)?;
        tree.verify_within(budget)?;
        running::unchanged(tree, &self.context, budget)?;
        for dependence in self {
            if let Some(violation) = self.violation(dependence, tree, budget)? {
                return Ok(Verdict::Illegal(Box::new(violation)));
            }
        }
        Ok(Verdict::Legal)
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// A broken tree, a tree of other instances, nodes that change which instances run.
    pub fn check(&self, tree: &ScheduleTree) -> Result<Verdict, Error> {
        self.check_within(tree, &Budget::UNLIMITED)
    }

    // The first pair of the dependence, from the root down, that the tree runs in the wrong order.
    fn violation(&self, dependence: &Dependence, tree: &ScheduleTree, budget: &Budget) -> Result<Option<Violation>, Error> {
        let mut found = None;
        let _ = walk(tree.root(), dependence.relation.clone(), budget, &mut |decision| {
            for (wrong, reason) in wrong(&decision) {
                found = self.witness(dependence, &wrong, reason, budget)?;
                if found.is_some() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    // A violation among pairs that are in the wrong order, if one of them exists in the context.
    fn witness(
        &self,
        dependence: &Dependence,
        wrong: &Map,
        reason: Reason,
        budget: &Budget,
    ) -> Result<Option<Violation>, BudgetSpent> {
        if wrong.is_empty_within(budget)? { Ok(None) } else { witness::find(self, dependence, wrong, reason, budget) }
    }

    // A context in the tree lets later stages leave out whatever lies outside of it: the program must never be run there.
    fn runs_in_context(&self, tree: &ScheduleTree, budget: &Budget) -> Result<(), Error> {
        for (path, node) in tree.nodes() {
            let Node::Context { context, .. } = &**node else { continue };
            let inside = context.space().tuple().is_empty() && self.context.is_subset_within(&context.params(), budget)?;
            if !inside {
                return Err(Error::Unsupported { path, kind: node.kind() });
            }
        }
        Ok(())
    }

    fn same_instances(&self, tree: &ScheduleTree, budget: &Budget) -> Result<(), Error> {
        let domain = instances(tree)?;
        if domain == self.domain {
            return Ok(());
        }
        for (ours, theirs, problem) in
            [(&self.domain, &domain, "loses instances or has none"), (&domain, &self.domain, "has instances that were not there")]
        {
            for set in ours {
                let subset = match theirs.get(set.space()) {
                    Some(other) => set.is_subset_within(other, budget)?,
                    None => set.is_empty_within(budget)?,
                };
                if !subset {
                    return Err(Error::Instances { statement: set.space().tuple().to_string(), problem: problem.into() });
                }
            }
        }
        Ok(())
    }
}

// Those of the pairs decided here that are in the wrong order, and why. They may turn out to be none.
fn wrong(decision: &Decision) -> Vec<(Map, Reason)> {
    match decision {
        Decision::Member { path, parallel, delta, .. } => {
            let backward = delta.select(Comparison::Lt).map(|pairs| (pairs, Reason::Reversed { path: (*path).clone() }));
            let forward = if *parallel { delta.select(Comparison::Gt) } else { None };
            let forward = forward.map(|pairs| (pairs, Reason::Parallel { path: (*path).clone() }));
            backward.into_iter().chain(forward).collect()
        }
        Decision::Band { .. } | Decision::Children { order: ChildOrder::SourceFirst, .. } => Vec::new(),
        Decision::Children { order: ChildOrder::SinkFirst, path, pairs, .. } => {
            vec![((*pairs).clone(), Reason::Reversed { path: (*path).clone() })]
        }
        Decision::Children { order: ChildOrder::Unordered, path, pairs, .. } | Decision::Leaf { path, pairs } => {
            vec![((*pairs).clone(), Reason::Unordered { path: (*path).clone() })]
        }
    }
}
