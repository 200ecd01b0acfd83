//! Bounds on quasi-polynomials over parametric polytopes by Bernstein expansion.
//!
//! A point of a polytope is a convex combination `sum a_k v_k(p)` of its vertices. Written in the `a_k` and made homogeneous by
//! powers of `sum a_k = 1`, a polynomial is `sum over e of c_e(p) * B_e(a)` with the Bernstein polynomials `B_e(a)`, the terms of
//! `(sum a_k)^D`, which are not negative and add up to 1. So its values lie between the least and the greatest `c_e(p)`. Divisions
//! are further dimensions, between their bounds. Bounds are valid everywhere and attained where they come from vertices.
//!
//! Source: Clauss, Fernandez, Garbervetsky and Verdoolaege, "Symbolic polynomial maximization over convex sets and its application
//! to memory requirement estimation", IEEE Transactions on VLSI Systems 2009.

use super::barvinok::{Polytope, combination, vertices};
use super::cell::{Cell, Summation};
use super::{Prepared, Problem, Summand, disjoint_pieces, regions, with_divs_of};
use crate::func::polynomial::Poly;
use crate::{
    Budget, BudgetSpent, Comparison, Error, Extremum, Fold, Pw, PwFold, PwQPolynomial, QPolynomial, Rat, Set, Space, System,
    Tuple, Val,
};
use num_bigint::BigInt;
use num_traits::One;

impl PwQPolynomial {
    /// [`PwQPolynomial::bound`] under a budget.
    ///
    /// # Errors
    /// [`Error::Budget`]
    pub fn bound_within(&self, extremum: Extremum, budget: &Budget) -> Result<PwFold, Error> {
        let pair = self.domain_space().unwrap();
        let domain = pair.as_ref().map_or_else(|| self.space().params_space(), Space::domain);
        let summed = self.domain_space().dim(crate::Dim::Out) - domain.dim(crate::Dim::Out);
        let shadow = Set::empty(crate::func::set_space(&domain));
        let problem = Problem::new(domain, summed, budget);
        let (cells, vertices, known) = (Vec::new(), Vec::new(), Vec::new());
        let mut bounds = Bounds { problem, extremum, cells, vertices, known, shadow };
        for (set, f) in self.pieces() {
            let f = f.gist(set);
            for system in disjoint_pieces(set, budget)? {
                bounds.add(set.space(), &system, &f)?;
            }
        }
        Ok(bounds.total()?)
    }

    /// An upper ([`Extremum::Max`]) or lower bound on the values: for a function of pairs `[x -> y]` one for each `x`, otherwise one
    /// for each value of the parameters, where there is a point at all.
    ///
    /// The bound is valid at every point of the domain; it need not be attained. Where the polynomial is not bounded by its domain's
    /// vertices (the domain is unbounded) it is infinite. Points outside of the pieces do not count. Cost: exponential in the
    /// dimension and polynomial in the degree.
    ///
    /// ```
    /// use loopwright_presburger::{Extremum, PwQPolynomial};
    /// let f: PwQPolynomial = "[n] -> { [i] -> i * n : 0 <= i <= n }".parse().unwrap();
    /// assert_eq!(f.bound(Extremum::Max).unwrap().to_string(), "[n] -> { max(0, n^2) : n >= 0 }");
    /// ```
    ///
    /// # Errors
    /// None without a budget; the type is that of [`PwQPolynomial::bound_within`].
    pub fn bound(&self, extremum: Extremum) -> Result<PwFold, Error> {
        self.bound_within(extremum, &Budget::UNLIMITED)
    }
}

struct Bounds<'b> {
    problem: Problem<'b>,
    extremum: Extremum,
    /// Cells with vertices, each with its pool.
    cells: Vec<(Summation<'b>, Cell)>,
    /// Where a vertex of a cell is one: the cell, and the value of each live column.
    vertices: Vec<(System, usize, Vec<Poly>)>,
    /// Where a bound is known.
    known: Vec<(System, QPolynomial)>,
    /// Where there is a point.
    shadow: Set,
}

