//! Strides that several pieces share: one congruence for all values of a dimension.
//!
//! Values `t = o (mod s)` and `t = p (mod r)` lie in one class modulo the greatest common divisor of s, r and `o - p`; where
//! `o - p` is a form over outer dimensions, of its coefficients, each times the stride of its dimension (after Verdoolaege, isl's
//! affine hull of a union). A single value is a class modulo 0.

use loopwright_presburger::linalg::Row;
use loopwright_presburger::{Div, Int, Set, System};

use crate::frame::small;
use crate::linear::gcd;

/// `t = offset (mod step)`, the offset over the columns before t; step 0: one value.
#[derive(Debug, Clone)]
struct Class {
    step: i128,
    offset: Vec<i128>,
}

/// The congruence that the last dimension satisfies in every piece, inside `known`; `None` if there is none.
pub(crate) fn common(pieces: &Set, known: &Set) -> Option<System> {
    let columns = pieces.systems().next()?.columns().with_divs(0);
    let t = columns.len() - 1;
    let Class { step, offset } = of_all(pieces, &outer_classes(known, t)).filter(|class| class.step > 1)?;
    // t - offset = step * floor((t - offset) / step)
    let mut num = Row::zero(columns.len());
    for (col, c) in offset.iter().enumerate() {
        num.set(col, Int::from(-i64::try_from(c.rem_euclid(step)).ok()?));
    }
    num.set(t, Int::ONE);
    let step = Int::from(i64::try_from(step).ok()?);
    let mut system = System::universe(columns);
    let q = system.push_div(Some(Div { num: num.clone(), den: step.clone() }));
    let mut row = num.with_zeros(q, 1);
    row.set(q, -step);
    system.push_eq(row);
    Some(system)
}

fn outer_classes(known: &Set, t: usize) -> Vec<Option<Class>> {
    (0..t).map(|col| known.systems().next().and_then(|system| class(system, col))).collect()
}

/// The class of the last dimension in all pieces.
fn of_all(pieces: &Set, outer: &[Option<Class>]) -> Option<Class> {
    let t = pieces.systems().next()?.columns().first_div() - 1;
    let mut shared: Option<Class> = None;
    for system in pieces.systems() {
        let class = class(system, t)?;
        shared = Some(match shared {
            None => class,
            Some(shared) => both(&shared, &class, outer)?,
        });
    }
    shared
}

/// Where the values of each set lie inside the stride that all have: `values[k] = values[0] + residue[k] (mod step)`, with
/// `0 <= residue < step`. `None` unless that is so and at least two residues differ.
pub(crate) fn residues(values: &[Set], known: &Set) -> Option<(i64, Vec<i64>)> {
    let t = values.first()?.systems().next()?.columns().first_div() - 1;
    let outer = outer_classes(known, t);
    let classes = values.iter().map(|set| of_all(set, &outer)).collect::<Option<Vec<Class>>>()?;
    let first = &classes[0];
    let step = i64::try_from(first.step).ok().filter(|step| *step > 1)?;
    let residue = |class: &Class| -> Option<i64> {
        let differs = |k: usize| (class.offset[k] - first.offset[k]).rem_euclid(first.step);
        let same = class.step == first.step && (1..t).all(|k| differs(k) == 0);
        i64::try_from(differs(0)).ok().filter(|_| same)
    };
    let residues = classes.iter().map(residue).collect::<Option<Vec<i64>>>()?;
    residues.iter().any(|r| *r != residues[0]).then_some((step, residues))
}

/// The coarsest class of column `t` that a single equality shows; none with later dimensions in its offset.
fn class(system: &System, t: usize) -> Option<Class> {
    let columns = system.columns();
    let classes = system.eqs().iter().filter_map(|row| {
        let plain = row.is_zero_in(t + 1..columns.first_div()) && !row.is_zero_at(t);
        if !plain {
            return None;
        }
        // a t + f = 0 (mod g)
        let g = columns.div_range().try_fold(0, |g, k| Some(gcd(g, small(&row.get(k)).ok()?)))?;
        let a = small(&row.get(t)).ok()?;
        let f: Vec<i128> = (0..t).map(|k| small(&row.get(k)).ok()).collect::<Option<_>>()?;
        let h = gcd(a, g);
        if h == 0 || f.iter().any(|c| c % h != 0) {
            return None;
        }
        let step = g / h;
        // for a single value a = h or a = -h
        let factor = if step == 0 { -(a / h) } else { -inverse(a / h, step) };
        let offset = f.iter().map(|c| reduced((c / h).checked_mul(factor)?, step)).collect::<Option<_>>()?;
        Some(Class { step, offset })
    });
    classes.filter(|class| class.step != 1).max_by_key(|class| if class.step == 0 { i128::MAX } else { class.step })
}

