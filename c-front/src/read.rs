//! The whole way from a file to its static control parts.

use crate::after::{self, Around};
use crate::assemble::assemble;
use crate::eval::{Refusal, refuse};
use crate::extract::{Surroundings, walk};
use crate::helpers::{self, Helper};
use crate::lexer::{Token, TokenKind, lex};
use crate::locate::{diagnostic, place};
use crate::names::Names;
use crate::preprocess::{Origin, Preprocessed, preprocess};
use crate::regions::{self, Home, Marked, Scope};
use crate::template::Macros;
use crate::types::{Entity, Scopes};
use crate::{Diagnostic, Error, Extraction, Options, Regions, Source, automatic, line_column, unit};
use lang_c::ast::{BlockItem, ExternalDeclaration, ForInitializer, FunctionDefinition, TranslationUnit};
use lang_c::span::{Node, Span};
use loopwright_presburger::Budget;
use loopwright_scop::{Region, Scop, Statement};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Reads a file.
///
/// # Errors
/// As [`extract`](crate::extract).
pub fn read(source: &Source, options: &Options, budget: &Budget) -> Result<Extraction, Error> {
    let input = preprocess(source, options, budget)?;
    if options.regions == Regions::Automatic {
        return automatic::read(source, &input, options, budget);
    }
    let (mut marked, wrong) = regions::marked(&input, source);
    if !wrong.is_empty() {
        return Err(Error::Refused(wrong));
    }
    let mut refused = Vec::new();
    marked.retain(|region| match regions::check_directives(&input, source, region) {
        Ok(()) => true,
        Err(diagnostic) => {
            refused.push(diagnostic);
            false
        }
    });
    let mut scops = Vec::new();
    if let Some(unit) = parse(&input, source, &mut marked, &mut refused)? {
        let file = File::new(source, &input, &unit);
        for region in &marked {
            let part = budget.part(options.proof_steps);
            match file.scop(region, &part) {
                Ok(scop) => scops.push(scop),
                Err(refusal) => refused.push(diagnostic(&refusal, &input, source)),
            }
            budget.spend(part.used())?;
        }
    }
    refused.sort_by_key(|d| (d.line, d.column));
    let names = if scops.is_empty() { Names::default() } else { Names::of(&input, source) };
    if scops.is_empty() && !refused.is_empty() {
        return Err(Error::Refused(refused));
    }
    Ok(Extraction { source: source.clone(), scops, left_out: Vec::new(), refused, names })
}

/// Parses the functions with regions; the regions of those that cannot be parsed are refused. `None` if no region is left.
fn parse(
    input: &Preprocessed,
    source: &Source,
    marked: &mut Vec<Marked>,
    refused: &mut Vec<Diagnostic>,
) -> Result<Option<TranslationUnit>, Error> {
    let functions = unit::functions(input);
    while !marked.is_empty() {
        let keep: Vec<usize> = marked.iter().map(|m| m.inner.start).collect();
        let error = match unit::parse(input, &keep) {
            Ok(unit) => return Ok(Some(unit)),
            Err(error) => error,
        };
        // the function that holds the place, or the last one before it
        let guilty = functions.iter().rev().find(|(range, _)| range.start <= error.offset).map(|(range, _)| range.clone());
        refused.push(diagnostic(&error.into(), input, source));
        let before = marked.len();
        marked.retain(|m| guilty.as_ref().is_some_and(|range| !range.contains(&m.inner.start)));
        if marked.len() == before {
            return Err(Error::Refused(std::mem::take(refused)));
        }
    }
    Ok(None)
}

/// A parsed file.
pub struct File<'a> {
    pub source: &'a Source,
    pub input: &'a Preprocessed,
    pub unit: &'a TranslationUnit,
    defined: BTreeSet<String>,
    helpers: BTreeMap<String, Helper>,
    identifiers: BTreeSet<String>,
}

/// A function of a file: what all its regions share.
pub struct Function<'a> {
    /// Its definition.
    pub definition: &'a FunctionDefinition,
    /// Its place in the preprocessed text.
    pub span: Span,
    /// What is declared at file scope before it, and its parameters.
    scopes: Scopes,
    /// Names whose address it takes.
    addressed: BTreeSet<String>,
    /// Names that generated text must not use.
    identifiers: BTreeSet<String>,
}

/// A region of a function: its statements and where they stand.
pub struct Part<'a> {
    /// Its place in the function.
    pub home: &'a Home<'a>,
    /// Its place in the preprocessed text.
    pub inner: Range<usize>,
    /// Its tokens of the original.
    pub raw: Range<usize>,
    /// Where messages about the whole of it point to.
    pub span: Span,
    /// The macros that are defined at its start.
    pub macros: &'a Macros,
}

