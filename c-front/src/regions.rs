//! Finding the regions between `#pragma scop` and `#pragma endscop`: in which function, and which of its statements.

use crate::eval::{Refusal, refuse};
use crate::lexer::{TokenKind, directive};
use crate::locate::{at, line_start, place};
use crate::preprocess::{Origin, Preprocessed, scop_pragma};
use crate::{Diagnostic, Source};
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use loopwright_scop::Region;
use std::ops::Range;

/// A region between its pragmas, in the original and in the preprocessed text.
#[derive(Clone, Debug)]
pub struct Marked {
    /// Which of [`Preprocessed::regions`].
    pub raw: usize,
    /// The offsets between the pragmas in the preprocessed text.
    pub inner: Range<usize>,
}

const NESTED: &str = "`#pragma scop` inside a region";

/// The regions in active code, in order, and what is wrong with the others.
pub fn marked(input: &Preprocessed, source: &Source) -> (Vec<Marked>, Vec<Diagnostic>) {
    let (mut found, mut wrong): (Vec<Marked>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut open: Option<Marked> = None;
    for token in input.tokens.iter().filter(|t| t.kind == TokenKind::Directive) {
        let Some(pragma) = scop_pragma(token.text(&input.text)) else {
            continue;
        };
        let origin = input.origin(token.range.start);
        if origin == Origin::Elsewhere {
            continue;
        }
        let here = place(input, source, token.range.clone());
        let raw = match origin {
            Origin::Main(line) => {
                let range = line_start(&source.text, line)..line_start(&source.text, line + 1);
                input.regions.iter().position(|r| range.contains(&r.open.start))
            }
            _ => None,
        };
        let closed = raw.is_some_and(|raw| input.regions[raw].close.is_some());
        let complaint = match (pragma, raw, open.take()) {
            ("scop", Some(raw), None) if closed => {
                open = Some(Marked { raw, inner: token.range.end..token.range.end });
                continue;
            }
            ("endscop", _, Some(region)) => {
                found.push(Marked { inner: region.inner.start..token.range.start, ..region });
                continue;
            }
            // said already
            (_, _, None) if wrong.last().is_some_and(|d| d.message == NESTED) => continue,
            ("scop", Some(raw), None) if raw + 1 < input.regions.len() => {
                let inner = input.regions[raw + 1].open.clone();
                wrong.push(at(source, inner, NESTED, "close the region above with `#pragma endscop` first"));
                continue;
            }
            ("scop", Some(_), None) => {
                ("`#pragma scop` without `#pragma endscop`", "add `#pragma endscop` after the last statement")
            }
            ("scop", _, Some(_)) => (NESTED, "close the region above with `#pragma endscop` first"),
            ("scop", None, None) => {
                ("`scop` that is not a `#pragma scop` line", "write the directive on a line of its own, without a macro")
            }
            _ => ("`#pragma endscop` without `#pragma scop`", "add `#pragma scop` before the first statement"),
        };
        wrong.push(at(source, here, complaint.0, complaint.1));
    }
    if let Some(region) = open {
        let here = input.regions[region.raw].open.clone();
        wrong.push(at(source, here, "`#pragma scop` without `#pragma endscop`", "its `#pragma endscop` is in inactive code"));
    }
    (found, wrong)
}

/// Refuses directives that cannot be put back: other pragmas, definitions, included text, unbalanced conditionals.
pub fn check_directives(input: &Preprocessed, source: &Source, region: &Marked) -> Result<(), Diagnostic> {
    let raw = &input.regions[region.raw];
    let end = raw.close.clone().unwrap_or(raw.open.clone());
    directives_in(input, source, raw.tokens.clone(), region.inner.clone(), end)
}

/// The same for any tokens of the original and their part of the preprocessed text; `end` is where an open conditional shows.
pub fn directives_in(
    input: &Preprocessed,
    source: &Source,
    raw: Range<usize>,
    inner: Range<usize>,
    end: Range<usize>,
) -> Result<(), Diagnostic> {
    let mut depth = 0usize;
    for token in &input.raw[raw] {
        if token.kind != TokenKind::Directive {
            continue;
        }
        let complain = |message: &str, help: &str| Err(at(source, token.range.clone(), message, help));
        match directive(token.text(&source.text)).map_or("", |(name, _)| name) {
            "if" | "ifdef" | "ifndef" => depth += 1,
            "endif" if depth > 0 => depth -= 1,
            "else" | "elif" if depth > 0 => {}
            "else" | "elif" | "endif" => {
                return complain("conditional directives cross the region's start", "put the region inside one branch");
            }
            "define" | "undef" => {
                return complain("a macro definition inside the region", "move it before the region");
            }
            "include" => {
                return complain("an `#include` inside the region", "move it before the region");
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err(at(source, end, "conditional directives cross the region's end", "put the region inside one branch"));
    }
    for token in &input.tokens[input.token_at(inner.start)..input.token_at(inner.end)] {
        let pragma =
            token.kind == TokenKind::Directive && directive(token.text(&input.text)).is_some_and(|(name, _)| name == "pragma");
        if pragma {
            let text = token.text(&input.text);
            let here = place(input, source, token.range.clone());
            return Err(at(
                source,
                here,
                &format!("`{text}` inside the region"),
                match text.contains("omp") {
                    true => {
                        "remove it, or read the original: loopwright writes such pragmas itself, and proves the order without them"
                    }
                    false => "remove it: the generated code brings its own pragmas",
                },
            ));
        }
    }
    Ok(())
}

/// A function with a region, and the region's place in it.
pub struct Home<'a> {
    /// The function.
    pub function: &'a FunctionDefinition,
    /// Its place in the preprocessed text.
    pub span: Span,
    /// What stands before the region, from the function's body inward.
    pub before: Vec<Scope<'a>>,
    /// The statements and declarations of the region.
    pub items: &'a [Node<BlockItem>],
    /// The outermost loop around the region.
    pub loop_span: Option<Span>,
}

/// A scope around the region.
#[derive(Clone, Copy)]
pub enum Scope<'a> {
    /// A block, with the items before the region.
    Block(&'a [Node<BlockItem>]),
    /// The header of a `for` around the region.
    For(&'a ForInitializer),
}

/// The function and the statements of a region.
pub fn home<'a>(
    input: &Preprocessed,
    unit: &'a TranslationUnit,
    inner: &Range<usize>,
    pragma: Span,
) -> Result<Home<'a>, Refusal> {
    for external in &unit.0 {
        let span = external.span;
        let ExternalDeclaration::FunctionDefinition(function) = &external.node else {
            continue;
        };
        if span.start > inner.start || span.end < inner.end {
            continue;
        }
        let mut home = Home { function: &function.node, span, before: Vec::new(), items: &[], loop_span: None };
        descend(input, &function.node.statement, inner, pragma, &mut home)?;
        return Ok(home);
    }
    refuse(pragma, "a region outside a function", "regions stand in function bodies")
}

fn descend<'a>(
    input: &Preprocessed,
    mut statement: &'a Node<Statement>,
    inner: &Range<usize>,
    pragma: Span,
    home: &mut Home<'a>,
) -> Result<(), Refusal> {
    let cuts = |span| refuse(span, "the region's pragmas cut this statement", "put both pragmas into the same block");
    loop {
        let inside = |span: Span| span.start < inner.start && inner.end < input.end_of(span);
        match &statement.node {
            Statement::Compound(items) => {
                if let Some(at) = items.iter().position(|i| inside(i.span)) {
                    home.before.push(Scope::Block(&items[..at]));
                    match &items[at].node {
                        BlockItem::Statement(next) => statement = next,
                        _ => return cuts(items[at].span),
                    }
                    continue;
                }
                let first = items.partition_point(|i| i.span.start < inner.start);
                let last = items.partition_point(|i| i.span.start < inner.end);
                let crossing = items[..first].iter().any(|i| input.end_of(i.span) > inner.start)
                    || items[first..last].iter().any(|i| input.end_of(i.span) > inner.end);
                if crossing {
                    let guilty = items.iter().find(|i| input.end_of(i.span) > inner.start).expect("an item crosses");
                    return cuts(guilty.span);
                }
                home.before.push(Scope::Block(&items[..first]));
                home.items = &items[first..last];
                return Ok(());
            }
            Statement::For(f) if inside(f.node.statement.span) => {
                home.before.push(Scope::For(&f.node.initializer.node));
                home.loop_span.get_or_insert(statement.span);
                statement = &f.node.statement;
            }
            Statement::While(w) if inside(w.node.statement.span) => {
                home.loop_span.get_or_insert(statement.span);
                statement = &w.node.statement;
            }
            Statement::DoWhile(d) if inside(d.node.statement.span) => {
                home.loop_span.get_or_insert(statement.span);
                statement = &d.node.statement;
            }
            Statement::If(i) if inside(i.node.then_statement.span) => statement = &i.node.then_statement,
            Statement::If(i) => match &i.node.else_statement {
                Some(e) if inside(e.span) => statement = e,
                _ => return cuts(pragma),
            },
            Statement::Labeled(l) if inside(l.node.statement.span) => statement = &l.node.statement,
            Statement::Switch(s) if inside(s.node.statement.span) => statement = &s.node.statement,
            _ => return cuts(pragma),
        }
    }
}

