//! Static control parts without pragmas: in every block the maximal runs of statements that extract without a refusal.
//!
//! A block's statements are tried one by one. Neighbors that are each understood are tried together; where that is refused (a
//! scalar that one writes steers the other), the run is cut at the refused construct, and each piece is extended as far as it
//! goes. A statement that is refused is searched inside: the bodies of its loops and branches are blocks of their own. Every
//! region is thus one that `extract` accepts between pragmas, with the surroundings that it has; nothing is proven differently.
//!
//! The whole file is preprocessed with one token a line, so that every region knows the tokens of the original that made it. A
//! region starts and ends with a token that no macro made.
//!
//! All proofs for one file together may take [`Options::proof_steps`], those for one try a twentieth of it.

use crate::diagnostic::line_column;
use crate::eval::{Refusal, budget_spent, refuse};
use crate::lexer::{TokenKind, directive};
use crate::locate::diagnostic;
use crate::names::Names;
use crate::preprocess::{Origin, Preprocessed, scop_pragma};
use crate::read::{File, Function, Part, function_name};
use crate::regions::{self, Home, Scope, begin_of_line, line_end};
use crate::survey::{self, MAX_NEST};
use crate::template::Macros;
use crate::{Diagnostic, Error, Extraction, LeftOut, Options, Source, unit};
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use loopwright_presburger::{Budget, BudgetSpent};
use loopwright_scop::{Region, Scop};
use std::ops::Range;

/// Reads a file that was preprocessed as one region.
///
/// # Errors
/// [`Error::Refused`] where a declaration outside of functions cannot be parsed.
pub fn read(source: &Source, input: &Preprocessed, options: &Options, budget: &Budget) -> Result<Extraction, Error> {
    let mut left_out = Vec::new();
    let unit = parse(source, input, &mut left_out)?;
    let file = File::new(source, input, &unit);
    let (mut macros, mut read_to) = (Macros::at(input, 0), 0);
    let proofs = budget.part(options.proof_steps);
    let mut scops: Vec<Scop> = Vec::new();
    for external in &unit.0 {
        let ExternalDeclaration::FunctionDefinition(definition) = &external.node else { continue };
        let Statement::Compound(items) = &definition.node.statement.node else { continue };
        if !items.iter().any(has_loop) {
            continue;
        }
        macros.read(input, read_to..external.span.start);
        read_to = external.span.start;
        let redefines = Macros::at(input, 0).read(input, external.span.start..external.span.end);
        let function = file.function(&definition.node, external.span, &macros);
        let helpers_at = regions::helpers_at(input, source, &unit, external.span);
        let mut search = Search {
            file: &file,
            proofs: &proofs,
            most_steps: options.proof_steps / 20,
            function: &function,
            macros: &macros,
            redefines,
            helpers_at,
            scops,
            left_out,
        };
        search.block(items, &Place { before: Vec::new(), loop_span: None, form: Form::Block, depth: 0 });
        (scops, left_out) = (search.scops, search.left_out);
        // what was refused for want of time is no answer
        if budget.is_expired() {
            return Err(BudgetSpent.into());
        }
    }
    budget.spend(proofs.used())?;
    scops.sort_by_key(|s| s.region.content.start);
    left_out.sort_by_key(|l| (l.reason.line, l.reason.column));
    Ok(Extraction { source: source.clone(), scops, left_out, refused: Vec::new(), names: Names::of(input, source) })
}

/// Parses the functions with loops; those that cannot be parsed are left out.
fn parse(source: &Source, input: &Preprocessed, left_out: &mut Vec<LeftOut>) -> Result<TranslationUnit, Error> {
    let loops = |range: &Range<usize>| {
        let mut words = input.tokens[input.tokens_in(range.clone())].iter().map(|t| t.text(&input.text));
        words.any(|word| matches!(word, "for" | "while" | "do"))
    };
    let mut functions: Vec<(Range<usize>, usize)> = unit::functions(input).into_iter().filter(|(r, _)| loops(r)).collect();
    loop {
        let keep: Vec<usize> = functions.iter().map(|(_, open)| *open).collect();
        let error = match unit::parse(input, &keep) {
            Ok(unit) => return Ok(unit),
            Err(error) => error,
        };
        // the function that holds the place, or the last one before it
        let guilty = functions.partition_point(|(range, _)| range.start <= error.offset).checked_sub(1);
        let reason = diagnostic(&error.into(), input, source);
        let Some(guilty) = guilty else { return Err(Error::Refused(vec![reason])) };
        let (range, _) = functions.remove(guilty);
        let tokens = &input.tokens[input.tokens_in(range)];
        let open = tokens.iter().position(|t| t.is(&input.text, "(")).unwrap_or(0);
        let name = tokens[..open].iter().rev().find(|t| t.kind == TokenKind::Ident);
        left_out.push(LeftOut { function: name.map_or("", |t| t.text(&input.text)).into(), reason });
    }
}

