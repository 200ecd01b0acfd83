//! Affine expressions and conditions over counters and parameters, before they become sets.
//!
//! A [`Lin`] is `c + sum a_v v` over variables `v`: counters (by depth), parameters (by name), and integer divisions
//! `floor(lin / d)`. A [`Formula`] combines `lin >= 0`, `lin = 0`, `lin != 0` with and/or; negation is pushed to the atoms, so
//! no complement of a set is ever needed. A [`Value`] is a piecewise expression: pieces with disjoint conditions that cover
//! everything. Coefficients are checked `i128`s; an overflow is [`Overflow`], never a wrong number.

use std::collections::BTreeMap;

/// A coefficient or a number of cases is out of reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Overflow {
    /// A coefficient left +-2^100.
    Coefficient,
    /// More than [`MAX_CASES`] cases, or more than [`MAX_SIZE`] parts.
    Cases,
}

/// More pieces or disjuncts than this are refused.
pub const MAX_CASES: usize = 512;

/// Conditions and expressions with more atoms and terms than this are refused.
pub const MAX_SIZE: usize = 1 << 15;

/// So are numerators of divisions with more terms than this: each remainder of a remainder doubles them.
const MAX_NUMERATOR: usize = 1 << 9;

const MAX_COEFFICIENT: i128 = 1 << 100;

/// A variable of a linear expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// A parameter.
    Param(String),
    /// The counter of the loop at this depth, 0 outermost.
    Dim(usize),
    /// `floor(numerator / denominator)`.
    Floor(Box<Lin>, i128),
}

/// `constant + sum coefficient * variable`, without zero coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lin {
    /// Coefficients by variable; none is 0.
    pub terms: BTreeMap<Var, i128>,
    /// The constant.
    pub constant: i128,
}

impl Lin {
    /// A constant.
    pub fn constant(value: i128) -> Lin {
        Lin { terms: BTreeMap::new(), constant: value }
    }

    /// A variable.
    pub fn var(var: Var) -> Lin {
        Lin { terms: [(var, 1)].into(), constant: 0 }
    }

    /// The value, if no variable occurs.
    pub fn as_constant(&self) -> Option<i128> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// `self + factor * other`.
    pub fn plus(&self, factor: i128, other: &Lin) -> Result<Lin, Overflow> {
        let mut sum = self.clone();
        sum.constant = combine(sum.constant, factor, other.constant)?;
        for (var, c) in &other.terms {
            let value = combine(sum.terms.get(var).copied().unwrap_or(0), factor, *c)?;
            if value == 0 {
                sum.terms.remove(var);
            } else {
                sum.terms.insert(var.clone(), value);
            }
        }
        Ok(sum)
    }

    /// `self + constant`.
    pub fn plus_constant(&self, constant: i128) -> Result<Lin, Overflow> {
        self.plus(1, &Lin::constant(constant))
    }

    /// `factor * self`.
    pub fn times(&self, factor: i128) -> Result<Lin, Overflow> {
        Lin::default().plus(factor, self)
    }

    /// `floor(self / d)` for `d > 0`.
    pub fn floor_div(&self, d: i128) -> Result<Lin, Overflow> {
        debug_assert!(d > 0);
        match self.as_constant() {
            Some(c) => Ok(Lin::constant(c.div_euclid(d))),
            None if d == 1 => Ok(self.clone()),
            None if self.size() > MAX_NUMERATOR => Err(Overflow::Cases),
            None => Ok(Lin::var(Var::Floor(Box::new(self.clone()), d))),
        }
    }

    /// The number of terms, those of numerators included, and one.
    pub fn size(&self) -> usize {
        let term = |var: &Var| match var {
            Var::Param(_) | Var::Dim(_) => 1,
            Var::Floor(inner, _) => 1 + inner.size(),
        };
        1 + self.terms.keys().map(term).sum::<usize>()
    }

