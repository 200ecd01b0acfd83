//! The few operations on sets that generation uses, all over one list of parameters and unnamed dimensions.
//!
//! A region's dimensions are the scheduled ones from the outermost in, followed by those of a statement's instance.

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{BasicSet, Budget, Columns, Dim, Div, Int, Map, Params, Set, Space, System, Tuple};

use crate::error::Error;
use crate::shadow::{self, Rows};

/// The space of regions with n dimensions.
pub(crate) fn space(params: &[loopwright_presburger::Id], n: usize) -> Space {
    Space::set(&[], Tuple::anonymous(n)).with_params(params.to_vec())
}

pub(crate) fn dims(set: &Set) -> usize {
    set.space().dim(Dim::Out)
}

pub(crate) fn universe(params: &[loopwright_presburger::Id], n: usize) -> Set {
    Set::universe(space(params, n))
}

pub(crate) fn universe_like(set: &Set) -> Set {
    Set::universe(set.space().clone())
}

pub(crate) fn from_system(like: &Set, system: System) -> Set {
    Set::from_systems(like.space().clone(), [system])
}

pub(crate) fn intersect(a: &Set, b: &Set) -> Set {
    a.intersect(b)
}

pub(crate) fn union(a: &Set, b: &Set) -> Set {
    a.union(b)
}

pub(crate) fn subtract(a: &Set, b: &Set, budget: &Budget) -> Result<Set, Error> {
    Ok(a.subtract_within(b, budget)?)
}

/// Is the set empty, as far as a fair effort shows? A set that is too hard counts as not empty: every caller asks in order to
/// leave something out (a loop, a condition, a place in the order), and leaving nothing out is always right.
pub(crate) fn is_empty(a: &Set, budget: &Budget) -> Result<bool, Error> {
    const EFFORT: u64 = 20_000;
    Ok(attempt(EFFORT, budget, |budget| Ok(a.is_empty_within(budget)?))?.unwrap_or(false))
}

