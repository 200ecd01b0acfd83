//! Sums of powers in closed form: `S_k(m) = 1^k + 2^k + .. + m^k` as a polynomial in `m` (Faulhaber 1631, Bernoulli 1713).
//!
//! The identity `S_k(m) - S_k(m - 1) = m^k` holds for all integers `m`, so `sum of y^k for l <= y <= u` is `S_k(u) - S_k(l - 1)`
//! wherever `u >= l - 1`, negative bounds included; where `u = l - 1` it is the empty sum, 0.

use crate::Rat;
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// The polynomials `S_0, S_1, ..` found so far.
#[derive(Debug, Default)]
pub(crate) struct PowerSums {
    known: Vec<Vec<Rat>>,
}

impl PowerSums {
    /// The coefficients of `S_k`: that of `m^i` at position `i`.
    ///
    /// From `(m + 1)^(k+1) - 1 = sum_(j <= k) C(k+1, j) S_j(m)`, which telescopes.
    pub fn coefficients(&mut self, k: usize) -> &[Rat] {
        while self.known.len() <= k {
            let n = self.known.len();
            let binomials = binomials(n + 1);
            let mut sum: Vec<Rat> = binomials.iter().cloned().map(Rat::from_integer).collect();
            sum[0] -= Rat::one();
            for (j, s) in self.known.iter().enumerate() {
                for (i, c) in s.iter().enumerate() {
                    sum[i] -= c * Rat::from_integer(binomials[j].clone());
                }
            }
            let last = Rat::from_integer(binomials[n].clone());
            self.known.push(sum.into_iter().map(|c| c / &last).collect());
        }
        &self.known[k]
    }
}

/// `C(n, 0), C(n, 1), .., C(n, n)`
fn binomials(n: usize) -> Vec<BigInt> {
    let mut row = vec![BigInt::one()];
    for _ in 0..n {
        let mut next = vec![BigInt::zero(); row.len() + 1];
        for (i, c) in row.iter().enumerate() {
            next[i] += c;
            next[i + 1] += c;
        }
        row = next;
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn power_sums_are_sums_of_powers() {
        let mut sums = PowerSums::default();
        for k in 0..8usize {
            let s = sums.coefficients(k).to_vec();
            let at = |m: i64| {
                let m = Rat::from_integer(m.into());
                s.iter().rev().fold(Rat::zero(), |v, c| v * &m + c)
            };
            for m in -5..6i64 {
                assert_eq!(at(m) - at(m - 1), Rat::from_integer(BigInt::from(m).pow(k as u32)), "k = {k}, m = {m}");
            }
            assert!(at(0).is_zero());
        }
    }
}
