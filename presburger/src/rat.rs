//! Exact rationals: the values of quasi-affine functions.
//!
//! A function such as `{ [i] -> [(i)/2] }` takes values between the integers, so evaluation answers with a [`Rat`].
//!
//! ```
//! use loopwright_presburger::{Int, rat};
//! let half = rat::ratio(&Int::from(1), &Int::from(2));
//! assert_eq!((half.clone() + half).to_string(), "1");
//! ```

use crate::Int;
use num_bigint::BigInt;
use num_rational::Ratio;

/// An exact rational number in lowest terms.
pub type Rat = Ratio<BigInt>;

/// `num / den`.
///
/// # Panics
/// If `den` is 0.
pub fn ratio(num: &Int, den: &Int) -> Rat {
    Ratio::new(num.to_bigint(), den.to_bigint())
}

/// The numerator and the (positive) denominator.
pub fn parts(value: &Rat) -> (Int, Int) {
    (Int::from(value.numer().clone()), Int::from(value.denom().clone()))
}

/// The integer that a rational is, if it is one.
pub fn integer(value: &Rat) -> Option<Int> {
    value.is_integer().then(|| Int::from(value.numer().clone()))
}
