//! Cheap normal forms of a system: gcd tightening, reduced equalities, recognized divs, no duplicate or obviously redundant rows.
//!
//! The normal form keeps the set of integer points and proves emptiness only where that is cheap. It never loops over anything but
//! rows and columns: each round either removes a div, finds an equality, or ends.

use super::{Div, System};
use crate::Int;
use crate::linalg::Row;
use hashbrown::HashMap;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The system turned out to be empty.
pub(crate) struct Contradiction;

type Step<T> = Result<T, Contradiction>;

/// Divides an equality by the gcd of its coefficients. `None` if it says `0 = 0`.
pub(crate) fn tighten_eq(row: &Row) -> Step<Option<Row>> {
    let g = row.gcd_in(1..row.len());
    if g.is_zero() {
        return if row.is_zero_at(0) { Ok(None) } else { Err(Contradiction) };
    }
    if !g.divides(&row.get(0)) {
        return Err(Contradiction);
    }
    Ok(Some(row.div_exact(&g)))
}

/// Divides an inequality by the gcd of its coefficients, rounding the constant down. `None` if it always holds.
pub(crate) fn tighten_ineq(row: &Row) -> Step<Option<Row>> {
    let g = row.gcd_in(1..row.len());
    if g.is_zero() {
        return if row.sign(0) < 0 { Err(Contradiction) } else { Ok(None) };
    }
    if g.is_one() {
        return Ok(Some(row.clone()));
    }
    let constant = row.get(0).div_floor(&g);
    let mut row = row.clone();
    row.set(0, Int::ZERO);
    let mut row = row.div_exact(&g);
    row.set(0, constant);
    Ok(Some(row))
}

/// Tightens and merges inequalities: one row per linear part, the tightest; opposite rows that leave one value become equalities.
pub(crate) fn merge_ineqs(rows: Vec<Row>, new_eqs: &mut Vec<Row>) -> Step<Vec<Row>> {
    // Keyed by the linear part up to sign; value: tightest constants of `+linear` and `-linear`.
    let mut bounds: HashMap<Row, (Option<Int>, Option<Int>)> = HashMap::with_capacity(rows.len());
    for row in rows {
        let Some(mut row) = tighten_ineq(&row)? else {
            continue;
        };
        let constant = row.get(0);
        row.set(0, Int::ZERO);
        let first = row.first_nonzero(1..row.len()).expect("tighten_ineq drops constant rows");
        let positive = row.sign(first) > 0;
        if !positive {
            row = row.neg();
        }
        let entry = bounds.entry(row).or_default();
        let slot = if positive { &mut entry.0 } else { &mut entry.1 };
        if slot.as_ref().is_none_or(|c| constant < *c) {
            *slot = Some(constant);
        }
    }
    let mut out = Vec::with_capacity(bounds.len());
    for (linear, (plus, minus)) in bounds {
        // linear + plus >= 0 and -linear + minus >= 0: -plus <= linear <= minus.
        if let (Some(p), Some(m)) = (&plus, &minus) {
            let width = p + m;
            if width.is_negative() {
                return Err(Contradiction);
            }
            if width.is_zero() {
                let mut row = linear;
                row.set(0, p.clone());
                new_eqs.push(row);
                continue;
            }
        }
        if let Some(m) = minus {
            let mut row = linear.neg();
            row.set(0, m);
            out.push(row);
        }
        if let Some(p) = plus {
            let mut row = linear;
            row.set(0, p);
            out.push(row);
        }
    }
    out.sort_unstable();
    Ok(out)
}

impl System {
    /// The cheap normal form, or `None` if the system is obviously empty.
    ///
    /// In the result equalities are in echelon form and eliminated from the inequalities, existentials with a unit coefficient in an
    /// equality are gone, existentials that an equality or a window of bounds determines have a definition, unused and repeated divs
    /// are gone, and rows are sorted. The set of integer points is unchanged.
    pub fn normalized(mut self) -> Option<System> {
        if self.divs.is_empty() && self.eqs.is_empty() {
            // The common case: a box or a polyhedron.
            let mut eqs = Vec::new();
            self.ineqs = merge_ineqs(std::mem::take(&mut self.ineqs), &mut eqs).ok()?;
            if eqs.is_empty() {
                return Some(self);
            }
            self.eqs = eqs;
        }
        self.normalize().ok()?;
        if cfg!(debug_assertions) {
            self.check_invariants();
        }
        Some(self)
    }

