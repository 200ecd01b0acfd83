//! The options of a band: loop types in members, everything else as it is.
//!
//! In text all options are one set: `{ unroll[0]; separate[1]; [isolate[] -> unroll[1]]; isolate[[] -> [a, b]] : a < 10 }`. The
//! coordinate of a loop type is the position of the member it applies to; `separate[x]` applies to all of them.

use crate::Band;
use crate::band::{LoopType, Member};
use loopwright_presburger::{Dim, Int, Set, Space, Tuple, UnionSet};

/// The band with options read from text.
pub(super) fn with_options(band: &Band, options: &UnionSet) -> Result<Band, String> {
    let mut members = band.members().to_vec();
    let mut rest = Vec::new();
    for set in options.members() {
        let tuple = set.space().tuple();
        let (inner, isolated) = match tuple.unwrapped() {
            Some((outer, inner)) if is_isolate(outer) && outer.is_empty() => (inner, true),
            _ => (tuple, false),
        };
        match loop_type(inner) {
            Some(loop_type) => assign(&mut members, set, loop_type, isolated)?,
            None => rest.push(set.clone()),
        }
    }
    let rest = (!rest.is_empty()).then(|| rest.into_iter().collect());
    Ok(band.with_members(members).with_options(rest))
}

fn assign(members: &mut [Member], set: &Set, loop_type: LoopType, isolated: bool) -> Result<(), String> {
    for (position, member) in members.iter_mut().enumerate() {
        if set.fix(Dim::SET, 0, &Int::from(position as i64)).is_empty() {
            continue;
        }
        let place = if isolated { &mut member.isolated_loop_type } else { &mut member.loop_type };
        if *place != LoopType::Default {
            return Err(format!("member {position} is to be both {place} and {loop_type}"));
        }
        *place = loop_type;
    }
    Ok(())
}

fn is_isolate(tuple: &Tuple) -> bool {
    tuple.name().is_some_and(|n| &**n == "isolate")
}

fn loop_type(tuple: &Tuple) -> Option<LoopType> {
    let name = tuple.name().filter(|_| tuple.unwrapped().is_none() && tuple.len() == 1)?;
    LoopType::ALL.into_iter().find(|t| *t != LoopType::Default && t.option_name() == &**name)
}

/// All options of the band as one set.
pub(super) fn to_union_set(band: &Band) -> UnionSet {
    let rest = band.options().into_iter().flat_map(|o| o.members().cloned());
    let types = LoopType::ALL.into_iter().filter(|t| *t != LoopType::Default);
    let plain = types.clone().filter_map(|t| of_type(band, t, Tuple::named(t.option_name(), &["x"]), |m| m.loop_type));
    let isolated = types.filter_map(|t| {
        let tuple = Tuple::wrapped(Tuple::named("isolate", &[]), Tuple::named(t.option_name(), &["x"]));
        of_type(band, t, tuple, |m| m.isolated_loop_type)
    });
    plain.chain(isolated).chain(rest).collect()
}

// The members whose type is `wanted`, as a set of one dimension: all of it where all members have that type.
fn of_type(band: &Band, wanted: LoopType, tuple: Tuple, of: impl Fn(&Member) -> LoopType) -> Option<Set> {
    let positions: Vec<usize> = (0..band.len()).filter(|&i| of(&band.members()[i]) == wanted).collect();
    let universe = Set::universe(Space::set(&[], tuple));
    if positions.len() == band.len() && !band.is_empty() {
        return Some(universe);
    }
    let fixed = positions.iter().map(|&i| universe.fix(Dim::SET, 0, &Int::from(i as i64)));
    fixed.reduce(|a, b| a.union(&b))
}
