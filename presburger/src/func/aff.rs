//! Quasi-affine functions: construction, what they are made of, exact arithmetic.
//!
//! Every result is in normal form: numerator and denominator have no common factor, divisions are normalized
//! ([`Divs`]), equal ones are shared, unused ones dropped, and the rest are in a canonical order. Equality of values (`==`) is
//! equality of that form; two different forms can still be one function ([`Aff::is_equal`] decides that).
//!
//! NaN (a quotient by zero) is contagious and compares as false.

use super::divs::{Divs, Expr};
use super::{Aff, MultiAff};
use crate::linalg::Row;
use crate::rat::{self, Rat};
use crate::system::Div;
use crate::{Columns, Dim, Error, Int, Space};

impl Aff {
    /// `{ x -> [0] }` on a domain: a set space, or a space of parameters.
    ///
    /// # Panics
    /// If `domain` is a map space (as every constructor of this type).
    #[track_caller]
    pub fn zero(domain: &Space) -> Aff {
        assert!(!domain.is_map(), "an affine expression needs a set space or a parameter space, not {domain}");
        Aff { domain: domain.clone(), divs: Vec::new(), num: Row::zero(Columns::of(domain).len()), den: Int::ONE }
    }

    /// `{ x -> [value] }`
    ///
    /// ```
    /// use loopwright_presburger::{Aff, Dim, Int, Space, Tuple};
    /// let s = Space::set(&["n"], Tuple::named("S", &["i"]));
    /// let i = Aff::var(&s, Dim::SET, 0);
    /// let n = Aff::param(&s, "n");
    /// let e = n.sub(&i).add(&Aff::constant(&s, &Int::from(1))); // n - i + 1
    /// assert_eq!(e.eval(&[Int::from(10)], &[Int::from(3)]).unwrap().to_string(), "8");
    /// ```
    #[track_caller]
    pub fn constant(domain: &Space, value: &Int) -> Aff {
        let mut out = Aff::zero(domain);
        out.num.set(0, value.clone());
        out
    }

    /// `{ x -> [value] }` for a rational value.
    #[track_caller]
    pub fn rational(domain: &Space, value: &Rat) -> Aff {
        let (num, den) = rat::parts(value);
        let mut out = Aff::constant(domain, &num);
        out.den = den;
        out
    }

    /// The function that is nowhere defined, the value of `x / 0`.
    #[track_caller]
    pub fn nan(domain: &Space) -> Aff {
        let mut out = Aff::zero(domain);
        out.den = Int::ZERO;
        out
    }

    /// `{ [x0, x1, ..] -> [x_pos] }`, or the parameter at `pos` for [`Dim::Param`].
    ///
    /// # Panics
    /// If the domain has no such dimension. `Dim::In` and `Dim::Out` both mean the domain tuple.
    #[track_caller]
    pub fn var(domain: &Space, kind: Dim, pos: usize) -> Aff {
        let mut out = Aff::zero(domain);
        let dims = Columns::of(domain).dims(tuple_kind(kind));
        assert!(pos < dims.len(), "{domain} has no dimension {pos} of kind {kind:?}");
        out.num.set(dims.start + pos, Int::ONE);
        out
    }

    /// `[name] -> { x -> [name] }`; the parameter is added to the domain if it is not there.
    #[track_caller]
    pub fn param(domain: &Space, name: &str) -> Aff {
        let domain = domain.union_params(&Space::params(&[name]));
        let mut out = Aff::zero(&domain);
        let pos = domain.param_position(name).expect("just added");
        out.num.set(1 + pos, Int::ONE);
        out
    }

    /// From a numerator over `[1 | params | tuple | divs]`, a positive denominator and known divisions of that width.
    ///
    /// # Panics
    /// If the widths do not fit, the denominator is not positive, or a division refers to itself or a later one.
    #[track_caller]
    pub fn from_parts(domain: &Space, divs: &[Div], num: &Row, den: &Int) -> Aff {
        let base = Columns::of(domain).len();
        assert!(!domain.is_map() && num.len() == base + divs.len(), "{num:?} does not fit {domain}");
        assert!(den.is_positive() && divs.iter().all(|d| d.den.is_positive()), "denominators must be positive");
        let later =
            |(i, d): (usize, &Div)| d.num.len() <= num.len() && d.num.is_zero_in((base + i).min(d.num.len())..d.num.len());
        assert!(divs.iter().enumerate().all(later), "a division refers to itself or a later one");
        let mut pool = Divs::new(base);
        let mut images: Vec<Expr> = (0..base).map(|c| pool.column(c)).collect();
        pool.import(divs, &mut images);
        let mut e = pool.linear(num, &images);
        e.den = &e.den * den;
        Aff::finish(domain.clone(), pool, e)
    }

