//! Barvinok's counting: the number of integer points of a parametric polytope from unimodular cones at its vertices.
//!
//! By Brion's theorem the generating function of the points of a polytope is the sum of those of its vertex cones. A cone splits
//! into signed unimodular cones, whose generating functions are known: with normals `u_i`, generators `g_i` (`u_i . g_k` is 1 for
//! `i = k`, else 0) and the apex `v(p)`, it is `z^E / prod (1 - z^g_i)` with `E = sum c_i g_i` and `c_i = ceil(u_i . v(p))`. At
//! `z = exp(t*l)` for an `l` that is orthogonal to no generator, the constant terms in `t` add up to the number of points:
//! `(-1)^d / prod b_i * [t^d] exp(t * sum c_i b_i) prod (t*b_i / (exp(t*b_i) - 1))`, where `b_i = l . g_i`.
//!
//! The constraints are thought to be moved outwards by infinitesimals `e_1 >> e_2 >> .. > 0`. That keeps all integer points, makes
//! every polytope that has points full-dimensional and simple, and turns "is `v` a vertex for these parameters?" into comparisons
//! that are strict or not according to the sign of the infinitesimal; so no chamber decomposition is needed, and parameters on the
//! walls between chambers need no care.
//!
//! Splitting works on the normals (the dual cone), where what is lost are cones with lines, whose generating functions are zero: a
//! short vector `w = sum alpha_i u_i` with all `|alpha_i| < 1`, from an LLL-reduced basis, replaces each normal in turn.
//!
//! Sources: Brion 1988; Barvinok, "A polynomial time algorithm for counting integral points in polyhedra when the dimension is
//! fixed", 1994; Barvinok and Pommersheim 1999; Verdoolaege et al., Algorithmica 2007; Lenstra, Lenstra, Lovasz 1982.

use super::cell::{Cell, Summation};
use crate::func::polynomial::Poly;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Int, Rat};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

type Vector = Vec<Rat>;
pub(super) type Matrix = Vec<Vector>;

/// A vertex: the constraints that meet there, and the parameters for which it is one.
pub(super) struct Vertex {
    pub basis: Vec<usize>,
    pub inverse: Matrix,
    pub domain: Vec<Row>,
}

/// `{ x : normals x + offsets(p) >= 0 }` where the rows of `context`, which are free of `x`, are not negative.
pub(super) struct Polytope {
    pub normals: Matrix,
    pub offsets: Vec<Row>,
    pub context: Vec<Row>,
}

/// A signed unimodular cone: normals and, as columns, generators.
struct Cone {
    negative: bool,
    normals: Matrix,
    generators: Matrix,
}

