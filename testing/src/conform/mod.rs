//! Operations by name on values in text, as the conformance data lists them.
//!
//! [`evaluate`] reads the arguments, dispatches on the operation's name, and gives the result as JSON: text for values, a number or a
//! truth value where the operation answers with one. What a name means is what isl's function of that name does.

mod flow;
mod func;
mod polynomial;
mod relation;
mod scalar;
mod union;
mod value;

pub use scalar::Val;
pub use value::Value;

use serde_json::{Value as Json, json};
use std::time::{Duration, Instant};

/// What happened to an entry.
pub enum Outcome {
    /// The result and the median time in microseconds.
    Result(Json, f64),
    /// The operation refused its arguments.
    Error(String),
    /// The operation, or the type of an argument, is not built.
    Unsupported,
}

/// Why an operation has no result.
#[derive(Debug)]
pub enum Fail {
    /// Not built.
    Unsupported,
    /// Refused.
    Error(String),
}

impl<E: std::error::Error> From<E> for Fail {
    fn from(error: E) -> Fail {
        Fail::Error(error.to_string())
    }
}

type Answer = Result<Value, Fail>;

/// Evaluates one entry `{id, op, args, arg_types?, options?}`; the time is the median of five runs on values parsed afresh.
pub fn evaluate(entry: &Json) -> Outcome {
    let op = entry["op"].as_str().unwrap_or_default();
    let none = Vec::new();
    let args = entry["args"].as_array().unwrap_or(&none);
    let types: Option<Vec<&str>> = entry["arg_types"].as_array().map(|t| t.iter().filter_map(Json::as_str).collect());
    match run(op, args, types.as_deref()) {
        Ok((value, us)) => Outcome::Result(value, us),
        Err(Fail::Unsupported) => Outcome::Unsupported,
        Err(Fail::Error(message)) => Outcome::Error(message),
    }
}

fn run(op: &str, args: &[Json], types: Option<&[&str]>) -> Result<(Json, f64), Fail> {
    let mut times = Vec::new();
    let mut result = Json::Null;
    let begin = Instant::now();
    while times.len() < 5 && (times.is_empty() || begin.elapsed() < Duration::from_secs(4)) {
        let values = value::read_all(args, types)?;
        let start = Instant::now();
        let value = apply(op, &values)?;
        times.push(start.elapsed().as_secs_f64() * 1e6);
        result = value.to_json();
    }
    times.sort_by(f64::total_cmp);
    Ok((result, times[times.len() / 2]))
}

/// Applies an operation, named with the type of its first argument (`set_union`) or without (`union`).
fn apply(op: &str, args: &[Value]) -> Answer {
    const PREFIXES: &[&str] = &[
        "basic_set_",
        "basic_map_",
        "set_",
        "map_",
        "union_set_",
        "union_map_",
        "aff_",
        "pw_aff_",
        "multi_aff_",
        "pw_multi_aff_",
        "multi_pw_aff_",
        "union_pw_aff_",
        "union_pw_multi_aff_",
        "multi_union_pw_aff_",
        "pw_qpolynomial_",
        "union_pw_qpolynomial_",
        "val_",
        "multi_val_",
        "space_",
    ];
    let prefix = PREFIXES.iter().filter(|p| op.starts_with(**p)).max_by_key(|p| p.len());
    // `union_set_..` is an operation on unions, `union` alone one on sets or maps.
    let (prefix, name) = match prefix {
        Some(p) => (p.trim_end_matches('_'), &op[p.len()..]),
        None => ("", op),
    };
    if matches!(name, "parse" | "reparse") {
        return args.first().cloned().ok_or(Fail::Unsupported);
    }
    let Some((first, rest)) = args.split_first() else { return Err(Fail::Unsupported) };
    if args.iter().any(func::is_over_parameters) {
        return Err(Fail::Unsupported);
    }
    match first {
        Value::AccessInfo(info) if op == "union_access_info_compute_flow" => flow::of_info(info),
        Value::Map(sink) if op == "access_info_compute_flow" => flow::of_times(sink, rest),
        Value::UnionMap(accesses) if op == "union_map_compute_flow" => match rest {
            [Value::UnionMap(schedule)] => flow::of_accesses(accesses, schedule),
            _ => Err(Fail::Unsupported),
        },
        Value::UnionSet(x) if prefix == "union_pw_aff" => func::on_domain(name, x, rest),
        Value::Set(x) => relation::set(prefix, name, x, rest),
        Value::Map(x) => relation::map(name, x, rest),
        Value::Params(x) => relation::params(name, x, rest),
        Value::UnionSet(x) => union::set(name, x, rest),
        Value::UnionMap(x) => union::map(name, x, rest),
        Value::Val(x) => scalar::val(name, x, rest),
        Value::PwQPolynomial(x) => polynomial::pw(name, x, rest),
        Value::UnionPwQPolynomial(x) => polynomial::union(name, x, rest),
        Value::Space(x) => match name {
            "domain" => Ok(Value::Space(x.domain())),
            "range" => Ok(Value::Space(x.range())),
            "params" => Ok(Value::Space(x.params_space())),
            _ => Err(Fail::Unsupported),
        },
        _ => func::function(name, first, rest),
    }
}

/// One line of results for one line of entries.
pub fn answer(entry: &Json) -> Json {
    let id = entry["id"].clone();
    match evaluate(entry) {
        Outcome::Result(result, us) => json!({ "id": id, "result": result, "us": (us * 100.0).round() / 100.0 }),
        Outcome::Error(error) => json!({ "id": id, "error": error }),
        Outcome::Unsupported => json!({ "id": id, "unsupported": true }),
    }
}
