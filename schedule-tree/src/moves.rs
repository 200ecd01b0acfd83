//! Moves and steps as plain values: `["TILE_2D", 32, 32]`, and where to apply it.
//!
//! A step in JSON is `{"scop": 0, "path": [0, 1], "move": ["TILE_2D", 32, 32]}`, or with `"node": 3` in place of the path; the scop
//! may be left out. Reading says which field is wrong and what was expected.

use crate::{Arg, Error, Path, ScheduleTree};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};
use std::fmt;
use std::str::FromStr;

/// A transformation's name and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move {
    /// The name that a registry knows the transformation by.
    pub name: String,
    /// The arguments.
    pub args: Vec<Arg>,
}

/// Where to apply a move.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Target {
    /// At the node on this path.
    Path(Path),
    /// At the node with this depth-first number (leaves count, the root is 0).
    Node(usize),
}

/// A move and where to apply it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Step {
    /// Which of the file's static control parts.
    pub scop: usize,
    /// Which node.
    pub target: Target,
    /// What to do.
    pub action: Move,
}

/// Why a text or JSON value is not a move or a step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{field}: expected {expected}, found {found}")]
pub struct StepError {
    /// Which field: `move[1]`, `path`.
    pub field: String,
    /// What should have stood there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

fn wrong<T>(field: impl Into<String>, expected: impl Into<String>, found: Option<&Value>) -> Result<T, StepError> {
    let mut found = found.map_or("nothing".into(), Value::to_string);
    if found.chars().count() > 60 {
        found = found.chars().take(57).chain("...".chars()).collect();
    }
    Err(StepError { field: field.into(), expected: expected.into(), found })
}

const MOVE: &str = r#"a list of a name and its arguments such as ["TILE_2D", 32, 32]"#;

impl Move {
    /// A move.
    pub fn new(name: &str, args: impl IntoIterator<Item = Arg>) -> Move {
        Move { name: name.into(), args: args.into_iter().collect() }
    }

    /// `["TILE_2D", 32, 32]`
    pub fn to_json(&self) -> Value {
        Value::Array(std::iter::once(Value::from(&*self.name)).chain(self.args.iter().map(Arg::to_json)).collect())
    }

    /// From `["TILE_2D", 32, 32]`. Whether there is such a transformation is for a registry to say.
    ///
    /// # Errors
    /// Names the field and what was expected.
    pub fn from_json(value: &Value) -> Result<Move, StepError> {
        let Value::Array(items) = value else {
            return wrong("move", MOVE, Some(value));
        };
        let Some(Value::String(name)) = items.first() else {
            return wrong("move[0]", "the name of a transformation", items.first());
        };
        let mut args = Vec::with_capacity(items.len() - 1);
        for (i, item) in items.iter().enumerate().skip(1) {
            match Arg::from_json(item) {
                Some(arg) => args.push(arg),
                None => {
                    return wrong(format!("move[{i}]"), "an integer of 64 bits or a name", Some(item));
                }
            }
        }
        Ok(Move { name: name.clone(), args })
    }
}

// `TILE_2D(32, 32)`; a name that could be taken for an integer cannot be an argument in this form.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args: Vec<String> = self.args.iter().map(Arg::to_string).collect();
        write!(f, "{}({})", self.name, args.join(", "))
    }
}

impl FromStr for Move {
    type Err = StepError;

    /// From `TILE_2D(32, 32)`, `INTERCHANGE` or the JSON form.
    fn from_str(text: &str) -> Result<Move, StepError> {
        let text = text.trim();
        if text.starts_with('[') {
            return match serde_json::from_str(text) {
                Ok(value) => Move::from_json(&value),
                Err(e) => Err(StepError { field: "move".into(), expected: MOVE.into(), found: format!("broken JSON: {e}") }),
            };
        }
        let bad =
            || StepError { field: "move".into(), expected: "a form such as TILE_2D(32, 32)".into(), found: format!("`{text}`") };
        let (name, args) = match text.split_once('(') {
            Some((name, rest)) => (name.trim_end(), rest.strip_suffix(')').ok_or_else(bad)?.trim()),
            None => (text, ""),
        };
        let is_name = |s: &str| !s.is_empty() && s.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
        if !is_name(name) {
            return Err(bad());
        }
        let args = args.split(',').map(str::trim).filter(|_| !args.is_empty());
        let args = args.map(|arg| match arg.parse() {
            Ok(value) => Ok(Arg::Int(value)),
            Err(_) if is_name(arg) && !arg.starts_with(|c: char| c.is_ascii_digit()) => Ok(Arg::Name(arg.into())),
            Err(_) => Err(bad()),
        });
        Ok(Move { name: name.into(), args: args.collect::<Result<_, _>>()? })
    }
}

impl Target {
    /// The path in `tree`.
    ///
    /// # Errors
    /// [`Error::NoNode`], [`Error::NoNumber`].
    pub fn path(&self, tree: &ScheduleTree) -> Result<Path, Error> {
        match self {
            Target::Path(path) => tree.node(path).map(|_| path.clone()),
            Target::Node(number) => tree.path(*number),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Path(path) => path.fmt(f),
            Target::Node(number) => write!(f, "node {number}"),
        }
    }
}

impl Step {
    /// A step in the first static control part.
    pub fn new(target: Target, action: Move) -> Step {
        Step { scop: 0, target, action }
    }

