//! The dual lexicographic simplex tableau with parametric constants.
//!
//! A row reads `value = (c + B p + m M + sum_j a_j col_j) / den`: a constant, parameters (divs of the context included), the big
//! parameter M, and non-basic variables, all of which are at least 0 and stand at 0. Unknown `x_i` of any sign is represented by
//! `x_i + M`; M is larger than everything and divisible by everything. Layout of a row: `[den | M | columns | 1 | params]`.
//! Every column is lexicographically positive in the order of the unknowns, so a vertex without negative rows is the minimum.

use crate::linalg::Row;
use crate::solve::coefficient::{Coefficient, Run};
use crate::{Budget, Int};
use std::cmp::Ordering;

/// What a row or a column stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Var {
    /// Unknown `i`, shifted by M.
    Unknown(usize),
    /// The slack of a constraint.
    Slack,
    /// The slack of a cut: forgotten once basic again.
    Cut,
}

/// What is known of a row's value at the present vertex, in the present context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    Nothing,
    NonNegative,
    /// Not positive, and a pivot on the row is wanted.
    Negative,
}

#[derive(Debug, Clone)]
struct Line {
    var: Var,
    /// Whether the value must be at least 0.
    restricted: bool,
    known: Known,
}

/// Where an unknown stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Row(usize),
    Col(usize),
}

#[derive(Debug, Clone)]
pub(super) struct LexTableau<'b, C> {
    cols: usize,
    params: usize,
    data: Vec<C>,
    lines: Vec<Line>,
    col_var: Vec<Var>,
    places: Vec<Place>,
    budget: &'b Budget,
}

impl<'b, C: Coefficient> LexTableau<'b, C> {
    /// `unknowns` unknowns, none constrained; `params` counts the constant's column.
    pub(super) fn new(unknowns: usize, params: usize, budget: &'b Budget) -> Self {
        LexTableau {
            cols: unknowns,
            params,
            data: Vec::new(),
            lines: Vec::new(),
            col_var: (0..unknowns).map(Var::Unknown).collect(),
            places: (0..unknowns).map(Place::Col).collect(),
            budget,
        }
    }

    fn stride(&self) -> usize {
        2 + self.cols + self.params
    }

    fn line(&self, r: usize) -> &[C] {
        let s = self.stride();
        &self.data[r * s..(r + 1) * s]
    }

    #[inline]
    fn entry(&self, r: usize, c: usize) -> &C {
        &self.data[r * self.stride() + 2 + c]
    }

    fn params_of(&self, r: usize) -> &[C] {
        &self.line(r)[2 + self.cols..]
    }

    pub(super) fn rows(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn unknowns(&self) -> usize {
        self.places.len()
    }

    pub(super) fn place(&self, unknown: usize) -> Place {
        self.places[unknown]
    }

    /// Whether the row must be at least 0 and is not known to be.
    pub(super) fn is_open(&self, r: usize) -> bool {
        self.lines[r].restricted && self.lines[r].known != Known::NonNegative
    }

    pub(super) fn known(&self, r: usize) -> Known {
        self.lines[r].known
    }

    pub(super) fn set_known(&mut self, r: usize, known: Known) {
        self.lines[r].known = known;
    }

    /// Sign of the multiple of M.
    pub(super) fn big_sign(&self, r: usize) -> i32 {
        self.line(r)[1].sign()
    }

    /// The parametric constant's numerator (its sign is the row's if M does not occur).
    pub(super) fn constant(&self, r: usize) -> Row {
        Row::from_ints(self.params_of(r).iter().map(C::to_int).collect())
    }

    /// The sign of the constant if no parameter occurs.
    pub(super) fn plain_sign(&self, r: usize) -> Option<i32> {
        let params = self.params_of(r);
        if params[1..].iter().all(C::is_zero) { Some(params[0].sign()) } else { None }
    }

    /// Whether some column can raise the row.
    pub(super) fn can_rise(&self, r: usize) -> bool {
        self.line(r)[2..2 + self.cols].iter().any(|a| a.sign() > 0)
    }

    /// Appends a row for `params . (1, p) + unknowns . x`, `x` being the unknowns without M.
    pub(super) fn push(&mut self, params: &Row, unknowns: &[Int], var: Var) -> Run<usize> {
        let s = self.stride();
        self.budget.spend(1 + s as u64)?;
        let base = self.data.len();
        self.data.resize(base + s, C::zero());
        self.data[base] = C::one();
        for i in 0..self.params {
            self.data[base + 2 + self.cols + i] = C::from_int(&params.get(i))?;
        }
        for (i, a) in unknowns.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            let a = C::from_int(a)?;
            // x_i = (x_i + M) - M
            self.data[base + 1] = C::mul_add(&a.neg()?, &self.data[base], &self.data[base + 1], &C::one())?;
            match self.places[i] {
                Place::Col(c) => {
                    self.data[base + 2 + c] = C::mul_add(&a, &self.data[base], &self.data[base + 2 + c], &C::one())?;
                }
                Place::Row(r) => {
                    let (head, tail) = self.data.split_at_mut(base);
                    let source = &head[r * s..(r + 1) * s];
                    let g = source[0].gcd(&tail[0])?;
                    let m = source[0].div_exact(&g);
                    let k = tail[0].div_exact(&g).mul(&a)?;
                    for (t, x) in tail[1..].iter_mut().zip(&source[1..]) {
                        *t = C::mul_add(t, &m, x, &k)?;
                    }
                    tail[0] = tail[0].mul(&m)?;
                }
            }
        }
        normalize(&mut self.data[base..])?;
        self.lines.push(Line { var, restricted: true, known: Known::Nothing });
        Ok(self.lines.len() - 1)
    }

