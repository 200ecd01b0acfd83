//! Guards: sets over dimensions that all have values, as conditions.

use std::sync::Arc;

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Budget, Set, System};

use crate::error::Error;
use crate::expr::Expr;
use crate::frame::{Frame, small};
use crate::header::divides;
use crate::linear::Linear;
use crate::region;

/// The condition that the point with these values lies in the set: exact.
pub(crate) fn condition(set: &Set, params: &[Arc<str>], values: &[Linear], budget: &Budget) -> Result<Expr, Error> {
    let set = region::explicit(set, budget)?;
    let pieces = set.systems().map(|system| conjunction(system, params, values)).collect::<Result<Vec<_>, _>>()?;
    // what all pieces ask for is said once
    let parts: Vec<Vec<Expr>> = pieces.into_iter().map(parts).collect();
    if parts.len() < 2 {
        return Ok(Expr::any(parts.into_iter().map(Expr::all)));
    }
    let common: Vec<Expr> = parts[0].iter().filter(|c| parts.iter().all(|p| p.contains(c))).cloned().collect();
    let rest = parts.into_iter().map(|p| Expr::all(p.into_iter().filter(|c| !common.contains(c))));
    let rest = Expr::any(rest.collect::<Vec<_>>());
    Ok(Expr::all(common.into_iter().chain([rest])))
}

fn parts(e: Expr) -> Vec<Expr> {
    if let Expr::And(parts) = e { parts } else { vec![e] }
}

fn conjunction(system: &System, params: &[Arc<str>], values: &[Linear]) -> Result<Expr, Error> {
    let frame = Frame::new(system, params, values)?;
    let mut conditions = Vec::new();
    for row in system.eqs() {
        let part = match congruence(system, row, &frame)? {
            Some(part) => part,
            None => known(&frame, row)?.compared(true),
        };
        conditions.push(part);
    }
    for row in system.ineqs() {
        conditions.push(known(&frame, row)?.compared(false));
    }
    Ok(Expr::all(conditions))
}

fn known(frame: &Frame, row: &Row) -> Result<Linear, Error> {
    if !frame.knows(row) {
        return Err(Error::TooLarge("of unknowns in a condition".into()));
    }
    frame.linear(row, None)
}

/// `num - k - den * floor(num / den) = 0` with 0 <= k < den reads `den | num - k`.
pub(crate) fn congruence(system: &System, row: &Row, frame: &Frame) -> Result<Option<Expr>, Error> {
    let columns = system.columns();
    let used: Vec<usize> = columns.div_range().filter(|&k| !row.is_zero_at(k)).collect();
    for &col in &used {
        let Some(div) = &system.divs()[col - columns.first_div()] else { continue };
        let c = row.get(col);
        if c.abs() != div.den {
            continue;
        }
        // row = sign * (num - k - den * q)
        let row = if c.is_positive() { row.neg() } else { row.clone() };
        let mut difference = row.combine(&1.into(), &div.num, &(-1).into());
        difference.set(col, 0.into());
        let k = -difference.get(0);
        if difference.is_zero_in(1..difference.len()) && !k.is_negative() && k < div.den && frame.knows(&div.num) {
            let form = frame.linear(&div.num, None)?.plus_constant(-small(&k)?)?;
            return Ok(Some(divides(small(&div.den)?, &form).unwrap_or_else(Expr::always)));
        }
    }
    Ok(None)
}