impl Summation<'_> {
    /// Counts the points of a cell without equalities on live columns whose summand does not depend on them; `None` if a cone
    /// resists (no short vector was found).
    pub(super) fn by_cones(&mut self, cell: &Cell) -> Result<Option<Vec<Cell>>, BudgetSpent> {
        let Polytope { normals, offsets, context } = self.polytope(cell);
        let vertices = vertices(&normals, &offsets, self.budget)?;
        let mut decomposed = Vec::new();
        for v in &vertices {
            let rows: Matrix = v.basis.iter().map(|&i| primitive(&normals[i])).collect();
            match unimodular(rows, self.budget)? {
                Some(cones) => decomposed.push(cones),
                None => return Ok(None),
            }
        }
        let direction = direction(cell.live.len(), decomposed.iter().flatten());
        let mut out = Vec::new();
        for (v, cones) in vertices.iter().zip(&decomposed) {
            let mut parts = Vec::new();
            for cone in cones {
                parts.push(self.contribution(cone, v, &offsets, &direction)?);
            }
            let f = Poly::sum(&parts).mul(&cell.f, self.budget)?;
            let ineqs = v.domain.iter().cloned().chain(context.iter().cloned()).collect();
            out.push(Cell { eqs: cell.eqs.clone(), ineqs, f, live: Vec::new() });
        }
        Ok(Some(out))
    }

    /// The inequalities of a cell by what they bound.
    pub(super) fn polytope(&self, cell: &Cell) -> Polytope {
        let width = self.pool.width();
        let mut out = Polytope { normals: Vec::new(), offsets: Vec::new(), context: Vec::new() };
        for r in &cell.ineqs {
            let mut row = crate::func::divs::pad(r, width);
            if cell.live.iter().all(|&c| row.is_zero_at(c)) {
                out.context.push(row);
                continue;
            }
            out.normals.push(cell.live.iter().map(|&c| rational(&row.get(c))).collect());
            cell.live.iter().for_each(|&c| row.set(c, Int::ZERO));
            out.offsets.push(row);
        }
        out
    }

    /// The constant term of a unimodular cone's generating function at the vertex.
    fn contribution(&mut self, cone: &Cone, v: &Vertex, offsets: &[Row], direction: &[Rat]) -> Result<Poly, BudgetSpent> {
        let d = direction.len();
        let mut exponent = Vec::new();
        let mut todd = vec![Rat::one()];
        let mut scale = if cone.negative != (d % 2 == 1) { -Rat::one() } else { Rat::one() };
        for i in 0..d {
            // ceil(u . v) with v = -A^-1 b is -floor((u A^-1) . b).
            let weights = times(&cone.normals[i], &v.inverse);
            let (row, den) = combination(&weights, &v.basis, offsets);
            let corner = Poly::linear(&self.pool.floor(&row, &den), &Int::MINUS_ONE);
            let b: Rat = (0..d).map(|k| &direction[k] * &cone.generators[k][i]).sum();
            exponent.push(corner.scale(&b));
            scale /= &b;
            todd = truncated_product(&todd, &bernoulli_series(&b, d), d);
        }
        let exponent = Poly::sum(&exponent);
        // sum over k of E^k / k! * todd[d - k]
        let mut value = Poly::zero();
        let mut factorial = Rat::one();
        let mut power = Poly::one();
        for k in 0..=d {
            if k > 0 {
                factorial *= Rat::from_integer(k.into());
                power = power.mul(&exponent, self.budget)?;
            }
            value = value.add(&power.scale(&(&todd[d - k] / &factorial)));
        }
        Ok(value.scale(&scale))
    }
}

fn rational(value: &Int) -> Rat {
    Rat::from_integer(value.to_bigint())
}

/// `sum_k weights[k] * rows[basis[k]]` as an integer row over a positive denominator.
pub(super) fn combination(weights: &[Rat], basis: &[usize], rows: &[Row]) -> (Row, Int) {
    let den = weights.iter().fold(BigInt::one(), |d, w| d.lcm(w.denom()));
    let mut sum = Row::zero(rows[basis[0]].len());
    for (w, &k) in weights.iter().zip(basis) {
        let factor = Int::from((w * &den).to_integer());
        sum = sum.combine(&Int::ONE, &rows[k], &factor);
    }
    (sum, Int::from(den))
}

/// The vertices of `{ x : normals x + offsets(p) + e >= 0 }` for infinitesimal `e_1 >> e_2 >> .. > 0`, each with the parameters where
/// it is one.
pub(super) fn vertices(normals: &Matrix, offsets: &[Row], budget: &Budget) -> Result<Vec<Vertex>, BudgetSpent> {
    let d = normals.first().map_or(0, Vec::len);
    let mut out = Vec::new();
    let mut basis: Vec<usize> = (0..d).collect();
    if normals.len() < d {
        return Ok(out);
    }
    loop {
        budget.spend(1 + (d * d) as u64)?;
        let rows: Matrix = basis.iter().map(|&i| normals[i].clone()).collect();
        if let Some((_, inverse)) = inverse(&rows) {
            let mut domain = Vec::new();
            for j in (0..normals.len()).filter(|j| !basis.contains(j)) {
                // a_j = weights . A: the slack is b_j - weights . b + (e_j - weights . e).
                let weights = times(&normals[j], &inverse);
                let (shift, den) = combination(&weights, &basis, offsets);
                let mut slack = offsets[j].combine(&den, &shift, &Int::MINUS_ONE);
                let first = basis.iter().zip(&weights).find(|(_, w)| !w.is_zero());
                let grows = first.is_none_or(|(&i, w)| j < i || w.is_negative());
                if !grows {
                    slack.add_at(0, &Int::MINUS_ONE);
                }
                domain.push(slack);
            }
            out.push(Vertex { basis: basis.clone(), inverse, domain });
        }
        // The next combination in lexicographic order.
        let Some(at) = (0..d).rev().find(|&k| basis[k] + (d - k) < normals.len()) else { return Ok(out) };
        basis[at] += 1;
        for k in at + 1..d {
            basis[k] = basis[k - 1] + 1;
        }
    }
}