/// What a region's text replaces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Statements of a block.
    Block,
    /// The one statement of a branch, loop or label without braces.
    Branch,
}

/// What surrounds a block.
#[derive(Clone)]
struct Place<'p> {
    before: Vec<Scope<'p>>,
    loop_span: Option<Span>,
    form: Form,
    depth: usize,
}

/// Why a run is no region.
struct Stop {
    /// The construct's offset in the preprocessed text.
    at: usize,
    reason: Diagnostic,
}

struct Search<'s> {
    file: &'s File<'s>,
    /// The limit of all proofs, and how much of it one try may take.
    proofs: &'s Budget,
    most_steps: u64,
    function: &'s Function<'s>,
    /// The macros at the function's start, and whether it defines others.
    macros: &'s Macros,
    redefines: bool,
    helpers_at: usize,
    scops: Vec<Scop>,
    left_out: Vec<LeftOut>,
}

impl Search<'_> {
    /// Finds the regions of a block.
    fn block(&mut self, items: &[Node<BlockItem>], place: &Place<'_>) {
        let loops: Vec<bool> = items.iter().map(has_loop).collect();
        let (Some(first), Some(last)) = (loops.iter().position(|l| *l), loops.iter().rposition(|l| *l)) else { return };
        let (mut start, mut alone) = (0, None);
        for (i, item) in items.iter().enumerate() {
            let attached = self.attached(item);
            if attached.is_some() || (i > 0 && self.directive_between(&items[i - 1], item)) {
                self.run(items, start..i, alone.take(), place);
                start = i;
            }
            let pragma = attached.is_some();
            let stop = match attached {
                Some(stop) => stop,
                // a declaration depends on what follows it: only the run can tell
                None if is_plain(item) || matches!(item.node, BlockItem::Declaration(_)) => continue,
                None => match self.attempt(items, i..i + 1, place) {
                    Ok(scop) => {
                        alone = Some((i, scop));
                        continue;
                    }
                    Err(stop) => stop,
                },
            };
            self.run(items, start..i, alone.take(), place);
            start = i + 1;
            if (first..=last).contains(&i) {
                self.leave_out(stop);
            }
            if let (true, false, BlockItem::Statement(statement)) = (loops[i], pragma, &item.node) {
                let mut inside = place.clone();
                inside.before.push(Scope::Block(&items[..i]));
                self.descend(statement, &inside);
            }
        }
        self.run(items, start..items.len(), alone, place);
    }

    /// Finds the regions in a statement that is not part of one.
    fn descend(&mut self, statement: &Node<Statement>, place: &Place<'_>) {
        let looped = Place { loop_span: place.loop_span.or(Some(statement.span)), ..place.clone() };
        match &statement.node {
            Statement::Compound(_) => self.child(statement, place),
            Statement::If(i) => {
                self.child(&i.node.then_statement, place);
                i.node.else_statement.iter().for_each(|e| self.child(e, place));
            }
            Statement::For(f) => {
                let mut inside = looped;
                inside.before.push(Scope::For(&f.node.initializer.node));
                self.child(&f.node.statement, &inside);
            }
            Statement::While(w) => self.child(&w.node.statement, &looped),
            Statement::DoWhile(d) => self.child(&d.node.statement, &looped),
            Statement::Switch(s) => self.child(&s.node.statement, place),
            Statement::Labeled(l) => self.child(&l.node.statement, place),
            _ => {}
        }
    }

    fn child(&mut self, statement: &Node<Statement>, place: &Place<'_>) {
        let inside = |form| Place { form, depth: place.depth + 1, ..place.clone() };
        match &statement.node {
            _ if place.depth > MAX_NEST || !contains_loop(statement) => {}
            Statement::Compound(items) => self.block(items, &inside(Form::Block)),
            _ => {
                let item = Node::new(BlockItem::Statement(statement.clone()), statement.span);
                self.block(&[item], &inside(Form::Branch));
            }
        }
    }

    /// Makes regions of neighbors that are each understood; what one of them gives `alone` may be known.
    fn run(&mut self, items: &[Node<BlockItem>], run: Range<usize>, alone: Option<(usize, Scop)>, place: &Place<'_>) {
        let mut alone = alone;
        let has_loops = |range: Range<usize>| items[range].iter().any(has_loop);
        let mut start = run.start;
        loop {
            start += items[start..run.end].iter().take_while(|i| is_plain(i)).count();
            let plain = items[start..run.end].iter().rev().take_while(|i| is_plain(i)).count();
            let last = run.end - plain;
            if !has_loops(start..last) {
                return;
            }
            let (mut end, mut refused) = (last, None);
            let mut found = alone.take_if(|known| start == known.0 && last == start + 1).map(|(_, scop)| scop);
            while found.is_none() && end > start {
                match self.attempt(items, start..end, place) {
                    Ok(scop) => found = Some(scop),
                    Err(stop) => {
                        let guilty = (start..end).find(|&k| (items[k].span.start..items[k].span.end).contains(&stop.at));
                        end = match guilty {
                            Some(k) if k > start || matches!(items[k].node, BlockItem::Declaration(_)) => k,
                            _ => end - 1,
                        };
                        refused = Some(stop);
                    }
                }
            }
            while found.is_some() && end < last {
                match self.attempt(items, start..end + 1, place) {
                    Ok(scop) => (found, end) = (Some(scop), end + 1),
                    Err(stop) => {
                        refused = Some(stop);
                        break;
                    }
                }
            }
            end = end.max(start + 1);
            if has_loops(start..end) {
                self.scops.extend(found);
                refused.filter(|_| has_loops(end..last)).into_iter().for_each(|stop| self.leave_out(stop));
            }
            start = end;
        }
    }

    /// Tries a run of statements as a region.
    fn attempt(&self, items: &[Node<BlockItem>], run: Range<usize>, place: &Place<'_>) -> Result<Scop, Stop> {
        let File { input, source, .. } = *self.file;
        let stop = |refusal: Refusal| Stop { at: refusal.span.start, reason: diagnostic(&refusal, input, source) };
        let chosen = &items[run.clone()];
        survey::survey_at(chosen, place.depth).map_err(stop)?;
        let inner = chosen[0].span.start..input.end_of(chosen[chosen.len() - 1].span);
        let span = chosen[0].span;
        let here = self.redefines.then(|| {
            let mut here = self.macros.clone();
            here.read(input, self.function.span.start..inner.start);
            here
        });
        let macros = here.as_ref().unwrap_or(self.macros);
        let (raw, inner) = original(input, source, macros, inner, span).map_err(stop)?;
        let end = input.raw[raw.end - 1].range.clone();
        regions::directives_in(input, source, raw.clone(), inner.clone(), end)
            .map_err(|reason| Stop { at: inner.start, reason })?;
        let mut before = place.before.clone();
        before.push(Scope::Block(&items[..run.start]));
        let home = Home {
            function: self.function.definition,
            span: self.function.span,
            before,
            items: chosen,
            loop_span: place.loop_span,
        };
        let part = Part { home: &home, inner, raw: raw.clone(), span, macros };
        let region = || self.region(raw, place.form);
        let budget = self.proofs.part(self.most_steps);
        let found = self.file.part(self.function, &part, region, &budget);
        self.proofs.spend(budget.used().max(1)).map_err(|_| stop(budget_spent(span)))?;
        found.map_err(stop)
    }

    /// Where the text of these tokens of the original stands, and what holds the generated text in its place.
    fn region(&self, raw: Range<usize>, form: Form) -> Region {
        let File { input, source, .. } = *self.file;
        let text = &source.text;
        let (start, end) = (input.raw[raw.start].range.start, input.raw[raw.end - 1].range.end);
        let margin = begin_of_line(text, start);
        let spliced = text[..margin].trim_end_matches(['\r', '\n']).ends_with('\\');
        let starts_line = text[margin..start].trim().is_empty() && !spliced;
        let ends_line = text[end..line_end(text, end)].trim().is_empty();
        let indent = regions::indent(text, start);
        let content = if starts_line { margin } else { start }..if ends_line { line_end(text, end) } else { end };
        let before = match (form, starts_line) {
            (Form::Block, true) => String::new(),
            (Form::Block, false) => "\n".into(),
            (Form::Branch, true) => format!("{indent}{{\n"),
            (Form::Branch, false) => "{\n".into(),
        };
        let after = match (form, ends_line) {
            (Form::Block, true) => String::new(),
            (Form::Block, false) => indent.clone(),
            (Form::Branch, true) => format!("{indent}}}\n"),
            (Form::Branch, false) => format!("{indent}}}"),
        };
        Region {
            file: source.name.clone(),
            whole: content.clone(),
            content,
            before,
            after,
            helpers_at: self.helpers_at,
            indent: if form == Form::Branch { indent + "  " } else { indent },
            line: line_column(text, start).0,
        }
    }

    /// A pragma directly before a statement: it says something about the statement, which must stay as it is.
    fn attached(&self, item: &Node<BlockItem>) -> Option<Stop> {
        let File { input, source, .. } = *self.file;
        let before = &input.tokens[..input.token_at(item.span.start)];
        let directives = before.iter().rev().take_while(|t| t.kind == TokenKind::Directive);
        let text = |t: &crate::lexer::Token| t.text(&input.text);
        let mut pragmas = directives.filter(|t| directive(text(t)).is_some_and(|(name, _)| name == "pragma"));
        let pragma = pragmas.find(|t| scop_pragma(text(t)).is_none())?;
        let refusal = Refusal {
            span: Span::span(pragma.range.start, pragma.range.end),
            message: format!("the statement after `{}`", text(pragma)),
            help: "remove the pragma: the generated code brings its own".into(),
        };
        Some(Stop { at: pragma.range.start, reason: diagnostic(&refusal, input, source) })
    }

    /// Whether a directive of the original stands between two statements.
    fn directive_between(&self, one: &Node<BlockItem>, next: &Node<BlockItem>) -> bool {
        let input = self.file.input;
        let raw = |at: Option<usize>| match at.map(|at| input.origin(input.tokens[at].range.start)) {
            Some(Origin::Region(_, raw)) => Some(raw),
            _ => None,
        };
        let last = raw(input.tokens_in(one.span.start..one.span.end).last());
        let first = raw(input.tokens_in(next.span.start..next.span.end).next());
        match (last, first) {
            (Some(last), Some(first)) if last < first => input.raw[last..first].iter().any(|t| t.kind == TokenKind::Directive),
            _ => false,
        }
    }

    /// Reports a construct, once.
    fn leave_out(&mut self, stop: Stop) {
        let left_out = LeftOut { function: function_name(self.function.definition), reason: stop.reason };
        if !self.left_out.contains(&left_out) {
            self.left_out.push(left_out);
        }
    }
}