    fn normalize(&mut self) -> Step<()> {
        self.sort_divs();
        loop {
            self.simplify_divs();
            self.remove_unused_divs();
            self.reduce_equalities()?;
            if self.substitute_in_divs() {
                continue;
            }
            // The bounds of divs take part in the merging, then go: definitions imply them.
            let bounds: Vec<Row> = (0..self.divs.len()).filter_map(|d| self.div_bounds(d)).flatten().collect();
            let mut found = Vec::new();
            let rows = std::mem::take(&mut self.ineqs).into_iter().chain(bounds.iter().cloned()).collect();
            self.ineqs = merge_ineqs(rows, &mut found)?;
            self.ineqs.retain(|row| !bounds.contains(row));
            if !found.is_empty() {
                found.sort_unstable();
                self.eqs.extend(found);
                continue;
            }
            if self.eliminate_unit_div() {
                continue;
            }
            if self.define_unknown_div() {
                continue;
            }
            if self.drop_one_sided_div() {
                continue;
            }
            if self.merge_equal_divs() {
                continue;
            }
            self.remove_unused_divs();
            self.eqs.sort_unstable();
            return Ok(());
        }
    }

    /// Brings equalities into echelon form, pivots from the last column to the first, and eliminates pivots from inequalities.
    fn reduce_equalities(&mut self) -> Step<()> {
        let mut remaining: Vec<Row> = Vec::with_capacity(self.eqs.len());
        for row in self.eqs.drain(..) {
            remaining.extend(tighten_eq(&row)?);
        }
        let mut done: Vec<(usize, Row)> = Vec::with_capacity(remaining.len());
        for col in (1..self.columns.len()).rev() {
            if remaining.is_empty() {
                break;
            }
            let best =
                (0..remaining.len()).filter(|&i| !remaining[i].is_zero_at(col)).min_by_key(|&i| (remaining[i].get(col).abs(), i));
            let Some(best) = best else { continue };
            let mut pivot = remaining.swap_remove(best);
            if pivot.sign(col) < 0 {
                pivot = pivot.neg();
            }
            let mut rest = Vec::with_capacity(remaining.len());
            for row in remaining {
                rest.extend(if row.is_zero_at(col) { Some(row) } else { tighten_eq(&row.eliminate(col, &pivot))? });
            }
            remaining = rest;
            for (_, row) in &mut done {
                if !row.is_zero_at(col) {
                    *row = tighten_eq(&row.eliminate(col, &pivot))?.expect("the pivot of a done row stays");
                }
            }
            done.push((col, pivot));
        }
        for row in remaining {
            if !row.is_zero_in(0..row.len()) {
                return Err(Contradiction);
            }
        }
        for (col, pivot) in &done {
            for row in &mut self.ineqs {
                if !row.is_zero_at(*col) {
                    *row = row.eliminate(*col, pivot);
                }
            }
        }
        self.eqs = done.into_iter().map(|(_, row)| row).collect();
        Ok(())
    }

    /// Eliminates dimensions that equalities determine from the definitions of divs: `floor(x/d)` becomes `floor(k x / k d)` with
    /// the pivot of the equality gone.
    fn substitute_in_divs(&mut self) -> bool {
        let first_div = self.columns.first_div();
        let mut changed = false;
        for eq in &self.eqs {
            let Some(pivot) = (1..eq.len()).rev().find(|&c| !eq.is_zero_at(c)).filter(|&c| c < first_div) else {
                continue;
            };
            for def in self.divs.iter_mut().flatten().filter(|d| !d.num.is_zero_at(pivot)) {
                let p = eq.get(pivot);
                let scale = p.div_exact(&p.gcd(&def.num.get(pivot))).abs();
                *def = Div { num: def.num.eliminate(pivot, eq), den: &def.den * &scale };
                changed = true;
            }
        }
        changed
    }

