//! Counting: how many points a set has, as a piecewise quasi-polynomial in its parameters, and sums of quasi-polynomials.
//!
//! ```text
//! card [n] -> { [i, j] : 0 <= i <= j < n }  =  [n] -> { (1/2 * n + 1/2 * n^2) : n >= 1 }
//! card [n] -> { [i] : 0 <= 2i <= n }        =  [n] -> { (1 + floor((n)/2)) : n >= 0 }
//! ```
//!
//! That such functions exist is Ehrhart's theorem (1962); computing them exactly for fixed dimension is due to Barvinok (1994),
//! with parameters to Clauss (1996) and Verdoolaege, Seghir, Beyls, Loechner and Bruynooghe (Algorithmica 2007). The engine here sums
//! a variable at a time (see `cell`); the pieces it gives overlap, and `regions` adds them up on disjoint domains.

mod atoms;
mod barvinok;
mod bernstein;
mod cell;
mod faulhaber;
mod regions;
#[cfg(test)]
mod tests;

use crate::budget::within;
use crate::func::divs::{Divs, Expr, unit};
use crate::func::polynomial::Poly;
use crate::linalg::Row;
use crate::relation::engines;
use crate::{
    Budget, BudgetSpent, Columns, Dim, Div, Error, Int, Kind, Map, Pw, PwQPolynomial, QPolynomial, Relation, Set, Space, System,
    Tuple, UnionMap, UnionPwQPolynomial, UnionSet, Val,
};
use atoms::{columns_of, moved, transfer};
use cell::{Cell, Engine, Summation};

/// Divisions of summands by more than this become dimensions.
const LARGE: i64 = 16;

/// What is summed.
enum Summand<'a> {
    /// 1: the points are counted.
    One,
    /// A function of the columns in front of the divs.
    Function(&'a QPolynomial),
    /// A polynomial in the columns of the system, divs included.
    Columns(Poly),
}

/// A conjunction, ready to be summed over.
enum Prepared<'b> {
    /// It has no point.
    Empty,
    /// It has infinitely many above every point of the fixed columns that it has points above.
    Unbounded,
    Bounded(Box<(Summation<'b>, Cell)>),
}

/// What is summed over, and on which domain the sum is a function.
struct Problem<'b> {
    /// The domain of the result: a set space, or parameters alone.
    domain: Space,
    /// Columns that stay: parameters and the result's domain tuple.
    fixed: usize,
    summed: usize,
    budget: &'b Budget,
    engine: Engine,
    pieces: Vec<(System, QPolynomial)>,
    /// Conjunctions that are unbounded in the summed columns.
    unbounded: Vec<System>,
}

