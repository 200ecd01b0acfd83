//! Which loops of a tree can run in parallel, and what keeps the others from it.
//!
//! A band member is parallel when every dependence whose ends have equal outer iterations has delta zero on it. What private copies of
//! arrays would allow is a separate answer: an array can be private to the iterations of a loop when every iteration writes an element
//! before it reads it, so that no value comes from another one.

use crate::delta::{Decision, walk};
use crate::running;
use crate::{Dependences, Error, Kind};
use loopwright_presburger::func::Comparison;
use loopwright_presburger::{Budget, Map, Tuple, UnionMap, UnionSet};
use loopwright_schedule_tree::{Mark, Node, Path, ScheduleTree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::Arc;

/// A member of a band, and the dependences that its loop carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loop {
    /// The band.
    pub path: Path,
    /// Which of its members.
    pub member: usize,
    /// The positions (in [`Dependences::iter`]) of the dependences with equal outer iterations and a delta other than zero.
    pub carries: Vec<usize>,
    /// The arrays among those of `carries` of which each iteration could use a copy of its own (with the last iteration's copy
    /// as the final one).
    pub privatizable: Vec<Tuple>,
    /// Whether the iterations could run in parallel on private copies of these arrays: no other array is in the way.
    pub parallel_if_private: bool,
}

impl Loop {
    /// Whether the iterations of the loop can run in parallel.
    pub fn is_parallel(&self) -> bool {
        self.carries.is_empty()
    }
}

impl Dependences {
    /// All loops of a tree, depth first, members outermost first. Whether the tree is legal is another question; what is said of
    /// private copies holds if it is.
    ///
    /// Exact, for the parameter values of the context.
    ///
    /// # Errors
    /// Nodes that change which instances run, a spent budget.
    pub fn loops_within(&self, tree: &ScheduleTree, budget: &Budget) -> Result<Vec<Loop>, Error> {
        running::unchanged(tree, self.context(), budget)?;
        let mut carried: BTreeMap<(Path, usize), Carried> = BTreeMap::new();
        for (path, node) in tree.nodes() {
            let members = node.as_band().map_or(0, |band| band.len());
            carried.extend((0..members).map(|member| ((path.clone(), member), Carried::default())));
        }
        for (position, dependence) in self.iter().enumerate() {
            let _ = walk(tree.root(), dependence.relation.intersect_params(self.context()), budget, &mut |decision| {
                let Decision::Member { path, member, delta, .. } = decision else { return Ok(ControlFlow::Continue(())) };
                let here = carried.entry((path.clone(), member)).or_default();
                let apart = delta.select(Comparison::Ne);
                if here.by.last() != Some(&position) && !apart.map_or(Ok(true), |pairs| pairs.is_empty_within(budget))? {
                    here.by.push(position);
                }
                if dependence.kind == Kind::Raw {
                    here.inside.extend(delta.select(Comparison::Eq).map(|pairs| (position, pairs)));
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        carried.into_iter().map(|((path, member), carried)| self.finished(tree, path, member, carried, budget)).collect()
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// Nodes that change which instances run.
    pub fn loops(&self, tree: &ScheduleTree) -> Result<Vec<Loop>, Error> {
        self.loops_within(tree, &Budget::UNLIMITED)
    }

    fn finished(&self, tree: &ScheduleTree, path: Path, member: usize, carried: Carried, budget: &Budget) -> Result<Loop, Error> {
        let mut arrays: Vec<&Tuple> = carried.by.iter().map(|&position| &self.list[position].array).collect();
        arrays.sort();
        arrays.dedup();
        let mut privatizable = Vec::new();
        if !arrays.is_empty() {
            let reaching = tree.reaching_domain(&path)?;
            for array in &arrays {
                if self.is_private(array, &carried.inside, &reaching, budget)? {
                    privatizable.push((*array).clone());
                }
            }
        }
        let parallel_if_private = privatizable.len() == arrays.len();
        Ok(Loop { path, member, carries: carried.by, privatizable, parallel_if_private })
    }

    // Whether every element that an instance in `reaching` reads was written before in the same iteration: by the source of one of
    // the RAW pairs `inside`.
    fn is_private(&self, array: &Tuple, inside: &[(usize, Map)], reaching: &UnionSet, budget: &Budget) -> Result<bool, Error> {
        let writes = |statement: &Tuple| self.accesses.writes.get_by_tuples(Some(statement), Some(array));
        let written: UnionMap = inside
            .iter()
            .filter(|(position, _)| self.list[*position].array == *array)
            .filter_map(|(position, pairs)| Some(pairs.reverse().apply_range(writes(self.list[*position].source())?)))
            .collect();
        let reads: UnionMap = self.accesses.reads.members().filter(|m| m.space().range_tuple() == Some(array)).cloned().collect();
        let reads = reads.intersect_domain(reaching).intersect_params(&self.context);
        Ok(reads.is_subset_within(&written, budget)?)
    }

    /// `tree` with a parallel mark on every outermost loop whose iterations can run in parallel; marks that are there stay.
    ///
    /// Only loops that are the outermost member of their band can be marked. `threads` 0 leaves the number to the run time.
    ///
    /// # Errors
    /// Nodes that change which instances run, a spent budget.
    pub fn mark_parallel_within(&self, tree: &ScheduleTree, threads: u32, budget: &Budget) -> Result<ScheduleTree, Error> {
        let loops = self.loops_within(tree, budget)?;
        let parallel: BTreeSet<Path> = loops.into_iter().filter(|l| l.member == 0 && l.is_parallel()).map(|l| l.path).collect();
        let root = marked(tree.root(), &Path::root(), &parallel, threads);
        Ok(ScheduleTree::new(root.unwrap_or_else(|| tree.root().clone()))?)
    }

    /// The same without a limit.
    ///
    /// # Errors
    /// Nodes that change which instances run.
    pub fn mark_parallel(&self, tree: &ScheduleTree, threads: u32) -> Result<ScheduleTree, Error> {
        self.mark_parallel_within(tree, threads, &Budget::UNLIMITED)
    }
}

// What is found at one member.
#[derive(Default)]
struct Carried {
    // The dependences with a delta other than zero.
    by: Vec<usize>,
    // The RAW pairs inside one iteration, with their dependence.
    inside: Vec<(usize, Map)>,
}

// The subtree with its outermost parallel bands marked; `None` if nothing changes. Recursive, over a tree of limited nesting.
fn marked(node: &Arc<Node>, path: &Path, parallel: &BTreeSet<Path>, threads: u32) -> Option<Arc<Node>> {
    match &**node {
        Node::Mark { mark: Mark::Parallel { .. }, .. } => return None,
        Node::Band { .. } if parallel.contains(path) => {
            return Some(Arc::new(Node::mark(Mark::Parallel { threads }, node.clone())));
        }
        _ => {}
    }
    let mut changed: Option<Node> = None;
    for (position, child) in node.children().iter().enumerate() {
        if let Some(child) = marked(child, &path.child(position), parallel, threads) {
            changed = Some(changed.as_ref().unwrap_or(node).with_child(position, child));
        }
    }
    changed.map(Arc::new)
}