    /// Adds the equation `params . (1, p) + unknowns . x = 0`. If it does not determine an unknown, its parametric part must be 0
    /// and is returned. Only before the first pivot for an inequality.
    pub(super) fn push_eq(&mut self, params: &Row, unknowns: &[Int]) -> Run<Option<Row>> {
        let r = self.push(params, unknowns, Var::Slack)?;
        // Solving for the last unknown leaves every other column led by its own unknown.
        let last = (0..self.cols).filter(|&c| !self.entry(r, c).is_zero()).max_by_key(|&c| match self.col_var[c] {
            Var::Unknown(i) => i,
            _ => unreachable!("equations come first, so all columns are unknowns"),
        });
        let Some(c) = last else {
            debug_assert!(self.line(r)[1].is_zero());
            let rest = self.constant(r);
            self.drop_row(r);
            return Ok(Some(rest));
        };
        self.pivot(r, c)?;
        let solved = &mut self.lines[r];
        solved.restricted = false;
        self.drop_col(c);
        Ok(None)
    }

    fn drop_row(&mut self, r: usize) {
        let s = self.stride();
        self.data.drain(r * s..(r + 1) * s);
        self.lines.remove(r);
        self.index();
    }

    fn drop_col(&mut self, c: usize) {
        let s = self.stride();
        let mut i = 0;
        self.data.retain(|_| {
            i += 1;
            (i - 1) % s != 2 + c
        });
        self.cols -= 1;
        self.col_var.remove(c);
        self.index();
    }

    fn index(&mut self) {
        for (r, line) in self.lines.iter().enumerate() {
            if let Var::Unknown(i) = line.var {
                self.places[i] = Place::Row(r);
            }
        }
        for (c, var) in self.col_var.iter().enumerate() {
            if let Var::Unknown(i) = *var {
                self.places[i] = Place::Col(c);
            }
        }
    }

    /// Appends a parameter that no row uses yet.
    pub(super) fn add_param(&mut self) {
        let s = self.stride();
        let mut data = Vec::with_capacity(self.data.len() + self.lines.len());
        for line in self.data.chunks_exact(s) {
            data.extend_from_slice(line);
            data.push(C::zero());
        }
        self.data = data;
        self.params += 1;
    }

    /// The column to exchange with row `r`: lexicographically smallest relative to its entry, among those that raise the row.
    fn entering(&self, r: usize) -> Run<Option<usize>> {
        let mut best: Option<usize> = None;
        for c in (0..self.cols).filter(|&c| self.entry(r, c).sign() > 0) {
            match best {
                Some(b) if self.compare(r, c, b)?.is_ge() => {}
                _ => best = Some(c),
            }
        }
        Ok(best)
    }