    /// Whether the counter of `depth` occurs, divisions included.
    pub fn mentions(&self, depth: usize) -> bool {
        self.terms.keys().any(|var| match var {
            Var::Param(_) => false,
            Var::Dim(d) => *d == depth,
            Var::Floor(inner, _) => inner.mentions(depth),
        })
    }

    /// The coefficient of the counter of `depth`, if the counter occurs in no division.
    pub fn coefficient(&self, depth: usize) -> Option<i128> {
        let in_division = self.terms.keys().any(|v| matches!(v, Var::Floor(inner, _) if inner.mentions(depth)));
        (!in_division).then(|| self.terms.get(&Var::Dim(depth)).copied().unwrap_or(0))
    }

    /// This expression with `value` for the counter of `depth`.
    pub fn substitute(&self, depth: usize, value: &Lin) -> Result<Lin, Overflow> {
        let mut sum = Lin::constant(self.constant);
        for (var, c) in &self.terms {
            let term = match var {
                Var::Dim(d) if *d == depth => value.clone(),
                Var::Floor(inner, d) if inner.mentions(depth) => inner.substitute(depth, value)?.floor_div(*d)?,
                other => Lin::var(other.clone()),
            };
            sum = sum.plus(*c, &term)?;
        }
        Ok(sum)
    }
}

fn combine(a: i128, factor: i128, b: i128) -> Result<i128, Overflow> {
    let value = factor.checked_mul(b).and_then(|p| p.checked_add(a)).ok_or(Overflow::Coefficient)?;
    if value.abs() > MAX_COEFFICIENT { Err(Overflow::Coefficient) } else { Ok(value) }
}

/// A condition on counters and parameters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// `lin >= 0`
    Ge(Lin),
    /// `lin = 0`
    Eq(Lin),
    /// `lin != 0`
    Ne(Lin),
    /// All of them; true if there are none.
    And(Vec<Formula>),
    /// One of them; false if there are none.
    Or(Vec<Formula>),
}

impl Formula {
    /// What always holds.
    pub fn truth() -> Formula {
        Formula::And(Vec::new())
    }

    /// What never holds.
    pub fn falsity() -> Formula {
        Formula::Or(Vec::new())
    }

    /// Whether this is obviously true.
    pub fn is_truth(&self) -> bool {
        matches!(self, Formula::And(parts) if parts.is_empty())
    }

    /// Whether this is obviously false.
    pub fn is_falsity(&self) -> bool {
        matches!(self, Formula::Or(parts) if parts.is_empty())
    }

    /// `lin >= 0`, decided if constant.
    pub fn ge(lin: Lin) -> Formula {
        match lin.as_constant() {
            Some(c) if c >= 0 => Formula::truth(),
            Some(_) => Formula::falsity(),
            None => Formula::Ge(lin),
        }
    }

    /// `lin = 0`, decided if constant.
    pub fn eq(lin: Lin) -> Formula {
        match lin.as_constant() {
            Some(0) => Formula::truth(),
            Some(_) => Formula::falsity(),
            None => Formula::Eq(lin),
        }
    }

    /// `self and other`.
    pub fn and(self, other: Formula) -> Formula {
        match (self, other) {
            (a, b) if a.is_truth() || b.is_falsity() => b,
            (a, b) if b.is_truth() || a.is_falsity() => a,
            (Formula::And(mut a), Formula::And(b)) => {
                a.extend(b);
                Formula::And(a)
            }
            (Formula::And(mut a), b) => {
                a.push(b);
                Formula::And(a)
            }
            (a, Formula::And(mut b)) => {
                b.insert(0, a);
                Formula::And(b)
            }
            (a, b) => Formula::And(vec![a, b]),
        }
    }

