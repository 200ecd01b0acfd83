//! Functions as relations, and single-valued relations as functions.
//!
//! A function becomes its graph `{ x -> y : y = f(x), x in domain }`; points with values that are no integers have no image. The way
//! back finds, for every disjunct of the relation, each output as an expression of the inputs: from an equality that determines it,
//! or from a pair of bounds `e <= d*y <= f` with `0 <= f - e < d`, which mean `y = floor(f/d)`.

use super::divs::{Divs, Expr};
use super::{Aff, Multi, MultiAff, MultiPwAff, Pw, PwMultiAff, Quasiaffine, preimage};
use crate::linalg::Row;
use crate::solve::lexmin::{LexError, Piece as Cell, lexmin};
use crate::{Budget, Columns, Dim, Div, Error, Int, Kind, Map, Relation, Set, Space, System};

impl<E: Quasiaffine> Pw<E> {
    fn graph_on<K: Kind>(&self, restrict: impl Fn(&Relation<K>, &Set) -> Relation<K>) -> Relation<K> {
        let parts: Vec<Relation<K>> =
            self.pieces.iter().map(|(d, e)| restrict(&Relation::from_systems(e.function_space(), [e.graph()]), d)).collect();
        Relation::union_all(self.space.clone(), &parts)
    }
}

impl<E: Quasiaffine> From<&Pw<E>> for Map {
    /// # Panics
    /// If this is a function of parameters alone: its graph is a [`Set`].
    #[track_caller]
    fn from(function: &Pw<E>) -> Map {
        assert!(function.space.is_map(), "the graph of a function in {} is a set, not a map", function.space);
        function.graph_on(|graph, d| graph.intersect_domain(d))
    }
}

impl<E: Quasiaffine> From<Pw<E>> for Map {
    #[track_caller]
    fn from(function: Pw<E>) -> Map {
        Map::from(&function)
    }
}

impl<E: Quasiaffine> From<&Pw<E>> for Set {
    /// The graph `{ y : y = f(params) }` of a function of parameters alone.
    ///
    /// # Panics
    /// If the function has a domain tuple: its graph is a [`Map`].
    #[track_caller]
    fn from(function: &Pw<E>) -> Set {
        assert!(function.space.is_set(), "the graph of a function in {} is a map, not a set", function.space);
        function.graph_on(|graph, d| graph.intersect_params(&d.params()))
    }
}

impl<E: Quasiaffine> From<Pw<E>> for Set {
    #[track_caller]
    fn from(function: Pw<E>) -> Set {
        Set::from(&function)
    }
}

impl From<&MultiAff> for Map {
    #[track_caller]
    fn from(function: &MultiAff) -> Map {
        Map::from(PwMultiAff::from(function))
    }
}

impl From<&MultiPwAff> for Map {
    #[track_caller]
    fn from(function: &MultiPwAff) -> Map {
        Map::from(PwMultiAff::from(function))
    }
}

impl From<&Aff> for Map {
    #[track_caller]
    fn from(function: &Aff) -> Map {
        Map::from(super::PwAff::from(function))
    }
}

impl From<&MultiAff> for Set {
    #[track_caller]
    fn from(function: &MultiAff) -> Set {
        Set::from(PwMultiAff::from(function))
    }
}

impl From<&MultiPwAff> for Set {
    #[track_caller]
    fn from(function: &MultiPwAff) -> Set {
        Set::from(PwMultiAff::from(function))
    }
}

impl PwMultiAff {
    /// The function that a single-valued relation is.
    ///
    /// # Errors
    /// If the relation is not single-valued; or if the values of a disjunct cannot be written as quasi-affine expressions.
    pub fn from_map(map: &Map) -> Result<PwMultiAff, Error> {
        PwMultiAff::from_map_within(map, &Budget::UNLIMITED)
    }

    /// The function of parameters alone that a set with at most one element per parameter value is.
    ///
    /// # Errors
    /// As [`PwMultiAff::from_map`].
    pub fn from_set(set: &Set) -> Result<PwMultiAff, Error> {
        let function = PwMultiAff::from_map(&set.to_map_from_unit())?;
        let space = function.space.with_tuples(None, function.space.range_tuple().cloned());
        let over_params = |e: &MultiAff| {
            let domain = e.domain_space().params_space();
            MultiAff::from_elements(&domain, e.range_tuple().clone(), e.elements.iter().map(|a| a.onto(&domain)).collect())
        };
        Ok(Pw::disjoint(space, function.pieces.iter().map(|(d, e)| (d.clone(), over_params(e))).collect()))
    }

