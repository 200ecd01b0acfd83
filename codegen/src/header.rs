//! Loop headers: from the values that one dimension may take to bounds, a stride, a single value, and conditions outside the loop.
//!
//! A header may admit more values than the system it was read from (a guard inside is exact), never fewer. Rows that do not
//! mention the dimension become conditions around the loop: hoisting comes for free, because every dimension is read from the
//! projection of all inner ones.

use std::sync::Arc;

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Budget, Div, Int, Set, System};

use crate::error::Error;
use crate::expr::Expr;
use crate::facts;
use crate::frame::{Frame, small};
use crate::guard;
use crate::linear::{Linear, Rounding, gcd};
use crate::region;
use crate::shadow::{self, Rows};
use crate::stride::inverse;

/// `t = offset (mod step)`
#[derive(Debug, Clone)]
pub(crate) struct Stride {
    pub step: i128,
    pub offset: Linear,
}

/// The values that a dimension takes.
#[derive(Debug, Clone)]
pub(crate) enum Values {
    /// One.
    Once(Linear),
    /// None at all.
    Never,
    /// All from the greatest lower to the least upper bound (either may be missing), one per stride.
    Range { lower: Vec<Lower>, upper: Vec<Linear>, stride: Option<Stride> },
}

/// A lower bound: the row `a t + f >= 0` and the least value of the stride that satisfies it.
#[derive(Debug, Clone)]
pub(crate) struct Lower {
    pub value: Linear,
    pub row: System,
}

/// What one dimension needs.
pub(crate) struct Header {
    /// Conditions around the loop.
    pub guard: Expr,
    /// The values inside.
    pub values: Values,
    /// What holds inside the loop, beyond what was known outside.
    pub asserted: Set,
}

/// What is known where the loop will stand.
pub(crate) struct Place<'a> {
    pub params: &'a [Arc<str>],
    /// Over the outer dimensions and the dimension itself, which is free in it.
    pub known: &'a Set,
    /// Of the outer dimensions.
    pub values: &'a [Linear],
    pub budget: &'a Budget,
}

/// Reads the header of the last dimension of `hull`.
pub(crate) fn read(hull: &System, place: &Place) -> Result<Header, Error> {
    let clean = without_inner_divs(hull, place)?;
    let simple = facts::gist(&region::from_system(place.known, clean.rows.clone()), place.known, place.budget)?;
    let mut header = Header { guard: Expr::always(), values: Values::Never, asserted: region::universe_like(place.known) };
    let simple = region::explicit(&simple, place.budget)?;
    let mut systems = simple.systems();
    let (Some(system), None) = (systems.next(), systems.next()) else {
        // nothing is left (or, which a conjunction never gives, several pieces)
        if simple.systems().len() > 1 {
            return Err(Error::TooLarge("of pieces of a conjunction".into()));
        }
        return Ok(header);
    };
    header.asserted = simple.clone();
    let mut conditions = Vec::new();
    for congruence in &clean.congruences {
        let asserted = region::from_system(place.known, congruence.asserted.clone());
        let rest = facts::gist(&asserted, place.known, place.budget)?;
        if rest.is_obviously_universe() {
            // The loops outside have this stride already.
            continue;
        }
        header.asserted = region::intersect(&header.asserted, &asserted);
        conditions.extend(congruence.condition.clone());
    }
    let stride = clean.congruences.into_iter().find_map(|c| c.stride);
    header.values = read_rows(system, place, stride, &mut conditions)?;
    header.guard = Expr::all(conditions);
    if header.guard.is_never() {
        header.values = Values::Never;
    }
    Ok(header)
}

