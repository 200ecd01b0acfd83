//! Domain, range, reverse, composition and restriction of maps.

use super::embed::Slot::{Hidden, To};
use super::{Map, Set};
use crate::budget::within;
use crate::{Budget, BudgetSpent, Dim, Space, Tuple};

fn empty() -> Tuple {
    Tuple::anonymous(0)
}

#[track_caller]
fn check_tuples(what: &str, left: Option<&Tuple>, right: Option<&Tuple>, a: &Space, b: &Space) {
    assert!(left == right, "{what}: tuples differ in {a} and {b}");
}

impl Set {
    /// `{ y : exists x in self: x -> y in map }`
    ///
    /// # Panics
    /// If the set's tuple is not that of the map's domain.
    #[track_caller]
    pub fn apply(&self, map: &Map) -> Set {
        check_tuples("apply", self.space.range_tuple(), map.space.domain_tuple(), &self.space, &map.space);
        let space = self.space.union_params(&map.space).with_tuples(None, map.space.range_tuple().cloned());
        let hidden = self.space.dim(Dim::Out);
        self.merge(map, space, hidden, |_, i| Hidden(i), |k, i| if k == Dim::In { Hidden(i) } else { To(k, i) })
    }

    /// `{ x -> x : x in self }`
    pub fn identity(&self) -> Map {
        let tuple = self.space.tuple().clone();
        let n = tuple.len();
        let space = self.space.with_tuples(Some(tuple.clone()), Some(tuple));
        let map: Map = self.recast(space, 0, |_, i| To(Dim::In, i));
        (0..n).fold(map, |m, i| m.equate(Dim::In, i, Dim::Out, i))
    }

    /// `{ a -> b : [a -> b] in self }`
    ///
    /// # Panics
    /// If the set's tuple is not a wrapped pair ([`crate::Space::unwrap`] asks first).
    #[track_caller]
    pub fn unwrap(&self) -> Map {
        let Some(space) = self.space.unwrap() else { panic!("{} is not the space of wrapped maps", self.space) };
        self.respaced(space)
    }

    /// Whether the elements are pairs: whether [`Set::unwrap`] is defined.
    pub fn is_wrapping(&self) -> bool {
        self.space.unwrap().is_some()
    }

    /// `{ x -> y : y in self }` from the unit domain: the set as the map `{ [] -> y }`.
    pub fn to_map_from_unit(&self) -> Map {
        self.respaced_map(self.space.with_tuples(Some(empty()), self.space.range_tuple().cloned()))
    }

    fn respaced_map(&self, space: Space) -> Map {
        self.recast(space, 0, To)
    }

    /// `{ x : the parameters are in params }` in the given set space.
    pub fn from_params(params: &super::Params, space: Space) -> Set {
        params.over(&space)
    }
}

impl Map {
    /// `{ x : exists y: x -> y in self }`
    pub fn domain(&self) -> Set {
        self.recast(self.space.domain(), self.space.dim(Dim::Out), |k, i| match k {
            Dim::In => To(Dim::Out, i),
            _ => Hidden(i),
        })
    }

    /// `{ y : exists x: x -> y in self }`
    pub fn range(&self) -> Set {
        self.recast(self.space.range(), self.space.dim(Dim::In), |k, i| match k {
            Dim::In => Hidden(i),
            _ => To(k, i),
        })
    }

    /// `{ y -> x : x -> y in self }`
    pub fn reverse(&self) -> Map {
        self.recast(self.space.reverse(), 0, |k, i| match k {
            Dim::In => To(Dim::Out, i),
            Dim::Out => To(Dim::In, i),
            Dim::Param => To(k, i),
        })
    }

    /// `{ x -> z : exists y: x -> y in self, y -> z in other }`
    ///
    /// # Panics
    /// If the range tuple is not the domain tuple of `other`.
    #[track_caller]
    pub fn apply_range(&self, other: &Map) -> Map {
        check_tuples("apply_range", self.space.range_tuple(), other.space.domain_tuple(), &self.space, &other.space);
        let space = self
            .space
            .union_params(&other.space)
            .with_tuples(self.space.domain_tuple().cloned(), other.space.range_tuple().cloned());
        let hidden = self.space.dim(Dim::Out);
        self.merge(
            other,
            space,
            hidden,
            |k, i| if k == Dim::Out { Hidden(i) } else { To(k, i) },
            |k, i| if k == Dim::In { Hidden(i) } else { To(k, i) },
        )
    }

