//! The affine hull of the integer points of a system, by sampling.
//!
//! Start with one integer point and the equations that describe it. For an equation `e = 0`, look for an integer point with `e >= 1`
//! or `e <= -1`: if there is none, the equation belongs to the hull; if there is one, combine the remaining equations so that they
//! hold at the new point as well and drop `e`. Each step settles one equation. (Karr, "Affine relationships among variables of a
//! program", 1976, describes the join; the points come from [`super::sample`].)

use super::redundant::implicit_equalities;
use super::sample::sample;
use crate::linalg::Row;
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
    let Some(mut rest) = implicit_equalities(system, budget)? else {
        return Ok(None);
    };
    let Some(first) = sample(&rest, budget)? else {
        return Ok(None);
    };
    let width = system.columns().len();
    let mut open: Vec<Row> = (1..width)
        .map(|i| {
            let mut row = Row::zero(width);
            row.set(i, Int::ONE);
            row.set(0, -&first[i]);
            row
        })
        .collect();
    let mut proven: Vec<Row> = Vec::new();
    // Equations that are known hold at every point that turns up, so combining the others never loses them.
    while let Some(equation) = open.pop() {
        budget.spend(width as u64)?;
        match point_off(&rest, &equation, budget)? {
            None => {
                rest.push_eq(equation.clone());
                proven.push(equation);
            }
            Some(point) => {
                let off = equation.dot(&point);
                for row in &mut open {
                    let value = row.dot(&point);
                    if !value.is_zero() {
                        let g = off.gcd(&value);
                        let combined = row.combine(&off.div_exact(&g), &equation, &-value.div_exact(&g));
                        *row = combined.div_exact(&combined.gcd_in(0..width));
                    }
                }
            }
        }
    }
    proven.reverse();
    Ok(Some(proven))
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
    use super::affine_hull;
    use crate::linalg::{Row, hermite};
    use crate::solve::testing::{brute_force, system};
    use crate::{Budget, Int};
    use proptest::prelude::*;

    /// The dimension of the affine hull of points `(1, x)`.
    fn dimension(points: &[Vec<Int>]) -> Option<usize> {
        let first = points.first()?;
        let n = first.len() - 1;
        let differences: Vec<Row> =
            points.iter().map(|p| Row::from_ints(p.iter().zip(first).map(|(a, b)| a - b).collect())).collect();
        Some(hermite::echelon(&differences, n).rank())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn hull_of_the_points(rows in proptest::collection::vec(proptest::collection::vec(-5i64..6, 4), 0..6)) {
            let mut s = system(3, &[], &[]);
            rows.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
            for i in 1..4 {
                for sign in [1, -1] {
                    let mut row = [3, 0, 0, 0];
                    row[i] = sign;
                    s.push_ineq(Row::from_slice(&row));
                }
            }
            let points = brute_force(&s, 3);
            let hull = affine_hull(&s, &Budget::UNLIMITED).unwrap();
            prop_assert_eq!(hull.as_ref().map(|h| 3 - h.len()), dimension(&points));
            for row in hull.into_iter().flatten() {
                prop_assert!(points.iter().all(|p| row.dot(p).is_zero()));
            }
        }
    }
}
