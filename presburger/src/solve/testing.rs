//! Helpers of the engines' tests.

use crate::linalg::Row;
use crate::{Columns, Int, System};

/// A system over `n` range columns.
pub(crate) fn system(n: usize, eqs: &[&[i64]], ineqs: &[&[i64]]) -> System {
    let mut s = System::universe(Columns { range: n, ..Columns::default() });
    eqs.iter().for_each(|r| s.push_eq(Row::from_slice(r)));
    ineqs.iter().for_each(|r| s.push_ineq(Row::from_slice(r)));
    s
}

/// All points of a system whose coordinates lie in `-reach ..= reach`.
pub(crate) fn brute_force(system: &System, reach: i64) -> Vec<Vec<Int>> {
    let n = system.columns().len() - 1;
    let side = (2 * reach + 1) as usize;
    let point = |mut index: usize| {
        let mut p = vec![Int::ONE];
        for _ in 0..n {
            p.push(Int::from((index % side) as i64 - reach));
            index /= side;
        }
        p
    };
    (0..side.pow(n as u32)).map(point).filter(|p| system.contains(p)).collect()
}