    /// `self or other`.
    pub fn or(self, other: Formula) -> Formula {
        match (self, other) {
            (a, b) if a.is_falsity() || b.is_truth() => b,
            (a, b) if b.is_falsity() || a.is_truth() => a,
            (Formula::Or(mut a), b) => {
                a.push(b);
                Formula::Or(a)
            }
            (a, b) => Formula::Or(vec![a, b]),
        }
    }

    /// `not self`.
    pub fn not(&self) -> Result<Formula, Overflow> {
        Ok(match self {
            Formula::Ge(lin) => Formula::ge(lin.times(-1)?.plus_constant(-1)?),
            Formula::Eq(lin) => Formula::Ne(lin.clone()),
            Formula::Ne(lin) => Formula::Eq(lin.clone()),
            Formula::And(parts) => parts.iter().try_fold(Formula::falsity(), |all, part| Ok(all.or(part.not()?)))?,
            Formula::Or(parts) => parts.iter().try_fold(Formula::truth(), |all, part| Ok(all.and(part.not()?)))?,
        })
    }

    /// The number of atoms and their terms.
    pub fn size(&self) -> usize {
        match self {
            Formula::Ge(lin) | Formula::Eq(lin) | Formula::Ne(lin) => lin.size(),
            Formula::And(parts) | Formula::Or(parts) => 1 + parts.iter().map(Formula::size).sum::<usize>(),
        }
    }

    /// Whether the counter of `depth` occurs.
    pub fn mentions(&self, depth: usize) -> bool {
        match self {
            Formula::Ge(lin) | Formula::Eq(lin) | Formula::Ne(lin) => lin.mentions(depth),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().any(|p| p.mentions(depth)),
        }
    }

    /// This condition with `value` for the counter of `depth`.
    pub fn substitute(&self, depth: usize, value: &Lin) -> Result<Formula, Overflow> {
        Ok(match self {
            Formula::Ge(lin) => Formula::ge(lin.substitute(depth, value)?),
            Formula::Eq(lin) => Formula::eq(lin.substitute(depth, value)?),
            Formula::Ne(lin) => Formula::eq(lin.substitute(depth, value)?).not()?,
            Formula::And(parts) => parts.iter().try_fold(Formula::truth(), |all, p| Ok(all.and(p.substitute(depth, value)?)))?,
            Formula::Or(parts) => parts.iter().try_fold(Formula::falsity(), |all, p| Ok(all.or(p.substitute(depth, value)?)))?,
        })
    }

    /// Disjunctive normal form: atoms `lin >= 0` ([`Atom::Ge`]) and `lin = 0` ([`Atom::Eq`]).
    pub fn disjuncts(&self) -> Result<Vec<Vec<Atom>>, Overflow> {
        let cases = match self {
            Formula::Ge(lin) => vec![vec![Atom::Ge(lin.clone())]],
            Formula::Eq(lin) => vec![vec![Atom::Eq(lin.clone())]],
            Formula::Ne(lin) => vec![vec![Atom::Ge(lin.plus_constant(-1)?)], vec![Atom::Ge(lin.times(-1)?.plus_constant(-1)?)]],
            Formula::Or(parts) => {
                let mut cases = Vec::new();
                for part in parts {
                    cases.extend(part.disjuncts()?);
                }
                cases
            }
            Formula::And(parts) => {
                let mut cases = vec![Vec::new()];
                for part in parts {
                    let part = part.disjuncts()?;
                    let atoms = |cases: &[Vec<Atom>]| cases.iter().map(Vec::len).sum::<usize>();
                    let product = atoms(&cases) * part.len() + atoms(&part) * cases.len();
                    if cases.len() * part.len() > MAX_CASES || product > MAX_SIZE {
                        return Err(Overflow::Cases);
                    }
                    match &part[..] {
                        [only] => cases.iter_mut().for_each(|case| case.extend(only.iter().cloned())),
                        _ => {
                            let join = |a: &Vec<Atom>| {
                                let a = a.clone();
                                part.iter().map(move |b| a.iter().chain(b).cloned().collect())
                            };
                            cases = cases.iter().flat_map(join).collect::<Vec<Vec<Atom>>>();
                        }
                    }
                }
                cases
            }
        };
        if cases.len() > MAX_CASES { Err(Overflow::Cases) } else { Ok(cases) }
    }
}