    /// Replaces a div by the expression that an equality gives it with coefficient one.
    fn eliminate_unit_div(&mut self) -> bool {
        for index in (0..self.divs.len()).rev() {
            let col = self.columns.div(index);
            let Some(e) = self.eqs.iter().position(|r| r.get(col).abs().is_one()) else {
                continue;
            };
            let users: Vec<usize> =
                (0..self.divs.len()).filter(|&d| self.divs[d].as_ref().is_some_and(|def| !def.num.is_zero_at(col))).collect();
            let eq = self.eqs[e].clone();
            // A definition may only refer to earlier columns: the replacement must not bring in later ones.
            let fits = |d: usize| eq.is_zero_in(self.columns.div(d)..self.columns.len());
            if !users.iter().all(|&d| fits(d)) {
                continue;
            }
            if let Some(bounds) = self.div_bounds(index) {
                self.ineqs.extend(bounds);
            }
            self.eqs.swap_remove(e);
            let replace = |row: &Row| {
                if row.is_zero_at(col) { row.clone() } else { row.eliminate(col, &eq) }
            };
            self.eqs = self.eqs.iter().map(replace).collect();
            self.ineqs = self.ineqs.iter().map(replace).collect();
            for d in users {
                if let Some(def) = &mut self.divs[d] {
                    def.num = replace(&def.num);
                }
            }
            self.remove_div_column(index);
            return true;
        }
        false
    }

    /// Gives an unknown div a definition where an equality `a*e = x` or a window `l <= x - a*e <= u` with `u - l < a` fixes it.
    fn define_unknown_div(&mut self) -> bool {
        for index in 0..self.divs.len() {
            if self.divs[index].is_some() {
                continue;
            }
            let col = self.columns.div(index);
            if let Some((num, den)) = self.defining_equality(col).or_else(|| self.defining_window(col))
                && self.can_define(index, &num)
            {
                self.divs[index] = Some(Div { num, den });
                self.sort_divs();
                return true;
            }
        }
        false
    }

    fn defining_equality(&self, col: usize) -> Option<(Row, Int)> {
        let row = self.eqs.iter().find(|r| !r.is_zero_at(col) && self.unknowns_in(r, col).next().is_none())?;
        let a = row.get(col);
        // a*e + x = 0, so e = -x / a.
        let mut num = if a.is_positive() { row.neg() } else { row.clone() };
        num.set(col, Int::ZERO);
        Some((num, a.abs()))
    }

    fn defining_window(&self, col: usize) -> Option<(Row, Int)> {
        for lower in self.ineqs.iter().filter(|r| r.sign(col) < 0 && r.get(col) != Int::MINUS_ONE) {
            // x - a*e + c >= 0 with a > 1, and some -x + a*e + d >= 0: -c <= x - a*e <= d.
            let a = -lower.get(col);
            let opposite = self.ineqs.iter().find(|r| r.sign(col) > 0 && is_opposite(lower, r));
            let Some(opposite) = opposite else { continue };
            if lower.get(0) + opposite.get(0) < a && self.unknowns_in(lower, col).next().is_none() {
                let mut num = lower.clone();
                num.set(col, Int::ZERO);
                return Some((num, a));
            }
        }
        None
    }

    /// Unknown divs other than `col` in a row.
    fn unknowns_in<'a>(&'a self, row: &'a Row, col: usize) -> impl Iterator<Item = usize> + 'a {
        (0..self.divs.len()).filter(move |&d| {
            let c = self.columns.div(d);
            c != col && self.divs[d].is_none() && !row.is_zero_at(c)
        })
    }

