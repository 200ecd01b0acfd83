//! The answer to a step, in the form that it has everywhere: in JSON, in the command, in other languages.

use loopwright_deps::{Verdict, Violation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Whether a step is legal, and if not, why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Order and parallel marks are proven. False as well for a step that was refused.
    pub legal: bool,
    /// Two instances that collide.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub witness: Option<Witness>,
    /// Why the step could not be judged: it does not apply to the tree.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub refused: Option<String>,
    /// Why no code can be generated for the result.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub codegen: Option<String>,
}

/// Two instances that the new order runs in the wrong order, or unordered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// `RAW`, `WAR` or `WAW`.
    pub kind: String,
    /// The array that both access.
    pub array: String,
    /// The element that both access.
    pub element: Vec<i128>,
    /// The instance that the original order runs first.
    pub source: InstanceOf,
    /// The instance that the original order runs second.
    pub sink: InstanceOf,
    /// The parameter values at which they collide.
    pub params: BTreeMap<String, i128>,
}

/// An instance of a statement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceOf {
    /// The statement.
    pub stmt: String,
    /// The values of the counters.
    pub instance: Vec<i128>,
}