fn read_rows(system: &System, place: &Place, stride: Option<Stride>, conditions: &mut Vec<Expr>) -> Result<Values, Error> {
    let t = system.columns().first_div() - 1;
    let frame = Frame::new(system, place.params, place.values)?;
    let known_without = |row: &Row| (0..row.len()).all(|k| k == t || row.is_zero_at(k) || frame.has(k));
    if !system.eqs().iter().chain(system.ineqs()).all(known_without) {
        // a division of the dimension itself has come back: read again without it
        let clean = without_inner_divs(system, place)?;
        return read_rows(&clean.rows, place, stride, conditions);
    }
    let mut rows = Rows { eqs: system.eqs().to_vec(), ineqs: system.ineqs().to_vec() };
    let equality = rows.eqs.iter().filter(|r| !r.is_zero_at(t)).min_by_key(|r| r.get(t).abs()).cloned();
    let mut once = None;
    if let Some(row) = &equality {
        // a t + f = 0
        let a = small(&row.get(t))?;
        let f = frame.linear(row, Some(t))?;
        let value = f.times(-a.signum())?;
        let a = a.abs();
        if a > 1 && !divides_everywhere(system, row, t, a, place)? {
            conditions.extend(divides(a, &value));
        }
        let value = value.divided(a, Rounding::Exact)?;
        if let Some(stride) = &stride {
            conditions.extend(divides(stride.step, &value.plus(-1, &stride.offset)?));
        }
        once = Some(value);
        rows = shadow::eliminate(rows, &[t], place.budget)?;
    }
    let mut outside = Vec::new();
    for row in &rows.eqs {
        if row.is_zero_at(t) {
            let congruence = guard::congruence(system, row, &frame)?;
            conditions.push(match congruence {
                Some(condition) => condition,
                None => frame.linear(row, None)?.compared(true),
            });
        }
    }
    for row in &rows.ineqs {
        if row.is_zero_at(t) {
            outside.push(frame.linear(row, None)?);
        }
    }
    if let Some(value) = once {
        conditions.extend(outside.iter().map(|form| form.compared(false)));
        return Ok(Values::Once(value));
    }
    let (mut lower, mut upper) = (Vec::new(), Vec::new());
    for row in &rows.ineqs {
        let a = small(&row.get(t))?;
        let f = frame.linear(row, Some(t))?;
        match a {
            0 => {}
            1.. => {
                let row = system.with_rows(Vec::new(), vec![row.clone()]);
                lower.push(Lower { value: aligned(&f.times(-1)?, a, stride.as_ref())?, row });
            }
            _ => upper.push(f.divided(-a, Rounding::Floor)?),
        }
    }
    let lower = prune(lower, |bound| &bound.value, Keep::Greatest)?;
    let upper = prune(upper, |bound| bound, Keep::Least)?;
    for form in outside {
        // what the existence of a value between the bounds implies need not be said
        if !between(&form, &lower, &upper)? {
            conditions.push(form.compared(false));
        }
    }
    if let ([low], [high]) = (&lower[..], &upper[..]) {
        match trips(&low.value, high, stride.as_ref())? {
            Some(0) => return Ok(Values::Never),
            Some(1) => return Ok(Values::Once(low.value.clone())),
            _ => {}
        }
    }
    Ok(Values::Range { lower, upper, stride })
}