    /// `{ z -> y : exists x: x -> y in self, x -> z in other }`
    ///
    /// # Panics
    /// If the domain tuples differ.
    #[track_caller]
    pub fn apply_domain(&self, other: &Map) -> Map {
        check_tuples("apply_domain", self.space.domain_tuple(), other.space.domain_tuple(), &self.space, &other.space);
        let space = self
            .space
            .union_params(&other.space)
            .with_tuples(other.space.range_tuple().cloned(), self.space.range_tuple().cloned());
        let hidden = self.space.dim(Dim::In);
        self.merge(
            other,
            space,
            hidden,
            |k, i| if k == Dim::In { Hidden(i) } else { To(k, i) },
            |k, i| if k == Dim::In { Hidden(i) } else { To(Dim::In, i) },
        )
    }

    /// `self after first`: `{ x -> z : exists y: x -> y in first, y -> z in self }`
    ///
    /// # Panics
    /// If the range tuple of `first` is not the domain tuple of `self`.
    #[track_caller]
    pub fn compose(&self, first: &Map) -> Map {
        first.apply_range(self)
    }

    /// `{ x -> y in self : x in set }`
    ///
    /// # Panics
    /// If the set's tuple is not the domain tuple.
    #[track_caller]
    pub fn intersect_domain(&self, set: &Set) -> Map {
        check_tuples("intersect_domain", self.space.domain_tuple(), set.space.range_tuple(), &self.space, &set.space);
        self.intersect(&self.lift_domain(set))
    }

    /// `{ x -> y in self : y in set }`
    ///
    /// # Panics
    /// If the set's tuple is not the range tuple.
    #[track_caller]
    pub fn intersect_range(&self, set: &Set) -> Map {
        check_tuples("intersect_range", self.space.range_tuple(), set.space.range_tuple(), &self.space, &set.space);
        self.intersect(&self.lift_range(set))
    }

    // `{ x -> y : x in set }` over this map's tuples.
    fn lift_domain(&self, set: &Set) -> Map {
        set.recast(self.space.union_params(&set.space), 0, |_, i| To(Dim::In, i))
    }

    fn lift_range(&self, set: &Set) -> Map {
        set.recast(self.space.union_params(&set.space), 0, To)
    }

    /// `{ x -> y in self : x not in set }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the set's tuple is not the domain tuple.
    #[track_caller]
    pub fn subtract_domain_within(&self, set: &Set, budget: &Budget) -> Result<Map, BudgetSpent> {
        check_tuples("subtract_domain", self.space.domain_tuple(), set.space.range_tuple(), &self.space, &set.space);
        self.subtract_within(&self.lift_domain(set), budget)
    }

    /// `{ x -> y in self : y not in set }`
    ///
    /// # Errors
    /// [`BudgetSpent`]
    ///
    /// # Panics
    /// If the set's tuple is not the range tuple.
    #[track_caller]
    pub fn subtract_range_within(&self, set: &Set, budget: &Budget) -> Result<Map, BudgetSpent> {
        check_tuples("subtract_range", self.space.range_tuple(), set.space.range_tuple(), &self.space, &set.space);
        self.subtract_within(&self.lift_range(set), budget)
    }

    within! {
        /// `{ x -> y in self : x not in set }`
        ///
        /// # Panics
        /// If the set's tuple is not the domain tuple.
        pub fn subtract_domain = subtract_domain_within(&self, set: &Set) -> Map;
        /// `{ x -> y in self : y not in set }`
        ///
        /// # Panics
        /// If the set's tuple is not the range tuple.
        pub fn subtract_range = subtract_range_within(&self, set: &Set) -> Map;
    }

