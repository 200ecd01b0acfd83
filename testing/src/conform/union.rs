//! Operations on unions of sets and of maps.

use super::{Answer, Fail, Value};
use loopwright_presburger::{Map, MultiUnionPwAff, Set, Space, Tuple, UnionMap, UnionSet};

macro_rules! common {
    ($op:expr, $x:expr, $rest:expr, $variant:ident) => {
        match ($op, $rest) {
            ("coalesce", []) => $x.coalesce().into(),
            ("lexmin", []) => $x.lexmin().into(),
            ("lexmax", []) => $x.lexmax().into(),
            ("is_empty", []) => $x.is_empty().into(),
            ("params", []) => $x.params().into(),
            ("universe", []) => $x.universe().into(),
            ("simple_hull", []) => $x.simple_hull().into(),
            ("compute_divs", []) => $x.with_known_divs().into(),
            ("n_set" | "n_map", []) => $x.n_members().into(),
            ("n_basic_set" | "n_basic_map", []) => $x.members().map(|m| m.n_basic()).sum::<usize>().into(),
            ("project_out_param_id", [Value::Text(id)]) => $x.project_out_param(id).into(),
            ("intersect_params", [Value::Params(p)]) => $x.intersect_params(p).into(),
            ("gist_params", [Value::Params(p)]) => $x.gist_params(p).into(),
            (_, [Value::$variant(y)]) => match $op {
                "union" => $x.union(y).into(),
                "intersect" => $x.intersect(y).into(),
                "subtract" => $x.subtract(y).into(),
                "is_subset" => $x.is_subset(y).into(),
                "is_strict_subset" => $x.is_strict_subset(y).into(),
                "is_equal" => $x.is_equal(y).into(),
                "is_disjoint" => $x.is_disjoint(y).into(),
                "gist" => $x.gist(y).into(),
                _ => return Err(Fail::Unsupported),
            },
            _ => return Err(Fail::Unsupported),
        }
    };
}

/// Operations on unions of sets.
pub(super) fn set(op: &str, x: &UnionSet, rest: &[Value]) -> Answer {
    Ok(match (op, rest) {
        ("identity", []) => x.identity().into(),
        ("unwrap", []) => x.unwrap().into(),
        ("apply", [Value::UnionMap(m)]) => x.apply(m).into(),
        ("product", [Value::UnionSet(y)]) => x.product(y).into(),
        ("lex_lt_union_set", [Value::UnionSet(y)]) => x.lex_lt(y).into(),
        ("lex_le_union_set", [Value::UnionSet(y)]) => x.lex_le(y).into(),
        ("lex_gt_union_set", [Value::UnionSet(y)]) => x.lex_gt(y).into(),
        ("lex_ge_union_set", [Value::UnionSet(y)]) => x.lex_ge(y).into(),
        _ => common!(op, x, rest, UnionSet),
    })
}

// The wrapped pairs `[a -> b]` of the tuple whose first element is in `set`.
pub(super) fn pairs_from(tuple: &Tuple, set: &UnionSet) -> Option<Set> {
    let (a, b) = tuple.unwrapped()?;
    let firsts = set.get_by_tuples(None, Some(a))?;
    let seconds = Set::universe(firsts.space().with_tuples(None, Some(b.clone())));
    let pairs = firsts.product(&seconds);
    Some(pairs.with_space(&pairs.space().with_tuples(None, Some(tuple.clone()))))
}

/// The same with the second element in `set`.
pub(super) fn pairs_to(tuple: &Tuple, set: &UnionSet) -> Option<Set> {
    let (a, b) = tuple.unwrapped()?;
    let seconds = set.get_by_tuples(None, Some(b))?;
    let firsts = Set::universe(seconds.space().with_tuples(None, Some(a.clone())));
    let pairs = firsts.product(seconds);
    Some(pairs.with_space(&pairs.space().with_tuples(None, Some(tuple.clone()))))
}