impl<'b> Problem<'b> {
    fn new(domain: Space, summed: usize, budget: &'b Budget) -> Problem<'b> {
        let fixed = Columns::of(&domain).len() - 1;
        Problem { domain, fixed, summed, budget, engine: Engine::default(), pieces: Vec::new(), unbounded: Vec::new() }
    }

    /// Adds the sum of `f` over the points of a system.
    fn add(&mut self, system: &System, f: &Summand<'_>) -> Result<(), BudgetSpent> {
        match self.prepared(system, f)? {
            Prepared::Empty => {}
            Prepared::Unbounded => self.unbounded.push(system.clone()),
            Prepared::Bounded(parts) => {
                let (mut sum, cell) = *parts;
                sum.run(cell)?;
                for cell in &sum.done {
                    self.pieces.extend(self.finished(&sum.pool, cell));
                }
            }
        }
        Ok(())
    }

    /// A system with known divs as a cell: a polyhedron in the summed columns.
    fn prepared(&self, system: &System, f: &Summand<'_>) -> Result<Prepared<'b>, BudgetSpent> {
        debug_assert_eq!(system.columns().first_div(), 1 + self.fixed + self.summed);
        if engines::is_empty(system, self.budget)? {
            return Ok(Prepared::Empty);
        }
        let divs: Vec<Div> = system.divs().iter().flatten().cloned().collect();
        debug_assert_eq!(divs.len(), system.columns().divs, "divs are known");
        let first_summed = 1 + self.fixed;
        // Divisions over summed columns become summed columns of their own.
        let first_div = first_summed + self.summed;
        let mut varying = vec![false; divs.len()];
        for (i, div) in divs.iter().enumerate() {
            varying[i] = columns_of(&div.num).any(|c| c >= first_summed && (c < first_div || varying[c - first_div]));
        }
        let extra = varying.iter().filter(|v| **v).count();
        let columns = Columns { params: self.fixed, domain: 0, range: self.summed + extra, divs: 0 };
        let mut pool = Divs::new(columns.len());
        let mut images: Vec<Expr> = (0..first_div).map(|c| pool.column(c)).collect();
        let mut ineqs: Vec<Row> = Vec::new();
        let mut next = first_div;
        for (i, div) in divs.iter().enumerate() {
            let num = pool.linear(&prefix(&div.num, images.len()), &images).num;
            if varying[i] {
                let mut lower = crate::func::divs::pad(&num, columns.len().max(num.len()));
                lower.add_at(next, &-&div.den);
                let mut upper = lower.neg();
                upper.add_at(0, &(&div.den - Int::ONE));
                ineqs.extend([lower, upper]);
                images.push(Expr::integral(unit(columns.len(), next)));
                next += 1;
            } else {
                images.push(Expr::integral(pool.floor(&num, &div.den)));
            }
        }
        let row = |r: &Row| pool.linear(r, &images).num;
        let eqs: Vec<Row> = system.eqs().iter().map(row).collect();
        ineqs.extend(system.ineqs().iter().map(row));
        let f = match f {
            Summand::One => Poly::one(),
            Summand::Function(f) => f.compose_into(&mut pool, images[..first_div].to_vec(), self.budget)?,
            Summand::Columns(f) => f.compose(|v| Some(Poly::of(&images[v])), self.budget)?,
        };
        let live: Vec<usize> = (first_summed..columns.len()).collect();
        let sum = Summation {
            columns,
            pool,
            budget: self.budget,
            engine: self.engine,
            done: Vec::new(),
            power_sums: Default::default(),
        };
        if self.is_unbounded(&sum.system(&eqs, &ineqs))? {
            return Ok(Prepared::Unbounded);
        }
        Ok(Prepared::Bounded(Box::new((sum, Cell { eqs, ineqs, f, live }))))
    }

    /// Whether a summed column has no bound above some point of the fixed ones: then above every point that has points at all.
    fn is_unbounded(&self, system: &System) -> Result<bool, BudgetSpent> {
        let summed = system.columns().dims(Dim::Out);
        let source: Vec<Option<usize>> = (0..system.columns().len()).map(|c| summed.contains(&c).then_some(c)).collect();
        let direction = |r: &Row| r.gather(&source);
        let mut cone = System::universe(system.columns().with_divs(0));
        let width = cone.columns().len();
        let narrow = |r: Row| r.gather(&(0..width).map(Some).collect::<Vec<_>>());
        system.eqs().iter().for_each(|r| cone.push_eq(narrow(direction(r))));
        system.ineqs().iter().for_each(|r| cone.push_ineq(narrow(direction(r))));
        for col in summed.take(self.summed) {
            for objective in [unit(width, col), unit(width, col).neg()] {
                if engines::is_unbounded_below(&cone, &objective, self.budget)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    // A finished cell as a conjunction over the fixed columns and a quasi-polynomial.
    fn finished(&self, pool: &Divs, cell: &Cell) -> Option<(System, QPolynomial)> {
        let set = crate::func::set_space(&self.domain);
        let columns = Columns::of(&set);
        let rows = cell.eqs.iter().chain(&cell.ineqs).flat_map(columns_of);
        let divs = atoms::closure(pool, rows.chain(cell.f.variables()));
        let mut target = Divs::new(columns.len());
        let plain = |c: usize| Expr::integral(unit(columns.len(), c));
        let images = transfer(&divs, &mut target, &plain);
        let width = target.width();
        let row = |r: &Row| crate::func::divs::pad(&moved(r, &images, &plain, columns.len()).num, width);
        let mut system = target.to_system(columns);
        cell.eqs.iter().for_each(|r| system.push_eq(row(r)));
        cell.ineqs.iter().for_each(|r| system.push_ineq(row(r)));
        let f = cell.f.compose(|v| images.get(&v).map(Poly::of), &Budget::UNLIMITED).ok()?;
        Some((system.normalized()?, QPolynomial::finish(self.domain.clone(), target, &f)))
    }

    /// The sum of everything added; infinite on `infinite`, if that is a set.
    fn total(mut self, infinite: Option<&Set>) -> Result<PwQPolynomial, BudgetSpent> {
        let set = crate::func::set_space(&self.domain);
        let space = self.domain.with_tuples(self.domain.range_tuple().cloned(), Some(Tuple::anonymous(1)));
        if let Some(infinite) = infinite {
            let value = QPolynomial::constant(&self.domain, &Val::Infty);
            let known = infinite.with_known_divs_within(self.budget)?;
            for s in known.systems() {
                self.pieces.push((s.clone(), value.clone()));
            }
        }
        let pieces = regions::disjoint_sum(&set, &self.pieces, self.budget)?;
        Ok(Pw::disjoint(space, pieces))
    }
}

fn prefix(row: &Row, len: usize) -> Row {
    if row.len() <= len { row.clone() } else { row.without(len, row.len() - len) }
}

/// The system with the divisions of `f` among its own, and `f` over its columns.
fn with_divs_of(system: &System, f: &QPolynomial) -> (System, Poly) {
    let mut system = system.clone();
    let base = system.columns().first_div();
    let mut place: Vec<usize> = Vec::new();
    for div in &f.divs {
        let mut num = Row::zero(system.columns().len());
        for c in (0..div.num.len()).filter(|&c| !div.num.is_zero_at(c)) {
            num.set(if c < base { c } else { place[c - base] }, div.num.get(c));
        }
        let div = Div { num, den: div.den.clone() };
        let known = system.divs().iter().position(|d| d.as_ref() == Some(&div));
        place.push(match known {
            Some(i) => system.columns().div(i),
            None => system.push_div(Some(div)),
        });
    }
    let poly = f.poly.renumbered(|v| if v < base { v } else { place[v - base] });
    (system, poly)
}

/// Conjunctions with known divs and without common points that together are `relation`.
fn disjoint_pieces<K: Kind>(relation: &Relation<K>, budget: &Budget) -> Result<Vec<System>, BudgetSpent> {
    let known = relation.with_known_divs_within(budget)?;
    let space = known.space().clone();
    let single = |s: &System| Relation::<K>::from_systems(space.clone(), [s.clone()]);
    let mut out = Vec::new();
    let mut before = Relation::<K>::empty(space.clone());
    for system in known.systems() {
        let piece = single(system);
        let rest = piece.subtract_within(&before, budget)?.with_known_divs_within(budget)?;
        out.extend(rest.systems().cloned());
        before = before.union(&piece);
    }
    Ok(out)
}

fn card<K: Kind>(
    relation: &Relation<K>,
    domain: Space,
    summed: usize,
    shadow: impl Fn(&Relation<K>) -> Set,
    engine: Engine,
    budget: &Budget,
) -> Result<PwQPolynomial, BudgetSpent> {
    let mut problem = Problem::new(domain, summed, budget);
    problem.engine = engine;
    for system in disjoint_pieces(relation, budget)? {
        problem.add(&system, &Summand::One)?;
    }
    let unbounded = std::mem::take(&mut problem.unbounded);
    if unbounded.is_empty() {
        return problem.total(None);
    }
    let infinite = shadow(&Relation::from_systems(relation.space().clone(), unbounded));
    problem.total(Some(&infinite))
}

impl Set {
    /// [`Set::card`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn card_within(&self, budget: &Budget) -> Result<PwQPolynomial, BudgetSpent> {
        self.card_by(Engine::default(), budget)
    }

    fn card_by(&self, engine: Engine, budget: &Budget) -> Result<PwQPolynomial, BudgetSpent> {
        let domain = self.space().params_space();
        let units = crate::func::set_space(&domain);
        card(self, domain, self.space().dim(Dim::Out), |s| Set::from_params(&s.params(), units.clone()), engine, budget)
    }

    within! {
        /// `params -> |{ x : x in self }|`: the number of elements as a piecewise quasi-polynomial in the parameters, exact for every
        /// value of them; `infty` where there are infinitely many.
        ///
        /// Cost: polynomial in the coefficients for a fixed number of dimensions only where bounds have unit coefficients; a
        /// coefficient `d` that cannot be avoided multiplies the work by `d`. Source: see the [module](crate::count).
        ///
        /// ```
        /// use loopwright_presburger::{Int, Set, Val};
        /// let triangle: Set = "[n] -> { S[i, j] : 0 <= i <= j < n }".parse().unwrap();
        /// let card = triangle.card();
        /// assert_eq!(card.to_string(), "[n] -> { (1/2 * n + 1/2 * n^2) : n >= 1 }");
        /// assert_eq!(card.eval(&[Int::from(4)], &[]), Val::from(10));
        /// ```
        pub fn card = card_within(&self) -> PwQPolynomial;
    }
}

impl Map {
    /// [`Map::card`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn card_within(&self, budget: &Budget) -> Result<PwQPolynomial, BudgetSpent> {
        card(self, self.space().domain(), self.space().dim(Dim::Out), |m| m.domain(), Engine::default(), budget)
    }

    within! {
        /// `x -> |{ y : x -> y in self }|`: the number of images as a piecewise quasi-polynomial in the parameters and the domain;
        /// `infty` where there are infinitely many. Exact; cost as for [`Set::card`].
        ///
        /// ```
        /// use loopwright_presburger::Map;
        /// let reads: Map = "{ S[i] -> A[a] : 0 <= a <= i }".parse().unwrap();
        /// assert_eq!(reads.card().to_string(), "{ S[i] -> (1 + i) : i >= 0 }");
        /// ```
        pub fn card = card_within(&self) -> PwQPolynomial;
    }
}

impl PwQPolynomial {
    /// [`PwQPolynomial::sum`] under a budget.
    ///
    /// # Errors
    /// [`Error::Unbounded`] if a piece that is not zero has infinitely many points for some parameter values; [`Error::Budget`].
    pub fn sum_within(&self, budget: &Budget) -> Result<PwQPolynomial, Error> {
        let summed = if self.space().is_map() { self.space().dim(Dim::In) } else { 0 };
        self.sum_over(self.space().params_space(), summed, budget)
    }

    /// [`PwQPolynomial::sum_range`] under a budget.
    ///
    /// # Errors
    /// As [`PwQPolynomial::sum_within`], and [`Error::Domain`] if the domain is no wrapped map.
    pub fn sum_range_within(&self, budget: &Budget) -> Result<PwQPolynomial, Error> {
        let Some(space) = self.domain_space().unwrap() else {
            return Err(Error::Domain(format!(
                "the domain of a sum over ranges is a pair [A -> B], not {}",
                self.domain_space()
            )));
        };
        self.sum_over(space.domain(), space.dim(Dim::Out), budget)
    }

    fn sum_over(&self, domain: Space, summed: usize, budget: &Budget) -> Result<PwQPolynomial, Error> {
        let mut problem = Problem::new(domain, summed, budget);
        for (set, f) in self.pieces().iter().filter(|(_, f)| !f.is_obviously_zero()) {
            for system in disjoint_pieces(set, budget)? {
                match f.as_constant() {
                    Some(Val::Rat(_)) | None if f.divs.iter().all(|d| d.den <= Int::from(LARGE)) => {
                        problem.add(&system, &Summand::Function(f))?;
                    }
                    Some(Val::Rat(_)) | None => {
                        // A dimension more rather than a term for each residue.
                        let (system, f) = with_divs_of(&system, f);
                        problem.add(&system, &Summand::Columns(f))?;
                    }
                    Some(special) => return Err(Error::Domain(format!("a sum with the term {special}"))),
                }
            }
        }
        if !problem.unbounded.is_empty() {
            return Err(Error::Unbounded(" in the dimensions of a sum".into()));
        }
        Ok(problem.total(None)?)
    }

    /// `params -> sum of self(x)` over all `x` of the domain, as a piecewise quasi-polynomial in the parameters.
    ///
    /// Exact; cost as for [`Set::card`], times the period of the divisions in the summand.
    ///
    /// ```
    /// use loopwright_presburger::PwQPolynomial;
    /// let f: PwQPolynomial = "[n] -> { [i] -> i^2 : 0 <= i < n }".parse().unwrap();
    /// assert_eq!(f.sum().unwrap().to_string(), "[n] -> { (1/6 * n - 1/2 * n^2 + 1/3 * n^3) : n >= 1 }");
    /// ```
    ///
    /// # Errors
    /// [`Error::Unbounded`] if a piece that is not zero has infinitely many points for some parameter values.
    pub fn sum(&self) -> Result<PwQPolynomial, Error> {
        self.sum_within(&Budget::UNLIMITED)
    }

    /// `x -> sum of self([x -> y])` over all `y`, for a function of pairs `[A -> B]`.
    ///
    /// # Errors
    /// As [`PwQPolynomial::sum`], and [`Error::Domain`] if the domain is no wrapped map.
    pub fn sum_range(&self) -> Result<PwQPolynomial, Error> {
        self.sum_range_within(&Budget::UNLIMITED)
    }
}

impl UnionSet {
    /// [`UnionSet::card`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn card_within(&self, budget: &Budget) -> Result<PwQPolynomial, BudgetSpent> {
        let space = Space::params(&[]).with_tuples(None, Some(Tuple::anonymous(1)));
        let mut sum: PwQPolynomial = Pw::nowhere(&space);
        for set in self.members() {
            sum = sum.add_within(&set.card_within(budget)?, budget)?;
        }
        sum.coalesce_within(budget)
    }

    within! {
        /// `params -> |self|`: the number of elements of all members; see [`Set::card`].
        pub fn card = card_within(&self) -> PwQPolynomial;
    }
}

impl UnionMap {
    /// [`UnionMap::card`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn card_within(&self, budget: &Budget) -> Result<UnionPwQPolynomial, BudgetSpent> {
        let mut sum = UnionPwQPolynomial::new();
        for map in self.members() {
            sum = sum.add(&UnionPwQPolynomial::from(map.card_within(budget)?));
        }
        Ok(sum)
    }

    within! {
        /// `x -> |{ y : x -> y in self }|`: the number of images of each element; see [`Map::card`].
        pub fn card = card_within(&self) -> UnionPwQPolynomial;
    }
}
