//! Operations on quasi-affine functions of all types.

use super::relation::int;
use super::{Answer, Fail, Val, Value};
use loopwright_presburger::rat::Rat;
use loopwright_presburger::{Aff, Int, Map, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, UnionPwAff, UnionPwMultiAff};

/// Operations whose first argument is a function.
pub(super) fn function(op: &str, first: &Value, rest: &[Value]) -> Answer {
    match first {
        Value::Aff(x) => aff(op, x, rest),
        Value::PwAff(x) => pw_aff(op, x, rest),
        Value::MultiAff(x) => multi_aff(op, x, rest),
        Value::PwMultiAff(x) => pw_multi_aff(op, x, rest),
        Value::MultiPwAff(x) => multi_pw_aff(op, x, rest),
        Value::UnionPwAff(x) => union_pw_aff(op, x, rest),
        Value::UnionPwMultiAff(x) => union_pw_multi_aff(op, x, rest),
        Value::MultiUnionPwAff(x) => multi_union_pw_aff(op, x, rest),
        _ => Err(Fail::Unsupported),
    }
}

fn rational(value: Option<Rat>) -> Answer {
    let text = value.map_or("NaN".to_string(), |v| v.to_string());
    Ok(Value::Val(text.parse::<Val>().map_err(Fail::Error)?))
}

fn aff(op: &str, x: &Aff, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("add", [Value::Aff(y)]) => x.add(y).into(),
        ("sub", [Value::Aff(y)]) => x.sub(y).into(),
        ("mul", [Value::Aff(y)]) => x.mul(y)?.into(),
        ("div", [Value::Aff(y)]) => x.div(y)?.into(),
        ("neg", []) => x.neg().into(),
        ("floor", []) => x.floor().into(),
        ("ceil", []) => x.ceil().into(),
        ("scale_down_val_floor", [v]) => x.scale_down(&int(v)?).floor().into(),
        ("gist", [Value::Set(s)]) => x.gist(s).into(),
        ("set_tuple_id", [Value::Dim(loopwright_presburger::Dim::In), Value::Text(id)]) => {
            let tuple = x.domain_space().tuple().with_name(Some(id.as_str().into()));
            x.with_domain_tuple(Some(tuple)).into()
        }
        ("bind_id", [Value::Text(_)]) => return pw_aff(op, &PwAff::from(x.clone()), rest),
        _ => return Err(Fail::Unsupported),
    })
}

fn pw_aff(op: &str, x: &PwAff, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("neg", []) => x.neg().into(),
        ("floor", []) => x.floor().into(),
        ("ceil", []) => x.ceil().into(),
        ("coalesce", []) => x.coalesce().into(),
        ("domain", []) => domain(x),
        ("zero_set", []) => as_params(x, x.zero_set()),
        ("non_zero_set", []) => as_params(x, x.non_zero_set()),
        ("pos_set", []) => as_params(x, x.pos_set()),
        ("nonneg_set", []) => as_params(x, x.nonneg_set()),
        ("neg_set", []) => as_params(x, x.neg_set()),
        ("eval", [Value::Set(p)]) => match p.sample() {
            Some(point) => {
                let x = x.align_params(&point.space);
                let params: Vec<Int> =
                    x.space().param_ids().iter().map(|id| point.param(id).cloned().unwrap_or(Int::ZERO)).collect();
                rational(x.eval(&params, &point.coords))?
            }
            None => rational(None)?,
        },
        ("eval", [Value::Params(p)]) => match p.sample() {
            Some(point) => {
                let x = x.align_params(&point.space);
                let params: Vec<Int> =
                    x.space().param_ids().iter().map(|id| point.param(id).cloned().unwrap_or(Int::ZERO)).collect();
                rational(x.eval(&params, &[]))?
            }
            None => rational(None)?,
        },
        ("mod_val", [m]) => x.modulo(&int(m)?).into(),
        ("scale_val", [m]) => x.scale(&int(m)?).into(),
        ("scale_down_val", [m]) => x.scale_down(&int(m)?).into(),
        ("gist_params", [Value::Params(p)]) => x.gist_params(p).into(),
        ("gist", [Value::Set(s)]) => x.gist(s).into(),
        ("intersect_params", [Value::Params(p)]) => x.intersect_params(p).into(),
        ("intersect_domain", [Value::Set(s)]) => x.intersect_domain(s).into(),
        (_, [Value::PwAff(y)]) => match op {
            "add" => x.add(y).into(),
            "sub" => x.sub(y).into(),
            "mul" => x.mul(y)?.into(),
            "div" => x.div(y)?.into(),
            "min" => x.min(y).into(),
            "max" => x.max(y).into(),
            "union_add" => x.union_add(y).into(),
            "union_min" => x.union_min(y).into(),
            "union_max" => x.union_max(y).into(),
            "le_set" => as_params(x, x.le_set(y)),
            "lt_set" => as_params(x, x.lt_set(y)),
            "ge_set" => as_params(x, x.ge_set(y)),
            "gt_set" => as_params(x, x.gt_set(y)),
            "eq_set" => as_params(x, x.eq_set(y)),
            "ne_set" => as_params(x, x.ne_set(y)),
            "tdiv_q" => x.tdiv_q(&constant(y)?).into(),
            "tdiv_r" => x.tdiv_r(&constant(y)?).into(),
            "is_equal" => x.is_equal(y).into(),
            _ => return Err(Fail::Unsupported),
        },
        _ => return Err(Fail::Unsupported),
    })
}