impl<'b> Bounds<'b> {
    fn add(&mut self, space: &Space, system: &System, f: &QPolynomial) -> Result<(), BudgetSpent> {
        let shadow = self.shadow_of(space, system)?;
        self.shadow = self.shadow.union(&shadow);
        let infinite = match self.extremum {
            Extremum::Max => Val::Infty,
            Extremum::Min => Val::NegInfty,
        };
        let everywhere = |bounds: &mut Bounds<'b>, value: QPolynomial| {
            bounds.known.extend(shadow.systems().map(|s| (s.clone(), value.clone())));
        };
        if let Some(value) = f.as_constant() {
            everywhere(self, QPolynomial::constant(&self.problem.domain, &value));
            return Ok(());
        }
        let (system, poly) = with_divs_of(system, f);
        match self.problem.prepared(&system, &Summand::Columns(poly))? {
            Prepared::Empty => {}
            Prepared::Unbounded => everywhere(self, QPolynomial::constant(&self.problem.domain, &infinite)),
            Prepared::Bounded(parts) => {
                let (mut sum, cell) = *parts;
                let Some(cell) = sum.reduced(cell)? else { return Ok(()) };
                if cell.live.is_empty() {
                    self.known.extend(self.problem.finished(&sum.pool, &cell));
                } else {
                    self.add_vertices(sum, cell)?;
                }
            }
        }
        Ok(())
    }

    fn add_vertices(&mut self, sum: Summation<'b>, cell: Cell) -> Result<(), BudgetSpent> {
        let Polytope { normals, offsets, context } = sum.polytope(&cell);
        for v in vertices(&normals, &offsets, sum.budget)? {
            let ineqs = v.domain.iter().chain(&context).cloned().collect();
            let domain = Cell { eqs: cell.eqs.clone(), ineqs, f: Poly::zero(), live: Vec::new() };
            let Some((domain, _)) = self.problem.finished(&sum.pool, &domain) else { continue };
            // The vertex is -A^-1 b.
            let coordinate = |row: &Vec<Rat>| {
                let (num, den) = combination(row, &v.basis, &offsets);
                Poly::linear(&num.neg(), &den)
            };
            self.vertices.push((domain, self.cells.len(), v.inverse.iter().map(coordinate).collect()));
        }
        self.cells.push((sum, cell));
        Ok(())
    }

    // The points of the result's domain above which the system has points.
    fn shadow_of(&self, space: &Space, system: &System) -> Result<Set, BudgetSpent> {
        let shadow = match space.unwrap() {
            Some(_) => Set::from_systems(space.clone(), [system.clone()]).unwrap().domain(),
            None => {
                let set = Set::from_systems(space.clone(), [system.clone()]);
                Set::from_params(&set.params(), crate::func::set_space(&self.problem.domain))
            }
        };
        shadow.with_known_divs_within(self.problem.budget)
    }

    fn total(self) -> Result<PwFold, BudgetSpent> {
        let (budget, domain) = (self.problem.budget, &self.problem.domain);
        let space = domain.with_tuples(domain.range_tuple().cloned(), Some(Tuple::anonymous(1)));
        let set = crate::func::set_space(domain);
        let domains: Vec<&System> = self.vertices.iter().map(|v| &v.0).chain(self.known.iter().map(|k| &k.0)).collect();
        let mut pieces: Vec<(Set, Fold)> = Vec::new();
        for (system, present) in regions::regions(&domains, budget)? {
            let mut elements: Vec<QPolynomial> = Vec::new();
            for c in 0..self.cells.len() {
                let own = present.iter().filter_map(|&i| self.vertices.get(i)).filter(|v| v.1 == c);
                let mut corners: Vec<&Vec<Poly>> = own.map(|v| &v.2).collect();
                corners.sort_by_key(|v| format!("{v:?}"));
                corners.dedup();
                // A polynomial with integer coefficients is integral, so its affine bounds can be rounded.
                let integral = self.cells[c].1.f.terms().iter().all(|(_, c)| c.is_integer());
                for f in self.coefficients(c, &corners)? {
                    let cell = Cell { eqs: Vec::new(), ineqs: Vec::new(), f, live: Vec::new() };
                    let element = self.problem.finished(&self.cells[c].0.pool, &cell).map(|(_, q)| q);
                    elements.extend(element.map(|q| if integral { rounded(self.extremum, q) } else { q }));
                }
            }
            let known = present.iter().filter_map(|&i| i.checked_sub(self.vertices.len()));
            elements.extend(known.map(|i| self.known[i].1.clone()));
            if elements.is_empty() {
                continue;
            }
            let domain = Set::from_systems(set.clone(), [system]);
            let elements = elements.iter().map(|e| e.gist(&domain)).collect();
            let fold = Fold::new(self.extremum, undominated(self.extremum, elements, &domain, budget)?);
            pieces.push((domain, fold));
        }
        let bound = Pw::disjoint(space, pieces).coalesce_within(budget)?;
        // The vertices of a polytope without integer points bound nothing.
        if bound.domain().is_subset_within(&self.shadow, budget)? {
            return Ok(bound);
        }
        bound.intersect_domain_within(&self.shadow, budget)?.coalesce_within(budget)
    }

    /// The Bernstein coefficients of the polynomial of a cell on the polytope with these corners.
    fn coefficients(&self, cell: usize, corners: &[&Vec<Poly>]) -> Result<Vec<Poly>, BudgetSpent> {
        let (sum, cell) = &self.cells[cell];
        if corners.is_empty() {
            return Ok(Vec::new());
        }
        let budget = sum.budget;
        // The weights of the corners are variables behind those of the pool.
        let first = sum.pool.width();
        let weight = |k: usize| Poly::linear(&crate::func::divs::unit(first + corners.len(), first + k), &crate::Int::ONE);
        let mut images = Vec::new();
        for i in 0..cell.live.len() {
            let mut image = Vec::new();
            for (k, corner) in corners.iter().enumerate() {
                image.push(corner[i].mul(&weight(k), budget)?);
            }
            images.push(Poly::sum(&image));
        }
        let image = |v: usize| cell.live.iter().position(|&c| c == v).map(|i| images[i].clone());
        let composed = cell.f.compose(image, budget)?;
        let one = Poly::sum(&(0..corners.len()).map(weight).collect::<Vec<_>>());
        // By degree in the weights, raised to the highest one.
        let parts = composed.by_monomials(|v| v >= first);
        let degree = parts.iter().map(|(m, _)| m.degree()).max().unwrap_or(0);
        let mut raised = Vec::new();
        for d in 0..=degree {
            let of_degree: Vec<Poly> = parts.iter().filter(|(m, _)| m.degree() == d).map(|(m, c)| c.times_monomial(m)).collect();
            raised.push(Poly::sum(&of_degree).mul(&one.pow(degree - d, budget)?, budget)?);
        }
        let parts = Poly::sum(&raised).by_monomials(|v| v >= first);
        let mut out = Vec::with_capacity(parts.len() + 1);
        for (m, c) in &parts {
            // The coefficient of the monomial in (sum a_k)^degree.
            let multinomial = m.factors().iter().fold(factorial(degree), |n, f| n / factorial(f.1));
            out.push(c.scale(&Rat::new(BigInt::one(), multinomial)));
        }
        let terms = binomial(corners.len() + degree as usize - 1, degree as usize);
        if BigInt::from(parts.len()) < terms {
            out.push(Poly::zero());
        }
        Ok(out)
    }
}

