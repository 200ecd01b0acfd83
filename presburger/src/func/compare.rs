//! Comparisons of functions: the sets of points where one is below, equal to or above another.

use super::divs::{Divs, pad};
use super::{Aff, set_space};
use crate::{Columns, Int, Set, System};

/// A comparison of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Comparison {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `=`
    Eq,
    /// `>=`
    Ge,
    /// `>`
    Gt,
    /// `!=`
    Ne,
}

impl Comparison {
    /// The comparison that holds exactly where this one does not.
    pub fn negated(self) -> Comparison {
        match self {
            Comparison::Lt => Comparison::Ge,
            Comparison::Le => Comparison::Gt,
            Comparison::Eq => Comparison::Ne,
            Comparison::Ge => Comparison::Lt,
            Comparison::Gt => Comparison::Le,
            Comparison::Ne => Comparison::Eq,
        }
    }

    /// The comparison with its sides exchanged: `a < b` is `b > a`.
    pub fn flipped(self) -> Comparison {
        match self {
            Comparison::Lt => Comparison::Gt,
            Comparison::Le => Comparison::Ge,
            Comparison::Ge => Comparison::Le,
            Comparison::Gt => Comparison::Lt,
            same => same,
        }
    }
}

impl Aff {
    /// `{ x : self(x) op 0 }`; empty for NaN.
    pub fn sign_set(&self, op: Comparison) -> Set {
        let space = set_space(&self.domain);
        if self.is_nan() {
            return Set::empty(space);
        }
        let columns = Columns::of(&space);
        let mut pool = Divs::new(columns.len());
        let e = self.import_into(&mut pool);
        let row = pad(&e.num, pool.width());
        // The denominator is positive: the sign is the numerator's, an integer.
        let mut above = row.clone();
        above.add_at(0, &Int::MINUS_ONE);
        let mut below = row.neg();
        below.add_at(0, &Int::MINUS_ONE);
        let system = |row: &crate::linalg::Row, equality: bool| -> System {
            let mut system = pool.to_system(columns);
            if equality {
                system.push_eq(row.clone())
            } else {
                system.push_ineq(row.clone())
            }
            system
        };
        let systems = match op {
            Comparison::Lt => vec![system(&below, false)],
            Comparison::Le => vec![system(&row.neg(), false)],
            Comparison::Eq => vec![system(&row, true)],
            Comparison::Ge => vec![system(&row, false)],
            Comparison::Gt => vec![system(&above, false)],
            Comparison::Ne => vec![system(&below, false), system(&above, false)],
        };
        Set::from_systems(space, systems)
    }

    /// `{ x : self(x) op other(x) }`: over `[]` for functions of parameters alone; empty where one is NaN.
    ///
    /// # Panics
    /// If the domain tuples differ.
    #[track_caller]
    pub fn compare(&self, op: Comparison, other: &Aff) -> Set {
        self.sub(other).sign_set(op)
    }

    /// `{ x : self(x) <= other(x) }`
    ///
    /// # Panics
    /// If the domain tuples differ (as the other comparisons).
    #[track_caller]
    pub fn le_set(&self, other: &Aff) -> Set {
        self.compare(Comparison::Le, other)
    }

    /// `{ x : self(x) < other(x) }`
    #[track_caller]
    pub fn lt_set(&self, other: &Aff) -> Set {
        self.compare(Comparison::Lt, other)
    }

    /// `{ x : self(x) >= other(x) }`
    #[track_caller]
    pub fn ge_set(&self, other: &Aff) -> Set {
        self.compare(Comparison::Ge, other)
    }

    /// `{ x : self(x) > other(x) }`
    #[track_caller]
    pub fn gt_set(&self, other: &Aff) -> Set {
        self.compare(Comparison::Gt, other)
    }

    /// `{ x : self(x) = other(x) }`
    #[track_caller]
    pub fn eq_set(&self, other: &Aff) -> Set {
        self.compare(Comparison::Eq, other)
    }

    /// `{ x : self(x) != other(x) }`
    #[track_caller]
    pub fn ne_set(&self, other: &Aff) -> Set {
        self.compare(Comparison::Ne, other)
    }

    /// `{ x : self(x) = 0 }`
    pub fn zero_set(&self) -> Set {
        self.sign_set(Comparison::Eq)
    }

    /// `{ x : self(x) != 0 }`
    pub fn non_zero_set(&self) -> Set {
        self.sign_set(Comparison::Ne)
    }

    /// `{ x : self(x) >= 0 }`
    pub fn nonneg_set(&self) -> Set {
        self.sign_set(Comparison::Ge)
    }

    /// `{ x : self(x) > 0 }`
    pub fn pos_set(&self) -> Set {
        self.sign_set(Comparison::Gt)
    }

    /// `{ x : self(x) < 0 }`
    pub fn neg_set(&self) -> Set {
        self.sign_set(Comparison::Lt)
    }

    /// `{ x : self(x) is an integer }`
    pub fn integral_set(&self) -> Set {
        let space = set_space(&self.domain);
        if self.is_nan() {
            return Set::empty(space);
        }
        self.sub(&self.floor()).sign_set(Comparison::Eq)
    }
}
