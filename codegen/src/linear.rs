//! Linear forms over parameters, counters and integer divisions: the shape in which bounds and subscripts are built.
//!
//! A form is `constant + sum coefficient * atom`. Substituting the value of a degenerate loop into a form gives a form again,
//! so `2 * (n - 1) - 2 * n` never reaches generated code. Forms become [`Expr`]s at the very end.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::Error;
use crate::expr::{Comparison, Expr};

/// What a linear form is a sum of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Atom {
    /// A loop counter: its depth and name.
    Counter(usize, Arc<str>),
    /// A parameter.
    Param(Arc<str>),
    /// `floor(form / d)`, d > 1; exact if the form is known to be a multiple of d.
    Div(Box<Linear>, i128, Rounding),
}

/// What is known about a division.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rounding {
    /// The dividend is a multiple of the divisor.
    Exact,
    /// The quotient is rounded down.
    Floor,
    /// The quotient is rounded up.
    Ceil,
}

/// `constant + sum coefficient * atom`; no coefficient is 0.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) struct Linear {
    pub constant: i128,
    pub terms: BTreeMap<Atom, i128>,
}

/// From here on a coefficient near the divisor is a danger rather than a nuisance.
const LONG_DIVISOR: i128 = 1 << 16;

fn large() -> Error {
    Error::TooLarge("of an intermediate result".into())
}

impl Linear {
    pub fn constant(constant: i128) -> Linear {
        Linear { constant, terms: BTreeMap::new() }
    }

