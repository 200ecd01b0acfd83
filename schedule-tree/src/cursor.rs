//! A tree with a place in it.

use crate::{Error, Node, Path, ScheduleTree};
use std::sync::Arc;

/// A node together with the tree it stands in. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Cursor {
    tree: ScheduleTree,
    path: Path,
    // Invariant: the node of `tree` at `path`.
    node: Arc<Node>,
}

impl ScheduleTree {
    /// A cursor at the root.
    pub fn cursor(&self) -> Cursor {
        Cursor { tree: self.clone(), path: Path::root(), node: self.root().clone() }
    }

    /// A cursor at `path`.
    ///
    /// # Errors
    /// [`Error::NoNode`].
    pub fn at(&self, path: &Path) -> Result<Cursor, Error> {
        Ok(Cursor { node: self.node(path)?.clone(), tree: self.clone(), path: path.clone() })
    }
}

impl Cursor {
    /// The tree.
    pub fn tree(&self) -> &ScheduleTree {
        &self.tree
    }

    /// Where the node stands.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The node.
    pub fn node(&self) -> &Arc<Node> {
        &self.node
    }

    /// The node above; `None` at the root.
    pub fn parent(&self) -> Option<Cursor> {
        self.tree.at(&self.path.parent()?).ok()
    }

    /// Child `position`; `None` if there is none.
    pub fn child(&self, position: usize) -> Option<Cursor> {
        let node = self.node.children().get(position)?.clone();
        Some(Cursor { tree: self.tree.clone(), path: self.path.child(position), node })
    }

    /// The nodes from the root down to and without this one.
    pub fn ancestors(&self) -> impl Iterator<Item = &Arc<Node>> {
        let mut node = self.tree.root();
        self.path.positions().iter().map(move |&position| {
            let above = node;
            node = &above.children()[position];
            above
        })
    }

    /// The tree with this node replaced, subtree and all.
    ///
    /// # Errors
    /// [`Error::Root`], [`Error::TooDeep`].
    pub fn replaced(&self, node: impl Into<Arc<Node>>) -> Result<ScheduleTree, Error> {
        self.tree.with_node(&self.path, node)
    }
}
