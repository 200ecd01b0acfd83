//! Polynomials with rational coefficients over numbered variables: `sum_k c_k * prod_i x_i^(e_ki)`.
//!
//! Terms are sparse and sorted by their monomials, so equality of polynomials is equality of the representation. Variables are the
//! columns of a system or of a pool of divisions; column 0, the constant's, is none.

use crate::linalg::Row;
use crate::rat::{Rat, ratio};
use crate::{Budget, BudgetSpent, Int};
use num_traits::{One, Zero};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};

use super::divs::Expr;

/// `prod_i x_i^(e_i)`: pairs of a variable and its exponent.
// Invariant: variables strictly increase, exponents are at least 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Monomial(SmallVec<[(u32, u32); 4]>);

/// How many words of 64 bits a number has, at least 1.
fn words(c: &Rat) -> u64 {
    1 + (c.numer().bits() + c.denom().bits()) / 64
}

impl Monomial {
    pub fn factors(&self) -> &[(u32, u32)] {
        &self.0
    }

    pub fn degree(&self) -> u32 {
        self.0.iter().map(|f| f.1).sum()
    }

    fn times(&self, other: &Monomial) -> Monomial {
        let (mut a, mut b) = (self.0.iter().peekable(), other.0.iter().peekable());
        let mut out = SmallVec::new();
        loop {
            match (a.peek(), b.peek()) {
                (Some(&&(v, e)), Some(&&(w, f))) if v == w => {
                    out.push((v, e + f));
                    a.next();
                    b.next();
                }
                (Some(&&x), Some(&&y)) if x.0 < y.0 => {
                    out.push(x);
                    a.next();
                }
                (Some(&&x), None) => {
                    out.push(x);
                    a.next();
                }
                (_, Some(&&y)) => {
                    out.push(y);
                    b.next();
                }
                (None, None) => return Monomial(out),
            }
        }
    }

    /// The exponent of a variable and the rest.
    fn split(&self, var: u32) -> (u32, Monomial) {
        match self.0.iter().position(|f| f.0 == var) {
            None => (0, self.clone()),
            Some(i) => {
                let mut rest = self.0.clone();
                let (_, e) = rest.remove(i);
                (e, Monomial(rest))
            }
        }
    }
}

/// A polynomial.
// Invariant: monomials strictly increase, coefficients are not zero.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Poly {
    terms: Vec<(Monomial, Rat)>,
}

impl Poly {
    pub fn zero() -> Poly {
        Poly::default()
    }

    pub fn constant(value: Rat) -> Poly {
        Poly::collect([(Monomial::default(), value)])
    }

    pub fn one() -> Poly {
        Poly::constant(Rat::one())
    }

    /// `row . x / den`, column 0 being the constant's.
    pub fn linear(row: &Row, den: &Int) -> Poly {
        let monomial = |c: usize| if c == 0 { Monomial::default() } else { Monomial(SmallVec::from_slice(&[(c as u32, 1)])) };
        let present = (0..row.len()).filter(|&c| !row.is_zero_at(c));
        Poly { terms: present.map(|c| (monomial(c), ratio(&row.get(c), den))).collect() }
    }

    pub fn of(e: &Expr) -> Poly {
        Poly::linear(&e.num, &e.den)
    }

    fn collect(terms: impl IntoIterator<Item = (Monomial, Rat)>) -> Poly {
        let mut sum: BTreeMap<Monomial, Rat> = BTreeMap::new();
        for (m, c) in terms {
            *sum.entry(m).or_insert_with(Rat::zero) += c;
        }
        Poly { terms: sum.into_iter().filter(|(_, c)| !c.is_zero()).collect() }
    }

    pub fn terms(&self) -> &[(Monomial, Rat)] {
        &self.terms
    }

