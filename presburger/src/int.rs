//! Exact integers: 64 bits while they fit, arbitrary precision beyond.
//!
//! `Int` is the integer of the public face. Its representation is canonical (a value that fits `i64` is never stored as a big
//! integer), so equality and hashing are structural. Inner loops work on `i64` rows instead (see [`crate::linalg::row`]).
//!
//! ```
//! use loopwright_presburger::Int;
//! let big = Int::from(i64::MAX) + Int::from(1);
//! assert_eq!(big.to_string(), "9223372036854775808");
//! assert_eq!((big - Int::from(1)).to_i64(), Some(i64::MAX));
//! assert_eq!(Int::from(-7).div_floor(&Int::from(2)), Int::from(-4));
//! ```

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

/// An exact integer of any size.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

// Invariant: `Big` holds only values outside the range of i64.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Big(Box<BigInt>),
}

const _: () = assert!(std::mem::size_of::<Int>() == 16);

impl Int {
    /// 0.
    pub const ZERO: Int = Int(Repr::Small(0));
    /// 1.
    pub const ONE: Int = Int(Repr::Small(1));
    /// -1.
    pub const MINUS_ONE: Int = Int(Repr::Small(-1));

    fn from_big(value: BigInt) -> Int {
        match value.to_i64() {
            Some(small) => Int(Repr::Small(small)),
            None => Int(Repr::Big(Box::new(value))),
        }
    }

    fn big(&self) -> std::borrow::Cow<'_, BigInt> {
        match &self.0 {
            Repr::Small(v) => std::borrow::Cow::Owned(BigInt::from(*v)),
            Repr::Big(b) => std::borrow::Cow::Borrowed(b),
        }
    }

    /// The value as an arbitrary-precision integer.
    pub fn to_bigint(&self) -> BigInt {
        self.big().into_owned()
    }

    /// The value if it fits `i64`.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(v) => Some(*v),
            Repr::Big(_) => None,
        }
    }

    /// The value if it fits `i128`.
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small(v) => Some(i128::from(*v)),
            Repr::Big(b) => b.to_i128(),
        }
    }

    /// Whether the value is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Whether the value is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1))
    }

    /// Whether the value is below 0.
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// Whether the value is above 0.
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// -1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(v) => v.signum() as i32,
            Repr::Big(b) => {
                if b.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// `floor(self / d)`.
    ///
    /// # Panics
    /// If `d` is 0.
    pub fn div_floor(&self, d: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &d.0)
            && !(*a == i64::MIN && *b == -1)
        {
            return Int(Repr::Small(Integer::div_floor(a, b)));
        }
        Int::from_big(self.big().div_floor(&d.big()))
    }

    /// `ceil(self / d)`.
    ///
    /// # Panics
    /// If `d` is 0.
    pub fn div_ceil(&self, d: &Int) -> Int {
        -&(-self).div_floor(d)
    }

    /// The quotient of a division known to leave no remainder.
    pub fn div_exact(&self, d: &Int) -> Int {
        debug_assert!(self.mod_floor(d).is_zero());
        self.div_floor(d)
    }

    /// `self - d * floor(self / d)`: in `[0, d)` for positive `d`.
    ///
    /// # Panics
    /// If `d` is 0.
    pub fn mod_floor(&self, d: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &d.0) {
            if *b == -1 {
                return Int::ZERO;
            }
            return Int(Repr::Small(Integer::mod_floor(a, b)));
        }
        Int::from_big(self.big().mod_floor(&d.big()))
    }

    /// The greatest common divisor, never negative; `gcd(0, 0) = 0`.
    pub fn gcd(&self, other: &Int) -> Int {
        if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
            let g = a.unsigned_abs().gcd(&b.unsigned_abs());
            return Int::from(g);
        }
        Int::from_big(self.big().gcd(&other.big()))
    }

    /// The least common multiple, never negative.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        (self.div_exact(&self.gcd(other)) * other).abs()
    }

    /// Whether `self` divides `other` (0 divides only 0).
    pub fn divides(&self, other: &Int) -> bool {
        if self.is_zero() { other.is_zero() } else { other.mod_floor(self).is_zero() }
    }
}

macro_rules! from_int {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            fn from(v: $t) -> Int {
                match i64::try_from(v) {
                    Ok(small) => Int(Repr::Small(small)),
                    Err(_) => Int::from_big(BigInt::from(v)),
                }
            }
        }
    )*};
}
from_int!(i8, u8, i16, u16, i32, u32, i64, u64, i128, u128, usize, isize);