/// `row . matrix`
fn times(row: &[Rat], matrix: &Matrix) -> Vector {
    (0..matrix.len()).map(|k| row.iter().zip(matrix).map(|(a, m)| a * &m[k]).sum()).collect()
}

/// Determinant and inverse, by Gauss and Jordan; `None` for a singular matrix.
fn inverse(matrix: &Matrix) -> Option<(Rat, Matrix)> {
    let n = matrix.len();
    let mut left = matrix.clone();
    let unit = |i: usize| (0..n).map(|k| if i == k { Rat::one() } else { Rat::zero() }).collect();
    let mut right: Matrix = (0..n).map(unit).collect();
    let mut determinant = Rat::one();
    for col in 0..n {
        let pivot = (col..n).find(|&r| !left[r][col].is_zero())?;
        if pivot != col {
            left.swap(pivot, col);
            right.swap(pivot, col);
            determinant = -determinant;
        }
        let value = left[col][col].clone();
        determinant *= &value;
        left[col].iter_mut().chain(&mut right[col]).for_each(|x| *x /= &value);
        for r in (0..n).filter(|&r| r != col) {
            let factor = left[r][col].clone();
            if !factor.is_zero() {
                for k in 0..n {
                    let (a, b) = (&left[col][k] * &factor, &right[col][k] * &factor);
                    left[r][k] -= a;
                    right[r][k] -= b;
                }
            }
        }
    }
    Some((determinant, right))
}

/// The vector divided by the greatest common divisor of its (integer) elements.
fn primitive(vector: &[Rat]) -> Vector {
    let g = vector.iter().fold(BigInt::zero(), |g, x| g.gcd(x.numer()));
    vector.iter().map(|x| x / &g).collect()
}

/// Signed unimodular cones with the same sum of generating functions, up to cones with lines; the rows of `normals` are primitive.
fn unimodular(normals: Matrix, budget: &Budget) -> Result<Option<Vec<Cone>>, BudgetSpent> {
    let mut out = Vec::new();
    let mut stack = vec![(false, normals)];
    while let Some((negative, normals)) = stack.pop() {
        budget.spend(1 + (normals.len() * normals.len()) as u64)?;
        let Some((determinant, inverse)) = inverse(&normals) else { continue };
        if determinant.abs().is_one() {
            out.push(Cone { negative, normals, generators: inverse });
            continue;
        }
        let Some(alpha) = short_vector(inverse, budget)? else { return Ok(None) };
        let w = primitive(&times(&alpha, &normals));
        for (i, a) in alpha.iter().enumerate().filter(|(_, a)| !a.is_zero()) {
            let mut next = normals.clone();
            next[i] = w.clone();
            stack.push((negative != a.is_negative(), next));
        }
    }
    Ok(Some(out))
}

/// A vector of the lattice with this basis, all of whose elements are less than 1 in size, one of them positive.
fn short_vector(basis: Matrix, budget: &Budget) -> Result<Option<Vector>, BudgetSpent> {
    let reduced = lattice_reduced(basis, budget)?;
    let d = reduced.len();
    let size = |v: &Vector| v.iter().map(Signed::abs).max().unwrap_or_else(Rat::zero);
    let mut best: Option<Vector> = None;
    // All sums and differences of few basis vectors.
    let mut combinations: Vec<Vector> = vec![vec![Rat::zero(); d]];
    for v in &reduced {
        budget.spend(1 + combinations.len() as u64)?;
        if combinations.len() < 1000 {
            let add =
                |c: &Vector, plus: bool| -> Vector { c.iter().zip(v).map(|(a, b)| if plus { a + b } else { a - b }).collect() };
            let more: Vec<Vector> = combinations.iter().flat_map(|c| [add(c, true), add(c, false)]).collect();
            combinations.extend(more);
        } else {
            combinations.push(v.clone());
        }
    }
    for v in combinations {
        if v.iter().any(|x| !x.is_zero()) && best.as_ref().is_none_or(|b| size(&v) < size(b)) {
            best = Some(v);
        }
    }
    let Some(best) = best.filter(|b| size(b) < Rat::one()) else { return Ok(None) };
    let positive = best.iter().any(Signed::is_positive);
    Ok(Some(if positive { best } else { best.into_iter().map(|x| -x).collect() }))
}

