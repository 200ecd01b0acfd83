//! Removing existentials exactly where that is cheap, and projecting dimensions out.
//!
//! A hidden dimension becomes an unknown div. [`simplified`] then removes what it can without splitting the piece: an equality with a
//! unit coefficient is substituted; an equality `g e = f` or a pair of bounds `0 <= f - g e < g` defines `e = floor(f / g)`; where
//! every lower or every upper bound has a unit coefficient (or the shadows agree), Fourier-Motzkin elimination is exact. What remains
//! stays an unknown existential, which `with_known_divs` resolves by the Omega test when an operation needs it.

use super::embed::Slot::{Hidden, To};
use super::{Kind, Params, Relation};
use crate::linalg::Row;
use crate::system::Div;
use crate::{Columns, Dim, Int, Space, System};

/// The cheap normal form with as few unknown divs as cheaply possible, or `None` if obviously empty.
pub(crate) fn simplified(system: System) -> Option<System> {
    let mut system = system.normalized()?;
    while !system.divs_known() {
        let mut parts = Parts::of(&system);
        if !parts.step() {
            break;
        }
        while parts.step() {}
        system = parts.assemble().normalized()?;
    }
    Some(system)
}

// A system in pieces, whose div definitions may refer to any column while it is edited.
struct Parts {
    columns: Columns,
    divs: Vec<Option<Div>>,
    eqs: Vec<Row>,
    ineqs: Vec<Row>,
}

impl Parts {
    fn of(system: &System) -> Parts {
        Parts {
            columns: system.columns(),
            divs: system.divs().to_vec(),
            eqs: system.eqs().to_vec(),
            ineqs: system.ineqs().to_vec(),
        }
    }

    // One simplification, if there is one.
    fn step(&mut self) -> bool {
        let unknown: Vec<usize> = (0..self.divs.len()).filter(|&i| self.divs[i].is_none()).collect();
        unknown.iter().any(|&i| self.substitute(i))
            || unknown.iter().any(|&i| self.define_by_equality(i))
            || unknown.iter().any(|&i| self.define_by_bounds(i))
            || unknown.iter().any(|&i| self.eliminate(i))
    }

    fn used_in_divs(&self, col: usize) -> bool {
        self.divs.iter().flatten().any(|d| !d.num.is_zero_at(col))
    }

    // Makes a known div unknown, its bounds becoming rows.
    fn forget(&mut self, i: usize) {
        if let Some(div) = self.divs[i].take() {
            let mut lower = div.num.clone();
            lower.add_at(self.columns.div(i), &-&div.den);
            let mut upper = lower.neg();
            upper.add_at(0, &(&div.den - Int::ONE));
            self.ineqs.push(lower);
            self.ineqs.push(upper);
        }
    }

    fn substitute(&mut self, i: usize) -> bool {
        let col = self.columns.div(i);
        let Some(k) = self.eqs.iter().position(|r| r.get(col).abs().is_one()) else { return false };
        let pivot = self.eqs.swap_remove(k);
        // A definition that would come to depend on itself is turned into its bounds.
        for j in 0..self.divs.len() {
            if self.divs[j].as_ref().is_some_and(|d| !d.num.is_zero_at(col)) && self.reaches(&pivot, j) {
                self.forget(j);
            }
        }
        for row in self.eqs.iter_mut().chain(&mut self.ineqs) {
            *row = row.eliminate(col, &pivot);
        }
        for div in self.divs.iter_mut().flatten() {
            div.num = div.num.eliminate(col, &pivot);
        }
        self.drop_div(i);
        true
    }

    // Whether the value of `row` depends on div `target`, directly or through definitions.
    fn reaches(&self, row: &Row, target: usize) -> bool {
        let mut seen = vec![false; self.divs.len()];
        let mut stack: Vec<usize> = Vec::new();
        let visit = |row: &Row, seen: &mut Vec<bool>, stack: &mut Vec<usize>| {
            for (j, seen) in seen.iter_mut().enumerate() {
                if !*seen && !row.is_zero_at(self.columns.div(j)) {
                    *seen = true;
                    stack.push(j);
                }
            }
        };
        visit(row, &mut seen, &mut stack);
        while let Some(j) = stack.pop() {
            if j == target {
                return true;
            }
            if let Some(d) = &self.divs[j] {
                visit(&d.num, &mut seen, &mut stack);
            }
        }
        false
    }

