//! Summation over the integer points of one conjunction, a variable at a time.
//!
//! Columns are `[1 | fixed | summed | divisions]`; existentials and divisions of the set have become summed columns between their
//! bounds, so the conjunction is a polyhedron and the points to be summed over are its integer points above each point of the fixed
//! columns. Equalities are solved for a summed column by Euclid's algorithm. A column `y` with the bounds `a*y + s >= 0` and
//! `-b*y + t >= 0` is summed in closed form between `l = -floor(s/a)` and `u = floor(t/b)`; several bounds split the cell by which
//! of them is the tightest. `a*t + b*s >= 0` projects `y` out over the rationals: it implies `u >= l - 1`, where the closed form is
//! right, so no condition with a floor arises. The floors in the summand are made affine in `y` first: where `y = m*z + r` they
//! are, and the summand becomes a sum over `0 <= r < m`.
//!
//! Sources: Tawbi, "Estimation of nested loops execution time by integer arithmetic in convex polyhedra", IPPS 1994; Pugh, "Counting
//! solutions to Presburger formulas", PLDI 1994; the treatment of floors follows Barvinok and Pommersheim's quasi-polynomials.

use super::atoms::{closure, columns_of, period, replaced};
use super::faulhaber::PowerSums;
use crate::func::divs::{Divs, Expr, pad, unit};
use crate::func::polynomial::Poly;
use crate::linalg::Row;
use crate::relation::engines;
use crate::{Budget, BudgetSpent, Columns, Int, Rat, System, solve};

/// Eliminations that cost more than this are left to cones.
const MANY: i64 = 12;

/// A conjunction and the summand on it.
#[derive(Debug, Clone)]
pub(super) struct Cell {
    // Rows over the pool's columns. Invariant: divisions in rows depend on fixed columns only.
    pub eqs: Vec<Row>,
    pub ineqs: Vec<Row>,
    pub f: Poly,
    /// The summed columns that are left.
    pub live: Vec<usize>,
}

/// How cells are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Engine {
    /// Whatever is cheaper for a cell.
    #[default]
    Cheapest,
    /// A variable at a time, always.
    #[cfg(test)]
    Elimination,
    /// By unimodular cones wherever that is possible.
    #[cfg(test)]
    Cones,
}

/// The column that is cheapest to sum over.
struct Choice {
    col: usize,
    /// The period of the summand in the column.
    period: Int,
    /// An estimate of the growth of cells and terms.
    cost: Int,
}

/// A sum in the making.
pub(super) struct Summation<'b> {
    /// Fixed columns as parameters, summed ones as range.
    pub columns: Columns,
    pub pool: Divs,
    pub budget: &'b Budget,
    pub engine: Engine,
    /// Finished cells: no summed column is left.
    pub done: Vec<Cell>,
    pub power_sums: PowerSums,
}

