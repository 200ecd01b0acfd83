//! Edits of partial schedules, piece by piece: no solver is asked where a syntactic edit will do.

use loopwright_presburger::{Aff, Dim, Id, Int, MultiUnionPwAff, PwAff, Set, Space, Tuple, UnionPwAff, UnionSet};

/// What a shift adds.
pub(crate) enum Amount<'a> {
    Value(Int),
    /// A factor times the iterator at a position.
    Iterator(usize, Int),
    /// A factor times a parameter.
    Parameter(&'a str, Int),
}

impl Amount<'_> {
    fn on(&self, domain: &Space) -> Aff {
        match self {
            Amount::Value(value) => Aff::constant(domain, value),
            Amount::Iterator(position, factor) => Aff::var(domain, Dim::SET, *position).scale(factor),
            Amount::Parameter(name, factor) => Aff::param(domain, name).scale(factor),
        }
    }
}

/// The part of a union set in the space of one statement.
pub(crate) fn set_of<'a>(set: &'a UnionSet, statement: &Tuple) -> Option<&'a Set> {
    set.get_by_tuples(None, Some(statement))
}

/// The function of one statement.
pub(crate) fn of_statement<'a>(function: &'a UnionPwAff, statement: &Tuple) -> Option<&'a PwAff> {
    function.get_by_tuples(Some(statement), Some(&Tuple::anonymous(1)))
}

/// The value of the function at a point of the statement that `is_statement` selects; `None` where there is none.
pub(crate) fn value(
    function: &UnionPwAff,
    is_statement: impl Fn(&Tuple) -> bool,
    params: &[(&str, Int)],
    coordinates: &[Int],
) -> Option<Int> {
    let function = function.members().find(|f| f.space().domain_tuple().is_some_and(&is_statement))?;
    let (_, aff) = function.pieces().iter().find(|(domain, _)| domain.contains_point(params, coordinates))?;
    let names = aff.domain_space().param_ids();
    let value_of = |id: &Id| params.iter().find(|(name, _)| **name == **id).map(|(_, value)| value.clone());
    let params: Vec<Int> = names.iter().map(value_of).collect::<Option<_>>()?;
    aff.eval(&params, coordinates).filter(|v| v.is_integer()).map(|v| Int::from(v.to_integer()))
}

fn map_pieces(schedule: &MultiUnionPwAff, only: Option<&Tuple>, f: impl Fn(&Aff) -> Aff) -> MultiUnionPwAff {
    let of_statement = |function: &PwAff| match only {
        Some(statement) if function.space().domain_tuple() != Some(statement) => function.clone(),
        _ => function.map_pieces(&f),
    };
    schedule.map_elements(|element| element.members().map(of_statement).collect())
}

/// The schedule plus an amount, for all statements or for one.
pub(crate) fn shifted(schedule: &MultiUnionPwAff, only: Option<&Tuple>, amount: &Amount) -> MultiUnionPwAff {
    map_pieces(schedule, only, |aff| aff.add(&amount.on(aff.domain_space())))
}

/// The schedule times a factor.
pub(crate) fn scaled(schedule: &MultiUnionPwAff, factor: &Int) -> MultiUnionPwAff {
    map_pieces(schedule, None, |aff| aff.scale(factor))
}

/// `size*floor(f/size)` for every function `f` of the schedule.
pub(crate) fn tile_starts(schedule: &MultiUnionPwAff, size: &Int) -> MultiUnionPwAff {
    map_pieces(schedule, None, |aff| aff.scale_down(size).floor().scale(size))
}

/// One member of a schedule, in an unnamed tuple.
pub(crate) fn member(schedule: &MultiUnionPwAff, member: usize) -> MultiUnionPwAff {
    MultiUnionPwAff::new(&Space::set(&[], Tuple::anonymous(1)), vec![schedule.get(member).clone()])
}

/// The schedule on the instances of a filter.
pub(crate) fn restricted(schedule: &MultiUnionPwAff, filter: &UnionSet) -> MultiUnionPwAff {
    schedule.map_elements(|element| restricted_element(element, filter))
}

// Functions whose statement the filter takes whole stay as they are.
fn restricted_element(element: &UnionPwAff, filter: &UnionSet) -> UnionPwAff {
    let restrict = |function: &PwAff| {
        let set = set_of(filter, function.space().domain_tuple()?)?;
        Some(if set.is_obviously_universe() { function.clone() } else { function.intersect_domain(set) })
    };
    element.members().filter_map(restrict).collect()
}

/// The union of schedules of as many members, each on its own filter, under the name of the first.
pub(crate) fn united(schedules: &[(&UnionSet, &MultiUnionPwAff)]) -> MultiUnionPwAff {
    let Some((first, rest)) = schedules.split_first() else {
        return MultiUnionPwAff::empty_tuple(&Space::set(&[], Tuple::anonymous(0)), UnionSet::empty());
    };
    let mut all = restricted(first.1, first.0);
    for (filter, schedule) in rest {
        let schedule = restricted(schedule, filter).with_range_tuple(all.range_tuple().clone());
        all = all.union_add(&schedule);
    }
    all
}

/// The parameters of a schedule, in order.
pub(crate) fn parameters(schedule: &MultiUnionPwAff) -> Vec<Id> {
    let functions = schedule.elements().iter().flat_map(|e| e.members());
    let mut names: Vec<Id> = functions.flat_map(|f| f.space().param_ids().to_vec()).collect();
    names.sort();
    names.dedup();
    names
}
