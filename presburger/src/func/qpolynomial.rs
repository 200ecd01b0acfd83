//! Quasi-polynomials: polynomials in parameters, dimensions and integer divisions of them, with rational coefficients.
//!
//! `{ [i] -> 1/2 * i + 1/2 * i * floor((i)/2) }`: what counting gives, since the number of integers in `[0, n/2]` is
//! `1 + floor(n/2)`. Divisions are in the normal form of [`Aff`]; terms are sorted. Equality of values (`==`) is equality of that
//! form: `floor(i/2)^2 - i*floor(i/2)` and other relations between a division and its operands are not seen by it.
//!
//! A quasi-polynomial is finite everywhere, or it is one of the constants `infty`, `-infty` and `NaN`.

use super::divs::{Divs, Expr};
use super::polynomial::Poly;
use super::{Aff, MultiAff};
use crate::linalg::Row;
use crate::rat::{self, Rat};
use crate::system::Div;
use crate::{Budget, BudgetSpent, Columns, Dim, Int, Space, Tuple, Val};

/// A quasi-polynomial `x -> p(x, floor(e_1(x)/d_1), ..)` of a domain (a set space, or parameters alone).
///
/// ```
/// use loopwright_presburger::{Int, QPolynomial, Val};
/// let f: QPolynomial = "[n] -> { [i] -> 1/2 * i + n * i * floor((i)/2) }".parse().unwrap();
/// assert_eq!(f.eval(&[Int::from(10)], &[Int::from(3)]), "63/2".parse::<Val>().unwrap());
/// assert_eq!(f.degree(), 3);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct QPolynomial {
    // A set space or a space of parameters.
    pub(crate) domain: Space,
    // Invariant: as in `Aff`: known, each refers to earlier columns; used by `poly`.
    pub(crate) divs: Vec<Div>,
    // Over the columns `[1 | params | tuple | divs]`.
    pub(crate) poly: Poly,
    // An infinity or NaN; then there are no divs and no terms.
    pub(crate) special: Option<Val>,
}

impl QPolynomial {
    /// `{ x -> 0 }` on a domain: a set space, or a space of parameters.
    ///
    /// # Panics
    /// If `domain` is a map space (as every constructor of this type).
    #[track_caller]
    pub fn zero(domain: &Space) -> QPolynomial {
        assert!(!domain.is_map(), "a quasi-polynomial needs a set space or a parameter space, not {domain}");
        QPolynomial { domain: domain.clone(), divs: Vec::new(), poly: Poly::zero(), special: None }
    }

    /// `{ x -> value }`; the value may be an infinity or NaN.
    #[track_caller]
    pub fn constant(domain: &Space, value: &Val) -> QPolynomial {
        let zero = QPolynomial::zero(domain);
        match value {
            Val::Rat(r) => QPolynomial { poly: Poly::constant(r.clone()), ..zero },
            special => QPolynomial { special: Some(special.clone()), ..zero },
        }
    }

    /// `{ [x0, x1, ..] -> x_pos }`, or the parameter at `pos` for [`Dim::Param`].
    ///
    /// # Panics
    /// If the domain has no such dimension. `Dim::In` and `Dim::Out` both mean the domain tuple.
    #[track_caller]
    pub fn var(domain: &Space, kind: Dim, pos: usize) -> QPolynomial {
        QPolynomial::from(&Aff::var(domain, kind, pos))
    }

    /// The value of a polynomial over a pool.
    pub(crate) fn finish(domain: Space, pool: Divs, poly: &Poly) -> QPolynomial {
        let base = Columns::of(&domain).len();
        let used: Vec<usize> = poly.variables().into_iter().filter(|&v| v >= base).collect();
        let width = pool.width();
        let mut rows: Vec<Row> = used.iter().map(|&v| super::divs::unit(width, v)).collect();
        let divs = pool.finish(&mut rows);
        let place = |v: usize| match used.binary_search(&v) {
            Ok(i) => rows[i].first_nonzero(0..rows[i].len()).expect("a used division is kept"),
            Err(_) => v,
        };
        let poly = poly.renumbered(place);
        QPolynomial { domain, divs, poly, special: None }
    }

