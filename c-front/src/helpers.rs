//! The helper functions of generated code, so that it can be read back: known by their definitions, whatever they are called.

use crate::eval::{Evaluator, Refusal, Typed, at_least_zero};
use crate::formula::Value;
use crate::lexer::{Token, TokenKind, lex};
use crate::preprocess::Preprocessed;
use crate::types::{Entity, Type};
use lang_c::ast::{CallExpression, Expression};
use lang_c::span::Span;
use std::collections::BTreeMap;

/// What a helper computes from two `long`s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Helper {
    /// `floor(n / d)` for `d > 0`.
    FloorDiv,
    /// `ceil(n / d)` for `d > 0`.
    CeilDiv,
    /// The lesser.
    Min,
    /// The greater.
    Max,
}

const BODIES: [(Helper, &str); 4] = [
    (Helper::FloorDiv, "return n / d - (n % d < 0);"),
    (Helper::CeilDiv, "return n / d + (n % d > 0);"),
    (Helper::Min, "return n < d ? n : d;"),
    (Helper::Max, "return n > d ? n : d;"),
];

/// The helpers that a file defines: functions `static inline long NAME(long n, long d)` with exactly such a body.
pub fn defined(input: &Preprocessed) -> BTreeMap<String, Helper> {
    let tokens: Vec<&Token> = input.tokens.iter().filter(|t| t.kind != TokenKind::Directive).collect();
    let words = |at: usize, n: usize| tokens.get(at..at + n).map(|t| t.iter().map(|t| t.text(&input.text)).collect::<Vec<_>>());
    let mut found = BTreeMap::new();
    for at in (0..tokens.len()).filter(|&at| tokens[at].is(&input.text, "static")) {
        let Some(head) = words(at, 12) else { continue };
        let ["static", "inline", "long", name, "(", "long", first, ",", "long", second, ")", "{"] = head[..] else { continue };
        let is = |body: &str| {
            let own = lex(body).into_iter().map(|t| match t.text(body) {
                "n" => first.to_string(),
                "d" => second.to_string(),
                word => word.to_string(),
            });
            let own: Vec<String> = own.chain(["}".to_string()]).collect();
            first != second && words(at + 12, own.len()).is_some_and(|there| there == own)
        };
        found.extend(BODIES.iter().find(|(_, body)| is(body)).map(|(helper, _)| (name.to_string(), *helper)));
    }
    found
}

impl Evaluator<'_> {
    /// The helper of generated code that is called.
    pub fn helper(&self, call: &CallExpression) -> Option<Helper> {
        let Expression::Identifier(name) = &call.callee.node else { return None };
        let name = &name.node.name;
        let shadowed = matches!(self.scopes.get(name), Some(Entity::Var(v)) if v.ty != Type::Function);
        self.helpers.get(name).copied().filter(|_| !shadowed && call.arguments.len() == 2)
    }

    /// The value of a call of a helper.
    pub fn helped(&mut self, call: &CallExpression, span: Span) -> Result<Typed, Refusal> {
        let [first, second] = &call.arguments[..] else { return self.not_affine(span, "this call") };
        let ty = self.scopes.integer(1, true);
        let (a, b) = (self.value(first)?, self.value(second)?);
        let (a, b) = (self.convert(a, &ty, first.span)?.value, self.convert(b, &ty, second.span)?.value);
        let ordered = |sign: i128| {
            let less = a.zip(&b, |a, b| b.plus(-1, a)?.times(sign)?.plus_constant(-1)).and_then(|v| at_least_zero(&v));
            less.and_then(|less| Value::choose(&less, a.clone(), b.clone()))
        };
        let divisor = b.as_constant().filter(|d| *d > 0);
        let value = match (self.helper(call), divisor) {
            (Some(Helper::Min), _) => ordered(1),
            (Some(Helper::Max), _) => ordered(-1),
            (Some(Helper::FloorDiv), Some(d)) => a.map(|lin| Ok(Value::linear(lin.floor_div(d)?))),
            // ceil(n / d) = -floor(-n / d)
            (Some(Helper::CeilDiv), Some(d)) => a.map(|lin| Ok(Value::linear(lin.times(-1)?.floor_div(d)?.times(-1)?))),
            _ => return self.not_affine(span, "a quotient by something other than a positive constant"),
        };
        let value = self.overflow(span, value)?;
        self.result(value, ty, span)
    }
}
