//! Exact integer emptiness, integer points and integer optima of a system: simplex, unimodular elimination, basis reduction.
//!
//! 1. A rational vertex decides when there is none, or when it is integral.
//! 2. Equalities (given, and implied by the inequalities over the rationals) are solved over the integers ([`hermite`]), which
//!    leaves a full-dimensional polyhedron in the free integers.
//! 3. Directions of its recession cone are split off by a unimodular change of variables: the span of the cone becomes the last
//!    coordinates. A constraint that uses them can be met by going far enough along the cone, with room for a unit box, so only the
//!    constraints on the other coordinates decide, and those are bounded.
//! 4. The bounded part is searched level by level along a reduced basis (Cook, Rutherford, Scarf, Shallcross, "An implementation of
//!    the generalized basis reduction algorithm for integer programming", 1993): thin sets are thin in its first direction.
//!
//! Every step is exact and the search is finite, so every system is decided (budget aside).

use super::coefficient::{Coefficient, Run, Task, widen};
use super::simplex::{self, Lp};
use super::tableau::{Optimum, Sense, Snapshot, Tableau, coefficients};
use crate::linalg::{Row, hermite};
use crate::{Budget, BudgetSpent, Int, System};

/// Whether the system has no integer point.
///
/// # Errors
/// [`BudgetSpent`].
pub fn is_empty(system: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    Ok(sample(system, budget)?.is_none())
}

/// An integer point of the system: 1, then a value for every column, divs included. The same system gives the same point.
///
/// ```
/// use loopwright_presburger::{Budget, Columns, System, linalg::Row, solve::sample::sample};
/// let mut s = System::universe(Columns { range: 2, ..Columns::default() });
/// s.push_eq(Row::from_slice(&[-1, 2, -2])); // 2x - 2y = 1
/// assert!(sample(&s, &Budget::UNLIMITED)?.is_none());
/// # Ok::<(), loopwright_presburger::BudgetSpent>(())
/// ```
/// # Errors
/// [`BudgetSpent`].
pub fn sample(system: &System, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    let closed = system.closed();
    let point = find(
        closed.eqs(),
        closed.ineqs(),
        closed.columns().len() - 1,
        budget,
    )?;
    debug_assert!(
        point.as_ref().is_none_or(|p| system.contains(p)),
        "a sample satisfies its system"
    );
    Ok(point)
}

/// The answer to an integer program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IntOptimum {
    /// There is no integer point.
    Empty,
    /// The objective has no bound on the integer points.
    Unbounded,
    /// The optimum.
    At(Int),
}

/// `min { objective . x : x in system }` over the integers.
///
/// # Errors
/// [`BudgetSpent`].
pub fn minimize_integer(
    system: &System,
    objective: &Row,
    budget: &Budget,
) -> Result<IntOptimum, BudgetSpent> {
    let bound = match simplex::minimize(system, objective, budget)? {
        Lp::Empty => return Ok(IntOptimum::Empty),
        Lp::Unbounded => {
            // The direction of descent is rational, so some multiple of it is integral: any integer point slides along it.
            let empty = is_empty(system, budget)?;
            return Ok(if empty {
                IntOptimum::Empty
            } else {
                IntOptimum::Unbounded
            });
        }
        Lp::Optimum(value) => Int::from(value.ceil().to_integer()),
    };
    let at_most = |value: &Int| -> Result<Option<Int>, BudgetSpent> {
        let mut below = system.clone();
        let mut row = objective.neg();
        row.add_at(0, value);
        below.push_ineq(row);
        Ok(sample(&below, budget)?.map(|p| objective.dot(&p)))
    };
    if let Some(value) = at_most(&bound)? {
        return Ok(IntOptimum::At(value));
    }
    let Some(point) = sample(system, budget)? else {
        return Ok(IntOptimum::Empty);
    };
    // Invariant: nothing at or below `none`, something at `some`.
    let (mut none, mut some) = (bound, objective.dot(&point));
    let mut step = Int::ONE;
    while &some - &none > Int::ONE {
        let middle = (&none + &some).div_floor(&Int::from(2));
        let near = &none + &step;
        let probe = if near < middle { near } else { middle };
        match at_most(&probe)? {
            Some(value) => some = value,
            None => none = probe,
        }
        step = step * Int::from(2);
    }
    Ok(IntOptimum::At(some))
}

