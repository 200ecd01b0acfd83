//! Operations on sets, maps and parameter sets.

use super::{Answer, Fail, Value};
use loopwright_presburger::linalg::Row;
use loopwright_presburger::{
    Aff, BasicRelation, Dim, Int, Kind, Map, OfMap, OfParams, OfSet, Params, PwAff, PwMultiAff, Relation, Set, Space, System,
    Tuple,
};

/// A kind of relation among the values.
trait Wrapped: Kind {
    fn wrap(relation: Relation<Self>) -> Value;
    fn get(value: &Value) -> Option<&Relation<Self>>;
}

macro_rules! wrapped {
    ($($kind:ident: $variant:ident),*) => {$(
        impl Wrapped for $kind {
            fn wrap(relation: Relation<Self>) -> Value {
                Value::$variant(relation)
            }
            fn get(value: &Value) -> Option<&Relation<Self>> {
                match value {
                    Value::$variant(x) => Some(x),
                    _ => None,
                }
            }
        }
    )*};
}
wrapped!(OfSet: Set, OfMap: Map, OfParams: Params);

fn one<K: Wrapped>(basic: BasicRelation<K>) -> Value {
    K::wrap(basic.to_relation())
}

/// The one integer of an argument.
pub(super) fn int(value: &Value) -> Result<Int, Fail> {
    match value {
        Value::Int(n) => Ok(Int::from(*n)),
        Value::Val(v) => v.to_string().parse().map_err(|_| Fail::Unsupported),
        _ => Err(Fail::Unsupported),
    }
}

/// Operations that every kind has.
fn common<K: Wrapped>(op: &str, x: &Relation<K>, rest: &[Value]) -> Answer {
    let answer = match (op, rest) {
        ("complement", []) => K::wrap(x.complement()),
        ("coalesce", []) => K::wrap(x.coalesce()),
        ("lexmin", []) => K::wrap(x.lexmin()),
        ("lexmax", []) => K::wrap(x.lexmax()),
        ("simple_hull", []) => one(x.simple_hull()),
        ("unshifted_simple_hull" | "plain_unshifted_simple_hull", []) => one(x.unshifted_simple_hull()),
        ("affine_hull", []) => one(x.affine_hull()),
        ("detect_equalities", []) => K::wrap(x.detect_equalities()),
        ("remove_redundancies", []) => K::wrap(x.remove_redundancies()),
        ("compute_divs", []) => K::wrap(x.with_known_divs()),
        ("is_empty", []) => x.is_empty().into(),
        ("is_universe" | "plain_is_universe", []) => x.is_universe().into(),
        ("is_bounded", []) => x.is_bounded().into(),
        ("params", []) => Value::Params(x.params()),
        ("n_basic_set" | "n_basic_map", []) => x.n_basic().into(),
        ("intersect_self_100", []) => K::wrap((0..100).fold(x.clone(), |s, _| s.intersect(&s))),
        ("intersect_params", [Value::Params(p)]) => K::wrap(x.intersect_params(p)),
        ("gist_params", [Value::Params(p)]) => K::wrap(x.gist_params(p)),
        ("lexmin_in_context", [Value::Params(p)]) => K::wrap(x.intersect_params(p).lexmin()),
        ("lexmax_in_context", [Value::Params(p)]) => K::wrap(x.intersect_params(p).lexmax()),
        ("project_out", [Value::Dim(Dim::Param), first, n]) => {
            let ids = x.space().param_ids();
            let (first, n) = (first.number()?, n.number()?);
            let names = ids.get(first..first + n).ok_or(Fail::Unsupported)?;
            K::wrap(names.iter().fold(x.clone(), |x, name| x.project_out_param(name)))
        }
        ("project_out", [Value::Dim(kind), first, n]) => K::wrap(x.project_out(*kind, first.number()?, n.number()?)),
        ("project_out_is_empty", [Value::Dim(kind), first, n]) => {
            x.project_out(*kind, first.number()?, n.number()?).is_empty().into()
        }
        ("eliminate", [Value::Dim(kind), first, n]) => K::wrap(x.eliminate(*kind, first.number()?, n.number()?)),
        ("insert_dims", [Value::Dim(kind), at, n]) => K::wrap(x.insert_dims(*kind, at.number()?, n.number()?)),
        ("add_dims", [Value::Dim(kind), n]) => K::wrap(x.add_dims(*kind, n.number()?)),
        ("move_dims", [Value::Dim(to), dst, Value::Dim(from), src, n]) => {
            move_dims(x, *to, dst.number()?, *from, src.number()?, n.number()?)
        }
        ("fix_val", [Value::Dim(kind), pos, value]) => K::wrap(x.fix(*kind, pos.number()?, &int(value)?)),
        ("lower_bound_val", [Value::Dim(kind), pos, value]) => K::wrap(x.lower_bound(*kind, pos.number()?, &int(value)?)),
        ("upper_bound_val", [Value::Dim(kind), pos, value]) => K::wrap(x.upper_bound(*kind, pos.number()?, &int(value)?)),
        ("equate", [Value::Dim(a), i, Value::Dim(b), j]) => K::wrap(x.equate(*a, i.number()?, *b, j.number()?)),
        ("oppose", [Value::Dim(a), i, Value::Dim(b), j]) => K::wrap(x.oppose(*a, i.number()?, *b, j.number()?)),
        ("plain_is_fixed", [Value::Dim(kind), pos]) => {
            let pos = x.space().dim(*kind).min(pos.number()?);
            let column = loopwright_presburger::Columns::of(x.space()).dims(*kind).start + pos;
            let hull = x.affine_hull();
            let fixed = |r: &loopwright_presburger::linalg::Row| (1..r.len()).all(|c| (c == column) != r.is_zero_at(c));
            hull.system().eqs().iter().any(fixed).into()
        }
        (_, [other]) => match K::get(other) {
            Some(y) => binary(op, x, y)?,
            None => return Err(Fail::Unsupported),
        },
        _ => return Err(Fail::Unsupported),
    };
    Ok(answer)
}

