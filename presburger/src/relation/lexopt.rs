//! Lexicographic minima and maxima as relations and as functions.
//!
//! `lexmin R = { x -> y in R : no x -> z in R has z <lex y }`. Where the images of an element have no minimum, the element has none
//! in the result. Each piece goes through parametric integer programming ([`crate::solve::lexmin`]); the optima of several pieces
//! are single-valued, so the comparison of two of them involves no new existentials.

use super::embed::Slot::To;
use super::engines::{self, Minimum};
use super::project::simplified;
use super::{Kind, Map, Relation, Set};
use crate::budget::within;
use crate::linalg::Row;
use crate::solve::lexmin::{Direction, LexError, Piece, lexopt, lexopt_patiently};
use crate::{Aff, Budget, BudgetSpent, Columns, Dim, Error, Int, PwAff, PwMultiAff, Space, System};

// The cuts after which a piece is taken by cases, and the values of a dimension that are few.
const PATIENCE: usize = 16;
const MAX_CASES: i64 = 8;

impl<K: Kind> Relation<K> {
    /// `{ x -> y in self : y is the lexicographically least image of x }` (for sets: the least element per parameter value). Exact.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmin_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        self.lexopt(Direction::Min, budget)
    }

    /// `{ x -> y in self : y is the lexicographically greatest image of x }` (for sets: the greatest element per parameter value).
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn lexmax_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        self.lexopt(Direction::Max, budget)
    }

    within! {
        /// `{ x -> y in self : y is the lexicographically least image of x }`
        pub fn lexmin = lexmin_within(&self) -> Relation<K>;
        /// `{ x -> y in self : y is the lexicographically greatest image of x }`
        pub fn lexmax = lexmax_within(&self) -> Relation<K>;
    }

    fn lexopt(&self, direction: Direction, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        if self.pieces.is_empty() || self.space.is_params() {
            return Ok(self.clone());
        }
        let better: fn(&Space) -> Map = match direction {
            Direction::Min => Map::lex_lt,
            Direction::Max => Map::lex_gt,
        };
        let map = self.as_map();
        let mut best: Option<Map> = None;
        let mut todo: Vec<System> = map.systems().cloned().collect();
        todo.reverse();
        while let Some(p) = todo.pop() {
            let optimum = match lexopt_patiently(&p, direction, PATIENCE, budget) {
                Ok(None) => match cases(&p, budget)? {
                    Some(cases) => {
                        todo.extend(cases.into_iter().rev());
                        continue;
                    }
                    None => lexopt(&p, None, direction, budget),
                },
                other => other.map(Option::unwrap_or_default),
            };
            let next = match optimum {
                Ok(pieces) => Map::collect(map.space.clone(), pieces.iter().map(|piece| graph(piece, p.columns()))),
                Err(LexError::Spent(spent)) => return Err(spent),
                Err(LexError::Unbounded) => {
                    return Ok(self.best_by_definition(budget, better)?.recast(self.space.clone(), 0, To));
                }
            };
            best = Some(match best {
                Some(best) => best.better_of(&next, better, budget)?,
                None => next,
            });
        }
        Ok(best.unwrap_or(map).recast(self.space.clone(), 0, To))
    }

    // The relation as a map, from the unit tuple for a set.
    fn as_map(&self) -> Map {
        let domain = self.space.domain_tuple().cloned().unwrap_or(crate::Tuple::anonymous(0));
        self.recast(self.space.with_tuples(Some(domain), self.space.range_tuple().cloned()), 0, To)
    }

    // Without the pairs that have a better one.
    fn best_by_definition(&self, budget: &Budget, better: impl Fn(&Space) -> Map) -> Result<Map, BudgetSpent> {
        let map = self.as_map();
        let worse = map.apply_range(&better(&map.space.range()));
        map.subtract_within(&worse, budget)
    }
}

