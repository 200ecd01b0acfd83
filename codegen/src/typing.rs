//! Types from proven ranges: which counters are `int`, where arithmetic must be done in 64 bits, what has to be refused.
//!
//! Every parameter has a range (of its C type, or narrower). Interval arithmetic carries ranges through bounds into counters and
//! subscripts. A value that stays within 32 bits is computed in `int`; else one operand is made 64 bits wide, so that C computes
//! the whole in 64 bits; a value that may leave 64 bits is refused with [`Error::Overflow`].

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{Ast, CType, For, If, Node, User};
use crate::error::Error;
use crate::expr::{Comparison, Expr, ceil_div};

/// The C type of a parameter: how wide C computes with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ParamType {
    /// A signed type of 32 bits or less, or an unsigned one of 16 or less.
    Int,
    /// `unsigned int`: converted to `long` wherever it is used.
    Unsigned,
    /// A signed 64-bit type.
    Long,
    /// An unsigned 64-bit type: converted to `long` wherever it is used.
    UnsignedLong,
}

/// The bound that is assumed for the absolute value of 64-bit parameters: 2^48.
pub const ASSUMED_BOUND: i128 = 1 << 48;

impl ParamType {
    /// The values that code generation assumes possible: those of the type, for 64-bit types those within ±2^48.
    #[must_use]
    pub fn range(self) -> (i128, i128) {
        match self {
            ParamType::Int => (i32::MIN.into(), i32::MAX.into()),
            ParamType::Unsigned => (0, u32::MAX.into()),
            ParamType::Long => (-ASSUMED_BOUND, ASSUMED_BOUND),
            ParamType::UnsignedLong => (0, ASSUMED_BOUND),
        }
    }
}

/// A parameter's C type and range, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ParamInfo {
    /// How wide C computes with it.
    pub ctype: ParamType,
    /// Its values.
    pub range: (i128, i128),
}

impl From<ParamType> for ParamInfo {
    fn from(ctype: ParamType) -> ParamInfo {
        ParamInfo { ctype, range: ctype.range() }
    }
}

/// The parameters that are known; any other is a `long` within ±2^48.
pub type ParamInfos = BTreeMap<Arc<str>, ParamInfo>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Interval {
    low: i128,
    high: i128,
}

const INT: Interval = Interval { low: i32::MIN as i128, high: i32::MAX as i128 };
const LONG: Interval = Interval { low: i64::MIN as i128, high: i64::MAX as i128 };

impl Interval {
    fn new(low: i128, high: i128) -> Interval {
        Interval { low, high }
    }

    fn inside(self, outer: Interval) -> bool {
        outer.low <= self.low && self.high <= outer.high
    }

    fn hull(self, other: Interval) -> Interval {
        Interval::new(self.low.min(other.low), self.high.max(other.high))
    }
}

#[derive(Clone, Copy)]
struct Known {
    range: Interval,
    ctype: ParamType,
}

/// Chooses the type of every counter and widens arithmetic where 32 bits may not suffice.
///
/// # Errors
/// [`Error::Overflow`] names the first expression that may leave 64 bits.
pub fn assign_types(ast: &Ast, params: &ParamInfos) -> Result<Ast, Error> {
    let mut env = Env { known: BTreeMap::new() };
    for name in &ast.params {
        let info = params.get(name).copied().unwrap_or_else(|| ParamType::Long.into());
        env.known.insert(name.clone(), Known { range: Interval::new(info.range.0, info.range.1), ctype: info.ctype });
    }
    Ok(Ast { root: env.node(&ast.root)?, ..ast.clone() })
}

struct Env {
    known: BTreeMap<Arc<str>, Known>,
}

/// An expression with what is proven about it.
struct Typed {
    expr: Expr,
    range: Interval,
    ctype: CType,
}

impl Env {
    fn node(&mut self, node: &Node) -> Result<Node, Error> {
        Ok(match node {
            Node::Block(nodes) => Node::Block(nodes.iter().map(|node| self.node(node)).collect::<Result<_, _>>()?),
            Node::User(user) => {
                let indices = user.indices.iter().map(|e| Ok(self.expr(e)?.expr)).collect::<Result<_, Error>>()?;
                Node::User(User { statement: user.statement.clone(), indices })
            }
            Node::If(l) => {
                let condition = self.condition(&l.condition)?;
                let before = self.known.clone();
                self.assume(&l.condition);
                let then = self.node(&l.then);
                self.known = before;
                Node::If(Box::new(If { condition, then: then? }))
            }
            Node::For(l) => Node::For(Box::new(self.counted(l)?)),
        })
    }