    /// The polynomial over a pool with the same plain columns.
    pub(crate) fn import_into(&self, pool: &mut Divs) -> Poly {
        let base = Columns::of(&self.domain).len();
        let images = (0..base).map(|c| pool.column(c)).collect();
        match self.compose_into(pool, images, &Budget::UNLIMITED) {
            Ok(poly) => poly,
            Err(_) => unreachable!("an unlimited budget is never spent"),
        }
    }

    /// The polynomial of plain columns with the given images.
    pub(crate) fn compose_into(&self, pool: &mut Divs, images: Vec<Expr>, budget: &Budget) -> Result<Poly, BudgetSpent> {
        let mut images = images;
        pool.import(&self.divs, &mut images);
        self.poly.compose(|v| Some(Poly::of(&images[v])), budget)
    }

    /// The domain: a set space, or a space of parameters.
    pub fn domain_space(&self) -> &Space {
        &self.domain
    }

    /// The space of the function: `{ S[i] -> [o] }`, or `{ [o] }` over parameters alone.
    pub fn space(&self) -> Space {
        self.domain.with_tuples(self.domain.range_tuple().cloned(), Some(Tuple::anonymous(1)))
    }

    /// The number of integer divisions.
    pub fn n_div(&self) -> usize {
        self.divs.len()
    }

    /// Division `i` as a function.
    ///
    /// # Panics
    /// If there is no division `i`.
    #[track_caller]
    pub fn div_aff(&self, i: usize) -> Aff {
        let width = Columns::of(&self.domain).len() + self.divs.len();
        Aff::from_parts(&self.domain, &self.divs, &super::divs::unit(width, width - self.divs.len() + i), &Int::ONE)
    }

    /// The terms: coefficients, each with the functions (dimensions, parameters, divisions) and exponents of its factors.
    pub fn terms(&self) -> Vec<(Rat, Vec<(Aff, u32)>)> {
        let width = Columns::of(&self.domain).len() + self.divs.len();
        let atom = |v: u32| Aff::from_parts(&self.domain, &self.divs, &super::divs::unit(width, v as usize), &Int::ONE);
        let term =
            |(m, c): &(super::polynomial::Monomial, Rat)| (c.clone(), m.factors().iter().map(|&(v, e)| (atom(v), e)).collect());
        self.poly.terms().iter().map(term).collect()
    }

    /// The total degree, a division counting as a variable; 0 for constants.
    pub fn degree(&self) -> u32 {
        self.poly.degree()
    }

    /// Whether this is obviously zero everywhere: there are no terms.
    pub fn is_obviously_zero(&self) -> bool {
        self.special.is_none() && self.poly.is_zero()
    }

    /// The value, if the form shows that it is one constant.
    pub fn as_constant(&self) -> Option<Val> {
        match &self.special {
            Some(special) => Some(special.clone()),
            None => self.poly.as_constant().map(Val::Rat),
        }
    }

    /// Whether this is NaN.
    pub fn is_nan(&self) -> bool {
        self.special == Some(Val::NaN)
    }

    /// The affine function that a quasi-polynomial of degree at most 1 is.
    pub fn to_aff(&self) -> Option<Aff> {
        match &self.special {
            Some(Val::NaN) => Some(Aff::nan(&self.domain)),
            Some(_) => None,
            None => {
                let e = self.poly.as_linear(Columns::of(&self.domain).len() + self.divs.len())?;
                Some(Aff::from_parts(&self.domain, &self.divs, &e.num, &e.den))
            }
        }
    }

    /// Whether dimensions `first .. first + n` of a kind occur, in the polynomial or in a division it uses.
    pub fn involves(&self, kind: Dim, first: usize, n: usize) -> bool {
        let kind = if kind == Dim::Param { Dim::Param } else { Dim::Out };
        let start = Columns::of(&self.domain).dims(kind).start + first;
        let range = start..start + n;
        self.poly.variables().iter().any(|v| range.contains(v)) || self.divs.iter().any(|d| !d.num.is_zero_in(range.clone()))
    }

