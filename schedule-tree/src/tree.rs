//! The tree: immutable nodes, shared between trees.
//!
//! | node | meaning |
//! |---|---|
//! | domain | the instances that the tree orders |
//! | context | constraints on parameters (and outer members) that hold below |
//! | band | order by a quasi-affine function |
//! | sequence | children one after the other |
//! | set | children in any order |
//! | filter | only these instances below |
//! | mark | a note for later stages |
//! | guard | a condition that later stages enforce around the subtree |
//! | extension | more instances below |
//! | expansion | instances of the tree above become other instances below |
//! | leaf | the end |
//!
//! A rewrite rebuilds the nodes from the root to the place of the change; everything else is shared.

use crate::{Band, Error, Mark, Path};
use loopwright_presburger::{Set, UnionMap, UnionPwMultiAff, UnionSet};
use std::fmt;
use std::sync::Arc;

/// The deepest nesting of a tree.
pub const MAX_DEPTH: usize = 256;

/// A node and its subtree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    /// The instances that the tree orders.
    Domain {
        /// `{ S[i] : .. }`
        domain: UnionSet,
        /// The subtree.
        child: Arc<Node>,
    },
    /// Constraints that hold below.
    Context {
        /// A set over the outer band members (`[]` where there are none).
        context: Set,
        /// The subtree.
        child: Arc<Node>,
    },
    /// Order by a quasi-affine function.
    Band {
        /// The function and what is known of its members.
        band: Arc<Band>,
        /// The subtree.
        child: Arc<Node>,
    },
    /// Children one after the other; each is a filter.
    Sequence {
        /// The filters.
        children: Vec<Arc<Node>>,
    },
    /// Children in any order; each is a filter.
    Set {
        /// The filters.
        children: Vec<Arc<Node>>,
    },
    /// Only these instances below.
    Filter {
        /// `{ S[i] : .. }`
        filter: UnionSet,
        /// The subtree.
        child: Arc<Node>,
    },
    /// A note for later stages.
    Mark {
        /// The note.
        mark: Mark,
        /// The subtree.
        child: Arc<Node>,
    },
    /// A condition that later stages enforce around the subtree.
    Guard {
        /// A set over the outer band members (`[]` where there are none).
        guard: Set,
        /// The subtree.
        child: Arc<Node>,
    },
    /// More instances below.
    Extension {
        /// From outer band members to the added instances.
        extension: UnionMap,
        /// The subtree.
        child: Arc<Node>,
    },
    /// Instances of the tree above become other instances below.
    Expansion {
        /// From instances below to instances above.
        contraction: UnionPwMultiAff,
        /// From instances above to instances below.
        expansion: UnionMap,
        /// The subtree.
        child: Arc<Node>,
    },
    /// The end.
    Leaf,
}

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum NodeKind {
    Domain,
    Context,
    Band,
    Sequence,
    Set,
    Filter,
    Mark,
    Guard,
    Extension,
    Expansion,
    Leaf,
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NodeKind::Domain => "domain",
            NodeKind::Context => "context",
            NodeKind::Band => "band",
            NodeKind::Sequence => "sequence",
            NodeKind::Set => "set",
            NodeKind::Filter => "filter",
            NodeKind::Mark => "mark",
            NodeKind::Guard => "guard",
            NodeKind::Extension => "extension",
            NodeKind::Expansion => "expansion",
            NodeKind::Leaf => "leaf",
        })
    }
}

impl Node {
    /// A domain.
    pub fn domain(domain: UnionSet, child: impl Into<Arc<Node>>) -> Node {
        Node::Domain { domain, child: child.into() }
    }

    /// A context.
    pub fn context(context: Set, child: impl Into<Arc<Node>>) -> Node {
        Node::Context { context, child: child.into() }
    }

    /// A band.
    pub fn band(band: impl Into<Arc<Band>>, child: impl Into<Arc<Node>>) -> Node {
        Node::Band { band: band.into(), child: child.into() }
    }

    /// A sequence of filters with their subtrees.
    pub fn sequence<C: Into<Arc<Node>>>(children: impl IntoIterator<Item = (UnionSet, C)>) -> Node {
        Node::Sequence { children: filters(children) }
    }

