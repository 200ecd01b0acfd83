//! From syntax to disjunctions of linear atoms and to piecewise linear expressions.
//!
//! Negation is pushed down to comparisons; a negated quantifier is expanded and complemented. A name defined by
//! `exists (e = expr: ..)` is replaced by its value. `min` and `max` on the side of a comparison where they mean "all" or "any" do
//! not split the formula.

use super::ast::*;
use super::dnf::{Atom, Dnf, TooMany};
use super::lexer::{Compare, error_at};
use super::linear::{Lin, Locals, Var};
use crate::{Columns, Int, ParseError, Set, Space, Tuple};
use hashbrown::HashMap;

type Result<T> = std::result::Result<T, ParseError>;

/// The longest power that is computed.
const MAX_BITS: u64 = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Polarity {
    Asserted,
    Negated,
}
use Polarity::{Asserted, Negated};

impl Polarity {
    fn flipped(self) -> Polarity {
        if self == Asserted { Negated } else { Asserted }
    }
}

/// A piecewise expression with disjoint pieces.
#[derive(Debug, Clone)]
pub(crate) struct Value {
    pub(crate) pieces: Vec<(Dnf, Lin)>,
    /// Whether the pieces cover everything.
    total: bool,
}

impl Value {
    fn of(lin: Lin) -> Value {
        Value { pieces: vec![(Dnf::truth(), lin)], total: true }
    }

    /// The expression, if it is one without conditions.
    pub(crate) fn single(&self) -> Option<&Lin> {
        match &self.pieces[..] {
            [(test, lin)] if test.is_truth() => Some(lin),
            _ => None,
        }
    }
}

/// One side of a comparison: a value, or the least or greatest of several.
enum Operand {
    One(Value),
    Min(Vec<Value>),
    Max(Vec<Value>),
}

pub(crate) struct Lowering<'a> {
    text: &'a str,
    names: HashMap<&'a str, Vec<Lin>>,
    pub(crate) locals: Locals,
    /// The number of dimensions so far: parameters, then tuples.
    pub(crate) dims: Var,
    // Quantified variables of the enclosing quantifiers.
    bound: Vec<Var>,
}

