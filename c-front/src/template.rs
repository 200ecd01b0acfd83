//! The text of a statement as a template: from the preprocessed tokens always, from the user's own text where that is proven
//! to mean the same.

use crate::Source;
use crate::lexer::{Token, TokenKind, directive, lex};
use crate::preprocess::{Origin, Preprocessed};
use hashbrown::HashMap;
use loopwright_scop::{Body, Piece};
use std::collections::BTreeSet;
use std::ops::Range;

/// What of a macro matters here.
#[derive(Clone)]
struct Macro {
    /// Takes arguments.
    function: bool,
    /// The identifiers of its replacement other than its parameters.
    mentions: Vec<String>,
    /// Uses `#` or `##`.
    pastes: bool,
    /// Is replaced by its own name.
    identity: bool,
}

/// The predefined macros whose value depends on where, and how often, they stand.
const OF_PLACE: [&str; 6] = ["__LINE__", "__FILE__", "__COUNTER__", "__INCLUDE_LEVEL__", "__BASE_FILE__", "__FILE_NAME__"];

/// The macros that are defined where a region starts.
#[derive(Clone)]
pub struct Macros {
    table: HashMap<String, Macro>,
}

impl Macros {
    /// From the `#define` and `#undef` lines of the preprocessed text before `offset`.
    pub fn at(input: &Preprocessed, offset: usize) -> Macros {
        let mut macros = Macros { table: HashMap::new() };
        macros.read(input, 0..offset);
        macros
    }

    /// Takes the `#define` and `#undef` lines in a range of the preprocessed text; whether there were any.
    pub fn read(&mut self, input: &Preprocessed, range: Range<usize>) -> bool {
        let mut any = false;
        for token in &input.tokens[input.token_at(range.start)..input.token_at(range.end)] {
            if token.kind != TokenKind::Directive {
                continue;
            }
            match directive(token.text(&input.text)) {
                Some(("define", rest)) => {
                    let (name, definition) = define(rest);
                    self.table.insert(name, definition);
                }
                Some(("undef", name)) => {
                    self.table.remove(name);
                }
                _ => continue,
            }
            any = true;
        }
        any
    }

    /// Whether there is a macro of this name.
    pub fn knows(&self, name: &str) -> bool {
        self.table.contains_key(name)
    }

    /// The names of all macros.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        self.table.keys()
    }

    /// Whether a use of `name` may produce one of `names` by itself, or look at the spelling of its arguments.
    fn interferes(&self, name: &str, names: &BTreeSet<String>) -> bool {
        if names.contains(name) && self.table.contains_key(name) {
            return true;
        }
        let (mut seen, mut stack) = (BTreeSet::from([name]), vec![name]);
        while let Some(name) = stack.pop() {
            let Some(definition) = self.table.get(name) else {
                continue;
            };
            if definition.pastes || definition.mentions.iter().any(|m| names.contains(m)) {
                return true;
            }
            stack.extend(definition.mentions.iter().map(String::as_str).filter(|m| seen.insert(m)));
        }
        false
    }

    /// Whether a use of `name` may produce what depends on the place where it stands.
    pub fn is_of_place(&self, name: &str) -> bool {
        let (mut seen, mut stack) = (BTreeSet::from([name]), vec![name]);
        while let Some(name) = stack.pop() {
            if OF_PLACE.contains(&name) {
                return true;
            }
            if let Some(definition) = self.table.get(name) {
                stack.extend(definition.mentions.iter().map(String::as_str).filter(|m| seen.insert(m)));
            }
        }
        false
    }

    /// Whether the token at `at` of some text would be replaced if that text were preprocessed again.
    fn expands(&self, tokens: &[Token], at: usize, text: &str) -> bool {
        let name = tokens[at].text(text);
        match self.table.get(name) {
            None => false,
            Some(m) if m.function => tokens.get(at + 1).is_some_and(|t| t.is(text, "(")),
            Some(m) => !m.identity,
        }
    }
}