    /// The value at a point: parameters in the order of the space, coordinates of the domain tuple.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Val {
        let base = Columns::of(&self.domain);
        assert!(params.len() == base.params && coords.len() == base.range, "a point of {} is needed", self.domain);
        if let Some(special) = &self.special {
            return special.clone();
        }
        let mut point: Vec<Int> = std::iter::once(&Int::ONE).chain(params).chain(coords).cloned().collect();
        point.resize(base.len() + self.divs.len(), Int::ZERO);
        for (i, d) in self.divs.iter().enumerate() {
            point[base.len() + i] = d.num.dot(&point).div_floor(&d.den);
        }
        Val::Rat(self.poly.eval(&point))
    }

    /// This function with the parameters of `model` added.
    pub fn align_params(&self, model: &Space) -> QPolynomial {
        let domain = self.domain.union_params(model);
        if domain.param_ids() == self.domain.param_ids() {
            return self.clone();
        }
        self.onto(&domain)
    }

    // The same function over another domain with as many dimensions that has all parameters that occur.
    fn onto(&self, domain: &Space) -> QPolynomial {
        let (columns, old) = (Columns::of(domain), Columns::of(&self.domain));
        let mut source = vec![Some(0)];
        source.extend(domain.param_ids().iter().map(|p| self.domain.param_position(p).map(|i| 1 + i)));
        source.extend((0..columns.range + self.divs.len()).map(|i| Some(1 + old.params + i)));
        let divs = self.divs.iter().map(|d| Div { num: d.num.gather(&source), den: d.den.clone() }).collect();
        let place = |v: usize| source.iter().position(|s| *s == Some(v)).expect("all parameters that occur");
        QPolynomial { domain: domain.clone(), divs, poly: self.poly.renumbered(place), special: self.special.clone() }
    }

    /// The same function under another domain tuple of as many dimensions (names and nesting change, values do not).
    ///
    /// # Panics
    /// If the numbers of dimensions differ.
    #[track_caller]
    pub fn with_domain_tuple(&self, tuple: Option<Tuple>) -> QPolynomial {
        let domain = self.domain.with_tuples(None, tuple);
        assert_eq!(domain.dim(Dim::Out), self.domain.dim(Dim::Out), "{domain} is no renaming of {}", self.domain);
        QPolynomial { domain, ..self.clone() }
    }

    #[track_caller]
    fn zip(&self, other: &QPolynomial, special: impl Fn(&Val, &Val) -> Val, f: impl FnOnce(&Poly, &Poly) -> Poly) -> QPolynomial {
        if let Err(e) = self.domain.check_same(&other.domain) {
            panic!("{e}");
        }
        let (a, b) = (self.align_params(&other.domain), other.align_params(&self.domain));
        if a.special.is_some() || b.special.is_some() {
            // What a quasi-polynomial of unknown sign makes of an infinity is unknown.
            let value = |p: &QPolynomial| p.as_constant();
            return match (value(&a), value(&b)) {
                (Some(x), Some(y)) => QPolynomial::constant(&a.domain, &special(&x, &y)),
                (Some(x), None) | (None, Some(x)) => {
                    let (up, down) = (special(&x, &Val::from(1)), special(&x, &Val::from(-1)));
                    QPolynomial::constant(&a.domain, if up == down { &up } else { &Val::NaN })
                }
                (None, None) => QPolynomial::constant(&a.domain, &Val::NaN),
            };
        }
        let mut pool = Divs::new(Columns::of(&a.domain).len());
        let (x, y) = (a.import_into(&mut pool), b.import_into(&mut pool));
        QPolynomial::finish(a.domain, pool, &f(&x, &y))
    }

    /// `x -> self(x) + other(x)`
    ///
    /// # Panics
    /// If the domain tuples differ (as every binary operation); parameters are aligned by name.
    #[track_caller]
    pub fn add(&self, other: &QPolynomial) -> QPolynomial {
        self.zip(other, Val::add, Poly::add)
    }

    /// `x -> self(x) - other(x)`
    #[track_caller]
    pub fn sub(&self, other: &QPolynomial) -> QPolynomial {
        self.add(&other.neg())
    }

    /// `x -> -self(x)`
    pub fn neg(&self) -> QPolynomial {
        self.scale_rat(&Rat::from_integer((-1).into()))
    }

    /// [`QPolynomial::mul`] under a budget; about one step per pair of terms.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    #[track_caller]
    pub fn mul_within(&self, other: &QPolynomial, budget: &Budget) -> Result<QPolynomial, BudgetSpent> {
        let mut spent = Ok(());
        let product = self.zip(other, Val::mul, |a, b| {
            a.mul(b, budget).unwrap_or_else(|e| {
                spent = Err(e);
                Poly::zero()
            })
        });
        spent.map(|()| product)
    }

    /// [`QPolynomial::pow`] under a budget.
    ///
    /// # Errors
    /// [`BudgetSpent`]
    pub fn pow_within(&self, exponent: u32, budget: &Budget) -> Result<QPolynomial, BudgetSpent> {
        let mut out = QPolynomial::constant(&self.domain, &Val::from(1));
        if exponent > 0 && self.special.is_some() {
            let odd = exponent % 2 == 1 || self.special == Some(Val::Infty);
            return Ok(if odd { self.clone() } else { self.mul_within(self, budget)? });
        }
        out.divs = self.divs.clone();
        out.poly = self.poly.pow(exponent, budget)?;
        let mut pool = Divs::new(Columns::of(&self.domain).len());
        let poly = out.import_into(&mut pool);
        Ok(QPolynomial::finish(self.domain.clone(), pool, &poly))
    }

    crate::budget::within! {
        /// `x -> self(x) * other(x)`
        ///
        /// # Panics
        /// If the domain tuples differ; parameters are aligned by name.
        pub fn mul = mul_within(&self, other: &QPolynomial) -> QPolynomial;
        /// `x -> self(x)^exponent`
        pub fn pow = pow_within(&self, exponent: u32) -> QPolynomial;
    }

    /// `x -> factor * self(x)`
    pub fn scale_rat(&self, factor: &Rat) -> QPolynomial {
        match &self.special {
            Some(special) => QPolynomial::constant(&self.domain, &special.mul(&Val::Rat(factor.clone()))),
            None if *factor.numer() == 0.into() => QPolynomial::zero(&self.domain),
            None => QPolynomial { poly: self.poly.scale(factor), ..self.clone() },
        }
    }

    /// `x -> factor * self(x)`
    pub fn scale(&self, factor: &Int) -> QPolynomial {
        self.scale_rat(&rat::ratio(factor, &Int::ONE))
    }

    /// `x -> self(x) / divisor`; NaN for 0.
    pub fn scale_down(&self, divisor: &Int) -> QPolynomial {
        if divisor.is_zero() {
            return QPolynomial::constant(&self.domain, &Val::NaN);
        }
        self.scale_rat(&rat::ratio(&Int::ONE, divisor))
    }

    /// `x -> self(f(x))`: every dimension of the domain tuple is replaced by an element of `f`.
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback(&self, f: &MultiAff) -> QPolynomial {
        assert!(
            self.domain.range_tuple() == f.space.range_tuple() || (self.domain.is_params() && f.elements.is_empty()),
            "pullback of a quasi-polynomial on {} by a function in {}",
            self.domain,
            f.space
        );
        let domain = f.domain_space().union_params(&self.domain);
        if let Some(special) = &self.special {
            return QPolynomial::constant(&domain, special);
        }
        if f.elements.iter().any(Aff::is_nan) {
            return QPolynomial::constant(&domain, &Val::NaN);
        }
        let mut pool = Divs::new(Columns::of(&domain).len());
        let mut images = vec![pool.column(0)];
        images.extend(self.domain.param_ids().iter().map(|p| pool.column(1 + domain.param_position(p).expect("aligned"))));
        images.extend(f.elements.iter().map(|e| e.onto(&domain).import_into(&mut pool)));
        match self.compose_into(&mut pool, images, &Budget::UNLIMITED) {
            Ok(poly) => QPolynomial::finish(domain, pool, &poly),
            Err(_) => unreachable!("an unlimited budget is never spent"),
        }
    }
}

impl From<&Aff> for QPolynomial {
    fn from(aff: &Aff) -> QPolynomial {
        if aff.is_nan() {
            return QPolynomial::constant(&aff.domain, &Val::NaN);
        }
        let mut pool = Divs::new(Columns::of(&aff.domain).len());
        let e = aff.import_into(&mut pool);
        QPolynomial::finish(aff.domain.clone(), pool, &Poly::of(&e))
    }
}

impl From<Aff> for QPolynomial {
    fn from(aff: Aff) -> QPolynomial {
        QPolynomial::from(&aff)
    }
}
