//! The static control part itself, its parameters, arrays, counters and assumptions.

use crate::{Access, AccessKind, Index, Region, Span, Statement};
use loopwright_presburger::{Params, PwAff, UnionMap, UnionSet};
use loopwright_schedule_tree::ScheduleTree;
use serde::{Deserialize, Serialize};
use std::fmt;

/// An integer type of C, by its declared name and its range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntType {
    /// The type as declared, without qualifiers: `int`, `size_t`, `unsigned long`.
    pub name: String,
    /// Width in bits.
    pub bits: u32,
    /// Whether it has negative values.
    pub signed: bool,
}

/// A parameter: an integer variable that steers bounds, conditions or subscripts and is not written in the region.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its name in C and in sets.
    pub name: String,
    /// Its declared type.
    pub ty: IntType,
}

/// Where an array lives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shape {
    /// Declared before the region.
    Outside,
    /// Declared in the region; generated code declares it before the region with this text (`double acc;`), under the name
    /// that the array has here.
    Local {
        /// The declaration without initializer.
        declaration: String,
    },
}

/// An array or, without dimensions, a scalar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array {
    /// The name in maps and in rendered bodies.
    pub name: String,
    /// The element type as C text.
    pub element: String,
    /// The extents as C text after preprocessing; `None` for the first dimension of a pointer or of `A[]`.
    pub extents: Vec<Option<String>>,
    /// Outside or local.
    pub shape: Shape,
}

/// Where a counter is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CounterScope {
    /// In a `for` header.
    Loop,
    /// Before the region.
    Outside,
}

/// What is known of a counter's value after the region.
#[derive(Clone, Debug, PartialEq)]
pub enum FinalValue {
    /// Nothing reads it: it is not assigned by generated code.
    Unused,
    /// It must have this value, a function of the parameters; where the function is undefined the region leaves the counter
    /// as it was.
    Needed(PwAff),
}

/// A loop counter.
#[derive(Clone, Debug, PartialEq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// Its declared type.
    pub ty: IntType,
    /// Where it is declared.
    pub scope: CounterScope,
    /// Its value after the region.
    pub final_value: FinalValue,
}

/// Something that holds for every run on which the results here are right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Assumption {
    /// These arrays do not overlap.
    NoOverlap(Vec<String>),
    /// Every subscript stays inside its dimension.
    SubscriptsInside,
    /// These parameters are not written in the region (a write by name is refused; one through an alias would break this).
    ParamsUnwritten(Vec<String>),
    /// Signed arithmetic of the source does not wrap.
    SignedNoWrap,
    /// These 64-bit parameters lie within +-2^48.
    WideParams(Vec<String>),
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assumption::NoOverlap(names) => {
                write!(f, "the arrays {} do not overlap", names.join(", "))
            }
            Assumption::SubscriptsInside => f.write_str("every subscript stays inside its dimension"),
            Assumption::ParamsUnwritten(names) => write!(f, "the parameters {} are not written in the region", names.join(", ")),
            Assumption::SignedNoWrap => f.write_str("signed arithmetic does not wrap"),
            Assumption::WideParams(names) => write!(f, "the 64-bit parameters {} lie within +-2^48", names.join(", ")),
        }
    }
}

/// A static control part.
#[derive(Clone, Debug)]
pub struct Scop {
    /// The surrounding function.
    pub function: String,
    /// Where the region stands.
    pub region: Region,
    /// The parameters, sorted by name.
    pub params: Vec<Param>,
    /// What the types of the parameters (and the +-2^48 assumption) imply for their values.
    pub context: Params,
    /// The arrays and scalars that statements access, in order of first access.
    pub arrays: Vec<Array>,
    /// The statements in program order.
    pub statements: Vec<Statement>,
    /// The counters, in order of first use.
    pub counters: Vec<Counter>,
    /// What is assumed.
    pub assumptions: Vec<Assumption>,
    /// Every identifier of the function, sorted: generated counters must have other names.
    pub identifiers: Vec<String>,
    /// The loop headers `for (..; ..; ..)` in the order of the text: that of the band labelled `L_k` is `loops[k]`.
    pub loops: Vec<Span>,
    /// The original order.
    pub schedule: ScheduleTree,
}

impl Scop {
    /// The statement called `name`.
    pub fn statement(&self, name: &str) -> Option<&Statement> {
        self.statements.iter().find(|s| s.name == name)
    }

    /// The array called `name`.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|a| a.name == name)
    }

    /// The original order.
    pub fn schedule(&self) -> &ScheduleTree {
        &self.schedule
    }

    /// The header of the loop that a band with this label comes from: `L_3`, `L_3_tile` and `L_3_point` from `loops[3]`.
    pub fn loop_of(&self, label: &str) -> Option<&Span> {
        let number = label.strip_prefix("L_")?;
        let end = number.find(|c: char| !c.is_ascii_digit()).unwrap_or(number.len());
        self.loops.get(number[..end].parse::<usize>().ok()?)
    }

    /// All instances: the union of the statements' domains.
    pub fn domain(&self) -> UnionSet {
        self.statements.iter().map(|s| s.domain.clone()).collect()
    }

    /// All reads: the union of `{ S[i] -> A[e(i)] }`.
    pub fn reads(&self) -> UnionMap {
        self.accesses(AccessKind::Read)
    }

    /// All writes.
    pub fn writes(&self) -> UnionMap {
        self.accesses(AccessKind::Write)
    }

    fn accesses(&self, kind: AccessKind) -> UnionMap {
        let all = self.statements.iter().flat_map(|s| &s.accesses);
        all.filter(|a: &&Access| a.kind == kind).map(|a| a.relation.clone()).collect()
    }

    /// The text of an instance of `statement` at the given counter values, or `None` if there is no such
    /// statement.
    pub fn render(&self, statement: &str, indices: &[Index]) -> Option<String> {
        Some(self.statement(statement)?.body.render(indices))
    }
}