/// `NAME(a, b) replacement` or `NAME replacement`.
fn define(rest: &str) -> (String, Macro) {
    let tokens = lex(rest);
    let name = tokens.first().map_or("", |t| t.text(rest)).to_string();
    let function = tokens.get(1).is_some_and(|t| t.is(rest, "(") && t.range.start == tokens[0].range.end);
    let close = if function { tokens.iter().position(|t| t.is(rest, ")")).unwrap_or(tokens.len() - 1) } else { 0 };
    let parameters: Vec<&str> = tokens[..=close].iter().skip(1).map(|t| t.text(rest)).collect();
    let replacement = tokens.get(close + 1..).unwrap_or_default();
    let idents = replacement.iter().filter(|t| t.kind == TokenKind::Ident).map(|t| t.text(rest));
    let mentions = idents.filter(|t| !parameters.contains(t)).map(str::to_string).collect();
    let pastes = replacement.iter().any(|t| t.is(rest, "#") || t.is(rest, "##") || t.kind == TokenKind::Directive);
    let identity = !function && matches!(replacement, [only] if only.is(rest, &name));
    (name, Macro { function, mentions, pastes, identity })
}

/// A statement's tokens and holes.
pub struct Template<'a> {
    /// The preprocessed file.
    pub input: &'a Preprocessed,
    /// The original.
    pub source: &'a Source,
    /// The macros at the region.
    pub macros: &'a Macros,
    /// The tokens of the statement, its `;` included.
    pub tokens: Range<usize>,
    /// The counters by dimension: name and C type.
    pub counters: &'a [(String, String)],
    /// The arrays that have another name here than in the source.
    pub renamed: &'a HashMap<String, String>,
    /// The tokens of each access, outer before inner: range and site.
    pub sites: &'a [(Range<usize>, usize)],
}

/// The text would be changed by a second preprocessing: the token that would be.
pub struct Reexpands(pub usize);

impl Template<'_> {
    /// The body.
    ///
    /// # Errors
    /// [`Reexpands`] if the preprocessed text cannot be put back.
    pub fn body(&self) -> Result<Body, Reexpands> {
        let tokens = &self.input.tokens;
        if let Some(at) = self.tokens.clone().find(|&i| self.macros.expands(tokens, i, &self.input.text)) {
            return Err(Reexpands(at));
        }
        let types = self.counters.iter().map(|(_, ty)| ty.clone()).collect();
        let body = Body::new(self.expanded(), types);
        Ok(match self.kept() {
            Some(kept) => body.with_kept(kept),
            None => body,
        })
    }

    fn piece(&self, token: &Token, text: &str) -> Piece {
        let word = token.text(text);
        if token.kind == TokenKind::Ident {
            if let Some(dim) = self.counters.iter().rposition(|(name, _)| name == word) {
                return Piece::Counter(dim);
            }
            if let Some(name) = self.renamed.get(word) {
                return Piece::Array(name.clone());
            }
        }
        Piece::Text(word.replace("\\\r\n", "").replace("\\\n", ""))
    }

    fn expanded(&self) -> Vec<Piece> {
        let tokens = &self.input.tokens;
        let visible = || self.tokens.clone().filter(|&i| tokens[i].kind != TokenKind::Directive);
        let mut open: Vec<(Range<usize>, usize, Vec<Piece>)> = Vec::new();
        let mut done = Vec::new();
        let mut previous = None;
        // sorted by their first token, outer ones first
        let mut sites = self.sites.iter().peekable();
        for i in visible() {
            if let Some(before) = previous {
                push(open.last_mut().map_or(&mut done, |o| &mut o.2), Piece::Text(self.gap(before, i).into()));
            }
            while let Some((range, site)) = sites.next_if(|(range, _)| range.start <= i) {
                if range.start == i {
                    open.push((range.clone(), *site, Vec::new()));
                }
            }
            push(open.last_mut().map_or(&mut done, |o| &mut o.2), self.piece(&tokens[i], &self.input.text));
            let ends = |range: &Range<usize>| (i + 1..range.end).all(|k| tokens[k].kind == TokenKind::Directive);
            while open.last().is_some_and(|(range, ..)| ends(range)) {
                let (_, site, pieces) = open.pop().expect("an access is open");
                push(open.last_mut().map_or(&mut done, |o| &mut o.2), Piece::Access(site, pieces));
            }
            previous = Some(i);
        }
        // the initializer of one of several declarators ends with a comma
        if !previous.is_some_and(|i| tokens[i].is(&self.input.text, ";")) {
            push(&mut done, Piece::Text(";".into()));
        }
        done
    }

    /// The white space between two successive tokens: the user's, where both are his own; otherwise one space.
    fn gap(&self, left: usize, right: usize) -> &'static str {
        let tokens = &self.input.tokens;
        let raw = |i: usize| match self.input.origin(tokens[i].range.start) {
            Origin::Region(_, raw) if self.input.raw[raw].text(&self.source.text) == tokens[i].text(&self.input.text) => {
                Some(raw)
            }
            _ => None,
        };
        let word = |i: usize| tokens[i].text(&self.input.text);
        if matches!(word(left), "(" | "[") || matches!(word(right), ")" | "]" | ";" | ",") {
            return "";
        }
        if word(right) == "[" && tokens[left].kind == TokenKind::Ident {
            return "";
        }
        match (raw(left), raw(right)) {
            (Some(l), Some(r)) if r == l + 1 && self.input.raw[l].range.end == self.input.raw[r].range.start => "",
            _ => " ",
        }
    }

    /// The user's own text, if it can be put back (see [`Body`]).
    fn kept(&self) -> Option<Vec<Piece>> {
        let (tokens, raw, text) = (&self.input.tokens, &self.input.raw, &self.source.text);
        let origin = |i: usize| match self.input.origin(tokens.get(i)?.range.start) {
            Origin::Region(_, raw) => Some(raw),
            _ => None,
        };
        let (first, last) = (origin(self.tokens.start)?, origin(self.tokens.end - 1)?);
        if !raw[last].is(text, ";") || !tokens[self.tokens.end - 1].is(&self.input.text, ";") {
            return None;
        }
        // no token outside the statement may come from the same tokens of the original
        let visible = |i: &usize| tokens[*i].kind != TokenKind::Directive;
        let before = (0..self.tokens.start).rev().find(visible);
        let after = (self.tokens.end..tokens.len()).find(visible);
        if [before, after].into_iter().flatten().any(|i| origin(i).is_some_and(|o| (first..=last).contains(&o))) {
            return None;
        }
        let names: BTreeSet<String> =
            self.counters.iter().map(|(name, _)| name.clone()).chain(self.renamed.keys().cloned()).collect();
        let mut checked = first;
        let mut pieces = Vec::new();
        for i in first..=last {
            if raw[i].kind == TokenKind::Directive {
                return None;
            }
            if i >= checked {
                checked = self.macro_use(i, last, &names)?;
            }
            if i > first {
                let gap = &text[raw[i - 1].range.end..raw[i].range.start];
                let plain = gap.chars().all(|c| c == ' ' || c == '\t');
                push(&mut pieces, Piece::Text(if plain { gap.to_string() } else { " ".to_string() }));
            }
            push(&mut pieces, self.piece(&raw[i], text));
        }
        Some(pieces)
    }
}

