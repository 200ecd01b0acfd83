//! A pool of integer divisions in normal form, over which affine expressions are composed.
//!
//! The pool grows by [`Divs::floor`]. A division `floor(e/d)` is brought to a normal form first, so that equal divisions meet:
//!
//! - common factors: `floor((g*e + c)/(g*d)) = floor((e + floor(c/g))/d)`;
//! - integer parts: coefficients in `(-d/2, d/2]` and a constant in `[0, d)`; what is left over stays outside;
//! - nesting: `floor((floor(e/a) + y)/b) = floor((e + a*y)/(a*b))` for integer `y` and positive `a`, `b`;
//! - sign: the first coefficient is positive, by `floor((-e)/d) = -floor((e + d - 1)/d)` for integer `e`.

use crate::linalg::Row;
use crate::system::Div;
use crate::{Columns, Int, System};

/// `num . x / den` over the columns of a pool; trailing zeros may be missing. The denominator is positive.
#[derive(Debug, Clone)]
pub(crate) struct Expr {
    pub num: Row,
    pub den: Int,
}

impl Expr {
    pub fn integral(num: Row) -> Expr {
        Expr { num, den: Int::ONE }
    }

    /// `a * self + b * other`.
    pub fn combine(&self, a: &Int, other: &Expr, b: &Int) -> Expr {
        let (x, y) = same_width(&self.num, &other.num);
        if self.den == other.den {
            return Expr { num: x.combine(a, &y, b), den: self.den.clone() };
        }
        let den = self.den.lcm(&other.den);
        let (a, b) = (a * &den.div_exact(&self.den), b * &den.div_exact(&other.den));
        Expr { num: x.combine(&a, &y, &b), den }
    }
}

fn same_width(a: &Row, b: &Row) -> (Row, Row) {
    let n = a.len().max(b.len());
    (pad(a, n), pad(b, n))
}

/// The row with zeros appended up to `len` elements.
pub(crate) fn pad(row: &Row, len: usize) -> Row {
    if row.len() == len { row.clone() } else { row.with_zeros(row.len(), len - row.len()) }
}

/// The row that is 1 in column `col`.
pub(crate) fn unit(len: usize, col: usize) -> Row {
    let mut row = Row::zero(len);
    row.set(col, Int::ONE);
    row
}

/// Divisions over `base` columns (the constant's included).
#[derive(Debug, Clone)]
pub(crate) struct Divs {
    base: usize,
    // Invariant: div `i` is in normal form and its numerator has `base + i` columns; no two are equal.
    divs: Vec<Div>,
}

impl Divs {
    pub fn new(base: usize) -> Divs {
        Divs { base, divs: Vec::new() }
    }

    pub fn width(&self) -> usize {
        self.base + self.divs.len()
    }

    /// The columns that are no divisions, the constant's included.
    pub fn base(&self) -> usize {
        self.base
    }

    /// The definition of the division in column `col`.
    pub fn definition(&self, col: usize) -> &Div {
        &self.divs[col - self.base]
    }

    /// Column `col` as an expression.
    pub fn column(&self, col: usize) -> Expr {
        Expr::integral(unit(self.base.max(col + 1), col))
    }

    /// `floor(num . x / den)` as an integer combination of the columns of the grown pool; `den` is positive.
    pub fn floor(&mut self, num: &Row, den: &Int) -> Row {
        let width = self.width();
        let mut num = pad(num, width);
        let mut den = den.clone();
        let mut whole = Row::zero(width);
        loop {
            let g = num.gcd_in(1..width).gcd(&den);
            if !g.is_one() {
                let constant = num.get(0).div_floor(&g);
                num.set(0, Int::ZERO);
                num = num.div_exact(&g);
                num.set(0, constant);
                den = den.div_exact(&g);
            }
            if den.is_one() {
                return whole.add(&num);
            }
            split_integer_part(&mut num, &mut whole, &den);
            let Some(inner) = (self.base..width).rev().find(|&c| num.get(c).abs().is_one()) else { break };
            let Div { num: e, den: a } = &self.divs[inner - self.base];
            let e = pad(e, width);
            let negative = num.get(inner).is_negative();
            num.set(inner, Int::ZERO);
            num = if negative {
                // -floor(e/a) = floor((-e + a - 1)/a)
                let mut sum = num.combine(a, &e, &Int::MINUS_ONE);
                sum.add_at(0, &(a - Int::ONE));
                sum
            } else {
                num.combine(a, &e, &Int::ONE)
            };
            den = &den * a;
        }
        let first = num.first_nonzero(1..width).expect("a constant division has denominator 1");
        let negative = num.sign(first) < 0;
        if negative {
            num = num.neg();
            num.add_at(0, &(&den - Int::ONE));
            let mut shift = Row::zero(width);
            split_integer_part(&mut num, &mut shift, &den);
            whole = whole.combine(&Int::ONE, &shift, &Int::MINUS_ONE);
        }
        let col = self.intern(num, den);
        let mut row = pad(&whole, self.width());
        row.add_at(col, if negative { &Int::MINUS_ONE } else { &Int::ONE });
        row
    }