fn move_dims<K: Wrapped>(x: &Relation<K>, to: Dim, dst: usize, from: Dim, src: usize, n: usize) -> Value {
    let mut x = x.clone();
    if to == Dim::Param {
        // A parameter needs a name.
        for i in src..src + n {
            if x.space().dim_name(from, i).is_none() {
                let name = (0..).map(|k| format!("p{k}")).find(|p| x.space().param_position(p).is_none()).unwrap_or_default();
                x = x.set_dim_name(from, i, Some(&name));
            }
        }
    }
    K::wrap(x.move_dims(to, dst, from, src, n))
}

fn binary<K: Wrapped>(op: &str, x: &Relation<K>, y: &Relation<K>) -> Answer {
    let matching = x.space().same_tuples(y.space());
    Ok(match op {
        "is_equal" if !matching => false.into(),
        "is_subset" if !matching => x.is_empty().into(),
        "is_disjoint" if !matching => true.into(),
        "union" | "intersect" | "subtract" | "gist" if !matching => {
            return Err(Fail::Error(format!("spaces differ: {} and {}", x.space(), y.space())));
        }
        "union" => K::wrap(x.union(y)),
        "intersect" => K::wrap(x.intersect(y)),
        "subtract" => K::wrap(x.subtract(y)),
        "gist" | "plain_gist_basic_map" => K::wrap(x.gist(y)),
        "gist_n_basic_map" => x.gist(y).n_basic().into(),
        "is_subset" => x.is_subset(y).into(),
        "is_strict_subset" => x.is_strict_subset(y).into(),
        "is_equal" => x.is_equal(y).into(),
        "is_disjoint" => x.is_disjoint(y).into(),
        "union_coalesce" => K::wrap(x.union(y).coalesce()),
        "intersect_coalesce" => K::wrap(x.intersect(y).coalesce()),
        "lexmax_intersect_is_empty" => x.lexmax().intersect(y).is_empty().into(),
        _ => return Err(Fail::Unsupported),
    })
}