impl<'a> Lowering<'a> {
    /// `params` are the variables 0, 1, ..
    pub(crate) fn new(text: &'a str, params: &[&'a str]) -> Lowering<'a> {
        let names = params.iter().enumerate().map(|(i, p)| (*p, vec![Lin::var(i as Var)])).collect();
        Lowering { text, names, locals: Locals::default(), dims: params.len() as Var, bound: Vec::new() }
    }

    pub(crate) fn error<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        Err(error_at(self.text, at, message))
    }

    fn limited<T>(&self, at: usize, result: std::result::Result<T, TooMany>) -> Result<T> {
        result.or_else(|_| self.error(at, "this formula expands to too many conjunctions; split it into several values"))
    }

    pub(crate) fn define(&mut self, name: &'a str, value: Lin) {
        self.names.entry(name).or_default().push(value);
    }

    fn undefine(&mut self, name: &'a str) {
        if let Some(stack) = self.names.get_mut(name) {
            stack.pop();
        }
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<&Lin> {
        self.names.get(name).and_then(|stack| stack.last())
    }

    pub(crate) fn and(&self, at: usize, parts: Vec<Dnf>) -> Result<Dnf> {
        self.limited(at, Dnf::and(parts, &self.locals))
    }

    // ---- tuples -------------------------------------------------------------------------------------------------------------

    /// Reads a tuple whose entries are new dimensions; conditions on them are appended to `conditions`.
    pub(crate) fn tuple(&mut self, tuple: &TupleText<'a>, conditions: &mut Vec<Dnf>) -> Result<Tuple> {
        let out = match &tuple.body {
            TupleBody::Flat(entries) => {
                let mut labels = Vec::with_capacity(entries.len());
                for entry in entries {
                    labels.push(self.entry(entry, conditions)?.map(Into::into));
                }
                Tuple::new(None, labels)
            }
            TupleBody::Pair(a, b) => Tuple::wrapped(self.tuple(a, conditions)?, self.tuple(b, conditions)?),
        };
        Ok(out.with_name(tuple.name.map(|n| n.text.into())))
    }

    /// A new name standing alone.
    pub(crate) fn new_name(&self, entry: &Entry<'a>) -> Option<&'a str> {
        match &entry.value {
            EntryValue::Pieces(pieces) if entry.label.is_none() => match &pieces[..] {
                [(Expr::Name(name), None)] if self.lookup(name.text).is_none() => Some(name.text),
                _ => None,
            },
            _ => None,
        }
    }

    fn entry(&mut self, entry: &Entry<'a>, conditions: &mut Vec<Dnf>) -> Result<Option<&'a str>> {
        let var = self.dims;
        self.dims += 1;
        self.constrain(var, entry, conditions)
    }

    /// What an entry says of variable `var`: its label is returned and defined, its conditions are appended.
    pub(crate) fn constrain(&mut self, var: Var, entry: &Entry<'a>, conditions: &mut Vec<Dnf>) -> Result<Option<&'a str>> {
        let me = Value::of(Lin::var(var));
        if let Some(name) = self.new_name(entry) {
            self.define(name, Lin::var(var));
            return Ok(Some(name));
        }
        match &entry.value {
            EntryValue::Free => {}
            EntryValue::Pieces(pieces) => {
                let value = self.pieces(pieces)?;
                conditions.push(self.compare(entry.at, &me, Compare::Eq, &value)?);
            }
            EntryValue::Range(lower, upper) => {
                for (op, bound) in [(Compare::Ge, lower), (Compare::Le, upper)] {
                    if let Some(bound) = bound {
                        let bound = self.operand(bound)?;
                        conditions.push(self.compare_operands(entry.at, &Operand::One(me.clone()), op, &bound)?);
                    }
                }
            }
        }
        let Some(label) = entry.label else {
            return Ok(None);
        };
        match self.lookup(label.text) {
            Some(old) => {
                let old = Value::of(old.clone());
                conditions.push(self.compare(label.at, &me, Compare::Eq, &old)?);
                Ok(None)
            }
            None => {
                self.define(label.text, Lin::var(var));
                Ok(Some(label.text))
            }
        }
    }

    // ---- expressions --------------------------------------------------------------------------------------------------------

    pub(crate) fn expr(&mut self, expr: &Expr<'a>) -> Result<Value> {
        Ok(match expr {
            Expr::Number(n) => Value::of(Lin::constant(n.clone())),
            Expr::NaN => Value::of(Lin::nan()),
            Expr::Infty => return self.error(0, "infinity is no value of an affine expression"),
            Expr::Name(name) => match self.lookup(name.text) {
                Some(lin) => Value::of(lin.clone()),
                None => {
                    let message =
                        format!("unknown name '{}': it is no parameter, dimension or quantified variable here", name.text);
                    return self.error(name.at, message);
                }
            },
            Expr::Sum(terms) => {
                let mut flat = Vec::with_capacity(terms.len());
                let mut split = Vec::new();
                for (sign, term) in terms {
                    let value = self.expr(term)?;
                    let signed = |lin: &Lin| {
                        if *sign == Sign::Minus { lin.clone().neg() } else { lin.clone() }
                    };
                    match value.single() {
                        Some(lin) => flat.push(signed(lin)),
                        None => split.push(map(value, |l| signed(&l))),
                    }
                }
                split.into_iter().try_fold(Value::of(Lin::sum(flat)), |sum, value| {
                    self.combine(&sum, &value, |a, b| Lin::sum(vec![a.clone(), b.clone()]))
                })?
            }
            Expr::Product(at, first, factors) => {
                let first = self.expr(first)?;
                factors.iter().try_fold(first, |value, factor| self.factor(*at, value, factor))?
            }
            Expr::Floor(e) => self.expr(e).map(|v| map(v, |l| self.locals.floor(l)))?,
            Expr::Ceil(e) => self.expr(e).map(|v| map(v, |l| self.locals.floor(l.neg()).neg()))?,
            Expr::Abs(e) => {
                let value = self.expr(e)?;
                let minus = map(value.clone(), Lin::neg);
                self.extremum(vec![value, minus], Compare::Ge)?
            }
            Expr::Min(args) => {
                let values = args.iter().map(|a| self.expr(a)).collect::<Result<_>>()?;
                self.extremum(values, Compare::Le)?
            }
            Expr::Max(args) => {
                let values = args.iter().map(|a| self.expr(a)).collect::<Result<_>>()?;
                self.extremum(values, Compare::Ge)?
            }
            Expr::Cond(test, then, otherwise) => {
                let test = self.formula(test)?;
                let not = self.negate(0, &test)?;
                let (then, otherwise) = (self.expr(then)?, self.expr(otherwise)?);
                let total = then.total && otherwise.total;
                let mut pieces = self.restricted(then, &test)?;
                pieces.extend(self.restricted(otherwise, &not)?);
                Value { pieces, total }
            }
            Expr::Pieces(pieces) => self.pieces(pieces)?,
            Expr::Indicator(test) => {
                let test = self.formula(test)?;
                let not = self.negate(0, &test)?;
                Value { pieces: vec![(test, Lin::constant(Int::ONE)), (not, Lin::constant(Int::ZERO))], total: true }
            }
        })
    }

    fn restricted(&self, value: Value, test: &Dnf) -> Result<Vec<(Dnf, Lin)>> {
        let mut out = Vec::new();
        for (piece, lin) in value.pieces {
            let both = self.and(0, vec![piece, test.clone()])?;
            if !both.0.is_empty() {
                out.push((both, lin));
            }
        }
        Ok(out)
    }

    /// `(e : p; f : q)`: where several conditions hold, the values are added, as in isl.
    pub(crate) fn pieces(&mut self, pieces: &[(Expr<'a>, Option<Formula<'a>>)]) -> Result<Value> {
        let mut sum: Option<Value> = None;
        for (expr, test) in pieces {
            let mut value = self.expr(expr)?;
            if let Some(test) = test {
                let test = self.formula(test)?;
                value = Value { pieces: self.restricted(value, &test)?, total: value_total(&test) };
            }
            sum = Some(match sum {
                None => value,
                Some(sum) => self.union_add(sum, value)?,
            });
        }
        Ok(sum.unwrap_or(Value { pieces: Vec::new(), total: false }))
    }

    fn union_add(&mut self, a: Value, b: Value) -> Result<Value> {
        let total = a.total || b.total;
        let both = self.combine(&a, &b, |x, y| Lin::sum(vec![x.clone(), y.clone()]))?;
        let both: Vec<_> = both.pieces.into_iter().filter(|(test, _)| !self.is_empty(test)).collect();
        if both.is_empty() {
            return Ok(Value { pieces: a.pieces.into_iter().chain(b.pieces).collect(), total });
        }
        let domain = |v: &Value| Dnf::or(v.pieces.iter().map(|p| p.0.clone()));
        let (not_a, not_b) = (self.negate(0, &domain(&a))?, self.negate(0, &domain(&b))?);
        let mut pieces = self.restricted(a, &not_b)?;
        pieces.extend(self.restricted(b, &not_a)?);
        pieces.extend(both);
        Ok(Value { pieces, total })
    }

    fn is_empty(&self, dnf: &Dnf) -> bool {
        self.useful(dnf.clone()).is_none_or(|dnf| self.anonymous(&dnf).is_empty())
    }

    fn combine(&self, a: &Value, b: &Value, f: impl Fn(&Lin, &Lin) -> Lin) -> Result<Value> {
        let mut pieces = Vec::new();
        for (p, x) in &a.pieces {
            for (q, y) in &b.pieces {
                let both = self.and(0, vec![p.clone(), q.clone()])?;
                if !both.0.is_empty() {
                    pieces.push((both, f(x, y)));
                }
            }
        }
        Ok(Value { pieces, total: a.total && b.total })
    }

    /// The least (`Le`) or greatest (`Ge`) of the values; the first one where several are equal.
    fn extremum(&mut self, values: Vec<Value>, op: Compare) -> Result<Value> {
        let strict = if op == Compare::Le { Compare::Lt } else { Compare::Gt };
        let mut values = values.into_iter();
        let Some(first) = values.next() else {
            return self.error(0, "min and max need an argument");
        };
        values.try_fold(first, |best, value| {
            let mut pieces = Vec::new();
            for (p, x) in &best.pieces {
                for (q, y) in &value.pieces {
                    for (lin, test) in [(x, lin_compare(x, op, y)), (y, lin_compare(y, strict, x))] {
                        let all = self.and(0, vec![p.clone(), q.clone(), test])?;
                        if let Some(all) = self.useful(all) {
                            pieces.push((all, lin.clone()));
                        }
                    }
                }
            }
            Ok(Value { pieces, total: best.total && value.total })
        })
    }

    // Drops conjunctions that are contradictory at first sight.
    fn useful(&self, dnf: Dnf) -> Option<Dnf> {
        let conjs: Vec<_> = dnf.0.into_iter().filter_map(|c| super::dnf::simplified(c, &self.locals)).collect();
        (!conjs.is_empty()).then_some(Dnf(conjs))
    }

    fn factor(&mut self, at: usize, value: Value, factor: &Factor<'a>) -> Result<Value> {
        let constant = |v: &Value| v.single().and_then(Lin::as_constant).map(|(n, d)| (n.clone(), d.clone()));
        let (Factor::Times(rhs) | Factor::Over(rhs) | Factor::Mod(rhs) | Factor::FloorDiv(rhs)) = factor else {
            return match (factor, constant(&value)) {
                (Factor::Power(1), _) => Ok(value),
                // A power of a power grows beyond every memory within a few characters.
                (Factor::Power(e), Some((n, d))) if n.to_bigint().bits().max(d.to_bigint().bits()) * u64::from(*e) > MAX_BITS => {
                    self.error(at, "this power is too long a number")
                }
                (Factor::Power(e), Some((n, d))) => {
                    let power = |x: Int| Int::from(x.to_bigint().pow(*e));
                    Ok(Value::of(Lin::constant(Int::ONE).scaled(&power(n), &power(d))))
                }
                _ => self.error(at, "a power is no affine expression; quasi-polynomials have powers"),
            };
        };
        let rhs = self.expr(rhs)?;
        if let Factor::Times(_) = factor {
            return match (constant(&value), constant(&rhs)) {
                (_, Some((n, d))) => Ok(map(value, |l| l.scaled(&n, &d))),
                (Some((n, d)), _) => Ok(map(rhs, |l| l.scaled(&n, &d))),
                _ => self.error(at, "a product needs a constant factor to be affine"),
            };
        }
        let Some((n, d)) = constant(&rhs) else {
            return self.error(at, "the divisor must be a constant");
        };
        if n.is_zero() {
            return self.error(at, "division by zero");
        }
        match factor {
            Factor::Over(_) => Ok(map(value, |l| l.scaled(&d, &n))),
            Factor::FloorDiv(_) => Ok(map(value, |l| self.locals.floor(l.scaled(&d, &n)))),
            _ if n.is_negative() => self.error(at, "the modulus must be positive"),
            _ => Ok(map(value, |l| {
                let quotient = self.locals.floor(l.clone().scaled(&d, &n));
                l.minus(&quotient.scaled(&n, &d))
            })),
        }
    }

    // ---- formulas -----------------------------------------------------------------------------------------------------------

    pub(crate) fn formula(&mut self, formula: &Formula<'a>) -> Result<Dnf> {
        self.polar(formula, Asserted)
    }

    fn polar(&mut self, formula: &Formula<'a>, polarity: Polarity) -> Result<Dnf> {
        match formula {
            Formula::True if polarity == Asserted => Ok(Dnf::truth()),
            Formula::False if polarity == Negated => Ok(Dnf::truth()),
            Formula::True | Formula::False => Ok(Dnf::falsity()),
            Formula::Not(inner) => self.polar(inner, polarity.flipped()),
            Formula::And(parts) | Formula::Or(parts) => {
                let parts = parts.iter().map(|p| self.polar(p, polarity)).collect::<Result<Vec<_>>>()?;
                let conjunction = matches!(formula, Formula::And(_)) == (polarity == Asserted);
                if conjunction { self.and(0, parts) } else { Ok(Dnf::or(parts)) }
            }
            Formula::Implies(parts) => {
                let last = parts.len() - 1;
                let polarity_of = |i| {
                    if i == last { polarity } else { polarity.flipped() }
                };
                let parts: Vec<_> =
                    parts.iter().enumerate().map(|(i, p)| self.polar(p, polarity_of(i))).collect::<Result<_>>()?;
                if polarity == Asserted { Ok(Dnf::or(parts)) } else { self.and(0, parts) }
            }
            Formula::Chain(at, first, rest) => self.chain(*at, first, rest, polarity),
            Formula::Exists(at, names, body) => {
                let dnf = self.exists(*at, names, body)?;
                if polarity == Asserted { Ok(dnf) } else { self.negate(*at, &dnf) }
            }
        }
    }

    fn exists(&mut self, at: usize, names: &[(Name<'a>, Option<Expr<'a>>)], body: &Formula<'a>) -> Result<Dnf> {
        let outer = self.bound.len();
        let mut conditions = Vec::new();
        for (name, value) in names {
            let value = value.as_ref().map(|v| self.expr(v)).transpose()?;
            let alias = value.as_ref().and_then(Value::single).filter(|l| l.den.is_one()).cloned();
            let lin = match alias {
                Some(lin) => lin,
                None => {
                    let var = self.locals.fresh();
                    self.bound.push(var);
                    if let Some(value) = value {
                        conditions.push(self.compare(name.at, &Value::of(Lin::var(var)), Compare::Eq, &value)?);
                    }
                    Lin::var(var)
                }
            };
            self.define(name.text, lin);
        }
        conditions.push(self.formula(body)?);
        names.iter().for_each(|(name, _)| self.undefine(name.text));
        self.bound.truncate(outer);
        self.and(at, conditions)
    }

    fn negate(&mut self, at: usize, dnf: &Dnf) -> Result<Dnf> {
        if !dnf.is_quantified(&self.bound, &self.locals) {
            return self.limited(at, dnf.negated(&self.locals));
        }
        let mut dims: Vec<Var> = (0..self.dims).collect();
        dims.extend(&self.bound);
        let complement = self.anonymous(dnf).complement();
        Ok(Dnf(complement.systems().map(|s| self.locals.import(s, &dims)).collect()))
    }

    /// The set of all dimensions and enclosing quantified variables.
    fn anonymous(&self, dnf: &Dnf) -> Set {
        let space = Space::set(&[], Tuple::anonymous(self.dims as usize + self.bound.len()));
        let columns = Columns::of(&space);
        let systems: Vec<_> = dnf.0.iter().map(|conj| self.locals.system(columns, conj, &self.bound)).collect();
        Set::from_systems(space, systems)
    }

    fn chain(&mut self, at: usize, first: &List<'a>, rest: &[(Compare, List<'a>)], polarity: Polarity) -> Result<Dnf> {
        let mut sides = vec![self.operands(first)?];
        for (_, list) in rest {
            sides.push(self.operands(list)?);
        }
        let direct = polarity == Asserted || sides.iter().flatten().all(is_total);
        let mut out = Vec::with_capacity(rest.len());
        for ((op, _), pair) in rest.iter().zip(sides.windows(2)) {
            let op = if polarity == Negated && direct { opposite(*op) } else { *op };
            let (left, right) = (&pair[0], &pair[1]);
            if let Some((strict, weak)) = lexicographic(op) {
                out.push(self.lexicographic(at, left, strict, weak, right)?);
                continue;
            }
            for l in left {
                for r in right {
                    out.push(self.compare_operands(at, l, op, r)?);
                }
            }
        }
        match (polarity, direct) {
            (Asserted, _) => self.and(at, out),
            (Negated, true) => Ok(Dnf::or(out)),
            (Negated, false) => {
                let all = self.and(at, out)?;
                self.negate(at, &all)
            }
        }
    }

    fn operands(&mut self, list: &List<'a>) -> Result<Vec<Operand>> {
        list.iter().map(|e| self.operand(e)).collect()
    }

    fn operand(&mut self, expr: &Expr<'a>) -> Result<Operand> {
        Ok(match expr {
            Expr::Min(args) => Operand::Min(args.iter().map(|a| self.expr(a)).collect::<Result<_>>()?),
            Expr::Max(args) => Operand::Max(args.iter().map(|a| self.expr(a)).collect::<Result<_>>()?),
            _ => Operand::One(self.expr(expr)?),
        })
    }

    fn value_of(&mut self, operand: &Operand) -> Result<Value> {
        match operand {
            Operand::One(v) => Ok(v.clone()),
            Operand::Min(vs) => self.extremum(vs.clone(), Compare::Le),
            Operand::Max(vs) => self.extremum(vs.clone(), Compare::Ge),
        }
    }

    fn lexicographic(&mut self, at: usize, left: &[Operand], strict: Compare, weak: bool, right: &[Operand]) -> Result<Dnf> {
        if left.len() != right.len() {
            return self.error(at, format!("lists of {} and {} expressions cannot be compared", left.len(), right.len()));
        }
        let mut out = Vec::new();
        let mut equal = Vec::new();
        for (l, r) in left.iter().zip(right) {
            let (l, r) = (self.value_of(l)?, self.value_of(r)?);
            let mut parts = equal.clone();
            parts.push(self.compare(at, &l, strict, &r)?);
            out.push(self.and(at, parts)?);
            equal.push(self.compare(at, &l, Compare::Eq, &r)?);
        }
        if weak {
            out.push(self.and(at, equal)?);
        }
        Ok(Dnf::or(out))
    }

    fn compare_operands(&mut self, at: usize, left: &Operand, op: Compare, right: &Operand) -> Result<Dnf> {
        let less = matches!(op, Compare::Lt | Compare::Le);
        if !less && !matches!(op, Compare::Gt | Compare::Ge) {
            let (l, r) = (self.value_of(left)?, self.value_of(right)?);
            return self.compare(at, &l, op, &r);
        }
        fn parts(operand: &Operand, all_if_max: bool) -> (&[Value], bool) {
            match operand {
                Operand::One(v) => (std::slice::from_ref(v), true),
                Operand::Max(vs) => (vs, all_if_max),
                Operand::Min(vs) => (vs, !all_if_max),
            }
        }
        let (left, all_left) = parts(left, less);
        let (right, all_right) = parts(right, !less);
        let mut outer = Vec::new();
        for l in left {
            let inner = right.iter().map(|r| self.compare(at, l, op, r)).collect::<Result<Vec<_>>>()?;
            outer.push(if all_right { self.and(at, inner)? } else { Dnf::or(inner) });
        }
        if all_left { self.and(at, outer) } else { Ok(Dnf::or(outer)) }
    }

    fn compare(&self, at: usize, left: &Value, op: Compare, right: &Value) -> Result<Dnf> {
        let mut out = Vec::new();
        for (p, x) in &left.pieces {
            for (q, y) in &right.pieces {
                if x.is_nan() || y.is_nan() {
                    return self.error(at, "NaN cannot be compared");
                }
                out.push(self.and(at, vec![p.clone(), q.clone(), lin_compare(x, op, y)])?);
            }
        }
        Ok(Dnf::or(out))
    }
}

fn value_total(test: &Dnf) -> bool {
    test.is_truth()
}

fn map(value: Value, f: impl FnMut(Lin) -> Lin) -> Value {
    let mut f = f;
    Value { pieces: value.pieces.into_iter().map(|(p, l)| (p, f(l))).collect(), total: value.total }
}

fn is_total(operand: &Operand) -> bool {
    match operand {
        Operand::One(v) => v.total,
        Operand::Min(vs) | Operand::Max(vs) => vs.iter().all(|v| v.total),
    }
}

fn lin_compare(x: &Lin, op: Compare, y: &Lin) -> Dnf {
    let atoms = match op {
        Compare::Eq => vec![Atom::eq(x.minus(y))],
        Compare::Ne => vec![Atom::gt(x.minus(y)), Atom::gt(y.minus(x))],
        Compare::Lt | Compare::LexLt => vec![Atom::gt(y.minus(x))],
        Compare::Le | Compare::LexLe => vec![Atom::ge(y.minus(x))],
        Compare::Gt | Compare::LexGt => vec![Atom::gt(x.minus(y))],
        Compare::Ge | Compare::LexGe => vec![Atom::ge(x.minus(y))],
    };
    let constant = |a: &Atom| match a.kind {
        crate::RowKind::Eq => a.lin.constant.is_zero(),
        crate::RowKind::Ineq => !a.lin.constant.is_negative(),
    };
    Dnf::or(atoms.into_iter().map(|atom| match atom.lin.terms.is_empty() {
        true if constant(&atom) => Dnf::truth(),
        true => Dnf::falsity(),
        false => Dnf::atom(atom),
    }))
}

fn lexicographic(op: Compare) -> Option<(Compare, bool)> {
    match op {
        Compare::LexLt => Some((Compare::Lt, false)),
        Compare::LexLe => Some((Compare::Lt, true)),
        Compare::LexGt => Some((Compare::Gt, false)),
        Compare::LexGe => Some((Compare::Gt, true)),
        _ => None,
    }
}

fn opposite(op: Compare) -> Compare {
    use Compare::*;
    match op {
        Eq => Ne,
        Ne => Eq,
        Lt => Ge,
        Le => Gt,
        Gt => Le,
        Ge => Lt,
        LexLt => LexGe,
        LexLe => LexGt,
        LexGt => LexLe,
        LexGe => LexLt,
    }
}