impl Summation<'_> {
    /// Sums over all live columns of `cell`, which is bounded in them.
    pub fn run(&mut self, cell: Cell) -> Result<(), BudgetSpent> {
        let mut stack = vec![cell];
        while let Some(cell) = stack.pop() {
            self.budget.spend(1 + cell.ineqs.len() as u64)?;
            if cell.f.is_zero() {
                continue;
            }
            let Some(cell) = self.reduced(cell)? else { continue };
            let Some(choice) = self.choice(&cell) else {
                self.done.push(cell);
                continue;
            };
            if self.prefers_cones(&cell, &choice)
                && let Some(cells) = self.by_cones(&cell)?
            {
                self.done.extend(cells);
                continue;
            }
            self.split(&cell, choice.col, &choice.period, &mut stack)?;
        }
        Ok(())
    }

    /// The rows as a system, with the divisions that they need.
    pub fn system(&self, eqs: &[Row], ineqs: &[Row]) -> System {
        let divs = closure(&self.pool, eqs.iter().chain(ineqs).flat_map(columns_of));
        let base = self.pool.base();
        let source: Vec<Option<usize>> = (0..base).chain(divs.iter().map(|d| d.0)).map(Some).collect();
        let mut system = System::universe(self.columns);
        for (i, (_, div)) in divs.iter().enumerate() {
            let num = pad(&div.num, self.pool.width()).gather(&source[..base + i]);
            system.push_div(Some(crate::Div { num, den: div.den.clone() }));
        }
        let row = |r: &Row| pad(r, self.pool.width()).gather(&source);
        eqs.iter().for_each(|r| system.push_eq(row(r)));
        ineqs.iter().for_each(|r| system.push_ineq(row(r)));
        system
    }

    // The rows of a system over the pool.
    fn rows(&mut self, system: &System) -> Option<(Vec<Row>, Vec<Row>)> {
        let mut images: Vec<Expr> = (0..self.pool.base()).map(|c| self.pool.column(c)).collect();
        let divs: Option<Vec<crate::Div>> = system.divs().iter().cloned().collect();
        self.pool.import(&divs?, &mut images);
        let row = |r: &Row| self.pool.linear(r, &images).num;
        Some((system.eqs().iter().map(row).collect(), system.ineqs().iter().map(row).collect()))
    }

    /// The cell without equalities on live columns and without redundant rows, or `None` if it has no integer point.
    pub fn reduced(&mut self, cell: Cell) -> Result<Option<Cell>, BudgetSpent> {
        let mut cell = cell;
        loop {
            let system = self.system(&cell.eqs, &cell.ineqs);
            let Some(system) = system.normalized() else { return Ok(None) };
            let Some(system) = solve::redundant::implicit_equalities(&system, self.budget)? else { return Ok(None) };
            let Some(system) = system.normalized() else { return Ok(None) };
            let involved = |r: &Row| cell.live.iter().any(|&c| !r.is_zero_at(c));
            let solvable = system.eqs().iter().any(involved);
            let system = if solvable {
                system
            } else {
                if engines::is_empty(&system, self.budget)? {
                    return Ok(None);
                }
                match solve::redundant::remove_redundant(&system, self.budget)? {
                    Some(system) => system,
                    None => return Ok(None),
                }
            };
            if let Some((eqs, ineqs)) = self.rows(&system) {
                (cell.eqs, cell.ineqs) = (eqs, ineqs);
            }
            if !solvable {
                return Ok(Some(cell));
            }
            self.solve_equality(&mut cell)?;
        }
    }

    // Removes one live column by an equality.
    fn solve_equality(&mut self, cell: &mut Cell) -> Result<(), BudgetSpent> {
        let live = cell.live.clone();
        let cost = |r: &Row| live.iter().filter(|&&c| !r.is_zero_at(c)).map(|&c| r.get(c).abs()).min();
        let Some(at) = (0..cell.eqs.len()).filter(|&i| cost(&cell.eqs[i]).is_some()).min_by_key(|&i| cost(&cell.eqs[i])) else {
            return Ok(());
        };
        loop {
            self.budget.spend(1)?;
            let row = pad(&cell.eqs[at], self.pool.width());
            let mut present: Vec<usize> = live.iter().copied().filter(|&c| !row.is_zero_at(c)).collect();
            present.sort_by_key(|&c| (row.get(c).abs(), c));
            let Some((&x, others)) = present.split_first() else { return Ok(()) };
            let a = row.get(x);
            let mut rest = row.clone();
            rest.set(x, Int::ZERO);
            if a.abs().is_one() {
                // x = -rest/a
                cell.eqs.swap_remove(at);
                let image = if a.is_negative() { rest } else { rest.neg() };
                return self.substitute(cell, x, &image);
            }
            if others.is_empty() {
                // a*x + rest = 0 with fixed columns in the rest: x = floor(-rest/a), and a divides the rest.
                cell.eqs.swap_remove(at);
                let (a, rest) = if a.is_negative() { (-a, rest.neg()) } else { (a, rest) };
                let quotient = self.pool.floor(&rest.neg(), &a);
                let width = self.pool.width();
                cell.eqs.push(pad(&quotient, width).combine(&a, &pad(&rest, width), &Int::ONE));
                return self.substitute(cell, x, &quotient);
            }
            // x = x' - k*y for the other columns leaves coefficients at most |a|/2 there.
            let mut image = unit(self.pool.width(), x);
            for &y in others {
                let twice = &row.get(y) + &row.get(y);
                image.set(y, -(&twice + &a.abs()).div_floor(&(&a.abs() + &a.abs())));
                if a.is_negative() {
                    image.set(y, -image.get(y));
                }
            }
            self.rename(cell, x, &image)?;
        }
    }

    // Gives column `x` the value `image`, which does not depend on it.
    fn substitute(&mut self, cell: &mut Cell, x: usize, image: &Row) -> Result<(), BudgetSpent> {
        self.rename(cell, x, image)?;
        cell.live.retain(|&c| c != x);
        Ok(())
    }

    // Replaces column `x` by `image`, in which `x` may stand for a new meaning of the column.
    fn rename(&mut self, cell: &mut Cell, x: usize, image: &Row) -> Result<(), BudgetSpent> {
        cell.f = replaced(&cell.f, &mut self.pool, x, &Expr::integral(image.clone()), self.budget)?;
        let width = self.pool.width();
        let image = pad(image, width);
        let replace = |r: &Row| {
            let mut row = pad(r, width);
            let c = row.get(x);
            row.set(x, Int::ZERO);
            row.combine(&Int::ONE, &image, &c)
        };
        cell.eqs = cell.eqs.iter().map(replace).collect();
        cell.ineqs = cell.ineqs.iter().map(replace).collect();
        Ok(())
    }

    /// The live column that is cheapest to sum over.
    fn choice(&self, cell: &Cell) -> Option<Choice> {
        let weight = |r: &Row, col: usize| -> Int {
            // A bound with a coefficient makes a floor over the columns that are left.
            let open = cell.live.iter().any(|&c| c != col && !r.is_zero_at(c));
            if open { r.get(col).abs() } else { Int::ONE }
        };
        let choice = |col: usize| {
            let period = period(&cell.f, &self.pool, col);
            let side = |sign: i32| -> Int { cell.ineqs.iter().filter(|r| r.sign(col) == sign).map(|r| weight(r, col)).sum() };
            let cost = &period * &(&side(1) * &side(-1));
            Choice { col, period, cost }
        };
        cell.live.iter().rev().map(|&col| choice(col)).min_by(|a, b| a.cost.cmp(&b.cost))
    }

    /// Whether cones are expected to be cheaper than elimination, and possible.
    fn prefers_cones(&self, cell: &Cell, choice: &Choice) -> bool {
        let needed = closure(&self.pool, cell.f.variables());
        let depends = |c: usize| cell.f.variables().contains(&c) || needed.iter().any(|(_, d)| !d.num.is_zero_at(c));
        let constant = !cell.live.iter().any(|&c| depends(c));
        match self.engine {
            Engine::Cheapest => constant && choice.cost > Int::from(MANY) && few_vertices(cell),
            #[cfg(test)]
            Engine::Elimination => false,
            #[cfg(test)]
            Engine::Cones => constant,
        }
    }

    /// Sums over `y`: one cell for each pair of a lower and an upper bound.
    fn split(&mut self, cell: &Cell, y: usize, m: &Int, stack: &mut Vec<Cell>) -> Result<(), BudgetSpent> {
        let width = self.pool.width();
        let mut lower: Vec<Row> = Vec::new();
        let mut upper: Vec<Row> = Vec::new();
        let mut others: Vec<Row> = Vec::new();
        for r in &cell.ineqs {
            let side = [&mut upper, &mut others, &mut lower];
            let [upper, others, lower] = side;
            match r.sign(y) {
                0 => others.push(pad(r, width)),
                1 => lower.push(pad(r, width)),
                _ => upper.push(pad(r, width)),
            }
        }
        let residues = self.residues(&cell.f, y, m)?;
        let live: Vec<usize> = cell.live.iter().copied().filter(|&c| c != y).collect();
        for i in 0..lower.len() {
            let mut below = others.clone();
            below.extend(tightest(&lower, i, y));
            if solve::simplex::is_rationally_empty(&self.system(&cell.eqs, &below), self.budget)? {
                continue;
            }
            for j in 0..upper.len() {
                self.budget.spend(1 + width as u64)?;
                let mut ineqs = below.clone();
                ineqs.extend(tightest(&upper, j, y));
                ineqs.push(lower[i].combine(&-upper[j].get(y), &upper[j], &lower[i].get(y)));
                if solve::simplex::is_rationally_empty(&self.system(&cell.eqs, &ineqs), self.budget)? {
                    continue;
                }
                let f = self.closed_form(&residues, &lower[i], &upper[j], y, m)?;
                stack.push(Cell { eqs: cell.eqs.clone(), ineqs, f, live: live.clone() });
            }
        }
        Ok(())
    }

    /// For each `r` with `0 <= r < m` the summand where `y` is replaced by `m*y + r`, as coefficients of the powers of `y`.
    fn residues(&mut self, f: &Poly, y: usize, m: &Int) -> Result<Vec<Vec<Poly>>, BudgetSpent> {
        if m.is_one() {
            return Ok(vec![f.coefficients_in(y)]);
        }
        let mut out = Vec::new();
        let mut r = Int::ZERO;
        while r < *m {
            self.budget.spend(1)?;
            let mut image = Row::zero(self.pool.base());
            image.set(y, m.clone());
            image.set(0, r.clone());
            out.push(replaced(f, &mut self.pool, y, &Expr::integral(image), self.budget)?.coefficients_in(y));
            r += Int::ONE;
        }
        Ok(out)
    }

    /// The sum of the summand between the bounds of the rows.
    fn closed_form(&mut self, residues: &[Vec<Poly>], lower: &Row, upper: &Row, y: usize, m: &Int) -> Result<Poly, BudgetSpent> {
        let (mut s, mut t) = (lower.clone(), upper.clone());
        let (a, b) = (s.get(y), -t.get(y));
        s.set(y, Int::ZERO);
        t.set(y, Int::ZERO);
        let mut parts = Vec::new();
        for coefficients in residues {
            // a*(m*y + r) + s >= 0: from -floor((s + a*r)/(a*m)); -b*(m*y + r) + t >= 0: up to floor((t - b*r)/(b*m)).
            let before = Poly::linear(&self.pool.floor(&s, &(&a * m)), &Int::MINUS_ONE).sub(&Poly::one());
            let last = Poly::linear(&self.pool.floor(&t, &(&b * m)), &Int::ONE);
            for (k, c) in coefficients.iter().enumerate().filter(|(_, c)| !c.is_zero()) {
                let sums: Vec<Rat> = self.power_sums.coefficients(k).to_vec();
                let difference = horner(&sums, &last, self.budget)?.sub(&horner(&sums, &before, self.budget)?);
                parts.push(c.mul(&difference, self.budget)?);
            }
            s.add_at(0, &a);
            t.add_at(0, &-&b);
        }
        Ok(Poly::sum(&parts))
    }
}