/// The tokens of the original that a range of the preprocessed text comes from, and that range up to its last token.
fn original(
    input: &Preprocessed,
    source: &Source,
    macros: &Macros,
    inner: Range<usize>,
    span: Span,
) -> Result<(Range<usize>, Range<usize>), Refusal> {
    let mut tokens = input.tokens_in(inner.clone());
    let is = |at: usize, text: &str| input.tokens.get(at).is_some_and(|t| t.is(&input.text, text));
    // the span of a declaration may end before its `;`
    if !tokens.is_empty() && !is(tokens.end - 1, ";") && !is(tokens.end - 1, "}") && is(tokens.end, ";") {
        tokens.end += 1;
    }
    let plain = |at: usize| {
        let token = input.tokens.get(at)?;
        let text = token.text(&input.text);
        match input.origin(token.range.start) {
            Origin::Region(_, raw) if input.raw[raw].is(&source.text, text) && !macros.knows(text) => Some(raw),
            _ => None,
        }
    };
    let ends = tokens.len() > 1 && (is(tokens.end - 1, ";") || is(tokens.end - 1, "}"));
    match (plain(tokens.start), plain(tokens.end.saturating_sub(1))) {
        (Some(first), Some(last)) if ends && first < last => {
            Ok((first..last + 1, inner.start..input.tokens[tokens.end - 1].range.end))
        }
        _ => refuse(span, "statements that come from a macro or an included file", "write them out"),
    }
}