/// Is `form >= 0` wherever some value lies between the bounds, because it is the distance of two of them and a constant?
fn between(form: &Linear, lower: &[Lower], upper: &[Linear]) -> Result<bool, Error> {
    for low in lower {
        for high in upper {
            let distance = high.floored()?.plus(-1, &low.value.floored()?)?;
            if form.floored()?.plus(-1, &distance)?.as_constant().is_some_and(|c| c >= 0) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// How many values lie between the bounds, if that is a number.
pub(crate) fn trips(low: &Linear, high: &Linear, stride: Option<&Stride>) -> Result<Option<i128>, Error> {
    let (step, high) = match stride {
        // the last value of the stride
        Some(s) => (s.step, s.offset.plus(s.step, &high.plus(-1, &s.offset)?.divided(s.step, Rounding::Floor)?)?),
        None => (1, high.clone()),
    };
    let difference = high.floored()?.plus(-1, &low.floored()?)?;
    Ok(difference.as_constant().map(|d| (d.div_euclid(step) + 1).max(0)))
}

/// The bounds of one piece for a loop with this stride: as `read` finds them, with equalities as pairs of bounds.
pub(crate) fn bounds(piece: &System, stride: Option<&Stride>, place: &Place) -> Result<Values, Error> {
    let clean = without_inner_divs(piece, place)?.rows;
    let mut ineqs = clean.ineqs().to_vec();
    for row in clean.eqs() {
        ineqs.extend([row.clone(), row.neg()]);
    }
    read_rows(&clean.with_rows(Vec::new(), ineqs), place, stride.cloned(), &mut Vec::new())
}

/// The least value of the stride that is at least `bound / a`.
fn aligned(bound: &Linear, a: i128, stride: Option<&Stride>) -> Result<Linear, Error> {
    let Some(stride) = stride else { return bound.divided(a, Rounding::Ceil) };
    // offset + s * ceil((bound - a * offset) / (a * s))
    let over = a.checked_mul(stride.step).ok_or_else(|| Error::TooLarge(format!("{a} * {}", stride.step)))?;
    let steps = bound.plus(-a, &stride.offset)?.divided(over, Rounding::Ceil)?;
    stride.offset.plus(stride.step, &steps)
}

/// Is it known that `a` divides the row, column t left out?
fn divides_everywhere(system: &System, row: &Row, t: usize, a: i128, place: &Place) -> Result<bool, Error> {
    let Ok(den) = i64::try_from(a) else { return Ok(false) };
    let mut num = row.clone();
    num.set(t, Int::ZERO);
    let mut divisible = System::universe(system.columns());
    for (index, div) in system.divs().iter().enumerate() {
        divisible.set_div(index, div.clone());
    }
    let q = divisible.push_div(Some(Div { num: num.clone(), den: Int::from(den) }));
    let mut equality = num.with_zeros(q, 1);
    equality.set(q, Int::from(-den));
    divisible.push_eq(equality);
    let rest = facts::gist(&region::from_system(place.known, divisible), place.known, place.budget)?;
    Ok(rest.is_obviously_universe())
}

/// The condition `a | form`, none if it always holds.
pub(crate) fn divides(a: i128, form: &Linear) -> Option<Expr> {
    let mut rest = Linear::constant(form.constant.rem_euclid(a));
    for (atom, c) in &form.terms {
        if c % a != 0 {
            rest.terms.insert(atom.clone(), *c);
        }
    }
    if let Some(constant) = rest.as_constant() {
        return if constant == 0 { None } else { Some(Expr::never()) };
    }
    // a common factor of all that is left divides out
    let g = gcd(gcd(rest.content(), rest.constant), a);
    if g > 1 {
        rest.constant /= g;
        rest.terms.values_mut().for_each(|c| *c /= g);
    }
    if rest.terms.values().all(|c| *c < 0) {
        let mut flipped = Linear::constant((-rest.constant).rem_euclid(a / g));
        flipped.terms = rest.terms.iter().map(|(atom, c)| (atom.clone(), -c)).collect();
        rest = flipped;
    }
    Some(Expr::Divides(a / g, Box::new(rest.to_expr())))
}

#[derive(Clone, Copy, PartialEq)]
enum Keep {
    Greatest,
    Least,
}

/// Of forms that differ by a constant, keeps the greatest (or least).
fn prune<B>(bounds: Vec<B>, form: impl Fn(&B) -> &Linear, keep: Keep) -> Result<Vec<B>, Error> {
    let mut kept: Vec<B> = Vec::new();
    for bound in bounds {
        let mut place = None;
        for (k, old) in kept.iter().enumerate() {
            if let Some(difference) = form(&bound).floored()?.plus(-1, &form(old).floored()?)?.as_constant() {
                place = Some((k, if keep == Keep::Greatest { difference > 0 } else { difference < 0 }));
                break;
            }
        }
        match place {
            Some((k, true)) => kept[k] = bound,
            Some((_, false)) => {}
            None => kept.push(bound),
        }
    }
    Ok(kept)
}

/// A congruence that every point satisfies.
struct Congruence {
    /// The congruence as a system.
    asserted: System,
    /// As a stride of the dimension ..
    stride: Option<Stride>,
    /// .. or as a condition on the outer ones.
    condition: Option<Expr>,
}

struct Clean {
    rows: System,
    congruences: Vec<Congruence>,
}

/// Eliminates every division that depends on the dimension itself or is unknown; keeps the congruences that they express.
fn without_inner_divs(system: &System, place: &Place) -> Result<Clean, Error> {
    let columns = system.columns();
    let t = columns.first_div() - 1;
    let frame = Frame::new(system, place.params, place.values)?;
    let inner: Vec<usize> = columns.div_range().filter(|&k| !frame.has(k)).collect();
    if inner.is_empty() {
        return Ok(Clean { rows: system.clone(), congruences: Vec::new() });
    }
    let mut congruences: Vec<Congruence> = Vec::new();
    for row in system.eqs() {
        let g = inner.iter().fold(0, |g, &k| gcd(g, row.get(k).to_i128().unwrap_or(1)));
        if g > 1 && inner.iter().any(|&k| !row.is_zero_at(k)) {
            congruences.extend(congruence(system, row, t, g, &inner, &frame)?);
        }
    }
    // one stride is enough for a header: the longest; the others are left to the guard inside
    congruences.sort_by_key(|c| c.stride.as_ref().map_or(0, |s| -s.step));
    let mut seen = false;
    congruences.retain(|c| c.stride.is_none() || !std::mem::replace(&mut seen, true));

    let mut rows = Rows { eqs: system.eqs().to_vec(), ineqs: system.ineqs().to_vec() };
    for index in 0..columns.divs {
        if let (true, Some(bounds)) = (inner.contains(&columns.div(index)), system.div_bounds(index)) {
            rows.ineqs.extend(bounds);
        }
    }
    let rows = shadow::eliminate(rows, &inner, place.budget)?;
    let rows = region::without_columns(&system.with_rows(rows.eqs, rows.ineqs), &inner);
    Ok(Clean { rows, congruences })
}

/// `row + g * (something) = 0` for an integer something.
fn congruence(
    system: &System,
    row: &Row,
    t: usize,
    g: i128,
    inner: &[usize],
    frame: &Frame,
) -> Result<Option<Congruence>, Error> {
    let mut known = row.clone();
    inner.iter().for_each(|&k| known.set(k, Int::ZERO));
    let f = frame.linear(&known, Some(t))?;
    let a = small(&known.get(t))?.rem_euclid(g);
    let (mut stride, mut condition) = (None, None);
    if a == 0 {
        condition = divides(g, &f);
    } else {
        let h = gcd(a, g);
        if h > 1 && (f.content() % h != 0 || f.constant % h != 0) {
            return Ok(None);
        }
        let (a, step) = (a / h, g / h);
        let inverse = inverse(a, step);
        let mut offset = Linear::default();
        let reduced = |c: i128| {
            c.checked_div(h).and_then(|c| c.rem_euclid(step).checked_mul((-inverse).rem_euclid(step))).map(|c| c.rem_euclid(step))
        };
        let large = || Error::TooLarge(g.to_string());
        offset.constant = reduced(f.constant).ok_or_else(large)?;
        for (atom, c) in &f.terms {
            let c = reduced(*c).ok_or_else(large)?;
            // the residue nearest to zero
            let c = if c > step / 2 { c - step } else { c };
            if c != 0 {
                offset.terms.insert(atom.clone(), c);
            }
        }
        stride = Some(Stride { step, offset });
    }
    // row + g * floor(-row / g) = 0
    let mut asserted = System::universe(system.columns());
    for (index, div) in system.divs().iter().enumerate() {
        asserted.set_div(index, div.clone().filter(|_| frame.has(system.columns().div(index))));
    }
    let q = asserted.push_div(Some(Div { num: known.neg(), den: Int::from(g as i64) }));
    if i64::try_from(g).is_err() {
        return Ok(None);
    }
    let mut equality = known.with_zeros(q, 1);
    equality.set(q, Int::from(g as i64));
    asserted.push_eq(equality);
    Ok(Some(Congruence { asserted: region::without_columns(&asserted, inner), stride, condition }))
}