fn dot(a: &[Rat], b: &[Rat]) -> Rat {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// An LLL-reduced basis of the lattice (with the factor 3/4), in exact arithmetic.
fn lattice_reduced(basis: Matrix, budget: &Budget) -> Result<Matrix, BudgetSpent> {
    let n = basis.len();
    let mut basis = basis;
    let half = Rat::new(1.into(), 2.into());
    let mut k = 1;
    while k < n {
        budget.spend(1 + (n * n) as u64)?;
        // Orthogonal vectors up to k and their squared lengths.
        let mut orthogonal: Matrix = Vec::new();
        let mut lengths: Vec<Rat> = Vec::new();
        let project = |v: &Vector, orthogonal: &Matrix, lengths: &[Rat], j: usize| dot(v, &orthogonal[j]) / &lengths[j];
        for v in &basis[..k] {
            let mut w = v.clone();
            for j in 0..orthogonal.len() {
                let mu = project(v, &orthogonal, &lengths, j);
                w.iter_mut().zip(&orthogonal[j]).for_each(|(a, b)| *a -= &mu * b);
            }
            lengths.push(dot(&w, &w));
            orthogonal.push(w);
        }
        for j in (0..k).rev() {
            let q = (project(&basis[k], &orthogonal, &lengths, j) + &half).floor();
            if !q.is_zero() {
                let shift: Vector = basis[j].iter().map(|x| x * &q).collect();
                basis[k].iter_mut().zip(&shift).for_each(|(a, b)| *a -= b);
            }
        }
        let mut w = basis[k].clone();
        for j in 0..k {
            let mu = project(&basis[k], &orthogonal, &lengths, j);
            w.iter_mut().zip(&orthogonal[j]).for_each(|(a, b)| *a -= &mu * b);
        }
        let mu = project(&basis[k], &orthogonal, &lengths, k - 1);
        let bound = (Rat::new(3.into(), 4.into()) - &mu * &mu) * &lengths[k - 1];
        if dot(&w, &w) >= bound {
            k += 1;
        } else {
            basis.swap(k, k - 1);
            k = (k - 1).max(1);
        }
    }
    Ok(basis)
}

/// A vector that is orthogonal to no generator.
fn direction<'a>(d: usize, cones: impl Iterator<Item = &'a Cone> + Clone) -> Vector {
    // (1, m, m^2, ..) is orthogonal to a vector for fewer than d values of m.
    let powers = |m: u32| -> Vector { (0..d as u32).map(|k| Rat::from_integer(BigInt::from(m).pow(k))).collect() };
    let fits = |v: &Vector| {
        let mut cones = cones.clone();
        cones.all(|c| (0..d).all(|i| (0..d).map(|k| &v[k] * &c.generators[k][i]).sum::<Rat>() != Rat::zero()))
    };
    (1..).map(powers).find(fits).unwrap_or_default()
}

/// The first `d + 1` coefficients of `b*t / (exp(b*t) - 1)`.
fn bernoulli_series(b: &Rat, d: usize) -> Vector {
    // The quotient q of 1 by s = (exp(x) - 1)/x = 1 + x/2! + x^2/3! + ..
    let mut inverse_factorials = vec![Rat::one()];
    for k in 1..=d + 1 {
        let last = &inverse_factorials[k - 1] / Rat::from_integer(k.into());
        inverse_factorials.push(last);
    }
    let mut q: Vector = vec![Rat::one()];
    for k in 1..=d {
        let sum: Rat = (0..k).map(|j| &q[j] * &inverse_factorials[k - j + 1]).sum();
        q.push(-sum);
    }
    let mut power = Rat::one();
    for c in &mut q {
        *c *= &power;
        power *= b;
    }
    q
}

fn truncated_product(a: &[Rat], b: &[Rat], d: usize) -> Vector {
    let mut out = vec![Rat::zero(); d + 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate().take(d + 1 - i) {
            out[i + j] += x * y;
        }
    }
    out
}