    fn intern(&mut self, num: Row, den: Int) -> usize {
        let width = num.len();
        let known = self.divs.iter().position(|d| d.den == den && pad(&d.num, width) == num);
        self.base
            + known.unwrap_or_else(|| {
                self.divs.push(Div { num, den });
                self.divs.len() - 1
            })
    }

    /// The floor of an expression.
    pub fn floor_expr(&mut self, e: &Expr) -> Expr {
        Expr::integral(self.floor(&e.num, &e.den))
    }

    /// `row . images`.
    pub fn linear(&self, row: &Row, images: &[Expr]) -> Expr {
        let mut sum = Expr::integral(Row::zero(self.width()));
        for c in (0..row.len()).filter(|&c| !row.is_zero_at(c)) {
            sum = sum.combine(&Int::ONE, &images[c], &row.get(c));
        }
        sum
    }

    /// Extends the images of a function's plain columns by the images of its divisions.
    pub fn import(&mut self, divs: &[Div], images: &mut Vec<Expr>) {
        for div in divs {
            let e = self.linear(&prefix(&div.num, images.len()), images);
            images.push(Expr::integral(self.floor(&e.num, &(&e.den * &div.den))));
        }
    }

    /// The divisions at full width, in a canonical order and without those that `rows` do not need; `rows` follow.
    pub fn finish(self, rows: &mut [Row]) -> Vec<Div> {
        let width = self.width();
        for row in rows.iter_mut() {
            *row = pad(row, width);
        }
        let mut used = vec![false; self.divs.len()];
        for i in (0..self.divs.len()).rev() {
            let col = self.base + i;
            used[i] = rows.iter().any(|r| !r.is_zero_at(col))
                || (i + 1..self.divs.len()).any(|j| used[j] && !self.divs[j].num.is_zero_at(col));
        }
        let order = self.order(&used);
        let mut source: Vec<Option<usize>> = (0..self.base).map(Some).collect();
        source.extend(order.iter().map(|&i| Some(self.base + i)));
        for row in rows.iter_mut() {
            *row = row.gather(&source);
        }
        order.iter().map(|&i| Div { num: pad(&self.divs[i].num, width).gather(&source), den: self.divs[i].den.clone() }).collect()
    }

    /// Used divisions: inner ones first, otherwise by their definition.
    fn order(&self, used: &[bool]) -> Vec<usize> {
        let mut left: Vec<usize> = (0..self.divs.len()).filter(|&i| used[i]).collect();
        let mut order: Vec<usize> = Vec::new();
        while !left.is_empty() {
            let ready = |i: &usize| left.iter().all(|&j| j >= *i || self.divs[*i].num.is_zero_at(self.base + j));
            let key = |i: &usize| {
                let num = &self.divs[*i].num;
                let placed = order.iter().map(|&j| if j < *i { num.get(self.base + j) } else { Int::ZERO });
                let plain = (0..self.base).map(|c| num.get(c));
                (self.divs[*i].den.clone(), plain.chain(placed).collect::<Vec<Int>>())
            };
            let next = left.iter().copied().filter(ready).min_by_key(|i| key(i)).expect("definitions are not circular");
            left.retain(|&i| i != next);
            order.push(next);
        }
        order
    }

    /// A system over `columns` (`base` of them without divs) that has all divisions of the pool and no constraint.
    pub fn to_system(&self, columns: Columns) -> System {
        debug_assert_eq!(columns.first_div(), self.base);
        let mut system = System::universe(columns.with_divs(0));
        for div in &self.divs {
            system.push_div(Some(div.clone()));
        }
        system
    }
}

