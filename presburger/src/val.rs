//! Extended rationals: the values of quasi-polynomials, with two infinities and NaN where isl has them.
//!
//! `infty + 1 = infty`, `infty - infty = NaN`, `0 * infty = NaN`, `1 / 0 = NaN`, `1 / infty = 0`; NaN is contagious and compares as
//! false with everything, itself included. As text a quotient by zero is read as in isl: `1/0` is `infty`, `-1/0` is `-infty`, `0/0`
//! is `NaN`.
//!
//! ```
//! use loopwright_presburger::Val;
//! let half: Val = "1/2".parse().unwrap();
//! assert_eq!(half.add(&half), Val::from(1));
//! assert_eq!(Val::Infty.add(&Val::NegInfty).to_string(), "NaN");
//! ```

use crate::{Error, Int, Rat};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A rational number, an infinity or NaN. `==` is structural (NaN equals itself); [`Val::compare`] has the order of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Val {
    /// A rational number.
    Rat(Rat),
    /// Positive infinity.
    Infty,
    /// Negative infinity.
    NegInfty,
    /// Not a number.
    NaN,
}

impl From<i64> for Val {
    fn from(value: i64) -> Val {
        Val::Rat(Ratio::from_integer(value.into()))
    }
}

impl From<&Int> for Val {
    fn from(value: &Int) -> Val {
        Val::Rat(Ratio::from_integer(value.to_bigint()))
    }
}

impl From<Rat> for Val {
    fn from(value: Rat) -> Val {
        Val::Rat(value)
    }
}

impl FromStr for Val {
    type Err = Error;
    /// Reads `3`, `-1/2`, `infty`, `-infty` or `NaN`.
    fn from_str(text: &str) -> Result<Val, Error> {
        match text.trim().to_ascii_lowercase().as_str() {
            "nan" => Ok(Val::NaN),
            "infty" => Ok(Val::Infty),
            "-infty" => Ok(Val::NegInfty),
            other => {
                let (num, den) = other.split_once('/').unwrap_or((other, "1"));
                let part = |s: &str| {
                    let value = s.trim().parse::<BigInt>();
                    value.map_err(|_| Error::Domain(format!("'{text}' is no value; expected 3, -1/2, infty, -infty or NaN")))
                };
                let (num, den) = (part(num)?, part(den)?);
                Ok(if den.is_zero() { Val::infinite(sign_of(&num)) } else { Val::Rat(Ratio::new(num, den)) })
            }
        }
    }
}

impl fmt::Display for Val {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Val::Rat(r) => write!(f, "{r}"),
            Val::Infty => f.write_str("infty"),
            Val::NegInfty => f.write_str("-infty"),
            Val::NaN => f.write_str("NaN"),
        }
    }
}

fn sign_of(value: &BigInt) -> i32 {
    i32::from(value.is_positive()) - i32::from(value.is_negative())
}

impl Val {
    /// Zero.
    pub fn zero() -> Val {
        Val::from(0)
    }

    /// -1, 0 or 1; 0 for NaN.
    pub fn signum(&self) -> i32 {
        match self {
            Val::Rat(r) => sign_of(r.numer()),
            Val::Infty => 1,
            Val::NegInfty => -1,
            Val::NaN => 0,
        }
    }

    fn infinite(sign: i32) -> Val {
        match sign {
            0 => Val::NaN,
            s if s > 0 => Val::Infty,
            _ => Val::NegInfty,
        }
    }

    /// Whether this is one of the two infinities.
    pub fn is_infinite(&self) -> bool {
        matches!(self, Val::Infty | Val::NegInfty)
    }

    /// Whether this is NaN.
    pub fn is_nan(&self) -> bool {
        *self == Val::NaN
    }