/// `{ p -> extreme of dimension pos }`
fn extreme(x: &Set, pos: usize, max: bool) -> Result<PwMultiAff, Fail> {
    let n = x.space().dim(Dim::SET);
    let one = x.project_out(Dim::SET, pos + 1, n - pos - 1).project_out(Dim::SET, 0, pos);
    let one = one.with_space(&one.space().with_tuples(None, Some(Tuple::anonymous(1))));
    Ok(PwMultiAff::from_set(&if max { one.lexmax() } else { one.lexmin() })?)
}

/// The extreme value of `f` over `x`.
fn optimum(x: &Set, f: &Aff, max: bool) -> Answer {
    use super::Val;
    let text = |v: &str| -> Answer { Ok(Value::Val(v.parse::<Val>()?)) };
    if x.is_empty() {
        return text("NaN");
    }
    let den = f.denominator().clone();
    let values = PwAff::from(f.scale(&den)).intersect_domain(x);
    let range = Map::from(&values).range().project_out_all_params();
    let one = if max { range.lexmax() } else { range.lexmin() };
    match one.sample() {
        Some(p) => text(&format!("{}/{den}", p.coords[0])),
        None => text(if max { "infty" } else { "-infty" }),
    }
}

/// Operations on sets.
pub(super) fn set(prefix: &str, op: &str, x: &Set, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        // A basic set stays one where the answer would need several.
        ("gist", [Value::Set(y)]) if prefix == "basic_set" && x.space().same_tuples(y.space()) => {
            let gist = x.gist(y);
            if gist.n_basic() > 1 { x.clone().into() } else { gist.into() }
        }
        ("recession_cone", []) if x.n_basic() <= 1 && x.systems().all(|s| s.columns().divs == 0) => {
            let linear = |s: &System| {
                let homogeneous = |rows: &[Row]| {
                    rows.iter()
                        .map(|r| {
                            let mut r = r.clone();
                            r.set(0, Int::ZERO);
                            r
                        })
                        .collect()
                };
                s.with_rows(homogeneous(s.eqs()), homogeneous(s.ineqs()))
            };
            Set::from_systems(x.space().clone(), x.systems().map(linear).collect::<Vec<_>>()).into()
        }
        ("identity", []) => x.identity().into(),
        ("unwrap", []) => x.unwrap().into(),
        ("is_wrapping", []) => x.is_wrapping().into(),
        ("flatten", []) => x.flatten().into(),
        ("flatten_map", []) => x.flatten_map().into(),
        ("wrapped_reverse", []) => x.wrapped_reverse().into(),
        ("is_singleton", []) => x.is_singleton().into(),
        ("is_params", []) => false.into(),
        ("count_val", []) => super::Val::from(x.count_points()? as i64).into(),
        ("lift_domain", []) => x.clone().into(),
        ("apply", [Value::Map(m)]) => {
            if m.space().domain().range_tuple() != x.space().range_tuple() {
                return Err(Fail::Error("the map's domain is another space".into()));
            }
            x.apply(m).into()
        }
        ("product", [Value::Set(y)]) => x.product(y).into(),
        ("flat_product", [Value::Set(y)]) => x.flat_product(y).into(),
        ("product_is_wrapping", [Value::Set(y)]) => x.product(y).is_wrapping().into(),
        ("lex_lt_set", [Value::Set(y)]) => x.lex_lt(y).into(),
        ("lex_le_set", [Value::Set(y)]) => x.lex_le(y).into(),
        ("lex_gt_set", [Value::Set(y)]) => x.lex_gt(y).into(),
        ("lex_ge_set", [Value::Set(y)]) => x.lex_ge(y).into(),
        ("dim_max" | "dim_min", [pos]) => extreme(x, pos.number()?, op == "dim_max")?.get(0).into(),
        ("max_val", [Value::Aff(f)]) => optimum(x, f, true)?,
        ("min_val", [Value::Aff(f)]) => optimum(x, f, false)?,
        ("union_min_val", [Value::Set(y), Value::Aff(f)]) => optimum(&x.union(y), f, false)?,
        ("lexmin_pw_multi_aff", []) => PwMultiAff::from_set(&x.lexmin())?.into(),
        ("lexmax_pw_multi_aff", []) => PwMultiAff::from_set(&x.lexmax())?.into(),
        ("as_pw_multi_aff", []) => PwMultiAff::from_set(x)?.into(),
        ("as_pw_multi_aff_single_cell", []) => (PwMultiAff::from_set(x)?.n_piece() == 1).into(),
        ("to_pw_multi_aff_roundtrip", []) => Set::from(&PwMultiAff::from_set(x)?).into(),
        ("bind", [Value::Text(ids)]) => bind(x, ids)?.into(),
        ("unbind_params", _) if prefix.is_empty() => return Err(Fail::Unsupported),
        ("insert_dims" | "add_dims", [Value::Dim(Dim::In), ..]) => return Err(Fail::Unsupported),
        ("preimage_multi_aff", [Value::MultiAff(f)]) => x.clone().apply(&Map::from(f).reverse()).into(),
        ("preimage_pw_multi_aff", [Value::PwMultiAff(f)]) => x.apply(&Map::from(f).reverse()).into(),
        ("remove_divs_involving_dims_fix_is_empty", _) => return Err(Fail::Unsupported),
        _ => common(op, x, rest)?,
    })
}