/// What `work` finds with so many steps of the budget; `None` if they do not suffice.
pub(crate) fn attempt<T>(
    steps: u64,
    budget: &Budget,
    work: impl FnOnce(&Budget) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    let limited = Budget::steps(steps);
    let found = work(&limited);
    budget.spend(limited.used().min(steps) + 1)?;
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error::Budget(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(crate) fn coalesce(a: &Set, budget: &Budget) -> Result<Set, Error> {
    if a.n_basic() < 2 { Ok(a.clone()) } else { Ok(a.coalesce_within(budget)?) }
}

/// Every existential as an integer division.
pub(crate) fn explicit(a: &Set, budget: &Budget) -> Result<Set, Error> {
    if a.systems().all(System::divs_known) { Ok(a.clone()) } else { Ok(a.with_known_divs_within(budget)?) }
}

/// `{ [.., x, ..] : [.., x + by, ..] in a }` at dimension `at`.
pub(crate) fn shifted(a: &Set, at: usize, by: i64) -> Set {
    let systems = a.systems().map(|system| {
        let columns = system.columns();
        let t = 1 + columns.params + at;
        let move_row = |row: &Row| {
            let mut row = row.clone();
            row.add_at(0, &(row.get(t) * Int::from(by)));
            row
        };
        let mut moved = System::universe(columns);
        for (index, div) in system.divs().iter().enumerate() {
            moved.set_div(index, div.as_ref().map(|div| Div { num: move_row(&div.num), den: div.den.clone() }));
        }
        system.eqs().iter().for_each(|row| moved.push_eq(move_row(row)));
        system.ineqs().iter().for_each(|row| moved.push_ineq(move_row(row)));
        moved
    });
    Set::from_systems(a.space().clone(), systems.collect::<Vec<_>>())
}

/// The first n dimensions, without what the existence of further ones implies: what equalities give is substituted, other rows
/// over further dimensions are dropped. Holds the projection.
pub(crate) fn loose_prefix(a: &Set, n: usize, budget: &Budget) -> Result<Set, Error> {
    let like = universe(a.space().param_ids(), n);
    let mut systems = Vec::new();
    for system in a.systems() {
        let columns = system.columns();
        let kept = 1 + columns.params + n;
        let mut rows = Rows { eqs: system.eqs().to_vec(), ineqs: system.ineqs().to_vec() };
        for col in kept..columns.len() {
            if rows.eqs.iter().any(|row| !row.is_zero_at(col)) {
                rows = shadow::eliminate(rows, &[col], budget)?;
            }
        }
        let inner = |row: &Row| !row.is_zero_in(kept..row.len());
        rows.eqs.retain(|row| !inner(row));
        rows.ineqs.retain(|row| !inner(row));
        let drop: Vec<usize> = columns.div_range().collect();
        let source: Vec<Option<usize>> = (0..kept).map(Some).collect();
        let flat = without_columns(&System::universe(columns).with_rows(rows.eqs, rows.ineqs), &drop);
        systems.push(flat.gather(Columns::of(like.space()), &source));
    }
    Ok(Set::from_systems(like.space().clone(), systems))
}

/// The first n dimensions.
pub(crate) fn prefix(a: &Set, n: usize) -> Set {
    let all = dims(a);
    if n >= all { a.clone() } else { a.project_out(Dim::Out, n, all - n) }
}

/// Free dimensions in front of dimension `at`.
pub(crate) fn insert(a: &Set, at: usize, count: usize) -> Set {
    let n = dims(a);
    let space = a.space().with_tuples(None, Some(Tuple::anonymous(n + count)));
    let systems: Vec<System> = a
        .systems()
        .map(|system| {
            let old = system.columns();
            let columns = Columns { range: n + count, ..old };
            let first = 1 + old.params + at;
            let source: Vec<Option<usize>> =
                (0..first).map(Some).chain(std::iter::repeat_n(None, count)).chain((first..old.len()).map(Some)).collect();
            system.gather(columns, &source)
        })
        .collect();
    Set::from_systems(space, systems)
}

/// `{ [..x..] : x[i] < x[j] }`, or `<=`.
pub(crate) fn less(like: &Set, i: usize, j: usize, gap: i64) -> Set {
    let columns = Columns::of(like.space());
    let first = 1 + columns.params;
    let mut row = Row::zero(columns.len());
    row.set(0, Int::from(-gap));
    row.set(first + i, Int::MINUS_ONE);
    row.set(first + j, Int::ONE);
    let mut system = System::universe(columns);
    system.push_ineq(row);
    from_system(like, system)
}

/// The region of a map `S[i] -> [t]`: outer dimensions free, then t, then i.
pub(crate) fn of_map(map: &Map, params: &[loopwright_presburger::Id], outer: usize) -> Set {
    let (i, t) = (map.space().dim(Dim::In), map.space().dim(Dim::Out));
    let own = map.space().param_ids();
    let systems: Vec<System> = map
        .systems()
        .map(|system| {
            let old = system.columns();
            let columns = Columns { params: params.len(), domain: 0, range: outer + t + i, divs: old.divs };
            let source: Vec<Option<usize>> = std::iter::once(Some(0))
                .chain(params.iter().map(|p| own.iter().position(|q| q == p).map(|k| 1 + k)))
                .chain(std::iter::repeat_n(None, outer))
                .chain(old.dims(Dim::Out).map(Some))
                .chain(old.dims(Dim::In).map(Some))
                .chain(old.div_range().map(Some))
                .collect();
            system.gather(columns, &source)
        })
        .collect();
    Set::from_systems(space(params, outer + t + i), systems)
}

/// The region of a set `S[i]`: outer dimensions free, then i.
pub(crate) fn of_set(set: &Set, params: &[loopwright_presburger::Id], outer: usize) -> Set {
    let i = set.space().dim(Dim::Out);
    let own = set.space().param_ids();
    let systems: Vec<System> = set
        .systems()
        .map(|system| {
            let old = system.columns();
            let columns = Columns { params: params.len(), domain: 0, range: outer + i, divs: old.divs };
            let source: Vec<Option<usize>> = std::iter::once(Some(0))
                .chain(params.iter().map(|p| own.iter().position(|q| q == p).map(|k| 1 + k)))
                .chain(std::iter::repeat_n(None, outer))
                .chain(old.dims(Dim::Out).map(Some))
                .chain(old.div_range().map(Some))
                .collect();
            system.gather(columns, &source)
        })
        .collect();
    Set::from_systems(space(params, outer + i), systems)
}

/// The pieces made disjoint, or `None` if that takes more than `most` pieces.
pub(crate) fn disjoint(a: &Set, most: usize, budget: &Budget) -> Result<Option<Vec<Set>>, Error> {
    let mut done: Vec<Set> = Vec::new();
    for basic in a.basics() {
        let mut rest = single(&basic);
        for earlier in &done {
            rest = subtract(&rest, earlier, budget)?;
        }
        // what a subtraction leaves may itself overlap only if it says so: split it piece by piece
        for piece in rest.basics() {
            let mut piece = single(&piece);
            for earlier in &done {
                if !is_empty(&intersect(&piece, earlier), budget)? {
                    piece = subtract(&piece, earlier, budget)?;
                }
            }
            done.extend(piece.basics().map(|b| single(&b)));
        }
        if done.len() > most {
            return Ok(None);
        }
    }
    Ok(Some(done))
}

fn single(basic: &BasicSet) -> Set {
    Set::from_systems(basic.space().clone(), [basic.system().clone()])
}

/// The region of a map `[t] -> S[i]` below `outer` dimensions: t, then i (t free if the map has no t).
pub(crate) fn of_extension(map: &Map, params: &[loopwright_presburger::Id], outer: usize) -> Set {
    let t = map.space().dim(Dim::In);
    let region = of_map(&map.reverse(), params, 0);
    insert(&region, 0, outer - t.min(outer))
}

/// Dimensions `at ..` held to 0.
pub(crate) fn with_zeros(a: &Set, at: usize, count: usize) -> Set {
    let columns = Columns::of(a.space());
    let mut system = System::universe(columns);
    for k in at..at + count {
        let mut row = Row::zero(columns.len());
        row.set(1 + columns.params + k, Int::ONE);
        system.push_eq(row);
    }
    intersect(a, &from_system(a, system))
}

/// The bounds that single rows of a conjunction give each parameter: `(least, greatest)`, `None` where there is none.
pub(crate) fn param_bounds(known: &Set) -> Vec<(Option<i128>, Option<i128>)> {
    let mut bounds = vec![(None, None); known.space().dim(Dim::Param)];
    let mut systems = known.systems();
    let (Some(system), None) = (systems.next(), systems.next()) else { return bounds };
    let rows = system.ineqs().iter().cloned().chain(system.eqs().iter().flat_map(|row| [row.clone(), row.neg()]));
    for row in rows {
        let Some(k) = row.first_nonzero(1..row.len()).filter(|&k| row.is_zero_in(k + 1..row.len())) else { continue };
        let (Some(bound), Some((low, high))) = (row.get(k).to_i128().zip(row.get(0).to_i128()), bounds.get_mut(k - 1)) else {
            continue;
        };
        // a p + c >= 0
        let (a, c) = bound;
        if a > 0 {
            let least = -c.div_euclid(a);
            *low = Some(low.map_or(least, |old: i128| old.max(least)));
        } else {
            let greatest = c.div_euclid(-a);
            *high = Some(high.map_or(greatest, |old: i128| old.min(greatest)));
        }
    }
    bounds
}

/// A context: a parameter set, or a set without dimensions.
pub(crate) fn parse_context(text: &str) -> Result<Set, String> {
    match text.parse::<Params>() {
        Ok(params) => Ok(Set::from_params(&params, Space::set(&[], Tuple::anonymous(0)))),
        Err(_) => text.parse::<Set>().map_err(|e| e.to_string()),
    }
}

/// The system without some columns, which no row uses.
pub(crate) fn without_columns(system: &System, drop: &[usize]) -> System {
    let columns = system.columns();
    let source: Vec<Option<usize>> = (0..columns.len()).filter(|k| !drop.contains(k)).map(Some).collect();
    system.gather(Columns { divs: columns.divs - drop.len(), ..columns }, &source)
}
