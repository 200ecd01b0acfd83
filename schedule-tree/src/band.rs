//! A band: a partial schedule, and what is known and wanted of its members.
//!
//! The members are the elements of the partial schedule, outermost first. Each is a loop, except where it is constant.

use loopwright_presburger::{Id, MultiUnionPwAff, UnionSet};
use std::fmt;

/// How code generation treats the loop of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum LoopType {
    /// As it sees fit.
    #[default]
    Default,
    /// One loop; statements are not separated.
    Atomic,
    /// No loop: one copy of the body per value.
    Unroll,
    /// Loops of their own for parts with different statements.
    Separate,
}

impl LoopType {
    /// All of them, in the order of their numbers.
    pub const ALL: [LoopType; 4] = [LoopType::Default, LoopType::Atomic, LoopType::Unroll, LoopType::Separate];

    /// 0 default, 1 atomic, 2 unroll, 3 separate.
    pub fn from_number(number: i64) -> Option<LoopType> {
        usize::try_from(number).ok().and_then(|n| LoopType::ALL.get(n)).copied()
    }

    /// The name in the options of a band; empty for the default.
    pub fn option_name(self) -> &'static str {
        match self {
            LoopType::Default => "",
            LoopType::Atomic => "atomic",
            LoopType::Unroll => "unroll",
            LoopType::Separate => "separate",
        }
    }
}

impl fmt::Display for LoopType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LoopType::Default => "default",
            other => other.option_name(),
        })
    }
}

/// What is known and wanted of one member of a band.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Member {
    /// A claim of whoever made the band: no dependence with equal outer members has a distance here.
    pub coincident: bool,
    /// How code generation treats the loop.
    pub loop_type: LoopType,
    /// The same inside the part that the option `isolate` selects.
    pub isolated_loop_type: LoopType,
}

/// A partial schedule with its members' properties.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Band {
    schedule: MultiUnionPwAff,
    permutable: bool,
    // Invariant: one per element of the schedule.
    members: Vec<Member>,
    // Invariant: no `atomic`, `unroll` or `separate`: those are in the members.
    options: Option<UnionSet>,
}

impl Band {
    /// A band of which nothing is known but its schedule.
    pub fn new(schedule: MultiUnionPwAff) -> Band {
        let members = vec![Member::default(); schedule.n()];
        Band { schedule, permutable: false, members, options: None }
    }

    /// The partial schedule.
    pub fn schedule(&self) -> &MultiUnionPwAff {
        &self.schedule
    }

    /// The members' properties, outermost first.
    pub fn members(&self) -> &[Member] {
        &self.members
    }

    /// The number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// Whether there is no member.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// The name of the schedule's tuple: `L_0` of `L_0[{ S[i] -> [(i)] }]`.
    pub fn label(&self) -> Option<&Id> {
        self.schedule.name()
    }

    /// A claim of whoever made the band: its members can be permuted.
    pub fn is_permutable(&self) -> bool {
        self.permutable
    }

    /// Options for code generation other than loop types: `isolate[[outer] -> [members]]`. `None` if there are none.
    pub fn options(&self) -> Option<&UnionSet> {
        self.options.as_ref()
    }

    /// This band with the claim that its members can be permuted.
    pub fn permutable(&self) -> Band {
        Band { permutable: true, ..self.clone() }
    }

    /// This band with other member properties.
    ///
    /// # Panics
    /// If their number is not that of the members.
    #[track_caller]
    pub fn with_members(&self, members: Vec<Member>) -> Band {
        assert_eq!(members.len(), self.members.len(), "a band of {} members", self.members.len());
        Band { members, ..self.clone() }
    }

    /// This band with other options (other than loop types, which belong to the members).
    pub fn with_options(&self, options: Option<UnionSet>) -> Band {
        Band { options, ..self.clone() }
    }

    /// This band with another schedule of as many members: loop types stay, claims about dependences and options that name
    /// values of the members are dropped.
    ///
    /// # Panics
    /// If the number of members differs.
    #[track_caller]
    pub fn with_schedule(&self, schedule: MultiUnionPwAff) -> Band {
        assert_eq!(schedule.n(), self.members.len(), "a band of {} members", self.members.len());
        let members = self.members.iter().map(|m| Member { coincident: false, ..*m }).collect();
        Band { schedule, permutable: false, members, options: None }
    }

    /// Whether the band claims anything about dependences.
    pub(crate) fn has_claims(&self) -> bool {
        self.permutable || self.members.iter().any(|m| m.coincident)
    }

    /// This band without claims about dependences.
    pub(crate) fn without_claims(&self) -> Band {
        let members = self.members.iter().map(|m| Member { coincident: false, ..*m }).collect();
        Band { permutable: false, members, ..self.clone() }
    }
}