impl Template<'_> {
    /// The end of the macro use at token `at` of the original, or `at + 1`; `None` if it cannot be put back with other `names`.
    ///
    /// It can if neither its arguments nor its expansion have a name, or if no macro in it interferes.
    fn macro_use(&self, at: usize, last: usize, names: &BTreeSet<String>) -> Option<usize> {
        let (raw, text) = (&self.input.raw, &self.source.text);
        let Some(definition) = self.macros.table.get(raw[at].text(text)) else {
            return Some(at + 1);
        };
        let mut end = at + 1;
        if definition.function && raw.get(end).is_some_and(|t| t.is(text, "(")) {
            let mut depth = 0usize;
            loop {
                match raw.get(end)?.text(text) {
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    _ => {}
                }
                end += 1;
                if depth == 0 {
                    break;
                }
            }
        }
        if end > last + 1 {
            return None;
        }
        let is_name = |word: &str| names.contains(word);
        let arguments = raw[at..end].iter().any(|t| is_name(t.text(text)));
        let expansion = self.tokens.clone().map(|i| &self.input.tokens[i]).any(|t| {
            let own = matches!(self.input.origin(t.range.start), Origin::Region(_, from) if (at..end).contains(&from));
            own && is_name(t.text(&self.input.text))
        });
        let interferes = || raw[at..end].iter().any(|t| self.macros.interferes(t.text(text), names));
        ((!arguments && !expansion) || !interferes()).then_some(end)
    }
}

/// Appends a piece, joining texts.
fn push(pieces: &mut Vec<Piece>, piece: Piece) {
    match (pieces.last_mut(), piece) {
        (Some(Piece::Text(last)), Piece::Text(more)) => last.push_str(&more),
        (_, Piece::Text(empty)) if empty.is_empty() => {}
        (_, piece) => pieces.push(piece),
    }
}