fn constant(x: &PwAff) -> Result<Int, Fail> {
    x.as_int().ok_or_else(|| Fail::Error("the divisor must be a constant".into()))
}

// The domain of a function of parameters alone is a parameter set.
fn as_params(x: &PwAff, set: Set) -> Value {
    if x.domain_space().is_params() { set.params().into() } else { set.into() }
}

fn domain(x: &PwAff) -> Value {
    as_params(x, x.domain())
}

fn multi_aff(op: &str, x: &MultiAff, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("pullback_multi_aff", [Value::MultiAff(y)]) => x.pullback(y).into(),
        ("gist", [Value::Set(s)]) => x.gist(s).into(),
        ("add", [Value::MultiAff(y)]) => x.add(y).into(),
        ("sub", [Value::MultiAff(y)]) => x.sub(y).into(),
        ("product", [Value::MultiAff(y)]) => x.product(y).into(),
        ("range_product", [Value::MultiAff(y)]) => x.range_product(y).into(),
        ("flat_range_product", [Value::MultiAff(y)]) => x.flat_range_product(y).into(),
        ("from_multi_aff", []) => Set::from(x).into(),
        _ => return Err(Fail::Unsupported),
    })
}

fn pw_multi_aff(op: &str, x: &PwMultiAff, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("is_equal", [Value::PwMultiAff(y)]) => x.is_equal(y).into(),
        ("product", [Value::PwMultiAff(y)]) => x.product(y).into(),
        ("add", [Value::PwMultiAff(y)]) => x.add(y).into(),
        ("sub", [Value::PwMultiAff(y)]) => x.sub(y).into(),
        ("union_add", [Value::PwMultiAff(y)]) => x.union_add(y).into(),
        ("range_product", [Value::PwMultiAff(y)]) => x.range_product(y).into(),
        ("flat_range_product", [Value::PwMultiAff(y)]) => x.flat_range_product(y).into(),
        ("to_multi_pw_aff_roundtrip", []) => PwMultiAff::from(&x.to_multi_pw_aff()).into(),
        ("scale_multi_val", [Value::MultiVal(_, values, _)]) => each(x, values, false)?,
        ("scale_down_multi_val", [Value::MultiVal(_, values, _)]) => each(x, values, true)?,
        _ => return Err(Fail::Unsupported),
    })
}

fn each(x: &PwMultiAff, values: &[Val], down: bool) -> Answer {
    let mut factors = Vec::with_capacity(values.len());
    for value in values {
        let Val::Rat(r) = value else { return Err(Fail::Unsupported) };
        let zero = *value == Val::from(0);
        factors.push(match (down, zero) {
            (true, true) => return Err(Fail::Error("division by zero".into())),
            (true, false) => r.recip(),
            (false, _) => r.clone(),
        });
    }
    Ok(x.map_pieces(|m| {
        let elements = m.elements().iter().zip(&factors).map(|(e, f)| e.scale_rat(f)).collect();
        MultiAff::new(m.space(), elements)
    })
    .into())
}

