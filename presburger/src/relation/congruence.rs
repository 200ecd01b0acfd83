//! Congruences `f = 0 mod m` as rows say them, and the modulus that suffices in a context.
//!
//! If all points of the context have `f = 0 mod g`, then among them `f = 0 mod m` says no more than
//! `f = 0 mod m'` for the `m'` that has the prime powers of `m` at those primes where `m` has more of them than `g`:
//! `lcm(m', g) = m` (taking `g` for `gcd(g, m)`).

use crate::linalg::{Row, hermite};
use crate::{Div, Int, System};

/// `f = 0 mod modulus`
#[derive(Debug, Clone)]
pub(crate) struct Congruence {
    /// `f`, over the columns of the system that it was read off.
    row: Row,
    modulus: Int,
    /// The column of the division through which the row said it.
    pub(crate) column: usize,
}

impl Congruence {
    /// What the equality `row` says with one division `e = floor(f / m)`: `f = m e`.
    pub(crate) fn of(system: &System, row: &Row) -> Option<Congruence> {
        let columns = system.columns();
        let column = row.first_nonzero(columns.div_range())?;
        let modulus = row.get(column).abs();
        if modulus.is_one() || row.first_nonzero(column + 1..columns.len()).is_some() {
            return None;
        }
        let div = system.divs()[column - columns.first_div()].as_ref()?;
        // f = modulus * e
        let mut f = if row.sign(column) > 0 { row.neg() } else { row.clone() };
        f.set(column, Int::ZERO);
        // Where the modulus divides f, the division must have the value f / modulus: num / den - f / modulus in [0, 1).
        let rest = div.num.combine(&modulus, &f, &-&div.den);
        let constant = rest.get(0);
        let fits = rest.is_zero_in(1..rest.len()) && !constant.is_negative() && constant < &modulus * &div.den;
        fits.then_some(Congruence { row: f, modulus, column })
    }

    /// The same by a smaller modulus, among the integer solutions of any of the systems of equations, if there is one. One of the
    /// systems has a solution with `f = 0 mod m`.
    pub(crate) fn reduced(&self, cases: impl IntoIterator<Item = Vec<Row>>) -> Option<Congruence> {
        let mut given = self.modulus.clone();
        for equations in cases {
            if let Some(solutions) = hermite::solve(&equations, self.row.len() - 1) {
                let f = solutions.substitute(&self.row);
                given = f.gcd_in(0..f.len()).gcd(&given);
            }
        }
        let missing = self.modulus.div_exact(&given);
        let mut rest = self.modulus.clone();
        loop {
            let common = rest.gcd(&missing);
            if common.is_one() {
                break;
            }
            rest = rest.div_exact(&common);
        }
        (!rest.is_one()).then(|| Congruence { modulus: self.modulus.div_exact(&rest), ..self.clone() })
    }

    /// Adds the congruence to a system whose first columns are those of `f`.
    pub(crate) fn push_to(&self, system: &mut System) {
        if self.modulus.is_one() {
            return;
        }
        let width = system.columns().len();
        let num = self.row.with_zeros(self.row.len(), width - self.row.len());
        let column = system.push_div(Some(Div { num: num.clone(), den: self.modulus.clone() }));
        let mut row = num.with_zeros(width, 1);
        row.set(column, -&self.modulus);
        system.push_eq(row);
    }
}