/// Where the region and its surroundings stand in the user's file.
pub fn region(input: &Preprocessed, source: &Source, unit: &TranslationUnit, function: Span, marked: &Marked) -> Region {
    let text = &source.text;
    let raw = &input.regions[marked.raw];
    let close = raw.close.clone().unwrap_or(raw.open.clone());
    let content = line_end(text, raw.open.end)..begin_of_line(text, close.start);
    let whole = begin_of_line(text, raw.open.start)..line_end(text, close.end);
    let first = input.raw[raw.tokens.clone()].first().map_or(raw.open.start, |t| t.range.start);
    let (line, _) = crate::line_column(text, raw.open.start);
    Region {
        file: source.name.clone(),
        content: content.start.min(content.end)..content.end,
        whole,
        before: String::new(),
        after: String::new(),
        helpers_at: helpers_at(input, source, unit, function),
        indent: indent(text, first),
        line,
    }
}

/// The offset after the line end at or after `at`.
pub fn line_end(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |n| at + n + 1)
}

/// The offset where the line of `at` starts.
pub fn begin_of_line(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |n| n + 1)
}

/// The white space before the token at `at` on its line.
pub fn indent(text: &str, at: usize) -> String {
    text[begin_of_line(text, at)..at].chars().take_while(|c| *c == ' ' || *c == '\t').collect()
}

/// The start of the function at file scope: the first token of its first line, before which no other declaration reaches.
pub fn helpers_at(input: &Preprocessed, source: &Source, unit: &TranslationUnit, function: Span) -> usize {
    let line_of = |offset: usize| match input.origin(offset) {
        Origin::Main(line) => Some(line),
        Origin::Region(_, raw) => Some(crate::line_column(&source.text, input.raw[raw].range.start).0),
        Origin::Elsewhere => None,
    };
    let at = unit.0.partition_point(|e| e.span.start < function.start);
    let mut line = line_of(function.start).unwrap_or(1);
    for external in unit.0[..at].iter().rev() {
        let end = input.token_at(external.span.end).checked_sub(1).map(|i| input.tokens[i].range.start);
        if end.and_then(line_of) != Some(line) {
            break;
        }
        line = line_of(external.span.start).unwrap_or(line);
    }
    let start = line_start(&source.text, line);
    let first = input.raw.partition_point(|t| t.range.start < start);
    let token = input.raw.get(first).map_or(start, |t| t.range.start);
    // from the margin on, if only white space stands before the token
    let margin = begin_of_line(&source.text, token);
    if source.text[margin..token].trim().is_empty() { margin } else { token }
}
