//! The header of a `for` loop: counter, first value, condition, step; and the values that the counter takes.
//!
//! With first value `e` and step `c`, the counter takes the values of the chain `e, e+c, e+2c, ..` up to the first that fails
//! the condition. A condition like `i < n` (for `c > 0`) holds on a beginning of the chain, so the loop's values are
//! `{ i : i >= e, (i-e) mod c = 0, i < n }`. One like `i > n` holds, for `c > 0`, on the whole chain or not at its start, so it
//! is a condition on `e`. `i != n` holds up to `n`, if the chain meets it; otherwise the loop does not end before it
//! overflows, which the source promises not to do.

use crate::eval::{Refusal, refuse};
use crate::formula::{Atom, Formula, Lin, Overflow, Value, Var};
use crate::survey::identifier;
use lang_c::ast::*;
use lang_c::span::{Node, Span};

/// The parts of a header.
pub struct Header<'a> {
    /// The counter's name.
    pub name: &'a str,
    /// Where the name stands.
    pub name_span: Span,
    /// The declaration, for a counter declared in the header.
    pub declaration: Option<&'a Declaration>,
    /// The first value.
    pub first: &'a Node<Expression>,
    /// The condition.
    pub condition: &'a Node<Expression>,
    /// The step expression: `+c` or `-c`, as a sign and an expression; `None` for 1.
    pub step: (i128, Option<&'a Node<Expression>>),
}

const SHAPE: &str = "write `for (i = first; i < bound; i += step)` with a constant step";

/// Takes a header apart.
///
/// # Errors
/// A [`Refusal`] that names the part that does not fit.
pub fn header<'a>(f: &'a ForStatement, span: Span) -> Result<Header<'a>, Refusal> {
    let (name, name_span, declaration, first) = match &f.initializer.node {
        ForInitializer::Expression(e) => match &e.node {
            Expression::BinaryOperator(b) if b.node.operator.node == BinaryOperator::Assign => match identifier(&b.node.lhs) {
                Some(name) => (name, b.node.lhs.span, None, &*b.node.rhs),
                None => {
                    return refuse(b.node.lhs.span, "the counter of a loop is not a variable", SHAPE);
                }
            },
            Expression::Comma(_) => return refuse(e.span, "a loop with several counters", SHAPE),
            _ => return refuse(e.span, "a loop header that does not set its counter", SHAPE),
        },
        ForInitializer::Declaration(d) => match d.node.declarators.as_slice() {
            [one] => {
                let declared = crate::survey::declared(&one.node.declarator.node);
                match (declared, one.node.initializer.as_ref().map(|i| &i.node)) {
                    (Some((name, at)), Some(Initializer::Expression(e))) => (name, at, Some(&d.node), &**e),
                    _ => {
                        return refuse(d.span, "a loop header that does not set its counter", SHAPE);
                    }
                }
            }
            _ => return refuse(d.span, "a loop with several counters", SHAPE),
        },
        ForInitializer::Empty | ForInitializer::StaticAssert(_) => {
            return refuse(span, "a loop header that does not set its counter", SHAPE);
        }
    };
    let Some(condition) = &f.condition else {
        return refuse(span, "a loop without a condition", SHAPE);
    };
    let Some(step) = &f.step else {
        return refuse(span, "a loop without a step", SHAPE);
    };
    let step = self::step(step, name)?;
    Ok(Header { name, name_span, declaration, first, condition, step })
}

