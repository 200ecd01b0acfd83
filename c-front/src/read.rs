//! The whole way from a file to its static control parts.

use crate::after::{self, Around};
use crate::assemble::assemble;
use crate::eval::{Refusal, refuse};
use crate::extract::{Surroundings, walk};
use crate::lexer::TokenKind;
use crate::locate::{diagnostic, place};
use crate::preprocess::{Preprocessed, preprocess};
use crate::regions::{self, Home, Marked, Scope};
use crate::template::Macros;
use crate::types::{Entity, Scopes};
use crate::{Error, Extraction, Options, Source, line_column, unit};
use lang_c::ast::{BlockItem, ExternalDeclaration, ForInitializer, TranslationUnit};
use lang_c::span::{Node, Span};
use loopwright_presburger::Budget;
use loopwright_scop::{Scop, Statement};
use std::collections::BTreeSet;

/// Reads a file.
///
/// # Errors
/// As [`extract`](crate::extract).
pub fn read(source: &Source, options: &Options) -> Result<Extraction, Error> {
    let input = preprocess(source, options)?;
    let (marked, mut wrong) = regions::marked(&input, source);
    for region in &marked {
        wrong.extend(regions::check_directives(&input, source, region).err());
    }
    if !wrong.is_empty() {
        return Err(Error::Refused(wrong));
    }
    if marked.is_empty() {
        return Ok(Extraction { source: source.clone(), scops: Vec::new() });
    }
    let keep: Vec<usize> = marked.iter().map(|m| m.inner.start).collect();
    let unit = unit::parse(&input, &keep).map_err(|e| {
        let span = Span::span(e.offset, e.offset);
        let refusal = Refusal { span, message: e.message, help: e.help.to_string() };
        Error::Refused(vec![diagnostic(&refusal, &input, source)])
    })?;
    let file = File::new(source, &input, &unit);
    let mut scops = Vec::new();
    for region in &marked {
        match file.scop(region, options) {
            Ok(scop) => scops.push(scop),
            Err(refusal) => wrong.push(diagnostic(&refusal, &input, source)),
        }
    }
    if wrong.is_empty() { Ok(Extraction { source: source.clone(), scops }) } else { Err(Error::Refused(wrong)) }
}

/// A parsed file.
struct File<'a> {
    source: &'a Source,
    input: &'a Preprocessed,
    unit: &'a TranslationUnit,
    defined: BTreeSet<String>,
    identifiers: BTreeSet<String>,
}

impl<'a> File<'a> {
    fn new(source: &'a Source, input: &'a Preprocessed, unit: &'a TranslationUnit) -> File<'a> {
        // the bodies of other functions are blanked out: a definition shows as `name (` .. `) {` in the tokens of the file
        let tokens: Vec<_> = input.raw.iter().filter(|t| t.kind != TokenKind::Directive).collect();
        let mut defined = BTreeSet::new();
        let mut depth = 0usize;
        let mut candidate = None;
        for (i, token) in tokens.iter().enumerate() {
            match token.text(&source.text) {
                "(" if depth == 0 => {
                    candidate = i.checked_sub(1).map(|i| tokens[i]).filter(|t| t.kind == TokenKind::Ident);
                    depth += 1;
                }
                "{" if depth == 0 => {
                    defined.extend(candidate.map(|t| t.text(&source.text).to_string()));
                    depth += 1;
                }
                "(" | "{" | "[" => depth += 1,
                ")" | "}" | "]" => depth = depth.saturating_sub(1),
                ";" if depth == 0 => candidate = None,
                _ => {}
            }
        }
        let idents = input.raw.iter().filter(|t| t.kind == TokenKind::Ident);
        let identifiers = idents.map(|t| t.text(&source.text).to_string()).collect();
        File { source, input, unit, defined, identifiers }
    }

    fn scop(&self, marked: &Marked, options: &Options) -> Result<Scop, Refusal> {
        let input = self.input;
        let region_span = Span::span(input.tokens[input.token_at(marked.inner.start) - 1].range.start, marked.inner.start);
        let home = regions::home(input, self.unit, &marked.inner, region_span)?;
        let scopes = self.scopes(&home);
        let function = home.span.start..home.span.end;
        let later = after::names(input, marked.inner.end..function.end);
        let addressed = after::addressed(home.function, &home.span);
        let mut identifiers = self.identifiers.clone();
        identifiers.extend(after::names(input, function.clone()));
        let macros = Macros::at(input, marked.inner.start);
        identifiers.extend(macros.names().cloned());
        let budget = Budget::steps(options.proof_steps);
        let around = Surroundings {
            source: self.source,
            input,
            macros: &macros,
            defined: &self.defined,
            taken: &identifiers,
            later: &later,
            addressed: &addressed,
            budget: &budget,
        };
        let mut found = walk(home.items, scopes.clone(), &around)?;
        let Some(order) = found.order.take() else {
            return refuse(
                region_span,
                "a region without statements",
                "put `#pragma scop` before and `#pragma endscop` after some loops",
            );
        };
        let outer_loop = home.loop_span.map(|s| s.start..s.end);
        let place_of = Around { input, function, region: marked.inner.clone(), outer_loop };
        let is_global = |name: &str| match scopes.get(name) {
            Some(Entity::Var(var)) => var.global || var.traits.stored,
            _ => false,
        };
        let parts = assemble(found, region_span, &place_of, &is_global, &budget)?;
        let statements = parts.statements.into_iter().map(|(mut statement, span)| {
            statement.span = self.span(span);
            statement
        });
        let statements: Vec<Statement> = statements.collect();
        let schedule = crate::order::schedule(&order, &statements).map_err(|e| Refusal {
            span: region_span,
            message: format!("the order of the region is not a schedule tree: {e}"),
            help: "split the nest".into(),
        })?;
        Ok(Scop {
            function: function_name(&home),
            region: regions::region(input, self.source, self.unit, home.span, marked),
            params: parts.params,
            context: parts.context,
            arrays: parts.arrays,
            statements,
            counters: parts.counters,
            assumptions: parts.assumptions,
            identifiers: identifiers.into_iter().collect(),
            schedule,
        })
    }

    fn span(&self, span: Span) -> loopwright_scop::Span {
        let range = place(self.input, self.source, span.start..span.end);
        let (line, column) = line_column(&self.source.text, range.start);
        loopwright_scop::Span { range, line, column }
    }

    /// What is declared where the region starts.
    fn scopes(&self, home: &Home<'_>) -> Scopes {
        let text = &self.input.text;
        let mut scopes = Scopes::new(self.input);
        for external in self.unit.0.iter().take_while(|e| e.span.start < home.span.start) {
            match &external.node {
                ExternalDeclaration::Declaration(d) => {
                    scopes.declare(&d.node, text);
                }
                ExternalDeclaration::FunctionDefinition(_) | ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        scopes.enter();
        scopes.declare_parameters(home.function, text);
        for scope in &home.before {
            scopes.enter();
            let mut declare = |d: &Node<lang_c::ast::Declaration>| {
                scopes.declare(&d.node, text);
            };
            match scope {
                Scope::Block(items) => items.iter().for_each(|item| {
                    if let BlockItem::Declaration(d) = &item.node {
                        declare(d);
                    }
                }),
                Scope::For(ForInitializer::Declaration(d)) => declare(d),
                Scope::For(_) => {}
            }
        }
        scopes
    }
}

fn function_name(home: &Home<'_>) -> String {
    crate::survey::declared_name(&home.function.declarator.node).unwrap_or("").to_string()
}