fn rounded(extremum: Extremum, q: QPolynomial) -> QPolynomial {
    match (q.to_aff(), extremum) {
        (Some(aff), Extremum::Max) => QPolynomial::from(aff.floor()),
        (Some(aff), Extremum::Min) => QPolynomial::from(aff.ceil()),
        (None, _) => q,
    }
}

/// The elements without those that another one is at least as good as on the whole domain, as far as affine differences show.
fn undominated(
    extremum: Extremum,
    elements: Vec<QPolynomial>,
    domain: &Set,
    budget: &Budget,
) -> Result<Vec<QPolynomial>, BudgetSpent> {
    let mut kept: Vec<QPolynomial> = Vec::new();
    // Whether b is never better than a.
    let covers = |a: &QPolynomial, b: &QPolynomial| -> Result<bool, BudgetSpent> {
        let lead = if extremum == Extremum::Max { a.sub(b) } else { b.sub(a) };
        match lead.to_aff().filter(|aff| !aff.is_nan()) {
            Some(lead) => domain.intersect(&lead.sign_set(Comparison::Lt)).is_empty_within(budget),
            None => Ok(false),
        }
    };
    for e in elements {
        let mut needed = true;
        for k in &kept {
            needed = needed && !covers(k, &e)?;
        }
        if !needed {
            continue;
        }
        let mut still = Vec::with_capacity(kept.len() + 1);
        for k in kept {
            if !covers(&e, &k)? {
                still.push(k);
            }
        }
        still.push(e);
        kept = still;
    }
    Ok(kept)
}

fn factorial(n: u32) -> BigInt {
    (1..=n).map(BigInt::from).product()
}

fn binomial(n: usize, k: usize) -> BigInt {
    (0..k).fold(BigInt::one(), |c, i| c * BigInt::from(n - i) / BigInt::from(i + 1))
}
