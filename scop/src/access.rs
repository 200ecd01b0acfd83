//! One access of a statement: which array elements each instance reads or writes.

use loopwright_presburger::Map;
use std::fmt;

/// What an access does to its element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccessKind {
    /// The instance reads the element, or may do so (an operand of `?:`, `&&`, `||`).
    Read,
    /// The instance certainly writes the element.
    Write,
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
        })
    }
}

/// An access `{ S[i] -> A[e(i)] : i in domain(S) }`, in the order of evaluation among those of its statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// Read or write.
    pub kind: AccessKind,
    /// The array (or scalar, an array without dimensions).
    pub array: String,
    /// From the statement's instances to the array's elements, restricted to the statement's domain.
    pub relation: Map,
    /// Which place of the body this is: `C[i] += x` has one place and two accesses. Places count in the order of the text.
    pub site: usize,
}
