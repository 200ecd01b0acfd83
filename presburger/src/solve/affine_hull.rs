//! The affine hull of the integer points of a system, by sampling.
//!
//! Start with one integer point and the equations that describe it. Its neighbours in the system, and theirs, cost no search: an
//! equation that fails at one is dropped, and the others are combined with it so that they hold there as well. For an equation `e = 0`
//! that is left and does not follow from the system's own, look for an integer point with `e >= 1` or `e <= -1`: if there is none,
//! the equation belongs to the hull. Each step settles one equation. (Karr, "Affine relationships among variables of a
//! program", 1976, describes the join; the points come from [`super::sample`].)

use super::redundant::implicit_equalities;
use super::sample::sample;
use crate::linalg::{Row, hermite};
use crate::{Budget, BudgetSpent, Int, System};

/// Equations over all columns (divs included) of the smallest affine space that holds every integer point of the system, or `None`
/// if there is no integer point. The equations are linearly independent. Cost: at most two emptiness questions per column.
///
/// ```
/// use loopwright_presburger::{Budget, Columns, System, linalg::Row, solve::affine_hull::affine_hull};
/// let mut s = System::universe(Columns { range: 2, ..Columns::default() });
/// s.push_ineq(Row::from_slice(&[1, 4, -4])); // -1 <= 4x - 4y <= 1
/// s.push_ineq(Row::from_slice(&[1, -4, 4]));
/// let hull = affine_hull(&s, &Budget::UNLIMITED)?.unwrap();
/// assert_eq!(hull.len(), 1);
/// assert!(hull[0].is_zero_at(0));
/// # Ok::<(), loopwright_presburger::BudgetSpent>(())
/// ```
/// # Errors
/// [`BudgetSpent`].
pub fn affine_hull(system: &System, budget: &Budget) -> Result<Option<Vec<Row>>, BudgetSpent> {
    let Some(point) = sample(system, budget)? else {
        return Ok(None);
    };
    let width = system.columns().len();
    let mut known = Span::default();
    system.eqs().iter().for_each(|row| known.push(row));
    // The system's equations, and those of the point that complete them.
    let rows: Vec<Row> = known.rows().cloned().collect();
    let mut equations = Equations { settled: rows.len(), rows };
    equations.rows.extend((1..width).filter(|&col| !known.has_pivot(col)).map(|col| {
        let mut row = Row::zero(width);
        row.set(col, Int::ONE);
        row.set(0, -&point[col]);
        row
    }));
    equations.explore(system, &point);
    equations.settle(system, known, budget)?;
    Ok(Some(equations.rows))
}

/// Those combinations of independent equations that hold at every integer point of the system as well.
///
/// # Errors
/// [`BudgetSpent`].
pub(crate) fn join(equations: Vec<Row>, system: &System, budget: &Budget) -> Result<Vec<Row>, BudgetSpent> {
    let mut known = Span::default();
    system.eqs().iter().for_each(|row| known.push(row));
    if equations.iter().all(|row| known.contains(row)) {
        return Ok(equations);
    }
    let mut equations = Equations { settled: 0, rows: equations };
    if let Some(point) = sample(system, budget)? {
        equations.meet(&point);
        equations.explore(system, &point);
        equations.settle(system, known, budget)?;
    }
    Ok(equations.rows)
}

/// Independent equations that hold at all points met so far.
struct Equations {
    rows: Vec<Row>,
    // So many of the first hold at all points.
    settled: usize,
}

impl Equations {
    /// Drops what does not hold at the point: one equation at most, the others are corrected by it.
    fn meet(&mut self, point: &[Int]) {
        let Some(k) = self.rows.iter().rposition(|row| !row.dot(point).is_zero()) else { return };
        let pivot = self.rows.remove(k);
        let off = pivot.dot(point);
        for row in &mut self.rows[..k] {
            let value = row.dot(point);
            if !value.is_zero() {
                let g = off.gcd(&value);
                let mixed = row.combine(&off.div_exact(&g), &pivot, &-value.div_exact(&g));
                *row = mixed.div_exact(&mixed.gcd_in(0..mixed.len()));
            }
        }
    }