    /// The function of an expression over a pool.
    pub(crate) fn finish(domain: Space, pool: Divs, e: Expr) -> Aff {
        let mut rows = [e.num];
        let divs = pool.finish(&mut rows);
        let [num] = rows;
        Aff { domain, divs, num, den: e.den }.reduced()
    }

    /// Numerator and denominator without common factor.
    fn reduced(self) -> Aff {
        let g = self.num.gcd_in(0..self.num.len()).gcd(&self.den);
        if g.is_one() || g.is_zero() {
            return self;
        }
        Aff { num: self.num.div_exact(&g), den: self.den.div_exact(&g), ..self }
    }

    /// The domain: a set space, or a space of parameters.
    pub fn domain_space(&self) -> &Space {
        &self.domain
    }

    /// The space of the function: `{ S[i] -> [o] }`, or `{ [o] }` over parameters alone.
    pub fn space(&self) -> Space {
        self.domain.with_tuples(self.domain.range_tuple().cloned(), Some(crate::Tuple::anonymous(1)))
    }

    /// The layout of the numerator's columns; the domain tuple is in the range columns, as in a set.
    pub fn columns(&self) -> Columns {
        Columns::of(&self.domain).with_divs(self.divs.len())
    }

    /// The numerator over `[1 | params | tuple | divs]`.
    pub fn num(&self) -> &Row {
        &self.num
    }

    /// The denominator: at least 1, or 0 for NaN.
    pub fn denominator(&self) -> &Int {
        &self.den
    }

    /// The integer divisions: each refers to earlier columns only, the numerators have the width of [`Aff::num`].
    pub fn divs(&self) -> &[Div] {
        &self.divs
    }

