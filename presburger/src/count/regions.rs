//! Sums of overlapping pieces as disjoint ones: the regions that the constraints of all pieces cut.
//!
//! A region is a conjunction on which every piece is known to be present or absent. One constraint at a time is decided: it holds on
//! the region, fails on it, or cuts it in two (an equality in three). Regions are convex (up to divisions), disjoint by
//! construction, and never empty; those with the sum zero are left out.

use crate::linalg::Row;
use crate::relation::engines;
use crate::system::RowKind;
use crate::{Budget, BudgetSpent, Int, QPolynomial, Set, Space, System, solve};

/// A constraint of a piece over the common columns.
type Atom = (RowKind, Row);

#[derive(Clone)]
struct Region {
    system: System,
    /// The sum of the pieces that are present.
    sum: QPolynomial,
    /// Pieces that may be present, each with the constraints that are open.
    open: Vec<(Vec<Atom>, usize)>,
}

/// The sum of `values` on `domains` (with known divs) as disjoint pieces.
pub(super) fn disjoint_sum(
    space: &Space,
    pieces: &[(System, QPolynomial)],
    budget: &Budget,
) -> Result<Vec<(Set, QPolynomial)>, BudgetSpent> {
    let [first, ..] = pieces else { return Ok(Vec::new()) };
    let (frame, systems) = common_frame(pieces);
    let zero = QPolynomial::zero(first.1.domain_space());
    let atoms = |s: &System| -> Vec<Atom> {
        let eqs = s.eqs().iter().map(|r| (RowKind::Eq, r.clone()));
        eqs.chain(s.ineqs().iter().map(|r| (RowKind::Ineq, r.clone()))).collect()
    };
    let open = systems.iter().enumerate().map(|(i, s)| (atoms(s), i)).collect();
    let mut stack = vec![Region { system: frame, sum: zero, open }];
    let mut out: Vec<(Vec<System>, QPolynomial)> = Vec::new();
    while let Some(mut region) = stack.pop() {
        budget.spend(1 + region.open.len() as u64)?;
        let (done, open): (Vec<_>, Vec<_>) = region.open.into_iter().partition(|(atoms, _)| atoms.is_empty());
        region.sum = done.iter().fold(region.sum, |sum, (_, i)| sum.add(&pieces[*i].1));
        region.open = open;
        let Some((kind, row)) = region.open.first().and_then(|(atoms, _)| atoms.first().cloned()) else {
            if !region.sum.is_obviously_zero() {
                let system = solve::redundant::remove_redundant(&region.system, budget)?.unwrap_or(region.system);
                match out.iter_mut().find(|(_, sum)| *sum == region.sum) {
                    Some((systems, _)) => systems.push(system),
                    None => out.push((vec![system], region.sum)),
                }
            }
            continue;
        };
        let mut inside = region.clone();
        push(&mut inside.system, kind, &row);
        if engines::is_empty(&inside.system, budget)? {
            region.open.retain(|(atoms, _)| !atoms.iter().any(|(k, r)| *k == kind && *r == row));
            stack.push(region);
            continue;
        }
        let forget = |atoms: &mut Vec<Atom>| atoms.retain(|(k, r)| *k != kind || *r != row);
        inside.open.iter_mut().for_each(|(atoms, _)| forget(atoms));
        let sides = if kind == RowKind::Eq { vec![row.clone(), row.neg()] } else { vec![row.neg()] };
        let mut cuts = false;
        for mut side in sides {
            side.add_at(0, &Int::MINUS_ONE);
            let mut outside = region.clone();
            push(&mut outside.system, RowKind::Ineq, &side);
            if !engines::is_empty(&outside.system, budget)? {
                cuts = true;
                outside.open.retain(|(atoms, _)| !atoms.iter().any(|(k, r)| *k == kind && *r == row));
                stack.push(outside);
            }
        }
        if !cuts {
            // The constraint holds on the whole region and need not be written.
            inside.system = region.system;
        }
        stack.push(inside);
    }
    Ok(out.into_iter().map(|(systems, sum)| (Set::from_systems(space.clone(), systems), sum)).collect())
}

fn push(system: &mut System, kind: RowKind, row: &Row) {
    system.push(kind, row.clone());
}

/// A system without rows that has the divisions of all pieces, and the pieces over its columns.
fn common_frame(pieces: &[(System, QPolynomial)]) -> (System, Vec<System>) {
    use crate::func::divs::{Divs, Expr, pad};
    let columns = pieces[0].0.columns().with_divs(0);
    let mut pool = Divs::new(columns.len());
    let mut moved: Vec<(Vec<Row>, Vec<Row>)> = Vec::new();
    for (system, _) in pieces {
        let mut images: Vec<Expr> = (0..columns.len()).map(|c| pool.column(c)).collect();
        let divs: Vec<crate::Div> = system.divs().iter().flatten().cloned().collect();
        debug_assert_eq!(divs.len(), system.columns().divs, "divs are known");
        pool.import(&divs, &mut images);
        let row = |r: &Row| pool.linear(r, &images).num;
        moved.push((system.eqs().iter().map(row).collect(), system.ineqs().iter().map(row).collect()));
    }
    let frame = pool.to_system(columns);
    let width = pool.width();
    let wide = |rows: Vec<Row>| rows.iter().map(|r| pad(r, width)).collect();
    let systems = moved.into_iter().map(|(eqs, ineqs)| frame.with_rows(wide(eqs), wide(ineqs))).collect();
    (frame, systems)
}
