//! Counters after the region: does anything read them, and which value do they have?
//!
//! The question whether a counter is read is answered from the tokens of the function, in favor of "yes". The value is that of
//! the last loop to use the counter: each start of such a loop leaves one value at one time, and the latest time wins.

use crate::extract::LoopFact;
use crate::formula::{Formula, Lin, Overflow, Var};
use crate::lexer::TokenKind;
use crate::preprocess::Preprocessed;
use lang_c::ast::{Expression, FunctionDefinition, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::Span;
use lang_c::visit::Visit;
use std::collections::BTreeSet;
use std::ops::Range;

/// The names whose address a function takes.
pub fn addressed(function: &FunctionDefinition, span: &Span) -> BTreeSet<String> {
    struct Addresses(BTreeSet<String>);
    impl<'ast> Visit<'ast> for Addresses {
        fn visit_unary_operator_expression(&mut self, e: &'ast UnaryOperatorExpression, span: &'ast Span) {
            if let (UnaryOperator::Address, Expression::Identifier(name)) = (&e.operator.node, &e.operand.node) {
                self.0.insert(name.node.name.clone());
            }
            lang_c::visit::visit_unary_operator_expression(self, e, span);
        }
    }
    let mut addresses = Addresses(BTreeSet::new());
    addresses.visit_function_definition(function, span);
    addresses.0
}

/// The identifiers in a range of the preprocessed text.
pub fn names(input: &Preprocessed, range: Range<usize>) -> BTreeSet<String> {
    let tokens = input.tokens[input.tokens_in(range)].iter();
    tokens.filter(|t| t.kind == TokenKind::Ident).map(|t| t.text(&input.text).to_string()).collect()
}

/// The function around a region, as places in the preprocessed text.
pub struct Around<'a> {
    /// The preprocessed file.
    pub input: &'a Preprocessed,
    /// The function.
    pub function: Range<usize>,
    /// The region between its pragmas.
    pub region: Range<usize>,
    /// The outermost loop around the region.
    pub outer_loop: Option<Range<usize>>,
}

impl Around<'_> {
    /// Whether the value that a local counter has after the region may be read.
    pub fn may_be_read(&self, name: &str) -> bool {
        let input = self.input;
        let visible = |range: Range<usize>| {
            input.tokens_in(range).filter(|&i| input.tokens[i].kind != TokenKind::Directive).collect::<Vec<_>>()
        };
        let word = |i: usize| input.tokens[i].text(&input.text);
        let occurs = |range: Range<usize>| visible(range).into_iter().any(|i| word(i) == name);
        if let Some(outer) = &self.outer_loop
            && (occurs(outer.start..self.region.start) || occurs(self.region.end..outer.end))
        {
            return true;
        }
        let whole = visible(self.function.clone());
        let jumps = whole.iter().any(|&i| word(i) == "goto" || word(i) == "asm" || word(i) == "__asm__");
        let after = visible(self.region.end..self.function.end);
        let Some(first) = after.iter().position(|&i| word(i) == name) else {
            return jumps && occurs(self.function.clone());
        };
        // In a `switch` the uses that follow may belong to another case, or be left out by a `break`.
        let switched = || visible(self.function.start..self.region.start).into_iter().any(|i| word(i) == "switch");
        let leaves = after[..first].iter().any(|&i| matches!(word(i), "break" | "case" | "default"));
        if jumps || (leaves && switched()) {
            return true;
        }
        // The first use is harmless if it certainly runs and is `name = ..;` or `for (name = ..;` without the name on the right.
        let mut level = 0i64;
        let mut base = 0i64;
        for &i in &after[..first] {
            match word(i) {
                "{" => level += 1,
                "}" => {
                    level -= 1;
                    base = base.min(level);
                }
                _ => {}
            }
        }
        let in_header = first >= 2 && word(after[first - 1]) == "(" && word(after[first - 2]) == "for";
        let start = if in_header { first - 2 } else { first };
        let before = start.checked_sub(1).map(|i| word(after[i]));
        let alone = matches!(before, None | Some(";" | "}" | "{"));
        let assigned = after.get(first + 1).is_some_and(|&i| word(i) == "=");
        let right = after[first + 1..].iter().take_while(|&&i| word(i) != ";");
        let reads = right.into_iter().any(|&i| word(i) == name);
        !(level == base && alone && assigned && !reads)
    }
}

/// When a loop leaves its counter, as a map `{ [outer counters, counter] -> [time, value] }` over those values of the counter
/// that are reached and for which the body does not run.
///
/// Dimensions are, in this order: the outer counters, the counter, the time, the value.
pub fn leaving_time(fact: &LoopFact, time: usize) -> Result<Formula, Overflow> {
    let first = fact.depth + 1;
    let mut at: Vec<Lin> = Vec::new();
    let mut counter = 0;
    for (rank, sign) in &fact.position {
        at.push(Lin::constant(*rank as i128));
        if *sign != 0 {
            at.push(Lin::var(Var::Dim(counter)).times(*sign)?);
            counter += 1;
        }
    }
    at.push(Lin::constant(fact.rank as i128));
    at.resize(time, Lin::constant(0));
    at.push(Lin::var(Var::Dim(fact.depth)));
    let mut formula = Formula::truth();
    for (k, lin) in at.iter().enumerate() {
        formula = formula.and(Formula::eq(Lin::var(Var::Dim(first + k)).plus(-1, lin)?));
    }
    Ok(formula)
}

/// The number of dimensions of a loop's time.
pub fn time_length(fact: &LoopFact) -> usize {
    1 + fact.position.len() + fact.position.iter().filter(|(_, sign)| *sign != 0).count()
}