    fn counted(&mut self, l: &For) -> Result<For, Error> {
        let first = self.expr(&l.first)?;
        let last = self.expr(&l.last)?;
        // inside the body the counter lies between the bounds; the header also holds `first` and one step past `last`
        let body = Interval::new(first.range.low, last.range.high.max(first.range.low));
        let header = body.hull(first.range);
        let header = Interval::new(header.low, header.high.max(last.range.high.saturating_add(l.step)));
        let ctype = if header.inside(INT) && l.step <= INT.high {
            CType::Int
        } else if header.inside(LONG) {
            CType::Long
        } else {
            return Err(overflow(&Expr::Add(Box::new(l.last.clone()), Box::new(Expr::Int(l.step))), header));
        };
        let known = Known { range: body, ctype: if ctype == CType::Int { ParamType::Int } else { ParamType::Long } };
        let outer = self.known.insert(l.counter.clone(), known);
        let inner = self.node(&l.body);
        match outer {
            Some(outer) => self.known.insert(l.counter.clone(), outer),
            None => self.known.remove(&l.counter),
        };
        let (first, last) = (first.expr, last.expr);
        Ok(For { counter: l.counter.clone(), ctype, first, last, step: l.step, marks: l.marks.clone(), body: inner? })
    }

    /// Narrows ranges by what a condition says of single names.
    fn assume(&mut self, condition: &Expr) {
        match condition {
            Expr::And(parts) => parts.iter().for_each(|part| self.assume(part)),
            Expr::Compare(op, a, b) => {
                let (Expr::Id(name), Expr::Int(v)) = (&**a, &**b) else {
                    return;
                };
                let Some(known) = self.known.get_mut(name) else {
                    return;
                };
                let (mut low, mut high) = (known.range.low, known.range.high);
                if *op != Comparison::Le {
                    low = low.max(*v);
                }
                if *op != Comparison::Ge {
                    high = high.min(*v);
                }
                if low <= high {
                    known.range = Interval::new(low, high);
                }
            }
            _ => {}
        }
    }

    fn condition(&mut self, e: &Expr) -> Result<Expr, Error> {
        let many = |env: &mut Env, parts: &[Expr]| {
            // later parts of a conjunction are evaluated only where the earlier ones hold
            let before = env.known.clone();
            let mut out = Vec::new();
            for part in parts {
                match env.condition(part) {
                    Ok(part) => out.push(part),
                    Err(error) => {
                        env.known = before;
                        return Err(error);
                    }
                }
                if matches!(e, Expr::And(_)) {
                    env.assume(part);
                }
            }
            env.known = before;
            Ok(out)
        };
        Ok(match e {
            Expr::And(parts) => Expr::And(many(self, parts)?),
            Expr::Or(parts) => Expr::Or(many(self, parts)?),
            Expr::Not(inner) => Expr::Not(Box::new(self.condition(inner)?)),
            Expr::Compare(op, a, b) => Expr::Compare(*op, Box::new(self.expr(a)?.expr), Box::new(self.expr(b)?.expr)),
            Expr::Divides(d, inner) => Expr::Divides(*d, Box::new(self.expr(inner)?.expr)),
            other => self.expr(other)?.expr,
        })
    }

