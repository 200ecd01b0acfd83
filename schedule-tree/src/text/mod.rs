//! Schedule trees in isl's YAML form.
//!
//! ```yaml
//! domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
//! child:
//!   schedule: "L[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
//!   permutable: 1
//!   coincident: [ 1 ]
//!   options: "{ separate[i0] }"
//!   child:
//!     sequence:
//!     - filter: "{ S[i] }"
//!     - filter: "{ T[i] }"
//! ```
//!
//! A node is a mapping: the key that makes its kind (`domain`, `context`, `schedule`, `sequence`, `set`, `filter`, `mark`, `guard`,
//! `extension`, or `contraction` with `expansion`), properties of a band, and `child` unless that is a leaf. Block style and flow
//! style are read and written ([`Display`](std::fmt::Display), [`to_flow`](ScheduleTree::to_flow)); `parse(print(t)) == t`.

mod build;
mod options;
mod record;
mod write;
mod yaml;

pub use record::Record;

use crate::{Error, ScheduleTree};
use std::str::FromStr;

impl FromStr for ScheduleTree {
    type Err = Error;

    /// Reads isl's YAML form. The tree is not verified.
    ///
    /// # Errors
    /// [`Error::Text`] with line and column, also of errors inside the strings; [`Error::TooDeep`].
    fn from_str(text: &str) -> Result<ScheduleTree, Error> {
        build::tree(&yaml::parse(text)?)
    }
}