// The system by cases of the value of the image's dimension that has the fewest, of those with at least two and few; `None` if there is
// no such dimension. Large coefficients of such a dimension are what cuts get entangled in.
fn cases(system: &System, budget: &Budget) -> Result<Option<Vec<System>>, BudgetSpent> {
    let columns = system.columns();
    let mut best: Option<(Int, Int, usize)> = None;
    for col in columns.dims(Dim::Out) {
        let mut row = Row::zero(columns.len());
        row.set(col, Int::ONE);
        let (least, most) = (engines::lower_bound(system, &row, budget)?, engines::lower_bound(system, &row.neg(), budget)?);
        if let (Minimum::At(least), Minimum::At(most)) = (least, most) {
            let spread = -most - &least;
            if spread.is_positive() && spread < Int::from(MAX_CASES) && best.as_ref().is_none_or(|(s, ..)| spread < *s) {
                best = Some((spread, least, col));
            }
        }
    }
    let Some((spread, mut value, col)) = best else { return Ok(None) };
    let mut cases = Vec::new();
    let last = &value + spread;
    while value <= last {
        let mut row = Row::zero(columns.len());
        row.set(col, Int::MINUS_ONE);
        row.set(0, value.clone());
        let mut case = system.clone();
        case.push_eq(row);
        cases.extend(simplified(case));
        value += Int::ONE;
    }
    Ok(Some(cases))
}

// The relation `domain and range = values` of a piece of an optimum.
fn graph(piece: &Piece, columns: Columns) -> System {
    let old = piece.domain.columns();
    let first = old.first_div();
    let new = Columns { divs: old.divs, ..columns };
    let source: Vec<Option<usize>> =
        (0..new.len()).map(|c| if c < first { Some(c) } else { c.checked_sub(new.first_div()).map(|i| old.div(i)) }).collect();
    let mut system = piece.domain.gather(new, &source);
    for (i, value) in piece.values.iter().enumerate() {
        let mut row = value.gather(&source);
        row.set(columns.dims(Dim::Out).start + i, Int::MINUS_ONE);
        system.push_eq(row);
    }
    system
}

impl Map {
    // Of two single-valued maps, per element the better image.
    fn better_of(&self, other: &Map, better: impl Fn(&Space) -> Map, budget: &Budget) -> Result<Map, BudgetSpent> {
        let order = better(&self.space.range());
        let mine =
            self.subtract_within(&self.intersect(&other.apply_range(&order)).without_empty_pieces_within(budget)?, budget)?;
        let worse = other.intersect(&mine.apply_range(&order)).without_empty_pieces_within(budget)?;
        let theirs = other.subtract_within(&worse, budget)?.subtract_within(&mine, budget)?;
        Ok(mine.union(&theirs))
    }

    /// The function `x -> lexicographically least image of x`.
    ///
    /// # Errors
    /// If some optimum does not exist as a quasi-affine function.
    pub fn lexmin_pw_multi_aff(&self) -> Result<PwMultiAff, Error> {
        PwMultiAff::from_map(&self.lexmin())
    }

    /// The function `x -> lexicographically greatest image of x`.
    ///
    /// # Errors
    /// If some optimum does not exist as a quasi-affine function.
    pub fn lexmax_pw_multi_aff(&self) -> Result<PwMultiAff, Error> {
        PwMultiAff::from_map(&self.lexmax())
    }
}

/// The answer to an integer optimization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Optimum {
    /// There is no element.
    Empty,
    /// There are elements beyond every bound.
    Unbounded,
    /// The optimum.
    At(Int),
}

impl Optimum {
    /// The optimum, if there is one.
    pub fn value(&self) -> Option<&Int> {
        match self {
            Optimum::At(v) => Some(v),
            _ => None,
        }
    }
}

impl Set {
    /// The least element as a function of the parameters.
    ///
    /// # Errors
    /// If some optimum does not exist as a quasi-affine function.
    pub fn lexmin_pw_multi_aff(&self) -> Result<PwMultiAff, Error> {
        PwMultiAff::from_set(&self.lexmin())
    }

    /// The greatest element as a function of the parameters.
    ///
    /// # Errors
    /// If some optimum does not exist as a quasi-affine function.
    pub fn lexmax_pw_multi_aff(&self) -> Result<PwMultiAff, Error> {
        PwMultiAff::from_set(&self.lexmax())
    }

    /// `n -> min { x[pos] : x in self(n) }`, defined where there is an element.
    ///
    /// # Errors
    /// [`Error::Unbounded`] if there is no minimum for some values of the parameters.
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn dim_min(&self, pos: usize) -> Result<PwAff, Error> {
        self.dim_opt(pos, Direction::Min, &Budget::UNLIMITED)
    }

    /// `n -> max { x[pos] : x in self(n) }`, defined where there is an element.
    ///
    /// # Errors
    /// [`Error::Unbounded`] if there is no maximum for some values of the parameters.
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn dim_max(&self, pos: usize) -> Result<PwAff, Error> {
        self.dim_opt(pos, Direction::Max, &Budget::UNLIMITED)
    }

