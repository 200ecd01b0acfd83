//! A simplex tableau with integral rows, unrestricted variables and an undo log.
//!
//! Every variable (a column of the system, or a constraint's slack) is either *basic*, a row
//! `value = (constant + sum_j a_j * col_j) / den`, or *non-basic*, a column, whose value at the current vertex is 0. Rows are
//! integral over a common positive denominator, contiguous and row-major: `[den | constant | a_0 .. ]`.
//! A slack is restricted to be at least 0; the system's own variables are not restricted. An equality's slack is fixed at 0: its
//! column is dead. Between operations every restricted row is at least 0, so the vertex is a rational point of the set.
//!
//! Snapshots and roll-back follow Detlefs, Nelson, Saxe, "Simplify: a theorem prover for program checking" (JACM 2005): taking a
//! constraint away needs at most one pivot. Pivots take the steepest column first and turn to Bland's rule after a while, so
//! every operation ends.

use super::coefficient::{Coefficient, Run};
use crate::linalg::Row;
use crate::{Budget, Int};
use std::cmp::Ordering;

/// The name of a variable: `0..n` are the system's columns behind the constant, the rest are slacks in order of addition.
pub(crate) type VarId = usize;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Row(usize),
    Col(usize),
}

#[derive(Debug, Clone, Copy)]
struct Var {
    place: Place,
    restricted: bool,
    /// Fixed at 0.
    dead: bool,
}

#[derive(Debug, Clone, Copy)]
enum Undo {
    Added(VarId),
    Killed(VarId),
    Emptied,
}

/// A point in the history of a tableau.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Snapshot(usize);

/// Direction of optimization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sense {
    Min,
    Max,
}

impl Sense {
    fn sign(self) -> i32 {
        match self {
            Sense::Min => -1,
            Sense::Max => 1,
        }
    }
}

/// How an optimization ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Optimum<C> {
    Unbounded,
    /// Numerator and (positive) denominator.
    At(C, C),
}

/// When an optimization may end early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// Never.
    Optimal,
    /// As soon as the value passes 0 strictly.
    BeyondZero,
    /// As soon as the value reaches 0.
    AtZero,
}

#[derive(Debug, Clone)]
pub(crate) struct Tableau<'b, C> {
    n: usize,
    data: Vec<C>,
    row_var: Vec<VarId>,
    col_var: Vec<VarId>,
    vars: Vec<Var>,
    undo: Vec<Undo>,
    empty: bool,
    budget: &'b Budget,
    scratch: Vec<C>,
}

const PATIENCE: usize = 60;

impl<'b, C: Coefficient> Tableau<'b, C> {
    /// The tableau of `n` unrestricted variables without constraints.
    pub(crate) fn new(n: usize, budget: &'b Budget) -> Self {
        let vars = (0..n).map(|i| Var { place: Place::Col(i), restricted: false, dead: false }).collect();
        Tableau {
            n,
            data: Vec::new(),
            row_var: Vec::new(),
            col_var: (0..n).collect(),
            vars,
            undo: Vec::new(),
            empty: false,
            budget,
            scratch: Vec::new(),
        }
    }

    fn stride(&self) -> usize {
        self.n + 2
    }

    fn row(&self, r: usize) -> &[C] {
        let s = self.stride();
        &self.data[r * s..(r + 1) * s]
    }

    #[inline]
    fn constant(&self, r: usize) -> &C {
        &self.data[r * self.stride() + 1]
    }

    #[inline]
    fn den(&self, r: usize) -> &C {
        &self.data[r * self.stride()]
    }

    #[inline]
    fn entry(&self, r: usize, c: usize) -> &C {
        &self.data[r * self.stride() + 2 + c]
    }

    /// Whether the constraints added so far have no rational solution.
    pub(crate) fn is_empty(&self) -> bool {
        self.empty
    }

    /// The present point in history.
    pub(crate) fn snapshot(&self) -> Snapshot {
        Snapshot(self.undo.len())
    }