/// `max { objective . x : x in system }` over the integers.
///
/// # Errors
/// [`BudgetSpent`].
pub fn maximize_integer(
    system: &System,
    objective: &Row,
    budget: &Budget,
) -> Result<IntOptimum, BudgetSpent> {
    Ok(match minimize_integer(system, &objective.neg(), budget)? {
        IntOptimum::At(value) => IntOptimum::At(-value),
        other => other,
    })
}

/// An integer point `(1, x)` of rows over `(1, x_1 .. x_n)`.
fn find(
    eqs: &[Row],
    ineqs: &[Row],
    n: usize,
    budget: &Budget,
) -> Result<Option<Vec<Int>>, BudgetSpent> {
    match widen(&Vertex {
        eqs,
        ineqs,
        n,
        budget,
    })? {
        Glance::Empty => return Ok(None),
        Glance::Point(point) => return Ok(Some(point)),
        Glance::Unknown => {}
    }
    // Each round either ends or turns at least one inequality into an equality, which removes a free integer.
    let mut path: Vec<hermite::Solutions> = Vec::new();
    let (mut eqs, mut ineqs, mut n) = (eqs.to_vec(), ineqs.to_vec(), n);
    loop {
        budget.spend((n * (eqs.len() + ineqs.len())) as u64)?;
        if !eqs.is_empty() {
            let Some(solutions) = hermite::solve(&eqs, n) else {
                return Ok(None);
            };
            n = solutions.free();
            ineqs = ineqs.iter().map(|r| solutions.substitute(r)).collect();
            path.push(solutions);
        }
        let Some(tight) = tighten(ineqs) else {
            return Ok(None);
        };
        ineqs = tight;
        match widen(&Implied {
            ineqs: &ineqs,
            n,
            budget,
        })? {
            Flat::Empty => return Ok(None),
            Flat::Point(point) => return Ok(Some(lift(&path, point))),
            Flat::Equalities(found) if found.is_empty() => break,
            Flat::Equalities(found) => {
                eqs = found.iter().map(|&i| ineqs[i].clone()).collect();
                let mut i = 0;
                ineqs.retain(|_| {
                    i += 1;
                    found.binary_search(&(i - 1)).is_err()
                });
            }
        }
    }
    Ok(full_dimensional(&ineqs, n, budget)?.map(|point| lift(&path, point)))
}

fn lift(path: &[hermite::Solutions], point: Vec<Int>) -> Vec<Int> {
    path.iter()
        .rev()
        .fold(point, |p, solutions| solutions.point(&p))
}

/// Divides every inequality by the gcd of its coefficients, rounding the constant down, and keeps the tightest of parallel ones.
/// `None` if a row without coefficients is violated.
pub(super) fn tighten(rows: Vec<Row>) -> Option<Vec<Row>> {
    let mut out: Vec<Row> = Vec::with_capacity(rows.len());
    for row in rows {
        let gcd = row.gcd_in(1..row.len());
        if gcd.is_zero() {
            if row.sign(0) < 0 {
                return None;
            }
            continue;
        }
        let mut tight = row;
        if !gcd.is_one() {
            tight.set(0, tight.get(0).div_floor(&gcd) * &gcd);
            tight = tight.div_exact(&gcd);
        }
        let parallel = out
            .iter_mut()
            .find(|r| (1..r.len()).all(|i| r.get(i) == tight.get(i)));
        match parallel {
            Some(other) if tight.get(0) < other.get(0) => *other = tight,
            Some(_) => {}
            None => out.push(tight),
        }
    }
    Some(out)
}

