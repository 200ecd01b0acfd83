//! Which bands are permutable: their members can be interchanged, and tiled together.
//!
//! A band is permutable when every member has a delta of zero or more on every dependence whose ends have equal outer iterations,
//! whatever the other members of the band say.

use crate::delta::{Decision, Delta, walk};
use crate::running;
use crate::{Dependences, Error};
use loopwright_presburger::Budget;
use loopwright_presburger::func::Comparison;
use loopwright_schedule_tree::{Path, ScheduleTree};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

impl Dependences {
    /// The bands of a tree whose members can be put in any order, and their loops tiled.
    ///
    /// Exact, for the parameter values of the context. Costs an emptiness test per dependence and member.
    ///
    /// # Errors
    /// Nodes that change which instances run, a spent budget.
    pub fn permutable_within(&self, tree: &ScheduleTree, budget: &Budget) -> Result<BTreeSet<Path>, Error> {
        running::unchanged(tree, self.context(), budget)?;
        let bands = tree.nodes().filter(|(_, node)| node.as_band().is_some());
        let mut permutable: BTreeSet<Path> = bands.map(|(path, _)| path).collect();
        for dependence in self {
            let _ = walk(tree.root(), dependence.relation.intersect_params(self.context()), budget, &mut |decision| {
                let Decision::Band { path, band, pairs } = decision else { return Ok(ControlFlow::Continue(())) };
                for function in band.schedule().elements() {
                    if !permutable.contains(path) {
                        break;
                    }
                    let backward = Delta::new(function, pairs).select(Comparison::Lt);
                    if !backward.map_or(Ok(true), |pairs| pairs.is_empty_within(budget))? {
                        permutable.remove(path);
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(permutable)
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// Nodes that change which instances run.
    pub fn permutable(&self, tree: &ScheduleTree) -> Result<BTreeSet<Path>, Error> {
        self.permutable_within(tree, &Budget::UNLIMITED)
    }
}