    pub fn atom(atom: Atom) -> Linear {
        Linear { constant: 0, terms: BTreeMap::from([(atom, 1)]) }
    }

    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`
    pub fn plus(&self, factor: i128, other: &Linear) -> Result<Linear, Error> {
        let mut sum = self.clone();
        sum.constant = factor.checked_mul(other.constant).and_then(|v| v.checked_add(sum.constant)).ok_or_else(large)?;
        for (atom, coefficient) in &other.terms {
            let old = sum.terms.get(atom).copied().unwrap_or(0);
            let new = factor.checked_mul(*coefficient).and_then(|v| v.checked_add(old)).ok_or_else(large)?;
            if new == 0 {
                sum.terms.remove(atom);
            } else {
                sum.terms.insert(atom.clone(), new);
            }
        }
        Ok(sum)
    }

    pub fn plus_constant(&self, constant: i128) -> Result<Linear, Error> {
        self.plus(1, &Linear::constant(constant))
    }

    pub fn times(&self, factor: i128) -> Result<Linear, Error> {
        Linear::default().plus(factor, self)
    }

    /// The greatest common divisor of the coefficients, the constant left out; 0 for a constant.
    pub fn content(&self) -> i128 {
        self.terms.values().fold(0, |g, c| gcd(g, *c))
    }

    /// The quotient by d > 0, rounded as said. Parts that are multiples of d leave the division.
    pub fn divided(&self, d: i128, rounding: Rounding) -> Result<Linear, Error> {
        if d == 1 {
            return Ok(self.clone());
        }
        let mut whole = Linear::default();
        let mut rest = Linear::default();
        // multiples of d that read better inside: x + y over 2 rather than 16 * (x / 32) + y / 2
        let mut inside: Vec<(&Atom, i128)> = Vec::new();
        for (atom, c) in &self.terms {
            if c % d == 0 && steps(atom, *c).is_some() && steps(atom, c / d).is_none() {
                inside.push((atom, *c));
                continue;
            }
            // c = d * q + r: q atom leaves the division. For long divisors r is the residue nearest to zero, so that sums stay small.
            let (mut q, mut r) = (c / d, c % d);
            if d > LONG_DIVISOR && r.abs() > d / 2 {
                q += r.signum();
                r -= d * r.signum();
            }
            if q != 0 {
                whole.terms.insert(atom.clone(), q);
            }
            if r != 0 {
                rest.terms.insert(atom.clone(), r);
            }
        }
        for (atom, c) in inside {
            if rest.terms.is_empty() {
                whole.terms.insert(atom.clone(), c / d);
            } else {
                rest.terms.insert(atom.clone(), c);
            }
        }
        let (mut quotient, remainder) = (self.constant.div_euclid(d), self.constant.rem_euclid(d));
        if rest.terms.is_empty() {
            if rounding == Rounding::Ceil && remainder != 0 {
                quotient = quotient.checked_add(1).ok_or_else(large)?;
            }
            whole.constant = quotient;
            return Ok(whole);
        }
        rest.constant = remainder;
        whole.constant = quotient;
        let g = rest.terms.iter().fold(d, |g, (atom, c)| gcd(g, steps(atom, *c).unwrap_or(*c)));
        let mut divisor = d;
        if g > 1 {
            // floor((g*f + r) / (g*e)) = floor((f + floor(r/g)) / e), and with ceil in both places
            let inner = match rounding {
                Rounding::Ceil => crate::expr::ceil_div(rest.constant, g).ok_or_else(large)?,
                _ => rest.constant.div_euclid(g),
            };
            rest.constant = inner;
            for c in rest.terms.values_mut() {
                *c /= g;
            }
            divisor = d / g;
        }
        if divisor == 1 {
            return whole.plus(1, &rest);
        }
        whole.plus(1, &Linear::atom(Atom::Div(Box::new(rest), divisor, rounding)))
    }

    /// The same value with every division rounded down, so that equal values look equal.
    pub fn floored(&self) -> Result<Linear, Error> {
        let mut sum = Linear::constant(self.constant);
        for (atom, c) in &self.terms {
            let value = match atom {
                Atom::Div(form, d, rounding) => {
                    let form = form.floored()?;
                    let form = if *rounding == Rounding::Ceil { form.plus_constant(d - 1)? } else { form };
                    let rounding = if *rounding == Rounding::Exact { Rounding::Exact } else { Rounding::Floor };
                    form.divided(*d, rounding)?
                }
                other => Linear::atom(other.clone()),
            };
            sum = sum.plus(*c, &value)?;
        }
        Ok(sum)
    }

    /// `offset + step * ((self - offset) / step)`, known to be exact: parts that are multiples of the step leave divisions later.
    pub fn in_steps(&self, step: i128, offset: i128) -> Result<Linear, Error> {
        if step < 2 {
            return Ok(self.clone());
        }
        let quotient = Atom::Div(Box::new(self.plus_constant(-offset)?), step, Rounding::Exact);
        Linear::constant(offset).plus(step, &Linear::atom(quotient))
    }

    /// The same value without exact divisions whose factor is a multiple of the divisor.
    pub fn expanded(&self) -> Result<Linear, Error> {
        let mut sum = Linear::constant(self.constant);
        for (atom, c) in &self.terms {
            sum = match (atom, steps(atom, *c)) {
                (Atom::Div(form, ..), Some(times)) => sum.plus(times, &form.expanded()?)?,
                _ => sum.plus(*c, &Linear::atom(atom.clone()))?,
            };
        }
        Ok(sum)
    }

    /// The value as an expression.
    pub fn to_expr(&self) -> Expr {
        self.expanded().as_ref().unwrap_or(self).sum()
    }

    fn sum(&self) -> Expr {
        let mut positive = Vec::new();
        let mut negative = Vec::new();
        for (atom, c) in &self.terms {
            if *c > 0 { positive.push((atom, *c)) } else { negative.push((atom, *c)) }
        }
        let mut sum: Option<Expr> = None;
        for (atom, c) in positive {
            let term = scaled(atom, c);
            sum = Some(match sum {
                None => term,
                Some(sum) => Expr::Add(Box::new(sum), Box::new(term)),
            });
        }
        if sum.is_none() && (self.constant > 0 || negative.is_empty()) {
            sum = Some(Expr::Int(self.constant));
        } else if let (Some(old), true) = (&sum, negative.is_empty() && self.constant != 0) {
            return with_constant(old.clone(), self.constant);
        }
        let constant_used = matches!(sum, Some(Expr::Int(_)));
        for (atom, c) in negative {
            let term = |factor: i128| scaled(atom, factor);
            sum = Some(match sum {
                None if c == -1 => Expr::Neg(Box::new(term(1))),
                None => term(c),
                Some(sum) => Expr::Sub(Box::new(sum), Box::new(term(-c))),
            });
        }
        match sum {
            Some(sum) if self.constant != 0 && !constant_used => with_constant(sum, self.constant),
            Some(sum) => sum,
            None => Expr::Int(self.constant),
        }
    }

    /// `self >= 0` or `self = 0`, with the negative terms moved to the other side.
    pub fn compared(&self, equality: bool) -> Expr {
        let mut form = self.expanded().unwrap_or_else(|_| self.clone());
        if equality && form.terms.values().next().is_some_and(|c| *c < 0) {
            form = form.times(-1).unwrap_or(form);
        }
        let mut left = Linear::default();
        let mut right = Linear::default();
        for (atom, c) in &form.terms {
            if *c > 0 {
                left.terms.insert(atom.clone(), *c);
            } else {
                right.terms.insert(atom.clone(), -c);
            }
        }
        if let Some(value) = form.as_constant() {
            let holds = if equality { value == 0 } else { value >= 0 };
            return if holds { Expr::always() } else { Expr::never() };
        }
        // the constant goes to the side where it stays positive; alone on the right, it takes either sign
        if left.terms.is_empty() {
            // 0 >= right - constant  reads better as  right <= constant
            let op = if equality { Comparison::Eq } else { Comparison::Le };
            return Expr::Compare(op, Box::new(right.to_expr()), Box::new(Expr::Int(form.constant)));
        }
        let op = if equality { Comparison::Eq } else { Comparison::Ge };
        if right.terms.is_empty() || form.constant < 0 {
            right.constant = -form.constant;
        } else {
            left.constant = form.constant;
        }
        Expr::Compare(op, Box::new(left.to_expr()), Box::new(right.to_expr()))
    }
}

/// For `c * (form / e)`, exact, that is a multiple of form: which.
fn steps(atom: &Atom, c: i128) -> Option<i128> {
    match atom {
        Atom::Div(_, e, Rounding::Exact) if c % e == 0 => Some(c / e),
        _ => None,
    }
}

fn with_constant(sum: Expr, constant: i128) -> Expr {
    if constant < 0 && constant != i128::MIN {
        Expr::Sub(Box::new(sum), Box::new(Expr::Int(-constant)))
    } else {
        Expr::Add(Box::new(sum), Box::new(Expr::Int(constant)))
    }
}

fn scaled(atom: &Atom, c: i128) -> Expr {
    let base = match atom {
        Atom::Counter(_, name) | Atom::Param(name) => Expr::Id(name.clone()),
        Atom::Div(form, d, rounding) => {
            let inner = Box::new(form.to_expr());
            match rounding {
                Rounding::Exact => Expr::Div(inner, *d),
                Rounding::Floor => Expr::FloorDiv(inner, *d),
                Rounding::Ceil => Expr::CeilDiv(inner, *d),
            }
        }
    };
    if c == 1 { base } else { Expr::Mul(c, Box::new(base)) }
}

/// The non-negative greatest common divisor.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i128::try_from(a).unwrap_or(i128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(name: &str) -> Linear {
        Linear::atom(Atom::Param(Arc::from(name)))
    }

    #[track_caller]
    fn check(form: &Linear, text: &str) {
        assert_eq!(form.to_expr().to_string(), text);
    }

    #[test]
    fn forms_print_with_positive_terms_first() {
        let (n, m) = (param("n"), param("m"));
        check(&n.plus_constant(-1).unwrap(), "n - 1");
        check(&n.times(-1).unwrap(), "-n");
        check(&n.times(-1).unwrap().plus_constant(5).unwrap(), "5 - n");
        check(&n.times(-1).unwrap().plus_constant(-5).unwrap(), "-n - 5");
        check(&m.plus(-2, &n).unwrap().plus_constant(3).unwrap(), "m - 2 * n + 3");
        check(&n.plus(-1, &n).unwrap(), "0");
    }

    #[test]
    fn multiples_leave_a_division() {
        let (n, m) = (param("n"), param("m"));
        let form = n.times(4).unwrap().plus(2, &m).unwrap().plus_constant(7).unwrap();
        check(&form.divided(4, Rounding::Floor).unwrap(), "n + lw_floord(m + 1, 2) + 1");
        check(&form.divided(4, Rounding::Ceil).unwrap(), "n + lw_ceild(m + 2, 2) + 1");
        check(&n.times(6).unwrap().plus_constant(1).unwrap().divided(3, Rounding::Ceil).unwrap(), "2 * n + 1");
    }

    #[test]
    fn divisions_agree_with_arithmetic() {
        for a in -7..8 {
            for c in -9..10 {
                for d in 1..7 {
                    for n in -5..6 {
                        let form = param("n").times(a).unwrap().plus_constant(c).unwrap();
                        let env = BTreeMap::from([(Arc::from("n"), n)]);
                        let floor = form.divided(d, Rounding::Floor).unwrap().to_expr().eval(&env).unwrap();
                        let ceil = form.divided(d, Rounding::Ceil).unwrap().to_expr().eval(&env).unwrap();
                        assert_eq!(floor, (a * n + c).div_euclid(d));
                        assert_eq!(ceil, -(-(a * n + c)).div_euclid(d));
                    }
                }
            }
        }
    }

    #[test]
    fn comparisons_agree_with_arithmetic() {
        for a in -3..4 {
            for b in -3..4 {
                for c in -3..4 {
                    let form = param("n").times(a).unwrap().plus(b, &param("m")).unwrap().plus_constant(c).unwrap();
                    for (n, m) in [(0, 0), (1, -2), (-3, 1), (2, 2)] {
                        let env = BTreeMap::from([(Arc::from("n"), n), (Arc::from("m"), m)]);
                        let value = a * n + b * m + c;
                        assert_eq!(form.compared(false).eval(&env).unwrap() != 0, value >= 0);
                        assert_eq!(form.compared(true).eval(&env).unwrap() != 0, value == 0);
                    }
                }
            }
        }
    }
}
