//! Extended rationals with the conventions of `isl_val`: NaN, and two infinities.

use super::{Answer, Fail, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::Ratio;
use num_traits::{One, Signed, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A rational number, an infinity or NaN.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Val {
    Rat(Ratio<BigInt>),
    Infty,
    NegInfty,
    NaN,
}

impl From<i64> for Val {
    fn from(value: i64) -> Val {
        Val::Rat(Ratio::from_integer(value.into()))
    }
}

impl FromStr for Val {
    type Err = String;
    fn from_str(text: &str) -> Result<Val, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "nan" => Ok(Val::NaN),
            "infty" => Ok(Val::Infty),
            "-infty" => Ok(Val::NegInfty),
            other => {
                let (num, den) = other.split_once('/').unwrap_or((other, "1"));
                let parse = |s: &str| s.trim().parse::<BigInt>().map_err(|e| format!("{text}: {e}"));
                let (num, den) = (parse(num)?, parse(den)?);
                Ok(quotient(num, den))
            }
        }
    }
}

fn quotient(num: BigInt, den: BigInt) -> Val {
    match (den.is_zero(), num.sign()) {
        (false, _) => Val::Rat(Ratio::new(num, den)),
        (true, num_bigint::Sign::Plus) => Val::Infty,
        (true, num_bigint::Sign::Minus) => Val::NegInfty,
        (true, num_bigint::Sign::NoSign) => Val::NaN,
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

impl Val {
    fn sign(&self) -> i32 {
        match self {
            Val::Rat(r) if r.is_zero() => 0,
            Val::Rat(r) if r.is_positive() => 1,
            Val::Infty => 1,
            Val::NaN => 0,
            _ => -1,
        }
    }

    fn infinite(sign: i32) -> Val {
        match sign {
            0 => Val::NaN,
            s if s > 0 => Val::Infty,
            _ => Val::NegInfty,
        }
    }

    fn is_infinite(&self) -> bool {
        matches!(self, Val::Infty | Val::NegInfty)
    }

    fn int(&self) -> Option<BigInt> {
        match self {
            Val::Rat(r) if r.is_integer() => Some(r.to_integer()),
            _ => None,
        }
    }

    fn map(&self, f: impl FnOnce(&Ratio<BigInt>) -> Ratio<BigInt>) -> Val {
        match self {
            Val::Rat(r) => Val::Rat(f(r)),
            other => other.clone(),
        }
    }

    pub(crate) fn neg(&self) -> Val {
        match self {
            Val::Rat(r) => Val::Rat(-r),
            Val::Infty => Val::NegInfty,
            Val::NegInfty => Val::Infty,
            Val::NaN => Val::NaN,
        }
    }

    fn add(&self, other: &Val) -> Val {
        match (self, other) {
            (Val::NaN, _) | (_, Val::NaN) => Val::NaN,
            (Val::Rat(a), Val::Rat(b)) => Val::Rat(a + b),
            (a, b) if a.is_infinite() && b.is_infinite() => {
                if a == b {
                    a.clone()
                } else {
                    Val::NaN
                }
            }
            (a, b) => {
                if a.is_infinite() {
                    a.clone()
                } else {
                    b.clone()
                }
            }
        }
    }

    fn mul(&self, other: &Val) -> Val {
        match (self, other) {
            (Val::NaN, _) | (_, Val::NaN) => Val::NaN,
            (Val::Rat(a), Val::Rat(b)) => Val::Rat(a * b),
            (a, b) => Val::infinite(a.sign() * b.sign()),
        }
    }

    fn inverse(&self) -> Val {
        match self {
            Val::Rat(r) if r.is_zero() => Val::NaN,
            Val::Rat(r) => Val::Rat(r.recip()),
            Val::NaN => Val::NaN,
            _ => Val::from(0),
        }
    }

    fn div(&self, other: &Val) -> Val {
        match (self, other) {
            (Val::NaN, _) | (_, Val::NaN) => Val::NaN,
            (_, b) if b.sign() == 0 => Val::NaN,
            (a, b) if a.is_infinite() && b.is_infinite() => Val::NaN,
            (a, b) if a.is_infinite() => Val::infinite(a.sign() * b.sign()),
            (a, b) => a.mul(&b.inverse()),
        }
    }

    // None if a NaN is compared.
    fn compare(&self, other: &Val) -> Option<Ordering> {
        let rank = |v: &Val| match v {
            Val::NegInfty => Some(-1),
            Val::Rat(_) => Some(0),
            Val::Infty => Some(1),
            Val::NaN => None,
        };
        let (a, b) = (rank(self)?, rank(other)?);
        match (self, other) {
            (Val::Rat(x), Val::Rat(y)) => Some(x.cmp(y)),
            _ => Some(a.cmp(&b)),
        }
    }
}

/// The operations `val_..`.
pub fn val(op: &str, x: &Val, rest: &[Value]) -> Answer {
    let integer = |v: &Val| v.int().ok_or_else(|| Fail::Error(format!("{v} is no integer")));
    Ok(match (op, rest) {
        ("neg", []) => x.neg().into(),
        ("abs", []) => {
            if x.sign() < 0 {
                x.neg().into()
            } else {
                x.clone().into()
            }
        }
        ("inv", []) => match x {
            Val::Rat(r) if r.is_zero() => Val::NaN.into(),
            _ => x.inverse().into(),
        },
        ("floor", []) => x.map(Ratio::floor).into(),
        ("ceil", []) => x.map(Ratio::ceil).into(),
        ("trunc", []) => x.map(Ratio::trunc).into(),
        ("pow2", []) => {
            let e = integer(x)?;
            let power = BigInt::one() << u64::try_from(e.abs()).map_err(Fail::from)?;
            let power = Ratio::from_integer(power);
            Val::Rat(if e.is_negative() { power.recip() } else { power }).into()
        }
        ("is_int", []) => x.int().is_some().into(),
        ("is_rat", []) => matches!(x, Val::Rat(_)).into(),
        ("is_pos", []) => (x.sign() > 0).into(),
        ("is_neg", []) => (x.sign() < 0).into(),
        ("is_nonneg", []) => (*x != Val::NaN && x.sign() >= 0).into(),
        ("is_nonpos", []) => (*x != Val::NaN && x.sign() <= 0).into(),
        ("is_zero", []) => (*x == Val::from(0)).into(),
        ("is_one", []) => (*x == Val::from(1)).into(),
        ("is_nan", []) => (*x == Val::NaN).into(),
        ("is_infty", []) => (*x == Val::Infty).into(),
        ("is_neginfty", []) => (*x == Val::NegInfty).into(),
        (_, [Value::Val(y)]) => match op {
            "add" => x.add(y).into(),
            "sub" => x.add(&y.neg()).into(),
            "mul" => x.mul(y).into(),
            "div" => x.div(y).into(),
            "mod" => {
                let (a, b) = (integer(x)?, integer(y)?);
                if b.is_zero() {
                    return Err(Fail::Error("modulo 0".into()));
                }
                Val::Rat(Ratio::from_integer(a.mod_floor(&b))).into()
            }
            // As isl has it, the divisor of equal values is that value, sign included.
            "gcd" if x == y => x.clone().into(),
            "gcd" => Val::Rat(Ratio::from_integer(integer(x)?.gcd(&integer(y)?))).into(),
            "min" | "max" => match x.compare(y) {
                None => Val::NaN.into(),
                Some(order) => {
                    if (order == Ordering::Less) == (op == "min") {
                        x.clone().into()
                    } else {
                        y.clone().into()
                    }
                }
            },
            "eq" => (x.compare(y) == Some(Ordering::Equal)).into(),
            "ne" => x.compare(y).is_some_and(|o| o != Ordering::Equal).into(),
            "lt" => x.compare(y).is_some_and(Ordering::is_lt).into(),
            "le" => x.compare(y).is_some_and(Ordering::is_le).into(),
            "gt" => x.compare(y).is_some_and(Ordering::is_gt).into(),
            "ge" => x.compare(y).is_some_and(Ordering::is_ge).into(),
            _ => return Err(Fail::Unsupported),
        },
        _ => return Err(Fail::Unsupported),
    })
}
