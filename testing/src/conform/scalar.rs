//! The operations `val_..` on extended rationals.

use super::{Answer, Fail, Value};
use std::cmp::Ordering;

pub use loopwright_presburger::Val;

/// The operations `val_..`.
pub fn val(op: &str, x: &Val, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("neg", []) => x.neg().into(),
        ("abs", []) => x.abs().into(),
        ("inv", []) => x.inv().into(),
        ("floor", []) => x.floor().into(),
        ("ceil", []) => x.ceil().into(),
        ("trunc", []) => x.trunc().into(),
        ("pow2", []) => x.pow2()?.into(),
        ("is_int", []) => x.as_int().is_some().into(),
        ("is_rat", []) => x.as_rat().is_some().into(),
        ("is_pos", []) => (x.signum() > 0).into(),
        ("is_neg", []) => (x.signum() < 0).into(),
        ("is_nonneg", []) => (!x.is_nan() && x.signum() >= 0).into(),
        ("is_nonpos", []) => (!x.is_nan() && x.signum() <= 0).into(),
        ("is_zero", []) => (*x == Val::from(0)).into(),
        ("is_one", []) => (*x == Val::from(1)).into(),
        ("is_nan", []) => x.is_nan().into(),
        ("is_infty", []) => (*x == Val::Infty).into(),
        ("is_neginfty", []) => (*x == Val::NegInfty).into(),
        (_, [Value::Val(y)]) => match op {
            "add" => x.add(y).into(),
            "sub" => x.sub(y).into(),
            "mul" => x.mul(y).into(),
            "div" => x.div(y).into(),
            "mod" => x.modulo(y)?.into(),
            "gcd" => x.gcd(y)?.into(),
            "min" => x.min(y).into(),
            "max" => x.max(y).into(),
            "eq" => (x.compare(y) == Some(Ordering::Equal)).into(),
            "ne" => x.compare(y).is_some_and(|o| o != Ordering::Equal).into(),
            "lt" => x.compare(y).is_some_and(Ordering::is_lt).into(),
            "le" => x.compare(y).is_some_and(Ordering::is_le).into(),
            "gt" => x.compare(y).is_some_and(Ordering::is_gt).into(),
            "ge" => x.compare(y).is_some_and(Ordering::is_ge).into(),
            _ => return Err(Fail::Unsupported),
        },
        _ => return Err(Fail::Unsupported),
    })
}
