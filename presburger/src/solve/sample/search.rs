//! The search for an integer point in a bounded, full-dimensional polyhedron, along a reduced basis.

use super::with_one;
use crate::linalg::Row;
use crate::solve::coefficient::{Coefficient, Run, Task};
use crate::solve::tableau::{Optimum, Sense, Snapshot, Tableau, coefficients};
use crate::{Budget, Int};

/// The search for an integer point in a bounded set.
pub(super) struct Search<'a> {
    pub(super) ineqs: &'a [Row],
    pub(super) n: usize,
    pub(super) budget: &'a Budget,
}

/// The values still to be tried for one basis direction, from the middle outwards.
struct Level {
    before: Snapshot,
    lo: Int,
    hi: Int,
    middle: Int,
    tried: Int,
}

impl Level {
    fn next(&mut self) -> Option<Int> {
        loop {
            // 0, 1, -1, 2, -2, ..
            let half = (&self.tried + Int::ONE).div_floor(&Int::from(2));
            let odd = self.tried.mod_floor(&Int::from(2)).is_one();
            let value = if odd { &self.middle + &half } else { &self.middle - &half };
            if half > &self.hi - &self.lo + Int::ONE {
                return None;
            }
            self.tried += Int::ONE;
            if value >= self.lo && value <= self.hi {
                return Some(value);
            }
        }
    }
}

impl Task for Search<'_> {
    type Output = Option<Vec<Int>>;
    fn run<C: Coefficient>(&self) -> Run<Option<Vec<Int>>> {
        let n = self.n;
        let mut tableau: Tableau<'_, C> = Tableau::new(n, self.budget);
        let rows: Vec<Vec<C>> = self.ineqs.iter().map(coefficients).collect::<Run<_>>()?;
        for row in &rows {
            if !tableau.add_ineq(row)? {
                return Ok(None);
            }
        }
        let unit = |i: usize| (0..=n).map(|j| if j == i + 1 { C::one() } else { C::zero() }).collect::<Vec<C>>();
        let mut basis: Vec<Vec<C>> = (0..n).map(unit).collect();
        let mut fixed: Vec<Vec<C>> = Vec::with_capacity(n);
        let mut levels: Vec<Level> = Vec::with_capacity(n);
        let (mut visited, mut reduced) = (0, false);
        loop {
            self.budget.spend(1)?;
            if let Some(point) = tableau.integral_vertex() {
                return Ok(Some(with_one(point)));
            }
            let level = levels.len();
            debug_assert!(level < n, "a unimodular basis fixed at integers leaves an integral vertex");
            let (mut lo, mut hi) = range(&mut tableau, &basis[level])?;
            // The given coordinates get a chance first: most sets that have points show one soon.
            visited += 1;
            if visited > 3 * n && !reduced {
                reduced = true;
                if let Some(first) = levels.first() {
                    tableau.rollback(first.before)?;
                }
                levels.clear();
                fixed.clear();
                continue;
            }
            if reduced && &hi - &lo > Int::ONE && level + 1 < n {
                reduce(&rows, &fixed, &mut basis, self.budget)?;
                (lo, hi) = range(&mut tableau, &basis[level])?;
            }
            let middle = (&lo + &hi).div_floor(&Int::from(2));
            levels.push(Level { before: tableau.snapshot(), lo, hi, middle, tried: Int::ZERO });
            // Fix the next value of the deepest level that has one.
            loop {
                let Some(deepest) = levels.last_mut() else {
                    return Ok(None);
                };
                tableau.rollback(deepest.before)?;
                fixed.truncate(levels.len() - 1);
                let Some(value) = levels.last_mut().and_then(Level::next) else {
                    levels.pop();
                    continue;
                };
                let mut row = basis[levels.len() - 1].clone();
                row[0] = C::from_int(&-value)?;
                let feasible = tableau.add_eq(&row)?;
                debug_assert!(feasible, "every value between the extremes is attained");
                if feasible {
                    fixed.push(row);
                    break;
                }
            }
        }
    }
}

/// The integers between the extremes of `row` on a bounded, non-empty set.
fn range<C: Coefficient>(tableau: &mut Tableau<'_, C>, row: &[C]) -> Run<(Int, Int)> {
    let mut bound = |sense| -> Run<(Int, Int)> {
        Ok(match tableau.optimize(row, sense)? {
            Optimum::At(num, den) => (num.to_int(), den.to_int()),
            Optimum::Unbounded => unreachable!("the set is bounded"),
        })
    };
    let (num, den) = bound(Sense::Min)?;
    let lo = num.div_ceil(&den);
    let (num, den) = bound(Sense::Max)?;
    Ok((lo, num.div_floor(&den)))
}

