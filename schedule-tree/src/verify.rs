//! The invariants of schedule trees, checked exactly.
//!
//! - A domain or extension stands at the root, a domain nowhere else.
//! - The children of a sequence or set are filters; on the instances that reach them they are disjoint, and together they leave none
//!   out.
//! - A band has an integer value for every instance that reaches it, in every member.
//! - Below a parallel mark stands a band.
//! - An expansion gives every instance that reaches it at least one instance, and its contraction leads back.

use crate::{Error, Mark, Node, Path, ScheduleTree, functions};
use loopwright_presburger::{Budget, BudgetSpent, Set, UnionPwAff, UnionSet};

impl ScheduleTree {
    /// The first broken invariant, depth first.
    ///
    /// # Errors
    /// [`Error::Broken`] with the node and what is wrong.
    pub fn verify(&self) -> Result<(), Error> {
        self.verify_within(&Budget::default())
    }

    /// The same, within a budget.
    ///
    /// # Errors
    /// [`Error::Broken`], [`Error::Budget`].
    pub fn verify_within(&self, budget: &Budget) -> Result<(), Error> {
        match self.problems_within(budget)?.into_iter().next() {
            Some(problem) => Err(problem),
            None => Ok(()),
        }
    }

    /// Every broken invariant, depth first.
    ///
    /// # Errors
    /// The budget was spent.
    pub fn problems_within(&self, budget: &Budget) -> Result<Vec<Error>, BudgetSpent> {
        let mut problems = Vec::new();
        for (path, node) in self.nodes() {
            let message = match &**node {
                Node::Domain { .. } if path.depth() > 0 => Some("stands below the root".into()),
                Node::Mark { mark: Mark::Parallel { .. }, child }
                    if !matches!(**child, Node::Band { .. } | Node::Mark { .. }) =>
                {
                    Some(format!("says parallel, but below it stands a {}, not a band", child.kind()))
                }
                Node::Sequence { children } | Node::Set { children } => {
                    match children.iter().map(|c| c.as_filter()).collect::<Option<Vec<_>>>() {
                        None => Some("has children that are no filters".into()),
                        Some(filters) if filters.is_empty() => Some("has no children".into()),
                        Some(filters) => self.filters(&path, &filters, budget)?,
                    }
                }
                Node::Band { band, .. } => match self.reaching_domain(&path) {
                    Ok(domain) => {
                        let mut message = None;
                        for (member, function) in band.schedule().elements().iter().enumerate() {
                            message = message.or(undefined(function, &domain, budget)?.map(|m| format!("member {member} {m}")));
                        }
                        message.map(|m| format!("has no schedule everywhere: {m}"))
                    }
                    Err(_) => None,
                },
                Node::Expansion { contraction, expansion, .. } => match self.reaching_domain(&path) {
                    Ok(domain) if !domain.is_subset_within(&expansion.domain(), budget)? => {
                        Some("gives no instance for some that reach it".into())
                    }
                    Ok(domain) => {
                        let round = expansion.intersect_domain(&domain).apply_range(&contraction.into());
                        let back = round.is_subset_within(&domain.identity(), budget)?;
                        (!back).then(|| "has a contraction that does not lead back".into())
                    }
                    Err(_) => None,
                },
                _ => None,
            };
            if let Some(message) = message {
                problems.push(Error::Broken { path, kind: node.kind(), message });
            }
        }
        Ok(problems)
    }

    // What is wrong with the filters of the sequence or set at `path`.
    fn filters(&self, path: &Path, filters: &[&UnionSet], budget: &Budget) -> Result<Option<String>, BudgetSpent> {
        let Ok(domain) = self.reaching_domain(path) else {
            return Ok(None);
        };
        for instances in domain.members() {
            let statement = instances.space().tuple();
            let mut taken: Vec<(usize, &Set)> = Vec::new();
            for (child, filter) in filters.iter().enumerate() {
                let Some(set) = functions::set_of(filter, statement) else {
                    continue;
                };
                for (other, earlier) in &taken {
                    if !instances.intersect(set).is_disjoint_within(earlier, budget)? {
                        return Ok(Some(format!("runs instances of {statement} twice: children {other} and {child} share some")));
                    }
                }
                taken.push((child, set));
            }
            let all = taken.iter().map(|(_, set)| (*set).clone()).reduce(|a, b| a.union(&b));
            let covered = match all {
                Some(all) => instances.is_subset_within(&all, budget)?,
                None => instances.is_empty_within(budget)?,
            };
            if !covered {
                return Ok(Some(format!("leaves out instances of {statement} that reach it")));
            }
        }
        Ok(None)
    }
}

// Where a member of a band has no integer value.
fn undefined(function: &UnionPwAff, domain: &UnionSet, budget: &Budget) -> Result<Option<String>, BudgetSpent> {
    for instances in domain.members() {
        let statement = instances.space().tuple();
        let Some(function) = functions::of_statement(function, statement) else {
            if instances.is_empty_within(budget)? {
                continue;
            }
            return Ok(Some(format!("has no value for {statement}")));
        };
        if !instances.is_subset_within(&function.domain(), budget)? {
            return Ok(Some(format!("has no value for some instances of {statement}")));
        }
        for (piece, value) in function.pieces() {
            let integral =
                value.is_obviously_integral() || instances.intersect(piece).is_subset_within(&value.integral_set(), budget)?;
            if !integral {
                return Ok(Some(format!("has fractions as values for {statement}")));
            }
        }
    }
    Ok(None)
}