/// An integer point of inequalities whose rational set has full dimension.
fn full_dimensional(
    ineqs: &[Row],
    n: usize,
    budget: &Budget,
) -> Result<Option<Vec<Int>>, BudgetSpent> {
    // The recession cone is { d : a . d >= 0 }; the rows that are 0 on all of it span the bounded directions.
    let cone: Vec<Row> = ineqs.iter().map(without_constant).collect();
    let Flat::Equalities(flat) = widen(&Implied {
        ineqs: &cone,
        n,
        budget,
    })?
    else {
        // The cone's only vertex is the origin, which is reported as a point if asked; `Implied` looks at equalities first.
        unreachable!("a cone contains the origin");
    };
    let flat: Vec<Row> = flat.iter().map(|&i| cone[i].clone()).collect();
    let echelon = hermite::echelon(&flat, n);
    let rank = echelon.rank();
    if rank == n {
        return widen(&Search { ineqs, n, budget });
    }
    let rows: Vec<Row> = ineqs.iter().map(|r| echelon.basis.row_times(r)).collect();
    let (bounded, free): (Vec<Row>, Vec<Row>) = rows
        .into_iter()
        .partition(|r| r.is_zero_in(rank + 1..n + 1));
    let bounded: Vec<Row> = bounded
        .iter()
        .map(|r| r.without(rank + 1, n - rank))
        .collect();
    let mut point = if rank == 0 {
        vec![Int::ONE]
    } else {
        match widen(&Search {
            ineqs: &bounded,
            n: rank,
            budget,
        })? {
            Some(point) => point,
            None => return Ok(None),
        }
    };
    // Shift the remaining constraints so that a unit box fits above every solution, then round up.
    let shifted: Vec<Row> = free
        .iter()
        .map(|r| {
            let fixed: Int = (0..=rank).map(|i| r.get(i) * &point[i]).sum();
            let slack: Int = (rank + 1..=n)
                .map(|i| r.get(i))
                .filter(Int::is_negative)
                .sum();
            let mut row = r.without(0, rank);
            row.set(0, fixed + slack);
            row
        })
        .collect();
    point.extend(widen(&RoundUp {
        ineqs: &shifted,
        n: n - rank,
        budget,
    })?);
    Ok(Some(echelon.basis.apply(&point)))
}

fn without_constant(row: &Row) -> Row {
    let mut row = row.clone();
    row.set(0, Int::ZERO);
    row
}

enum Glance {
    Empty,
    Point(Vec<Int>),
    Unknown,
}

/// A rational vertex of all rows.
struct Vertex<'a> {
    eqs: &'a [Row],
    ineqs: &'a [Row],
    n: usize,
    budget: &'a Budget,
}

impl Task for Vertex<'_> {
    type Output = Glance;
    fn run<C: Coefficient>(&self) -> Run<Glance> {
        let mut tableau: Tableau<'_, C> = Tableau::new(self.n, self.budget);
        for row in self.eqs {
            if !tableau.add_eq(&coefficients(row)?)? {
                return Ok(Glance::Empty);
            }
        }
        for row in self.ineqs {
            if !tableau.add_ineq(&coefficients(row)?)? {
                return Ok(Glance::Empty);
            }
        }
        Ok(match tableau.integral_vertex() {
            Some(point) => Glance::Point(with_one(point)),
            None => Glance::Unknown,
        })
    }
}

fn with_one(point: Vec<Int>) -> Vec<Int> {
    std::iter::once(Int::ONE).chain(point).collect()
}

enum Flat {
    Empty,
    Point(Vec<Int>),
    /// The inequalities (by index) that hold with equality on the whole rational set.
    Equalities(Vec<usize>),
}

/// The implicit equalities of inequalities (an integral vertex ends the search for them, unless the rows are a cone's).
struct Implied<'a> {
    ineqs: &'a [Row],
    n: usize,
    budget: &'a Budget,
}

