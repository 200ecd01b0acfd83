//! Redundant inequalities and implicit equalities of a system, by linear programs on one shared tableau.
//!
//! An inequality is dropped when the others keep it above -1: its rows are integral, so it then holds at every integer point.
//! Likewise an inequality that stays below 1 is an equality on all integer points.
//!
//! ```text
//! remove_redundant([x] : x >= 0, 2x >= -1, x <= 9)   = [x] : x >= 0, x <= 9
//! implicit_equalities([x, y] : x >= y, 2x <= 2y + 1)  = [x, y] : x = y
//! ```

use super::coefficient::{Coefficient, Run, Task, widen};
use super::tableau::{Sense, Tableau, coefficients};
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, System};

/// The system without the inequalities that follow from its other rows (and from the definitions of its divs), or `None` if no
/// rational point satisfies it. Cost: one linear program per inequality.
///
/// # Errors
/// [`BudgetSpent`].
pub fn remove_redundant(system: &System, budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    remove_redundant_in(system, &[], budget)
}

/// Like [`remove_redundant`], with further inequalities taken for granted: what `context` implies is dropped too (a gist).
///
/// # Errors
/// [`BudgetSpent`].
pub fn remove_redundant_in(system: &System, context: &[Row], budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    let kept = widen(&Redundant { system, context, budget })?;
    Ok(kept.map(|keep| {
        let rows = system.ineqs().iter().zip(keep).filter(|(_, keep)| *keep);
        system.with_rows(system.eqs().to_vec(), rows.map(|(row, _)| row.clone()).collect())
    }))
}

/// The system with every inequality that holds with equality on all its integer points (as far as linear programs can tell) among
/// the equalities, the bounds of known divs included; `None` if it turns out to be empty.
///
/// # Errors
/// [`BudgetSpent`].
pub fn implicit_equalities(system: &System, budget: &Budget) -> Result<Option<System>, BudgetSpent> {
    let bounds: Vec<Row> = (0..system.columns().divs).filter_map(|i| system.div_bounds(i)).flatten().collect();
    let Some(equal) = widen(&Implicit { system, bounds: &bounds, budget })? else {
        return Ok(None);
    };
    let candidates = system.ineqs().iter().chain(&bounds);
    let mut eqs = system.eqs().to_vec();
    eqs.extend(candidates.zip(&equal).filter(|(_, equal)| **equal).map(|(row, _)| row.clone()));
    let ineqs = system.ineqs().iter().zip(&equal).filter(|(_, equal)| !**equal).map(|(row, _)| row.clone()).collect();
    Ok(Some(system.with_rows(eqs, ineqs)))
}

struct Redundant<'a> {
    system: &'a System,
    context: &'a [Row],
    budget: &'a Budget,
}

impl Task for Redundant<'_> {
    /// Which inequalities to keep.
    type Output = Option<Vec<bool>>;
    fn run<C: Coefficient>(&self) -> Run<Self::Output> {
        let n = self.system.columns().len() - 1;
        let mut tableau: Tableau<'_, C> = Tableau::new(n, self.budget);
        for row in self.system.eqs() {
            if !tableau.add_eq(&coefficients(row)?)? {
                return Ok(None);
            }
        }
        let bounds = (0..self.system.columns().divs).filter_map(|i| self.system.div_bounds(i)).flatten();
        for row in bounds.chain(self.context.iter().cloned()) {
            if !tableau.add_ineq(&coefficients(&row)?)? {
                return Ok(None);
            }
        }
        let rows: Vec<Vec<C>> = self.system.ineqs().iter().map(coefficients).collect::<Run<_>>()?;
        let mut slacks = Vec::with_capacity(rows.len());
        for row in &rows {
            if !tableau.add_ineq(row)? {
                return Ok(None);
            }
            slacks.push(tableau.last_slack());
        }
        // Later rows go first: of two equal rows the first stays.
        let mut keep = vec![true; rows.len()];
        for (i, row) in rows.iter().enumerate().rev() {
            keep[i] = !tableau.drop_if_redundant(slacks[i], row)?;
        }
        Ok(Some(keep))
    }
}

