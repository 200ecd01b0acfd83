//! Expressions of generated code: integers, identifiers, and what loop bounds, conditions and subscripts need.
//!
//! The value of an expression is a mathematical integer (a truth value for conditions); [`crate::typing`] proves afterwards
//! that C's arithmetic computes the same. Divisors are positive constants.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::error::Error;

/// A comparison of two integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `=`
    Eq,
    /// `<=`
    Le,
    /// `>=`
    Ge,
}

/// An expression of generated code.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// An integer.
    Int(i128),
    /// A parameter or a counter.
    Id(Arc<str>),
    /// `-e`
    Neg(Box<Expr>),
    /// `a + b`
    Add(Box<Expr>, Box<Expr>),
    /// `a - b`
    Sub(Box<Expr>, Box<Expr>),
    /// `c * e` for a constant c.
    Mul(i128, Box<Expr>),
    /// `floor(e / d)`
    FloorDiv(Box<Expr>, i128),
    /// `ceil(e / d)`
    CeilDiv(Box<Expr>, i128),
    /// `e / d` where e is a multiple of d or is not negative: C's division gives the floor.
    Div(Box<Expr>, i128),
    /// `e mod d` where e is not negative: C's remainder is the modulus.
    Rem(Box<Expr>, i128),
    /// The least of one or more values.
    Min(Vec<Expr>),
    /// The greatest of one or more values.
    Max(Vec<Expr>),
    /// `a op b`
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `d` divides `e`.
    Divides(i128, Box<Expr>),
    /// All of these; none: true.
    And(Vec<Expr>),
    /// One of these; none: false.
    Or(Vec<Expr>),
    /// Not this.
    Not(Box<Expr>),
    /// The same value, computed in 64 bits.
    Wide(Box<Expr>),
}

impl Expr {
    /// The identifier `name`.
    #[must_use]
    pub fn id(name: &str) -> Expr {
        Expr::Id(Arc::from(name))
    }

    /// The condition that always holds.
    #[must_use]
    pub fn always() -> Expr {
        Expr::And(Vec::new())
    }

    /// The condition that never holds.
    #[must_use]
    pub fn never() -> Expr {
        Expr::Or(Vec::new())
    }

    /// Is this the empty conjunction?
    #[must_use]
    pub fn is_always(&self) -> bool {
        matches!(self, Expr::And(parts) if parts.is_empty())
    }

    /// Is this the empty disjunction?
    #[must_use]
    pub fn is_never(&self) -> bool {
        matches!(self, Expr::Or(parts) if parts.is_empty())
    }

