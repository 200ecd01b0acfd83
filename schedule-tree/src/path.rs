//! Where a node stands: the child positions on the way down from the root.

use std::fmt;

/// Child positions from the root; empty for the root itself. `[0, 1]` is the second child of the root's first child.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Path(Vec<usize>);

impl Path {
    /// The root's path.
    pub fn root() -> Path {
        Path::default()
    }

    /// The positions.
    pub fn positions(&self) -> &[usize] {
        &self.0
    }

    /// The number of steps from the root.
    pub fn depth(&self) -> usize {
        self.0.len()
    }

    /// The path of child `position`.
    pub fn child(&self, position: usize) -> Path {
        let mut positions = Vec::with_capacity(self.0.len() + 1);
        positions.extend_from_slice(&self.0);
        positions.push(position);
        Path(positions)
    }

    /// The path of the parent; `None` for the root.
    pub fn parent(&self) -> Option<Path> {
        self.0.split_last().map(|(_, up)| Path(up.to_vec()))
    }

    /// The position below the parent; `None` for the root.
    pub fn position(&self) -> Option<usize> {
        self.0.last().copied()
    }

    /// Whether `other` is this node or below it.
    pub fn is_prefix_of(&self, other: &Path) -> bool {
        other.0.starts_with(&self.0)
    }
}

impl From<Vec<usize>> for Path {
    fn from(positions: Vec<usize>) -> Path {
        Path(positions)
    }
}

impl From<&[usize]> for Path {
    fn from(positions: &[usize]) -> Path {
        Path(positions.to_vec())
    }
}

impl<const N: usize> From<[usize; N]> for Path {
    fn from(positions: [usize; N]) -> Path {
        Path(positions.to_vec())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let positions: Vec<String> = self.0.iter().map(usize::to_string).collect();
        write!(f, "[{}]", positions.join(", "))
    }
}