    fn expr(&self, e: &Expr) -> Result<Typed, Error> {
        Ok(match e {
            Expr::Int(v) => leaf(e, Interval::new(*v, *v), CType::Int)?,
            Expr::Id(name) => {
                let known = self.known.get(name).ok_or_else(|| Error::NoValue(name.to_string()))?;
                match known.ctype {
                    ParamType::Int => leaf(e, known.range, CType::Int)?,
                    ParamType::Long => leaf(e, known.range, CType::Long)?,
                    ParamType::Unsigned | ParamType::UnsignedLong => {
                        leaf(&Expr::Wide(Box::new(e.clone())), known.range, CType::Long)?
                    }
                }
            }
            Expr::Wide(inner) => {
                let inner = self.expr(inner)?;
                Typed { expr: wide(inner.expr), range: inner.range, ctype: CType::Long }
            }
            Expr::Neg(inner) => {
                let a = self.expr(inner)?;
                let range = Interval::new(negated(a.range.high), negated(a.range.low));
                unary(e, a, range, |a| Expr::Neg(Box::new(a)))?
            }
            Expr::Mul(c, inner) => {
                let a = self.expr(inner)?;
                let (x, y) = (a.range.low.saturating_mul(*c), a.range.high.saturating_mul(*c));
                let range = Interval::new(x.min(y), x.max(y));
                // a factor beyond 32 bits is itself a 64-bit literal
                if i32::try_from(*c).is_err() {
                    check(e, range)?;
                    check(e, Interval::new(*c, *c))?;
                    return Ok(Typed { expr: Expr::Mul(*c, Box::new(a.expr)), range, ctype: CType::Long });
                }
                unary(e, a, range, |a| Expr::Mul(*c, Box::new(a)))?
            }
            Expr::Add(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                let range = Interval::new(a.range.low.saturating_add(b.range.low), a.range.high.saturating_add(b.range.high));
                binary(e, a, b, range, |a, b| Expr::Add(Box::new(a), Box::new(b)))?
            }
            Expr::Sub(a, b) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                let range = Interval::new(a.range.low.saturating_sub(b.range.high), a.range.high.saturating_sub(b.range.low));
                binary(e, a, b, range, |a, b| Expr::Sub(Box::new(a), Box::new(b)))?
            }
            Expr::FloorDiv(inner, d) => {
                let a = self.expr(inner)?;
                let range = Interval::new(a.range.low.div_euclid(*d), a.range.high.div_euclid(*d));
                if a.range.low >= 0 {
                    divided(a, *d, range)
                } else {
                    Typed { expr: Expr::FloorDiv(Box::new(a.expr), *d), range, ctype: CType::Long }
                }
            }
            Expr::CeilDiv(inner, d) => {
                let a = self.expr(inner)?;
                let ceil = |v| ceil_div(v, *d).unwrap_or(i128::MAX);
                let range = Interval::new(ceil(a.range.low), ceil(a.range.high));
                Typed { expr: Expr::CeilDiv(Box::new(a.expr), *d), range, ctype: CType::Long }
            }
            Expr::Div(inner, d) => {
                let a = self.expr(inner)?;
                let range = Interval::new(a.range.low.div_euclid(*d), ceil_div(a.range.high, *d).unwrap_or(i128::MAX));
                divided(a, *d, range)
            }
            Expr::Rem(inner, d) => {
                let a = self.expr(inner)?;
                let range = Interval::new(0, (d - 1).min(a.range.high.max(0)));
                Typed { expr: Expr::Rem(Box::new(a.expr), *d), range, ctype: a.ctype }
            }
            Expr::Min(parts) => {
                let (parts, ranges) = self.parts(parts)?;
                let range = ranges.into_iter().reduce(|a, b| Interval::new(a.low.min(b.low), a.high.min(b.high)));
                Typed { expr: Expr::Min(parts), range: range.unwrap_or(INT), ctype: CType::Long }
            }
            Expr::Max(parts) => {
                let (parts, ranges) = self.parts(parts)?;
                let range = ranges.into_iter().reduce(|a, b| Interval::new(a.low.max(b.low), a.high.max(b.high)));
                Typed { expr: Expr::Max(parts), range: range.unwrap_or(INT), ctype: CType::Long }
            }
            Expr::Compare(..) | Expr::Divides(..) | Expr::And(_) | Expr::Or(_) | Expr::Not(_) => {
                let mut inner = Env { known: self.known.clone() };
                Typed { expr: inner.condition(e)?, range: Interval::new(0, 1), ctype: CType::Int }
            }
        })
    }

    fn parts(&self, parts: &[Expr]) -> Result<(Vec<Expr>, Vec<Interval>), Error> {
        let typed = parts.iter().map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
        Ok(typed.into_iter().map(|t| (t.expr, t.range)).unzip())
    }
}

fn negated(v: i128) -> i128 {
    v.checked_neg().unwrap_or(i128::MAX)
}

fn overflow(e: &Expr, range: Interval) -> Error {
    Error::Overflow { expression: e.to_string(), range: format!("[{}, {}]", range.low, range.high) }
}

fn check(e: &Expr, range: Interval) -> Result<(), Error> {
    if range.inside(LONG) { Ok(()) } else { Err(overflow(e, range)) }
}

fn wide(e: Expr) -> Expr {
    if matches!(e, Expr::Wide(_)) { e } else { Expr::Wide(Box::new(e)) }
}