/// Whether the constraints of a cell have few enough combinations to look for vertices among them.
fn few_vertices(cell: &Cell) -> bool {
    let bounds = cell.ineqs.iter().filter(|r| cell.live.iter().any(|&c| !r.is_zero_at(c))).count() as u64;
    let d = cell.live.len() as u64;
    (0..d)
        .try_fold(1u64, |c, i| (c * bounds.saturating_sub(i) / (i + 1) <= 4096).then_some(c * bounds.saturating_sub(i) / (i + 1)))
        .is_some()
}

fn horner(coefficients: &[Rat], x: &Poly, budget: &Budget) -> Result<Poly, BudgetSpent> {
    let mut out = Poly::zero();
    for c in coefficients.iter().rev() {
        out = out.mul(x, budget)?.add(&Poly::constant(c.clone()));
    }
    Ok(out)
}

/// Where bound `i` on `y` is the tightest of its kind, the first one of equals.
fn tightest(bounds: &[Row], i: usize, y: usize) -> Vec<Row> {
    let own = &bounds[i];
    let others = bounds.iter().enumerate().filter(|(k, _)| *k != i);
    let compare = |(k, other): (usize, &Row)| {
        // |a_i| * row_k - |a_k| * row_i >= 0, above 0 for k < i.
        let mut row = other.combine(&own.get(y).abs(), own, &-other.get(y).abs());
        if k < i {
            row.add_at(0, &Int::MINUS_ONE);
        }
        row
    };
    others.map(compare).collect()
}