// Pairs that `f` sends to values in the order `op`.
fn compared(x: &UnionMap, f: &MultiUnionPwAff, order: impl Fn(&Space) -> Map) -> UnionMap {
    let values = f.to_union_map();
    let related = UnionMap::from(order(&f.space().with_tuples(None, Some(f.range_tuple().clone()))));
    values.apply_range(&related).apply_range(&values.reverse()).intersect(x)
}

/// Operations on unions of maps.
pub(super) fn map(op: &str, x: &UnionMap, rest: &[Value]) -> Answer {
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
        ("zip", []) => x.zip().into(),
        ("domain_reverse", []) => x.domain_reverse().into(),
        ("range_reverse", []) => x.range_reverse().into(),
        ("is_single_valued", []) => x.is_single_valued().into(),
        ("is_injective", []) => x.is_injective().into(),
        ("is_bijective", []) => x.is_bijective().into(),
        ("is_identity", []) => x.is_identity().into(),
        ("intersect_domain", [Value::UnionSet(s)]) => x.intersect_domain(s).into(),
        ("intersect_range", [Value::UnionSet(s)]) => x.intersect_range(s).into(),
        ("subtract_domain", [Value::UnionSet(s)]) => x.subtract_domain(s).into(),
        ("subtract_range", [Value::UnionSet(s)]) => x.subtract_range(s).into(),
        ("apply_range", [Value::UnionMap(y)]) => x.apply_range(y).into(),
        ("apply_domain", [Value::UnionMap(y)]) => x.apply_domain(y).into(),
        ("product", [Value::UnionMap(y)]) => x.product(y).into(),
        ("range_product", [Value::UnionMap(y)]) => x.range_product(y).into(),
        ("domain_product", [Value::UnionMap(y)]) => x.domain_product(y).into(),
        ("flat_range_product", [Value::UnionMap(y)]) => x.flat_range_product(y).into(),
        ("intersect_domain_factor_domain", [Value::UnionMap(y)]) => x.intersect_domain_factor_domain(y).into(),
        ("intersect_domain_factor_range", [Value::UnionMap(y)]) => x.intersect_domain_factor_range(y).into(),
        ("intersect_range_factor_domain", [Value::UnionMap(y)]) => x.intersect_range_factor_domain(y).into(),
        ("intersect_range_factor_range", [Value::UnionMap(y)]) => x.intersect_range_factor_range(y).into(),
        ("eq_at_multi_union_pw_aff", [Value::MultiUnionPwAff(f)]) => compared(x, f, Map::identity).into(),
        ("lex_lt_at_multi_union_pw_aff", [Value::MultiUnionPwAff(f)]) => compared(x, f, Map::lex_lt).into(),
        ("lex_le_at_multi_union_pw_aff", [Value::MultiUnionPwAff(f)]) => compared(x, f, Map::lex_le).into(),
        ("lex_gt_at_multi_union_pw_aff", [Value::MultiUnionPwAff(f)]) => compared(x, f, Map::lex_gt).into(),
        ("lex_ge_at_multi_union_pw_aff", [Value::MultiUnionPwAff(f)]) => compared(x, f, Map::lex_ge).into(),
        ("preimage_domain_multi_aff", [Value::MultiAff(f)]) if f.space().is_map() => {
            UnionMap::from(Map::from(f)).apply_range(x).into()
        }
        ("intersect_domain_wrapped_domain", [Value::UnionSet(s)]) => {
            let pairs = x.members().filter_map(|m| pairs_from(m.space().domain_tuple()?, s)).collect::<UnionSet>();
            x.intersect_domain(&pairs).into()
        }
        ("intersect_range_wrapped_domain", [Value::UnionSet(s)]) => {
            let pairs = x.members().filter_map(|m| pairs_from(m.space().range_tuple()?, s)).collect::<UnionSet>();
            x.intersect_range(&pairs).into()
        }
        ("to_multi_union_pw_aff_roundtrip", []) => MultiUnionPwAff::from_union_map(x)?.to_union_map().into(),
        _ => common!(op, x, rest, UnionMap),
    })
}
