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

mod search;
#[cfg(test)]
mod tests;

use super::coefficient::{Coefficient, Run, Task, widen};
use super::simplex::{self, Lp};
use super::tableau::{Tableau, coefficients};
use crate::linalg::{Row, hermite};
use crate::{Budget, BudgetSpent, Int, System};
use search::Search;

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
    let point = find(closed.eqs(), closed.ineqs(), closed.columns().len() - 1, budget)?;
    debug_assert!(point.as_ref().is_none_or(|p| system.contains(p)), "a sample satisfies its system");
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
pub fn minimize_integer(system: &System, objective: &Row, budget: &Budget) -> Result<IntOptimum, BudgetSpent> {
    let bound = match simplex::minimize(system, objective, budget)? {
        Lp::Empty => return Ok(IntOptimum::Empty),
        Lp::Unbounded => {
            // The direction of descent is rational, so some multiple of it is integral: any integer point slides along it.
            let empty = is_empty(system, budget)?;
            return Ok(if empty { IntOptimum::Empty } else { IntOptimum::Unbounded });
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
        step *= Int::from(2);
    }
    Ok(IntOptimum::At(some))
}

/// `max { objective . x : x in system }` over the integers.
///
/// # Errors
/// [`BudgetSpent`].
pub fn maximize_integer(system: &System, objective: &Row, budget: &Budget) -> Result<IntOptimum, BudgetSpent> {
    Ok(match minimize_integer(system, &objective.neg(), budget)? {
        IntOptimum::At(value) => IntOptimum::At(-value),
        other => other,
    })
}

/// An integer point `(1, x)` of rows over `(1, x_1 .. x_n)`.
fn find(eqs: &[Row], ineqs: &[Row], n: usize, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    match widen(&Vertex { eqs, ineqs, n, budget })? {
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
        match widen(&Implied { ineqs: &ineqs, n, budget })? {
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
    path.iter().rev().fold(point, |p, solutions| solutions.point(&p))
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
        let parallel = out.iter_mut().find(|r| (1..r.len()).all(|i| r.get(i) == tight.get(i)));
        match parallel {
            Some(other) if tight.get(0) < other.get(0) => *other = tight,
            Some(_) => {}
            None => out.push(tight),
        }
    }
    Some(out)
}

/// An integer point of inequalities whose rational set has full dimension.
fn full_dimensional(ineqs: &[Row], n: usize, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    // The recession cone is { d : a . d >= 0 }; the rows that are 0 on all of it span the bounded directions.
    let cone: Vec<Row> = ineqs.iter().map(without_constant).collect();
    let Flat::Equalities(flat) = widen(&Implied { ineqs: &cone, n, budget })? else {
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
    let (bounded, free): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|r| r.is_zero_in(rank + 1..n + 1));
    let bounded: Vec<Row> = bounded.iter().map(|r| r.without(rank + 1, n - rank)).collect();
    let mut point = if rank == 0 {
        vec![Int::ONE]
    } else {
        match widen(&Search { ineqs: &bounded, n: rank, budget })? {
            Some(point) => point,
            None => return Ok(None),
        }
    };
    // Shift the remaining constraints so that a unit box fits above every solution, then round up.
    let shifted: Vec<Row> = free
        .iter()
        .map(|r| {
            let fixed: Int = (0..=rank).map(|i| r.get(i) * &point[i]).sum();
            let slack: Int = (rank + 1..=n).map(|i| r.get(i)).filter(Int::is_negative).sum();
            let mut row = r.without(0, rank);
            row.set(0, fixed + slack);
            row
        })
        .collect();
    point.extend(widen(&RoundUp { ineqs: &shifted, n: n - rank, budget })?);
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
        let is_cone = rows.iter().all(|r| r[0].is_zero());
        let vertex = if is_cone { None } else { tableau.integral_vertex() };
        if let Some(point) = vertex {
            return Ok(Flat::Point(with_one(point)));
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
            assert!(feasible, "constraints on directions of a full-dimensional cone can always be met");
        }
        let ceil = |id| {
            let (num, den) = tableau.value(id);
            num.to_int().div_ceil(&den.to_int())
        };
        Ok((0..self.n).map(ceil).collect())
    }
}
