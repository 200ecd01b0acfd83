//! Hulls: one conjunction around a relation, its equalities, and its bounds.

use super::subtract::obviously_implied;
use super::{BasicRelation, Kind, Relation, engines};
use crate::budget::within;
use crate::linalg::Row;
use crate::{Budget, BudgetSpent, Columns, Dim, Int, System};
use std::marker::PhantomData;
use std::sync::Arc;

impl<K: Kind> Relation<K> {
    pub(crate) fn basic(&self, system: System) -> BasicRelation<K> {
        BasicRelation { space: self.space.clone(), system: Arc::new(system), kind: PhantomData }
    }

    // The pieces that have points.
    fn inhabited(&self, budget: &Budget) -> Result<Vec<Arc<System>>, BudgetSpent> {
        let mut out = Vec::new();
        for p in &self.pieces {
            if !engines::is_empty(p, budget)? {
                out.push(p.clone());
            }
        }
        Ok(out)
    }

    /// The same relation without pieces that have no integer point.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn without_empty_pieces_within(&self, budget: &Budget) -> Result<Relation<K>, BudgetSpent> {
        Ok(Relation::from_pieces(self.space.clone(), self.inhabited(budget)?))
    }

    /// One conjunction that contains `self`: every constraint of a piece, moved outward until it holds for all pieces, where that is
    /// possible. Bounded if `self` is, and inside its affine hull.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn simple_hull_within(&self, budget: &Budget) -> Result<BasicRelation<K>, BudgetSpent> {
        self.hull(budget, true)
    }

    /// One conjunction that contains `self`, made of constraints of the pieces as they are: those valid for all pieces.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn unshifted_simple_hull_within(&self, budget: &Budget) -> Result<BasicRelation<K>, BudgetSpent> {
        self.hull(budget, false)
    }

    fn hull(&self, budget: &Budget, shift: bool) -> Result<BasicRelation<K>, BudgetSpent> {
        if let [one] = self.pieces.as_slice()
            && one.divs_known()
        {
            return Ok(self.basic((**one).clone()));
        }
        let columns = Columns::of(&self.space);
        let pieces = self.with_known_divs_within(budget)?.inhabited(budget)?;
        match pieces.as_slice() {
            [] => return Ok(self.basic(System::contradiction(columns))),
            [one] => return Ok(self.basic((**one).clone())),
            _ => {}
        }
        let mut lean = Vec::new();
        for p in &pieces {
            lean.extend(super::affine::irredundant(p, budget)?.map(Arc::new));
        }
        let (frame, wide) = super::affine::common_frame(columns, &lean);
        let mut hull = frame.clone();
        let mut seen: hashbrown::HashSet<Row> = hashbrown::HashSet::new();
        for piece in &wide {
            let eqs = piece.eqs().iter().flat_map(|r| [r.clone(), r.neg()]);
            for row in eqs.chain(piece.ineqs().iter().cloned()) {
                let mut direction = row.clone();
                direction.set(0, Int::ZERO);
                let key = if shift { direction.clone() } else { row.clone() };
                if !seen.insert(key) {
                    continue;
                }
                if let Some(bound) = outermost(&row, &direction, &wide, shift, budget)? {
                    hull.push_ineq(bound);
                }
            }
        }
        for eq in super::affine::equations(&wide, budget)?.unwrap_or_default() {
            hull.push_eq(eq);
        }
        let hull = super::affine::irredundant(&hull, budget)?;
        Ok(self.basic(hull.unwrap_or_else(|| System::contradiction(columns))))
    }

    within! {
        /// The same relation without pieces that have no integer point.
        pub fn without_empty_pieces = without_empty_pieces_within(&self) -> Relation<K>;
        /// One conjunction that contains `self`: [`Relation::simple_hull_within`] without a limit.
        pub fn simple_hull = simple_hull_within(&self) -> BasicRelation<K>;
        /// One conjunction of constraints of the pieces as they are: [`Relation::unshifted_simple_hull_within`] without a limit.
        pub fn unshifted_simple_hull = unshifted_simple_hull_within(&self) -> BasicRelation<K>;
    }
}

// The weakest translate of `row` over the pieces, or `None` if one is unbounded in its direction.
fn outermost(row: &Row, direction: &Row, pieces: &[System], shift: bool, budget: &Budget) -> Result<Option<Row>, BudgetSpent> {
    let mut out = row.clone();
    for p in pieces {
        if obviously_implied(p, &out) {
            continue;
        }
        match engines::lower_bound(p, direction, budget)? {
            engines::Minimum::Empty => {}
            engines::Minimum::Unbounded => return Ok(None),
            engines::Minimum::At(v) => {
                let constant = -v;
                if constant > out.get(0) {
                    if !shift {
                        return Ok(None);
                    }
                    out.set(0, constant);
                }
            }
        }
    }
    Ok(Some(out))
}

impl<K: Kind> Relation<K> {
    /// Whether every piece bounds the dimension on both sides, given the other dimensions and the parameters. Cheap.
    ///
    /// # Panics
    /// If the dimension does not exist.
    #[track_caller]
    pub fn dim_is_bounded(&self, kind: Dim, pos: usize) -> bool {
        super::dims::check_range(&self.space, kind, pos, 1);
        let col = Columns::of(&self.space).dims(kind).start + pos;
        self.systems().all(|s| {
            let s = s.closed();
            s.eqs().iter().any(|r| !r.is_zero_at(col))
                || (s.ineqs().iter().any(|r| r.sign(col) > 0) && s.ineqs().iter().any(|r| r.sign(col) < 0))
        })
    }

    /// Whether there are finitely many elements for every value of the parameters.
    ///
    /// A non-empty piece is unbounded exactly if its recession cone (constraints without constants, parameters 0) has a direction
    /// that moves a dimension.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn is_bounded_within(&self, budget: &Budget) -> Result<bool, BudgetSpent> {
        for p in self.systems() {
            if moves_forever(p, budget)? && !engines::is_empty(p, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    within! {
        /// Whether there are finitely many elements for every value of the parameters.
        pub fn is_bounded = is_bounded_within(&self) -> bool;
    }
}

fn moves_forever(system: &System, budget: &Budget) -> Result<bool, BudgetSpent> {
    let closed = system.closed();
    let columns = closed.columns();
    let cone_row = |row: &Row| {
        let mut row = row.clone();
        (0..columns.tuples().start).for_each(|c| row.set(c, Int::ZERO));
        row
    };
    let mut cone = System::universe(columns);
    closed.eqs().iter().for_each(|r| cone.push_eq(cone_row(r)));
    closed.ineqs().iter().for_each(|r| cone.push_ineq(cone_row(r)));
    for col in columns.tuples() {
        for sign in [1, -1] {
            let mut direction = Row::zero(columns.len());
            direction.set(col, Int::from(sign));
            if engines::is_unbounded_below(&cone, &direction, budget)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