fn prefix(row: &Row, len: usize) -> Row {
    if row.len() <= len { row.clone() } else { row.without(len, row.len() - len) }
}

/// Moves multiples of `den` from `num` to `whole`: coefficients end in `(-den/2, den/2]`, the constant in `[0, den)`.
fn split_integer_part(num: &mut Row, whole: &mut Row, den: &Int) {
    let half = (den - Int::ONE).div_floor(&Int::from(2));
    for c in (0..num.len()).filter(|&c| !num.is_zero_at(c)).collect::<Vec<_>>() {
        let a = num.get(c);
        // k = floor((a + half)/den) leaves a - k*den in [-half, den - 1 - half].
        let k = if c == 0 { a.div_floor(den) } else { (&a + &half).div_floor(den) };
        if !k.is_zero() {
            num.set(c, &a - &(&k * den));
            whole.add_at(c, &k);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    fn value(divs: &Divs, row: &Row, x: &[i64]) -> Int {
        let mut point: Vec<Int> = std::iter::once(1).chain(x.iter().copied()).map(Int::from).collect();
        for d in &divs.divs {
            point.push(pad(&d.num, point.len()).dot(&point).div_floor(&d.den));
        }
        pad(row, point.len()).dot(&point)
    }

    quickcheck! {
        /// Random nests of three divisions mean the same before and after normalization.
        fn floor_is_floor(c: Vec<i8>, dens: (u8, u8, u8)) -> bool {
            let at = |i: usize| i64::from(c.get(i).copied().unwrap_or(0) % 13);
            let mut divs = Divs::new(3);
            let mut rows: Vec<Row> = Vec::new();
            let dens = [dens.0, dens.1, dens.2].map(|d| Int::from(d % 12 + 1));
            let mut at_points: Vec<Vec<Int>> = Vec::new();
            let grid: Vec<[i64; 2]> = (-9..9).flat_map(|i| (-9..9).map(move |j| [i, 2 * j])).collect();
            for (k, den) in dens.iter().enumerate() {
                let mut num = Row::from_slice(&[at(5 * k), at(5 * k + 1), at(5 * k + 2)]);
                let mut naive: Vec<Int> = grid.iter().map(|x| value(&divs, &num, x)).collect();
                for (r, old) in rows.iter().enumerate() {
                    let f = Int::from(at(5 * k + 3 + r) % 3);
                    let (a, b) = same_width(&num, r_pad(old, divs.width()));
                    num = a.combine(&Int::ONE, &b, &f);
                    for (n, v) in naive.iter_mut().zip(&at_points[r]) {
                        *n += &f * v;
                    }
                }
                let naive: Vec<Int> = naive.iter().map(|n| n.div_floor(den)).collect();
                let row = divs.floor(&num, den);
                if grid.iter().zip(&naive).any(|(x, n)| value(&divs, &row, x) != *n) {
                    return false;
                }
                rows.push(row);
                at_points.push(naive);
            }
            true
        }
    }

    fn r_pad(row: &Row, len: usize) -> &Row {
        debug_assert!(row.len() <= len);
        row
    }

    #[track_caller]
    fn equal(a: (&[i64], i64), b: (&[i64], i64)) {
        let mut divs = Divs::new(2);
        let x = divs.floor(&Row::from_slice(a.0), &Int::from(a.1));
        let y = divs.floor(&Row::from_slice(b.0), &Int::from(b.1));
        let differ = x.len() != y.len() || x.is_zero_in(2..x.len());
        assert!(!differ && divs.divs.len() == 1, "{x:?} {y:?} in {divs:?}");
    }

    #[test]
    fn equal_divisions_meet() {
        equal((&[0, 1], 2), (&[4, 3], 2));
        equal((&[0, 1], 2), (&[1, 2], 4));
        equal((&[0, -1], 32), (&[31, 1], 32));
        equal((&[0, -16], 32), (&[0, 1], 2));
    }

    #[test]
    fn nested_divisions_join() {
        let mut divs = Divs::new(2);
        let inner = divs.floor(&Row::from_slice(&[0, 1]), &Int::from(8));
        let outer = divs.floor(&inner, &Int::from(4));
        let direct = divs.floor(&Row::from_slice(&[0, 1]), &Int::from(32));
        assert_eq!(outer, direct);
    }
}