    // Whether the row (beside column `except`) depends on known divs only, none of which depends on div `i`.
    fn definable(&self, row: &Row, i: usize) -> bool {
        let col = self.columns.div(i);
        let mut rest = row.clone();
        rest.set(col, Int::ZERO);
        let mut seen = vec![false; self.divs.len()];
        let mut stack = vec![rest];
        while let Some(row) = stack.pop() {
            for j in 0..self.divs.len() {
                if row.is_zero_at(self.columns.div(j)) || seen[j] {
                    continue;
                }
                seen[j] = true;
                match &self.divs[j] {
                    Some(d) if j != i => stack.push(d.num.clone()),
                    _ => return false,
                }
            }
        }
        true
    }

    fn define_by_equality(&mut self, i: usize) -> bool {
        let col = self.columns.div(i);
        let Some(k) = (0..self.eqs.len()).find(|&k| !self.eqs[k].is_zero_at(col) && self.definable(&self.eqs[k], i)) else {
            return false;
        };
        let row = &self.eqs[k];
        // den * e = num
        let mut num = if row.sign(col) > 0 { row.neg() } else { row.clone() };
        let den = row.get(col).abs();
        num.set(col, Int::ZERO);
        self.divs[i] = Some(Div { num, den });
        true
    }

    fn define_by_bounds(&mut self, i: usize) -> bool {
        let col = self.columns.div(i);
        for u in 0..self.ineqs.len() {
            // f - den * e >= 0
            let upper = &self.ineqs[u];
            if upper.sign(col) >= 0 {
                continue;
            }
            let den = -upper.get(col);
            for l in 0..self.ineqs.len() {
                let lower = &self.ineqs[l];
                if lower.sign(col) <= 0 {
                    continue;
                }
                let sum = upper.add(lower);
                if !sum.is_zero_in(1..sum.len()) || sum.get(0) >= den {
                    continue;
                }
                if !self.definable(upper, i) {
                    continue;
                }
                let exact = sum.get(0) == &den - Int::ONE;
                let mut num = upper.clone();
                num.set(col, Int::ZERO);
                self.divs[i] = Some(Div { num, den });
                // Both bounds follow from the definition; a tighter lower one still constrains the numerator.
                if exact {
                    self.ineqs.swap_remove(l.max(u));
                    self.ineqs.swap_remove(l.min(u));
                } else {
                    self.ineqs.swap_remove(u);
                }
                return true;
            }
        }
        false
    }

    fn eliminate(&mut self, i: usize) -> bool {
        let col = self.columns.div(i);
        if self.eqs.iter().any(|r| !r.is_zero_at(col)) || self.used_in_divs(col) {
            return false;
        }
        let (mut lower, mut upper) = (0, 0);
        let (mut lower_unit, mut upper_unit) = (true, true);
        for row in &self.ineqs {
            match row.sign(col) {
                1 => {
                    lower += 1;
                    lower_unit &= row.get(col).is_one();
                }
                -1 => {
                    upper += 1;
                    upper_unit &= row.get(col) == Int::MINUS_ONE;
                }
                _ => {}
            }
        }
        let one_sided = lower == 0 || upper == 0;
        let grows = lower * upper > (lower + upper + 2).max(12);
        if !one_sided && (grows || !(lower_unit || upper_unit || self.shadows_agree(col))) {
            return false;
        }
        let (bounds, mut rows): (Vec<Row>, Vec<Row>) = self.ineqs.drain(..).partition(|r| !r.is_zero_at(col));
        if !one_sided {
            let (lower, upper): (Vec<Row>, Vec<Row>) = bounds.into_iter().partition(|r| r.sign(col) > 0);
            for l in &lower {
                for u in &upper {
                    rows.push(u.combine(&l.get(col), l, &-u.get(col)));
                }
            }
        }
        self.ineqs = rows;
        self.drop_div(i);
        true
    }

    // Whether every pair of bounds with two coefficients above 1 is a constant apart that leaves room for an integer whatever the
    // other columns are: `a e >= f`, `b e <= g` with `a g - b f >= (a - 1)(b - 1)` (Pugh's dark shadow), as in `0 <= x - 10e <= 9`.
    fn shadows_agree(&self, col: usize) -> bool {
        let wide = |sign: i32| self.ineqs.iter().filter(move |r| r.sign(col) == sign && !r.get(col).abs().is_one());
        wide(1).all(|lower| {
            wide(-1).all(|upper| {
                let (a, b) = (lower.get(col), -upper.get(col));
                let shadow = upper.combine(&a, lower, &b);
                shadow.is_zero_in(1..shadow.len()) && shadow.get(0) >= (&a - Int::ONE) * (&b - Int::ONE)
            })
        })
    }

