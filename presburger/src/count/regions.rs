//! Sums of overlapping pieces as disjoint ones: the regions that the constraints of all pieces cut.
//!
//! A region is a conjunction on which every piece is known to be present or absent. One constraint at a time is decided: it holds on
//! the region, fails on it, or cuts it in two (an equality in three). Regions are convex (up to divisions), disjoint by
//! construction, and never empty.

use crate::linalg::Row;
use crate::relation::engines;
use crate::system::RowKind;
use crate::{Budget, BudgetSpent, Dim, Int, Piece, QPolynomial, Set, Space, System, solve};

/// A constraint of a piece over the common columns.
type Atom = (RowKind, Row);

#[derive(Clone)]
struct Region {
    system: System,
    /// The pieces that are present.
    present: Vec<usize>,
    /// Pieces that may be present, each with the constraints that are open.
    open: Vec<(Vec<Atom>, usize)>,
}

/// A region and one of its points: parameters and coordinates.
type Sampled = (System, Vec<Int>, Vec<Int>);

/// A value and the regions where it is known.
struct Group {
    value: QPolynomial,
    regions: Vec<Sampled>,
}

/// The sum of quasi-polynomials on domains with known divs, as disjoint pieces without those where the sum is obviously zero.
/// One expression serves all regions where it is seen to be right.
pub(super) fn disjoint_sum(
    space: &Space,
    pieces: &[(System, QPolynomial)],
    budget: &Budget,
) -> Result<Vec<(Set, QPolynomial)>, BudgetSpent> {
    let [first, ..] = pieces else { return Ok(Vec::new()) };
    let zero = QPolynomial::zero(first.1.domain_space());
    let domains: Vec<&System> = pieces.iter().map(|p| &p.0).collect();
    let n_coords = if zero.domain_space().is_params() { 0 } else { space.dim(Dim::Out) };
    let mut groups: Vec<Group> = Vec::new();
    for (system, present) in regions(&domains, budget)? {
        let value = present.iter().fold(zero.clone(), |sum, &i| sum.add(&pieces[i].1));
        if value.is_obviously_zero() {
            continue;
        }
        let Some(point) = engines::sample(&system, budget)? else { continue };
        let params = point[1..1 + space.dim(Dim::Param)].to_vec();
        let coords = point[1 + params.len()..][..n_coords].to_vec();
        let region = (system, params, coords);
        match fitting(space, &groups, &value, &region, budget)? {
            Some((i, value)) => {
                groups[i].value = value;
                groups[i].regions.push(region);
            }
            None => groups.push(Group { value, regions: vec![region] }),
        }
    }
    let mut out = Vec::with_capacity(groups.len());
    for group in groups {
        let domain = Set::from_systems(space.clone(), group.regions.into_iter().map(|r| r.0));
        out.push((domain.coalesce_within(budget)?, group.value));
    }
    Ok(out)
}

/// The group that a region fits in, and the expression that serves both.
fn fitting(
    space: &Space,
    groups: &[Group],
    value: &QPolynomial,
    region: &Sampled,
    budget: &Budget,
) -> Result<Option<(usize, QPolynomial)>, BudgetSpent> {
    let at = |f: &QPolynomial, r: &Sampled| f.eval(&r.1, &r.2);
    let on = |r: &Sampled| Set::from_systems(space.clone(), [r.0.clone()]);
    for (i, group) in groups.iter().enumerate() {
        budget.spend(1 + group.regions.len() as u64)?;
        if group.value == *value {
            return Ok(Some((i, value.clone())));
        }
        let agree_on = |r: &Sampled| -> Result<bool, BudgetSpent> {
            Ok(at(&group.value, r) == at(value, r) && value.agrees_on(&group.value, &on(r), budget)?)
        };
        if agree_on(region)? {
            return Ok(Some((i, group.value.clone())));
        }
        let mut all = true;
        for r in &group.regions {
            all = all && agree_on(r)?;
        }
        if all {
            return Ok(Some((i, value.clone())));
        }
    }
    Ok(None)
}

/// The regions where a domain is present, each with the domains that are, in increasing order.
pub(super) fn regions(domains: &[&System], budget: &Budget) -> Result<Vec<(System, Vec<usize>)>, BudgetSpent> {
    let Some((frame, systems)) = common_frame(domains) else { return Ok(Vec::new()) };
    let atoms = |s: &System| -> Vec<Atom> {
        let eqs = s.eqs().iter().map(|r| (RowKind::Eq, r.clone()));
        eqs.chain(s.ineqs().iter().map(|r| (RowKind::Ineq, r.clone()))).collect()
    };
    let open = systems.iter().enumerate().map(|(i, s)| (atoms(s), i)).collect();
    let mut stack = vec![Region { system: frame, present: Vec::new(), open }];
    let mut out = Vec::new();
    while let Some(mut region) = stack.pop() {
        budget.spend(1 + region.open.len() as u64)?;
        let (done, open): (Vec<_>, Vec<_>) = region.open.into_iter().partition(|(atoms, _)| atoms.is_empty());
        region.present.extend(done.iter().map(|(_, i)| *i));
        region.open = open;
        drop_absent(&mut region, budget)?;
        let Some((kind, row)) = region.open.first().and_then(|(atoms, _)| atoms.first().cloned()) else {
            if !region.present.is_empty() {
                region.present.sort_unstable();
                let system = solve::redundant::remove_redundant(&region.system, budget)?.unwrap_or(region.system);
                out.push((system, region.present));
            }
            continue;
        };
        let mut inside = region.clone();
        inside.system.push(kind, row.clone());
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
            outside.system.push_ineq(side);
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
    Ok(out)
}

/// Drops pieces from the front that do not meet the region, so that none of their constraints cuts it.
fn drop_absent(region: &mut Region, budget: &Budget) -> Result<(), BudgetSpent> {
    while let Some((atoms, _)) = region.open.first() {
        if atoms.len() > 1 {
            let mut all = region.system.clone();
            atoms.iter().for_each(|(kind, row)| all.push(*kind, row.clone()));
            if engines::is_empty(&all, budget)? {
                region.open.remove(0);
                continue;
            }
        }
        break;
    }
    Ok(())
}

/// A system without rows that has the divisions of all pieces, and the pieces over its columns.
fn common_frame(domains: &[&System]) -> Option<(System, Vec<System>)> {
    use crate::func::divs::{Divs, Expr, pad};
    let columns = domains.first()?.columns().with_divs(0);
    let mut pool = Divs::new(columns.len());
    let mut moved: Vec<(Vec<Row>, Vec<Row>)> = Vec::new();
    for system in domains {
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
    Some((frame, systems))
}
