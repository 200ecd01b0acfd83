//! Arguments of transformations: values, what is expected, what is possible at a place.

use loopwright_presburger::Id;
use serde_json::Value;
use std::fmt;

/// The value of an argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Arg {
    /// An integer.
    Int(i64),
    /// A name.
    Name(Id),
}

impl Arg {
    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Arg::Int(value) => Some(*value),
            Arg::Name(_) => None,
        }
    }

    /// The name, if it is one.
    pub fn as_name(&self) -> Option<&Id> {
        match self {
            Arg::Int(_) => None,
            Arg::Name(name) => Some(name),
        }
    }

    /// The JSON value.
    pub fn to_json(&self) -> Value {
        match self {
            Arg::Int(value) => Value::from(*value),
            Arg::Name(name) => Value::from(&**name),
        }
    }

    /// From a JSON value; `None` unless it is a string or an integer of 64 bits.
    pub fn from_json(value: &Value) -> Option<Arg> {
        match value {
            Value::Number(n) => n.as_i64().map(Arg::Int),
            Value::String(s) => Some(Arg::Name(s.as_str().into())),
            _ => None,
        }
    }
}

impl From<i64> for Arg {
    fn from(value: i64) -> Arg {
        Arg::Int(value)
    }
}

impl From<&str> for Arg {
    fn from(name: &str) -> Arg {
        Arg::Name(name.into())
    }
}

impl fmt::Display for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Arg::Int(value) => write!(f, "{value}"),
            Arg::Name(name) => f.write_str(name),
        }
    }
}

/// What an argument is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArgKind {
    /// An integer.
    Int,
    /// A statement: its rank in program order among the statements below the node, from 0.
    Statement,
    /// An iterator: its depth in the statement's own nest, from 0, outermost first.
    Iterator,
    /// A parameter: its name.
    Parameter,
    /// A child of the node: its position, from 0.
    Child,
    /// A member of the band: its position, from 0.
    Member,
}

impl ArgKind {
    /// One word: `integer`, `statement`, `iterator`, `parameter`, `child`, `member`.
    pub fn name(self) -> &'static str {
        match self {
            ArgKind::Int => "integer",
            ArgKind::Statement => "statement",
            ArgKind::Iterator => "iterator",
            ArgKind::Parameter => "parameter",
            ArgKind::Child => "child",
            ArgKind::Member => "member",
        }
    }
}

impl fmt::Display for ArgKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ArgKind::Int => "integer",
            ArgKind::Statement => "statement (its rank in program order below the node, from 0)",
            ArgKind::Iterator => "iterator (its depth in the statement's nest, from 0)",
            ArgKind::Parameter => "parameter (its name)",
            ArgKind::Child => "child (its position, from 0)",
            ArgKind::Member => "member of the band (its position, from 0)",
        })
    }
}

/// One formal argument of a transformation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Formal {
    /// Its name in messages.
    pub name: &'static str,
    /// What it is.
    pub kind: ArgKind,
}

/// The formal arguments of a transformation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Schema {
    /// These, in this order.
    Fixed(&'static [Formal]),
    /// One or more of this one.
    Many(Formal),
}

impl Schema {
    /// The formal argument at `position`.
    pub fn formal(&self, position: usize) -> Option<Formal> {
        match self {
            Schema::Fixed(formals) => formals.get(position).copied(),
            Schema::Many(formal) => Some(*formal),
        }
    }

    /// Whether a transformation with this schema takes `count` arguments.
    pub fn accepts(&self, count: usize) -> bool {
        match self {
            Schema::Fixed(formals) => count == formals.len(),
            Schema::Many(_) => count > 0,
        }
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schema::Fixed([]) => f.write_str("no arguments"),
            Schema::Fixed(formals) => {
                let names: Vec<&str> = formals.iter().map(|f| f.name).collect();
                f.write_str(&names.join(", "))
            }
            Schema::Many(formal) => write!(f, "{}, ..", formal.name),
        }
    }
}

/// The values that one argument can take.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Choice {
    /// Integers between bounds; no bound where there is none.
    Range {
        /// The least value.
        min: Option<i64>,
        /// The greatest value.
        max: Option<i64>,
    },
    /// These values.
    List(Vec<Arg>),
}

impl Choice {
    /// Every integer.
    pub const ANY: Choice = Choice::Range { min: None, max: None };

    /// Integers from `min` on.
    pub fn from(min: i64) -> Choice {
        Choice::Range { min: Some(min), max: None }
    }

    /// `0 .. count - 1`.
    pub fn below(count: usize) -> Choice {
        Choice::Range { min: Some(0), max: Some(count as i64 - 1) }
    }

    /// One integer.
    pub fn only(value: usize) -> Choice {
        Choice::Range { min: Some(value as i64), max: Some(value as i64) }
    }