fn leaf(e: &Expr, range: Interval, ctype: CType) -> Result<Typed, Error> {
    check(e, range)?;
    let ctype = if matches!(e, Expr::Int(_)) && !range.inside(INT) { CType::Long } else { ctype };
    Ok(Typed { expr: e.clone(), range, ctype })
}

fn unary(e: &Expr, a: Typed, range: Interval, build: impl Fn(Expr) -> Expr) -> Result<Typed, Error> {
    check(e, range)?;
    if a.ctype == CType::Int && !range.inside(INT) {
        return Ok(Typed { expr: build(wide(a.expr)), range, ctype: CType::Long });
    }
    Ok(Typed { expr: build(a.expr), range, ctype: a.ctype })
}

fn binary(e: &Expr, a: Typed, b: Typed, range: Interval, build: impl Fn(Expr, Expr) -> Expr) -> Result<Typed, Error> {
    check(e, range)?;
    if a.ctype == CType::Int && b.ctype == CType::Int {
        if range.inside(INT) {
            return Ok(Typed { expr: build(a.expr, b.expr), range, ctype: CType::Int });
        }
        // a literal is widened by its suffix, anything else by a cast
        let expr = if matches!(b.expr, Expr::Int(_)) { build(a.expr, wide(b.expr)) } else { build(wide(a.expr), b.expr) };
        return Ok(Typed { expr, range, ctype: CType::Long });
    }
    Ok(Typed { expr: build(a.expr, b.expr), range, ctype: CType::Long })
}

fn divided(a: Typed, d: i128, range: Interval) -> Typed {
    let ctype = if i32::try_from(d).is_ok() { a.ctype } else { CType::Long };
    Typed { expr: Expr::Div(Box::new(a.expr), d), range, ctype }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(n: ParamType, last: Expr, index: Expr) -> Result<String, Error> {
        let body = Node::User(User { statement: "S".into(), indices: vec![index] });
        let (first, marks) = (Expr::Int(0), Vec::new());
        let l = For { counter: "c0".into(), ctype: CType::Int, first, last, step: 1, marks, body };
        let ast = Ast { root: Node::For(Box::new(l)), params: vec!["n".into()], lost: Vec::new() };
        Ok(assign_types(&ast, &BTreeMap::from([("n".into(), n.into())]))?.to_string().replace('\n', " "))
    }

    fn n() -> Box<Expr> {
        Box::new(Expr::id("n"))
    }

    fn c() -> Box<Expr> {
        Box::new(Expr::id("c0"))
    }

    #[track_caller]
    fn check_types(n: ParamType, last: Expr, index: Expr, expect: &str) {
        assert_eq!(types(n, last, index).unwrap(), expect);
    }

    #[test]
    fn constant_bounds_stay_int() {
        let last = Expr::Int(99);
        check_types(ParamType::Int, last, Expr::Mul(2, c()), "for (int c0 = 0; c0 <= 99; c0++) {   S(2 * c0); } ");
    }

    #[test]
    fn a_shift_beyond_32_bits_is_computed_in_64() {
        let index = Expr::Add(c(), Box::new(Expr::Int(1 << 40)));
        check_types(ParamType::Int, Expr::Int(9), index, "for (int c0 = 0; c0 <= 9; c0++) {   S(c0 + 1099511627776L); } ");
    }

    #[test]
    fn an_int_parameter_is_widened() {
        let last = Expr::Sub(n(), Box::new(Expr::Int(1)));
        check_types(ParamType::Int, last.clone(), *c(), "for (int c0 = 0; c0 <= n - 1L; c0++) {   S(c0); } ");
        check_types(ParamType::Long, last.clone(), *c(), "for (long c0 = 0; c0 <= n - 1; c0++) {   S(c0); } ");
        check_types(ParamType::Unsigned, last, *c(), "for (long c0 = 0; c0 <= (long)n - 1; c0++) {   S(c0); } ");
        check_types(ParamType::Int, Expr::Mul(4, n()), *c(), "for (long c0 = 0; c0 <= 4 * (long)n; c0++) {   S(c0); } ");
    }

    #[test]
    fn what_may_leave_64_bits_is_refused() {
        let error = types(ParamType::Long, Expr::Mul(1 << 20, n()), *c()).unwrap_err();
        assert!(matches!(&error, Error::Overflow { expression, .. } if expression == "1048576 * n"), "{error}");
    }
}