    /// Division `i` as a function of its own.
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Dim, Int, Space, Tuple};
    /// let s = Space::set(&[], Tuple::named("S", &["i"]));
    /// let tile = Aff::var(&s, Dim::SET, 0).scale_down(&Int::from(32)).floor();
    /// assert_eq!(tile.div_aff(0), tile);
    /// ```
    ///
    /// # Panics
    /// If there is no division `i`.
    #[track_caller]
    pub fn div_aff(&self, i: usize) -> Aff {
        let mut num = Row::zero(self.num.len());
        num.set(self.columns().div(i), Int::ONE);
        Aff::from_parts(&self.domain, &self.divs, &num, &Int::ONE)
    }

    /// The coefficient of a parameter ([`Dim::Param`]) or a dimension of the domain tuple (any other kind); divisions apart.
    pub fn coefficient(&self, kind: Dim, pos: usize) -> Rat {
        self.at(self.columns().dims(tuple_kind(kind)).start + pos)
    }

    /// The coefficient of division `i`.
    pub fn div_coefficient(&self, i: usize) -> Rat {
        self.at(self.columns().div(i))
    }

    /// The constant term.
    pub fn constant_term(&self) -> Rat {
        self.at(0)
    }

    // NaN has a zero numerator: its coefficients read as 0.
    fn at(&self, col: usize) -> Rat {
        if self.is_nan() { rat::ratio(&Int::ZERO, &Int::ONE) } else { rat::ratio(&self.num.get(col), &self.den) }
    }

    /// Whether this is NaN, the result of a division by zero.
    pub fn is_nan(&self) -> bool {
        self.den.is_zero()
    }

    /// The value, if the function is obviously constant (no variable, parameter or division occurs).
    pub fn as_constant(&self) -> Option<Rat> {
        (!self.is_nan() && self.num.is_zero_in(1..self.num.len())).then(|| self.constant_term())
    }

    /// The integer value, if the function is obviously a constant integer.
    pub fn as_int(&self) -> Option<Int> {
        self.as_constant().as_ref().and_then(rat::integer)
    }

    /// Whether no variable, parameter or division occurs.
    pub fn is_constant(&self) -> bool {
        self.as_constant().is_some()
    }

    /// Whether dimensions `first .. first + n` of a kind occur, in the function or in a division it uses.
    pub fn involves(&self, kind: Dim, first: usize, n: usize) -> bool {
        let start = self.columns().dims(tuple_kind(kind)).start + first;
        let range = start..start + n;
        !self.num.is_zero_in(range.clone()) || self.divs.iter().any(|d| !d.num.is_zero_in(range.clone()))
    }

    /// Whether the value is an integer at every integer point as far as the form shows (denominator 1).
    pub fn is_obviously_integral(&self) -> bool {
        self.den.is_one()
    }

    /// The value at a point: parameters in the order of the space, coordinates of the domain tuple. `None` for NaN.
    ///
    /// # Panics
    /// If there are not as many values as parameters and dimensions.
    #[track_caller]
    pub fn eval(&self, params: &[Int], coords: &[Int]) -> Option<Rat> {
        let base = Columns::of(&self.domain);
        assert!(params.len() == base.params && coords.len() == base.range, "a point of {} is needed", self.domain);
        if self.is_nan() {
            return None;
        }
        let mut point: Vec<Int> = std::iter::once(&Int::ONE).chain(params).chain(coords).cloned().collect();
        point.resize(self.num.len(), Int::ZERO);
        for (i, d) in self.divs.iter().enumerate() {
            point[base.len() + i] = d.num.dot(&point).div_floor(&d.den);
        }
        Some(rat::ratio(&self.num.dot(&point), &self.den))
    }

    /// This function over a domain with more parameters.
    pub(crate) fn aligned(&self, model: &Space) -> Aff {
        let domain = self.domain.union_params(model);
        if domain.param_ids() == self.domain.param_ids() {
            return self.clone();
        }
        self.onto(&domain)
    }

    /// The same function over another domain with the same number of dimensions that has all parameters that occur.
    pub(crate) fn onto(&self, domain: &Space) -> Aff {
        let columns = Columns::of(domain);
        let old = self.columns();
        let mut source = vec![Some(0)];
        source.extend(domain.param_ids().iter().map(|p| self.domain.param_position(p).map(|i| 1 + i)));
        source.extend((0..columns.range).map(|i| Some(1 + old.params + i)));
        source.extend(old.div_range().map(Some));
        let divs = self.divs.iter().map(|d| Div { num: d.num.gather(&source), den: d.den.clone() }).collect();
        Aff { domain: domain.clone(), divs, num: self.num.gather(&source), den: self.den.clone() }
    }

    /// The same function under another domain tuple of as many dimensions (names and nesting change, values do not).
    ///
    /// # Panics
    /// If the numbers of dimensions differ.
    #[track_caller]
    pub fn with_domain_tuple(&self, tuple: Option<crate::Tuple>) -> Aff {
        let domain = self.domain.with_tuples(None, tuple);
        assert_eq!(domain.dim(Dim::Out), self.domain.dim(Dim::Out), "{domain} is no renaming of {}", self.domain);
        Aff { domain, ..self.clone() }
    }

    /// This function with the parameters of `model` added.
    pub fn align_params(&self, model: &Space) -> Aff {
        self.aligned(model)
    }

    #[track_caller]
    fn check(&self, other: &Aff) {
        if let Err(e) = self.domain.check_same(&other.domain) {
            panic!("{e}");
        }
    }

    /// Applies `f` to the expressions of both functions over one pool; the result lives on the left operand's domain.
    #[track_caller]
    fn zip(&self, other: &Aff, f: impl FnOnce(&mut Divs, &Expr, &Expr) -> Expr) -> Aff {
        self.check(other);
        let (a, b) = (self.aligned(&other.domain), other.aligned(&self.domain));
        if a.is_nan() || b.is_nan() {
            return Aff::nan(&a.domain);
        }
        let mut pool = Divs::new(Columns::of(&a.domain).len());
        let (x, y) = (a.import_into(&mut pool), b.import_into(&mut pool));
        let e = f(&mut pool, &x, &y);
        Aff::finish(a.domain, pool, e)
    }

    /// The function as an expression over a pool with the same plain columns.
    pub(crate) fn import_into(&self, pool: &mut Divs) -> Expr {
        let base = Columns::of(&self.domain).len();
        if self.divs.is_empty() {
            return Expr { num: self.num.clone(), den: self.den.clone() };
        }
        let images = (0..base).map(|c| pool.column(c)).collect();
        self.compose_into(pool, images)
    }

    /// The function of plain columns with the given images.
    pub(crate) fn compose_into(&self, pool: &mut Divs, mut images: Vec<Expr>) -> Expr {
        pool.import(&self.divs, &mut images);
        let e = pool.linear(&self.num, &images);
        Expr { num: e.num, den: &e.den * &self.den }
    }

    /// `a*self + b*other`, without a pool where no division occurs.
    #[track_caller]
    fn combine(&self, a: &Int, other: &Aff, b: &Int) -> Aff {
        self.zip(other, |_, x, y| x.combine(a, y, b))
    }

    /// `x -> self(x) + other(x)`
    ///
    /// # Panics
    /// If the domain tuples differ (as every binary operation); parameters are aligned by name.
    #[track_caller]
    pub fn add(&self, other: &Aff) -> Aff {
        self.combine(&Int::ONE, other, &Int::ONE)
    }

    /// `x -> self(x) - other(x)`
    #[track_caller]
    pub fn sub(&self, other: &Aff) -> Aff {
        self.combine(&Int::ONE, other, &Int::MINUS_ONE)
    }

    /// `x -> -self(x)`
    pub fn neg(&self) -> Aff {
        Aff { num: self.num.neg(), ..self.clone() }
    }

    /// `x -> self(x) + value`
    pub fn add_constant(&self, value: &Int) -> Aff {
        let mut out = self.clone();
        if !self.is_nan() {
            out.num.add_at(0, &(value * &self.den));
        }
        out
    }

    /// `x -> factor * self(x)`
    pub fn scale(&self, factor: &Int) -> Aff {
        let num = self.num.scale(factor);
        Aff { num, ..self.clone() }.reduced().compacted()
    }

    /// `x -> self(x) / divisor`, exact and rational: `i/2` is 1/2 at 1. NaN for 0. See [`Aff::floor`].
    pub fn scale_down(&self, divisor: &Int) -> Aff {
        if divisor.is_zero() || self.is_nan() {
            return Aff::nan(&self.domain);
        }
        let num = if divisor.is_negative() { self.num.neg() } else { self.num.clone() };
        Aff { num, den: &self.den * &divisor.abs(), ..self.clone() }.reduced()
    }

    /// `x -> factor * self(x)` for a rational factor.
    pub fn scale_rat(&self, factor: &Rat) -> Aff {
        let (num, den) = rat::parts(factor);
        self.scale(&num).scale_down(&den)
    }

    // After a multiplication by zero no division is used.
    fn compacted(self) -> Aff {
        let first = Columns::of(&self.domain).len();
        if self.divs.is_empty() || !self.num.is_zero_in(first..self.num.len()) {
            return self;
        }
        Aff { num: self.num.without(first, self.divs.len()), divs: Vec::new(), ..self }
    }

    /// `x -> self(x) * other(x)`
    ///
    /// # Errors
    /// If neither function is a constant: the product would not be affine.
    #[track_caller]
    pub fn mul(&self, other: &Aff) -> Result<Aff, Error> {
        self.check(other);
        if self.is_nan() || other.is_nan() {
            return Ok(Aff::nan(&self.aligned(&other.domain).domain));
        }
        match (self.as_constant(), other.as_constant()) {
            (_, Some(c)) => Ok(self.aligned(&other.domain).scale_rat(&c)),
            (Some(c), None) => {
                let domain = self.domain.union_params(&other.domain);
                Ok(other.onto(&domain).scale_rat(&c))
            }
            (None, None) => Err(Error::Domain(format!(
                "the product of two functions of {} that both vary is not affine; one factor must be a constant",
                self.domain
            ))),
        }
    }

    /// `x -> self(x) / other(x)`, exact and rational; NaN if the divisor is 0.
    ///
    /// # Errors
    /// If the divisor is not a constant.
    #[track_caller]
    pub fn div(&self, other: &Aff) -> Result<Aff, Error> {
        self.check(other);
        let aligned = self.aligned(&other.domain);
        if self.is_nan() || other.is_nan() {
            return Ok(Aff::nan(&aligned.domain));
        }
        match other.as_constant() {
            Some(c) => {
                let (num, den) = rat::parts(&c);
                Ok(aligned.scale_down(&num).scale(&den))
            }
            None => Err(Error::Domain(format!("a quotient by a function of {} that varies is not affine", other.domain))),
        }
    }

    /// `x -> floor(self(x))`
    ///
    /// ```
    /// # use loopwright_presburger::{Aff, Dim, Int, Space, Tuple};
    /// let s = Space::set(&[], Tuple::named("S", &["i"]));
    /// let i = Aff::var(&s, Dim::SET, 0);
    /// // Tiles of tiles are tiles: floor(floor(i/8)/4) = floor(i/32).
    /// let tile = |e: &Aff, size: i64| e.scale_down(&Int::from(size)).floor();
    /// assert_eq!(tile(&tile(&i, 8), 4), tile(&i, 32));
    /// ```
    pub fn floor(&self) -> Aff {
        if self.den.is_one() || self.is_nan() {
            return self.clone();
        }
        let mut pool = Divs::new(Columns::of(&self.domain).len());
        let e = self.import_into(&mut pool);
        let e = pool.floor_expr(&e);
        Aff::finish(self.domain.clone(), pool, e)
    }

    /// `x -> ceil(self(x)) = -floor(-self(x))`
    pub fn ceil(&self) -> Aff {
        self.neg().floor().neg()
    }

    /// `x -> self(x) - m * floor(self(x) / m)`, in `[0, m)`.
    ///
    /// # Panics
    /// If `m` is not positive.
    #[track_caller]
    pub fn modulo(&self, m: &Int) -> Aff {
        assert!(m.is_positive(), "modulo {m}, which is not positive");
        self.sub(&self.scale_down(m).floor().scale(m))
    }

    /// `x -> self(f(x))`: every dimension of the domain tuple is replaced by an element of `f`.
    ///
    /// # Panics
    /// If the range tuple of `f` is not the domain tuple of `self`.
    #[track_caller]
    pub fn pullback(&self, f: &MultiAff) -> Aff {
        assert!(
            self.domain.range_tuple() == f.space.range_tuple() || (self.domain.is_params() && f.elements.is_empty()),
            "pullback of a function of {} by one of {}",
            self.domain,
            f.space
        );
        let domain = f.domain_space().union_params(&self.domain);
        if self.is_nan() || f.elements.iter().any(Aff::is_nan) {
            return Aff::nan(&domain);
        }
        let mut pool = Divs::new(Columns::of(&domain).len());
        let mut images = vec![pool.column(0)];
        images.extend(self.domain.param_ids().iter().map(|p| pool.column(1 + domain.param_position(p).expect("aligned"))));
        images.extend(f.elements.iter().map(|e| e.onto(&domain).import_into(&mut pool)));
        let e = self.compose_into(&mut pool, images);
        Aff::finish(domain, pool, e)
    }

    /// This function on a larger domain tuple: dimension `i` of the old tuple is dimension `positions[i]` of the new one.
    ///
    /// # Panics
    /// If there are not as many positions as old dimensions.
    #[track_caller]
    pub fn on_domain(&self, domain: &Space, positions: &[usize]) -> Aff {
        assert_eq!(positions.len(), self.domain.dim(Dim::Out), "a position for each dimension of {}", self.domain);
        let domain = domain.union_params(&self.domain);
        if self.is_nan() {
            return Aff::nan(&domain);
        }
        let mut pool = Divs::new(Columns::of(&domain).len());
        let mut images = vec![pool.column(0)];
        images.extend(self.domain.param_ids().iter().map(|p| pool.column(1 + domain.param_position(p).expect("aligned"))));
        images.extend(positions.iter().map(|&p| pool.column(1 + domain.dim(Dim::Param) + p)));
        let e = self.compose_into(&mut pool, images);
        Aff::finish(domain, pool, e)
    }
}

// A function has one tuple in front: both kinds of tuple dimension mean it.
fn tuple_kind(kind: Dim) -> Dim {
    if kind == Dim::Param { Dim::Param } else { Dim::Out }
}