fn multi_pw_aff(op: &str, x: &MultiPwAff, rest: &[Value]) -> Answer {
    let part = |p: Option<MultiPwAff>| p.map(Value::from).ok_or_else(|| Fail::Error("the range is no pair".into()));
    Ok(match (op, rest) {
        ("add", [Value::MultiPwAff(y)]) => x.add(y).into(),
        ("sub", [Value::MultiPwAff(y)]) => x.sub(y).into(),
        ("range_product", [Value::MultiPwAff(y)]) => x.range_product(y).into(),
        ("flat_range_product", [Value::MultiPwAff(y)]) => x.flat_range_product(y).into(),
        ("product", [Value::MultiPwAff(y)]) => x.product(y).into(),
        ("range_factor_domain", []) => part(x.range_factor_domain())?,
        ("range_factor_range", []) => part(x.range_factor_range())?,
        ("factor_range", []) => part(x.range_factor_range())?,
        ("pullback_multi_pw_aff", [Value::MultiPwAff(y)]) => x.pullback_pw(&PwMultiAff::from(y)).into(),
        ("gist", [Value::Set(s)]) => x.gist(s).into(),
        ("gist_params", [Value::Params(p)]) => x.gist_params(p).into(),
        ("as_set", []) => Set::from(x).into(),
        ("is_equal", [Value::MultiPwAff(y)]) => x.is_equal(y).into(),
        _ => return Err(Fail::Unsupported),
    })
}

fn union_pw_aff(op: &str, x: &UnionPwAff, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("add", [Value::UnionPwAff(y)]) => x.add(y).into(),
        ("union_add", [Value::UnionPwAff(y)]) => x.union_add(y).into(),
        ("zero_union_set", []) => x.zero_union_set().into(),
        _ => return Err(Fail::Unsupported),
    })
}

fn union_pw_multi_aff(op: &str, x: &UnionPwMultiAff, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("involves_nan", []) => x.involves_nan().into(),
        ("involves_locals", []) => {
            let local = |e: &Aff| !e.divs().is_empty();
            let piece = |(d, m): &(Set, MultiAff)| d.systems().any(|s| s.columns().divs > 0) || m.elements().iter().any(local);
            x.members().any(|p| p.pieces().iter().any(piece)).into()
        }
        ("add", [Value::UnionPwMultiAff(y)]) => x.add(y).into(),
        ("union_add", [Value::UnionPwMultiAff(y)]) => {
            let shared = x.domain().intersect(&y.domain());
            let clash = x.members().any(|a| {
                y.members().any(|b| {
                    a.space().domain_tuple() == b.space().domain_tuple()
                        && a.space().range_tuple() != b.space().range_tuple()
                        && !Map::from(a).domain().is_disjoint(&Map::from(b).domain())
                })
            });
            if clash && !shared.is_empty() {
                return Err(Fail::Error("overlapping domains with different ranges".into()));
            }
            x.union_add(y).into()
        }
        ("subtract_domain", [Value::UnionSet(s)]) => x.subtract_domain(s).into(),
        ("intersect_domain", [Value::UnionSet(s)]) => x.intersect_domain(s).into(),
        _ => return Err(Fail::Unsupported),
    })
}

fn multi_union_pw_aff(op: &str, x: &MultiUnionPwAff, rest: &[Value]) -> Answer {
    let part = |p: Option<MultiUnionPwAff>| p.map(Value::from).ok_or_else(|| Fail::Error("the range is no pair".into()));
    Ok(match (op, rest) {
        ("add", [Value::MultiUnionPwAff(y)]) => x.add(y).into(),
        ("union_add", [Value::MultiUnionPwAff(y)]) => x.union_add(y).into(),
        ("range_product", [Value::MultiUnionPwAff(y)]) => x.range_product(y).into(),
        ("flat_range_product", [Value::MultiUnionPwAff(y)]) => x.flat_range_product(y).into(),
        ("factor_range", []) => part(x.range_factor_range())?,
        ("range_factor_domain", []) => part(x.range_factor_domain())?,
        ("range_factor_range", []) => part(x.range_factor_range())?,
        ("intersect_range", [Value::Set(s)]) => x.intersect_range(s).into(),
        ("intersect_params", [Value::Params(p)]) => x.intersect_params(p).into(),
        ("intersect_domain", [Value::UnionSet(s)]) => x.intersect_domain(s).into(),
        ("apply_multi_aff", [Value::MultiAff(f)]) => x.apply_multi_aff(f).into(),
        ("apply_pw_aff", [Value::PwAff(f)]) => x.apply_pw_aff(f).into(),
        ("apply_pw_multi_aff", [Value::PwMultiAff(f)]) => x.apply_pw_multi_aff(f).into(),
        ("pullback_union_pw_multi_aff", [Value::UnionPwMultiAff(f)]) => x.pullback(f).into(),
        ("zero_union_set", []) => x.zero_union_set().into(),
        ("gist", [Value::UnionSet(s)]) => x.gist(s).into(),
        ("gist_params", [Value::Params(p)]) => x.gist_params(p).into(),
        _ => return Err(Fail::Unsupported),
    })
}