    /// A set of filters with their subtrees.
    pub fn set<C: Into<Arc<Node>>>(children: impl IntoIterator<Item = (UnionSet, C)>) -> Node {
        Node::Set { children: filters(children) }
    }

    /// A filter.
    pub fn filter(filter: UnionSet, child: impl Into<Arc<Node>>) -> Node {
        Node::Filter { filter, child: child.into() }
    }

    /// A mark.
    pub fn mark(mark: Mark, child: impl Into<Arc<Node>>) -> Node {
        Node::Mark { mark, child: child.into() }
    }

    /// A guard.
    pub fn guard(guard: Set, child: impl Into<Arc<Node>>) -> Node {
        Node::Guard { guard, child: child.into() }
    }

    /// An extension.
    pub fn extension(extension: UnionMap, child: impl Into<Arc<Node>>) -> Node {
        Node::Extension { extension, child: child.into() }
    }

    /// An expansion.
    pub fn expansion(contraction: UnionPwMultiAff, expansion: UnionMap, child: impl Into<Arc<Node>>) -> Node {
        Node::Expansion { contraction, expansion, child: child.into() }
    }

    /// The kind.
    pub fn kind(&self) -> NodeKind {
        match self {
            Node::Domain { .. } => NodeKind::Domain,
            Node::Context { .. } => NodeKind::Context,
            Node::Band { .. } => NodeKind::Band,
            Node::Sequence { .. } => NodeKind::Sequence,
            Node::Set { .. } => NodeKind::Set,
            Node::Filter { .. } => NodeKind::Filter,
            Node::Mark { .. } => NodeKind::Mark,
            Node::Guard { .. } => NodeKind::Guard,
            Node::Extension { .. } => NodeKind::Extension,
            Node::Expansion { .. } => NodeKind::Expansion,
            Node::Leaf => NodeKind::Leaf,
        }
    }

    /// The children: none for a leaf, several for a sequence or set, one otherwise.
    pub fn children(&self) -> &[Arc<Node>] {
        match self {
            Node::Leaf => &[],
            Node::Sequence { children } | Node::Set { children } => children,
            Node::Domain { child, .. }
            | Node::Context { child, .. }
            | Node::Band { child, .. }
            | Node::Filter { child, .. }
            | Node::Mark { child, .. }
            | Node::Guard { child, .. }
            | Node::Extension { child, .. }
            | Node::Expansion { child, .. } => std::slice::from_ref(child),
        }
    }

    /// This node with child `position` replaced.
    ///
    /// # Panics
    /// If there is no such child.
    #[track_caller]
    pub fn with_child(&self, position: usize, child: impl Into<Arc<Node>>) -> Node {
        let mut node = self.clone();
        let place = match &mut node {
            Node::Leaf => None,
            Node::Sequence { children } | Node::Set { children } => children.get_mut(position),
            Node::Domain { child, .. }
            | Node::Context { child, .. }
            | Node::Band { child, .. }
            | Node::Filter { child, .. }
            | Node::Mark { child, .. }
            | Node::Guard { child, .. }
            | Node::Extension { child, .. }
            | Node::Expansion { child, .. } => (position == 0).then_some(child),
        };
        match place {
            Some(place) => *place = child.into(),
            None => panic!("a {} has no child {position}", self.kind()),
        }
        node
    }

    /// The band, if this is one.
    pub fn as_band(&self) -> Option<&Arc<Band>> {
        match self {
            Node::Band { band, .. } => Some(band),
            _ => None,
        }
    }

    /// The filter, if this is one.
    pub fn as_filter(&self) -> Option<&UnionSet> {
        match self {
            Node::Filter { filter, .. } => Some(filter),
            _ => None,
        }
    }

    /// Whether this is a sequence or a set.
    pub fn has_filters(&self) -> bool {
        matches!(self, Node::Sequence { .. } | Node::Set { .. })
    }

    // Whether the nesting, this node included, stays within `limit` nodes. Iterative: the nesting may be anything.
    fn is_within_depth(&self, limit: usize) -> bool {
        let mut stack = vec![(self, 1)];
        while let Some((node, depth)) = stack.pop() {
            if depth > limit {
                return false;
            }
            stack.extend(node.children().iter().map(|c| (&**c, depth + 1)));
        }
        true
    }
}