    /// The rational, if it is one.
    pub fn as_rat(&self) -> Option<&Rat> {
        match self {
            Val::Rat(r) => Some(r),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<Int> {
        self.as_rat().and_then(crate::rat::integer)
    }

    fn map(&self, f: impl FnOnce(&Rat) -> Rat) -> Val {
        match self {
            Val::Rat(r) => Val::Rat(f(r)),
            other => other.clone(),
        }
    }

    /// `-x`
    pub fn neg(&self) -> Val {
        match self {
            Val::Rat(r) => Val::Rat(-r),
            Val::Infty => Val::NegInfty,
            Val::NegInfty => Val::Infty,
            Val::NaN => Val::NaN,
        }
    }

    /// `|x|`
    pub fn abs(&self) -> Val {
        if self.signum() < 0 { self.neg() } else { self.clone() }
    }

    /// The greatest integer that is at most `x`; infinities and NaN stay.
    pub fn floor(&self) -> Val {
        self.map(Ratio::floor)
    }

    /// The least integer that is at least `x`; infinities and NaN stay.
    pub fn ceil(&self) -> Val {
        self.map(Ratio::ceil)
    }

    /// `x` without its fraction, rounded towards zero; infinities and NaN stay.
    pub fn trunc(&self) -> Val {
        self.map(Ratio::trunc)
    }

    /// `x + y`; NaN for opposite infinities.
    pub fn add(&self, other: &Val) -> Val {
        match (self, other) {
            (Val::NaN, _) | (_, Val::NaN) => Val::NaN,
            (Val::Rat(a), Val::Rat(b)) => Val::Rat(a + b),
            (a, b) if a.is_infinite() && b.is_infinite() && a != b => Val::NaN,
            (a, b) => if a.is_infinite() { a } else { b }.clone(),
        }
    }

    /// `x - y`; NaN for equal infinities.
    pub fn sub(&self, other: &Val) -> Val {
        self.add(&other.neg())
    }

    /// `x * y`; NaN for zero times an infinity.
    pub fn mul(&self, other: &Val) -> Val {
        match (self, other) {
            (Val::NaN, _) | (_, Val::NaN) => Val::NaN,
            (Val::Rat(a), Val::Rat(b)) => Val::Rat(a * b),
            (a, b) => Val::infinite(a.signum() * b.signum()),
        }
    }

    /// `1 / x`; NaN for zero, zero for an infinity.
    pub fn inv(&self) -> Val {
        match self {
            Val::Rat(r) if r.is_zero() => Val::NaN,
            Val::Rat(r) => Val::Rat(r.recip()),
            Val::NaN => Val::NaN,
            _ => Val::zero(),
        }
    }

    /// `x / y`; NaN for a zero divisor and for two infinities.
    pub fn div(&self, other: &Val) -> Val {
        match (self, other) {
            (Val::NaN, _) | (_, Val::NaN) => Val::NaN,
            (_, b) if b.signum() == 0 => Val::NaN,
            (a, b) if a.is_infinite() && b.is_infinite() => Val::NaN,
            (a, b) if a.is_infinite() => Val::infinite(a.signum() * b.signum()),
            (a, b) => a.mul(&b.inv()),
        }
    }

    /// `x - y * floor(x / y)`
    ///
    /// # Errors
    /// If an operand is no integer, or `y` is zero.
    pub fn modulo(&self, other: &Val) -> Result<Val, Error> {
        let (a, b) = (self.integer()?, other.integer()?);
        if b.is_zero() {
            return Err(Error::Domain("modulo 0".into()));
        }
        Ok(Val::Rat(Ratio::from_integer(a.mod_floor(&b))))
    }

    /// The greatest common divisor; that of equal values is the value itself, sign included, as in isl.
    ///
    /// # Errors
    /// If the operands differ and one is no integer.
    pub fn gcd(&self, other: &Val) -> Result<Val, Error> {
        if self == other {
            return Ok(self.clone());
        }
        Ok(Val::Rat(Ratio::from_integer(self.integer()?.gcd(&other.integer()?))))
    }

    /// `2^x`
    ///
    /// # Errors
    /// If `x` is no integer, or beyond 2^20 in size.
    pub fn pow2(&self) -> Result<Val, Error> {
        let e = self.integer()?;
        let size = u32::try_from(e.abs()).ok().filter(|&e| e <= 1 << 20);
        let size = size.ok_or_else(|| Error::Domain(format!("2^{e} is too large")))?;
        let power = Ratio::from_integer(BigInt::one() << size);
        Ok(Val::Rat(if e.is_negative() { power.recip() } else { power }))
    }

    fn integer(&self) -> Result<BigInt, Error> {
        match self.as_int() {
            Some(value) => Ok(value.to_bigint()),
            None => Err(Error::Domain(format!("{self} is no integer"))),
        }
    }

    /// The order of numbers, infinities at the ends; `None` if a NaN is compared.
    pub fn compare(&self, other: &Val) -> Option<Ordering> {
        match (self, other) {
            (Val::NaN, _) | (_, Val::NaN) => None,
            (Val::Rat(x), Val::Rat(y)) => Some(x.cmp(y)),
            (a, b) if a == b => Some(Ordering::Equal),
            (Val::NegInfty, _) | (_, Val::Infty) => Some(Ordering::Less),
            _ => Some(Ordering::Greater),
        }
    }

    /// The lesser of two values, NaN if one is NaN.
    pub fn min(&self, other: &Val) -> Val {
        self.compare(other).map_or(Val::NaN, |o| if o.is_lt() { self } else { other }.clone())
    }

    /// The greater of two values, NaN if one is NaN.
    pub fn max(&self, other: &Val) -> Val {
        self.compare(other).map_or(Val::NaN, |o| if o.is_lt() { other } else { self }.clone())
    }
}
