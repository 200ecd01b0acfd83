//! The answer to "is it legal?" as JSON.
//!
//! `{"legal": bool, "witness"?: {"kind", "array", "element": [..], "source": {"stmt", "instance": [..]}, "sink": {..}, "params": {..}},
//! "refused"?: "why", "codegen"?: "why not", "parallel_with"?: {"private": [..], "reductions": [..]}}`. Integers beyond 64 bits are strings.

use crate::report::Relaxation;
use crate::{Verdict, Violation};
use loopwright_presburger::Int;
use loopwright_schedule_tree::Instance;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

/// Whether a step, a move or a tree is legal, and if not, why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Whether all dependences are kept; `false` as well where the question could not be put.
    pub legal: bool,
    /// Two instances in the wrong order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
    /// Why the question could not be put.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Why no code can be generated, legal or not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codegen: Option<String>,
    /// What would make the loop parallel that cannot run so; nothing that legality assumes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parallel_with: Option<Relaxation>,
}

/// Two instances in conflict that run in the wrong order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// `RAW`, `WAR` or `WAW`.
    pub kind: String,
    /// The array.
    pub array: String,
    /// The element.
    pub element: Vec<Value>,
    /// The instance that ran first in the original order.
    pub source: WitnessInstance,
    /// The instance that ran last in the original order.
    pub sink: WitnessInstance,
    /// The values of the parameters.
    pub params: BTreeMap<String, Value>,
}

/// A statement instance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WitnessInstance {
    /// The statement.
    pub stmt: String,
    /// The values of its iterators.
    pub instance: Vec<Value>,
}

fn value(int: &Int) -> Value {
    int.to_i64().map_or_else(|| int.to_string().into(), Value::from)
}

impl From<&Instance> for WitnessInstance {
    fn from(instance: &Instance) -> WitnessInstance {
        WitnessInstance { stmt: instance.statement.to_string(), instance: instance.coordinates.iter().map(value).collect() }
    }
}

impl From<&Violation> for Witness {
    fn from(violation: &Violation) -> Witness {
        Witness {
            kind: violation.kind.to_string(),
            array: violation.array.to_string(),
            element: violation.element.iter().map(value).collect(),
            source: (&violation.source).into(),
            sink: (&violation.sink).into(),
            params: violation.params.iter().map(|(name, v)| (name.to_string(), value(v))).collect(),
        }
    }
}

impl From<&Verdict> for Answer {
    fn from(verdict: &Verdict) -> Answer {
        let witness = verdict.violation().map(Witness::from);
        Answer { legal: verdict.is_legal(), witness, refused: None, codegen: None, parallel_with: None }
    }
}

impl fmt::Display for WitnessInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.stmt, list(&self.instance))
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Witness { kind, array, element, source, sink, params } = self;
        write!(f, "{kind} on {array}{} from {source} to {sink}", list(element))?;
        for (i, (name, value)) in params.iter().enumerate() {
            write!(f, "{}{name} = {value}", if i == 0 { " at " } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.legal, &self.refused, &self.witness) {
            (_, Some(why), _) => write!(f, "refused: {why}")?,
            (true, None, _) => f.write_str("legal")?,
            (false, None, None) => f.write_str("illegal")?,
            (false, None, Some(witness)) => write!(f, "illegal: {witness}")?,
        }
        if let Some(with) = &self.parallel_with {
            write!(f, "; parallel with {with}")?;
        }
        match &self.codegen {
            Some(why) => write!(f, "; no code: {why}"),
            None => Ok(()),
        }
    }
}

fn list(values: &[Value]) -> String {
    format!("[{}]", values.iter().map(Value::to_string).collect::<Vec<_>>().join(", "))
}

impl Answer {
    /// An answer to a question that could not be put.
    pub fn refused(why: impl ToString) -> Answer {
        Answer { legal: false, witness: None, refused: Some(why.to_string()), codegen: None, parallel_with: None }
    }

    /// This answer with the reason why no code can be generated.
    pub fn without_code(self, why: impl ToString) -> Answer {
        Answer { codegen: Some(why.to_string()), ..self }
    }

    /// The answer as JSON.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}
