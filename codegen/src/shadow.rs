//! Bounds without inner quantities: rational Fourier-Motzkin elimination with integer tightening.
//!
//! Loop bounds may be loose (a guard inside is exact), so the real shadow is enough here: every integer point of the system
//! satisfies the rows that are left.

use std::collections::BTreeMap;

use loopwright_presburger::linalg::Row;
use loopwright_presburger::solve::redundant::remove_redundant;
use loopwright_presburger::{Budget, BudgetSpent, Columns, Int, System};

/// Equalities `row . x = 0` and inequalities `row . x >= 0`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rows {
    pub eqs: Vec<Row>,
    pub ineqs: Vec<Row>,
}

/// Before an elimination would leave more rows than this, those that the others imply go.
const MANY_ROWS: usize = 100;

/// More rows than this are not made: of the combinations those with the smallest numbers stay.
const MOST_ROWS: usize = 400;

/// Eliminates the columns. The result is implied by the input.
pub(crate) fn eliminate(mut rows: Rows, columns: &[usize], budget: &Budget) -> Result<Rows, BudgetSpent> {
    let mut left: Vec<usize> = columns.to_vec();
    rows = tidy(rows);
    // cheapest first: an equality, else the fewest combinations
    while !left.is_empty() {
        let cost = |&col: &usize| {
            let in_equality = rows.eqs.iter().any(|r| !r.is_zero_at(col));
            let lower = rows.ineqs.iter().filter(|r| r.sign(col) > 0).count();
            let upper = rows.ineqs.iter().filter(|r| r.sign(col) < 0).count();
            if in_equality { 0 } else { 1 + lower * upper }
        };
        let (position, _) = left.iter().enumerate().min_by_key(|(_, col)| cost(col)).unwrap_or((0, &0));
        let col = left.swap_remove(position);
        budget.spend(rows.eqs.len() as u64 + rows.ineqs.len() as u64 + 1)?;
        rows = tidy(eliminate_one(rows, col, budget)?);
    }
    Ok(rows)
}

fn eliminate_one(rows: Rows, col: usize, budget: &Budget) -> Result<Rows, BudgetSpent> {
    let pivot = rows.eqs.iter().enumerate().filter(|(_, r)| !r.is_zero_at(col)).min_by_key(|(_, r)| r.get(col).abs());
    if let Some((at, pivot)) = pivot.map(|(at, row)| (at, row.clone())) {
        let eqs = rows.eqs.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, r)| r.eliminate(col, &pivot)).collect();
        let ineqs = rows.ineqs.iter().map(|r| r.eliminate(col, &pivot)).collect();
        return Ok(Rows { eqs, ineqs });
    }
    let count = |sign| rows.ineqs.iter().filter(|r| r.sign(col) == sign).count();
    let rows = if count(0) + count(1) * count(-1) > MANY_ROWS { irredundant(rows, budget)? } else { rows };
    let (with, mut ineqs): (Vec<Row>, Vec<Row>) = rows.ineqs.into_iter().partition(|r| !r.is_zero_at(col));
    let (lower, upper): (Vec<Row>, Vec<Row>) = with.into_iter().partition(|r| r.sign(col) > 0);
    budget.spend((lower.len() * upper.len()) as u64)?;
    let mut combined: Vec<Row> = Vec::with_capacity(lower.len() * upper.len());
    for a in &lower {
        for b in &upper {
            combined.push(a.combine(&b.get(col).abs(), b, &a.get(col)));
        }
    }
    if ineqs.len() + combined.len() > MOST_ROWS {
        let largest = |row: &Row| (1..row.len()).map(|k| row.get(k).abs()).max();
        combined.sort_by_cached_key(largest);
        combined.truncate(MOST_ROWS.saturating_sub(ineqs.len()));
    }
    ineqs.extend(combined);
    Ok(Rows { eqs: rows.eqs, ineqs })
}

/// The rows without inequalities that the others imply; all of them where there is no point, and nothing to enumerate.
fn irredundant(rows: Rows, budget: &Budget) -> Result<Rows, BudgetSpent> {
    let Some(width) = rows.ineqs.first().map(Row::len) else { return Ok(rows) };
    let mut system = System::universe(Columns { range: width - 1, ..Columns::default() });
    rows.eqs.iter().for_each(|row| system.push_eq(row.clone()));
    rows.ineqs.iter().for_each(|row| system.push_ineq(row.clone()));
    Ok(match remove_redundant(&system, budget)? {
        Some(kept) => Rows { eqs: rows.eqs, ineqs: kept.ineqs().to_vec() },
        None => rows,
    })
}

/// Divides by common factors (inequalities tighten), drops what always holds, keeps the tightest of parallel rows.
pub(crate) fn tidy(rows: Rows) -> Rows {
    let mut eqs: Vec<Row> = Vec::new();
    for row in rows.eqs {
        let n = row.len();
        if row.is_zero_in(0..n) {
            continue;
        }
        let g = row.gcd_in(0..n);
        let row = row.div_exact(&g);
        if !eqs.contains(&row) && !eqs.contains(&row.neg()) {
            eqs.push(row);
        }
    }
    let mut order: Vec<Row> = Vec::new();
    let mut tightest: BTreeMap<Vec<Int>, Int> = BTreeMap::new();
    for row in rows.ineqs {
        let n = row.len();
        let g = row.gcd_in(1..n);
        if g.is_zero() {
            if row.sign(0) < 0 {
                order.push(row);
            }
            continue;
        }
        let constant = row.get(0).div_floor(&g);
        let mut normal = row.clone();
        normal.set(0, Int::ZERO);
        let normal = normal.div_exact(&g);
        match tightest.get_mut(&normal.to_ints()) {
            Some(old) => {
                if constant < *old {
                    *old = constant;
                }
            }
            None => {
                tightest.insert(normal.to_ints(), constant);
                order.push(normal);
            }
        }
    }
    let ineqs = order.into_iter().map(|mut row| {
        if let (true, Some(constant)) = (row.is_zero_at(0), tightest.get(&row.to_ints())) {
            row.set(0, constant.clone());
        }
        row
    });
    Rows { eqs, ineqs: ineqs.collect() }
}

#[cfg(test)]
mod tests {
    use super::{Rows, eliminate};
    use loopwright_presburger::linalg::Row;
    use loopwright_presburger::{Budget, Int};

    #[test]
    fn many_bounds_still_bound() {
        // y between the tangents of x^2 - 900 and of 900 - x^2: 61 bounds on either side, none of them redundant
        let tangents = (-30..=30i64).map(|k| [900 + k * k, -2 * k]);
        let ineqs = tangents.flat_map(|[c, x]| [Row::from_slice(&[c, x, 1]), Row::from_slice(&[c, x, -1])]).collect();
        let shadow = eliminate(Rows { eqs: Vec::new(), ineqs }, &[2], &Budget::UNLIMITED).unwrap();
        assert!(shadow.ineqs.iter().any(|row| row.sign(1) > 0) && shadow.ineqs.iter().any(|row| row.sign(1) < 0));
        for x in -30..=30 {
            let point = [Int::ONE, Int::from(x), Int::ZERO];
            assert!(shadow.ineqs.iter().all(|row| !row.dot(&point).is_negative()), "{x}");
        }
    }
}
