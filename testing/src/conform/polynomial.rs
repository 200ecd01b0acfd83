//! Operations on quasi-polynomials.

use super::relation::int;
use super::{Answer, Fail, Value};
use loopwright_presburger::{Budget, Extremum, PwQPolynomial, UnionPwQPolynomial};

/// The operations `pw_qpolynomial_..`.
pub(super) fn pw(op: &str, x: &PwQPolynomial, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("add", [Value::PwQPolynomial(y)]) => x.add(y).into(),
        ("sub", [Value::PwQPolynomial(y)]) => x.sub(y).without_zeros().into(),
        ("mul", [Value::PwQPolynomial(y)]) => x.mul(y).into(),
        ("neg", []) => x.neg().into(),
        ("coalesce", []) => x.coalesce().into(),
        ("domain", []) => x.domain().into(),
        ("gist", [Value::Set(s)]) => x.gist(s).into(),
        ("intersect_domain", [Value::Set(s)]) => x.intersect_domain(s).into(),
        ("subtract_domain", [Value::Set(s)]) => x.subtract_domain(s).into(),
        ("fix_val", [Value::Dim(kind), pos, value]) => x.fix(*kind, pos.number()?, &int(value)?).into(),
        ("max", []) => x.max_value_within(&Budget::UNLIMITED)?.into(),
        ("min", []) => x.min_value_within(&Budget::UNLIMITED)?.into(),
        ("eval", [Value::Set(p)]) => x.eval_at(&p.sample().ok_or(Fail::Unsupported)?).into(),
        ("bound", [Value::Text(kind)]) => x.bound(extremum(kind)?)?.into(),
        ("intersect_domain_bound", [Value::Set(s)]) => x.intersect_domain(s).bound(Extremum::Max)?.into(),
        _ => return Err(Fail::Unsupported),
    })
}

fn extremum(text: &str) -> Result<Extremum, Fail> {
    match text {
        "max" => Ok(Extremum::Max),
        "min" => Ok(Extremum::Min),
        _ => Err(Fail::Unsupported),
    }
}

/// The operations `union_pw_qpolynomial_..`.
pub(super) fn union(op: &str, x: &UnionPwQPolynomial, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("add", [Value::UnionPwQPolynomial(y)]) => x.add(y).into(),
        ("sub", [Value::UnionPwQPolynomial(y)]) => x.sub(y).into(),
        ("mul", [Value::UnionPwQPolynomial(y)]) => x.mul(y).into(),
        ("neg", []) => x.neg().into(),
        ("coalesce", []) => x.coalesce().into(),
        ("domain", []) => x.domain().into(),
        ("gist", [Value::UnionSet(s)]) => x.gist(s).into(),
        ("intersect_domain", [Value::UnionSet(s)]) => x.intersect_domain(s).into(),
        ("subtract_domain", [Value::UnionSet(s)]) => x.subtract_domain(s).into(),
        ("eval", [Value::Set(p)]) => x.eval_at(&p.sample().ok_or(Fail::Unsupported)?).into(),
        _ => return Err(Fail::Unsupported),
    })
}