/// The names of `{ A[M, N] }`.
pub(super) fn names(ids: &str) -> Vec<String> {
    let inner = ids.split_once('[').and_then(|(_, r)| r.split_once(']')).map_or("", |(l, _)| l);
    inner.split(',').map(|s| s.trim().to_string()).filter(|s| !s.is_empty()).collect()
}

fn with_params(space: &Space, names: &[String]) -> Space {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    space.union_params(&Space::params(&names))
}

fn bind(x: &Set, ids: &str) -> Result<Params, Fail> {
    let names = names(ids);
    let mut x = x.align_params(&with_params(x.space(), &names));
    for (i, name) in names.iter().enumerate() {
        let position = x.space().param_position(name).ok_or(Fail::Unsupported)?;
        x = x.equate(Dim::SET, i, Dim::Param, position);
    }
    Ok(x.params())
}

/// Operations on maps.
pub(super) fn map(op: &str, x: &Map, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("domain", []) => x.domain().into(),
        ("range", []) => x.range().into(),
        ("reverse", []) => x.reverse().into(),
        ("wrap", []) => x.wrap().into(),
        ("deltas", []) => x.deltas().into(),
        ("deltas_map", []) => x.deltas_map().into(),
        ("domain_map", []) => x.domain_map().into(),
        ("range_map", []) => x.range_map().into(),
        ("curry", []) => x.curry().into(),
        ("uncurry", []) => x.uncurry().into(),
        ("range_curry", []) => x.range_curry().into(),
        ("zip", []) => x.zip().into(),
        ("flatten", []) => x.flatten().into(),
        ("flatten_domain", []) => x.flatten_domain().into(),
        ("flatten_range", []) => x.flatten_range().into(),
        ("domain_reverse", []) => x.domain_reverse().into(),
        ("range_reverse", []) => x.range_reverse().into(),
        ("domain_factor_domain", []) => x.domain_factor_domain().into(),
        ("domain_factor_range", []) => x.domain_factor_range().into(),
        ("range_factor_domain", []) => x.range_factor_domain().into(),
        ("range_factor_range", []) => x.range_factor_range().into(),
        ("factor_domain", []) => x.factor_domain().into(),
        ("factor_range", []) => x.factor_range().into(),
        ("is_single_valued", []) => x.is_single_valued().into(),
        ("plain_is_single_valued", []) => obviously_single_valued(x).into(),
        ("is_injective", []) => x.is_injective().into(),
        ("is_bijective", []) => x.is_bijective().into(),
        ("is_identity", []) => x.is_identity().into(),
        ("neg", []) => {
            let range = x.space().range();
            let n = range.dim(Dim::SET);
            let opposite = (0..n)
                .fold(Map::from_domain_and_range(&Set::universe(range.clone()), &Set::universe(range)), |m, i| {
                    m.oppose(Dim::In, i, Dim::Out, i)
                });
            x.apply_range(&opposite).into()
        }
        ("apply_range", [Value::Map(y)]) => x.apply_range(y).into(),
        ("apply_domain", [Value::Map(y)]) => x.apply_domain(y).into(),
        ("apply", [Value::Map(y)]) => x.apply_range(y).into(),
        ("product", [Value::Map(y)]) => x.product(y).into(),
        ("flat_product", [Value::Map(y)]) => x.flat_product(y).into(),
        ("domain_product", [Value::Map(y)]) => x.domain_product(y).into(),
        ("range_product", [Value::Map(y)]) => x.range_product(y).into(),
        ("flat_domain_product", [Value::Map(y)]) => x.flat_domain_product(y).into(),
        ("flat_range_product", [Value::Map(y)]) => x.flat_range_product(y).into(),
        ("lex_lt_map", [Value::Map(y)]) => x.lex_lt_map(y).into(),
        ("lex_le_map", [Value::Map(y)]) => x.lex_le_map(y).into(),
        ("lex_gt_map", [Value::Map(y)]) => x.lex_gt_map(y).into(),
        ("lex_ge_map", [Value::Map(y)]) => x.lex_ge_map(y).into(),
        ("intersect_domain", [Value::Set(s)]) => x.intersect_domain(s).into(),
        ("intersect_range", [Value::Set(s)]) => x.intersect_range(s).into(),
        ("subtract_domain", [Value::Set(s)]) => x.subtract_domain(s).into(),
        ("subtract_range", [Value::Set(s)]) => x.subtract_range(s).into(),
        ("fixed_power_val", [Value::Val(v)]) => x.fixed_power(v.to_string().parse().map_err(|_| Fail::Unsupported)?).into(),
        ("lexmin_pw_multi_aff", []) => PwMultiAff::from_map(&x.lexmin())?.into(),
        ("lexmax_pw_multi_aff", []) => PwMultiAff::from_map(&x.lexmax())?.into(),
        ("as_pw_multi_aff", []) => PwMultiAff::from_map(x)?.into(),
        ("as_pw_multi_aff_single_cell", []) => (PwMultiAff::from_map(x)?.n_piece() == 1).into(),
        ("to_pw_multi_aff_roundtrip", []) => Map::from(&PwMultiAff::from_map(x)?).into(),
        ("range_dim_max", [pos]) => extreme(&x.range(), pos.number()?, true)?.get(0).into(),
        ("bind_domain", [Value::Text(ids)]) => {
            let names = names(ids);
            let mut x = x.align_params(&with_params(x.space(), &names));
            for (i, name) in names.iter().enumerate() {
                let position = x.space().param_position(name).ok_or(Fail::Unsupported)?;
                x = x.equate(Dim::In, i, Dim::Param, position);
            }
            x.range().into()
        }
        _ => common(op, x, rest)?,
    })
}

