//! Simpler functions that agree with a given one on a context.
//!
//! The equalities of the context's affine hull are solved for the dimensions of the domain (later ones first) and substituted where
//! the solution is integral; divisions whose value is one constant on the context become that constant.

use super::divs::{Divs, Expr, pad};
use super::{Aff, Comparison, Multi, MultiAff, PwAff, QPolynomial, set_space};
use crate::linalg::Row;
use crate::{Budget, Columns, Dim, Int, Set};

impl Aff {
    /// A simpler function that agrees with this one on `context` (over `[]` for functions of parameters alone).
    ///
    /// # Panics
    /// If `context` is no set of the domain space.
    #[track_caller]
    pub fn gist(&self, context: &Set) -> Aff {
        if let Err(e) = context.space().check_same(&set_space(&self.domain)) {
            panic!("{e}");
        }
        if self.is_nan() || context.is_obviously_universe() {
            return self.clone();
        }
        let aligned = self.align_params(context.space());
        let context = context.align_params(&aligned.domain);
        aligned.with_equalities(&context).with_fixed_divs(&context)
    }

    // Columns that equalities of every piece determine are replaced.
    fn with_equalities(&self, context: &Set) -> Aff {
        let Some(eqs) = common_equalities(context) else { return self.clone() };
        let columns = Columns::of(&self.domain);
        let mut pool = Divs::new(columns.len());
        let mut images: Vec<Expr> = (0..columns.len()).map(|c| pool.column(c)).collect();
        for (col, row) in solve(eqs, columns) {
            let pivot = row.get(col);
            let mut rest = row.clone();
            rest.set(col, Int::ZERO);
            // pivot * x + rest = 0
            let num = if pivot.is_negative() { rest } else { rest.neg() };
            images[col] = Expr { num, den: pivot.abs() };
        }
        let e = self.compose_into(&mut pool, images);
        let out = Aff::finish(self.domain.clone(), pool, e);
        let weight = |a: &Aff| (a.divs.len(), (1..a.num.len()).filter(|&c| !a.num.is_zero_at(c)).count(), a.den.clone());
        if weight(&out) <= weight(self) { out } else { self.clone() }
    }

    fn with_fixed_divs(&self, context: &Set) -> Aff {
        let columns = Columns::of(&self.domain);
        let mut pool = Divs::new(columns.len());
        let mut images: Vec<Expr> = (0..columns.len()).map(|c| pool.column(c)).collect();
        let mut changed = false;
        for (i, div) in self.divs.iter().enumerate() {
            let value = fixed_value(&self.div_aff(i), context);
            changed |= value.is_some();
            match value {
                Some(value) => images.push(constant(value, columns.len())),
                None => pool.import(std::slice::from_ref(&narrowed(div, columns.len() + i)), &mut images),
            }
        }
        if !changed {
            return self.clone();
        }
        let e = pool.linear(&self.num, &images);
        let e = Expr { num: pad(&e.num, pool.width()), den: &e.den * &self.den };
        Aff::finish(self.domain.clone(), pool, e)
    }
}

fn narrowed(div: &crate::Div, len: usize) -> crate::Div {
    crate::Div { num: div.num.without(len, div.num.len() - len), den: div.den.clone() }
}

// The value of a division that a point of the context has, if all points have it.
fn fixed_value(div: &Aff, context: &Set) -> Option<Int> {
    let budget = Budget::steps(100_000);
    let point = context.sample_within(&budget).ok()??;
    let value = crate::rat::integer(&div.eval(&point.params, &point.coords)?)?;
    let constant = Aff::constant(&div.domain, &value);
    let others = context.intersect(&div.compare(Comparison::Ne, &constant));
    others.is_empty_within(&budget).ok()?.then_some(value)
}

// The lesser of two adjacent integers that are all values of `f` on the context.
fn adjacent_values(f: &Aff, context: &Set) -> Option<Int> {
    let budget = Budget::steps(100_000);
    let point = context.sample_within(&budget).ok()??;
    let value = crate::rat::integer(&f.eval(&point.params, &point.coords)?)?;
    let none = |op: Comparison, bound: Int| {
        let outside = context.intersect(&f.compare(op, &Aff::constant(&f.domain, &bound)));
        outside.is_empty_within(&budget).unwrap_or(false)
    };
    if none(Comparison::Lt, value.clone()) {
        none(Comparison::Gt, &value + Int::ONE).then_some(value)
    } else {
        let low = &value - Int::ONE;
        (none(Comparison::Gt, value) && none(Comparison::Lt, low.clone())).then_some(low)
    }
}

// Equalities without divs that all pieces have.
fn common_equalities(context: &Set) -> Option<Vec<Row>> {
    let columns = Columns::of(context.space());
    let plain = |s: &crate::System| -> Vec<Row> {
        let first = columns.len();
        s.eqs().iter().filter(|r| r.is_zero_in(first..r.len())).map(|r| r.without(first, r.len() - first)).collect()
    };
    let mut all = context.systems().map(plain);
    let first = all.next()?;
    let rest: Vec<Vec<Row>> = all.collect();
    let shared: Vec<Row> =
        first.into_iter().filter(|r| rest.iter().all(|eqs| eqs.iter().any(|q| q == r || *q == r.neg()))).collect();
    (!shared.is_empty()).then_some(shared)
}