    /// [`PwMultiAff::from_map`] under a budget.
    ///
    /// # Errors
    /// As [`PwMultiAff::from_map`], and [`Error::Budget`].
    pub fn from_map_within(map: &Map, budget: &Budget) -> Result<PwMultiAff, Error> {
        let mut pieces: Vec<(Set, MultiAff)> = Vec::new();
        for system in map.systems() {
            pieces.extend(explicit(map.space(), system, budget)?);
        }
        for (i, (d, f)) in pieces.iter().enumerate() {
            for (e, g) in &pieces[..i] {
                let both = d.intersect(e);
                if f != g && !both.is_empty_within(budget)? && !both.is_subset_within(&f.eq_set(g), budget)? {
                    return Err(not_single_valued(map.space()));
                }
            }
        }
        let function = Pw::from_pieces_within(map.space(), pieces, budget)?;
        Ok(function.drop_empty_within(budget)?)
    }
}

fn not_single_valued(space: &Space) -> Error {
    Error::Domain(format!("a relation of {space} is no function: an element has several images"))
}

/// The pieces of a function that one disjunct is.
fn explicit(space: &Space, system: &System, budget: &Budget) -> Result<Vec<(Set, MultiAff)>, Error> {
    let map = Map::from_systems(space.clone(), [system.clone()]);
    let Some(solved) = map.systems().next().map(|s| solve(space, s)) else { return Ok(Vec::new()) };
    if let Some(function) = solved {
        // { x : x -> f(x) in map }
        let pair = MultiAff::identity(&function.domain_space()).range_product_elements(&function);
        let domain = preimage::preimage(&map.wrap(), &pair, budget)?;
        return Ok(vec![(domain, function)]);
    }
    if !map.is_single_valued_within(budget)? {
        return Err(not_single_valued(space));
    }
    // The only image of an element is its smallest one.
    let map = map.systems().next().expect("one disjunct");
    let cells = match lexmin(map, None, budget) {
        Ok(cells) => cells,
        Err(LexError::Spent(spent)) => return Err(spent.into()),
        Err(LexError::Unbounded) => return Err(not_single_valued(space)),
    };
    Ok(cells.iter().map(|cell| piece(space, cell)).collect())
}

/// A piece of a lexicographic minimum in `space`.
fn piece(space: &Space, cell: &Cell) -> (Set, MultiAff) {
    let domain = space.domain();
    let old = cell.domain.columns();
    let columns = Columns::of(&domain).with_divs(old.divs);
    let same: Vec<Option<usize>> = (0..old.len()).map(Some).collect();
    let divs: Vec<Div> = cell.domain.divs().iter().map(|d| d.clone().expect("the divisions of a cell are known")).collect();
    let elements = cell.values.iter().map(|v| Aff::from_parts(&domain, &divs, v, &Int::ONE)).collect();
    (Set::from_systems(domain, [cell.domain.gather(columns, &same)]), Multi::new(space, elements))
}