    /// `{"scop": 0, "path": [0, 1], "move": ["TILE_2D", 32, 32]}`
    pub fn to_json(&self) -> Value {
        let mut step = Map::new();
        step.insert("scop".into(), self.scop.into());
        match &self.target {
            Target::Path(path) => step.insert("path".into(), path.positions().into()),
            Target::Node(number) => step.insert("node".into(), (*number).into()),
        };
        step.insert("move".into(), self.action.to_json());
        Value::Object(step)
    }

    /// From `{"scop": 0, "path": [0, 1] | "node": 3, "move": ["TILE_2D", 32, 32]}`; `scop` may be left out.
    ///
    /// # Errors
    /// Names the field and what was expected.
    pub fn from_json(value: &Value) -> Result<Step, StepError> {
        const FORM: &str = r#"an object {"scop": 0, "path": [0, 1] or "node": 3, "move": ["TILE_2D", 32, 32]}"#;
        let Value::Object(fields) = value else {
            return wrong("step", FORM, Some(value));
        };
        if let Some(field) = fields.keys().find(|k| !matches!(k.as_str(), "scop" | "path" | "node" | "move")) {
            return wrong("step", "only the fields scop, path or node, move", Some(&field.as_str().into()));
        }
        let scop = match fields.get("scop") {
            None => 0,
            Some(value) => match index(value) {
                Some(scop) => scop,
                None => {
                    return wrong("scop", "the number of a static control part, from 0", Some(value));
                }
            },
        };
        let target = match (fields.get("path"), fields.get("node")) {
            (Some(path), None) => match path.as_array().and_then(|items| items.iter().map(index).collect::<Option<Vec<usize>>>())
            {
                Some(positions) => Target::Path(positions.into()),
                None => {
                    return wrong("path", "a list of child positions from the root such as [0, 1]", Some(path));
                }
            },
            (None, Some(node)) => match index(node) {
                Some(number) => Target::Node(number),
                None => return wrong("node", "a depth-first node number, from 0", Some(node)),
            },
            (Some(_), Some(node)) => {
                return wrong("node", "either path or node, not both", Some(node));
            }
            (None, None) => return wrong("path", "path or node", None),
        };
        let Some(action) = fields.get("move") else {
            return wrong("move", MOVE, None);
        };
        Ok(Step { scop, target, action: Move::from_json(action)? })
    }
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|n| usize::try_from(n).ok())
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.action, self.target)?;
        if self.scop > 0 { write!(f, " of scop {}", self.scop) } else { Ok(()) }
    }
}

macro_rules! serde_through_json {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                self.to_json().serialize(serializer)
            }
        }
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                <$type>::from_json(&Value::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }
    )*};
}
serde_through_json!(Move, Step);

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn step(json: &str, expect: &str) {
        let value: Value = serde_json::from_str(json).unwrap();
        match Step::from_json(&value) {
            Ok(step) => {
                assert_eq!(step.to_string(), expect);
                assert_eq!(Step::from_json(&step.to_json()), Ok(step.clone()));
                assert_eq!(step.action.to_string().parse(), Ok(step.action.clone()));
                assert_eq!(step.action.to_json().to_string().parse(), Ok(step.action));
            }
            Err(e) => assert_eq!(e.to_string(), expect),
        }
    }

    #[test]
    fn steps() {
        step(r#"{"path": [0, 1], "move": ["TILE_2D", 32, 32]}"#, "TILE_2D(32, 32) at [0, 1]");
        step(r#"{"scop": 2, "node": 3, "move": ["INTERCHANGE"]}"#, "INTERCHANGE() at node 3 of scop 2");
        step(r#"{"node": 3, "move": ["FULL_SHIFT_PARAM", "n", -1]}"#, "FULL_SHIFT_PARAM(n, -1) at node 3");
        step(
            "[1]",
            r#"step: expected an object {"scop": 0, "path": [0, 1] or "node": 3, "move": ["TILE_2D", 32, 32]}, found [1]"#,
        );
        step(r#"{"nod": 3}"#, r#"step: expected only the fields scop, path or node, move, found "nod""#);
        step(r#"{"move": ["A"]}"#, "path: expected path or node, found nothing");
        step(r#"{"path": [], "node": 0, "move": ["A"]}"#, "node: expected either path or node, not both, found 0");
        step(
            r#"{"path": [-1], "move": ["A"]}"#,
            "path: expected a list of child positions from the root such as [0, 1], found [-1]",
        );
        step(r#"{"node": 1.5, "move": ["A"]}"#, "node: expected a depth-first node number, from 0, found 1.5");
        step(
            r#"{"scop": "a", "node": 1, "move": ["A"]}"#,
            "scop: expected the number of a static control part, from 0, found \"a\"",
        );
        step(r#"{"node": 1}"#, &format!("move: expected {MOVE}, found nothing"));
        step(r#"{"node": 1, "move": "A"}"#, &format!("move: expected {MOVE}, found \"A\""));
        step(r#"{"node": 1, "move": []}"#, "move[0]: expected the name of a transformation, found nothing");
        step(r#"{"node": 1, "move": ["A", 1.5]}"#, "move[1]: expected an integer of 64 bits or a name, found 1.5");
    }

    #[track_caller]
    fn bad_text(text: &str) {
        assert!(text.parse::<Move>().is_err(), "{text}");
    }

    #[test]
    fn text() {
        assert_eq!("INTERCHANGE".parse(), Ok(Move::new("INTERCHANGE", [])));
        bad_text("");
        bad_text("TILE_1D(3");
        bad_text("TILE_1D(3,)");
        bad_text("TILE_1D(3 4)");
        bad_text("[\"A\"");
    }
}
