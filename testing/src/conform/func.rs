//! Operations on quasi-affine functions of all types.

use super::relation::{int, names};
use super::union::{pairs_from, pairs_to};
use super::{Answer, Fail, Val, Value};
use loopwright_presburger::rat::Rat;
use loopwright_presburger::{
    Aff, Dim, Int, Map, MultiAff, MultiPwAff, MultiUnionPwAff, PwAff, PwMultiAff, Set, Space, Tuple, UnionPwAff, UnionPwMultiAff,
    UnionSet,
};

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

/// Whether the value is a tuple of functions without members whose domain is given over parameters alone: these are kept apart
/// from functions of `[]` by isl only.
pub(super) fn is_over_parameters(value: &Value) -> bool {
    let Value::MultiUnionPwAff(f) = value else { return false };
    f.explicit_domain().is_some_and(|d| d.members().any(|m| *m.space().tuple() == Tuple::anonymous(0)))
}

/// Functions on a given domain.
pub(super) fn on_domain(op: &str, x: &UnionSet, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("param_on_domain_id", [Value::Text(id)]) => UnionPwAff::param_on(x, id).into(),
        ("aff_on_domain", [Value::Aff(f)]) => match f.space().param_ids() {
            [id] if *f == Aff::param(f.domain_space(), id) => UnionPwAff::param_on(x, id).into(),
            _ => return Err(Fail::Unsupported),
        },
        _ => return Err(Fail::Unsupported),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    First,
}

// The function of parameters, or of the second element of a wrapped domain, that gives the domain of a function.
fn bound_domain(domain: &Space, ids: &str, part: Part) -> Result<MultiAff, Fail> {
    let names = names(ids);
    let labels: Vec<&str> = names.iter().map(String::as_str).collect();
    let params = domain.union_params(&Space::params(&labels));
    let bound = |space: &Space| names.iter().map(|n| Aff::param(space, n)).collect::<Vec<_>>();
    if part == Part::Whole {
        let space = params.with_tuples(None, None);
        return Ok(MultiAff::from_elements(&space, domain.tuple().clone(), bound(&space)));
    }
    let (_, rest) = domain.tuple().unwrapped().ok_or(Fail::Unsupported)?;
    let space = params.with_tuples(None, Some(rest.clone()));
    let mut elements = bound(&space);
    elements.extend((0..rest.len()).map(|i| Aff::var(&space, Dim::SET, i)));
    Ok(MultiAff::from_elements(&space, domain.tuple().clone(), elements))
}

// `[b -> a] -> [a -> b]` for the domain `[a -> b]`.
fn swapped_domain(domain: &Space) -> Result<MultiAff, Fail> {
    let (a, b) = domain.tuple().unwrapped().ok_or(Fail::Unsupported)?;
    let (n, m) = (a.len(), b.len());
    // As for relations, a name around a pair of equal tuples stays.
    let name = domain.tuple().name().filter(|_| a == b).cloned();
    let swapped = domain.with_tuples(None, Some(Tuple::wrapped(b.clone(), a.clone()).with_name(name)));
    let elements = (0..n + m).map(|i| Aff::var(&swapped, Dim::SET, if i < n { m + i } else { i - n })).collect();
    Ok(MultiAff::from_elements(&swapped, domain.tuple().clone(), elements))
}

// `ids -> f`, the parameters `ids` of `f` as dimensions.
fn unbound(f: &MultiAff, ids: &str) -> Result<MultiAff, Fail> {
    let space: Space = ids.parse()?;
    let domain = Set::universe(f.space().with_tuples(None, space.range_tuple().cloned()));
    let mut map = Map::from_domain_and_range(&domain, &Set::from(f));
    for (i, name) in names(ids).iter().enumerate() {
        if let Some(position) = map.space().param_position(name) {
            map = map.equate(Dim::In, i, Dim::Param, position);
        }
    }
    let map = names(ids).iter().fold(map, |m, name| m.project_out_param(name));
    PwMultiAff::from_map(&map)?.as_multi_aff().cloned().ok_or(Fail::Unsupported)
}

// Where the tuple of values is lexicographically less.
fn lex_less(x: &MultiAff, y: &MultiAff, equal_too: bool) -> Value {
    let domain = if x.domain_space().is_params() {
        x.domain_space().with_tuples(None, Some(Tuple::anonymous(0)))
    } else {
        x.domain_space()
    };
    let mut less = Set::empty(domain.clone());
    let mut equal = Set::universe(domain);
    for (a, b) in x.elements().iter().zip(y.elements()) {
        less = less.union(&equal.intersect(&a.lt_set(b)));
        equal = equal.intersect(&a.eq_set(b));
    }
    let out = if equal_too { less.union(&equal) } else { less };
    if x.domain_space().is_params() { out.params().into() } else { out.into() }
}

