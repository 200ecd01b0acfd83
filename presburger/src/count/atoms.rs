//! Rewriting of polynomials with integer divisions: a column gets a new meaning, and every division over it follows.

use crate::Int;
use crate::func::divs::{Divs, Expr};
use crate::func::polynomial::Poly;
use crate::linalg::Row;
use crate::system::Div;
use crate::{Budget, BudgetSpent};
use std::collections::{BTreeMap, BTreeSet};

/// The divisions of `pool` that the columns `used` need, in order of definition.
pub(crate) fn closure(pool: &Divs, used: impl IntoIterator<Item = usize>) -> Vec<(usize, Div)> {
    let mut open: BTreeSet<usize> = used.into_iter().filter(|&c| c >= pool.base()).collect();
    let mut found = BTreeMap::new();
    // A definition refers to earlier columns only.
    while let Some(col) = open.pop_last() {
        let div = pool.definition(col).clone();
        open.extend((pool.base()..div.num.len()).filter(|&c| !div.num.is_zero_at(c)));
        found.insert(col, div);
    }
    found.into_iter().collect()
}

/// `{ c : row[c] != 0 }`
pub(crate) fn columns_of(row: &Row) -> impl Iterator<Item = usize> + '_ {
    (0..row.len()).filter(|&c| !row.is_zero_at(c))
}

/// `row` over old columns as an expression of new ones.
fn linear(row: &Row, image: &dyn Fn(usize) -> Expr, width: usize) -> Expr {
    let mut sum = Expr::integral(Row::zero(width));
    for c in columns_of(row) {
        sum = sum.combine(&Int::ONE, &image(c), &row.get(c));
    }
    sum
}

/// The images in `target` of `divs` (closed, in order) where plain column `c` means `plain(c)`.
pub(crate) fn transfer(divs: &[(usize, Div)], target: &mut Divs, plain: &dyn Fn(usize) -> Expr) -> BTreeMap<usize, Expr> {
    let mut images: BTreeMap<usize, Expr> = BTreeMap::new();
    for (col, div) in divs {
        let e = linear(&div.num, &|c| images.get(&c).cloned().unwrap_or_else(|| plain(c)), target.base());
        let image = target.floor_expr(&Expr { num: e.num, den: &e.den * &div.den });
        images.insert(*col, image);
    }
    images
}

/// `row` with `images` for divisions and `plain` for the other columns.
pub(crate) fn moved(row: &Row, images: &BTreeMap<usize, Expr>, plain: &dyn Fn(usize) -> Expr, width: usize) -> Expr {
    linear(row, &|c| images.get(&c).cloned().unwrap_or_else(|| plain(c)), width)
}

/// `f` where column `col` has the value `image`; divisions over `col` are rewritten in the pool.
pub(crate) fn replaced(f: &Poly, pool: &mut Divs, col: usize, image: &Expr, budget: &Budget) -> Result<Poly, BudgetSpent> {
    let mut divs = closure(pool, f.variables());
    let mut depends: BTreeSet<usize> = BTreeSet::from([col]);
    divs.retain(|(c, d)| columns_of(&d.num).any(|c| depends.contains(&c)) && depends.insert(*c));
    let base = pool.base();
    let identity = |c: usize| Expr::integral(crate::func::divs::unit(base.max(c + 1), c));
    let images = transfer(&divs, pool, &|c| if c == col { image.clone() } else { identity(c) });
    let of = |c: usize| if c == col { Some(Poly::of(image)) } else { images.get(&c).map(Poly::of) };
    f.compose(of, budget)
}

/// The least `m >= 1` such that a step of `m` in column `col` moves every division of `f` by an integer that is the same everywhere.
pub(crate) fn period(f: &Poly, pool: &Divs, col: usize) -> Int {
    // Slopes over a common denominator: a step of `period` in `col` moves column `c` by `slope[c]`.
    let mut period = Int::ONE;
    let mut slopes: BTreeMap<usize, Int> = BTreeMap::from([(col, Int::ONE)]);
    for (c, div) in closure(pool, f.variables()) {
        let rise: Int = columns_of(&div.num).filter_map(|k| slopes.get(&k).map(|s| s * &div.num.get(k))).sum();
        if rise.is_zero() {
            continue;
        }
        let factor = div.den.div_exact(&div.den.gcd(&rise));
        period = &period * &factor;
        slopes.values_mut().for_each(|s| *s = &*s * &factor);
        slopes.insert(c, (&rise * &factor).div_exact(&div.den));
    }
    period
}
