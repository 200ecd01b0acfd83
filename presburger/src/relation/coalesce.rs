//! Fewer pieces for the same elements.
//!
//! A piece inside another is dropped. Two pieces are merged when their union is again one conjunction: the candidate `H` has the
//! constraints of each that are valid for the other (and the equations that follow from the equations of both), so `A or B` lies in `H`, and
//! they are merged exactly if `H` has no integer point outside both (Verdoolaege, "Integer Set Coalescing", IMPACT 2015, describes the
//! cases in which such an `H` exists).

use super::embed::conjoin;
use super::project::simplified;
use super::subtract::{Bounds, negated, obviously_implied};
use super::{Kind, Relation, engines};
use crate::budget::within;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, Div, Int, System};
use hashbrown::HashMap;
use std::sync::Arc;

impl<K: Kind> Relation<K> {
    /// The same relation in fewer pieces where that is found; of several pieces, empty ones are dropped.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn coalesce_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        if self.pieces.len() <= 1 {
            return Ok(self.clone());
        }
        let mut todo: Vec<System> = Vec::new();
        for p in self.systems() {
            if !engines::is_empty(p, budget)? {
                todo.extend(super::affine::irredundant(p, budget)?);
            }
        }
        todo.reverse();
        let mut frame = System::universe(Columns::of(&self.space));
        let mut done: Vec<Candidate> = Vec::new();
        'pieces: while let Some(piece) = todo.pop() {
            let piece = Candidate::of(piece, &mut frame);
            for k in 0..done.len() {
                budget.spend(1)?;
                let other = &done[k];
                if !other.may_merge(&piece, budget)? {
                    continue;
                }
                if let Some(merged) = merge(&other.system, &piece.system, budget)? {
                    if merged == other.system {
                        continue 'pieces;
                    }
                    done.remove(k);
                    todo.push(merged);
                    continue 'pieces;
                }
            }
            done.push(piece);
        }
        Ok(Relation::from_pieces(
            self.space.clone(),
            done.into_iter().filter_map(|c| simplified(c.system)).map(Arc::new).collect(),
        ))
    }

    within! {
        /// The same relation in fewer pieces where that is found: [`Relation::coalesce_within`] without a limit.
        pub fn coalesce = coalesce_within(&self) -> Relation<K>;
    }
}

// A piece with its half-spaces by direction, to tell quickly which pairs cannot be merged.
struct Candidate {
    system: System,
    bounds: Bounds,
    // Coefficients of each row (equalities in both directions), by the columns of the frame without zeros at the end, and the constant.
    directions: Vec<(Row, Int)>,
    // The smallest constant of each direction turned round.
    opposites: HashMap<Row, Int>,
}

impl Candidate {
    // `frame` has the divs of all candidates so far; new ones are appended.
    fn of(system: System, frame: &mut System) -> Candidate {
        let system = with_plain_residues(system);
        let wide = if system.columns().divs == 0 {
            system.clone()
        } else {
            *frame = conjoin(frame, &system.with_rows(Vec::new(), Vec::new()));
            conjoin(frame, &system)
        };
        let (mut directions, mut opposites) = (Vec::new(), HashMap::new());
        for row in inequalities(&wide) {
            let constant = row.get(0);
            let mut direction = row;
            direction.set(0, Int::ZERO);
            let used = (0..direction.len()).rev().find(|&c| !direction.is_zero_at(c)).map_or(1, |c| c + 1);
            let direction = direction.without(used, direction.len() - used);
            let known = opposites.entry(direction.neg()).or_insert_with(|| constant.clone());
            if constant < *known {
                *known = constant.clone();
            }
            directions.push((direction, constant));
        }
        Candidate { bounds: Bounds::of(&system), system, directions, opposites }
    }

    // Whether a merge is worth trying: two half-spaces `f >= a`, `f <= b` with `a > b + 1` leave integers between the pieces; where
    // none are even adjacent (`a = b + 1`), only pieces that meet can have a union without gap.
    fn may_merge(&self, other: &Candidate, budget: &Budget) -> Result<bool, BudgetSpent> {
        if !self.system.divs_known() || !other.system.divs_known() {
            return Ok(true);
        }
        if self.bounds.has_gap(&other.bounds) {
            return Ok(false);
        }
        let mut touching = false;
        for (direction, constant) in &self.directions {
            if let Some(opposite) = other.opposites.get(direction) {
                let sum = constant + opposite;
                if sum < Int::MINUS_ONE {
                    return Ok(false);
                }
                touching |= sum <= Int::ZERO;
            }
        }
        if touching {
            return Ok(true);
        }
        match simplified(conjoin(&self.system, &other.system)) {
            Some(both) => Ok(!engines::is_empty(&both, budget)?),
            None => Ok(false),
        }
    }
}