impl From<BigInt> for Int {
    fn from(v: BigInt) -> Int {
        Int::from_big(v)
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, $checked:ident, $assign_trait:ident, $assign:ident) => {
        impl $trait<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0) {
                    if let Some(v) = a.$checked(*b) {
                        return Int(Repr::Small(v));
                    }
                }
                Int::from_big($trait::$method(&*self.big(), &*other.big()))
            }
        }
        impl $trait<Int> for Int {
            type Output = Int;
            fn $method(self, other: Int) -> Int {
                $trait::$method(&self, &other)
            }
        }
        impl $trait<&Int> for Int {
            type Output = Int;
            fn $method(self, other: &Int) -> Int {
                $trait::$method(&self, other)
            }
        }
        impl $trait<Int> for &Int {
            type Output = Int;
            fn $method(self, other: Int) -> Int {
                $trait::$method(self, &other)
            }
        }
        impl $assign_trait<&Int> for Int {
            fn $assign(&mut self, other: &Int) {
                *self = $trait::$method(&*self, other);
            }
        }
        impl $assign_trait<Int> for Int {
            fn $assign(&mut self, other: Int) {
                *self = $trait::$method(&*self, &other);
            }
        }
    };
}
binary!(Add, add, checked_add, AddAssign, add_assign);
binary!(Sub, sub, checked_sub, SubAssign, sub_assign);
binary!(Mul, mul, checked_mul, MulAssign, mul_assign);

impl Neg for &Int {
    type Output = Int;
    fn neg(self) -> Int {
        match &self.0 {
            Repr::Small(v) if *v != i64::MIN => Int(Repr::Small(-v)),
            _ => Int::from_big(-self.to_bigint()),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    fn neg(self) -> Int {
        -&self
    }
}

impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            _ => self.big().cmp(&other.big()),
        }
    }
}

impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Default for Int {
    fn default() -> Int {
        Int::ZERO
    }
}

impl std::iter::Sum for Int {
    fn sum<I: Iterator<Item = Int>>(iter: I) -> Int {
        iter.fold(Int::ZERO, |a, b| a + b)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(v) => fmt::Display::fmt(v, f),
            Repr::Big(b) => fmt::Display::fmt(b, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Int {
    type Err = num_bigint::ParseBigIntError;
    fn from_str(s: &str) -> Result<Int, Self::Err> {
        match s.parse::<i64>() {
            Ok(v) => Ok(Int::from(v)),
            Err(_) => s.parse::<BigInt>().map(Int::from_big),
        }
    }
}

impl Zero for Int {
    fn zero() -> Int {
        Int::ZERO
    }
    fn is_zero(&self) -> bool {
        Int::is_zero(self)
    }
}

#[cfg(test)]
mod tests {
    use super::Int;
    use num_bigint::BigInt;
    use quickcheck::quickcheck;

    quickcheck! {
        fn ring_agrees_with_bigint(a: i64, b: i64) -> bool {
            let (x, y) = (BigInt::from(a), BigInt::from(b));
            let (i, j) = (Int::from(a), Int::from(b));
            (&i + &j).to_bigint() == &x + &y && (&i - &j).to_bigint() == &x - &y && (&i * &j).to_bigint() == x * y
        }
        fn canonical(a: i64, b: i64) -> bool {
            let (i, j) = (Int::from(a), Int::from(b));
            &(&i * &j + &j) - &(&i * &j) == j
        }
        fn division_law(a: i64, b: i64) -> bool {
            let (i, j) = (Int::from(a), Int::from(b));
            b == 0 || (&i.div_floor(&j) * &j + i.mod_floor(&j) == i && i.mod_floor(&j).abs() < j.abs())
        }
        fn text_round_trip(a: i128) -> bool {
            Int::from(a).to_string().parse::<Int>().unwrap() == Int::from(a)
        }
    }

    #[test]
    fn extremes() {
        let min = Int::from(i64::MIN);
        assert_eq!((-&min).to_string(), "9223372036854775808");
        assert_eq!(min.div_floor(&Int::MINUS_ONE), -&min);
        assert_eq!(min.gcd(&min), -&min);
        assert_eq!(-(-min.clone()), min);
    }
}