    /// Whether a definition of div `index` by `num` depends neither on itself nor on an unknown div, directly or through others.
    fn can_define(&self, index: usize, num: &Row) -> bool {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<usize> = self.divs_in(num).collect();
        while let Some(d) = todo.pop() {
            match &self.divs[d] {
                None => return false,
                Some(_) if d == index => return false,
                Some(def) => {
                    if seen.insert(d) {
                        todo.extend(self.divs_in(&def.num));
                    }
                }
            }
        }
        true
    }

    /// The divs that a row uses.
    pub(crate) fn divs_in<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = usize> + 'a {
        (0..self.divs.len()).filter(move |&d| !row.is_zero_at(self.columns.div(d)))
    }

    /// Orders divs so that definitions refer to earlier columns only: unknown ones first, then by dependence.
    pub(crate) fn sort_divs(&mut self) {
        let n = self.divs.len();
        let mut order: Vec<usize> = (0..n).filter(|&d| self.divs[d].is_none()).collect();
        let mut placed: Vec<bool> = self.divs.iter().map(Option::is_none).collect();
        while order.len() < n {
            let next = (0..n)
                .find(|&d| !placed[d] && self.divs[d].as_ref().is_some_and(|def| self.divs_in(&def.num).all(|x| placed[x])));
            let next = next.expect("definitions of divs are acyclic");
            placed[next] = true;
            order.push(next);
        }
        if order.iter().enumerate().any(|(i, &d)| i != d) {
            self.keep_divs(&order);
        }
    }

    /// The normal form with known divs in an order that only their definitions decide, not how they came about: of those whose
    /// own divs are placed, the least numerator and denominator is next. The set of integer points is unchanged.
    pub(crate) fn with_ordered_divs(&self) -> Cow<'_, System> {
        let mut system = Cow::Borrowed(self);
        // Another order gives other equalities, which may give other definitions: these are ordered in turn.
        for _ in 0..=self.divs.len() {
            let order = system.order_by_definition();
            if order.iter().enumerate().all(|(i, &d)| i == d) {
                break;
            }
            let mut ordered = system.clone().into_owned();
            ordered.keep_divs(&order);
            let Some(ordered) = ordered.normalized() else { break };
            system = Cow::Owned(ordered);
        }
        system
    }

    fn order_by_definition(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.divs.len()).filter(|&d| self.divs[d].is_none()).collect();
        while order.len() < self.divs.len() {
            let ready = |d: &usize| {
                !order.contains(d) && self.divs[*d].as_ref().is_some_and(|def| self.divs_in(&def.num).all(|x| order.contains(&x)))
            };
            let key = |d: &usize| {
                let def = self.divs[*d].as_ref()?;
                let columns = (1..self.columns.first_div()).chain(order.iter().map(|&x| self.columns.div(x))).chain([0]);
                Some((columns.map(|c| def.num.get(c)).collect::<Vec<Int>>(), def.den.clone()))
            };
            let next = (0..self.divs.len()).filter(ready).min_by_key(key);
            order.push(next.expect("definitions of divs are acyclic"));
        }
        order
    }

    /// Keeps exactly the div columns `order`, in that order.
    pub(crate) fn keep_divs(&mut self, order: &[usize]) {
        let first = self.columns.first_div();
        let source: Vec<Option<usize>> = (0..first).chain(order.iter().map(|&d| first + d)).map(Some).collect();
        *self = self.gather(self.columns.with_divs(order.len()), &source);
    }

    fn remove_div_column(&mut self, index: usize) {
        let order: Vec<usize> = (0..self.divs.len()).filter(|&d| d != index).collect();
        self.keep_divs(&order);
    }

    /// Drops an unknown div that no equality and no definition uses and that is bounded on one side at most.
    fn drop_one_sided_div(&mut self) -> bool {
        for index in 0..self.divs.len() {
            let col = self.columns.div(index);
            if self.divs[index].is_some()
                || self.eqs.iter().any(|r| !r.is_zero_at(col))
                || self.divs.iter().flatten().any(|d| !d.num.is_zero_at(col))
            {
                continue;
            }
            let has = |sign: i32| self.ineqs.iter().any(|r| r.sign(col) == sign);
            if !(has(1) && has(-1)) {
                self.ineqs.retain(|r| r.is_zero_at(col));
                self.remove_div_column(index);
                return true;
            }
        }
        false
    }

    /// Brings each definition into lowest terms with coefficients in `[0, den)`, moving whole multiples into the rows.
    fn simplify_divs(&mut self) {
        for index in 0..self.divs.len() {
            let Some(def) = self.divs[index].clone() else {
                continue;
            };
            let col = self.columns.div(index);
            let (num, den) = lowest_terms(&def.num, &def.den);
            let quotients = Row::from_ints(num.to_ints().iter().map(|c| c.div_floor(&den)).collect());
            let num = num.combine(&Int::ONE, &quotients, &-&den);
            if quotients.is_zero_in(0..quotients.len()) && !num.is_zero_in(1..num.len()) {
                self.divs[index] = Some(Div { num, den });
                continue;
            }
            // q = q' + quotients . x: replace q in all rows by q' + quotients . x.
            let vanishes = num.is_zero_in(1..num.len());
            let replace = |row: &Row| {
                let c = row.get(col);
                if c.is_zero() {
                    return row.clone();
                }
                let mut row = row.combine(&Int::ONE, &quotients, &c);
                if vanishes {
                    row.set(col, Int::ZERO);
                }
                row
            };
            self.eqs = self.eqs.iter().map(replace).collect();
            self.ineqs = self.ineqs.iter().map(replace).collect();
            for d in index + 1..self.divs.len() {
                if let Some(later) = &mut self.divs[d] {
                    later.num = replace(&later.num);
                }
            }
            self.divs[index] = Some(Div { num, den });
        }
    }

    fn merge_equal_divs(&mut self) -> bool {
        for b in 1..self.divs.len() {
            if self.divs[b].is_none() {
                continue;
            }
            if let Some(a) = (0..b).find(|&a| self.divs[a] == self.divs[b]) {
                let (ca, cb) = (self.columns.div(a), self.columns.div(b));
                let replace = |row: &Row| {
                    let mut row = row.clone();
                    let c = row.get(cb);
                    row.add_at(ca, &c);
                    row.set(cb, Int::ZERO);
                    row
                };
                self.eqs = self.eqs.iter().map(replace).collect();
                self.ineqs = self.ineqs.iter().map(replace).collect();
                for def in self.divs.iter_mut().flatten() {
                    def.num = replace(&def.num);
                }
                self.remove_div_column(b);
                return true;
            }
        }
        false
    }

    fn remove_unused_divs(&mut self) {
        let mut used = vec![false; self.divs.len()];
        for row in self.eqs.iter().chain(&self.ineqs) {
            for d in self.divs_in(row) {
                used[d] = true;
            }
        }
        for d in (0..self.divs.len()).rev() {
            if let (true, Some(def)) = (used[d], &self.divs[d]) {
                for e in self.divs_in(&def.num).collect::<Vec<_>>() {
                    used[e] = true;
                }
            }
        }
        if used.contains(&false) {
            let order: Vec<usize> = (0..used.len()).filter(|&d| used[d]).collect();
            self.keep_divs(&order);
        }
    }
}

/// `floor(num / den)` with the common factor of the coefficients and `den` taken out.
fn lowest_terms(num: &Row, den: &Int) -> (Row, Int) {
    let g = num.gcd_in(1..num.len()).gcd(den);
    if g.is_one() {
        return (num.clone(), den.clone());
    }
    let constant = num.get(0).div_floor(&g);
    let mut row = num.clone();
    row.set(0, Int::ZERO);
    let mut row = row.div_exact(&g);
    row.set(0, constant);
    (row, den.div_exact(&g))
}

/// Whether the linear parts of two rows are opposite.
pub(crate) fn is_opposite(a: &Row, b: &Row) -> bool {
    match (a.narrow(), b.narrow()) {
        (Some(x), Some(y)) => x[1..].iter().zip(&y[1..]).all(|(p, q)| p.checked_neg() == Some(*q)),
        _ => (1..a.len()).all(|i| a.get(i) == -b.get(i)),
    }
}