impl<'a> File<'a> {
    pub fn new(source: &'a Source, input: &'a Preprocessed, unit: &'a TranslationUnit) -> File<'a> {
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
        File { source, input, unit, defined, helpers: helpers::defined(input), identifiers }
    }

    fn scop(&self, marked: &Marked, budget: &Budget) -> Result<Scop, Refusal> {
        let input = self.input;
        let span = Span::span(input.tokens[input.token_at(marked.inner.start) - 1].range.start, marked.inner.start);
        let home = regions::home(input, self.unit, &marked.inner, span)?;
        let macros = Macros::at(input, marked.inner.start);
        let function = self.function(home.function, home.span, &macros);
        let region = || regions::region(input, self.source, self.unit, home.span, marked);
        let (inner, raw) = (marked.inner.clone(), input.regions[marked.raw].tokens.clone());
        self.part(&function, &Part { home: &home, inner, raw, span, macros: &macros }, region, budget)
    }

    /// What regions need to know of a function; `macros` are those at its start or later.
    pub fn function<'f>(&self, definition: &'f FunctionDefinition, span: Span, macros: &Macros) -> Function<'f> {
        let text = &self.input.text;
        let mut scopes = Scopes::new(self.input);
        for external in self.unit.0.iter().take_while(|e| e.span.start < span.start) {
            if let ExternalDeclaration::Declaration(d) = &external.node {
                scopes.declare(&d.node, text);
            }
        }
        scopes.enter();
        scopes.declare_parameters(definition, text);
        let mut identifiers = self.identifiers.clone();
        identifiers.extend(after::names(self.input, span.start..span.end));
        identifiers.extend(macros.names().cloned());
        Function { definition, span, scopes, addressed: after::addressed(definition, &span), identifiers }
    }

    /// The scop of a region.
    ///
    /// # Errors
    /// A [`Refusal`] of the first construct that is not understood exactly.
    pub fn part(
        &self,
        function: &Function<'_>,
        part: &Part<'_>,
        region: impl FnOnce() -> Region,
        budget: &Budget,
    ) -> Result<Scop, Refusal> {
        let (input, home) = (self.input, part.home);
        self.check_places(part)?;
        let scopes = self.scopes(function, home);
        let range = function.span.start..function.span.end;
        let after = &input.tokens[input.tokens_in(part.inner.end..range.end)];
        let later = |name: &str| after.iter().any(|t| t.kind == TokenKind::Ident && t.is(&input.text, name));
        let around = Surroundings {
            source: self.source,
            input,
            macros: part.macros,
            defined: &self.defined,
            helpers: &self.helpers,
            taken: &function.identifiers,
            later: &later,
            addressed: &function.addressed,
            budget,
        };
        let mut found = walk(home.items, scopes.clone(), &around)?;
        let Some(order) = found.order.take() else {
            return refuse(
                part.span,
                "a region without statements",
                "put `#pragma scop` before and `#pragma endscop` after some loops",
            );
        };
        let outer_loop = home.loop_span.map(|s| s.start..s.end);
        let place_of = Around { input, function: range, region: part.inner.clone(), outer_loop };
        let is_global = |name: &str| match scopes.get(name) {
            Some(Entity::Var(var)) => var.global || var.traits.stored,
            _ => false,
        };
        let parts = assemble(found, part.span, &place_of, &is_global, budget)?;
        let statements = parts.statements.into_iter().map(|(mut statement, span)| {
            statement.span = self.span(span);
            statement
        });
        let statements: Vec<Statement> = statements.collect();
        let (schedule, loops) = crate::order::schedule(&order, &statements).map_err(|e| Refusal {
            span: part.span,
            message: format!("the order of the region is not a schedule tree: {e}"),
            help: "split the nest".into(),
        })?;
        Ok(Scop {
            function: function_name(function.definition),
            region: region(),
            params: parts.params,
            context: parts.context,
            arrays: parts.arrays,
            statements,
            counters: parts.counters,
            assumptions: parts.assumptions,
            identifiers: function.identifiers.iter().cloned().collect(),
            loops: loops.into_iter().map(|header| self.span(header)).collect(),
            schedule,
        })
    }

    /// Refuses `__LINE__` and its like: the text is preprocessed, and generated, at other places than it stands.
    fn check_places(&self, part: &Part<'_>) -> Result<(), Refusal> {
        let (input, text) = (self.input, &self.source.text);
        let depends = |token: &Token| {
            let word = token.text(text);
            match token.kind {
                TokenKind::Ident => part.macros.is_of_place(word),
                TokenKind::Directive => lex(&word[1..]).iter().any(|t| part.macros.is_of_place(t.text(&word[1..]))),
                _ => false,
            }
        };
        let Some(guilty) = part.raw.clone().find(|&i| depends(&input.raw[i])) else { return Ok(()) };
        let from = |at: usize| matches!(input.origin(at), Origin::Region(_, raw) if raw <= guilty);
        let inside = input.tokens[input.tokens_in(part.inner.clone())].iter();
        let last = inside.rev().find(|t| from(t.range.start)).map(|t| Span::span(t.range.start, t.range.end));
        refuse(
            last.unwrap_or(part.span),
            format!("`{}` in the region, whose value depends on the line", input.raw[guilty].text(text)),
            "assign it to a variable before the region",
        )
    }

    fn span(&self, span: Span) -> loopwright_scop::Span {
        let range = place(self.input, self.source, span.start..span.end);
        let (line, column) = line_column(&self.source.text, range.start);
        loopwright_scop::Span { range, line, column }
    }

    /// What is declared where the region starts.
    fn scopes(&self, function: &Function<'_>, home: &Home<'_>) -> Scopes {
        let text = &self.input.text;
        let mut scopes = function.scopes.clone();
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

/// The name of a function.
pub fn function_name(definition: &FunctionDefinition) -> String {
    crate::survey::declared_name(&definition.declarator.node).unwrap_or("").to_string()
}