fn rational(value: Option<Rat>) -> Answer {
    let text = value.map_or("NaN".to_string(), |v| v.to_string());
    Ok(Value::Val(text.parse::<Val>()?))
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
        ("domain_reverse", []) => x.pullback(&swapped_domain(x.domain_space())?).into(),
        ("unbind_params_insert_domain", [Value::Text(ids)]) => {
            let multi = MultiAff::from_elements(x.domain_space(), Tuple::anonymous(1), vec![x.clone()]);
            unbound(&multi, ids)?.get(0).clone().into()
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
        ("bind_id", [Value::Text(id)]) => {
            let space = x.domain_space().union_params(&Space::params(&[id.as_str()]));
            as_params(x, x.eq_set(&PwAff::from(Aff::param(&space, id))))
        }
        ("domain_reverse", []) => x.pullback(&swapped_domain(&x.domain_space())?).into(),
        ("mod_val", [m]) => x.modulo(&int(m)?).into(),
        ("scale_val", [Value::Val(Val::Rat(r))]) => x.map_pieces(|a| a.scale_rat(r)).into(),
        ("scale_down_val", [Value::Val(Val::Rat(r))]) if *r.numer() != 0.into() => {
            x.map_pieces(|a| a.scale_rat(&r.recip())).into()
        }
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
        ("lex_le_set", [Value::MultiAff(y)]) => lex_less(x, y, true),
        ("lex_lt_set", [Value::MultiAff(y)]) => lex_less(x, y, false),
        ("unbind_params_insert_domain", [Value::Text(ids)]) => unbound(x, ids)?.into(),
        ("gist_params", [Value::Params(p)]) => {
            let domain = x.domain_space();
            let tuple = domain.range_tuple().cloned().unwrap_or(Tuple::anonymous(0));
            x.gist(&Set::from_params(p, domain.with_tuples(None, Some(tuple)))).into()
        }
        ("align_params", [Value::Text(ids)]) => {
            let names = names(ids);
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            x.align_params(&Space::params(&names)).into()
        }
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
        ("bind_domain", [Value::Text(ids)]) => x.pullback(&bound_domain(&x.domain_space(), ids, Part::Whole)?).into(),
        ("bind_domain_wrapped_domain", [Value::Text(ids)]) => {
            x.pullback(&bound_domain(&x.domain_space(), ids, Part::First)?).into()
        }
        ("domain_reverse", []) => x.pullback(&swapped_domain(&x.domain_space())?).into(),
        ("max_multi_val", []) => extremes(x)?,
        ("scale_multi_val", [Value::MultiVal(_, values, _)]) => each(x, values, false)?,
        ("scale_down_multi_val", [Value::MultiVal(_, values, _)]) => each(x, values, true)?,
        _ => return Err(Fail::Unsupported),
    })
}

// The greatest value of every element.
fn extremes(x: &PwMultiAff) -> Answer {
    let mut values = Vec::with_capacity(x.n());
    for i in 0..x.n() {
        let range = Map::from(&x.get(i)).range().project_out_all_params().lexmax();
        let Some(point) = range.sample() else { return Err(Fail::Unsupported) };
        values.push(point.coords[0].to_string().parse::<Val>()?);
    }
    let name = x.space().tuple().name().map_or(String::new(), |n| n.to_string());
    Ok(Value::MultiVal(format!("{{ {name}["), values, "] }".into()))
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
        ("domain_reverse", []) => x.pullback(&swapped_domain(&x.domain_space())?).into(),
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
        ("intersect_domain_wrapped_domain", [Value::UnionSet(s)]) => {
            let pairs = x.members().filter_map(|m| pairs_from(m.space().domain_tuple()?, s)).collect::<UnionSet>();
            x.intersect_domain(&pairs).into()
        }
        ("intersect_domain_wrapped_range", [Value::UnionSet(s)]) => {
            let pairs = x.members().filter_map(|m| pairs_to(m.space().domain_tuple()?, s)).collect::<UnionSet>();
            x.intersect_domain(&pairs).into()
        }
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
        // Without members the domain of the whole is kept, where isl forgets it.
        ("factor_range" | "range_factor_range", []) => match x.range_factor_range() {
            Some(p) if p.n() == 0 && x.n() > 0 => return Err(Fail::Unsupported),
            p => part(p)?,
        },
        ("range_factor_domain", []) => part(x.range_factor_domain())?,
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
