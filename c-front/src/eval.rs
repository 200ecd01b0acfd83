//! The affine value of a C expression, by C's rules for integer types.
//!
//! Expressions are read as the mathematical value they have when nothing wraps. For arithmetic in signed types that is an
//! assumption (their overflow is undefined). Arithmetic in unsigned types and conversions to narrower types are defined to wrap:
//! each leaves an [`Obligation`], and the caller must prove that the value stays in the type's range wherever the expression is
//! evaluated, or refuse it.

use crate::formula::{Formula, Lin, MAX_SIZE, Overflow, Value, Var};
use crate::helpers::Helper;
use crate::types::{Entity, Scopes, Type, integer_value};
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use loopwright_presburger::Budget;
use loopwright_scop::IntType;
use std::collections::{BTreeMap, BTreeSet};

/// Why an expression is refused, and where (offsets into the preprocessed text).
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The construct.
    pub span: Span,
    /// What it is.
    pub message: String,
    /// What to do.
    pub help: String,
}

/// The help where cases are too many.
pub const CASES_HELP: &str = "use fewer `?:`, `%`, `/`, `&&`, `||`";

/// The refusal where the budget is spent.
pub fn budget_spent(span: Span) -> Refusal {
    Refusal {
        span,
        message: "the budget for proofs is spent here".into(),
        help: "raise the budget, or simplify conditions and subscripts".into(),
    }
}

/// A refusal as the error of a function.
pub fn refuse<T>(span: Span, message: impl Into<String>, help: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal { span, message: message.into(), help: help.into() })
}

/// Something to be proven before a value may be used: `under` implies `holds`.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// When the expression is evaluated (beside the place it stands in).
    pub under: Formula,
    /// What must hold then.
    pub holds: Formula,
    /// The expression.
    pub span: Span,
    /// What may happen otherwise.
    pub message: String,
}

/// A value and its C type.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The mathematical value.
    pub value: Value,
    /// The C type.
    pub ty: IntType,
}

/// What affine expressions can see.
pub struct Evaluator<'a> {
    /// Names and their types.
    pub scopes: &'a mut Scopes,
    /// The text that spans refer to.
    pub text: &'a str,
    /// The counters of the surrounding loops, outermost first.
    pub counters: &'a [(String, IntType)],
    /// Everything that the region writes, its counters included.
    pub written: &'a BTreeSet<String>,
    /// All counters of the region.
    pub all_counters: &'a BTreeSet<String>,
    /// The parameters met so far.
    pub params: &'a mut BTreeMap<String, IntType>,
    /// What the expression is: `loop bound`, `condition`, `subscript`.
    pub role: &'static str,
    /// What is left to prove.
    pub obligations: Vec<Obligation>,
    /// The limit of all work on the region.
    pub budget: &'a Budget,
    /// The helpers of generated code that the file defines.
    pub helpers: &'a BTreeMap<String, Helper>,
    guard: Formula,
    operations: usize,
    connectives: usize,
}

/// An expression with more variables, constants and operators than this is refused, and so is one with more than this many of
/// `&&`, `||` and `?:`, each of which depends on those before it.
const MAX_OPERATIONS: usize = 20_000;
const MAX_CONNECTIVES: usize = 500;