fn filters<C: Into<Arc<Node>>>(children: impl IntoIterator<Item = (UnionSet, C)>) -> Vec<Arc<Node>> {
    children.into_iter().map(|(filter, child)| Arc::new(Node::filter(filter, child))).collect()
}

/// A schedule tree: the order in which the instances of its domain run.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ScheduleTree {
    // Invariant: a domain or an extension, nested at most MAX_DEPTH deep.
    root: Arc<Node>,
}

impl ScheduleTree {
    /// The tree below `root`, a domain or an extension. Only the root's kind and the nesting are looked at; see
    /// [`verify`](ScheduleTree::verify).
    ///
    /// # Errors
    /// [`Error::Root`], [`Error::TooDeep`].
    pub fn new(root: impl Into<Arc<Node>>) -> Result<ScheduleTree, Error> {
        let root = root.into();
        match *root {
            Node::Domain { .. } | Node::Extension { .. } => {}
            _ => return Err(Error::Root { found: root.kind() }),
        }
        if !root.is_within_depth(MAX_DEPTH) {
            return Err(Error::TooDeep { limit: MAX_DEPTH });
        }
        Ok(ScheduleTree { root })
    }

    /// The tree that orders nothing: a domain over a leaf.
    pub fn from_domain(domain: UnionSet) -> ScheduleTree {
        ScheduleTree { root: Arc::new(Node::domain(domain, Node::Leaf)) }
    }

    /// The root.
    pub fn root(&self) -> &Arc<Node> {
        &self.root
    }

    /// The instances that the tree orders, extensions aside: `None` under an extension root.
    pub fn domain(&self) -> Option<&UnionSet> {
        match &*self.root {
            Node::Domain { domain, .. } => Some(domain),
            _ => None,
        }
    }

    /// The node at `path`.
    ///
    /// # Errors
    /// [`Error::NoNode`].
    pub fn node(&self, path: &Path) -> Result<&Arc<Node>, Error> {
        let mut node = &self.root;
        for (depth, &position) in path.positions().iter().enumerate() {
            node = node.children().get(position).ok_or_else(|| Error::NoNode {
                path: path.clone(),
                at: path.positions()[..depth].into(),
                kind: node.kind(),
                children: node.children().len(),
            })?;
        }
        Ok(node)
    }

    /// This tree with the node at `path` replaced, subtree and all. Costs the length of the path and a check of the nesting.
    ///
    /// # Errors
    /// [`Error::NoNode`], [`Error::Root`], [`Error::TooDeep`].
    pub fn with_node(&self, path: &Path, node: impl Into<Arc<Node>>) -> Result<ScheduleTree, Error> {
        self.node(path)?;
        let mut spine = vec![&self.root];
        for &position in path.positions() {
            spine.push(&spine[spine.len() - 1].children()[position]);
        }
        spine.pop();
        let mut node = node.into();
        for (above, &position) in spine.iter().zip(path.positions()).rev() {
            node = Arc::new(above.with_child(position, node));
        }
        ScheduleTree::new(node)
    }

    /// All nodes, depth first, leaves included: the node at position `i` has number `i`.
    pub fn nodes(&self) -> impl Iterator<Item = (Path, &Arc<Node>)> {
        let mut stack = vec![(Path::root(), &self.root)];
        std::iter::from_fn(move || {
            let (path, node) = stack.pop()?;
            stack.extend(node.children().iter().enumerate().rev().map(|(i, c)| (path.child(i), c)));
            Some((path, node))
        })
    }

    /// The path of the node with this depth-first number (leaves count, the root is 0).
    ///
    /// # Errors
    /// [`Error::NoNumber`].
    pub fn path(&self, number: usize) -> Result<Path, Error> {
        let found = self.nodes().nth(number).map(|(path, _)| path);
        found.ok_or_else(|| Error::NoNumber { number, last: self.nodes().count() - 1 })
    }

    /// The depth-first number of the node at `path` (leaves count, the root is 0).
    ///
    /// # Errors
    /// [`Error::NoNode`].
    pub fn number(&self, path: &Path) -> Result<usize, Error> {
        self.node(path)?;
        Ok(self.nodes().take_while(|(at, _)| at != path).count())
    }
}
