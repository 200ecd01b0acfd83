//! Which statements have the form `x = x op e` with an associative and commutative `op`.
//!
//! `x op= e`, `x++`, `x = x op e` with `x` anywhere in a chain of the operator, `x = fmin(x, e)`, and `x = x < e ? x : e` with every
//! comparison and order of its operands. An integer `x` must not pass through floating point, where the conversion back does not
//! commute with the operator.

use crate::lexer::lex;
use crate::survey::{identifier, is_assignment};
use crate::types::{Entity, Scopes, Type};
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use loopwright_scop::{IntType, Operator};

/// An update: its operator, and the places of `x` as it is read and as it is written.
pub struct Found {
    /// The operator.
    pub operator: Operator,
    /// `x` as it is read.
    pub reads: Vec<Span>,
    /// `x` as it is written.
    pub write: Span,
}

/// What is known of names.
pub struct Names<'a> {
    /// Their types.
    pub scopes: &'a Scopes,
    /// The text that spans refer to.
    pub text: &'a str,
}

impl Names<'_> {
    /// The update that a statement is.
    pub fn update(&self, statement: &Node<Expression>) -> Option<Found> {
        match &statement.node {
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::PostIncrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreDecrement => {
                    let x = u.node.operand.span;
                    Some(Found { operator: Operator::Add, reads: vec![x], write: x })
                }
                _ => None,
            },
            Expression::BinaryOperator(b) if is_assignment(&b.node.operator.node) => self.assignment(&b.node),
            _ => None,
        }
    }

    fn assignment(&self, b: &BinaryOperatorExpression) -> Option<Found> {
        let (x, e) = (&*b.lhs, &*b.rhs);
        let found = |(operator, reads): (Operator, Vec<Span>)| Found { operator, reads, write: x.span };
        let found = match b.operator.node {
            BinaryOperator::Assign => self.chain(x, e).or_else(|| self.call(x, e)).or_else(|| self.choice(x, e)).map(found),
            BinaryOperator::AssignPlus | BinaryOperator::AssignMinus => Some(found((Operator::Add, vec![x.span]))),
            BinaryOperator::AssignMultiply => Some(found((Operator::Multiply, vec![x.span]))),
            BinaryOperator::AssignBitwiseAnd => Some(found((Operator::And, vec![x.span]))),
            BinaryOperator::AssignBitwiseOr => Some(found((Operator::Or, vec![x.span]))),
            BinaryOperator::AssignBitwiseXor => Some(found((Operator::Xor, vec![x.span]))),
            _ => None,
        };
        found.filter(|f| self.stays_in_type(x, e, f.operator))
    }

    fn same(&self, a: &Node<Expression>, b: &Node<Expression>) -> bool {
        let tokens = |e: &Node<Expression>| -> Vec<&str> {
            let text = &self.text[e.span.start..e.span.end];
            lex(text).iter().map(|t| t.text(text)).collect()
        };
        without_parentheses(&tokens(a)) == without_parentheses(&tokens(b))
    }

    // `x` in a chain of one operator.
    fn chain(&self, x: &Node<Expression>, e: &Node<Expression>) -> Option<(Operator, Vec<Span>)> {
        let Expression::BinaryOperator(top) = &e.node else { return None };
        let operator = operator_of(&top.node.operator.node)?;
        let (mut stack, mut places) = (vec![(e, true)], Vec::new());
        while let Some((e, positive)) = stack.pop() {
            match &e.node {
                Expression::BinaryOperator(b) if operator_of(&b.node.operator.node) == Some(operator) => {
                    let minus = b.node.operator.node == BinaryOperator::Minus;
                    stack.push((&b.node.lhs, positive));
                    stack.push((&b.node.rhs, positive != minus));
                }
                _ if self.same(x, e) => places.push((e.span, positive)),
                _ => {}
            }
        }
        match places[..] {
            [(place, true)] => Some((operator, vec![place])),
            _ => None,
        }
    }

    // `fmin(x, e)`
    fn call(&self, x: &Node<Expression>, e: &Node<Expression>) -> Option<(Operator, Vec<Span>)> {
        let Expression::Call(call) = &e.node else { return None };
        let name = identifier(&call.node.callee)?;
        let operator = match name.strip_prefix("__builtin_").unwrap_or(name) {
            "fmin" | "fminf" | "fminl" => Operator::Min,
            "fmax" | "fmaxf" | "fmaxl" => Operator::Max,
            _ => return None,
        };
        let [a, b] = &call.node.arguments[..] else { return None };
        match (self.same(x, a), self.same(x, b)) {
            (true, false) => Some((operator, vec![a.span])),
            (false, true) => Some((operator, vec![b.span])),
            _ => None,
        }
    }

    // `a < b ? a : b` with `x` as one of them.
    fn choice(&self, x: &Node<Expression>, e: &Node<Expression>) -> Option<(Operator, Vec<Span>)> {
        let Expression::Conditional(c) = &e.node else { return None };
        let Expression::BinaryOperator(test) = &c.node.condition.node else { return None };
        let less = match test.node.operator.node {
            BinaryOperator::Less | BinaryOperator::LessOrEqual => true,
            BinaryOperator::Greater | BinaryOperator::GreaterOrEqual => false,
            _ => return None,
        };
        let (a, b, then, otherwise) = (&*test.node.lhs, &*test.node.rhs, &*c.node.then_expression, &*c.node.else_expression);
        let straight = self.same(a, then) && self.same(b, otherwise);
        let crossed = self.same(a, otherwise) && self.same(b, then);
        if straight == crossed {
            return None;
        }
        let operator = if less == straight { Operator::Min } else { Operator::Max };
        let places: Vec<Span> = [a, b, then, otherwise].into_iter().filter(|e| self.same(x, e)).map(|e| e.span).collect();
        (places.len() == 2).then_some((operator, places))
    }

    // Whether the update computes in the type of `x`, or in one whose conversion to it commutes with the operator.
    fn stays_in_type(&self, x: &Node<Expression>, e: &Node<Expression>, operator: Operator) -> bool {
        match self.element(x) {
            Some(Type::Int(of_x)) => self.is_integer(e, &|ty: Option<&IntType>| match (operator, ty) {
                (Operator::Min | Operator::Max, Some(ty)) => of_x.signed && ty.signed && ty.bits <= of_x.bits,
                (Operator::Min | Operator::Max, None) => of_x.signed && of_x.bits >= 32,
                _ => true,
            }),
            Some(Type::Other(name)) => matches!(name.as_str(), "float" | "double" | "long double"),
            _ => false,
        }
    }

    fn element(&self, e: &Node<Expression>) -> Option<&Type> {
        let mut base = e;
        while let Expression::BinaryOperator(b) = &base.node {
            base = &b.node.lhs;
        }
        match self.scopes.get(identifier(base)?)? {
            Entity::Var(var) => Some(var.ty.as_array()?.0),
            _ => None,
        }
    }

    // Whether an expression is made of integers, of types (`None`: of a constant) that `fits` takes.
    fn is_integer(&self, e: &Node<Expression>, fits: &dyn Fn(Option<&IntType>) -> bool) -> bool {
        let mut stack = vec![e];
        while let Some(e) = stack.pop() {
            match &e.node {
                Expression::Constant(c) => {
                    let small = |i: &Integer| i.number.len() <= 9 && !i.suffix.unsigned && !i.suffix.imaginary;
                    match &c.node {
                        Constant::Integer(i) if fits(None) && small(i) => {}
                        Constant::Character(_) if fits(None) => {}
                        _ => return false,
                    }
                }
                Expression::BinaryOperator(b) if b.node.operator.node != BinaryOperator::Index => {
                    stack.extend([&*b.node.lhs, &*b.node.rhs]);
                }
                Expression::Identifier(_) | Expression::BinaryOperator(_) => match self.element(e) {
                    Some(Type::Int(ty)) if fits(Some(ty)) => {}
                    _ => return false,
                },
                Expression::UnaryOperator(u) => stack.push(&u.node.operand),
                Expression::Conditional(c) => {
                    stack.extend([&*c.node.condition, &*c.node.then_expression, &*c.node.else_expression]);
                }
                _ => return false,
            }
        }
        true
    }
}

// The tokens without parentheses around all of them.
fn without_parentheses<'a, 't>(mut tokens: &'a [&'t str]) -> &'a [&'t str] {
    while let ["(", inner @ .., ")"] = tokens {
        let mut depth = 0i64;
        let closes_early = inner.iter().any(|token| {
            depth += i64::from(*token == "(") - i64::from(*token == ")");
            depth < 0
        });
        if closes_early {
            break;
        }
        tokens = inner;
    }
    tokens
}

fn operator_of(operator: &BinaryOperator) -> Option<Operator> {
    match operator {
        BinaryOperator::Plus | BinaryOperator::Minus => Some(Operator::Add),
        BinaryOperator::Multiply => Some(Operator::Multiply),
        BinaryOperator::BitwiseAnd => Some(Operator::And),
        BinaryOperator::BitwiseOr => Some(Operator::Or),
        BinaryOperator::BitwiseXor => Some(Operator::Xor),
        _ => None,
    }
}
