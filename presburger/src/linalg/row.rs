//! A row of exact integer coefficients: `i64` while every element fits, big integers beyond.
//!
//! The width is a property of the row, not of the element: operations run on `i64` slices and fall back to big integers only on
//! overflow. The representation is canonical, so equality, order and hashing are structural.

use crate::Int;
use num_integer::Integer;
use smallvec::SmallVec;
use std::fmt;

/// A row of integers. Up to twelve narrow elements are stored without allocation.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Row(Width);

// Invariant: `Wide` only if at least one element does not fit i64.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Width {
    Narrow(SmallVec<[i64; 12]>),
    Wide(Vec<Int>),
}
use Width::{Narrow, Wide};

impl Row {
    /// A row of `len` zeros.
    pub fn zero(len: usize) -> Row {
        Row(Narrow(SmallVec::from_elem(0, len)))
    }

    /// A row from `i64` coefficients.
    pub fn from_slice(coefficients: &[i64]) -> Row {
        Row(Narrow(SmallVec::from_slice(coefficients)))
    }

    /// A row from exact integers.
    pub fn from_ints(coefficients: Vec<Int>) -> Row {
        let mut narrow = SmallVec::with_capacity(coefficients.len());
        for c in &coefficients {
            match c.to_i64() {
                Some(v) => narrow.push(v),
                None => return Row(Wide(coefficients)),
            }
        }
        Row(Narrow(narrow))
    }

