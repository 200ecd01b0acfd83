//! The values that operations take and give.

use super::{Fail, Val, flow};
use loopwright_deps::{AccessInfo, Flow};
use loopwright_presburger::{
    Aff, Dim, Map, MultiAff, MultiPwAff, MultiUnionPwAff, Params, PwAff, PwFold, PwMultiAff, PwQPolynomial, Set, Space, UnionMap,
    UnionPwAff, UnionPwMultiAff, UnionPwQPolynomial, UnionSet,
};
use serde_json::{Value as Json, json};

/// A value of any type of the conformance data.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub enum Value {
    Set(Set),
    Map(Map),
    Params(Params),
    UnionSet(UnionSet),
    UnionMap(UnionMap),
    Aff(Aff),
    PwAff(PwAff),
    MultiAff(MultiAff),
    PwMultiAff(PwMultiAff),
    MultiPwAff(MultiPwAff),
    UnionPwAff(UnionPwAff),
    UnionPwMultiAff(UnionPwMultiAff),
    MultiUnionPwAff(MultiUnionPwAff),
    PwQPolynomial(PwQPolynomial),
    PwFold(PwFold),
    UnionPwQPolynomial(UnionPwQPolynomial),
    Space(Space),
    Val(Val),
    /// A tuple of values in text before and after the values.
    MultiVal(String, Vec<Val>, String),
    Dim(Dim),
    Int(i64),
    Bool(bool),
    /// A name, or a tuple of names.
    Text(String),
    List(Vec<Value>),
    AccessInfo(Box<AccessInfo>),
    /// An access, and whether it certainly happens.
    Access(Map, bool),
    Flow(Box<Flow>),
    Object(Vec<(&'static str, UnionMap)>),
}

macro_rules! wrap {
    ($($variant:ident),*) => {$(
        impl From<$variant> for Value {
            fn from(value: $variant) -> Value {
                Value::$variant(value)
            }
        }
    )*};
}
wrap!(
    Set,
    Map,
    Params,
    UnionSet,
    UnionMap,
    Aff,
    PwAff,
    MultiAff,
    PwMultiAff,
    MultiPwAff,
    UnionPwAff,
    UnionPwMultiAff,
    MultiUnionPwAff,
    PwQPolynomial,
    PwFold,
    UnionPwQPolynomial,
    Space,
    Val
);

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl From<usize> for Value {
    fn from(value: usize) -> Value {
        Value::Int(value as i64)
    }
}

impl Value {
    /// Text for values with a notation, otherwise a number, a truth value or a list.
    pub fn to_json(&self) -> Json {
        match self {
            Value::Set(v) => json!(v.to_string()),
            Value::Map(v) => json!(v.to_string()),
            Value::Params(v) => json!(v.to_string()),
            Value::UnionSet(v) => json!(v.to_string()),
            Value::UnionMap(v) => json!(v.to_string()),
            Value::Aff(v) => json!(v.to_string()),
            Value::PwAff(v) => json!(v.to_string()),
            Value::MultiAff(v) => json!(v.to_string()),
            Value::PwMultiAff(v) => json!(v.to_string()),
            Value::MultiPwAff(v) => json!(v.to_string()),
            Value::UnionPwAff(v) => json!(v.to_string()),
            Value::UnionPwMultiAff(v) => json!(v.to_string()),
            Value::MultiUnionPwAff(v) => json!(v.to_string()),
            Value::PwQPolynomial(v) => json!(v.to_string()),
            Value::PwFold(v) => json!(v.to_string()),
            Value::UnionPwQPolynomial(v) => json!(v.to_string()),
            Value::Space(v) => json!(v.to_string()),
            Value::Val(v) => json!(v.to_string()),
            Value::MultiVal(before, values, after) => {
                let values: Vec<String> = values.iter().map(Val::to_string).collect();
                json!(format!("{before}{}{after}", values.join(", ")))
            }
            Value::Dim(v) => json!(format!("{v:?}")),
            Value::Int(v) => json!(v),
            Value::Bool(v) => json!(v),
            Value::Text(v) => json!(v),
            Value::List(v) => Json::Array(v.iter().map(Value::to_json).collect()),
            Value::AccessInfo(v) => json!(v.to_string()),
            Value::Access(v, must) => json!({ "access": v.to_string(), "must": must }),
            Value::Flow(v) => flow::relations(v),
            Value::Object(v) => flow::object(v.iter().map(|(key, value)| (*key, value))),
        }
    }

    /// A position or count.
    pub fn number(&self) -> Result<usize, Fail> {
        match self {
            Value::Int(n) => usize::try_from(*n).map_err(Fail::from),
            _ => Err(Fail::Unsupported),
        }
    }
}

/// Reads all arguments; `types` says how, otherwise the texts are sets or maps.
pub fn read_all(args: &[Json], types: Option<&[&str]>) -> Result<Vec<Value>, Fail> {
    let mut out = Vec::with_capacity(args.len());
    for (i, arg) in args.iter().enumerate() {
        out.push(match types {
            Some(types) => read(types.get(i).ok_or(Fail::Unsupported)?, arg)?,
            None => guess(arg)?,
        });
    }
    order_params(&mut out, args);
    Ok(out)
}

// Positions of parameters count in the order of the text of the first argument.
fn order_params(values: &mut [Value], args: &[Json]) {
    let Some(text) = args.first().and_then(Json::as_str).filter(|t| t.trim_start().starts_with('[')) else { return };
    let Some((list, _)) = text.trim_start()[1..].split_once("] ->") else { return };
    let names: Vec<&str> = list.split(',').map(|n| n.split('=').next().unwrap_or(n).trim()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    for i in 1..values.len() {
        let is_param = matches!(values[i - 1], Value::Dim(Dim::Param));
        if let (true, Value::Int(at)) = (is_param, &values[i])
            && let Some(position) = names.get(*at as usize).and_then(|n| sorted.iter().position(|s| s == n))
        {
            values[i] = Value::Int(position as i64);
        }
    }
}

fn dim(text: &str) -> Option<Dim> {
    match text {
        "param" => Some(Dim::Param),
        "in" => Some(Dim::In),
        "out" | "set" => Some(Dim::Out),
        _ => None,
    }
}

fn guess(arg: &Json) -> Result<Value, Fail> {
    if let Some(n) = arg.as_i64() {
        return Ok(Value::Int(n));
    }
    let text = arg.as_str().ok_or(Fail::Unsupported)?;
    if let Some(dim) = dim(text) {
        return Ok(Value::Dim(dim));
    }
    let set = read("set", arg);
    if set.is_ok() {
        return set;
    }
    read("map", arg).or_else(|_| read("union_set", arg)).or_else(|_| read("union_map", arg)).or(set)
}

fn read(kind: &str, arg: &Json) -> Result<Value, Fail> {
    if let Some(n) = arg.as_i64() {
        return Ok(if kind == "val" { Value::Val(Val::from(n)) } else { Value::Int(n) });
    }
    match kind {
        "access_info" => return Ok(Value::AccessInfo(Box::new(flow::access_info(arg)?))),
        "access" => return flow::access(arg),
        _ => {}
    }
    if kind == "param_names" {
        let names: Vec<&str> = arg.as_array().into_iter().flatten().filter_map(Json::as_str).collect();
        return Ok(Value::Text(format!("[{}]", names.join(", "))));
    }
    let text = arg.as_str().ok_or(Fail::Unsupported)?;
    if text.contains("rat:") {
        return Err(Fail::Unsupported);
    }
    Ok(match kind {
        "set" | "basic_set" | "point" => match text.parse::<Set>() {
            Ok(set) => Value::Set(set),
            Err(error) => match text.parse::<Params>() {
                Ok(params) => Value::Params(params),
                Err(_) => return Err(error.into()),
            },
        },
        "map" | "basic_map" => Value::Map(text.parse()?),
        "union_set" => Value::UnionSet(text.parse()?),
        "union_map" => Value::UnionMap(text.parse()?),
        "aff" => Value::Aff(text.parse()?),
        "pw_aff" => Value::PwAff(text.parse()?),
        "multi_aff" => Value::MultiAff(text.parse()?),
        "pw_multi_aff" => Value::PwMultiAff(text.parse()?),
        "multi_pw_aff" => Value::MultiPwAff(text.parse()?),
        "union_pw_aff" => Value::UnionPwAff(text.parse()?),
        "union_pw_multi_aff" => Value::UnionPwMultiAff(text.parse()?),
        "multi_union_pw_aff" => match first_value(text).parse::<MultiUnionPwAff>() {
            // Functions without members that are defined everywhere have no value here.
            Err(e) if e.to_string().contains("needs its domain") => return Err(Fail::Unsupported),
            value => Value::MultiUnionPwAff(value?),
        },
        "pw_qpolynomial" => Value::PwQPolynomial(text.parse()?),
        "union_pw_qpolynomial" => Value::UnionPwQPolynomial(text.parse()?),
        "space" => Value::Space(text.parse()?),
        "val" => Value::Val(text.parse()?),
        "multi_val" => multi_val(text)?,
        "dim_type" => Value::Dim(dim(text).ok_or(Fail::Unsupported)?),
        "id" | "multi_id" | "fold" => Value::Text(text.to_string()),
        _ => return Err(Fail::Unsupported),
    })
}

// Some texts of the data go on behind the value, which isl does not read.
fn first_value(text: &str) -> &str {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        depth += i32::from(matches!(c, '[' | '{' | '(')) - i32::from(matches!(c, ']' | '}' | ')'));
        if c == ']' && depth == 0 && !text[i + 1..].trim_start().starts_with("->") {
            return &text[..=i];
        }
    }
    text
}

fn multi_val(text: &str) -> Result<Value, Fail> {
    let open = text.find('{').and_then(|b| text[b..].find('[').map(|o| b + o + 1)).ok_or(Fail::Unsupported)?;
    let close = text.rfind(']').filter(|c| *c >= open).ok_or(Fail::Unsupported)?;
    let inner = &text[open..close];
    let parts = inner.split(',').filter(|p| !p.trim().is_empty());
    let values = parts.map(|p| p.trim().parse::<Val>()).collect::<Result<Vec<_>, _>>()?;
    Ok(Value::MultiVal(text[..open].to_string(), values, text[close..].to_string()))
}