/// The outputs as expressions of the inputs, if the rows say so.
fn solve(space: &Space, system: &System) -> Option<MultiAff> {
    let columns = system.columns();
    let outputs = columns.dims(Dim::Out);
    let mut known: Vec<Option<(Row, Int)>> = vec![None; outputs.len()];
    // Divisions whose definitions use inputs and usable divisions only; others act as unknowns.
    let usable = |known: &[Option<(Row, Int)>]| -> Vec<bool> {
        let mut ok: Vec<bool> = Vec::new();
        for d in system.divs() {
            let fits = d.as_ref().is_some_and(|d| {
                let out = outputs.clone().all(|c| d.num.is_zero_at(c) || known[c - outputs.start].is_some());
                out && (0..ok.len()).all(|j| ok[j] || d.num.is_zero_at(columns.div(j)))
            });
            ok.push(fits);
        }
        ok
    };
    loop {
        let ok = usable(&known);
        let unknown: Vec<usize> = outputs
            .clone()
            .filter(|c| known[c - outputs.start].is_none())
            .chain((0..ok.len()).filter(|&i| !ok[i]).map(|i| columns.div(i)))
            .collect();
        let before = known.iter().flatten().count();
        determined(system, &unknown, outputs.clone(), &mut known);
        if known.iter().all(Option::is_some) {
            break;
        }
        if known.iter().flatten().count() == before {
            return None;
        }
    }
    // Compose in an order in which every expression uses inputs, usable divisions and earlier outputs only.
    let domain = space.domain();
    let base = Columns::of(&domain).len();
    let mut pool = Divs::new(base);
    let mut images: Vec<Option<Expr>> = vec![None; columns.len()];
    for (c, image) in images.iter_mut().enumerate().take(base) {
        *image = Some(pool.column(c));
    }
    loop {
        let mut progress = false;
        for c in (base..columns.len()).filter(|&c| images[c].is_none()).collect::<Vec<_>>() {
            let (num, den) = if outputs.contains(&c) {
                let (num, den) = known[c - outputs.start].as_ref()?;
                (num, den)
            } else {
                match &system.divs()[c - columns.first_div()] {
                    Some(Div { num, den }) => (num, den),
                    None => continue,
                }
            };
            if let Some(e) = image_of(num, &images) {
                let whole = Expr { num: e.num, den: &e.den * den };
                // An output is an integer wherever the relation holds: its floor is itself there.
                images[c] = Some(pool.floor_expr(&whole));
                progress = true;
            }
        }
        if outputs.clone().all(|c| images[c].is_some()) {
            break;
        }
        if !progress {
            return None;
        }
    }
    let elements: Vec<Aff> = outputs
        .clone()
        .map(|c| images[c].clone().map(|e| Aff::finish(domain.clone(), pool.clone(), e)))
        .collect::<Option<_>>()?;
    Some(Multi::new(space, elements))
}

fn image_of(row: &Row, images: &[Option<Expr>]) -> Option<Expr> {
    let mut sum = Expr::integral(Row::zero(1));
    for c in (0..row.len()).filter(|&c| !row.is_zero_at(c)) {
        sum = sum.combine(&Int::ONE, images[c].as_ref()?, &row.get(c));
    }
    Some(sum)
}

/// Finds outputs `y = floor(num/den)` from rows without other unknown columns.
fn determined(system: &System, unknown: &[usize], outputs: std::ops::Range<usize>, known: &mut [Option<(Row, Int)>]) {
    // Equalities, with the unknown columns eliminated as far as possible: divisions first, then outputs.
    let mut eqs: Vec<Row> = system.eqs().to_vec();
    let mut pivots: Vec<(usize, Row)> = Vec::new();
    for &col in unknown.iter().rev() {
        let Some(at) = eqs.iter().position(|r| !r.is_zero_at(col)) else { continue };
        let pivot = eqs.swap_remove(at);
        eqs = eqs.iter().map(|r| r.eliminate(col, &pivot)).collect();
        pivots = pivots.into_iter().map(|(c, r)| (c, r.eliminate(col, &pivot))).collect();
        pivots.push((col, pivot));
    }
    let alone = |row: &Row, col: usize| unknown.iter().all(|&c| c == col || row.is_zero_at(c));
    for (col, row) in pivots.iter().filter(|(c, r)| outputs.contains(c) && alone(r, *c)) {
        known[col - outputs.start] = Some(solved_for(row, *col));
    }
    // Bounds e <= d*y <= f with 0 <= f - e < d.
    for &col in unknown.iter().filter(|c| outputs.contains(c)) {
        if known[col - outputs.start].is_some() {
            continue;
        }
        let bounds = |sign: i32| system.ineqs().iter().filter(move |r| r.sign(col) == sign && alone(r, col));
        for upper in bounds(-1) {
            let d = -upper.get(col);
            let tight = |lower: &Row| {
                let gap = upper.add(lower);
                lower.get(col) == d && gap.is_zero_in(1..gap.len()) && gap.get(0) < d && !gap.get(0).is_negative()
            };
            if bounds(1).any(tight) {
                known[col - outputs.start] = Some(solved_for(upper, col));
                break;
            }
        }
    }
}

/// `x = num/den` from a row `pivot * x + rest = 0`.
fn solved_for(row: &Row, col: usize) -> (Row, Int) {
    let pivot = row.get(col);
    let mut rest = row.clone();
    rest.set(col, Int::ZERO);
    if pivot.is_negative() { (rest, pivot.abs()) } else { (rest.neg(), pivot) }
}