fn reduced(c: i128, step: i128) -> Option<i128> {
    if step == 0 { Some(c) } else { c.checked_rem_euclid(step) }
}

/// The least class that holds both.
fn both(a: &Class, b: &Class, outer: &[Option<Class>]) -> Option<Class> {
    let mut difference = a.offset.iter().zip(&b.offset).map(|(x, y)| x.checked_sub(*y)).collect::<Option<Vec<i128>>>()?;
    let mut step = gcd(a.step, b.step);
    for col in (1..difference.len()).rev() {
        let c = reduced(difference[col], step)?;
        match &outer[col] {
            _ if c == 0 => {}
            Some(class) => {
                step = gcd(step, c.checked_mul(class.step)?);
                for (sum, offset) in difference.iter_mut().zip(&class.offset) {
                    *sum = sum.checked_add(c.checked_mul(*offset)?)?;
                }
            }
            None => step = gcd(step, c),
        }
    }
    step = gcd(step, difference[0]);
    (step != 1).then(|| Some(Class { step, offset: a.offset.iter().map(|c| reduced(*c, step)).collect::<Option<_>>()? }))?
}

/// The inverse of a modulo m, for coprime a and m.
pub(crate) fn inverse(a: i128, m: i128) -> i128 {
    let (mut r0, mut r1, mut s0, mut s1) = (m, a.rem_euclid(m), 0i128, 1i128);
    while r1 != 0 {
        let q = r0 / r1;
        (r0, r1) = (r1, r0 - q * r1);
        (s0, s1) = (s1, s0 - q * s1);
    }
    s0.rem_euclid(m)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shared stride of the last dimension, `step` or 1.
    #[track_caller]
    fn check(pieces: &str, known: &str, step: i64) {
        let (pieces, known): (Set, Set) = (pieces.parse().unwrap(), known.parse().unwrap());
        let system = common(&pieces, &known);
        let found = system.as_ref().map_or(1, |s| s.divs()[0].as_ref().unwrap().den.to_i64().unwrap());
        assert_eq!(found, step);
        if let Some(system) = system {
            let class = Set::from_systems(pieces.space().clone(), [system]);
            assert!(pieces.intersect(&known).is_subset(&class));
        }
    }

    #[test]
    fn steps_and_differences_share_a_divisor() {
        let all = "{ [t] }";
        check("{ [t] : t mod 8 = 0 and t >= 0; [t] : t mod 8 = 0 and t <= -20 }", all, 8);
        check("{ [t] : t mod 8 = 1 and t >= 0; [t] : t mod 8 = 5 and t <= -20 }", all, 4);
        check("{ [t] : t mod 8 = 1 and t >= 0; [t] : t mod 12 = 3 and t <= -20 }", all, 2);
        check("{ [t] : t mod 8 = 1 and t >= 0; [t] : t mod 8 = 2 and t <= -20 }", all, 1);
        check("{ [t] : t mod 8 = 1 and t >= 0; [t] : t = -7 }", all, 8);
        check("{ [t] : t = 3; [t] : t = 13; [t] : t = 28 }", all, 5);
        check("{ [t] : t mod 8 = 1 and t >= 0; [t] : t < -7 }", all, 1);
    }

    #[test]
    fn outer_dimensions_shift_the_class() {
        check("{ [c, t] : (t - c) mod 8 = 0 and t >= 0; [c, t] : (t - c) mod 8 = 4 and t <= -20 }", "{ [c, t] }", 4);
        check("{ [c, t] : (t - c) mod 8 = 0 and t >= 0; [c, t] : t mod 8 = 0 and t <= -20 }", "{ [c, t] }", 1);
        check("{ [c, t] : (t - c) mod 8 = 0 and t >= 0; [c, t] : t mod 8 = 0 and t <= -20 }", "{ [c, t] : c mod 4 = 0 }", 4);
        check("{ [c, t] : (t - c) mod 8 = 0 and t >= 0; [c, t] : t mod 8 = 0 and t <= -20 }", "{ [c, t] : c mod 4 = 2 }", 2);
        check("[n] -> { [t] : t = n; [t] : t = n + 6 }", "[n] -> { [t] }", 6);
    }
}