/// A declaration that does nothing, or an empty statement.
fn is_plain(item: &Node<BlockItem>) -> bool {
    match &item.node {
        BlockItem::Declaration(d) => d.node.declarators.iter().all(|d| d.node.initializer.is_none()),
        BlockItem::Statement(s) => matches!(s.node, Statement::Expression(None)),
        BlockItem::StaticAssert(_) => false,
    }
}

fn has_loop(item: &Node<BlockItem>) -> bool {
    matches!(&item.node, BlockItem::Statement(s) if contains_loop(s))
}

fn contains_loop(statement: &Node<Statement>) -> bool {
    let mut stack = vec![statement];
    while let Some(s) = stack.pop() {
        match &s.node {
            Statement::For(_) | Statement::While(_) | Statement::DoWhile(_) => return true,
            Statement::Compound(items) => stack.extend(items.iter().filter_map(|i| match &i.node {
                BlockItem::Statement(s) => Some(s),
                _ => None,
            })),
            Statement::If(i) => {
                stack.push(&i.node.then_statement);
                stack.extend(i.node.else_statement.as_deref());
            }
            Statement::Switch(s) => stack.push(&s.node.statement),
            Statement::Labeled(l) => stack.push(&l.node.statement),
            _ => {}
        }
    }
    false
}