    /// `{ x -> y : x in domain, y in range }`
    pub fn from_domain_and_range(domain: &Set, range: &Set) -> Map {
        let space = domain.space.map_to(&range.space);
        domain.merge(range, space, 0, |_, i| To(Dim::In, i), To)
    }

    /// `{ x -> [] : x in set }`
    pub fn from_domain(set: &Set) -> Map {
        set.recast(set.space.with_tuples(set.space.range_tuple().cloned(), Some(empty())), 0, |_, i| To(Dim::In, i))
    }

    /// `{ [] -> x : x in set }`
    pub fn from_range(set: &Set) -> Map {
        set.to_map_from_unit()
    }

    /// `{ x -> x }` over a set space, or over a map space whose tuples are alike.
    ///
    /// # Panics
    /// On a map space between different tuples.
    #[track_caller]
    pub fn identity(space: &Space) -> Map {
        if space.is_map() {
            assert!(space.domain_tuple() == space.range_tuple(), "no identity in {space}: tuples differ");
        }
        Set::universe(space.range()).identity()
    }

    /// `{ y - x : x -> y in self }`
    ///
    /// # Panics
    /// If the tuples have different names or structure.
    #[track_caller]
    pub fn deltas(&self) -> Set {
        self.check_deltas();
        let n = self.space.dim(Dim::Out);
        // A set over [differences], with x and y hidden.
        let with_delta = self.recast::<super::OfMap>(
            self.space.with_tuples(Some(Tuple::anonymous(2 * n)), self.space.range_tuple().cloned()),
            0,
            |k, i| match k {
                Dim::In => To(Dim::In, i),
                _ => To(Dim::In, n + i),
            },
        );
        with_delta.tie_deltas(n).range()
    }

    /// `{ [x -> y] -> y - x : x -> y in self }`
    ///
    /// # Panics
    /// If the tuples have different names or structure.
    #[track_caller]
    pub fn deltas_map(&self) -> Map {
        self.check_deltas();
        let n = self.space.dim(Dim::Out);
        let pair = self.space.wrap().range_tuple().cloned();
        let map =
            self.recast::<super::OfMap>(self.space.with_tuples(pair, self.space.range_tuple().cloned()), 0, |k, i| match k {
                Dim::In => To(Dim::In, i),
                _ => To(Dim::In, n + i),
            });
        map.tie_deltas(n)
    }

    #[track_caller]
    fn check_deltas(&self) {
        assert!(self.space.domain_tuple() == self.space.range_tuple(), "deltas of {}: the tuples differ", self.space);
    }

    // Adds out[i] = in[n + i] - in[i].
    fn tie_deltas(&self, n: usize) -> Map {
        let columns = crate::Columns::of(&self.space);
        let (inputs, outputs) = (columns.dims(Dim::In).start, columns.dims(Dim::Out).start);
        (0..n).fold(self.clone(), |m, i| {
            let mut row = crate::linalg::Row::zero(columns.len());
            row.set(outputs + i, crate::Int::ONE);
            row.set(inputs + i, crate::Int::ONE);
            row.set(inputs + n + i, crate::Int::MINUS_ONE);
            m.constrained(crate::RowKind::Eq, &row)
        })
    }

    /// `{ x -> y : y is reached from x by exactly power steps of self }`; power 0 is the identity on the space, a negative power
    /// one of the reverse.
    ///
    /// # Panics
    /// If the tuples differ.
    #[track_caller]
    pub fn fixed_power(&self, power: i64) -> Map {
        assert!(self.space.domain_tuple() == self.space.range_tuple(), "power of {}: the tuples differ", self.space);
        let mut square = if power < 0 { self.reverse() } else { self.clone() };
        let mut left = power.unsigned_abs();
        let mut result: Option<Map> = None;
        while left > 0 {
            if left & 1 == 1 {
                result = Some(result.map_or_else(|| square.clone(), |r| r.apply_range(&square)));
            }
            left >>= 1;
            if left > 0 {
                square = square.apply_range(&square);
            }
        }
        result.unwrap_or_else(|| Map::identity(&self.space))
    }
}