    fn drop_div(&mut self, i: usize) {
        let col = self.columns.div(i);
        for row in self.eqs.iter_mut().chain(&mut self.ineqs) {
            *row = row.without(col, 1);
        }
        for div in self.divs.iter_mut().flatten() {
            div.num = div.num.without(col, 1);
        }
        self.divs.remove(i);
        self.columns.divs -= 1;
    }

    // Orders the divs so that definitions refer to earlier columns only.
    fn assemble(mut self) -> System {
        let mut order: Vec<usize> = (0..self.divs.len()).filter(|&i| self.divs[i].is_none()).collect();
        let mut placed: Vec<bool> = self.divs.iter().map(Option::is_none).collect();
        while order.len() < self.divs.len() {
            let ready = (0..self.divs.len()).find(|&i| {
                !placed[i]
                    && self.divs[i]
                        .as_ref()
                        .is_none_or(|d| (0..self.divs.len()).all(|j| placed[j] || d.num.is_zero_at(self.columns.div(j))))
            });
            let next = ready.unwrap_or_else(|| {
                let stuck = (0..self.divs.len()).find(|&i| !placed[i]).unwrap_or(0);
                self.forget(stuck);
                stuck
            });
            placed[next] = true;
            order.push(next);
        }
        let source: Vec<Option<usize>> =
            (0..self.columns.first_div()).chain(order.iter().map(|&i| self.columns.div(i))).map(Some).collect();
        let mut system = System::universe(self.columns);
        for (new, &old) in order.iter().enumerate() {
            system.set_div(new, self.divs[old].as_ref().map(|d| Div { num: d.num.gather(&source), den: d.den.clone() }));
        }
        let gather = |rows: &[Row]| rows.iter().map(|r| r.gather(&source)).collect();
        let system = system.with_rows(gather(&self.eqs), gather(&self.ineqs));
        system.check_invariants();
        system
    }
}

impl<K: Kind> Relation<K> {
    /// `{ x without the dimensions : exists their values: x in self }`: dimensions `first .. first + n` of one kind are projected out.
    ///
    /// Exact over the integers; projected dimensions that cannot be eliminated cheaply stay as existentials. A tuple that loses
    /// dimensions (or from which none are projected out explicitly) loses its name and nesting, as in isl.
    ///
    /// # Panics
    /// If the dimensions do not exist.
    #[track_caller]
    pub fn project_out(&self, kind: Dim, first: usize, n: usize) -> Relation<K> {
        let space = super::dims::without_dims(&self.space, kind, first, n);
        self.recast(space, n, |k, i| match k {
            _ if k != kind || i < first => To(k, i),
            _ if i < first + n => Hidden(i - first),
            _ => To(k, i - n),
        })
    }

    /// Projects a parameter out; the relation itself if it has no such parameter.
    pub fn project_out_param(&self, name: &str) -> Relation<K> {
        match self.space.param_position(name) {
            Some(p) => self.project_out(Dim::Param, p, 1),
            None => self.clone(),
        }
    }

    /// Projects out all parameters: `{ x : exists n: x in self(n) }`.
    pub fn project_out_all_params(&self) -> Relation<K> {
        self.project_out(Dim::Param, 0, self.space.dim(Dim::Param))
    }

    /// `{ x : exists y in self that agrees with x outside the dimensions }`: dimensions `first .. first + n` become unconstrained.
    ///
    /// # Panics
    /// If the dimensions do not exist.
    #[track_caller]
    pub fn eliminate(&self, kind: Dim, first: usize, n: usize) -> Relation<K> {
        super::dims::check_range(&self.space, kind, first, n);
        if kind == Dim::Param {
            let ids: Vec<_> = self.space.param_ids().to_vec();
            return self.project_out(kind, first, n).align_params(&Space::params(&[]).with_params(ids));
        }
        self.recast(self.space.clone(), n, |k, i| {
            if k == kind && (first..first + n).contains(&i) { Hidden(i - first) } else { To(k, i) }
        })
    }

    /// `{ n : exists x: x in self(n) }`: the parameter values for which the relation has an element.
    pub fn params(&self) -> Params {
        let (inputs, outputs) = (self.space.dim(Dim::In), self.space.dim(Dim::Out));
        self.recast(self.space.params_space(), inputs + outputs, |k, i| match k {
            Dim::In => Hidden(i),
            Dim::Out => Hidden(inputs + i),
            Dim::Param => To(k, i),
        })
    }
}