impl Task for Implied<'_> {
    type Output = Flat;
    fn run<C: Coefficient>(&self) -> Run<Flat> {
        let mut tableau: Tableau<'_, C> = Tableau::new(self.n, self.budget);
        let rows: Vec<Vec<C>> = self.ineqs.iter().map(coefficients).collect::<Run<_>>()?;
        let mut slacks = Vec::with_capacity(rows.len());
        for row in &rows {
            if !tableau.add_ineq(row)? {
                return Ok(Flat::Empty);
            }
            slacks.push(tableau.last_slack());
        }
        if rows.iter().any(|r| !r[0].is_zero()) {
            if let Some(point) = tableau.integral_vertex() {
                return Ok(Flat::Point(with_one(point)));
            }
        }
        let mut found = Vec::new();
        for (i, row) in rows.iter().enumerate() {
            if tableau.fix_if_always_zero(slacks[i], row)? {
                found.push(i);
            }
        }
        Ok(Flat::Equalities(found))
    }
}

/// A rational point of rows that are known to have one, rounded up.
struct RoundUp<'a> {
    ineqs: &'a [Row],
    n: usize,
    budget: &'a Budget,
}

impl Task for RoundUp<'_> {
    type Output = Vec<Int>;
    fn run<C: Coefficient>(&self) -> Run<Vec<Int>> {
        let mut tableau: Tableau<'_, C> = Tableau::new(self.n, self.budget);
        for row in self.ineqs {
            let feasible = tableau.add_ineq(&coefficients(row)?)?;
            assert!(
                feasible,
                "constraints on directions of a full-dimensional cone can always be met"
            );
        }
        let ceil = |id| {
            let (num, den) = tableau.value(id);
            num.to_int().div_ceil(&den.to_int())
        };
        Ok((0..self.n).map(ceil).collect())
    }
}

