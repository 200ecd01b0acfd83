//! Points: samples, membership and the enumeration of bounded sets.

use super::{Kind, Relation, Set, engines, subtract};
use crate::budget::within;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, Dim, Error, Int, RowKind, Space, System};
use std::collections::BTreeSet;

/// One element of a relation: values of the parameters, then of all tuple dimensions (domain before range).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point {
    /// The space of the relation that the point is an element of.
    pub space: Space,
    /// The values of the parameters, in the space's order.
    pub params: Vec<Int>,
    /// The values of the tuple dimensions.
    pub coords: Vec<Int>,
}

impl Point {
    fn new(space: &Space, values: &[Int]) -> Point {
        let n = space.dim(Dim::Param);
        Point { space: space.clone(), params: values[..n].to_vec(), coords: values[n..].to_vec() }
    }

    /// The value of the parameter called `name`.
    pub fn param(&self, name: &str) -> Option<&Int> {
        self.params.get(self.space.param_position(name)?)
    }

    /// The set or map of this one point: `{ x : x = point and parameters = their values }`.
    ///
    /// # Panics
    /// If the space is not of kind `K`.
    #[track_caller]
    pub fn to_relation<K: Kind>(&self) -> Relation<K> {
        let columns = Columns::of(&self.space);
        let mut system = System::universe(columns);
        for (i, value) in self.params.iter().chain(&self.coords).enumerate() {
            let mut row = Row::zero(columns.len());
            row.set(0, -value);
            row.set(1 + i, Int::ONE);
            system.push_eq(row);
        }
        Relation::from_systems(self.space.clone(), [system])
    }

    /// `{ x : x = point and parameters = their values }`
    ///
    /// # Panics
    /// If the point is not that of a set.
    #[track_caller]
    pub fn to_set(&self) -> Set {
        self.to_relation()
    }
}

impl<K: Kind> Relation<K> {
    /// Some element, for some values of the parameters, or `None` if there is none. The same value always gives the same answer.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn sample_within(&self, budget: &Budget) -> Result<Option<Point>, BudgetSpent> {
        for p in &self.pieces {
            if let Some(point) = engines::sample(p, budget)? {
                return Ok(Some(Point::new(&self.space, &point[1..p.columns().first_div()])));
            }
        }
        Ok(None)
    }

    within! {
        /// Some element, for some values of the parameters: [`Relation::sample_within`] without a limit.
        pub fn sample = sample_within(&self) -> Option<Point>;
    }

    /// A piece that has an element, alone.
    pub fn sample_piece(&self) -> Option<super::BasicRelation<K>> {
        self.basics().find(|b| !b.is_empty())
    }

    /// Whether the element with the given coordinates (domain before range) is in the relation for the given parameter values.
    /// Parameters of the space that are not given make the answer "for some value".
    ///
    /// # Panics
    /// If the number of coordinates is not that of the space.
    #[track_caller]
    pub fn contains_point(&self, params: &[(&str, Int)], coords: &[Int]) -> bool {
        let columns = Columns::of(&self.space);
        assert_eq!(coords.len(), columns.tuples().len(), "a point of {} has another number of coordinates", self.space);
        let mut values: Vec<Option<Int>> = vec![Some(Int::ONE)];
        values.extend(self.space.param_ids().iter().map(|p| params.iter().find(|(n, _)| **n == **p).map(|(_, v)| v.clone())));
        values.extend(coords.iter().cloned().map(Some));
        let full: Option<Vec<Int>> = values.iter().cloned().collect();
        self.systems().any(|s| match &full {
            Some(point) if s.divs_known() => subtract::contains_prefix(s, point),
            _ => at(s, &values).is_some_and(|f| !matches!(engines::is_empty(&f, &Budget::UNLIMITED), Ok(true))),
        })
    }

    /// All elements in lexicographic order (parameters first).
    ///
    /// # Errors
    /// [`Error::Unbounded`] if a dimension (or a parameter) is not bounded; [`Error::Budget`].
    pub fn points_within(&self, budget: &Budget) -> Result<Vec<Point>, Error> {
        let mut all = BTreeSet::new();
        for p in self.systems() {
            enumerate(p, &self.space, budget, &mut |point| {
                all.insert(point.to_vec());
            })?;
        }
        Ok(all.into_iter().map(|values| Point::new(&self.space, &values)).collect())
    }

    /// All elements in lexicographic order (parameters first).
    ///
    /// # Errors
    /// [`Error::Unbounded`] if a dimension (or a parameter) is not bounded.
    pub fn points(&self) -> Result<Vec<Point>, Error> {
        self.points_within(&Budget::UNLIMITED)
    }

    /// The number of elements (over all values of the parameters), by enumeration.
    ///
    /// # Errors
    /// [`Error::Unbounded`] if a dimension (or a parameter) is not bounded.
    pub fn count_points(&self) -> Result<usize, Error> {
        Ok(self.points()?.len())
    }
}

