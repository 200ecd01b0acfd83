//! Parsing the preprocessed text with lang-c, and stepping around what lang-c cannot read.
//!
//! Only functions with regions matter. The bodies of all others are blanked out before parsing (bytes stay in place), and a
//! declaration that lang-c refuses is blanked out too, unless a region lies in it: then the refusal is the user's to see. A
//! blanked `typedef` leaves its name behind as a type, so that later declarations still parse.

use crate::eval::Refusal;
use crate::lexer::{Token, TokenKind};
use crate::preprocess::{Origin, Preprocessed};
use lang_c::ast::TranslationUnit;
use lang_c::driver::{Config, Flavor, parse_preprocessed};
use lang_c::span::Span;
use std::ops::Range;

/// Brackets nested deeper than this are refused.
pub const MAX_DEPTH: usize = 200;
/// A top-level declaration with more tokens than this between two semicolons or braces is refused.
const MAX_RUN: usize = 20_000;
/// So is a function with more `else` branches (they may form one chain).
const MAX_ELSE: usize = 1_000;

/// Why the unit has no tree: an offset into the preprocessed text, and a message.
#[derive(Debug)]
pub struct SyntaxError {
    /// The offset.
    pub offset: usize,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

impl From<SyntaxError> for Refusal {
    fn from(e: SyntaxError) -> Refusal {
        Refusal { span: Span::span(e.offset, e.offset), message: e.message, help: e.help.to_string() }
    }
}

/// The function definitions of the file itself: their places in the preprocessed text, with an offset inside the body.
pub fn functions(input: &Preprocessed) -> Vec<(Range<usize>, usize)> {
    let ours = |at: usize| matches!(input.origin(at), Origin::Region(..) | Origin::Main(_));
    let bodies = chunks(input).into_iter().filter_map(|c| c.body.map(|body| (c.range, body.start)));
    bodies.filter(|(_, open)| ours(*open)).collect()
}

/// Parses the preprocessed text. `keep` lists the places (offsets into the text) that lie in regions.
///
/// # Errors
/// [`SyntaxError`] where a declaration that holds a region cannot be parsed or nests too deeply.
pub fn parse(input: &Preprocessed, keep: &[usize]) -> Result<TranslationUnit, SyntaxError> {
    let chunks = chunks(input);
    let mut text = input.text.clone().into_bytes();
    for token in input.tokens.iter().filter(|t| t.kind == TokenKind::Directive) {
        blank(&mut text, token.range.clone());
    }
    let kept = |range: &Range<usize>| keep.iter().any(|at| range.contains(at));
    for chunk in &chunks {
        if kept(&chunk.range) {
            check_depth(input, &chunk.tokens)?;
        } else if let Some(body) = &chunk.body {
            blank(&mut text, body.clone());
            text[body.start] = b';';
        }
    }
    let config = Config { cpp_command: String::new(), cpp_options: Vec::new(), flavor: Flavor::GnuC11 };
    // Each round blanks a chunk that was not blank before, so there are at most as many rounds as chunks.
    for _ in 0..=chunks.len() {
        let source = String::from_utf8_lossy(&text).into_owned();
        let error = match parse_preprocessed(&config, source) {
            Ok(parsed) => return Ok(parsed.unit),
            Err(error) => error,
        };
        let at = chunks.partition_point(|c| c.range.end <= error.offset);
        let guilty = [Some(at), at.checked_sub(1)].into_iter().flatten().filter_map(|i| chunks.get(i));
        let Some(chunk) = guilty.clone().find(|c| !kept(&c.range) && !is_blank(&text[c.range.clone()])) else {
            let found = input.tokens.get(input.token_at(error.offset)).map_or("end of file", |t| t.text(&input.text));
            let mut expected: Vec<&str> = error.expected.iter().copied().filter(|e| !e.starts_with('[')).collect();
            expected.sort_unstable();
            let mut message = format!("unexpected `{found}`");
            if (1..=6).contains(&expected.len()) {
                message.push_str(&format!(", expected one of: {}", expected.join(" ")));
            }
            return Err(SyntaxError {
                offset: error.offset,
                message,
                help: if ends_open(input, error.offset) {
                    "a `;` may be missing before; standard C11 with GNU extensions is read here"
                } else {
                    "only standard C11 with GNU extensions is read here"
                },
            });
        };
        let name = typedef_name(input, chunk);
        blank(&mut text, chunk.range.clone());
        if let Some(name) = name {
            let stub = format!("typedef int {name};");
            if stub.len() <= chunk.range.len() {
                text[chunk.range.start..chunk.range.start + stub.len()].copy_from_slice(stub.as_bytes());
            }
        }
    }
    Err(SyntaxError { offset: 0, message: "the file cannot be parsed".into(), help: "" })
}

/// Whether a statement may end before a place, were there a `;`: a name, a number or a bracket stands there.
fn ends_open(input: &Preprocessed, offset: usize) -> bool {
    let before = &input.tokens[..input.token_at(offset)];
    let last = before.iter().rev().find(|t| t.kind != TokenKind::Directive);
    let open = |t: &Token| match t.kind {
        TokenKind::Punct => matches!(t.text(&input.text), ")" | "]" | "++" | "--"),
        kind => kind != TokenKind::Other,
    };
    last.is_some_and(open)
}

/// A top-level declaration or function definition.
struct Chunk {
    range: Range<usize>,
    tokens: Range<usize>,
    /// The braces of a function's body.
    body: Option<Range<usize>>,
}

fn chunks(input: &Preprocessed) -> Vec<Chunk> {
    let text = &input.text;
    let (mut depth, mut chunks) = (0usize, Vec::new());
    let (mut start, mut body) = (None, None);
    let mut previous: Option<&Token> = None;
    for (i, token) in input.tokens.iter().enumerate() {
        if token.kind == TokenKind::Directive {
            continue;
        }
        let first = *start.get_or_insert(i);
        let mut ends = false;
        match token.text(text) {
            "{" | "(" | "[" => {
                if depth == 0 && token.is(text, "{") && previous.is_some_and(|p| p.is(text, ")")) {
                    body = Some(token.range.start);
                }
                depth += 1;
            }
            "}" | ")" | "]" => {
                depth = depth.saturating_sub(1);
                ends = depth == 0 && body.is_some() && token.is(text, "}");
            }
            ";" => ends = depth == 0,
            _ => {}
        }
        previous = Some(token);
        if ends {
            let range = input.tokens[first].range.start..token.range.end;
            let body = body.take().map(|open| open..token.range.end);
            chunks.push(Chunk { range, tokens: first..i + 1, body });
            start = None;
            previous = None;
        }
    }
    if let Some(first) = start {
        let range = input.tokens[first].range.start..text.len();
        let body = body.map(|open| open..text.len());
        chunks.push(Chunk { range, tokens: first..input.tokens.len(), body });
    }
    chunks
}

/// Overwrites with spaces, keeping line ends.
fn blank(text: &mut [u8], range: Range<usize>) {
    text[range].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace) || text.starts_with(b"typedef int ")
}

