//! What the caller may choose.

use std::collections::BTreeSet;
use std::sync::Arc;

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Columns, Int, Set, System};

use crate::region;
use crate::typing::{ASSUMED_BOUND, ParamInfos};

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
    /// What the C types of the parameters say for certain: the ranges of 32-bit types, and that unsigned ones are not negative.
    pub(crate) fn ranges(&self, params: &[Arc<str>]) -> Set {
        let known = region::universe(params, 0);
        let mut system = System::universe(Columns::of(known.space()));
        for (k, name) in params.iter().enumerate() {
            let Some(info) = self.params.get(name) else { continue };
            let (low, high) = info.range;
            let bounds: [(i128, Option<i128>); 2] =
                [(1, Some(low).filter(|v| *v > -ASSUMED_BOUND)), (-1, Some(high).filter(|v| *v < ASSUMED_BOUND))];
            for (sign, bound) in bounds {
                let Some(bound) = bound.and_then(|v| i64::try_from(-sign * v).ok()) else { continue };
                let mut row = Row::zero(system.columns().len());
                row.set(0, Int::from(bound));
                row.set(1 + k, Int::from(sign as i64));
                system.push_ineq(row);
            }
        }
        region::from_system(&known, system)
    }

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