impl<'a> Evaluator<'a> {
    /// An evaluator without obligations.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        scopes: &'a mut Scopes,
        text: &'a str,
        counters: &'a [(String, IntType)],
        written: &'a BTreeSet<String>,
        all_counters: &'a BTreeSet<String>,
        params: &'a mut BTreeMap<String, IntType>,
        role: &'static str,
        budget: &'a Budget,
        helpers: &'a BTreeMap<String, Helper>,
    ) -> Evaluator<'a> {
        Evaluator {
            scopes,
            text,
            counters,
            written,
            all_counters,
            params,
            role,
            obligations: Vec::new(),
            budget,
            helpers,
            guard: Formula::truth(),
            operations: 0,
            connectives: 0,
        }
    }

    fn operation(&mut self, span: Span) -> Result<(), Refusal> {
        self.operations += 1;
        if self.operations <= MAX_OPERATIONS {
            return Ok(());
        }
        refuse(span, format!("more than {MAX_OPERATIONS} operators in one statement"), "split the statement")
    }

    /// Counts a `&&`, `||` or `?:`.
    pub fn connective(&mut self, span: Span) -> Result<(), Refusal> {
        self.connectives += 1;
        if self.connectives <= MAX_CONNECTIVES {
            return Ok(());
        }
        refuse(span, format!("more than {MAX_CONNECTIVES} `&&`, `||` and `?:` in one statement"), "split the statement")
    }

    pub(crate) fn overflow<T>(&self, span: Span, result: Result<T, Overflow>) -> Result<T, Refusal> {
        result.or_else(|overflow| match overflow {
            Overflow::Coefficient => refuse(span, "a constant is out of range", "use constants that fit 64 bits"),
            Overflow::Cases => refuse(span, format!("a {} with too many cases", self.role), CASES_HELP),
        })
    }

    /// Counts work: about the number of terms that were made.
    pub fn charge(&self, terms: usize, span: Span) -> Result<(), Refusal> {
        self.budget.spend(terms as u64).map_err(|_| budget_spent(span))
    }

    /// The value of an integer expression.
    pub fn value(&mut self, e: &Node<Expression>) -> Result<Typed, Refusal> {
        let span = e.span;
        self.operation(span)?;
        match &e.node {
            Expression::Identifier(name) => self.name(&name.node.name, span),
            Expression::Constant(c) => self.constant(&c.node, span),
            Expression::UnaryOperator(u) => self.unary(&u.node, span),
            Expression::BinaryOperator(b) => self.binary(&b.node, span),
            Expression::Conditional(c) => {
                self.connective(span)?;
                let condition = self.condition(&c.node.condition)?;
                let then = self.guarded(condition.clone(), span, |s| s.value(&c.node.then_expression))?;
                let not = self.overflow(span, condition.not())?;
                let otherwise = self.guarded(not, span, |s| s.value(&c.node.else_expression))?;
                let ty = self.common(&then.ty, &otherwise.ty);
                let then = self.guarded(condition.clone(), span, |s| s.convert(then, &ty, span))?;
                let not = self.overflow(span, condition.not())?;
                let otherwise = self.guarded(not, span, |s| s.convert(otherwise, &ty, span))?;
                let value = self.overflow(span, Value::choose(&condition, then.value, otherwise.value))?;
                Ok(Typed { value, ty })
            }
            Expression::Cast(c) => match self.scopes.type_name(&c.node.type_name.node, self.text) {
                Type::Int(ty) => {
                    let value = self.value(&c.node.expression)?;
                    self.convert(value, &ty, span)
                }
                other => self.not_affine(span, &format!("a cast to `{}`", other.text())),
            },
            Expression::SizeOfTy(s) => match self.scopes.type_name(&s.node.0.node, self.text) {
                Type::Int(ty) => {
                    let size = self.scopes.integer(1, false);
                    Ok(Typed { value: Value::constant(i128::from(ty.bits / 8)), ty: size })
                }
                _ => self.not_affine(span, "`sizeof`"),
            },
            Expression::SizeOfVal(_) => self.not_affine(span, "`sizeof`"),
            Expression::Call(c) if self.helper(&c.node).is_some() => self.helped(&c.node, span),
            Expression::Call(c) => {
                let name = match &c.node.callee.node {
                    Expression::Identifier(name) => format!("`{}`", name.node.name),
                    _ => "a function".to_string(),
                };
                refuse(
                    span,
                    format!("a call of {name} in a {}", self.role),
                    "call it before the region and use a variable that the region does not write",
                )
            }
            Expression::Member(_) => self.not_affine(span, "a structure member"),
            Expression::Comma(_) => refuse(span, "the comma operator", "write separate statements"),
            Expression::Statement(_) => refuse(span, "a statement expression", "write separate statements"),
            Expression::StringLiteral(_) => self.not_affine(span, "a string literal"),
            _ => self.not_affine(span, "this expression"),
        }
    }

    /// When an expression is true.
    pub fn condition(&mut self, e: &Node<Expression>) -> Result<Formula, Refusal> {
        let condition = self.truth(e)?;
        let size = condition.size();
        self.charge(size, e.span)?;
        self.overflow(e.span, if size > MAX_SIZE { Err(Overflow::Cases) } else { Ok(condition) })
    }

    fn truth(&mut self, e: &Node<Expression>) -> Result<Formula, Refusal> {
        let span = e.span;
        match &e.node {
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Negate => {
                let inner = self.condition(&u.node.operand)?;
                self.overflow(span, inner.not())
            }
            Expression::BinaryOperator(b) => {
                let (op, lhs, rhs) = (&b.node.operator.node, &b.node.lhs, &b.node.rhs);
                match op {
                    BinaryOperator::LogicalAnd => {
                        self.connective(span)?;
                        let left = self.condition(lhs)?;
                        let right = self.guarded(left.clone(), span, |s| s.condition(rhs))?;
                        Ok(left.and(right))
                    }
                    BinaryOperator::LogicalOr => {
                        self.connective(span)?;
                        let left = self.condition(lhs)?;
                        let not = self.overflow(span, left.not())?;
                        let right = self.guarded(not, span, |s| s.condition(rhs))?;
                        Ok(left.or(right))
                    }
                    BinaryOperator::Less
                    | BinaryOperator::LessOrEqual
                    | BinaryOperator::Greater
                    | BinaryOperator::GreaterOrEqual
                    | BinaryOperator::Equals
                    | BinaryOperator::NotEquals => self.compare(op, lhs, rhs, span),
                    _ => self.nonzero(e),
                }
            }
            _ => self.nonzero(e),
        }
    }

    fn nonzero(&mut self, e: &Node<Expression>) -> Result<Formula, Refusal> {
        let value = self.value(e)?.value;
        let zero = value.holds(|lin| Ok(Formula::eq(lin.clone()))).and_then(|f| f.not());
        self.overflow(e.span, zero)
    }

    fn compare(
        &mut self,
        op: &BinaryOperator,
        lhs: &Node<Expression>,
        rhs: &Node<Expression>,
        span: Span,
    ) -> Result<Formula, Refusal> {
        let is_zero = |e: &Node<Expression>| match &e.node {
            Expression::Constant(c) => {
                matches!(&c.node, Constant::Integer(i) if integer_value(i) == Some(0))
            }
            _ => false,
        };
        let equality = matches!(op, BinaryOperator::Equals | BinaryOperator::NotEquals);
        let result = if equality && is_zero(rhs) && self.remainder(lhs).is_some() {
            // `x % d == 0` does not depend on the sign of the remainder
            let (dividend, divisor) = self.remainder(lhs).expect("just tested");
            let dividend = self.value(dividend)?;
            let ty = self.promoted(&dividend.ty);
            let dividend = self.convert(dividend, &ty, span)?;
            dividend.value.holds(|lin| Ok(Formula::eq(lin.plus(-divisor, &lin.floor_div(divisor)?)?)))
        } else {
            let (l, r) = (self.value(lhs)?, self.value(rhs)?);
            let ty = self.common(&l.ty, &r.ty);
            let (l, r) = (self.convert(l, &ty, lhs.span)?, self.convert(r, &ty, rhs.span)?);
            let difference = |factor: i128, constant: i128| {
                let of = move |a: &Lin, b: &Lin| a.times(factor)?.plus(-factor, b)?.plus_constant(constant);
                l.value.zip(&r.value, of)
            };
            match op {
                BinaryOperator::Less => difference(-1, -1).and_then(|v| at_least_zero(&v)),
                BinaryOperator::LessOrEqual => difference(-1, 0).and_then(|v| at_least_zero(&v)),
                BinaryOperator::Greater => difference(1, -1).and_then(|v| at_least_zero(&v)),
                BinaryOperator::GreaterOrEqual => difference(1, 0).and_then(|v| at_least_zero(&v)),
                _ => difference(1, 0).and_then(|v| v.holds(|lin| Ok(Formula::eq(lin.clone())))),
            }
        };
        let result = if *op == BinaryOperator::NotEquals { result.and_then(|f| f.not()) } else { result };
        self.overflow(span, result)
    }

    /// `x` and `d` of `x % d` with a constant `d > 0` whose type does not change that of `x`.
    fn remainder<'e>(&self, e: &'e Node<Expression>) -> Option<(&'e Node<Expression>, i128)> {
        let Expression::BinaryOperator(b) = &e.node else {
            return None;
        };
        if b.node.operator.node != BinaryOperator::Modulo {
            return None;
        }
        match &b.node.rhs.node {
            Expression::Constant(c) => match &c.node {
                Constant::Integer(i) if !i.suffix.unsigned && i.suffix.size == IntegerSize::Int => {
                    let d = integer_value(i)?;
                    (d > 0 && d < 1 << 31).then_some((&*b.node.lhs, d))
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn guarded<T>(&mut self, guard: Formula, span: Span, f: impl FnOnce(&mut Self) -> Result<T, Refusal>) -> Result<T, Refusal> {
        let outer = self.guard.clone();
        self.guard = outer.clone().and(guard);
        let size = self.guard.size();
        self.budget.spend(size as u64).map_err(|_| budget_spent(span))?;
        self.overflow(span, if size > MAX_SIZE { Err(Overflow::Cases) } else { Ok(()) })?;
        let result = f(self);
        self.guard = outer;
        result
    }

    pub(crate) fn not_affine<T>(&self, span: Span, what: &str) -> Result<T, Refusal> {
        refuse(
            span,
            format!("{what} in a {}", self.role),
            "only counters, parameters and constants can be used here, with + - and products, quotients and remainders by constants",
        )
    }

    fn name(&mut self, name: &str, span: Span) -> Result<Typed, Refusal> {
        if let Some(depth) = self.counters.iter().rposition(|(n, _)| n == name) {
            let ty = self.counters[depth].1.clone();
            return Ok(Typed { value: Value::linear(Lin::var(Var::Dim(depth))), ty });
        }
        match self.scopes.get(name) {
            Some(Entity::Enumerator(Some(value))) => {
                let (value, ty) = (*value, self.scopes.int());
                Ok(Typed { value: Value::constant(value), ty })
            }
            Some(Entity::Enumerator(None)) => self.not_affine(span, "an enumerator of unknown value"),
            Some(Entity::Typedef(..)) => self.not_affine(span, "a type"),
            None => refuse(span, format!("`{name}` is not declared"), "declare it before the region"),
            Some(Entity::Var(var)) => {
                let Type::Int(ty) = var.ty.clone() else {
                    let ty = var.ty.text();
                    return self.not_affine(span, &format!("`{name}` of type `{ty}`"));
                };
                if var.traits.volatile {
                    return refuse(span, format!("volatile `{name}` in a {}", self.role), "copy it before the region");
                }
                if self.all_counters.contains(name) {
                    return refuse(
                        span,
                        format!("counter `{name}` is used in a {} outside its loop", self.role),
                        "write the value it has there, or use another variable",
                    );
                }
                if self.written.contains(name) {
                    return refuse(
                        span,
                        format!("`{name}` is written in the region and used in a {}", self.role),
                        "parameters must not change in the region: write the expression in place, or compute it before the region",
                    );
                }
                self.params.insert(name.to_string(), ty.clone());
                Ok(Typed { value: Value::linear(Lin::var(Var::Param(name.to_string()))), ty })
            }
        }
    }

    fn constant(&mut self, c: &Constant, span: Span) -> Result<Typed, Refusal> {
        match c {
            Constant::Integer(i) => {
                let too_large = "this constant does not fit 64 bits";
                let Some(value) = integer_value(i) else {
                    return refuse(span, too_large, "use a smaller constant");
                };
                if i.suffix.imaginary {
                    return self.not_affine(span, "an imaginary constant");
                }
                let first = match i.suffix.size {
                    IntegerSize::Int => 0,
                    IntegerSize::Long => 1,
                    IntegerSize::LongLong => 2,
                };
                let both = i.base != IntegerBase::Decimal;
                for rank in first..3 {
                    for signed in [true, false] {
                        if (signed && i.suffix.unsigned) || (!signed && !i.suffix.unsigned && !both) {
                            continue;
                        }
                        let ty = self.scopes.integer(rank, signed);
                        if value <= range(&ty).1 {
                            return Ok(Typed { value: Value::constant(value), ty });
                        }
                    }
                }
                refuse(span, too_large, "use a smaller constant")
            }
            Constant::Character(text) => match simple_character(text) {
                Some(value) => Ok(Typed { value: Value::constant(value), ty: self.scopes.int() }),
                None => self.not_affine(span, "this character constant"),
            },
            Constant::Float(_) => self.not_affine(span, "a floating-point constant"),
        }
    }

    fn unary(&mut self, u: &UnaryOperatorExpression, span: Span) -> Result<Typed, Refusal> {
        match u.operator.node {
            UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement => {
                let operand = self.value(&u.operand)?;
                let ty = self.promoted(&operand.ty);
                let operand = self.convert(operand, &ty, span)?;
                let value = match u.operator.node {
                    UnaryOperator::Plus => return Ok(operand),
                    UnaryOperator::Minus => operand.value.map(|lin| Ok(Value::linear(lin.times(-1)?))),
                    // two's complement: ~x = -x - 1
                    _ => operand.value.map(|lin| Ok(Value::linear(lin.times(-1)?.plus_constant(-1)?))),
                };
                let value = self.overflow(span, value)?;
                self.result(value, ty, span)
            }
            UnaryOperator::Negate => {
                let condition = self.condition(&u.operand)?;
                let value = Value::choose(&condition, Value::constant(0), Value::constant(1));
                Ok(Typed { value: self.overflow(span, value)?, ty: self.scopes.int() })
            }
            UnaryOperator::Address => refuse(span, "an address is taken", "use subscripts only"),
            UnaryOperator::Indirection => {
                refuse(span, format!("a pointer is dereferenced in a {}", self.role), "copy the value before the region")
            }
            _ => refuse(span, format!("`++` or `--` inside a {}", self.role), "change counters in the header of their loop only"),
        }
    }

    fn binary(&mut self, b: &BinaryOperatorExpression, span: Span) -> Result<Typed, Refusal> {
        use BinaryOperator as Op;
        match b.operator.node {
            Op::Plus | Op::Minus | Op::Multiply | Op::Divide | Op::Modulo | Op::BitwiseAnd => {
                let (l, r) = (self.value(&b.lhs)?, self.value(&b.rhs)?);
                let ty = self.common(&l.ty, &r.ty);
                let (l, r) = (self.convert(l, &ty, b.lhs.span)?, self.convert(r, &ty, b.rhs.span)?);
                self.arithmetic(&b.operator.node, l.value, r.value, ty, span)
            }
            Op::ShiftLeft | Op::ShiftRight => {
                let (l, r) = (self.value(&b.lhs)?, self.value(&b.rhs)?);
                let ty = self.promoted(&l.ty);
                let l = self.convert(l, &ty, b.lhs.span)?;
                let Some(by) = r.value.as_constant().filter(|by| (0..i128::from(ty.bits) - 1).contains(by)) else {
                    return self.not_affine(span, "a shift by something other than a small constant");
                };
                let value = if b.operator.node == Op::ShiftLeft {
                    l.value.map(|lin| Ok(Value::linear(lin.times(1 << by)?)))
                } else {
                    // arithmetic shift, as every compiler here does it
                    l.value.map(|lin| Ok(Value::linear(lin.floor_div(1 << by)?)))
                };
                let value = self.overflow(span, value)?;
                self.result(value, ty, span)
            }
            Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual | Op::Equals | Op::NotEquals => {
                let condition = self.compare(&b.operator.node, &b.lhs, &b.rhs, span)?;
                self.truth_value(condition, span)
            }
            Op::LogicalAnd | Op::LogicalOr => {
                let whole = Node::new(Expression::BinaryOperator(Box::new(Node::new(b.clone(), span))), span);
                let condition = self.condition(&whole)?;
                self.truth_value(condition, span)
            }
            Op::Index => {
                let name = array_name(&b.lhs).map_or("an array element".to_string(), |n| format!("an element of `{n}`"));
                refuse(
                    span,
                    format!("data-dependent {}: {name}", self.role),
                    "only counters, parameters and constants may steer the region; copy the value to a variable before it",
                )
            }
            Op::BitwiseXor | Op::BitwiseOr => self.not_affine(span, "a bitwise operator"),
            _ => refuse(span, format!("an assignment inside a {}", self.role), "write it as a statement of its own"),
        }
    }

    fn truth_value(&self, condition: Formula, span: Span) -> Result<Typed, Refusal> {
        let value = self.overflow(span, Value::choose(&condition, Value::constant(1), Value::constant(0)))?;
        Ok(Typed { value, ty: self.scopes.int() })
    }

    fn arithmetic(&mut self, op: &BinaryOperator, l: Value, r: Value, ty: IntType, span: Span) -> Result<Typed, Refusal> {
        use BinaryOperator as Op;
        let value = match op {
            Op::Plus => l.zip(&r, |a, b| a.plus(1, b)),
            Op::Minus => l.zip(&r, |a, b| a.plus(-1, b)),
            Op::Multiply => match (l.as_constant(), r.as_constant()) {
                (_, Some(factor)) => l.map(|lin| Ok(Value::linear(lin.times(factor)?))),
                (Some(factor), _) => r.map(|lin| Ok(Value::linear(lin.times(factor)?))),
                _ => {
                    return refuse(
                        span,
                        format!("a product of two variables in a {}", self.role),
                        match self.role {
                            "subscript" => {
                                "only products with constants are affine; a linearized array can be declared with two dimensions"
                            }
                            _ => {
                                "only products with constants are affine; copy the product of parameters to a variable before the region"
                            }
                        },
                    );
                }
            },
            Op::BitwiseAnd => {
                let mask = |v: &Value| v.as_constant().filter(|m| *m >= 0 && (m + 1).count_ones() == 1);
                let of = |v: &Value, m: i128| v.map(|lin| Ok(Value::linear(lin.plus(-(m + 1), &lin.floor_div(m + 1)?)?)));
                match (mask(&l), mask(&r)) {
                    (_, Some(m)) => of(&l, m),
                    (Some(m), _) => of(&r, m),
                    _ => return self.not_affine(span, "a bitwise operator"),
                }
            }
            _ => {
                let Some(d) = r.as_constant() else {
                    let what = if *op == Op::Divide { "a quotient" } else { "a remainder" };
                    return self.not_affine(span, &format!("{what} by a variable"));
                };
                match (d, op, ty.signed) {
                    (0, ..) => return refuse(span, "division by zero", "this is undefined in C"),
                    (_, Op::Divide, true) => l.truncated_div(d),
                    (_, Op::Modulo, true) => l.truncated_rem(d),
                    (_, Op::Divide, false) => l.map(|lin| Ok(Value::linear(lin.floor_div(d)?))),
                    _ => l.map(|lin| Ok(Value::linear(lin.plus(-d, &lin.floor_div(d)?)?))),
                }
            }
        };
        let value = self.overflow(span, value)?;
        self.result(value, ty, span)
    }

    /// The type of both operands after the usual arithmetic conversions.
    fn common(&self, a: &IntType, b: &IntType) -> IntType {
        let (a, b) = (self.promoted(a), self.promoted(b));
        match (a.signed, b.signed) {
            (x, y) if x == y => {
                if a.bits >= b.bits {
                    a
                } else {
                    b
                }
            }
            (true, false) => {
                if b.bits >= a.bits {
                    b
                } else {
                    a
                }
            }
            _ => {
                if a.bits >= b.bits {
                    a
                } else {
                    b
                }
            }
        }
    }

    fn promoted(&self, ty: &IntType) -> IntType {
        let int = self.scopes.int();
        if ty.bits < int.bits { int } else { ty.clone() }
    }

    /// The value in another type.
    pub fn convert(&mut self, from: Typed, to: &IntType, span: Span) -> Result<Typed, Refusal> {
        let ((low, high), (from_low, from_high)) = (range(to), range(&from.ty));
        if low <= from_low && from_high <= high {
            return Ok(Typed { value: from.value, ty: to.clone() });
        }
        let message = format!("the value may not fit `{}`, to which it is converted here", to.name);
        let converted = self.result(from.value, to.clone(), span)?;
        if to.signed && converted.value.as_constant().is_none() {
            self.stays_inside(&converted.value, to, span, message)?;
        }
        Ok(converted)
    }

    /// Leaves the obligation that a value is one of its type.
    fn stays_inside(&mut self, value: &Value, ty: &IntType, span: Span, message: String) -> Result<(), Refusal> {
        let (low, high) = range(ty);
        let inside = value.holds(|lin| {
            let at_most = Formula::ge(lin.times(-1)?.plus_constant(high)?);
            Ok(Formula::ge(lin.plus_constant(-low)?).and(at_most))
        });
        let holds = self.overflow(span, inside)?;
        self.obligations.push(Obligation { under: self.guard.clone(), holds, span, message });
        Ok(())
    }

    /// A computed value in its type: constants wrap or are refused, unsigned values must be proven to stay in range.
    pub(crate) fn result(&mut self, value: Value, ty: IntType, span: Span) -> Result<Typed, Refusal> {
        let (low, high) = range(&ty);
        self.charge(value.size(), span)?;
        if let Some(c) = value.as_constant() {
            return match ty.signed {
                _ if low <= c && c <= high => Ok(Typed { value, ty }),
                false => Ok(Typed { value: Value::constant(c.rem_euclid(high + 1)), ty }),
                true => refuse(span, format!("the constant {c} does not fit `{}`", ty.name), "use a wider type"),
            };
        }
        if !ty.signed {
            self.stays_inside(&value, &ty, span, format!("`{}` arithmetic may wrap here", ty.name))?;
        }
        Ok(Typed { value, ty })
    }
}

/// `value >= 0`; the value `min(a, b)` or `max(a, b)` gives `a >= 0` and/or `b >= 0` without cases.
///
/// With pieces `(l >= 0, a)` and `(l <= -1, b)` and `b - a = k l + r`, `k > 0`, `0 <= r <= k`, the value is `min(a, b)`: the
/// first piece has `b - a >= 0`, the second `b - a <= 0`.
pub fn at_least_zero(value: &Value) -> Result<Formula, Overflow> {
    if let [(Formula::Ge(l), a), (Formula::Ge(not_l), b)] = value.pieces.as_slice()
        && *not_l == l.times(-1)?.plus_constant(-1)?
    {
        let smaller_first = is_order(l, &b.plus(-1, a)?)?;
        let larger_first = is_order(l, &a.plus(-1, b)?)?;
        let (a, b) = (Formula::ge(a.clone()), Formula::ge(b.clone()));
        if smaller_first {
            return Ok(a.and(b));
        }
        if larger_first {
            return Ok(a.or(b));
        }
    }
    value.holds(|lin| Ok(Formula::ge(lin.clone())))
}

/// Whether `difference = k l + r` with `k > 0` and `0 <= r <= k`.
fn is_order(l: &Lin, difference: &Lin) -> Result<bool, Overflow> {
    let Some((var, c)) = l.terms.first_key_value() else {
        return Ok(false);
    };
    let d = difference.terms.get(var).copied().unwrap_or(0);
    if d == 0 || d % c != 0 || d / c <= 0 {
        return Ok(false);
    }
    let k = d / c;
    Ok(difference.plus(-k, l)?.as_constant().is_some_and(|r| (0..=k).contains(&r)))
}

/// The least and the greatest value of a type.
pub fn range(ty: &IntType) -> (i128, i128) {
    if ty.signed { (-(1 << (ty.bits - 1)), (1 << (ty.bits - 1)) - 1) } else { (0, (1 << ty.bits) - 1) }
}

/// The name of the array that a chain of subscripts starts from.
pub fn array_name(e: &Node<Expression>) -> Option<&str> {
    let mut e = e;
    loop {
        match &e.node {
            Expression::Identifier(name) => return Some(&name.node.name),
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Index => e = &b.node.lhs,
            _ => return None,
        }
    }
}

fn simple_character(text: &str) -> Option<i128> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    match inner.as_bytes() {
        [c] if *c != b'\\' && c.is_ascii() => Some(i128::from(*c)),
        [b'\\', b'0'] => Some(0),
        [b'\\', b'n'] => Some(10),
        [b'\\', b't'] => Some(9),
        _ => None,
    }
}