fn step<'a>(e: &'a Node<Expression>, counter: &str) -> Result<(i128, Option<&'a Node<Expression>>), Refusal> {
    let is_counter = |e: &Node<Expression>| identifier(e) == Some(counter);
    match &e.node {
        Expression::UnaryOperator(u) if is_counter(&u.node.operand) => match u.node.operator.node {
            UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => return Ok((1, None)),
            UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => return Ok((-1, None)),
            _ => {}
        },
        Expression::BinaryOperator(b) if is_counter(&b.node.lhs) => match b.node.operator.node {
            BinaryOperator::AssignPlus => return Ok((1, Some(&b.node.rhs))),
            BinaryOperator::AssignMinus => return Ok((-1, Some(&b.node.rhs))),
            BinaryOperator::Assign => {
                if let Expression::BinaryOperator(sum) = &b.node.rhs.node {
                    match sum.node.operator.node {
                        BinaryOperator::Plus if is_counter(&sum.node.lhs) => {
                            return Ok((1, Some(&sum.node.rhs)));
                        }
                        BinaryOperator::Plus if is_counter(&sum.node.rhs) => {
                            return Ok((1, Some(&sum.node.lhs)));
                        }
                        BinaryOperator::Minus if is_counter(&sum.node.lhs) => {
                            return Ok((-1, Some(&sum.node.rhs)));
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        },
        Expression::Comma(_) => return refuse(e.span, "a loop with several counters", SHAPE),
        _ => {}
    }
    refuse(e.span, format!("the step of a loop does not add a constant to `{counter}`"), SHAPE)
}

/// The values of a loop's counter.
pub struct Values {
    /// The values for which the body runs.
    pub domain: Formula,
    /// What must hold besides, for an unsigned counter, so that a `!=` ends the loop.
    pub ends: Formula,
    /// Cases in which no condition ends the loop: they must be proven to be empty.
    pub endless: Vec<Formula>,
}

/// Why a loop's values are not affine.
pub enum NotALoop {
    /// Numbers out of range, or too many cases.
    Overflow(Overflow),
    /// A condition whose truth along the chain is not a beginning of it.
    Condition,
}

impl From<Overflow> for NotALoop {
    fn from(overflow: Overflow) -> NotALoop {
        NotALoop::Overflow(overflow)
    }
}

/// The values of the counter at `depth`, from its first value, step and condition.
pub fn values(depth: usize, first: &Value, step: i128, condition: &Formula) -> Result<Values, NotALoop> {
    let counter = Lin::var(Var::Dim(depth));
    let mut values = Values { domain: Formula::falsity(), ends: Formula::truth(), endless: Vec::new() };
    for (case, first) in &first.pieces {
        let start = case.clone().and(chain(&counter, first, step)?);
        let mut ends = Formula::truth();
        let along = along(condition, depth, first, step, &mut ends, Whole::Yes)?;
        for atoms in along.disjuncts()? {
            let bounded = atoms.iter().any(|atom| match atom {
                Atom::Ge(lin) => lin.coefficient(depth).is_some_and(|c| c * step.signum() < 0),
                Atom::Eq(lin) => lin.mentions(depth),
            });
            if !bounded {
                let atoms = atoms.into_iter().map(|a| match a {
                    Atom::Ge(lin) => Formula::Ge(lin),
                    Atom::Eq(lin) => Formula::Eq(lin),
                });
                values.endless.push(atoms.fold(start.clone(), Formula::and));
            }
        }
        values.ends = values.ends.and(case.not()?.or(ends));
        values.domain = values.domain.or(start.and(along));
    }
    if let Some(joined) = joined_start(&counter, first, step, condition, depth)? {
        values.domain = joined;
    }
    Ok(values)
}

/// `first, first + step, ..`
pub fn chain(counter: &Lin, first: &Lin, step: i128) -> Result<Formula, Overflow> {
    let from = counter.plus(-1, first)?;
    let bound = Formula::ge(from.times(step.signum())?);
    if step.abs() == 1 {
        return Ok(bound);
    }
    let remainder = from.plus(-step.abs(), &from.floor_div(step.abs())?)?;
    Ok(bound.and(Formula::eq(remainder)))
}

/// A first value `max(a, b)` with step 1 gives `i >= a and i >= b` instead of two cases.
fn joined_start(
    counter: &Lin,
    first: &Value,
    step: i128,
    condition: &Formula,
    depth: usize,
) -> Result<Option<Formula>, NotALoop> {
    if step.abs() != 1 || first.pieces.len() != 2 {
        return Ok(None);
    }
    let from = first.map(|lin| Ok(Value::linear(counter.plus(-1, lin)?.times(step.signum())?)))?;
    let bound = crate::eval::at_least_zero(&from)?;
    let mut ends = Formula::truth();
    let along = along(condition, depth, &first.pieces[0].1, step, &mut ends, Whole::No)?;
    let joined = matches!(&bound, Formula::And(parts) if parts.iter().all(|p| matches!(p, Formula::Ge(_))));
    // the condition must not depend on where the chain starts
    Ok((joined && along == *condition).then(|| bound.and(along)))
}

/// Whether a part of the condition is all that it says of the counter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Whole {
    Yes,
    No,
}

/// The condition that `condition` held at every value of the chain up to the present one.
fn along(
    condition: &Formula,
    depth: usize,
    first: &Lin,
    step: i128,
    ends: &mut Formula,
    whole: Whole,
) -> Result<Formula, NotALoop> {
    let sign = step.signum();
    match condition {
        f if !f.mentions(depth) => Ok(f.clone()),
        Formula::Ge(lin) => match lin.coefficient(depth) {
            Some(c) if c * sign < 0 => Ok(condition.clone()),
            Some(_) => Ok(Formula::ge(lin.substitute(depth, first)?)),
            None => Err(NotALoop::Condition),
        },
        Formula::Ne(lin) => {
            let (Some(c), Whole::Yes) = (lin.coefficient(depth).filter(|c| c.abs() == 1), whole) else {
                return Err(NotALoop::Condition);
            };
            // c (i - target) != 0
            let counter = Lin::var(Var::Dim(depth));
            let target = counter.plus(-c, lin)?;
            let meets = chain(&target, first, step)?;
            *ends = ends.clone().and(meets);
            Ok(Formula::ge(target.plus(-1, &counter)?.times(sign)?.plus_constant(-1)?))
        }
        Formula::And(parts) => {
            let single = parts.iter().filter(|p| p.mentions(depth)).count() == 1;
            let whole = if single { whole } else { Whole::No };
            parts.iter().try_fold(Formula::truth(), |all, part| Ok(all.and(along(part, depth, first, step, ends, whole)?)))
        }
        // a disjunction of beginnings is a beginning; of anything else it may not be
        Formula::Or(_) if only_bounds(condition, depth, sign) => Ok(condition.clone()),
        _ => Err(NotALoop::Condition),
    }
}

fn only_bounds(f: &Formula, depth: usize, sign: i128) -> bool {
    match f {
        f if !f.mentions(depth) => true,
        Formula::Ge(lin) => lin.coefficient(depth).is_some_and(|c| c * sign < 0),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(|p| only_bounds(p, depth, sign)),
        Formula::Eq(_) | Formula::Ne(_) => false,
    }
}