    /// Meets the neighbours of a point: steps along the lattice of the system's equations, of length 1 and of the denominators.
    fn explore(&mut self, system: &System, point: &[Int]) {
        let n = system.columns().len() - 1;
        if self.rows.len() == self.settled {
            return;
        }
        let Some(lattice) = hermite::solve(system.eqs(), n) else { return };
        let mut lengths = vec![Int::ONE];
        lengths.extend(system.divs().iter().flatten().map(|div| div.den.clone()));
        lengths.sort_unstable();
        lengths.dedup();
        for axis in 1..=lattice.free() {
            let step: Vec<Int> = (0..=n).map(|i| if i == 0 { Int::ZERO } else { lattice.unknowns.get(i, axis) }).collect();
            'lengths: for length in &lengths {
                for sign in [Int::ONE, Int::MINUS_ONE] {
                    let by = length * &sign;
                    let mut near: Vec<Int> = point.iter().zip(&step).map(|(p, s)| p + &(s * &by)).collect();
                    for (i, div) in system.divs().iter().enumerate() {
                        if let Some(div) = div {
                            near[system.columns().div(i)] = div.num.dot(&near).div_floor(&div.den);
                        }
                    }
                    if system.contains(&near) {
                        self.meet(&near);
                        if *length == Int::ONE {
                            break 'lengths;
                        }
                        break;
                    }
                }
            }
        }
    }

    /// Decides all equations. `known` is what the system's equations say.
    fn settle(&mut self, system: &System, mut known: Span, budget: &Budget) -> Result<(), BudgetSpent> {
        if self.rows.len() == self.settled {
            return Ok(());
        }
        let Some(mut rest) = implicit_equalities(system, budget)? else { return Ok(()) };
        rest.eqs().iter().for_each(|row| known.push(row));
        // From the last to the first; those from `open` on hold.
        let mut open = self.rows.len();
        while open > self.settled {
            let row = &self.rows[open - 1];
            budget.spend(row.len() as u64)?;
            if known.contains(row) {
                open -= 1;
            } else if let Some(point) = point_off(&rest, row, budget)? {
                let before = self.rows.len();
                self.meet(&point);
                self.explore(system, &point);
                open -= before - self.rows.len();
            } else {
                rest.push_eq(row.clone());
                known.push(row);
                open -= 1;
            }
        }
        Ok(())
    }
}

/// The equations that follow from some, as rows that are eliminated from each other.
#[derive(Default)]
struct Span {
    // Each row with a column in which no later row has an entry.
    pivots: Vec<(usize, Row)>,
}

impl Span {
    /// Adds an equation, if it says something new.
    fn push(&mut self, row: &Row) {
        let rest = self.reduce(row);
        if let Some(col) = rest.first_nonzero(1..rest.len()) {
            self.pivots.push((col, rest));
        }
    }

    /// Whether the equation follows.
    fn contains(&self, row: &Row) -> bool {
        let rest = self.reduce(row);
        rest.is_zero_in(0..rest.len())
    }

    fn rows(&self) -> impl Iterator<Item = &Row> {
        self.pivots.iter().map(|(_, row)| row)
    }

    fn has_pivot(&self, col: usize) -> bool {
        self.pivots.iter().any(|(pivot, _)| *pivot == col)
    }

    fn reduce(&self, row: &Row) -> Row {
        let mut rest = row.clone();
        for (col, pivot) in &self.pivots {
            if !rest.is_zero_at(*col) {
                rest = rest.eliminate(*col, pivot);
                let g = rest.gcd_in(0..rest.len());
                if !g.is_zero() {
                    rest = rest.div_exact(&g);
                }
            }
        }
        rest
    }
}

