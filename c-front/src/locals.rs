//! Declarations in a region: local arrays and scalars, which generated code declares before the loops.
//!
//! A local is declared once, with its name if nothing else has it and another one otherwise; its initializer becomes a statement.

use crate::eval::{Refusal, refuse};
use crate::extract::{Local, Order, Walk};
use crate::formula::Formula;
use crate::lexer::TokenKind;
use crate::survey;
use crate::types::{Traits, Type, Var as Variable, defines_or_computes, squeeze};
use lang_c::ast::*;
use lang_c::span::{Node, Span};

impl Walk<'_> {
    /// The statements of a declaration's initializers.
    pub(crate) fn declaration(&mut self, d: &Node<Declaration>, domain: &Formula) -> Result<Vec<Order>, Refusal> {
        let mut parts = Vec::new();
        let text = &self.around.input.text;
        if defines_type(&d.node) {
            return refuse(d.span, "a type definition in the region", "move it before the region");
        }
        for (name, var) in self.scopes.declare(&d.node, text) {
            let declarator = d.node.declarators.iter().find(|x| survey::declared_name(&x.node.declarator.node) == Some(&name));
            let declarator = &declarator.expect("declared by this declaration").node;
            if self.survey.counters.contains(&name) {
                self.local_counter(declarator, &name)?;
                continue;
            }
            self.local(d, declarator, &name, &var)?;
            self.extents(&declarator.declarator.node, &name, domain)?;
            let (name_text, at) = survey::declared(&declarator.declarator.node).expect("a named declarator");
            match declarator.initializer.as_ref().map(|i| (&i.node, i.span)) {
                None => {}
                Some((Initializer::List(_), span)) => {
                    return refuse(span, "an initializer list in the region", "assign the elements one by one");
                }
                Some((Initializer::Expression(e), span)) => {
                    if !matches!(var.ty, Type::Int(_) | Type::Other(_)) {
                        return refuse(span, "an initialized array in the region", "assign the elements one by one");
                    }
                    let name = Node::new(Identifier { name: name_text.to_string() }, at);
                    let span = Span::span(at.start, span.end);
                    parts.push(self.simple(span, domain, |collector| collector.initialization(&name, e))?);
                }
            }
        }
        Ok(parts)
    }

    /// A counter declared in a block of the region: nothing remains of its declaration.
    fn local_counter(&self, declarator: &InitDeclarator, name: &str) -> Result<(), Refusal> {
        let span = declarator.declarator.span;
        if declarator.initializer.is_some() || self.counters.iter().any(|(counter, _)| counter == name) {
            return refuse(span, format!("`{name}` is also a counter of the region"), "use another name");
        }
        self.not_used_later(span, name)
    }

    /// What a block around the region's end would still see cannot move into the region.
    fn not_used_later(&self, span: Span, name: &str) -> Result<(), Refusal> {
        if self.scopes.depth() == self.outer_depth + 1 && (self.around.later)(name) {
            return refuse(span, format!("`{name}` is declared in the region and used after it"), "declare it before the region");
        }
        Ok(())
    }

    /// A local is declared before all loops: its size is computed there, always and once, as its declaration may not say.
    fn extents(&self, declarator: &Declarator, name: &str, domain: &Formula) -> Result<(), Refusal> {
        for derived in &declarator.derived {
            let DerivedDeclarator::Array(array) = &derived.node else { continue };
            let (ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size)) = &array.node.size else { continue };
            if self.scopes.constant(&size.node).is_some() {
                continue;
            }
            if !domain.is_truth() {
                return refuse(
                    size.span,
                    format!("the size of `{name}` is a variable, and its declaration runs under a condition or in a loop"),
                    "use a constant size, or declare it before the region",
                );
            }
            if !is_effectless(size) {
                return refuse(
                    size.span,
                    format!("the size of `{name}` is computed with effects"),
                    "compute it before the region",
                );
            }
        }
        Ok(())
    }

    /// Registers a local variable under a name that nothing else has.
    fn local(&mut self, d: &Node<Declaration>, declarator: &InitDeclarator, name: &str, var: &Variable) -> Result<(), Refusal> {
        let span = declarator.declarator.span;
        let Traits { volatile, stored, .. } = var.traits;
        if volatile || stored {
            return refuse(d.span, format!("`{name}` is volatile, static or extern"), "declare it before the region");
        }
        if !matches!(var.ty, Type::Int(_) | Type::Other(_) | Type::Array(..)) || var.ty.as_array().is_none() {
            return refuse(span, format!("local `{name}` of type `{}`", var.ty.text()), "declare pointers before the region");
        }
        self.not_used_later(span, name)?;
        let text = &self.around.input.text;
        let tokens = &self.around.input.tokens;
        let inside = self.around.input.tokens_in(span.start..span.end);
        let steered = tokens[inside.clone()]
            .iter()
            .map(|t| t.text(text))
            .find(|word| *word != name && (self.survey.counters.contains(*word) || self.survey.unsteady.contains(*word)));
        if let Some(word) = steered {
            return refuse(
                span,
                format!("the size of `{name}` depends on `{word}`, which changes in the region"),
                "use a fixed size",
            );
        }
        let known = self.scopes_before(name) || self.names.contains(name);
        let own = if known { self.fresh(name) } else { name.to_string() };
        self.names.insert(own.clone());
        let plain = |s: &&Node<DeclarationSpecifier>| match &s.node {
            DeclarationSpecifier::TypeSpecifier(_) => true,
            DeclarationSpecifier::TypeQualifier(q) => q.node != TypeQualifier::Const,
            _ => false,
        };
        let specifiers = d.node.specifiers.iter().filter(plain).map(|s| squeeze(&text[s.span.start..s.span.end]));
        let words = tokens[inside].iter().filter(|t| t.kind != TokenKind::Directive).map(|t| t.text(text));
        let words: Vec<&str> = words.map(|word| if word == name { own.as_str() } else { word }).collect();
        let declaration = format!("{} {};", specifiers.collect::<Vec<_>>().join(" "), tight(&words));
        self.found.locals.push(Local { name: own.clone(), declaration });
        self.renamed.last_mut().expect("a scope is open").insert(name.to_string(), own);
        Ok(())
    }

    /// Whether the surroundings of the region know the name.
    fn scopes_before(&self, name: &str) -> bool {
        let mut outer = self.scopes.clone();
        while outer.depth() > self.outer_depth {
            outer.leave();
        }
        outer.get(name).is_some()
    }

    fn fresh(&self, name: &str) -> String {
        let numbered = (2..).map(|n| format!("{name}_{n}"));
        let mut free = numbered.filter(|n| !self.around.taken.contains(n) && !self.names.contains(n));
        free.next().expect("names do not run out")
    }
}

