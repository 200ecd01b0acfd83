//! What the caller may choose.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::typing::ParamInfos;

/// What to do about a loop that is to be unrolled but has no constant number of iterations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Unrolling {
    /// Refuse with [`crate::Error::NotUnrollable`].
    #[default]
    Required,
    /// Write a loop.
    Preferred,
}

/// Options of generation.
#[derive(Debug, Clone)]
pub struct Options {
    /// C types and ranges of parameters; one that is missing is a `long` within ±2^48.
    pub params: ParamInfos,
    /// Counters are this and a number.
    pub counter_prefix: String,
    /// Names that no counter may have.
    pub reserved: BTreeSet<Arc<str>>,
    /// What to do about a loop that cannot be unrolled.
    pub unroll: Unrolling,
    /// The most copies that unrolling one loop may make.
    pub most_copies: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            params: ParamInfos::new(),
            counter_prefix: "c".into(),
            reserved: BTreeSet::new(),
            unroll: Unrolling::default(),
            most_copies: 1024,
        }
    }
}

impl Options {
    /// A prefix that makes no counter clash with a parameter or a reserved name.
    pub(crate) fn free_prefix(&self, params: &[Arc<str>]) -> String {
        let mut prefix = self.counter_prefix.clone();
        let clashes = |prefix: &str| {
            let numbered = |name: &Arc<str>| {
                name.strip_prefix(prefix).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
            };
            params.iter().chain(&self.reserved).any(numbered)
        };
        while clashes(&prefix) {
            prefix.push('_');
        }
        prefix
    }
}