// Calls `visit` with the values of the columns 1 .. first_div of every point: depth first, each column between its exact integer
// bounds given the columns before it.
fn enumerate(system: &System, space: &Space, budget: &Budget, visit: &mut dyn FnMut(&[Int])) -> Result<(), Error> {
    let columns = system.columns();
    let n = columns.first_div() - 1;
    let fixed = |prefix: &[Int]| {
        let mut s = system.clone();
        for (i, value) in prefix.iter().enumerate() {
            let mut row = Row::zero(columns.len());
            row.set(0, -value);
            row.set(1 + i, Int::ONE);
            s.push(RowKind::Eq, row);
        }
        s
    };
    let mut stack: Vec<Vec<Int>> = vec![Vec::new()];
    while let Some(prefix) = stack.pop() {
        budget.spend(1)?;
        if prefix.len() == n {
            let inside = if system.divs_known() {
                let mut point = vec![Int::ONE];
                point.extend(prefix.iter().cloned());
                subtract::contains_prefix(system, &point)
            } else {
                match super::project::simplified(fixed(&prefix)) {
                    Some(s) => !engines::is_empty(&s, budget)?,
                    None => false,
                }
            };
            if inside {
                visit(&prefix);
            }
            continue;
        }
        let col = 1 + prefix.len();
        let here = fixed(&prefix);
        let mut row = Row::zero(columns.len());
        row.set(col, Int::ONE);
        let unbounded = || Error::Unbounded(format!(" in {} of {space}", name_of(space, col)));
        let low = match engines::minimum(&here, &row, budget)? {
            engines::Minimum::Empty => continue,
            engines::Minimum::Unbounded => return Err(unbounded()),
            engines::Minimum::At(v) => v,
        };
        let high = match engines::minimum(&here, &row.neg(), budget)? {
            engines::Minimum::Empty => continue,
            engines::Minimum::Unbounded => return Err(unbounded()),
            engines::Minimum::At(v) => -v,
        };
        let mut value = high;
        while value >= low {
            budget.spend(1)?;
            let mut next = prefix.clone();
            next.push(value.clone());
            stack.push(next);
            value -= Int::ONE;
        }
    }
    Ok(())
}

fn name_of(space: &Space, col: usize) -> String {
    let columns = Columns::of(space);
    for kind in [Dim::Param, Dim::In, Dim::Out] {
        if columns.dims(kind).contains(&col) {
            let pos = col - columns.dims(kind).start;
            return space.dim_name(kind, pos).map_or_else(|| format!("dimension {pos}"), |n| n.to_string());
        }
    }
    format!("column {col}")
}

/// Points of the system, without divs, that are extreme in single columns; none if it is empty.
pub(crate) fn extreme(system: &System, budget: &Budget) -> Result<Vec<Vec<Int>>, BudgetSpent> {
    let columns = system.columns();
    let prefix = |mut point: Vec<Int>| {
        point.truncate(columns.first_div());
        point
    };
    let Some(first) = engines::sample(system, budget)? else { return Ok(Vec::new()) };
    let mut points = vec![prefix(first)];
    for col in 1..columns.first_div() {
        for sign in [Int::MINUS_ONE, Int::ONE] {
            let mut row = Row::zero(columns.len());
            row.set(col, sign);
            if let engines::Minimum::At(bound) = engines::lower_bound(system, &row, budget)? {
                row.set(0, -bound);
                let mut face = system.clone();
                face.push_eq(row);
                points.extend(engines::sample(&face, budget)?.map(prefix));
            }
        }
    }
    points.sort_unstable();
    points.dedup();
    Ok(points)
}

/// Whether the relation contains the point (1 first, then a value for every parameter and dimension).
pub(crate) fn contains<K: Kind>(relation: &Relation<K>, point: &[Int], budget: &Budget) -> Result<bool, BudgetSpent> {
    for s in relation.systems() {
        if s.divs_known() {
            if subtract::contains_prefix(s, point) {
                return Ok(true);
            }
            continue;
        }
        let values: Vec<Option<Int>> = point.iter().cloned().map(Some).collect();
        if let Some(fixed) = at(s, &values)
            && !engines::is_empty(&fixed, budget)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

// The system with the columns that have a value fixed there; `None` if that is obviously empty.
fn at(system: &System, values: &[Option<Int>]) -> Option<System> {
    let mut fixed = system.clone();
    for (col, value) in values.iter().enumerate().skip(1) {
        if let Some(value) = value {
            let mut row = Row::zero(system.columns().len());
            row.set(0, -value);
            row.set(col, Int::ONE);
            fixed.push_eq(row);
        }
    }
    super::project::simplified(fixed)
}
