//! From places in the preprocessed text back to places in the user's file.

use crate::eval::Refusal;
use crate::lexer::TokenKind;
use crate::preprocess::{Origin, Preprocessed};
use crate::{Diagnostic, Source, line_column};
use std::ops::Range;

/// The diagnostic of a refusal.
pub fn diagnostic(refusal: &Refusal, input: &Preprocessed, source: &Source) -> Diagnostic {
    let range = place(input, source, refusal.span.start..refusal.span.end);
    at(source, range, &refusal.message, &refusal.help)
}

/// A diagnostic at bytes of the user's file.
pub fn at(source: &Source, range: Range<usize>, message: &str, help: &str) -> Diagnostic {
    let (line, column) = line_column(&source.text, range.start);
    let covered = source.text.get(range).unwrap_or("");
    let length = covered.lines().next().unwrap_or("").chars().count().max(1);
    Diagnostic { file: source.name.clone(), line, column, length, message: message.into(), help: help.into() }
}

/// The bytes of the user's file that a range of the preprocessed text comes from; for tokens of a macro, its name.
pub fn place(input: &Preprocessed, source: &Source, range: Range<usize>) -> Range<usize> {
    let tokens = input.tokens_in(range.start..range.end.max(range.start + 1));
    let first = tokens.start.min(input.tokens.len().saturating_sub(1));
    let Some(token) = input.tokens.get(first) else {
        return 0..0;
    };
    match input.origin(token.range.start) {
        Origin::Region(region, raw) => {
            let start = input.raw[raw].range.clone();
            let last = input.tokens[tokens].iter().rev().find(|t| t.kind != TokenKind::Directive);
            let end = match last.map(|t| input.origin(t.range.start)) {
                Some(Origin::Region(r, last)) if r == region && last > raw => input.raw[last].range.end,
                _ => start.end,
            };
            start.start..end
        }
        Origin::Main(line) => {
            let line_start = line_start(&source.text, line);
            let first = input.raw.partition_point(|t| t.range.start < line_start);
            let on_line = || input.raw[first..].iter().take_while(|t| line_column(&source.text, t.range.start).0 == line);
            let same = on_line().find(|t| t.text(&source.text) == token.text(&input.text));
            same.or(on_line().next()).map_or(line_start..line_start, |t| t.range.clone())
        }
        // made by no token of the file, such as its end: the last place before
        Origin::Elsewhere => {
            let ours = |t: &&crate::lexer::Token| {
                t.kind != TokenKind::Directive && !matches!(input.origin(t.range.start), Origin::Elsewhere)
            };
            match input.tokens[..first].iter().rfind(ours) {
                Some(before) => place(input, source, before.range.clone()),
                None => 0..0,
            }
        }
    }
}

/// The offset of the first byte of a line (from 1).
pub fn line_start(text: &str, line: usize) -> usize {
    let mut ends = text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at + 1);
    line.checked_sub(2).map_or(0, |n| ends.nth(n).unwrap_or(text.len()))
}