/// An integer point of the system at which `row` is not 0.
fn point_off(system: &System, row: &Row, budget: &Budget) -> Result<Option<Vec<Int>>, BudgetSpent> {
    for mut side in [row.clone(), row.neg()] {
        side.add_at(0, &Int::MINUS_ONE);
        let mut beyond = system.clone();
        beyond.push_ineq(side);
        if let Some(point) = sample(&beyond, budget)? {
            return Ok(Some(point));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::{affine_hull, join};
    use crate::linalg::{Row, hermite};
    use crate::solve::testing::{brute_force, system};
    use crate::{Budget, Div, Int, System};
    use proptest::prelude::*;

    /// The dimension of the affine hull of points `(1, x)`.
    fn dimension(points: &[Vec<Int>]) -> Option<usize> {
        let first = points.first()?;
        let n = first.len() - 1;
        let differences: Vec<Row> =
            points.iter().map(|p| Row::from_ints(p.iter().zip(first).map(|(a, b)| a - b).collect())).collect();
        Some(hermite::echelon(&differences, n).rank())
    }

    fn boxed(rows: &[Vec<i64>], reach: i64) -> System {
        let mut s = system(3, &[], &[]);
        rows.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
        for i in 1..4 {
            for sign in [1, -1] {
                let mut row = [reach, 0, 0, 0];
                row[i] = sign;
                s.push_ineq(Row::from_slice(&row));
            }
        }
        s
    }

    fn rows(count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Vec<i64>>> {
        proptest::collection::vec(proptest::collection::vec(-5i64..6, 4), count)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn hull_of_the_points(rows in rows(0..6)) {
            let s = boxed(&rows, 3);
            let points = brute_force(&s, 3);
            let hull = affine_hull(&s, &Budget::UNLIMITED).unwrap();
            prop_assert_eq!(hull.as_ref().map(|h| 3 - h.len()), dimension(&points));
            for row in hull.into_iter().flatten() {
                prop_assert!(points.iter().all(|p| row.dot(p).is_zero()));
            }
        }

        #[test]
        fn hull_of_two_systems(a in rows(2..7), b in rows(2..7)) {
            let (a, b) = (boxed(&a, 2), boxed(&b, 2));
            let points = [brute_force(&a, 2), brute_force(&b, 2)].concat();
            if let Some(hull) = affine_hull(&a, &Budget::UNLIMITED).unwrap() {
                let hull = join(hull, &b, &Budget::UNLIMITED).unwrap();
                prop_assert_eq!(Some(3 - hull.len()), dimension(&points));
                prop_assert!(hull.iter().all(|row| points.iter().all(|p| row.dot(p).is_zero())));
            }
        }

        // 4 e <= x < 4 e + 4: the neighbours of a point have other divs
        #[test]
        fn hull_with_a_div(rows in rows(1..5), constant in 0i64..4) {
            let mut s = boxed(&rows, 7);
            let num = Row::from_slice(&[constant, 1, 0, 0]);
            s.push_div(Some(Div { num, den: Int::from(4) }));
            s.push_ineq(Row::from_slice(&[1, 1, 0, 1, -4]));
            s.push_ineq(Row::from_slice(&[0, -1, 0, -1, 4]));
            let points: Vec<Vec<Int>> = brute_force_over(&s, 7);
            let hull = affine_hull(&s, &Budget::UNLIMITED).unwrap();
            prop_assert_eq!(hull.as_ref().map(|h| 4 - h.len()), dimension(&points));
            for row in hull.into_iter().flatten() {
                prop_assert!(points.iter().all(|p| row.dot(p).is_zero()));
            }
        }
    }

    /// The points of a system with one known div over three columns.
    fn brute_force_over(system: &System, reach: i64) -> Vec<Vec<Int>> {
        let free = brute_force(&crate::solve::testing::system(3, &[], &[]), reach);
        let Some(Some(div)) = system.divs().first() else { return Vec::new() };
        let full = free.into_iter().map(|mut point| {
            point.push(Int::ZERO);
            point[4] = div.num.dot(&point).div_floor(&div.den);
            point
        });
        full.filter(|point| system.contains(point)).collect()
    }
}
