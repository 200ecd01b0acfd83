//! What follows from what: rows that hold in a set, as questions about emptiness.
//!
//! `gist` keeps of a set only what is not known already; `hull` keeps the rows of the pieces that hold in all of them. Both are
//! exact about integers, because a row follows from a set exactly when the set has no point that violates it.

use std::collections::BTreeMap;

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Budget, Int, Set, System};

use crate::error::Error;
use crate::region;
use crate::shadow::{self, Rows};

/// `row >= 1`
fn beyond(row: &Row) -> Row {
    let mut row = row.clone();
    row.add_at(0, &Int::MINUS_ONE);
    row
}

/// Does no point of the set, which has the rows of `system` as well, violate the row (`0 <= row`)?
fn follows(set: &Set, system: &System, row: &Row, budget: &Budget) -> Result<bool, Error> {
    let mut violated = system.clone();
    violated.push_ineq(beyond(&row.neg()));
    let violated = region::from_system(set, violated);
    Ok(violated.n_basic() == 0 || region::is_empty(&region::intersect(set, &violated), budget)?)
}

/// A set that agrees with `a` inside `known` (one piece), with as few rows as possible.
pub(crate) fn gist(a: &Set, known: &Set, budget: &Budget) -> Result<Set, Error> {
    let a = region::explicit(a, budget)?;
    let mut systems = Vec::new();
    for system in a.systems() {
        let (mut eqs, mut ineqs) = (system.eqs().to_vec(), system.ineqs().to_vec());
        if region::is_empty(&region::intersect(&region::from_system(known, system.clone()), known), budget)? {
            continue;
        }
        let mut k = 0;
        while k < ineqs.len() {
            let row = ineqs.remove(k);
            if !follows(known, &system.with_rows(eqs.clone(), ineqs.clone()), &row, budget)? {
                ineqs.insert(k, row);
                k += 1;
            }
        }
        let mut k = 0;
        while k < eqs.len() {
            let row = eqs.remove(k);
            let rest = system.with_rows(eqs.clone(), ineqs.clone());
            if !(follows(known, &rest, &row, budget)? && follows(known, &rest, &row.neg(), budget)?) {
                eqs.insert(k, row);
                k += 1;
            }
        }
        if eqs.is_empty() && ineqs.is_empty() {
            return Ok(region::universe_like(&a));
        }
        systems.push(system.with_rows(eqs, ineqs));
    }
    Ok(Set::from_systems(a.space().clone(), systems))
}

/// One conjunction that holds the set: the rows of its pieces that hold in every piece.
pub(crate) fn hull(a: &Set, budget: &Budget) -> Result<Set, Error> {
    if a.n_basic() < 2 {
        return Ok(a.clone());
    }
    /// Pairs of pieces are compared up to this number of pieces.
    const FEW: usize = 5;
    let pieces = a.systems().map(|system| without_unknowns(system, budget)).collect::<Result<Vec<_>, _>>()?;
    if pieces.len() > FEW {
        return Ok(region::from_system(a, shared_rows(&pieces)));
    }
    let mut hull = region::universe_like(a);
    let sets: Vec<Set> = pieces.iter().map(|system| region::from_system(a, system.clone())).collect();
    for (k, system) in pieces.iter().enumerate() {
        let none = system.with_rows(Vec::new(), Vec::new());
        let mut kept = none.clone();
        let holds = |row: &Row| -> Result<bool, Error> {
            for (j, set) in sets.iter().enumerate() {
                if j != k && !follows(set, &none, row, budget)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        for row in system.eqs() {
            match (holds(row)?, holds(&row.neg())?) {
                (true, true) => kept.push_eq(row.clone()),
                (true, false) => kept.push_ineq(row.clone()),
                (false, true) => kept.push_ineq(row.neg()),
                (false, false) => {}
            }
        }
        for row in system.ineqs() {
            if holds(row)? {
                kept.push_ineq(row.clone());
            }
        }
        hull = region::intersect(&hull, &region::from_system(a, kept));
    }
    Ok(hull)
}

/// What the system says without its unknown existentials.
fn without_unknowns(system: &System, budget: &Budget) -> Result<System, Error> {
    let columns = system.columns();
    let mut unknown: Vec<usize> = Vec::new();
    for (index, div) in system.divs().iter().enumerate() {
        if div.as_ref().is_none_or(|div| unknown.iter().any(|&k| !div.num.is_zero_at(k))) {
            unknown.push(columns.div(index));
        }
    }
    if unknown.is_empty() {
        return Ok(system.clone());
    }
    let mut rows = Rows { eqs: system.eqs().to_vec(), ineqs: system.ineqs().to_vec() };
    for &col in &unknown {
        rows.ineqs.extend(system.div_bounds(col - columns.first_div()).into_iter().flatten());
    }
    let rows = shadow::eliminate(rows, &unknown, budget)?;
    Ok(region::without_columns(&system.with_rows(rows.eqs, rows.ineqs), &unknown))
}

/// The rows without divisions that all systems have, up to the constant: the weakest of each.
fn shared_rows(systems: &[System]) -> System {
    let columns = systems[0].columns().with_divs(0);
    let rows = |system: &System| -> BTreeMap<Vec<Int>, Int> {
        let plain = |row: &&Row| row.is_zero_in(columns.len()..row.len());
        let both = system.eqs().iter().flat_map(|row| [row.clone(), row.neg()]);
        let all: Vec<Row> = system.ineqs().iter().cloned().chain(both).collect();
        all.iter().filter(plain).map(|row| (row.to_ints()[1..columns.len()].to_vec(), row.get(0))).collect()
    };
    let mut shared = rows(&systems[0]);
    for system in &systems[1..] {
        let other = rows(system);
        shared = shared
            .into_iter()
            .filter_map(|(normal, constant)| Some((normal.clone(), constant.max(other.get(&normal)?.clone()))))
            .collect();
    }
    let mut hull = System::universe(columns);
    for (normal, constant) in shared {
        hull.push_ineq(Row::from_ints([vec![constant], normal].concat()));
    }
    hull
}
