//! A first look at a region: what it writes, which counters it has, which names it declares.

use crate::eval::{Refusal, array_name, refuse};
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use std::collections::BTreeSet;

/// Statements nested deeper than this are refused.
pub const MAX_NEST: usize = 200;

/// The names of a region by what happens to them. Names, not entities: two variables of one name are treated as one, which
/// can only refuse more.
#[derive(Clone, Debug, Default)]
pub struct Survey {
    /// Written by assignments, `++`, `--`, or an initializer in a body.
    pub written: BTreeSet<String>,
    /// Counters of `for` loops.
    pub counters: BTreeSet<String>,
    /// Not the same value throughout: written, or declared in a body.
    pub unsteady: BTreeSet<String>,
}

/// Surveys the items of a region; constructs that no region may have are refused here.
///
/// # Errors
/// A [`Refusal`] of the first `while`, `do`, `switch`, `goto`, `break`, `continue`, `return`, label or `asm`.
pub fn survey(items: &[Node<BlockItem>]) -> Result<Survey, Refusal> {
    survey_at(items, 0)
}

/// The same for items that are nested `depth` deep already.
///
/// # Errors
/// As [`survey`].
pub fn survey_at(items: &[Node<BlockItem>], depth: usize) -> Result<Survey, Refusal> {
    let mut survey = Survey::default();
    block(items, depth, &mut survey)?;
    survey.unsteady.extend(survey.written.iter().cloned());
    Ok(survey)
}

fn block(items: &[Node<BlockItem>], depth: usize, survey: &mut Survey) -> Result<(), Refusal> {
    for item in items {
        match &item.node {
            BlockItem::Declaration(declaration) => {
                for declarator in &declaration.node.declarators {
                    if let Some(name) = declared_name(&declarator.node.declarator.node) {
                        survey.unsteady.insert(name.to_string());
                        if declarator.node.initializer.is_some() {
                            survey.written.insert(name.to_string());
                        }
                    }
                    if let Some(Initializer::Expression(e)) = declarator.node.initializer.as_ref().map(|i| &i.node) {
                        expression(e, survey);
                    }
                }
            }
            BlockItem::Statement(s) => statement(s, depth, survey)?,
            BlockItem::StaticAssert(_) => {}
        }
    }
    Ok(())
}

fn statement(s: &Node<Statement>, depth: usize, survey: &mut Survey) -> Result<(), Refusal> {
    let span = s.span;
    if depth > MAX_NEST {
        return refuse(span, format!("statements nested more than {MAX_NEST} deep"), "split the nest");
    }
    let control = |what: &str, help: &str| refuse(span, format!("`{what}` in the region"), help);
    const BOUNDED: &str = "write a `for` with affine bounds and step";
    const ONE_EXIT: &str = "a loop of a region runs to its bound; use a condition on the statements instead";
    match &s.node {
        Statement::Compound(items) => block(items, depth + 1, survey),
        Statement::Expression(None) => Ok(()),
        Statement::Expression(Some(e)) => {
            expression(e, survey);
            Ok(())
        }
        Statement::If(i) => {
            expression(&i.node.condition, survey);
            statement(&i.node.then_statement, depth + 1, survey)?;
            i.node.else_statement.iter().try_for_each(|e| statement(e, depth + 1, survey))
        }
        Statement::For(f) => {
            match &f.node.initializer.node {
                ForInitializer::Expression(e) => {
                    if let Expression::BinaryOperator(b) = &e.node
                        && let (BinaryOperator::Assign, Some(name)) = (&b.node.operator.node, identifier(&b.node.lhs))
                    {
                        survey.counters.insert(name.to_string());
                        expression(&b.node.rhs, survey);
                    }
                }
                ForInitializer::Declaration(d) => {
                    let names = d.node.declarators.iter().filter_map(|d| declared_name(&d.node.declarator.node));
                    survey.counters.extend(names.map(str::to_string));
                }
                ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
            }
            if let Some(condition) = &f.node.condition {
                expression(condition, survey);
            }
            statement(&f.node.statement, depth + 1, survey)
        }
        Statement::While(_) => control("while", BOUNDED),
        Statement::DoWhile(_) => control("do", BOUNDED),
        Statement::Switch(_) => control("switch", "write `if` and `else` with affine conditions"),
        Statement::Goto(_) => control("goto", ONE_EXIT),
        Statement::Continue => control("continue", ONE_EXIT),
        Statement::Break => control("break", ONE_EXIT),
        Statement::Return(_) => control("return", ONE_EXIT),
        Statement::Labeled(_) => refuse(span, "a label in the region", "nothing may jump into a region"),
        Statement::Asm(_) => refuse(span, "inline assembly in the region", "write it in C or move it out of the region"),
    }
}

fn expression(e: &Node<Expression>, survey: &mut Survey) {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.node {
            Expression::BinaryOperator(b) => {
                if is_assignment(&b.node.operator.node) {
                    survey.written.extend(array_name(&b.node.lhs).map(str::to_string));
                }
                stack.extend([&*b.node.lhs, &*b.node.rhs]);
            }
            Expression::UnaryOperator(u) => {
                use UnaryOperator::{PostDecrement, PostIncrement, PreDecrement, PreIncrement};
                if matches!(u.node.operator.node, PostDecrement | PostIncrement | PreDecrement | PreIncrement) {
                    survey.written.extend(array_name(&u.node.operand).map(str::to_string));
                }
                stack.push(&u.node.operand);
            }
            Expression::Conditional(c) => {
                stack.extend([&*c.node.condition, &*c.node.then_expression, &*c.node.else_expression]);
            }
            Expression::Cast(c) => stack.push(&c.node.expression),
            Expression::Call(c) => stack.extend(&c.node.arguments),
            Expression::Comma(list) => stack.extend(list.iter()),
            _ => {}
        }
    }
}

/// Whether an operator assigns to its left operand.
pub fn is_assignment(op: &BinaryOperator) -> bool {
    use BinaryOperator::*;
    matches!(
        op,
        Assign
            | AssignMultiply
            | AssignDivide
            | AssignModulo
            | AssignPlus
            | AssignMinus
            | AssignShiftLeft
            | AssignShiftRight
            | AssignBitwiseAnd
            | AssignBitwiseXor
            | AssignBitwiseOr
    )
}

/// The name, if the expression is just a name.
pub fn identifier(e: &Node<Expression>) -> Option<&str> {
    match &e.node {
        Expression::Identifier(name) => Some(&name.node.name),
        _ => None,
    }
}

/// The name that a declarator declares.
pub fn declared_name(d: &Declarator) -> Option<&str> {
    declared(d).map(|(name, _)| name)
}

/// The name that a declarator declares, and its place.
pub fn declared(d: &Declarator) -> Option<(&str, Span)> {
    let mut d = d;
    loop {
        match &d.kind.node {
            DeclaratorKind::Abstract => return None,
            DeclaratorKind::Identifier(name) => return Some((&name.node.name, name.span)),
            DeclaratorKind::Declarator(inner) => d = &inner.node,
        }
    }
}