    /// The number of elements.
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Narrow(v) => v.len(),
            Wide(v) => v.len(),
        }
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The elements as `i64`, if all fit.
    #[inline]
    pub fn narrow(&self) -> Option<&[i64]> {
        match &self.0 {
            Narrow(v) => Some(v),
            Wide(_) => None,
        }
    }

    /// Element `i`.
    #[inline]
    pub fn get(&self, i: usize) -> Int {
        match &self.0 {
            Narrow(v) => Int::from(v[i]),
            Wide(v) => v[i].clone(),
        }
    }

    /// Sign of element `i`.
    #[inline]
    pub fn sign(&self, i: usize) -> i32 {
        match &self.0 {
            Narrow(v) => v[i].signum() as i32,
            Wide(v) => v[i].signum(),
        }
    }

    /// Whether element `i` is 0.
    #[inline]
    pub fn is_zero_at(&self, i: usize) -> bool {
        self.sign(i) == 0
    }

    /// Sets element `i`.
    pub fn set(&mut self, i: usize, value: Int) {
        match (&mut self.0, value.to_i64()) {
            (Narrow(v), Some(x)) => v[i] = x,
            (Narrow(v), None) => {
                let mut wide: Vec<Int> = v.iter().map(|&x| Int::from(x)).collect();
                wide[i] = value;
                self.0 = Wide(wide);
            }
            (Wide(v), _) => {
                v[i] = value;
                self.demote();
            }
        }
    }

    fn demote(&mut self) {
        if let Wide(v) = &self.0
            && let Some(narrow) = v.iter().map(Int::to_i64).collect::<Option<SmallVec<[i64; 12]>>>()
        {
            self.0 = Narrow(narrow);
        }
    }

    /// All elements.
    pub fn to_ints(&self) -> Vec<Int> {
        match &self.0 {
            Narrow(v) => v.iter().map(|&x| Int::from(x)).collect(),
            Wide(v) => v.clone(),
        }
    }

    /// Whether every element in `range` is 0.
    pub fn is_zero_in(&self, range: std::ops::Range<usize>) -> bool {
        match &self.0 {
            Narrow(v) => v[range].iter().all(|&x| x == 0),
            Wide(v) => v[range].iter().all(Int::is_zero),
        }
    }

    /// The first non-zero position in `range`.
    pub fn first_nonzero(&self, range: std::ops::Range<usize>) -> Option<usize> {
        let mut range = range;
        range.find(|&i| !self.is_zero_at(i))
    }

    /// The greatest common divisor of the elements in `range` (0 if all are 0).
    pub fn gcd_in(&self, range: std::ops::Range<usize>) -> Int {
        match &self.0 {
            Narrow(v) => {
                let mut g: u64 = 0;
                for &x in &v[range] {
                    if x != 0 {
                        g = g.gcd(&x.unsigned_abs());
                        if g == 1 {
                            break;
                        }
                    }
                }
                Int::from(g)
            }
            Wide(v) => v[range].iter().fold(Int::ZERO, |g, x| g.gcd(x)),
        }
    }

    /// `a * self + b * other`.
    pub fn combine(&self, a: &Int, other: &Row, b: &Int) -> Row {
        debug_assert_eq!(self.len(), other.len());
        if let (Narrow(x), Narrow(y), Some(a), Some(b)) = (&self.0, &other.0, a.to_i64(), b.to_i64()) {
            let mut out: SmallVec<[i64; 12]> = SmallVec::with_capacity(x.len());
            for (&p, &q) in x.iter().zip(y.iter()) {
                let sum = a.checked_mul(p).and_then(|ap| b.checked_mul(q).and_then(|bq| ap.checked_add(bq)));
                match sum {
                    Some(s) => out.push(s),
                    None => break,
                }
            }
            if out.len() == x.len() {
                return Row(Narrow(out));
            }
        }
        Row::from_ints((0..self.len()).map(|i| &(a * &self.get(i)) + &(b * &other.get(i))).collect())
    }

    /// `factor * self`.
    pub fn scale(&self, factor: &Int) -> Row {
        if let (Narrow(x), Some(f)) = (&self.0, factor.to_i64())
            && let Some(out) = x.iter().map(|v| v.checked_mul(f)).collect::<Option<SmallVec<_>>>()
        {
            return Row(Narrow(out));
        }
        Row::from_ints(self.to_ints().iter().map(|x| x * factor).collect())
    }

    /// `-self`.
    pub fn neg(&self) -> Row {
        self.scale(&Int::MINUS_ONE)
    }

    /// `self + other`.
    pub fn add(&self, other: &Row) -> Row {
        self.combine(&Int::ONE, other, &Int::ONE)
    }

    /// Adds `value` to element `i`.
    pub fn add_at(&mut self, i: usize, value: &Int) {
        let sum = &self.get(i) + value;
        self.set(i, sum);
    }

    /// The elements divided by `divisor`, which divides all of them.
    pub fn div_exact(&self, divisor: &Int) -> Row {
        if divisor.is_one() {
            return self.clone();
        }
        Row::from_ints(self.to_ints().iter().map(|x| x.div_exact(divisor)).collect())
    }

    /// `sum_i self[i] * point[i]`.
    pub fn dot(&self, point: &[Int]) -> Int {
        debug_assert_eq!(self.len(), point.len());
        (0..self.len()).filter(|&i| !self.is_zero_at(i)).map(|i| &self.get(i) * &point[i]).sum()
    }

    /// The row whose element `i` is this row's element `source[i]`, 0 where `source[i]` is `None`.
    pub fn gather(&self, source: &[Option<usize>]) -> Row {
        match &self.0 {
            Narrow(v) => Row(Narrow(source.iter().map(|s| s.map_or(0, |s| v[s])).collect())),
            Wide(v) => Row::from_ints(source.iter().map(|s| s.map_or(Int::ZERO, |s| v[s].clone())).collect()),
        }
    }

    /// This row with `count` zeros inserted at `at`.
    pub fn with_zeros(&self, at: usize, count: usize) -> Row {
        match &self.0 {
            Narrow(v) => {
                let mut out: SmallVec<[i64; 12]> = SmallVec::with_capacity(v.len() + count);
                out.extend_from_slice(&v[..at]);
                out.extend(std::iter::repeat_n(0, count));
                out.extend_from_slice(&v[at..]);
                Row(Narrow(out))
            }
            Wide(v) => {
                let mut out = v.clone();
                out.splice(at..at, std::iter::repeat_n(Int::ZERO, count));
                Row(Wide(out))
            }
        }
    }

    /// This row without elements `at .. at + count`.
    pub fn without(&self, at: usize, count: usize) -> Row {
        match &self.0 {
            Narrow(v) => {
                let mut out = v.clone();
                out.drain(at..at + count);
                Row(Narrow(out))
            }
            Wide(v) => {
                let mut out = v.clone();
                out.drain(at..at + count);
                let mut row = Row(Wide(out));
                row.demote();
                row
            }
        }
    }

    /// Eliminates column `col` with `pivot` (non-zero there): the multiple of `self` minus a multiple of `pivot` that is 0 at
    /// `col`, with a positive multiplier on `self`.
    pub fn eliminate(&self, col: usize, pivot: &Row) -> Row {
        if self.is_zero_at(col) {
            return self.clone();
        }
        let (a, p) = (self.get(col), pivot.get(col));
        let g = a.gcd(&p);
        let (mut mine, mut theirs) = (p.div_exact(&g), -a.div_exact(&g));
        if mine.is_negative() {
            mine = -mine;
            theirs = -theirs;
        }
        self.combine(&mine, pivot, &theirs)
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.to_ints()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::Row;
    use crate::Int;
    use quickcheck::quickcheck;

    quickcheck! {
        fn combine_is_elementwise(x: Vec<(i64, i64)>, a: i64, b: i64) -> bool {
            let (p, q): (Vec<i64>, Vec<i64>) = x.iter().copied().unzip();
            let (a, b) = (Int::from(a), Int::from(b));
            let row = Row::from_slice(&p).combine(&a, &Row::from_slice(&q), &b);
            x.iter().enumerate().all(|(i, &(p, q))| row.get(i) == &a * &Int::from(p) + &b * &Int::from(q))
        }
        fn wide_rows_come_back(x: Vec<i64>) -> bool {
            let big = Int::from(i64::MAX) * Int::from(4);
            let row = Row::from_slice(&x);
            row.scale(&big).div_exact(&big) == row
        }
        fn eliminate_zeroes_the_column(x: Vec<(i64, i64)>) -> bool {
            let (p, q): (Vec<i64>, Vec<i64>) = x.iter().copied().unzip();
            let (p, q) = (Row::from_slice(&p), Row::from_slice(&q));
            (0..q.len()).filter(|&c| !q.is_zero_at(c)).all(|c| p.eliminate(c, &q).is_zero_at(c))
        }
    }
}