    /// The conjunction, flattened, without repetitions.
    #[must_use]
    pub fn all(parts: impl IntoIterator<Item = Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        for part in parts {
            let inner = if let Expr::And(inner) = part { inner } else { vec![part] };
            for condition in inner {
                if condition.is_never() {
                    return Expr::never();
                }
                if !flat.contains(&condition) {
                    flat.push(condition);
                }
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Expr::And(flat) }
    }

    /// The disjunction, flattened, without repetitions.
    #[must_use]
    pub fn any(parts: impl IntoIterator<Item = Expr>) -> Expr {
        let mut flat: Vec<Expr> = Vec::new();
        for part in parts {
            let inner = if let Expr::Or(inner) = part { inner } else { vec![part] };
            for condition in inner {
                if condition.is_always() {
                    return Expr::always();
                }
                if !flat.contains(&condition) {
                    flat.push(condition);
                }
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Expr::Or(flat) }
    }

    /// The least of the values: flattened, constants merged, repetitions dropped.
    #[must_use]
    pub fn least(values: impl IntoIterator<Item = Expr>) -> Expr {
        extreme(values, Extreme::Least)
    }

    /// The greatest of the values: flattened, constants merged, repetitions dropped.
    #[must_use]
    pub fn greatest(values: impl IntoIterator<Item = Expr>) -> Expr {
        extreme(values, Extreme::Greatest)
    }

    /// The value under an assignment of the identifiers; conditions give 0 or 1.
    ///
    /// # Errors
    /// An unknown identifier, a value beyond 128 bits, a broken promise of [`Expr::Div`] or [`Expr::Rem`].
    pub fn eval(&self, env: &BTreeMap<Arc<str>, i128>) -> Result<i128, Error> {
        let overflow = || Error::Interpreter(format!("`{self}` leaves 128 bits"));
        Ok(match self {
            Expr::Int(value) => *value,
            Expr::Id(name) => *env.get(name).ok_or_else(|| Error::NoValue(name.to_string()))?,
            Expr::Neg(e) => e.eval(env)?.checked_neg().ok_or_else(overflow)?,
            Expr::Add(a, b) => a.eval(env)?.checked_add(b.eval(env)?).ok_or_else(overflow)?,
            Expr::Sub(a, b) => a.eval(env)?.checked_sub(b.eval(env)?).ok_or_else(overflow)?,
            Expr::Mul(c, e) => e.eval(env)?.checked_mul(*c).ok_or_else(overflow)?,
            Expr::FloorDiv(e, d) => e.eval(env)?.div_euclid(*d),
            Expr::CeilDiv(e, d) => ceil_div(e.eval(env)?, *d).ok_or_else(overflow)?,
            Expr::Div(e, d) => {
                let value = e.eval(env)?;
                if value < 0 && value % d != 0 {
                    return Err(Error::Interpreter(format!("`{self}` divides {value} by {d}: neither exact nor non-negative")));
                }
                value / d
            }
            Expr::Rem(e, d) => {
                let value = e.eval(env)?;
                if value < 0 {
                    return Err(Error::Interpreter(format!("`{self}` takes the remainder of {value}")));
                }
                value % d
            }
            Expr::Min(parts) | Expr::Max(parts) => {
                let mut best: Option<i128> = None;
                for part in parts {
                    let value = part.eval(env)?;
                    best = Some(match best {
                        None => value,
                        Some(old) if matches!(self, Expr::Min(_)) => old.min(value),
                        Some(old) => old.max(value),
                    });
                }
                best.ok_or_else(|| Error::Interpreter("extremum of nothing".into()))?
            }
            Expr::Compare(op, a, b) => {
                let (a, b) = (a.eval(env)?, b.eval(env)?);
                i128::from(match op {
                    Comparison::Eq => a == b,
                    Comparison::Le => a <= b,
                    Comparison::Ge => a >= b,
                })
            }
            Expr::Divides(d, e) => i128::from(e.eval(env)? % d == 0),
            Expr::And(parts) => {
                for part in parts {
                    if part.eval(env)? == 0 {
                        return Ok(0);
                    }
                }
                1
            }
            Expr::Or(parts) => {
                for part in parts {
                    if part.eval(env)? != 0 {
                        return Ok(1);
                    }
                }
                0
            }
            Expr::Not(e) => i128::from(e.eval(env)? == 0),
            Expr::Wide(e) => e.eval(env)?,
        })
    }

    /// Calls `visit` on this expression and everything inside, outside first.
    pub fn walk(&self, visit: &mut impl FnMut(&Expr)) {
        visit(self);
        match self {
            Expr::Int(_) | Expr::Id(_) => {}
            Expr::Neg(e)
            | Expr::Mul(_, e)
            | Expr::FloorDiv(e, _)
            | Expr::CeilDiv(e, _)
            | Expr::Div(e, _)
            | Expr::Rem(e, _)
            | Expr::Divides(_, e)
            | Expr::Not(e)
            | Expr::Wide(e) => e.walk(visit),
            Expr::Add(a, b) | Expr::Sub(a, b) | Expr::Compare(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            Expr::Min(parts) | Expr::Max(parts) | Expr::And(parts) | Expr::Or(parts) => {
                for part in parts {
                    part.walk(visit);
                }
            }
        }
    }
}

/// `ceil(n / d)` for d > 0.
#[must_use]
pub(crate) fn ceil_div(n: i128, d: i128) -> Option<i128> {
    let floor = n.div_euclid(d);
    if n.rem_euclid(d) == 0 { Some(floor) } else { floor.checked_add(1) }
}

#[derive(Clone, Copy, PartialEq)]
enum Extreme {
    Least,
    Greatest,
}

fn extreme(values: impl IntoIterator<Item = Expr>, which: Extreme) -> Expr {
    let mut flat: Vec<Expr> = Vec::new();
    let mut constant: Option<i128> = None;
    for value in values {
        let inner = match (value, which) {
            (Expr::Min(inner), Extreme::Least) | (Expr::Max(inner), Extreme::Greatest) => inner,
            (other, _) => vec![other],
        };
        for value in inner {
            match value {
                Expr::Int(v) => {
                    constant = Some(match (constant, which) {
                        (None, _) => v,
                        (Some(old), Extreme::Least) => old.min(v),
                        (Some(old), Extreme::Greatest) => old.max(v),
                    });
                }
                other if flat.contains(&other) => {}
                other => flat.push(other),
            }
        }
    }
    flat.extend(constant.map(Expr::Int));
    if flat.len() == 1 {
        return flat.remove(0);
    }
    match which {
        Extreme::Least => Expr::Min(flat),
        Extreme::Greatest => Expr::Max(flat),
    }
}