    /// Forgets every constraint added since `snapshot`.
    pub(crate) fn rollback(&mut self, snapshot: Snapshot) -> Run<()> {
        while self.undo.len() > snapshot.0 {
            match self.undo.pop() {
                Some(Undo::Emptied) => self.empty = false,
                Some(Undo::Killed(id)) => self.vars[id].dead = false,
                Some(Undo::Added(id)) => self.remove(id)?,
                None => {}
            }
        }
        Ok(())
    }

    /// Removes the slack added last.
    fn remove(&mut self, id: VarId) -> Run<()> {
        debug_assert_eq!(id + 1, self.vars.len());
        if let Place::Col(c) = self.vars[id].place {
            let row = match self.limit(c, 1, None)? {
                Some(row) => Some(row),
                None => self.limit(c, -1, None)?,
            };
            // Without a limit only unrestricted rows use the column, and moving them breaks nothing.
            let row = row.or_else(|| (0..self.row_var.len()).find(|&r| !self.entry(r, c).is_zero()));
            let row = row.expect("the columns are a basis, so some row uses each of them");
            self.pivot(row, c)?;
        }
        if let Place::Row(r) = self.vars[id].place {
            self.drop_row(r);
        }
        self.vars.pop();
        Ok(())
    }

    fn drop_row(&mut self, r: usize) {
        let s = self.stride();
        let last = self.row_var.len() - 1;
        if r != last {
            for k in 0..s {
                self.data.swap(r * s + k, last * s + k);
            }
            self.row_var.swap(r, last);
            self.vars[self.row_var[r]].place = Place::Row(r);
        }
        self.data.truncate(last * s);
        self.row_var.pop();
    }

    /// The value of `id` at the vertex: numerator and denominator.
    pub(crate) fn value(&self, id: VarId) -> (C, C) {
        match self.vars[id].place {
            Place::Row(r) => (self.constant(r).clone(), self.den(r).clone()),
            Place::Col(_) => (C::zero(), C::one()),
        }
    }

    /// The vertex, if all its coordinates are integers (without the leading 1).
    pub(crate) fn integral_vertex(&self) -> Option<Vec<Int>> {
        let mut point = Vec::with_capacity(self.n);
        for id in 0..self.n {
            let (num, den) = self.value(id);
            if !den.divides(&num) {
                return None;
            }
            point.push(num.div_exact(&den).to_int());
        }
        Some(point)
    }

    /// Appends a row `[constant | coefficients of the n variables]` as a new variable.
    fn push(&mut self, row: &[C]) -> Run<VarId> {
        debug_assert_eq!(row.len(), self.n + 1);
        self.budget.spend(1 + self.n as u64)?;
        let s = self.stride();
        let base = self.data.len();
        self.data.resize(base + s, C::zero());
        self.data[base] = C::one();
        self.data[base + 1] = row[0].clone();
        for (id, a) in row[1..].iter().enumerate() {
            if a.is_zero() {
                continue;
            }
            match self.vars[id].place {
                Place::Col(c) => {
                    let sum = C::mul_add(a, &self.data[base], &C::one(), &self.data[base + 2 + c])?;
                    self.data[base + 2 + c] = sum;
                }
                Place::Row(r) => {
                    let (head, tail) = self.data.split_at_mut(base);
                    let source = &head[r * s..(r + 1) * s];
                    // tail/den + a * source/d = (m * tail + k * source) / (den * m)
                    let g = source[0].gcd(&tail[0])?;
                    let m = source[0].div_exact(&g);
                    let k = tail[0].div_exact(&g).mul(a)?;
                    for (t, x) in tail[1..].iter_mut().zip(&source[1..]) {
                        *t = C::mul_add(t, &m, x, &k)?;
                    }
                    tail[0] = tail[0].mul(&m)?;
                }
            }
        }
        let id = self.vars.len();
        self.vars.push(Var { place: Place::Row(self.row_var.len()), restricted: false, dead: false });
        self.row_var.push(id);
        normalize(&mut self.data[base..])?;
        Ok(id)
    }