fn typedef_name<'a>(input: &'a Preprocessed, chunk: &Chunk) -> Option<&'a str> {
    let tokens = || input.tokens[chunk.tokens.clone()].iter().filter(|t| t.kind != TokenKind::Directive);
    let mut words = tokens().map(|t| t.text(&input.text)).filter(|t| *t != "__extension__");
    (words.next() == Some("typedef")).then_some(())?;
    let last = tokens().rev().find(|t| t.kind == TokenKind::Ident)?;
    Some(last.text(&input.text))
}

/// Refuses nesting that a recursive parser (and everything after it) could not stand, and unclosed literals.
fn check_depth(input: &Preprocessed, tokens: &Range<usize>) -> Result<(), SyntaxError> {
    let (mut depth, mut run, mut elses) = (0usize, 0usize, 0usize);
    for token in &input.tokens[tokens.clone()] {
        let refuse = |message: String, help| Err(SyntaxError { offset: token.range.start, message, help });
        if token.is_unclosed(&input.text) {
            return refuse("a literal without its closing quote".into(), "close it on its line");
        }
        match token.text(&input.text) {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth = depth.saturating_sub(1),
            "else" => elses += 1,
            _ => {}
        }
        run = if matches!(token.text(&input.text), ";" | "{" | "}") { 0 } else { run + 1 };
        if depth > MAX_DEPTH {
            return refuse(format!("brackets nested more than {MAX_DEPTH} deep"), "split the statement or the nest");
        }
        if run > MAX_RUN {
            return refuse(format!("more than {MAX_RUN} tokens in one statement"), "split the statement");
        }
        if elses > MAX_ELSE {
            return refuse(format!("more than {MAX_ELSE} `else` branches in one function"), "split the function");
        }
    }
    Ok(())
}
