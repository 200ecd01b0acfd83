//! Which statements reach a node, and in which order the program has them.
//!
//! Program order is the order of the tree: leaves depth first, at each leaf the statements that reach it in the order of their
//! tuples (by name); a statement's first appearance counts. Only the tuples of filters are looked at, not their constraints.

use crate::{Cursor, Node, ScheduleTree};
use loopwright_presburger::{Tuple, UnionMap, UnionSet};
use std::collections::BTreeSet;

impl Cursor {
    /// The statements that reach this node, in program order: the ranks that moves use.
    pub fn statements(&self) -> Vec<Tuple> {
        let mut reaching = BTreeSet::new();
        for node in self.ancestors() {
            reaching = below(node, &reaching);
        }
        let mut found = Vec::new();
        collect(self.node(), reaching, &mut found);
        found
    }
}

impl ScheduleTree {
    /// The outermost band that the statement of this name reaches, the first one depth first; `None` if it reaches none.
    pub fn band(&self, statement: &str) -> Option<Cursor> {
        let is_statement = |t: &Tuple| t.name().is_some_and(|n| &**n == statement);
        let bands = self.nodes().filter(|(_, node)| node.as_band().is_some());
        bands.filter_map(|(path, _)| self.at(&path).ok()).find(|at| at.statements().iter().any(is_statement))
    }
}

// Recursive, over a tree of limited nesting.
fn collect(node: &Node, reaching: BTreeSet<Tuple>, found: &mut Vec<Tuple>) {
    if matches!(node, Node::Leaf) {
        for statement in reaching {
            if !found.contains(&statement) {
                found.push(statement);
            }
        }
        return;
    }
    let reaching = below(node, &reaching);
    if reaching.is_empty() {
        return;
    }
    for child in node.children() {
        collect(child, reaching.clone(), found);
    }
}

// The statements that reach the children of a node that `reaching` reach.
fn below(node: &Node, reaching: &BTreeSet<Tuple>) -> BTreeSet<Tuple> {
    match node {
        Node::Domain { domain, .. } => tuples(domain).collect(),
        Node::Filter { filter, .. } => tuples(filter).filter_map(|t| reaching.get(&t).cloned()).collect(),
        Node::Extension { extension, .. } => reaching.iter().cloned().chain(ranges(extension, None)).collect(),
        Node::Expansion { expansion, .. } => ranges(expansion, Some(reaching)).collect(),
        _ => reaching.clone(),
    }
}

/// The tuples of a union set's members, in order.
pub(crate) fn tuples(set: &UnionSet) -> impl Iterator<Item = Tuple> + '_ {
    set.members().map(|member| member.space().tuple().clone())
}

fn ranges<'a>(map: &'a UnionMap, domain: Option<&'a BTreeSet<Tuple>>) -> impl Iterator<Item = Tuple> + 'a {
    map.members().filter_map(move |member| {
        let space = member.space();
        let reached = domain.is_none_or(|d| space.domain_tuple().is_some_and(|t| d.contains(t)));
        space.range_tuple().filter(|_| reached).cloned()
    })
}
