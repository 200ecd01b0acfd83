//! Which loops of a tree can run in parallel, and what keeps the others from it.
//!
//! A band member is parallel when every dependence whose ends have equal outer iterations has delta zero on it.

use crate::delta::{Decision, walk};
use crate::{Dependences, Error};
use loopwright_presburger::Budget;
use loopwright_presburger::func::Comparison;
use loopwright_schedule_tree::{Path, ScheduleTree};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// A member of a band, and the dependences that its loop carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The band.
    pub path: Path,
    /// Which of its members.
    pub member: usize,
    /// The positions (in [`Dependences::iter`]) of the dependences with equal outer iterations and a delta other than zero.
    pub carries: Vec<usize>,
}

impl Loop {
    /// Whether the iterations of the loop can run in parallel.
    pub fn is_parallel(&self) -> bool {
        self.carries.is_empty()
    }
}

impl Dependences {
    /// All loops of a tree, depth first, members outermost first. Whether the tree is legal is another question.
    ///
    /// Exact, for the parameter values of the context.
    ///
    /// # Errors
    /// Nodes that change which instances run, a spent budget.
    pub fn loops_within(&self, tree: &ScheduleTree, budget: &Budget) -> Result<Vec<Loop>, Error> {
        let mut carried: BTreeMap<(Path, usize), Vec<usize>> = BTreeMap::new();
        for (path, node) in tree.nodes() {
            let members = node.as_band().map_or(0, |band| band.len());
            carried.extend((0..members).map(|member| ((path.clone(), member), Vec::new())));
        }
        for (position, dependence) in self.iter().enumerate() {
            let _ = walk(tree.root(), dependence.relation.intersect_params(self.context()), budget, &mut |decision| {
                if let Decision::Member { path, member, delta, .. } = decision {
                    let apart = delta.select(Comparison::Ne);
                    if apart.map_or(Ok(true), |pairs| pairs.is_empty_within(budget))? {
                        return Ok(ControlFlow::Continue(()));
                    }
                    let loops = carried.entry((path.clone(), member)).or_default();
                    if loops.last() != Some(&position) {
                        loops.push(position);
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(carried.into_iter().map(|((path, member), carries)| Loop { path, member, carries }).collect())
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// Nodes that change which instances run.
    pub fn loops(&self, tree: &ScheduleTree) -> Result<Vec<Loop>, Error> {
        self.loops_within(tree, &Budget::UNLIMITED)
    }
}
