//! Nodes that change which instances run: there is no order to compare below them.
//!
//! Extensions and expansions bring instances in. A guard that holds for every instance below it changes nothing, and the walk down a
//! tree passes it by; any other one loses instances. Where no undecided pair comes down to such a node the walk never sees it, so
//! all nodes are looked at first.

use crate::Error;
use loopwright_presburger::{Budget, Dim, Params, UnionMap};
use loopwright_schedule_tree::{Node, ScheduleTree};

/// Refuses a tree with an extension, an expansion, or a guard that fails for an instance below it at parameter values of the context.
///
/// `{ S[i] : S[i] reaches the guard, and its outer iterations are not in it }` is empty for all guards. Exact; costs an inclusion of
/// sets per guard.
///
/// # Errors
/// [`Error::Unsupported`] with the node, a spent budget.
pub(crate) fn unchanged(tree: &ScheduleTree, context: &Params, budget: &Budget) -> Result<(), Error> {
    for (path, node) in tree.nodes() {
        let keeps = match &**node {
            Node::Extension { .. } | Node::Expansion { .. } => false,
            Node::Guard { guard, .. } => {
                let reaching = tree.reaching_domain(&path)?.intersect_params(context);
                let inside = if guard.space().dim(Dim::Out) == 0 {
                    reaching.intersect_params(&guard.params())
                } else {
                    UnionMap::from(&tree.prefix_schedule(&path)?).intersect_range(&guard.clone().into()).domain()
                };
                reaching.is_subset_within(&inside, budget)?
            }
            _ => true,
        };
        if !keeps {
            return Err(Error::Unsupported { path, kind: node.kind() });
        }
    }
    Ok(())
}