// Rows in reduced form, each with the column that it determines: later dimensions first, parameters last.
fn solve(eqs: Vec<Row>, columns: Columns) -> Vec<(usize, Row)> {
    let mut left = eqs;
    let mut solved: Vec<(usize, Row)> = Vec::new();
    for col in columns.dims(Dim::Out).rev().chain(columns.dims(Dim::Param).rev()) {
        let Some(at) = left.iter().position(|r| r.get(col).abs().is_one()) else { continue };
        let pivot = left.swap_remove(at);
        left = left.iter().map(|r| r.eliminate(col, &pivot)).filter(|r| !r.is_zero_in(0..r.len())).collect();
        solved = solved.into_iter().map(|(c, r)| (c, r.eliminate(col, &pivot))).collect();
        solved.push((col, pivot));
    }
    solved
}

impl QPolynomial {
    /// A simpler quasi-polynomial that agrees with this one on `context` (over `[]` for functions of parameters alone): dimensions
    /// that equalities determine are substituted, and divisions `floor(e/d)` where `floor(e/d)` or `e mod d` is one constant or `e`
    /// takes two adjacent values.
    ///
    /// # Panics
    /// If `context` is no set of the domain space.
    #[track_caller]
    pub fn gist(&self, context: &Set) -> QPolynomial {
        if let Err(e) = context.space().check_same(&set_space(&self.domain)) {
            panic!("{e}");
        }
        if self.special.is_some() || context.is_obviously_universe() {
            return self.clone();
        }
        let q = self.align_params(context.space());
        let context = context.align_params(&q.domain);
        let columns = Columns::of(&q.domain);
        let mut pool = Divs::new(columns.len());
        let mut images: Vec<Expr> = (0..columns.len()).map(|c| pool.column(c)).collect();
        for (col, row) in common_equalities(&context).map_or_else(Vec::new, |eqs| solve(eqs, columns)) {
            let pivot = row.get(col);
            let mut rest = row.clone();
            rest.set(col, Int::ZERO);
            let num = if pivot.is_negative() { rest } else { rest.neg() };
            images[col] = Expr { num, den: pivot.abs() };
        }
        for (i, div) in q.divs.iter().enumerate() {
            let narrow = narrowed(div, columns.len() + i);
            let own = q.div_aff(i);
            let num = Aff::from_parts(&q.domain, &q.divs, &div.num, &Int::ONE);
            if let Some(value) = fixed_value(&own, &context) {
                images.push(constant(value, columns.len()));
            } else if let Some(rest) = fixed_value(&num.sub(&own.scale(&div.den)), &context) {
                let e = pool.linear(&narrow.num, &images);
                let e = e.combine(&Int::ONE, &constant(rest, columns.len()), &Int::MINUS_ONE);
                images.push(Expr { num: e.num, den: &e.den * &div.den });
            } else if let Some(low) = adjacent_values(&num, &context) {
                // Of two adjacent numerators, the division is affine; it is not constant, so it steps by 1.
                let shift = &low.div_floor(&div.den) - &low;
                let e = pool.linear(&narrow.num, &images);
                images.push(e.combine(&Int::ONE, &constant(shift, columns.len()), &Int::ONE));
            } else {
                pool.import(std::slice::from_ref(&narrow), &mut images);
            }
        }
        match q.poly.compose(|v| Some(super::polynomial::Poly::of(&images[v])), &Budget::UNLIMITED) {
            Ok(poly) => QPolynomial::finish(q.domain, pool, &poly),
            Err(_) => unreachable!("an unlimited budget is never spent"),
        }
    }
}

fn constant(value: Int, width: usize) -> Expr {
    let mut row = Row::zero(width);
    row.set(0, value);
    Expr::integral(row)
}

impl MultiAff {
    /// A simpler tuple that agrees with this one on `context`.
    ///
    /// # Panics
    /// If `context` is no set of the domain space.
    #[track_caller]
    pub fn gist(&self, context: &Set) -> MultiAff {
        self.map_elements(|e| e.gist(context))
    }
}

impl Multi<PwAff> {
    /// A simpler tuple that agrees with this one on `context`.
    ///
    /// # Panics
    /// If `context` is no set of the domain space.
    #[track_caller]
    pub fn gist(&self, context: &Set) -> Multi<PwAff> {
        let mut out = self.map_elements(|e| e.gist(context));
        out.domain = self.domain.as_ref().map(|d| d.gist(context));
        out
    }

    /// A simpler tuple that agrees with this one for the parameter values in `context`.
    pub fn gist_params(&self, context: &crate::Params) -> Multi<PwAff> {
        self.gist(&Set::from_params(context, self.domain_set_space().union_params(context.space())))
    }
}
