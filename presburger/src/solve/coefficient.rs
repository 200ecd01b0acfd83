//! The integers inside the engines: checked `i64`, then checked `i128`, then big integers.
//!
//! An engine is generic over its coefficient. It runs on `i64` first; when a value overflows, the one solver call starts again on
//! the next wider type ([`widen`]). Big integers never overflow, so every call ends with an exact answer (or a spent budget).

use crate::{BudgetSpent, Int};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;

/// Why a run of an engine ended early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// A value did not fit the coefficient type: start again on a wider one.
    Overflow,
    /// The budget is spent.
    Spent,
}

impl From<BudgetSpent> for Stop {
    fn from(_: BudgetSpent) -> Stop {
        Stop::Spent
    }
}

pub(crate) type Run<T> = Result<T, Stop>;

/// An integer type that reports overflow instead of wrapping.
pub(crate) trait Coefficient: Clone + Ord + std::fmt::Debug {
    fn zero() -> Self;
    fn one() -> Self;
    fn from_int(value: &Int) -> Run<Self>;
    fn to_int(&self) -> Int;
    fn sign(&self) -> i32;
    fn is_zero(&self) -> bool {
        self.sign() == 0
    }
    fn is_one(&self) -> bool;
    fn neg(&self) -> Run<Self>;
    fn add(&self, other: &Self) -> Run<Self>;
    fn mul(&self, other: &Self) -> Run<Self>;
    /// `a * b + c * d`
    fn mul_add(a: &Self, b: &Self, c: &Self, d: &Self) -> Run<Self>;
    /// Compares `a * b` with `c * d`.
    fn cmp_products(a: &Self, b: &Self, c: &Self, d: &Self) -> Run<Ordering>;
    /// The greatest common divisor, at least 0.
    fn gcd(&self, other: &Self) -> Run<Self>;
    fn div_exact(&self, divisor: &Self) -> Self;
    fn mod_floor(&self, divisor: &Self) -> Self;
    fn divides(&self, other: &Self) -> bool {
        other.mod_floor(self).is_zero()
    }
}

macro_rules! fixed_width {
    ($t:ty, $to:ident, $cmp:expr) => {
        impl Coefficient for $t {
            #[inline]
            fn zero() -> $t {
                0
            }
            #[inline]
            fn one() -> $t {
                1
            }
            #[inline]
            fn from_int(value: &Int) -> Run<$t> {
                value.$to().ok_or(Stop::Overflow)
            }
            fn to_int(&self) -> Int {
                Int::from(*self)
            }
            #[inline]
            fn sign(&self) -> i32 {
                self.signum() as i32
            }
            #[inline]
            fn is_one(&self) -> bool {
                *self == 1
            }
            #[inline]
            fn neg(&self) -> Run<$t> {
                self.checked_neg().ok_or(Stop::Overflow)
            }
            #[inline]
            fn add(&self, other: &$t) -> Run<$t> {
                self.checked_add(*other).ok_or(Stop::Overflow)
            }
            #[inline]
            fn mul(&self, other: &$t) -> Run<$t> {
                self.checked_mul(*other).ok_or(Stop::Overflow)
            }
            #[inline]
            fn mul_add(a: &$t, b: &$t, c: &$t, d: &$t) -> Run<$t> {
                let (ab, cd) = (a.checked_mul(*b), c.checked_mul(*d));
                ab.zip(cd).and_then(|(ab, cd)| ab.checked_add(cd)).ok_or(Stop::Overflow)
            }
            #[inline]
            fn cmp_products(a: &$t, b: &$t, c: &$t, d: &$t) -> Run<Ordering> {
                $cmp(*a, *b, *c, *d)
            }
            #[inline]
            fn gcd(&self, other: &$t) -> Run<$t> {
                if *self == 1 || *other == 1 {
                    return Ok(1);
                }
                <$t>::try_from(self.unsigned_abs().gcd(&other.unsigned_abs())).map_err(|_| Stop::Overflow)
            }
            #[inline]
            fn div_exact(&self, divisor: &$t) -> $t {
                self / divisor
            }
            #[inline]
            fn mod_floor(&self, divisor: &$t) -> $t {
                Integer::mod_floor(self, divisor)
            }
        }
    };
}

fixed_width!(i64, to_i64, |a: i64, b: i64, c: i64, d: i64| {
    Ok((i128::from(a) * i128::from(b)).cmp(&(i128::from(c) * i128::from(d))))
});
fixed_width!(i128, to_i128, |a: i128, b: i128, c: i128, d: i128| {
    let products = a.checked_mul(b).zip(c.checked_mul(d));
    products.map(|(x, y)| x.cmp(&y)).ok_or(Stop::Overflow)
});

