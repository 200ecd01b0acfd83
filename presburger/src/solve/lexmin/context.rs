//! The context of a cell: what is known about the parameters, with integer points that witness it.

use crate::linalg::Row;
use crate::solve::coefficient::{Coefficient, Run, Stop};
use crate::solve::sample::sample;
use crate::solve::tableau::{Tableau, coefficients};
use crate::{Budget, Div, Int, System};

/// The sign of an integral row over all integer points of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// At most -1 everywhere.
    Negative,
    /// At least 0 everywhere.
    NonNegative,
    /// Both occur.
    Both,
}

const MAX_SAMPLES: usize = 24;

/// A non-empty conjunction over `[1 | params | domain | divs]`, all divs known.
#[derive(Clone)]
pub(super) struct Context<'b, C> {
    pub(super) system: System,
    // Invariant: at least one; each satisfies `system`.
    samples: Vec<Vec<Int>>,
    tableau: Tableau<'b, C>,
    budget: &'b Budget,
}

impl<'b, C: Coefficient> Context<'b, C> {
    /// The context of a system, `None` if it has no integer point.
    pub(super) fn new(system: System, budget: &'b Budget) -> Run<Option<Self>> {
        let Some(point) = sample(&system, budget)? else {
            return Ok(None);
        };
        let tableau = tableau(&system, budget)?;
        Ok(Some(Context { system, samples: vec![point], tableau, budget }))
    }

    /// Whether there are no parameters: every sign is that of the constant.
    pub(super) fn is_trivial(&self) -> bool {
        self.system.columns().len() == 1
    }

    /// The sign of `row` (over the context's columns) on the integer points of the context.
    pub(super) fn sign(&mut self, row: &Row) -> Run<Sign> {
        if row.is_zero_in(1..row.len()) {
            return Ok(if row.sign(0) < 0 { Sign::Negative } else { Sign::NonNegative });
        }
        let (mut negative, mut other) = (false, false);
        for point in &self.samples {
            if row.dot(point).is_negative() {
                negative = true;
            } else {
                other = true;
            }
        }
        if !negative {
            negative = self.has_point_with(&below_zero(row))?;
        }
        if !other {
            other = self.has_point_with(row)?;
        }
        Ok(match (negative, other) {
            (true, true) => Sign::Both,
            (true, false) => Sign::Negative,
            _ => Sign::NonNegative,
        })
    }

    /// Whether some integer point has `row >= 0`; if one is found it joins the samples.
    pub(super) fn has_point_with(&mut self, row: &Row) -> Run<bool> {
        if self.samples.iter().any(|p| !row.dot(p).is_negative()) {
            return Ok(true);
        }
        let Some(row) = tightened(row) else {
            return Ok(false);
        };
        let before = self.tableau.snapshot();
        let feasible = self.tableau.add_ineq(&coefficients(&row)?)?;
        let vertex = if feasible { self.tableau.integral_vertex() } else { None };
        self.tableau.rollback(before)?;
        let point = match vertex {
            Some(vertex) => Some(std::iter::once(Int::ONE).chain(vertex).collect()),
            None if feasible => {
                let mut part = self.system.clone();
                part.push_ineq(row);
                sample(&part, self.budget)?
            }
            None => None,
        };
        let Some(point) = point else { return Ok(false) };
        if self.samples.len() == MAX_SAMPLES {
            self.samples.remove(0);
        }
        self.samples.push(point);
        Ok(true)
    }

    /// Adds `row >= 0`. False if no integer point is left (the context is then of no further use).
    pub(super) fn restrict(&mut self, row: &Row) -> Run<bool> {
        if !self.has_point_with(row)? {
            return Ok(false);
        }
        let Some(row) = tightened(row) else {
            return Ok(false);
        };
        if row.is_zero_in(1..row.len()) {
            return Ok(true);
        }
        self.samples.retain(|p| !row.dot(p).is_negative());
        self.tableau.add_ineq(&coefficients(&row)?)?;
        self.system.push_ineq(row);
        Ok(true)
    }

    /// The column of `floor(num / den)`, added if need be (true if it was).
    pub(super) fn div(&mut self, num: &Row, den: &Int) -> Run<(usize, bool)> {
        let columns = self.system.columns();
        let definition = Div { num: num.clone(), den: den.clone() };
        if let Some(i) = self.system.divs().iter().position(|d| d.as_ref() == Some(&definition)) {
            return Ok((columns.div(i), false));
        }
        for point in &mut self.samples {
            let value = num.dot(point).div_floor(den);
            point.push(value);
        }
        let col = self.system.push_div(Some(definition));
        self.tableau = tableau(&self.system, self.budget)?;
        Ok((col, true))
    }
}

fn tableau<'b, C: Coefficient>(system: &System, budget: &'b Budget) -> Run<Tableau<'b, C>> {
    let tableau = crate::solve::simplex::tableau(&system.closed(), budget)?;
    // A context has an integer point, so the only way to an empty tableau is an error in the engine.
    if tableau.is_empty() { Err(Stop::Overflow) } else { Ok(tableau) }
}

/// `-row - 1`, which is at least 0 where the integral `row` is negative.
pub(super) fn below_zero(row: &Row) -> Row {
    let mut out = row.neg();
    out.add_at(0, &Int::MINUS_ONE);
    out
}

/// `row >= 0` divided by the gcd of its coefficients; `None` if it is a violated constant.
fn tightened(row: &Row) -> Option<Row> {
    let gcd = row.gcd_in(1..row.len());
    if gcd.is_zero() {
        return if row.sign(0) < 0 { None } else { Some(row.clone()) };
    }
    if gcd.is_one() {
        return Some(row.clone());
    }
    let mut out = row.clone();
    out.set(0, out.get(0).div_floor(&gcd) * &gcd);
    Some(out.div_exact(&gcd))
}