    /// [`Set::dim_min`] under a budget.
    ///
    /// # Errors
    /// As [`Set::dim_min`], and [`Error::Budget`].
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn dim_min_within(&self, pos: usize, budget: &Budget) -> Result<PwAff, Error> {
        self.dim_opt(pos, Direction::Min, budget)
    }

    /// [`Set::dim_max`] under a budget.
    ///
    /// # Errors
    /// As [`Set::dim_max`], and [`Error::Budget`].
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn dim_max_within(&self, pos: usize, budget: &Budget) -> Result<PwAff, Error> {
        self.dim_opt(pos, Direction::Max, budget)
    }

    #[track_caller]
    fn dim_opt(&self, pos: usize, direction: Direction, budget: &Budget) -> Result<PwAff, Error> {
        let n = self.space.dim(Dim::Out);
        let line = self.project_out(Dim::Out, pos + 1, n - pos - 1).project_out(Dim::Out, 0, pos);
        let best = line.lexopt(direction, budget)?;
        if !line.params().is_subset_within(&best.params(), budget)? {
            return Err(Error::Unbounded(format!(" in dimension {pos} of {}", self.space)));
        }
        Ok(PwMultiAff::from_set(&best)?.get(0))
    }

    /// `min { f(x) : x in self }` over all values of the parameters too; for a fraction, the least integer not below it.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If `f` is not a function of the set's tuple.
    #[track_caller]
    pub fn min_val_within(&self, f: &Aff, budget: &Budget) -> Result<Optimum, BudgetSpent> {
        self.opt_val(&f.ceil(), Int::ONE, budget)
    }

    /// `max { f(x) : x in self }` over all values of the parameters too; for a fraction, the greatest integer not above it.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If `f` is not a function of the set's tuple.
    #[track_caller]
    pub fn max_val_within(&self, f: &Aff, budget: &Budget) -> Result<Optimum, BudgetSpent> {
        self.opt_val(&f.floor(), Int::MINUS_ONE, budget)
    }

    within! {
        /// `min { f(x) : x in self }` over all values of the parameters too.
        ///
        /// # Panics
        /// If `f` is not a function of the set's tuple.
        pub fn min_val = min_val_within(&self, f: &Aff) -> Optimum;
        /// `max { f(x) : x in self }` over all values of the parameters too.
        ///
        /// # Panics
        /// If `f` is not a function of the set's tuple.
        pub fn max_val = max_val_within(&self, f: &Aff) -> Optimum;
    }

    // min of sign * f, by adding a dimension that equals f.
    #[track_caller]
    fn opt_val(&self, f: &Aff, sign: Int, budget: &Budget) -> Result<Optimum, BudgetSpent> {
        let values = Map::from(f).intersect_domain(self);
        let col = Columns::of(&values.space).dims(Dim::Out).start;
        let mut best = Optimum::Empty;
        for p in values.systems() {
            let mut row = Row::zero(p.columns().len());
            row.set(col, sign.clone());
            match engines::minimum(p, &row, budget)? {
                engines::Minimum::Empty => {}
                engines::Minimum::Unbounded => return Ok(Optimum::Unbounded),
                engines::Minimum::At(v) => {
                    best = match best {
                        Optimum::At(old) => Optimum::At(old.min(v)),
                        _ => Optimum::At(v),
                    };
                }
            }
        }
        Ok(match best {
            Optimum::At(v) => Optimum::At(v * sign),
            other => other,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::cases;
    use crate::{Budget, Map};

    #[track_caller]
    fn check(map: &str, number: Option<usize>) {
        let map: Map = map.parse().unwrap();
        let system = map.systems().next().unwrap();
        let cases = cases(system, &Budget::UNLIMITED).unwrap();
        assert_eq!(cases.as_ref().map(Vec::len), number);
        if let Some(cases) = cases {
            assert!(Map::from_systems(map.space().clone(), cases).is_equal(&map));
        }
    }

    #[test]
    fn cases_of_the_dimension_with_fewest_values() {
        check("{ [i] -> [a, b] : 0 <= a <= 5 and i <= 3b <= i + 3 and 0 <= b <= 2 }", Some(3));
        check("{ [i] -> [a, b] : 0 <= a <= 5 and 0 <= b - a <= 9 }", Some(6));
        check("{ [i] -> [a, 7] : 0 <= a <= 100 }", None);
        check("{ [i] -> [a, b] : a >= i and b >= 0 }", None);
    }
}
