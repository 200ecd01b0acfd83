//! A scop as text for people, and as JSON for programs.
//!
//! Both say the same: sets and maps in isl notation, the schedule as isl's YAML, places as in the user's file. The order is that
//! of the data, so equal scops give equal text.

use crate::{Array, Counter, CounterScope, FinalValue, Scop, Shape, Statement};
use serde_json::{Value, json};
use std::fmt;

impl Array {
    /// The array as a declaration would show it: `double A[n][m]`, `double *p` as `double p[]`.
    pub fn declaration(&self) -> String {
        let extents: String = self.extents.iter().map(|e| format!("[{}]", e.as_deref().unwrap_or(""))).collect();
        format!("{} {}{extents}", self.element, self.name)
    }
}

impl fmt::Display for Scop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "scop in {} at {}:{}", self.function, self.region.file, self.region.line)?;
        for param in &self.params {
            writeln!(f, "parameter {} {}", param.ty.name, param.name)?;
        }
        writeln!(f, "context {}", self.context)?;
        for array in &self.arrays {
            let local = if matches!(array.shape, Shape::Local { .. }) { ", local to the region" } else { "" };
            writeln!(f, "array {}{local}", array.declaration())?;
        }
        for counter in &self.counters {
            write!(f, "counter {} {}", counter.ty.name, counter.name)?;
            if counter.scope == CounterScope::Outside {
                f.write_str(", declared outside")?;
            }
            match &counter.final_value {
                FinalValue::Unused => writeln!(f)?,
                FinalValue::Needed(value) => writeln!(f, ", afterwards {value}")?,
            }
        }
        for statement in &self.statements {
            writeln!(f, "statement {} at {}:{}: {}", statement.name, statement.span.line, statement.span.column, statement.body)?;
            writeln!(f, "  domain {}", statement.domain)?;
            for access in &statement.accesses {
                writeln!(f, "  {} {}", access.kind, access.relation)?;
            }
        }
        for assumption in &self.assumptions {
            writeln!(f, "assuming that {assumption}")?;
        }
        write!(f, "schedule\n{}", self.schedule)
    }
}

impl Scop {
    /// The scop as JSON.
    pub fn to_json(&self) -> Value {
        json!({
            "function": self.function,
            "region": self.region,
            "params": self.params,
            "context": self.context.to_string(),
            "arrays": self.arrays,
            "counters": self.counters.iter().map(counter).collect::<Vec<Value>>(),
            "statements": self.statements.iter().map(statement).collect::<Vec<Value>>(),
            "assumptions": self.assumptions.iter().map(ToString::to_string).collect::<Vec<String>>(),
            "schedule": self.schedule.to_string(),
        })
    }
}

fn counter(counter: &Counter) -> Value {
    let value = match &counter.final_value {
        FinalValue::Unused => Value::Null,
        FinalValue::Needed(value) => Value::String(value.to_string()),
    };
    json!({ "name": counter.name, "type": counter.ty, "scope": counter.scope, "final_value": value })
}

fn statement(statement: &Statement) -> Value {
    let accesses = statement
        .accesses
        .iter()
        .map(|a| json!({ "kind": a.kind.to_string(), "array": a.array, "relation": a.relation.to_string(), "site": a.site }));
    let counters = statement.counters.iter().map(|(name, ty)| json!({ "name": name, "type": ty }));
    json!({
        "name": statement.name,
        "domain": statement.domain.to_string(),
        "accesses": accesses.collect::<Vec<Value>>(),
        "body": statement.body.to_string(),
        "counters": counters.collect::<Vec<Value>>(),
        "span": statement.span,
    })
}