impl Coefficient for BigInt {
    fn zero() -> BigInt {
        Zero::zero()
    }
    fn one() -> BigInt {
        One::one()
    }
    fn from_int(value: &Int) -> Run<BigInt> {
        Ok(value.to_bigint())
    }
    fn to_int(&self) -> Int {
        Int::from(self.clone())
    }
    fn sign(&self) -> i32 {
        if Zero::is_zero(self) {
            0
        } else if self.is_negative() {
            -1
        } else {
            1
        }
    }
    fn is_one(&self) -> bool {
        One::is_one(self)
    }
    fn neg(&self) -> Run<BigInt> {
        Ok(-self)
    }
    fn add(&self, other: &BigInt) -> Run<BigInt> {
        Ok(self + other)
    }
    fn mul(&self, other: &BigInt) -> Run<BigInt> {
        Ok(self * other)
    }
    fn mul_add(a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt) -> Run<BigInt> {
        Ok(a * b + c * d)
    }
    fn cmp_products(a: &BigInt, b: &BigInt, c: &BigInt, d: &BigInt) -> Run<Ordering> {
        Ok((a * b).cmp(&(c * d)))
    }
    fn gcd(&self, other: &BigInt) -> Run<BigInt> {
        Ok(Integer::gcd(self, other))
    }
    fn div_exact(&self, divisor: &BigInt) -> BigInt {
        self / divisor
    }
    fn mod_floor(&self, divisor: &BigInt) -> BigInt {
        Integer::mod_floor(self, divisor)
    }
}

/// One call of an engine, runnable on every coefficient type.
pub(crate) trait Task {
    type Output;
    fn run<C: Coefficient>(&self) -> Run<Self::Output>;
}

/// Runs `task` on the narrowest coefficient type that does not overflow.
pub(crate) fn widen<T: Task>(task: &T) -> Result<T::Output, BudgetSpent> {
    let mut answer = task.run::<i64>();
    if matches!(answer, Err(Stop::Overflow)) {
        answer = task.run::<i128>();
    }
    if matches!(answer, Err(Stop::Overflow)) {
        answer = task.run::<BigInt>();
    }
    answer.map_err(|_| BudgetSpent)
}

#[cfg(test)]
mod tests {
    use super::{Coefficient, Run, Stop};
    use crate::Int;
    use num_bigint::BigInt;
    use quickcheck::quickcheck;

    /// Everything that a coefficient type answers about small numbers.
    fn answers<C: Coefficient>([a, b, c, d]: [i64; 4]) -> Run<Vec<i128>> {
        let of = |x: i64| C::from_int(&Int::from(x));
        let back = |x: C| x.to_int().to_i128().expect("small");
        let (a, b, c, d) = (of(a)?, of(b)?, of(c)?, of(d)?);
        let divisor = if b.is_zero() { C::one() } else { b.clone() };
        let signs = [&a, &b, &C::zero(), &C::one()].map(|x| i128::from(x.sign()));
        let tests = [a.is_zero(), a.is_one(), C::one().is_one(), divisor.divides(&a)].map(i128::from);
        let order = C::cmp_products(&a, &b, &c, &d)? as i128;
        let numbers = [
            C::zero(),
            C::one(),
            a.neg()?,
            a.add(&b)?,
            a.mul(&b)?,
            C::mul_add(&a, &b, &c, &d)?,
            a.gcd(&b)?,
            a.mul(&divisor)?.div_exact(&divisor),
            a.mod_floor(&divisor),
        ];
        Ok([&signs[..], &tests, &[order], &numbers.map(back)].concat())
    }

    /// The same from the integers of Rust.
    fn expected([a, b, c, d]: [i64; 4]) -> Vec<i128> {
        let [a, b, c, d] = [a, b, c, d].map(i128::from);
        let divisor = if b == 0 { 1 } else { b };
        let gcd = num_integer::gcd(a, b);
        let tests = [a == 0, a == 1, true, a % divisor == 0].map(i128::from);
        let order = (a * b).cmp(&(c * d)) as i128;
        let numbers = [0, 1, -a, a + b, a * b, a * b + c * d, gcd, a, num_integer::mod_floor(a, divisor)];
        [&[a.signum(), b.signum(), 0, 1][..], &tests, &[order], &numbers].concat()
    }

    quickcheck! {
        fn all_widths_agree(a: i32, b: i32, c: i32, d: i32, near: i8) -> bool {
            let all = [[a, b, c, d], [a, i32::from(near), a, i32::from(near) + 1], [i32::from(near % 3), b, c, d]];
            all.into_iter().map(|numbers| numbers.map(i64::from)).all(|n| {
                let wanted = expected(n);
                [answers::<i64>(n), answers::<i128>(n), answers::<BigInt>(n)].iter().all(|found| found.as_ref() == Ok(&wanted))
            })
        }
        fn narrow_agrees_with_big_or_overflows(a: i64, b: i64, c: i64, d: i64) -> bool {
            let big = BigInt::from(a) * b + BigInt::from(c) * d;
            match <i64 as Coefficient>::mul_add(&a, &b, &c, &d) {
                Ok(v) => BigInt::from(v) == big,
                Err(stop) => stop == Stop::Overflow,
            }
        }
        fn product_order(a: i64, b: i64, c: i64, d: i64) -> bool {
            <i64 as Coefficient>::cmp_products(&a, &b, &c, &d).unwrap() == (BigInt::from(a) * b).cmp(&(BigInt::from(c) * d))
        }
    }
}