// The system with `f + c = m floor((f + c) / m)` written `f - r = m floor(f / m)`, `r = -c mod m`: the divs of neighbouring residue
// classes are then the same.
fn with_plain_residues(mut system: System) -> System {
    for i in 0..system.columns().divs {
        let Some(div) = system.divs()[i].clone() else { continue };
        let constant = div.num.get(0);
        let col = system.columns().first_div() + i;
        let mut row = div.num.clone();
        row.set(col, -&div.den);
        if constant.is_zero() || !(system.eqs().contains(&row) || system.eqs().contains(&row.neg())) {
            continue;
        }
        // The old div is the new one plus this.
        let shift = (&constant + &(-&constant).mod_floor(&div.den)).div_exact(&div.den);
        let moved = |row: &Row| {
            let mut row = row.clone();
            let by = &row.get(col) * &shift;
            row.add_at(0, &by);
            row
        };
        let (eqs, ineqs) = (system.eqs().iter().map(moved).collect(), system.ineqs().iter().map(moved).collect());
        let mut next = system.with_rows(eqs, ineqs);
        for (k, other) in system.divs().iter().enumerate() {
            let num = other.as_ref().map(|other| if k == i { with_constant(&div.num, Int::ZERO) } else { moved(&other.num) });
            next.set_div(k, num.zip(other.as_ref()).map(|(num, other)| Div { num, den: other.den.clone() }));
        }
        system = next;
    }
    system
}

fn with_constant(row: &Row, constant: Int) -> Row {
    let mut row = row.clone();
    row.set(0, constant);
    row
}

// One conjunction equal to the union, if one is found.
fn merge(a: &System, b: &System, budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    if a == b {
        return Ok(Some(a.clone()));
    }
    if !a.divs_known() || !b.divs_known() {
        for (inner, outer) in [(b, a), (a, b)] {
            if outer.divs_known() && is_inside(inner, outer, budget)? {
                return Ok(Some(outer.clone()));
            }
        }
        return Ok(None);
    }
    // Both over the divs of both.
    let in_a = conjoin(a, &b.with_rows(Vec::new(), Vec::new()));
    let frame = in_a.with_rows(Vec::new(), Vec::new());
    let in_b = conjoin(&frame, b);
    let of_b = split(&inequalities(&in_b), &in_a, budget)?;
    if of_b.invalid.is_empty() {
        return Ok(Some(b.clone()));
    }
    let of_a = split(&inequalities(&in_a), &in_b, budget)?;
    if of_a.invalid.is_empty() {
        return Ok(Some(a.clone()));
    }
    let mut hull = frame;
    for row in of_a.valid.into_iter().chain(of_b.valid) {
        hull.push_ineq(row);
    }
    super::affine::shared_equations(in_a.eqs(), in_b.eqs()).into_iter().for_each(|eq| hull.push_eq(eq));
    if covers(&hull, &of_a.invalid, &of_b.invalid, budget)? { Ok(simplified(hull)) } else { Ok(None) }
}

// Whether every point of `inner` is in `outer`, whose divs are known.
fn is_inside(inner: &System, outer: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    let inner = conjoin(inner, &outer.with_rows(Vec::new(), Vec::new()));
    let rows = inequalities(&conjoin(&inner.with_rows(Vec::new(), Vec::new()), outer));
    let open: Vec<Row> = rows.into_iter().filter(|row| !obviously_implied(&inner, row)).collect();
    Ok(engines::implied(&inner, &open, budget)?.into_iter().all(|implied| implied))
}

fn inequalities(system: &System) -> Vec<Row> {
    let eqs = system.eqs().iter().flat_map(|r| [r.clone(), r.neg()]);
    eqs.chain(system.ineqs().iter().cloned()).collect()
}

struct Split {
    valid: Vec<Row>,
    invalid: Vec<Row>,
}

// Which of the rows hold everywhere in `system`.
fn split(rows: &[Row], system: &System, budget: &Budget) -> Result<Split, BudgetSpent> {
    let (mut valid, open): (Vec<Row>, Vec<Row>) = rows.iter().cloned().partition(|row| obviously_implied(system, row));
    let implied = engines::implied(system, &open, budget)?;
    let mut invalid = Vec::new();
    for (row, implied) in open.into_iter().zip(implied) {
        if implied { valid.push(row) } else { invalid.push(row) }
    }
    Ok(Split { valid, invalid })
}

// Whether `system and row >= 0` has a point; yes if, among divisions, only an integer search could tell.
fn meets(system: &System, row: &Row, budget: &Budget) -> Result<bool, BudgetSpent> {
    let mut test = system.clone();
    test.push_ineq(row.clone());
    match simplified(test) {
        Some(test) if test.columns().divs > 0 => Ok(!engines::is_rationally_empty(&test, budget)?),
        Some(test) => Ok(!engines::is_empty(&test, budget)?),
        None => Ok(false),
    }
}

// Whether every point of `hull` satisfies all rows of `a` or all rows of `b`.
fn covers(hull: &System, a: &[Row], b: &[Row], budget: &Budget) -> Result<bool, BudgetSpent> {
    let mut inside = hull.clone();
    for row_a in a {
        let mut outside = inside.clone();
        outside.push_ineq(negated(row_a));
        for row_b in b {
            if meets(&outside, &negated(row_b), budget)? {
                return Ok(false);
            }
        }
        inside.push_ineq(row_a.clone());
    }
    Ok(true)
}