/// The search for an integer point in a bounded set.
struct Search<'a> {
    ineqs: &'a [Row],
    n: usize,
    budget: &'a Budget,
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
            let value = if odd {
                &self.middle + &half
            } else {
                &self.middle - &half
            };
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
        let unit = |i: usize| {
            (0..=n)
                .map(|j| if j == i + 1 { C::one() } else { C::zero() })
                .collect::<Vec<C>>()
        };
        let mut basis: Vec<Vec<C>> = (0..n).map(unit).collect();
        let mut fixed: Vec<Vec<C>> = Vec::with_capacity(n);
        let mut levels: Vec<Level> = Vec::with_capacity(n);
        loop {
            self.budget.spend(1)?;
            if let Some(point) = tableau.integral_vertex() {
                return Ok(Some(with_one(point)));
            }
            let level = levels.len();
            debug_assert!(
                level < n,
                "a unimodular basis fixed at integers leaves an integral vertex"
            );
            let (mut lo, mut hi) = range(&mut tableau, &basis[level])?;
            if &hi - &lo > Int::ONE && level + 1 < n {
                reduce(&rows, &fixed, &mut basis, self.budget)?;
                (lo, hi) = range(&mut tableau, &basis[level])?;
            }
            let middle = (&lo + &hi).div_floor(&Int::from(2));
            levels.push(Level {
                before: tableau.snapshot(),
                lo,
                hi,
                middle,
                tried: Int::ZERO,
            });
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
fn reduce<C: Coefficient>(
    rows: &[Vec<C>],
    fixed: &[Vec<C>],
    basis: &mut [Vec<C>],
    budget: &Budget,
) -> Run<()> {
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
        let (next, slopes) =
            pair.optimize_with_slopes(&difference(&basis[i + 1])?, Sense::Max, &[slack])?;
        pair.rollback(here)?;
        let Optimum::At(next_num, next_den) = next else {
            return Ok(());
        };
        // The optimum grows by slope/den per unit of b_i . (x - y), so the best real mu is -slope/den.
        let slope = slopes[0].neg()?;
        let down = C::from_int(&slope.to_int().div_floor(&next_den.to_int()))?;
        let mut best: Option<(Vec<C>, C, C)> = None;
        let exact = next_den.divides(&slope);
        for mu in [
            Some(down.clone()),
            if exact {
                None
            } else {
                Some(down.add(&C::one())?)
            },
        ]
        .into_iter()
        .flatten()
        {
            let pairs = basis[i + 1].iter().zip(&basis[i]);
            let moved: Vec<C> = pairs
                .map(|(x, y)| C::mul_add(&mu, y, x, &C::one()))
                .collect::<Run<_>>()?;
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

#[cfg(test)]
mod tests {
    use super::{IntOptimum, is_empty, minimize_integer, sample};
    use crate::linalg::Row;
    use crate::solve::testing::{brute_force, system};
    use crate::{Budget, Int, System};
    use proptest::prelude::*;

    #[track_caller]
    fn check_empty(system: &System, expected: bool) {
        let budget = Budget::steps(50_000_000);
        assert_eq!(is_empty(system, &budget), Ok(expected));
    }

    #[test]
    fn parity() {
        check_empty(&system(2, &[&[-1, 2, -2]], &[]), true);
        check_empty(&system(2, &[], &[&[-1, 2, -2], &[1, -2, 2]]), true);
        check_empty(
            &system(2, &[&[-1, 15, 28]], &[&[1 << 60, 1, 0], &[1 << 60, -1, 0]]),
            false,
        );
        check_empty(
            &system(2, &[&[-1, 15, 28]], &[&[-1 << 60, 1, 0], &[-1 << 60, 0, 1]]),
            true,
        );
    }

    #[test]
    fn thin_sets() {
        // 10x - 15y between and on multiples of 5
        check_empty(&system(2, &[], &[&[-5, 10, -15], &[9, -10, 15]]), false);
        check_empty(&system(2, &[], &[&[-6, 10, -15], &[9, -10, 15]]), true);
        // 1000x - 999y = 1 as two inequalities: the points are (1, 1), (1000, 1001), ..
        check_empty(
            &system(
                2,
                &[],
                &[
                    &[-2, 1, 0],
                    &[1000, -1, 0],
                    &[-1, 1000, -999],
                    &[1, -1000, 999],
                ],
            ),
            false,
        );
        check_empty(
            &system(
                2,
                &[],
                &[
                    &[-2, 1, 0],
                    &[999, -1, 0],
                    &[-1, 1000, -999],
                    &[1, -1000, 999],
                ],
            ),
            true,
        );
        // wide but between two lattice lines
        check_empty(
            &system(
                2,
                &[],
                &[
                    &[-1, 4, -4],
                    &[3, -4, 4],
                    &[1_000_000, -1, 0],
                    &[1_000_000, 1, 0],
                ],
            ),
            true,
        );
    }

    #[test]
    fn a_thin_chain() {
        let mut s = system(5, &[], &[&[-1, 1, 0, 0, 0, 0], &[101, -1, 0, 0, 0, 0]]);
        for i in 1..5i64 {
            let mut low = [0; 6];
            let mut high = [0; 6];
            let (a, b) = (i as usize, i as usize + 1);
            (low[0], low[a], low[b]) = (i - 1, 101, -100);
            (high[0], high[a], high[b]) = (i - 1, -101, 102);
            s.push_ineq(Row::from_slice(&low));
            s.push_ineq(Row::from_slice(&high));
        }
        check_empty(&s, false);
        let mut x4 = Row::zero(6);
        x4.set(5, Int::ONE);
        assert_eq!(
            minimize_integer(&s, &x4, &Budget::UNLIMITED),
            Ok(IntOptimum::At(Int::ONE))
        );
    }

    #[test]
    fn thirty_digits() {
        let big: Int = "123456789012345678901234567890".parse().unwrap();
        let mut s = system(2, &[], &[]);
        // big x - (big + 1) y = 1
        let row = Row::from_ints(vec![Int::MINUS_ONE, big.clone(), -(&big + Int::ONE)]);
        s.push_eq(row);
        check_empty(&s, false);
        let mut x = Row::zero(3);
        x.set(1, Int::ONE);
        s.push_ineq(x.clone());
        // x = -1 mod (big + 1), x >= 0
        assert_eq!(
            minimize_integer(&s, &x, &Budget::UNLIMITED),
            Ok(IntOptimum::At(big))
        );
    }

    #[test]
    fn unbounded_without_points() {
        // 3 <= 6x - 9y + 12z <= 5 has no multiple of 3 but 3: exclude it
        check_empty(&system(3, &[], &[&[-4, 6, -9, 12], &[5, -6, 9, -12]]), true);
        check_empty(
            &system(3, &[], &[&[-3, 6, -9, 12], &[5, -6, 9, -12]]),
            false,
        );
        // a lattice-free triangle times a line
        check_empty(
            &system(3, &[], &[&[-1, 3, 3, 0], &[2, -3, 0, 0], &[2, 0, -3, 0]]),
            true,
        );
        check_empty(
            &system(3, &[], &[&[-1, 3, 3, 3], &[2, -3, 0, -5], &[2, 0, -3, 7]]),
            false,
        );
    }

    #[test]
    fn optima() {
        let s = system(1, &[], &[&[-7, 2]]);
        assert_eq!(
            minimize_integer(&s, &Row::from_slice(&[0, 1]), &Budget::UNLIMITED),
            Ok(IntOptimum::At(Int::from(4)))
        );
        assert_eq!(
            minimize_integer(&s, &Row::from_slice(&[0, -1]), &Budget::UNLIMITED),
            Ok(IntOptimum::Unbounded)
        );
    }

    #[test]
    fn a_spent_budget_is_an_error() {
        let s = system(
            2,
            &[],
            &[&[-1, 4, -4], &[3, -4, 4], &[100, -1, 0], &[100, 1, 0]],
        );
        assert!(is_empty(&s, &Budget::steps(3)).is_err());
    }

    fn rows(n: usize, max: usize) -> impl Strategy<Value = Vec<Vec<i64>>> {
        let row = (-12i64..13, proptest::collection::vec(-7i64..8, n)).prop_map(|(c, mut a)| {
            a.insert(0, c);
            a
        });
        proptest::collection::vec(row, 0..max)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn boxes_agree_with_brute_force(eqs in rows(3, 2), ineqs in rows(3, 5)) {
            let mut s = system(3, &[], &[]);
            eqs.iter().for_each(|r| s.push_eq(Row::from_slice(r)));
            ineqs.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
            for i in 1..4 {
                for sign in [1, -1] {
                    let mut row = [4, 0, 0, 0];
                    row[i] = sign;
                    s.push_ineq(Row::from_slice(&row));
                }
            }
            let points = brute_force(&s, 4);
            let found = sample(&s, &Budget::UNLIMITED).unwrap();
            prop_assert_eq!(found.is_none(), points.is_empty());
            if let Some(p) = found {
                prop_assert!(s.contains(&p));
            }
            let objective = Row::from_slice(&[0, 3, -2, 1]);
            let best = points.iter().map(|p| objective.dot(p)).min();
            let answer = minimize_integer(&s, &objective, &Budget::UNLIMITED).unwrap();
            prop_assert_eq!(answer, best.map_or(IntOptimum::Empty, IntOptimum::At));
        }

        #[test]
        fn unbounded_sets_have_all_brute_force_points(eqs in rows(3, 2), ineqs in rows(3, 5)) {
            let mut s = system(3, &[], &[]);
            eqs.iter().for_each(|r| s.push_eq(Row::from_slice(r)));
            ineqs.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
            match sample(&s, &Budget::UNLIMITED).unwrap() {
                Some(p) => prop_assert!(s.contains(&p)),
                None => prop_assert!(brute_force(&s, 8).is_empty()),
            }
        }
    }
}