/// Whether an expression reads variables and elements, and computes with them.
fn is_effectless(e: &Node<Expression>) -> bool {
    let mut stack = vec![e];
    while let Some(e) = stack.pop() {
        match &e.node {
            Expression::Identifier(_) | Expression::Constant(_) => {}
            Expression::BinaryOperator(b) if !survey::is_assignment(&b.node.operator.node) => {
                stack.extend([&*b.node.lhs, &*b.node.rhs]);
            }
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement | UnaryOperator::Negate => {
                    stack.push(&u.node.operand);
                }
                _ => return false,
            },
            Expression::Conditional(c) => {
                stack.extend([&*c.node.condition, &*c.node.then_expression, &*c.node.else_expression]);
            }
            _ => return false,
        }
    }
    true
}

/// Whether a declaration brings a new type, or computes one.
fn defines_type(d: &Declaration) -> bool {
    d.specifiers.iter().any(|s| match &s.node {
        DeclarationSpecifier::StorageClass(c) => c.node == StorageClassSpecifier::Typedef,
        DeclarationSpecifier::TypeSpecifier(t) => defines_or_computes(&t.node),
        _ => false,
    })
}

/// Tokens with spaces only between words.
fn tight(words: &[&str]) -> String {
    let mut out = String::new();
    for word in words {
        let joint = |c: char| c.is_alphanumeric() || c == '_';
        if out.ends_with(joint) && word.starts_with(joint) {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