/// One constraint of a conjunction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Atom {
    /// `lin >= 0`
    Ge(Lin),
    /// `lin = 0`
    Eq(Lin),
}

/// A piecewise expression: the conditions are disjoint and cover everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// Condition and expression of each piece.
    pub pieces: Vec<(Formula, Lin)>,
}

impl Value {
    /// These pieces, if they are not too many.
    fn of(pieces: Vec<(Formula, Lin)>) -> Result<Value, Overflow> {
        let value = Value { pieces };
        if value.pieces.len() > MAX_CASES || value.size() > MAX_SIZE { Err(Overflow::Cases) } else { Ok(value) }
    }

    /// The number of atoms and terms.
    pub fn size(&self) -> usize {
        self.pieces.iter().map(|(condition, lin)| condition.size() + lin.size()).sum()
    }

    /// The same expression everywhere.
    pub fn linear(lin: Lin) -> Value {
        Value { pieces: vec![(Formula::truth(), lin)] }
    }

    /// A constant.
    pub fn constant(value: i128) -> Value {
        Value::linear(Lin::constant(value))
    }

    /// The expression, if it is the same everywhere.
    pub fn as_linear(&self) -> Option<&Lin> {
        match self.pieces.as_slice() {
            [(_, lin)] => Some(lin),
            _ => None,
        }
    }

    /// The constant, if this is one.
    pub fn as_constant(&self) -> Option<i128> {
        self.as_linear().and_then(Lin::as_constant)
    }

    /// `if condition then self else other`.
    pub fn choose(condition: &Formula, then: Value, otherwise: Value) -> Result<Value, Overflow> {
        if condition.is_truth() || then == otherwise {
            return Ok(then);
        }
        if condition.is_falsity() {
            return Ok(otherwise);
        }
        if condition.size() * (then.pieces.len() + otherwise.pieces.len()) > MAX_SIZE {
            return Err(Overflow::Cases);
        }
        let not = condition.not()?;
        let guarded = |value: Value, guard: &Formula| {
            let guard = guard.clone();
            value.pieces.into_iter().map(move |(c, lin)| (guard.clone().and(c), lin))
        };
        Value::of(guarded(then, condition).chain(guarded(otherwise, &not)).collect())
    }

    /// A function of every piece.
    pub fn map(&self, mut f: impl FnMut(&Lin) -> Result<Value, Overflow>) -> Result<Value, Overflow> {
        let mut pieces = Vec::new();
        for (condition, lin) in &self.pieces {
            for (c, value) in f(lin)?.pieces {
                pieces.push((condition.clone().and(c), value));
            }
        }
        Value::of(pieces)
    }

    /// A function of every pair of pieces.
    pub fn zip(&self, other: &Value, f: impl Fn(&Lin, &Lin) -> Result<Lin, Overflow>) -> Result<Value, Overflow> {
        let (m, n) = (self.pieces.len(), other.pieces.len());
        if m * n > MAX_CASES || m * other.size() + n * self.size() > MAX_SIZE {
            return Err(Overflow::Cases);
        }
        let mut pieces = Vec::new();
        for (ca, a) in &self.pieces {
            for (cb, b) in &other.pieces {
                pieces.push((ca.clone().and(cb.clone()), f(a, b)?));
            }
        }
        Value::of(pieces)
    }

    /// The condition that `test` holds of the value.
    pub fn holds(&self, test: impl Fn(&Lin) -> Result<Formula, Overflow>) -> Result<Formula, Overflow> {
        let mut any = Formula::falsity();
        for (condition, lin) in &self.pieces {
            any = any.or(condition.clone().and(test(lin)?));
        }
        Ok(any)
    }