    /// Lexicographic order of columns `c` and `b`, each divided by its entry in row `r`.
    fn compare(&self, r: usize, c: usize, b: usize) -> Run<Ordering> {
        let (by_c, by_b) = (self.entry(r, c), self.entry(r, b));
        for place in &self.places {
            let order = match *place {
                Place::Row(i) => C::cmp_products(self.entry(i, c), by_b, self.entry(i, b), by_c)?,
                Place::Col(k) if k == c => Ordering::Greater,
                Place::Col(k) if k == b => Ordering::Less,
                Place::Col(_) => Ordering::Equal,
            };
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    /// Raises row `r`, which is not positive, to 0 by one dual pivot. False if no column raises it.
    pub(super) fn raise(&mut self, r: usize) -> Run<bool> {
        let Some(c) = self.entering(r)? else {
            return Ok(false);
        };
        self.pivot(r, c)?;
        // The row was not positive, so what replaces it is not negative.
        self.lines[r].known = Known::NonNegative;
        if self.lines[r].var == Var::Cut {
            self.drop_row(r);
        }
        Ok(true)
    }

    fn pivot(&mut self, r: usize, c: usize) -> Run<()> {
        let s = self.stride();
        self.budget.spend(1 + (self.lines.len() * s / 8) as u64)?;
        let mut line = self.line(r).to_vec();
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
        for i in 0..self.lines.len() {
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
            row[0] = row[0].mul(&m)?;
            for (x, y) in row[1..].iter_mut().zip(&line[1..]) {
                *x = C::mul_add(x, &m, y, &k)?;
            }
            normalize(row)?;
            self.lines[i].known = Known::Nothing;
        }
        let (out, into) = (self.lines[r].var, self.col_var[c]);
        // An unknown's shifted value and a slack are restricted alike.
        self.lines[r] = Line { var: into, restricted: true, known: Known::Nothing };
        self.col_var[c] = out;
        if let Var::Unknown(i) = into {
            self.places[i] = Place::Row(r);
        }
        if let Var::Unknown(i) = out {
            self.places[i] = Place::Col(c);
        }
        Ok(())
    }

    /// Whether the parametric constant of row `r` is an integral form (M aside).
    pub(super) fn is_integral(&self, r: usize) -> bool {
        let den = &self.line(r)[0];
        den.is_one() || self.params_of(r).iter().all(|x| den.divides(x))
    }

    /// For a row that is not integral: `f = (-constant) mod den` over the parameters, and `den`.
    pub(super) fn fraction(&self, r: usize) -> Run<(Row, Int)> {
        let den = &self.line(r)[0];
        let part = self.params_of(r).iter().map(|x| Ok(x.neg()?.mod_floor(den).to_int())).collect::<Run<_>>()?;
        Ok((Row::from_ints(part), den.to_int()))
    }

    /// Appends the cut `sum_j (a_j mod den) col_j >= missing . (1, p)` that follows from row `r` being an integer.
    pub(super) fn push_cut(&mut self, r: usize, missing: &Row) -> Run<usize> {
        let s = self.stride();
        self.budget.spend(1 + s as u64)?;
        let den = self.line(r)[0].clone();
        let mut cut = vec![C::zero(); s];
        for c in 0..self.cols {
            cut[2 + c] = self.entry(r, c).mod_floor(&den);
        }
        for i in 0..self.params {
            cut[2 + self.cols + i] = C::from_int(&missing.get(i))?.neg()?;
        }
        cut[0] = den;
        normalize(&mut cut)?;
        self.data.extend(cut);
        self.lines.push(Line { var: Var::Cut, restricted: true, known: Known::Negative });
        Ok(self.lines.len() - 1)
    }

    /// Forgets the row added last.
    pub(super) fn pop(&mut self) {
        self.drop_row(self.lines.len() - 1);
    }

    /// Adds `zero . (1, p) / den`, known to be 0, to row `r`.
    pub(super) fn add_zero(&mut self, r: usize, zero: &Row) -> Run<()> {
        let (s, at) = (self.stride(), 2 + self.cols);
        for i in 0..self.params {
            let x = C::from_int(&zero.get(i))?;
            let cell = &mut self.data[r * s + at + i];
            *cell = cell.add(&x)?;
        }
        let row = &mut self.data[r * s..(r + 1) * s];
        normalize(row)?;
        self.lines[r].known = Known::Nothing;
        Ok(())
    }

    /// The integral value of an unknown over the parameters; `None` if it is M-large.
    pub(super) fn solution(&self, unknown: usize) -> Option<Row> {
        let Place::Row(r) = self.places[unknown] else {
            return None;
        };
        let line = self.line(r);
        if line[0] != line[1] {
            return None;
        }
        Some(Row::from_ints(self.params_of(r).iter().map(|x| x.div_exact(&line[0]).to_int()).collect()))
    }
}

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
        row.iter_mut().for_each(|x| *x = x.div_exact(&g));
    }
    Ok(())
}