/// Generalized basis reduction of `basis[fixed.len()..]` for the slice of the set on which the `fixed` rows are 0.
///
/// With `F_i(b) = max { b . (x - y) : x, y in the slice, b_j . (x - y) = 0 for j < i }`, neighbours are made to satisfy
/// `F_i(b_{i+1} + mu b_i) >= F_i(b_{i+1})` for all integers mu and `F_i(b_{i+1}) >= 3/4 F_i(b_i)`.
fn reduce<C: Coefficient>(rows: &[Vec<C>], fixed: &[Vec<C>], basis: &mut [Vec<C>], budget: &Budget) -> Run<()> {
    let (n, from) = (basis.len(), fixed.len());
    let mut pair: Tableau<'_, C> = Tableau::new(2 * n, budget);
    let copy = |row: &[C], second: bool| {
        let mut out = vec![C::zero(); 2 * n + 1];
        out[0] = row[0].clone();
        let at = if second { n + 1 } else { 1 };
        out[at..at + n].clone_from_slice(&row[1..]);
        out
    };
    for second in [false, true] {
        for row in fixed {
            pair.add_eq(&copy(row, second))?;
        }
        for row in rows {
            pair.add_ineq(&copy(row, second))?;
        }
    }
    let difference = |b: &[C]| -> Run<Vec<C>> {
        let mut out = vec![C::zero(); 2 * n + 1];
        for (j, x) in b.iter().enumerate().skip(1) {
            out[n + j] = x.neg()?;
            out[j] = x.clone();
        }
        Ok(out)
    };
    let mut widths: Vec<(C, C)> = vec![(C::zero(), C::one()); n];
    let mut before: Vec<Snapshot> = Vec::new();
    let Optimum::At(num, den) = pair.optimize(&difference(&basis[from])?, Sense::Max)? else {
        return Ok(());
    };
    widths[from] = (num, den);
    // Reduction ends by itself on full-dimensional sets; on flat slices any unimodular basis will do.
    let mut swaps = 40 * n * n + 1000;
    let mut i = from;
    while i + 1 < n {
        let here = pair.snapshot();
        pair.add_eq(&difference(&basis[i])?)?;
        let slack = pair.last_slack();
        let (next, slopes) = pair.optimize_with_slopes(&difference(&basis[i + 1])?, Sense::Max, &[slack])?;
        pair.rollback(here)?;
        let Optimum::At(next_num, next_den) = next else {
            return Ok(());
        };
        // The optimum grows by slope/den per unit of b_i . (x - y), so the best real mu is -slope/den.
        let slope = slopes[0].neg()?;
        let down = C::from_int(&slope.to_int().div_floor(&next_den.to_int()))?;
        let mut best: Option<(Vec<C>, C, C)> = None;
        let exact = next_den.divides(&slope);
        for mu in [Some(down.clone()), if exact { None } else { Some(down.add(&C::one())?) }].into_iter().flatten() {
            let pairs = basis[i + 1].iter().zip(&basis[i]);
            let moved: Vec<C> = pairs.map(|(x, y)| C::mul_add(&mu, y, x, &C::one())).collect::<Run<_>>()?;
            let Optimum::At(num, den) = pair.optimize(&difference(&moved)?, Sense::Max)? else {
                return Ok(());
            };
            let better = match &best {
                None => true,
                Some((_, n0, d0)) => C::cmp_products(&num, d0, n0, &den)?.is_lt(),
            };
            if better {
                best = Some((moved, num, den));
            }
        }
        let Some((moved, num, den)) = best else {
            return Ok(());
        };
        basis[i + 1] = moved;
        let (old_num, old_den) = &widths[i];
        let four = C::from_int(&Int::from(4))?.mul(&num)?;
        let three = C::from_int(&Int::from(3))?.mul(old_num)?;
        if swaps > 0 && C::cmp_products(&four, old_den, &three, &den)?.is_lt() {
            swaps -= 1;
            basis.swap(i, i + 1);
            widths[i] = (num, den);
            if let Some(snapshot) = before.pop() {
                pair.rollback(snapshot)?;
                i -= 1;
            }
        } else {
            before.push(here);
            pair.add_eq(&difference(&basis[i])?)?;
            widths[i + 1] = (next_num, next_den);
            i += 1;
        }
    }
    Ok(())
}