    /// Exchanges the variable of row `r` with that of column `c` (whose entry there is not 0).
    fn pivot(&mut self, r: usize, c: usize) -> Run<()> {
        let s = self.stride();
        let rows = self.row_var.len();
        self.budget.spend(1 + (rows * s / 8) as u64)?;
        let mut line = std::mem::take(&mut self.scratch);
        line.clear();
        line.extend_from_slice(self.row(r));
        // d * var = k + sum a_j col_j, solved for col_c: |a_c| * col_c = s * (d * var - k - sum_{j != c} a_j col_j), s = sign a_c
        let positive = line[2 + c].sign() > 0;
        let den = if positive { line[2 + c].clone() } else { line[2 + c].neg()? };
        line[2 + c] = line[0].clone();
        line[0] = den;
        for (j, x) in line.iter_mut().enumerate().skip(1) {
            if (j == 2 + c) != positive {
                *x = x.neg()?;
            }
        }
        normalize(&mut line)?;
        for i in 0..rows {
            let row = &mut self.data[i * s..(i + 1) * s];
            if i == r {
                row.clone_from_slice(&line);
                continue;
            }
            if row[2 + c].is_zero() {
                continue;
            }
            let g = line[0].gcd(&row[2 + c])?;
            let (m, k) = (line[0].div_exact(&g), row[2 + c].div_exact(&g));
            row[2 + c] = C::zero();
            if m.is_one() {
                for (x, y) in row[1..].iter_mut().zip(&line[1..]) {
                    if !y.is_zero() {
                        *x = C::mul_add(&k, y, &C::one(), x)?;
                    }
                }
            } else {
                row[0] = row[0].mul(&m)?;
                for (x, y) in row[1..].iter_mut().zip(&line[1..]) {
                    *x = C::mul_add(x, &m, y, &k)?;
                }
            }
            normalize(row)?;
        }
        self.scratch = line;
        let (out, into) = (self.row_var[r], self.col_var[c]);
        self.row_var[r] = into;
        self.col_var[c] = out;
        self.vars[into].place = Place::Row(r);
        self.vars[out].place = Place::Col(c);
        Ok(())
    }

    /// The restricted row that first reaches 0 when column `c` moves in `direction`; ties go to the smallest variable.
    fn limit(&self, c: usize, direction: i32, skip: Option<usize>) -> Run<Option<usize>> {
        let mut best: Option<usize> = None;
        for r in 0..self.row_var.len() {
            let var = &self.vars[self.row_var[r]];
            if !var.restricted || Some(r) == skip || self.entry(r, c).sign() * direction >= 0 {
                continue;
            }
            let Some(b) = best else {
                best = Some(r);
                continue;
            };
            // constant(r) / |entry(r)| against constant(b) / |entry(b)|; both entries have the same sign.
            let mut order = C::cmp_products(self.constant(r), self.entry(b, c), self.constant(b), self.entry(r, c))?;
            if self.entry(r, c).sign() < 0 {
                order = order.reverse();
            }
            if order == Ordering::Less || (order == Ordering::Equal && self.row_var[r] < self.row_var[b]) {
                best = Some(r);
            }
        }
        Ok(best)
    }