    pub fn is_zero(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn as_constant(&self) -> Option<Rat> {
        match &self.terms[..] {
            [] => Some(Rat::zero()),
            [(m, c)] if m.0.is_empty() => Some(c.clone()),
            _ => None,
        }
    }

    /// The total degree; 0 for the zero polynomial.
    pub fn degree(&self) -> u32 {
        self.terms.iter().map(|(m, _)| m.degree()).max().unwrap_or(0)
    }

    /// The variables that occur, in increasing order.
    pub fn variables(&self) -> BTreeSet<usize> {
        self.terms.iter().flat_map(|(m, _)| m.0.iter().map(|f| f.0 as usize)).collect()
    }

    pub fn add(&self, other: &Poly) -> Poly {
        if other.is_zero() {
            return self.clone();
        }
        Poly::collect(self.terms.iter().chain(&other.terms).cloned())
    }

    pub fn sub(&self, other: &Poly) -> Poly {
        self.add(&other.scale(&-Rat::one()))
    }

    pub fn sum(all: &[Poly]) -> Poly {
        Poly::collect(all.iter().flat_map(|p| p.terms.iter().cloned()))
    }

    pub fn scale(&self, factor: &Rat) -> Poly {
        if factor.is_zero() {
            return Poly::zero();
        }
        Poly { terms: self.terms.iter().map(|(m, c)| (m.clone(), c * factor)).collect() }
    }

    /// The words of all coefficients.
    fn size(&self) -> u64 {
        self.terms.iter().map(|(_, c)| words(c)).sum()
    }

    /// A step for each pair of terms, and for each pair of words where coefficients are long.
    pub fn mul(&self, other: &Poly, budget: &Budget) -> Result<Poly, BudgetSpent> {
        let (small, large) = if self.terms.len() < other.terms.len() { (self, other) } else { (other, self) };
        if let [(m, c)] = &small.terms[..]
            && m.0.is_empty()
        {
            budget.spend(words(c).saturating_mul(large.size()))?;
            return Ok(large.scale(c));
        }
        let mut sum: BTreeMap<Monomial, Rat> = BTreeMap::new();
        let size = large.size();
        for (m, c) in &small.terms {
            budget.spend(words(c).saturating_mul(size).saturating_add(1))?;
            for (n, d) in &large.terms {
                *sum.entry(m.times(n)).or_insert_with(Rat::zero) += c * d;
            }
        }
        Ok(Poly { terms: sum.into_iter().filter(|(_, c)| !c.is_zero()).collect() })
    }

    pub fn pow(&self, exponent: u32, budget: &Budget) -> Result<Poly, BudgetSpent> {
        let mut out = Poly::one();
        for bit in (0..32).rev().skip_while(|b| exponent >> b == 0) {
            out = out.mul(&out, budget)?;
            if exponent >> bit & 1 == 1 {
                out = out.mul(self, budget)?;
            }
        }
        Ok(out)
    }

    /// The polynomials `c_0, c_1, ..` without `var` such that this one is `sum_k c_k * var^k`.
    pub fn coefficients_in(&self, var: usize) -> Vec<Poly> {
        let mut out: Vec<Vec<(Monomial, Rat)>> = Vec::new();
        for (m, c) in &self.terms {
            let (e, rest) = m.split(var as u32);
            if out.len() <= e as usize {
                out.resize(e as usize + 1, Vec::new());
            }
            out[e as usize].push((rest, c.clone()));
        }
        out.into_iter().map(Poly::collect).collect()
    }

    /// The polynomial as `sum over m of c_m * m` with monomials in the variables that `inner` selects and coefficients without them.
    pub fn by_monomials(&self, inner: impl Fn(usize) -> bool) -> Vec<(Monomial, Poly)> {
        let mut parts: BTreeMap<Monomial, Vec<(Monomial, Rat)>> = BTreeMap::new();
        for (m, c) in &self.terms {
            let (own, rest) = m.0.iter().copied().partition(|f| inner(f.0 as usize));
            parts.entry(Monomial(own)).or_default().push((Monomial(rest), c.clone()));
        }
        parts.into_iter().map(|(m, terms)| (m, Poly::collect(terms))).collect()
    }

    /// `monomial * self`
    pub fn times_monomial(&self, monomial: &Monomial) -> Poly {
        Poly::collect(self.terms.iter().map(|(m, c)| (m.times(monomial), c.clone())))
    }

    /// The polynomial with all variables replaced at once; `None` keeps a variable.
    pub fn compose(&self, image: impl Fn(usize) -> Option<Poly>, budget: &Budget) -> Result<Poly, BudgetSpent> {
        let images: BTreeMap<u32, Poly> = self.variables().into_iter().filter_map(|v| Some((v as u32, image(v)?))).collect();
        if images.is_empty() {
            return Ok(self.clone());
        }
        let mut powers: BTreeMap<(u32, u32), Poly> = BTreeMap::new();
        let mut parts = Vec::new();
        for (m, c) in &self.terms {
            let kept: SmallVec<[(u32, u32); 4]> = m.0.iter().filter(|f| !images.contains_key(&f.0)).copied().collect();
            let mut product = Poly { terms: vec![(Monomial(kept), c.clone())] };
            for f in m.0.iter().filter(|f| images.contains_key(&f.0)) {
                let power = match powers.get(f) {
                    Some(power) => power,
                    None => {
                        let power = images[&f.0].pow(f.1, budget)?;
                        powers.entry(*f).or_insert(power)
                    }
                };
                product = product.mul(power, budget)?;
            }
            parts.push(product);
        }
        Ok(Poly::sum(&parts))
    }

    /// The polynomial with its variables renumbered.
    pub fn renumbered(&self, new: impl Fn(usize) -> usize) -> Poly {
        let monomial = |m: &Monomial| {
            let mut factors: SmallVec<[(u32, u32); 4]> = m.0.iter().map(|f| (new(f.0 as usize) as u32, f.1)).collect();
            factors.sort_unstable();
            Monomial(factors)
        };
        Poly::collect(self.terms.iter().map(|(m, c)| (monomial(m), c.clone())))
    }

    /// The expression that a polynomial of degree at most 1 is, over `width` columns.
    pub fn as_linear(&self, width: usize) -> Option<Expr> {
        let den = self.terms.iter().fold(Int::ONE, |d, (_, c)| d.lcm(&Int::from(c.denom().clone())));
        let mut num = Row::zero(width);
        for (m, c) in &self.terms {
            let col = match m.factors() {
                [] => 0,
                [(v, 1)] => *v as usize,
                _ => return None,
            };
            num.set(col, &Int::from(c.numer().clone()) * &den.div_exact(&Int::from(c.denom().clone())));
        }
        Some(Expr { num, den })
    }

    /// The value where column `c` has the value `point[c]`.
    pub fn eval(&self, point: &[Int]) -> Rat {
        let value = |m: &Monomial| {
            let factors = m.0.iter().map(|f| point[f.0 as usize].to_bigint().pow(f.1));
            Rat::from_integer(factors.product())
        };
        self.terms.iter().fold(Rat::zero(), |sum, (m, c)| sum + value(m) * c)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    // c0 + c1*x1 + c2*x2*x1 + c3*x2^2
    fn poly(c: (i8, i8, i8, i8)) -> Poly {
        let var = |c: usize| Poly::linear(&super::super::divs::unit(3, c), &Int::ONE);
        let (x, y) = (var(1), var(2));
        let b = &Budget::UNLIMITED;
        let k = |c: i8| Rat::from_integer(c.into());
        let square = y.pow(2, b).unwrap();
        Poly::sum(&[Poly::constant(k(c.0)), x.scale(&k(c.1)), x.mul(&y, b).unwrap().scale(&k(c.2)), square.scale(&k(c.3))])
    }

    fn at(p: &Poly, x: i8, y: i8) -> Rat {
        p.eval(&[Int::ONE, Int::from(i64::from(x)), Int::from(i64::from(y))])
    }

    quickcheck! {
        fn operations_are_pointwise(a: (i8, i8, i8, i8), b: (i8, i8, i8, i8), x: i8, y: i8) -> bool {
            let (p, q) = (poly(a), poly(b));
            let (u, v) = (at(&p, x, y), at(&q, x, y));
            let budget = &Budget::UNLIMITED;
            let inner = Rat::from_integer(0.into()) + at(&q, x, y);
            let inside = p.compose(|c| (c == 1).then(|| q.clone()), budget).unwrap();
            let c = p.coefficients_in(1);
            let composed = c.iter().rev().fold(Rat::zero(), |s, c| s * &inner + at(c, x, y));
            at(&p.add(&q), x, y) == &u + &v
                && at(&p.sub(&q), x, y) == &u - &v
                && at(&p.mul(&q, budget).unwrap(), x, y) == &u * &v
                && at(&p.pow(3, budget).unwrap(), x, y) == &u * &u * &u
                && at(&inside, x, y) == composed
        }
    }
}