struct Implicit<'a> {
    system: &'a System,
    bounds: &'a [Row],
    budget: &'a Budget,
}

impl Task for Implicit<'_> {
    /// Which inequalities (the bounds of divs last) are equalities.
    type Output = Option<Vec<bool>>;
    fn run<C: Coefficient>(&self) -> Run<Self::Output> {
        let n = self.system.columns().len() - 1;
        let mut tableau: Tableau<'_, C> = Tableau::new(n, self.budget);
        for row in self.system.eqs() {
            if !tableau.add_eq(&coefficients(row)?)? {
                return Ok(None);
            }
        }
        let rows: Vec<Vec<C>> = self.system.ineqs().iter().chain(self.bounds).map(coefficients).collect::<Run<_>>()?;
        for row in &rows {
            if !tableau.add_ineq(row)? {
                return Ok(None);
            }
        }
        let mut equal = vec![false; rows.len()];
        loop {
            let before = equal.iter().filter(|e| **e).count();
            for (i, row) in rows.iter().enumerate().filter(|(_, r)| r[1..].iter().any(|x| !x.is_zero())) {
                if equal[i] {
                    continue;
                }
                let mut below = row.clone();
                below[0] = below[0].add(&C::one().neg()?)?;
                if !tableau.reaches_zero(&below, Sense::Max)? {
                    equal[i] = true;
                    if !tableau.add_eq(row)? {
                        return Ok(None);
                    }
                }
            }
            // A new equality may cut off the rational point that kept an earlier inequality apart.
            if equal.iter().filter(|e| **e).count() == before {
                return Ok(Some(equal));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{implicit_equalities, remove_redundant};
    use crate::Budget;
    use crate::linalg::Row;
    use crate::solve::testing::{brute_force, system};
    use proptest::prelude::*;

    #[track_caller]
    fn check_kept(rows: &[&[i64]], kept: &[usize]) {
        let s = system(rows[0].len() - 1, &[], rows);
        let out = remove_redundant(&s, &Budget::UNLIMITED).unwrap().unwrap();
        let expected: Vec<Row> = kept.iter().map(|&i| Row::from_slice(rows[i])).collect();
        assert_eq!(out.ineqs(), expected);
    }

    #[test]
    fn dominated_rows_go() {
        check_kept(&[&[0, 1], &[1, 2], &[9, -1]], &[0, 2]);
        check_kept(&[&[0, 1], &[0, 1]], &[0]);
        check_kept(&[&[0, 1, 0], &[0, 0, 1], &[5, 1, 1]], &[0, 1]);
        check_kept(&[&[0, 1, 0], &[0, 0, 1], &[-5, 1, 1]], &[0, 1, 2]);
    }

    #[test]
    fn opposite_rows_become_equalities() {
        let s = system(2, &[], &[&[0, 1, -1], &[1, -2, 2], &[5, 1, 0]]);
        let out = implicit_equalities(&s, &Budget::UNLIMITED).unwrap().unwrap();
        assert_eq!((out.eqs().len(), out.ineqs().len()), (1, 2));
        assert!(implicit_equalities(&system(1, &[], &[&[-1, 1], &[0, -1]]), &Budget::UNLIMITED).unwrap().is_none());
        assert!(remove_redundant(&system(1, &[], &[&[-1, 1], &[0, -1]]), &Budget::UNLIMITED).unwrap().is_none());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]
        #[test]
        fn the_points_stay(rows in proptest::collection::vec(proptest::collection::vec(-5i64..6, 4), 0..8)) {
            let mut s = system(3, &[], &[]);
            rows.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
            let points = brute_force(&s, 4);
            match remove_redundant(&s, &Budget::UNLIMITED).unwrap() {
                Some(out) => prop_assert_eq!(&brute_force(&out, 4), &points),
                None => prop_assert!(points.is_empty()),
            }
            match implicit_equalities(&s, &Budget::UNLIMITED).unwrap() {
                Some(out) => prop_assert_eq!(&brute_force(&out, 4), &points),
                None => prop_assert!(points.is_empty()),
            }
        }
    }
}