    /// A live column that moves row `r` by `sense`, and the direction in which it does.
    fn entering(&self, r: usize, sense: Sense, pivots: usize) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        for c in 0..self.n {
            let id = self.col_var[c];
            let var = &self.vars[id];
            let sign = self.entry(r, c).sign();
            if var.dead || sign == 0 || (var.restricted && sign != sense.sign()) {
                continue;
            }
            let direction = sign * sense.sign();
            let better = match best {
                None => true,
                Some((b, _)) if pivots >= PATIENCE => id < self.col_var[b],
                Some((b, _)) => {
                    // Unrestricted columns first (they never come back), then the steepest.
                    let (mine, theirs) = (!var.restricted, !self.vars[self.col_var[b]].restricted);
                    mine && !theirs || mine == theirs && magnitude_greater(self.entry(r, c), self.entry(r, b))
                }
            };
            if better {
                best = Some((c, direction));
            }
        }
        best
    }

    /// Moves row variable `id` from its negative (or, by `sense`, positive) value to 0 if possible. True if 0 is reached.
    fn drive_to_zero(&mut self, id: VarId, sense: Sense) -> Run<bool> {
        let mut pivots = 0;
        loop {
            let Place::Row(r) = self.vars[id].place else {
                return Ok(true);
            };
            if self.constant(r).sign() * sense.sign() >= 0 {
                return Ok(true);
            }
            let Some((c, direction)) = self.entering(r, sense, pivots) else {
                return Ok(false);
            };
            let target = match self.limit(c, direction, Some(r))? {
                None => r,
                Some(i) => {
                    // |constant(r) / entry(r)| against constant(i) / |entry(i)|; both products have the sign of
                    // `sense * direction`, or the second one is 0.
                    let order = C::cmp_products(self.constant(r), self.entry(i, c), self.constant(i), self.entry(r, c))?;
                    let order = if sense.sign() * direction > 0 { order } else { order.reverse() };
                    if order == Ordering::Greater { i } else { r }
                }
            };
            self.pivot(target, c)?;
            pivots += 1;
        }
    }

    /// Moves the unrestricted row variable `id` as far as possible.
    fn optimize_row(&mut self, id: VarId, sense: Sense, until: Until) -> Run<Optimum<C>> {
        let mut pivots = 0;
        loop {
            let Place::Row(r) = self.vars[id].place else { unreachable!("an objective stays basic") };
            let done = match until {
                Until::Optimal => false,
                Until::BeyondZero => self.constant(r).sign() * sense.sign() > 0,
                Until::AtZero => self.constant(r).sign() * sense.sign() >= 0,
            };
            let entering = if done { None } else { self.entering(r, sense, pivots) };
            let Some((c, direction)) = entering else {
                return Ok(Optimum::At(self.constant(r).clone(), self.den(r).clone()));
            };
            match self.limit(c, direction, Some(r))? {
                Some(i) => self.pivot(i, c)?,
                None => return Ok(Optimum::Unbounded),
            }
            pivots += 1;
        }
    }

    /// Adds `row . x >= 0`. False, and empty from now on, if nothing satisfies it.
    pub(crate) fn add_ineq(&mut self, row: &[C]) -> Run<bool> {
        if self.empty {
            return Ok(false);
        }
        let id = self.push(row)?;
        self.undo.push(Undo::Added(id));
        if self.drive_to_zero(id, Sense::Max)? {
            self.vars[id].restricted = true;
            return Ok(true);
        }
        self.undo.push(Undo::Emptied);
        self.empty = true;
        Ok(false)
    }

    /// Adds `row . x = 0`. False, and empty from now on, if nothing satisfies it.
    pub(crate) fn add_eq(&mut self, row: &[C]) -> Run<bool> {
        if self.empty {
            return Ok(false);
        }
        let id = self.push(row)?;
        self.undo.push(Undo::Added(id));
        let sense = match self.vars[id].place {
            Place::Row(r) if self.constant(r).sign() > 0 => Sense::Min,
            _ => Sense::Max,
        };
        if !self.drive_to_zero(id, sense)? {
            self.undo.push(Undo::Emptied);
            self.empty = true;
            return Ok(false);
        }
        self.fix_at_zero(id)?;
        Ok(true)
    }

    /// Fixes a variable whose value is 0 (and whose opposite sign is impossible or now forbidden) at 0.
    fn fix_at_zero(&mut self, id: VarId) -> Run<()> {
        if let Place::Row(r) = self.vars[id].place {
            debug_assert!(self.constant(r).is_zero());
            let live = |c: &usize| !self.vars[self.col_var[*c]].dead && !self.entry(r, *c).is_zero();
            let col = (0..self.n).filter(live).min_by_key(|&c| self.vars[self.col_var[c]].restricted);
            match col {
                Some(c) => self.pivot(r, c)?,
                None => return Ok(()),
            }
        }
        self.vars[id].dead = true;
        self.undo.push(Undo::Killed(id));
        Ok(())
    }

    /// The optimum of `row . x`, with the slope of the optimum in each of the asked equality slacks.
    pub(crate) fn optimize_with_slopes(&mut self, row: &[C], sense: Sense, slopes: &[VarId]) -> Run<(Optimum<C>, Vec<C>)> {
        debug_assert!(!self.empty);
        let id = self.push(row)?;
        let optimum = self.optimize_row(id, sense, Until::Optimal)?;
        let Place::Row(r) = self.vars[id].place else { unreachable!("an objective stays basic") };
        let slopes = slopes
            .iter()
            .map(|&s| match self.vars[s].place {
                Place::Col(c) => self.entry(r, c).clone(),
                Place::Row(_) => C::zero(),
            })
            .collect();
        self.drop_row(r);
        self.vars.pop();
        Ok((optimum, slopes))
    }

    /// The optimum of `row . x` over the rationals.
    pub(crate) fn optimize(&mut self, row: &[C], sense: Sense) -> Run<Optimum<C>> {
        Ok(self.optimize_with_slopes(row, sense, &[])?.0)
    }

    /// Whether `row . x` takes a value strictly beyond 0 in the direction of `sense`.
    pub(crate) fn passes_zero(&mut self, row: &[C], sense: Sense) -> Run<bool> {
        Ok(self.probe(row, sense, Until::BeyondZero)?.is_none_or(|sign| sign * sense.sign() > 0))
    }

    /// Whether `row . x` takes the value 0 or one beyond it in the direction of `sense`.
    pub(crate) fn reaches_zero(&mut self, row: &[C], sense: Sense) -> Run<bool> {
        Ok(self.probe(row, sense, Until::AtZero)?.is_none_or(|sign| sign * sense.sign() >= 0))
    }

    /// The sign of the value where an optimization of `row . x` ended; `None` if it is unbounded.
    fn probe(&mut self, row: &[C], sense: Sense, until: Until) -> Run<Option<i32>> {
        debug_assert!(!self.empty);
        let id = self.push(row)?;
        let answer = self.optimize_row(id, sense, until)?;
        if let Place::Row(r) = self.vars[id].place {
            self.drop_row(r);
        }
        self.vars.pop();
        Ok(match answer {
            Optimum::Unbounded => None,
            Optimum::At(num, _) => Some(num.sign()),
        })
    }

    /// The slack that the latest constraint was given.
    pub(crate) fn last_slack(&self) -> VarId {
        self.vars.len() - 1
    }

    /// Whether every integer point of the other constraints satisfies constraint `row` with slack `id` because `row . x > -1` on
    /// all of them; if so the constraint is taken out of the tableau's care. No roll-back past the addition of `id` may follow.
    pub(crate) fn drop_if_redundant(&mut self, id: VarId, row: &[C]) -> Run<bool> {
        self.vars[id].restricted = false;
        let mut above = row.to_vec();
        above[0] = above[0].add(&C::one())?;
        if !self.reaches_zero(&above, Sense::Min)? {
            return Ok(true);
        }
        let back = self.drive_to_zero(id, Sense::Max)?;
        debug_assert!(back, "the set was not empty");
        self.vars[id].restricted = true;
        Ok(false)
    }

    /// Whether slack `id` (of constraint `row`) is 0 on the whole set; if so it is fixed there.
    pub(crate) fn fix_if_always_zero(&mut self, id: VarId, row: &[C]) -> Run<bool> {
        if self.vars[id].dead {
            return Ok(true);
        }
        if matches!(self.vars[id].place, Place::Row(r) if self.constant(r).sign() > 0) {
            return Ok(false);
        }
        if self.passes_zero(row, Sense::Max)? {
            return Ok(false);
        }
        self.fix_at_zero(id)?;
        Ok(true)
    }
}

/// Divides a tableau row by the gcd of its elements.
fn normalize<C: Coefficient>(row: &mut [C]) -> Run<()> {
    let mut g = row[0].clone();
    for x in &row[1..] {
        if g.is_one() {
            return Ok(());
        }
        if !x.is_zero() {
            g = g.gcd(x)?;
        }
    }
    if !g.is_one() {
        for x in row.iter_mut() {
            *x = x.div_exact(&g);
        }
    }
    Ok(())
}

fn magnitude_greater<C: Coefficient>(a: &C, b: &C) -> bool {
    match (a.sign() < 0, b.sign() < 0) {
        (false, false) => a > b,
        (true, true) => a < b,
        (true, false) => a.neg().is_ok_and(|a| a > *b),
        (false, true) => b.neg().is_ok_and(|b| *a > b),
    }
}

/// A row of a system as coefficients.
pub(crate) fn coefficients<C: Coefficient>(row: &Row) -> Run<Vec<C>> {
    (0..row.len()).map(|i| C::from_int(&row.get(i))).collect()
}