    /// C's division by a constant, which truncates toward zero.
    pub fn truncated_div(&self, d: i128) -> Result<Value, Overflow> {
        let (d, sign) = (d.abs(), d.signum());
        self.map(|lin| {
            let up = Value::linear(lin.floor_div(d)?.times(sign)?);
            let down = Value::linear(lin.times(-1)?.floor_div(d)?.times(-sign)?);
            Value::choose(&Formula::ge(lin.clone()), up, down)
        })
    }

    /// C's remainder by a constant: it has the sign of the dividend.
    pub fn truncated_rem(&self, d: i128) -> Result<Value, Overflow> {
        let mut pieces = Vec::new();
        for (condition, lin) in &self.pieces {
            let own = Value { pieces: vec![(condition.clone(), lin.clone())] }.truncated_div(d.abs())?;
            for (c, q) in own.pieces {
                pieces.push((c, lin.plus(-d.abs(), &q)?));
            }
        }
        Value::of(pieces)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eval(lin: &Lin, i: i128) -> i128 {
        let term = |(var, c): (&Var, &i128)| match var {
            Var::Dim(_) => c * i,
            Var::Floor(inner, d) => c * eval(inner, i).div_euclid(*d),
            Var::Param(_) => unreachable!(),
        };
        lin.constant + lin.terms.iter().map(term).sum::<i128>()
    }

    fn holds(f: &Formula, i: i128) -> bool {
        match f {
            Formula::Ge(lin) => eval(lin, i) >= 0,
            Formula::Eq(lin) => eval(lin, i) == 0,
            Formula::Ne(lin) => eval(lin, i) != 0,
            Formula::And(parts) => parts.iter().all(|p| holds(p, i)),
            Formula::Or(parts) => parts.iter().any(|p| holds(p, i)),
        }
    }

    fn at(value: &Value, i: i128) -> i128 {
        let mut of = value.pieces.iter().filter(|(c, _)| holds(c, i)).map(|(_, lin)| eval(lin, i));
        let only = of.next().expect("pieces cover everything");
        assert_eq!(of.next(), None, "pieces are disjoint");
        only
    }

    #[test]
    fn division_is_that_of_c() {
        let i = Value::linear(Lin::var(Var::Dim(0)));
        for d in [1, 2, 3, 7, -1, -2, -5] {
            let (q, r) = (i.truncated_div(d).unwrap(), i.truncated_rem(d).unwrap());
            for x in -20..20 {
                assert_eq!((at(&q, x), at(&r, x)), (x / d, x % d), "{x} {d}");
            }
        }
    }

    #[test]
    fn negation_and_normal_form() {
        let i = Lin::var(Var::Dim(0));
        let even = Formula::eq(i.plus(-2, &i.floor_div(2).unwrap()).unwrap());
        let f = even.and(Formula::ge(i.plus_constant(-3).unwrap())).or(Formula::Ne(i.plus_constant(-5).unwrap()));
        let not = f.not().unwrap();
        let dnf = f.disjuncts().unwrap();
        let atom = |a: &Atom, x| match a {
            Atom::Ge(lin) => eval(lin, x) >= 0,
            Atom::Eq(lin) => eval(lin, x) == 0,
        };
        for x in -10..10 {
            assert_ne!(holds(&f, x), holds(&not, x));
            assert_eq!(holds(&f, x), dnf.iter().any(|case| case.iter().all(|a| atom(a, x))));
        }
    }

    #[test]
    fn substitution() {
        let i = Lin::var(Var::Dim(0));
        let e = i.floor_div(2).unwrap().plus(3, &i).unwrap();
        assert_eq!(e.substitute(0, &Lin::constant(5)).unwrap(), Lin::constant(17));
        assert_eq!(e.coefficient(0), None);
        assert!(i.times(1 << 99).unwrap().times(4).is_err());
    }
}