    /// Whether the value is one of these.
    pub fn contains(&self, arg: &Arg) -> bool {
        match (self, arg) {
            (Choice::Range { min, max }, Arg::Int(value)) => min.is_none_or(|m| m <= *value) && max.is_none_or(|m| *value <= m),
            (Choice::Range { .. }, Arg::Name(_)) => false,
            (Choice::List(values), arg) => values.contains(arg),
        }
    }

    /// How many values there are; a missing bound is that of 64 bits.
    pub fn count(&self) -> u128 {
        match self {
            Choice::Range { min, max } => {
                let (min, max) = (i128::from(min.unwrap_or(i64::MIN)), i128::from(max.unwrap_or(i64::MAX)));
                u128::try_from(max - min + 1).unwrap_or(0)
            }
            Choice::List(values) => values.len() as u128,
        }
    }

    /// The value at `index`, from 0, in ascending order or as listed; `None` from [`count`](Choice::count) on.
    pub fn nth(&self, index: u128) -> Option<Arg> {
        match self {
            Choice::Range { min, .. } if index < self.count() => {
                let value = i128::from(min.unwrap_or(i64::MIN)).checked_add(i128::try_from(index).ok()?)?;
                i64::try_from(value).ok().map(Arg::Int)
            }
            Choice::Range { .. } => None,
            Choice::List(values) => values.get(usize::try_from(index).ok()?).cloned(),
        }
    }

    /// A range cut to `least..=greatest`; one that lies outside keeps its bound nearest to it. A list stays.
    pub fn clipped(&self, least: i64, greatest: i64) -> Choice {
        match self {
            Choice::Range { min, max } => {
                let (min, max) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                let low = min.max(least).min(max);
                let high = max.min(greatest).max(min);
                Choice::Range { min: Some(low), max: Some(high) }
            }
            list => list.clone(),
        }
    }

    /// `{"range": [2, null]}` or `{"list": ["m", "n"]}`.
    pub fn to_json(&self) -> Value {
        match self {
            Choice::Range { min, max } => serde_json::json!({ "range": [min, max] }),
            Choice::List(values) => serde_json::json!({ "list": values.iter().map(Arg::to_json).collect::<Vec<_>>() }),
        }
    }

    /// Whether there is no such value.
    pub fn is_empty(&self) -> bool {
        match self {
            Choice::Range { min: Some(min), max: Some(max) } => min > max,
            Choice::Range { .. } => false,
            Choice::List(values) => values.is_empty(),
        }
    }
}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Choice::Range { min: None, max: None } => f.write_str("any integer"),
            Choice::Range { min: Some(min), max: None } => write!(f, "an integer from {min} on"),
            Choice::Range { min: None, max: Some(max) } => write!(f, "an integer up to {max}"),
            Choice::Range { min: Some(min), max: Some(max) } if min == max => write!(f, "{min}"),
            Choice::Range { min: Some(min), max: Some(max) } => write!(f, "an integer from {min} to {max}"),
            Choice::List(values) if values.len() == 1 => values[0].fmt(f),
            Choice::List(values) => {
                let values: Vec<String> = values.iter().map(Arg::to_string).collect();
                write!(f, "one of {}", values.join(", "))
            }
        }
    }
}

/// The argument lists that a transformation takes at a place: a union of products, one [`Choice`] per argument.
///
/// Dependent arguments are several products: FUSE on three children is `{0} x {1..2}` and `{1} x {2}`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Arguments {
    products: Vec<Vec<Choice>>,
}

impl Arguments {
    /// The argument lists of some product. Empty products are dropped.
    pub fn new(products: impl IntoIterator<Item = Vec<Choice>>) -> Arguments {
        Arguments { products: products.into_iter().filter(|p| !p.iter().any(Choice::is_empty)).collect() }
    }

    /// The argument lists of one product.
    pub fn product(choices: Vec<Choice>) -> Arguments {
        Arguments::new([choices])
    }

    /// The products.
    pub fn products(&self) -> &[Vec<Choice>] {
        &self.products
    }

    /// Whether `args` is one of the argument lists.
    pub fn contains(&self, args: &[Arg]) -> bool {
        self.first_wrong(args).is_none()
    }

    /// The position of the argument that leads out of every product, with what could have stood there.
    pub(crate) fn first_wrong(&self, args: &[Arg]) -> Option<(usize, String)> {
        let mut candidates: Vec<&Vec<Choice>> = self.products.iter().filter(|p| p.len() == args.len()).collect();
        if candidates.is_empty() {
            let most = self.products.iter().map(Vec::len).max().unwrap_or(0);
            return Some((most, format!("absent (at most {most} here)")));
        }
        for (position, arg) in args.iter().enumerate() {
            let kept: Vec<&Vec<Choice>> = candidates.iter().copied().filter(|p| p[position].contains(arg)).collect();
            if kept.is_empty() {
                let mut choices: Vec<String> = candidates.iter().map(|p| p[position].to_string()).collect();
                choices.dedup();
                return Some((position, choices.join(" or ")));
            }
            candidates = kept;
        }
        None
    }
}