// One disjunct whose equalities give every output.
fn obviously_single_valued(x: &Map) -> bool {
    let given = |s: &loopwright_presburger::System| {
        let outputs = s.columns().dims(Dim::Out);
        outputs.clone().all(|c| s.eqs().iter().any(|r| !r.is_zero_at(c) && outputs.clone().all(|o| o == c || r.is_zero_at(o))))
    };
    x.n_basic() == 0 || (x.n_basic() == 1 && x.systems().all(given))
}

/// Operations on parameter sets.
pub(super) fn params(op: &str, x: &Params, rest: &[Value]) -> Answer {
    match (op, rest) {
        ("is_params", []) => Ok(true.into()),
        ("unbind_params", [Value::Text(ids)]) => {
            let ids_space: Space = ids.parse()?;
            let names = names(ids);
            let target = x.space().with_tuples(None, ids_space.range_tuple().cloned());
            let mut out = Set::from_params(x, target);
            out = out.align_params(&with_params(out.space(), &names));
            for (i, name) in names.iter().enumerate() {
                let position = out.space().param_position(name).ok_or(Fail::Unsupported)?;
                out = out.equate(Dim::SET, i, Dim::Param, position);
            }
            Ok(names.iter().fold(out, |s, name| s.project_out_param(name)).into())
        }
        _ => common(op, x, rest),
    }
}
