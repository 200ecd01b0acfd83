//! The greatest or least of several quasi-polynomials: what a bound is. `{ [x] -> max(1, x^2) : x >= 0 }`

use super::{Arithmetic, MultiAff, Outside, Piece, PwFold, QPolynomial};
use crate::{Budget, BudgetSpent, Int, Set, Space, Val};

/// Greatest or least.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Extremum {
    /// The greatest.
    Max,
    /// The least.
    Min,
}

impl Extremum {
    /// The other one.
    pub fn opposite(self) -> Extremum {
        match self {
            Extremum::Max => Extremum::Min,
            Extremum::Min => Extremum::Max,
        }
    }

    /// The better of two values.
    pub fn of(self, a: &Val, b: &Val) -> Val {
        match self {
            Extremum::Max => a.max(b),
            Extremum::Min => a.min(b),
        }
    }
}

/// `x -> max(p_1(x), .., p_k(x))`, or `min`, of quasi-polynomials on one domain.
///
/// ```
/// use loopwright_presburger::{Extremum, Fold, Int, Val};
/// let f: Fold = "{ [x] -> max(1, x^2 - 3x) }".parse().unwrap();
/// assert_eq!(f.extremum(), Extremum::Max);
/// assert_eq!(f.eval(&[], &[Int::from(2)]), Val::from(1));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Fold {
    extremum: Extremum,
    domain: Space,
    // Invariant: not empty, all on `domain`, without obvious repetitions.
    elements: Vec<QPolynomial>,
}

impl Fold {
    /// The greatest or least of `elements`; of several constants only the best one stays.
    ///
    /// # Panics
    /// If there are no elements or their domain tuples differ.
    #[track_caller]
    pub fn new(extremum: Extremum, elements: Vec<QPolynomial>) -> Fold {
        let params = elements.iter().fold(Space::params(&[]), |s, e| s.union_params(&e.domain));
        let domain = elements.first().expect("a fold has an element").domain.union_params(&params);
        let mut constant: Option<Val> = None;
        let mut out: Vec<QPolynomial> = Vec::new();
        for e in &elements {
            if let Err(mismatch) = e.domain.check_same(&domain) {
                panic!("{mismatch}");
            }
            match e.as_constant() {
                Some(value) => constant = Some(constant.map_or(value.clone(), |c| extremum.of(&c, &value))),
                None => {
                    let e = e.align_params(&domain);
                    if !out.contains(&e) {
                        out.push(e);
                    }
                }
            }
        }
        if let Some(value) = constant {
            if matches!((extremum, &value), (_, Val::NaN) | (Extremum::Max, Val::Infty) | (Extremum::Min, Val::NegInfty)) {
                out.clear();
            }
            out.insert(0, QPolynomial::constant(&domain, &value));
        }
        Fold { extremum, domain, elements: out }
    }

    /// Whether the greatest or the least element counts.
    pub fn extremum(&self) -> Extremum {
        self.extremum
    }

    /// The elements.
    pub fn elements(&self) -> &[QPolynomial] {
        &self.elements
    }

    /// The domain: a set space, or a space of parameters.
    pub fn domain_space(&self) -> &Space {
        &self.domain
    }

    /// The value at a point: parameters in the order of the space, coordinates of the domain tuple.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Val {
        let mut values = self.elements.iter().map(|e| e.eval(params, coords));
        let first = values.next().unwrap_or(Val::NaN);
        values.fold(first, |best, v| self.extremum.of(&best, &v))
    }

    /// The better of both at each point.
    ///
    /// # Panics
    /// If one is a maximum and the other a minimum, or the domain tuples differ.
    #[track_caller]
    pub fn fold(&self, other: &Fold) -> Fold {
        assert_eq!(self.extremum, other.extremum, "a maximum and a minimum");
        Fold::new(self.extremum, self.elements.iter().chain(&other.elements).cloned().collect())
    }

    #[track_caller]
    fn map(&self, extremum: Extremum, f: impl Fn(&QPolynomial) -> QPolynomial) -> Fold {
        Fold::new(extremum, self.elements.iter().map(f).collect())
    }

    fn signed(&self, sign: i32) -> Extremum {
        if sign < 0 { self.extremum.opposite() } else { self.extremum }
    }
}

impl Arithmetic for Fold {
    fn known_params(&self) -> Space {
        self.domain.params_space()
    }
    fn with_params_of(&self, model: &Space) -> Fold {
        self.map(self.extremum, |e| e.align_params(model)).on_params(model)
    }
    // max f_i + max g_j = max (f_i + g_j)
    fn plus(&self, other: &Fold) -> Fold {
        assert_eq!(self.extremum, other.extremum, "the sum of a maximum and a minimum");
        let pairs = self.elements.iter().flat_map(|a| other.elements.iter().map(move |b| a.add(b)));
        Fold::new(self.extremum, pairs.collect())
    }
    fn negated(&self) -> Fold {
        self.map(self.extremum.opposite(), QPolynomial::neg)
    }
    fn times(&self, factor: &Int) -> Fold {
        self.map(self.signed(factor.signum()), |e| e.scale(factor))
    }
    fn over(&self, divisor: &Int) -> Fold {
        self.map(self.signed(divisor.signum()), |e| e.scale_down(divisor))
    }
}

impl Fold {
    fn on_params(self, model: &Space) -> Fold {
        Fold { domain: self.domain.union_params(model), ..self }
    }
}

impl Piece for Fold {
    const OUTSIDE: Outside = Outside::Undefined;
    fn function_space(&self) -> Space {
        QPolynomial::zero(&self.domain).space()
    }
    fn after(&self, f: &MultiAff) -> Fold {
        self.map(self.extremum, |e| e.pullback(f))
    }
    fn agrees_on(&self, other: &Fold, domain: &Set, _: &Budget) -> Result<bool, BudgetSpent> {
        Ok(self.simplified_on(domain) == other.simplified_on(domain))
    }
    fn simplified_on(&self, context: &Set) -> Fold {
        self.map(self.extremum, |e| e.gist(context))
    }
    fn has_nan(&self) -> bool {
        self.elements.iter().any(QPolynomial::is_nan)
    }
}

impl PwFold {
    /// The value at a point: parameters in the order of the space, coordinates of the domain tuple; `None` outside of all pieces.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Option<Val> {
        self.piece_at(params, coords).map(|f| f.eval(params, coords))
    }
}
