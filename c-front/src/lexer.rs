//! A lexer for C text, raw or preprocessed: tokens with byte ranges, directives as one token each.
//!
//! Comments and white space separate tokens and are dropped; a backslash before a line end (a splice) is skipped wherever
//! it occurs. The lexer never fails: a byte that starts no token is a one-byte [`TokenKind::Other`].

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or keyword.
    Ident,
    /// A preprocessing number: `1`, `0x1fUL`, `1.5e-3f`.
    Number,
    /// A string literal, with its prefix.
    Str,
    /// A character constant, with its prefix.
    Char,
    /// An operator or a bracket.
    Punct,
    /// A whole directive, from `#` to the end of its (logical) line.
    Directive,
    /// Anything else.
    Other,
}

/// A token and its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Its bytes.
    pub range: Range<usize>,
}

impl Token {
    /// The token's text.
    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.range.clone()]
    }

    /// Is it a string or character literal that ends without its quote?
    pub fn is_unclosed(&self, source: &str) -> bool {
        let quote = match self.kind {
            TokenKind::Str => '"',
            TokenKind::Char => '\'',
            _ => return false,
        };
        let mut inner = self.text(source).split(quote);
        let (Some(_), Some(first)) = (inner.next(), inner.next()) else { return true };
        // a closing quote is one that an even number of backslashes stands before
        let closed = |part: &str| part.bytes().rev().take_while(|b| *b == b'\\').count() % 2 == 0;
        let parts: Vec<&str> = std::iter::once(first).chain(inner).collect();
        !parts[..parts.len() - 1].iter().any(|part| closed(part))
    }

    /// Is it the identifier or operator `text`?
    pub fn is(&self, source: &str, text: &str) -> bool {
        self.text(source) == text
    }
}

const OPERATORS: [&str; 24] = [
    "<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=",
    "^=", "|=", "##", "::",
];

/// All tokens of `source`.
pub fn lex(source: &str) -> Vec<Token> {
    let mut lexer = Lexer { bytes: source.as_bytes(), pos: 0, fresh_line: true };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    tokens
}

/// Splits `# name rest` into `(name, rest)`; `None` for another token.
pub fn directive(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix('#')?.trim_start();
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
    Some((&rest[..end], rest[end..].trim()))
}

struct Lexer<'a> {
    bytes: &'a [u8],
    pos: usize,
    fresh_line: bool,
}

impl Lexer<'_> {
    fn at(&self, pos: usize) -> u8 {
        self.bytes.get(pos).copied().unwrap_or(0)
    }

    /// The position after splices at `pos`.
    fn skip_splices(&self, mut pos: usize) -> usize {
        loop {
            match (self.at(pos), self.at(pos + 1), self.at(pos + 2)) {
                (b'\\', b'\n', _) => pos += 2,
                (b'\\', b'\r', b'\n') => pos += 3,
                _ => return pos,
            }
        }
    }

    /// The position after the comment at `pos`, if one starts there.
    fn skip_comment(&self, pos: usize) -> Option<usize> {
        if self.at(pos) != b'/' {
            return None;
        }
        match self.at(pos + 1) {
            b'*' => {
                let mut p = pos + 2;
                while p < self.bytes.len() && !(self.at(p) == b'*' && self.at(p + 1) == b'/') {
                    p += 1;
                }
                Some((p + 2).min(self.bytes.len()))
            }
            b'/' => {
                let mut p = pos + 2;
                loop {
                    p = self.skip_splices(p);
                    if p >= self.bytes.len() || self.at(p) == b'\n' {
                        return Some(p.min(self.bytes.len()));
                    }
                    p += 1;
                }
            }
            _ => None,
        }
    }

    fn next(&mut self) -> Option<Token> {
        loop {
            self.pos = self.skip_splices(self.pos);
            let c = *self.bytes.get(self.pos)?;
            if let Some(end) = self.skip_comment(self.pos) {
                self.pos = end;
            } else if c == b'\n' {
                self.fresh_line = true;
                self.pos += 1;
            } else if c.is_ascii_whitespace() || c == 0x0b || c == 0x0c {
                self.pos += 1;
            } else {
                break;
            }
        }
        let start = self.pos;
        let c = self.at(start);
        let fresh = std::mem::replace(&mut self.fresh_line, false);
        let (kind, end) = match c {
            b'#' if fresh => (TokenKind::Directive, self.directive_end(start)),
            b'"' => (TokenKind::Str, self.quoted_end(start)),
            b'\'' => (TokenKind::Char, self.quoted_end(start)),
            b'0'..=b'9' => (TokenKind::Number, self.number_end(start)),
            b'.' if self.at(start + 1).is_ascii_digit() => (TokenKind::Number, self.number_end(start)),
            _ if ident_byte(c) => self.ident(start),
            _ => match OPERATORS.iter().find(|op| self.bytes[start..].starts_with(op.as_bytes())) {
                Some(op) => (TokenKind::Punct, start + op.len()),
                None if c.is_ascii_punctuation() => (TokenKind::Punct, start + 1),
                None => (TokenKind::Other, start + 1),
            },
        };
        self.pos = end;
        Some(Token { kind, range: start..end })
    }

    fn ident(&self, start: usize) -> (TokenKind, usize) {
        let (mut p, mut next) = (start, start);
        while ident_byte(self.at(next)) {
            p = next + 1;
            next = self.skip_splices(p);
        }
        let prefix = &self.bytes[start..p];
        let literal_prefix = matches!(prefix, b"L" | b"u" | b"U" | b"u8");
        match self.at(p) {
            b'"' if literal_prefix => (TokenKind::Str, self.quoted_end(p)),
            b'\'' if literal_prefix => (TokenKind::Char, self.quoted_end(p)),
            _ => (TokenKind::Ident, p),
        }
    }

    fn number_end(&self, start: usize) -> usize {
        let (mut p, mut next) = (start, start);
        loop {
            let c = self.at(next);
            let after = self.skip_splices(next + 1);
            if matches!(c, b'e' | b'E' | b'p' | b'P') && matches!(self.at(after), b'+' | b'-') {
                p = after + 1;
            } else if ident_byte(c) || c == b'.' {
                p = next + 1;
            } else {
                return p;
            }
            next = self.skip_splices(p);
        }
    }

    /// The end of a quoted token; an unclosed one ends with its line.
    fn quoted_end(&self, start: usize) -> usize {
        let quote = self.at(start);
        let mut p = start + 1;
        loop {
            p = self.skip_splices(p);
            match self.at(p) {
                _ if p >= self.bytes.len() => return self.bytes.len(),
                b'\n' => return p,
                b'\\' => p = (p + 2).min(self.bytes.len()),
                c if c == quote => return p + 1,
                _ => p += 1,
            }
        }
    }

    fn directive_end(&self, start: usize) -> usize {
        let mut p = start + 1;
        loop {
            p = self.skip_splices(p);
            if p >= self.bytes.len() || self.at(p) == b'\n' {
                break;
            }
            p = match self.at(p) {
                b'"' | b'\'' => self.quoted_end(p),
                _ => self.skip_comment(p).unwrap_or(p + 1),
            };
        }
        let mut end = p.min(self.bytes.len());
        while end > start && self.bytes[end - 1].is_ascii_whitespace() {
            end -= 1;
        }
        end
    }
}

fn ident_byte(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_' || c == b'$' || c >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, expect: &[&str]) {
        let texts: Vec<&str> = lex(source).iter().map(|t| t.text(source)).collect();
        assert_eq!(texts, expect);
    }

    #[test]
    fn tokens() {
        check("a+++b", &["a", "++", "+", "b"]);
        check("x<<=1.5e-3f/*c*/;//d\ny", &["x", "<<=", "1.5e-3f", ";", "y"]);
        check("L\"a\\\"b\" 'c' u8", &["L\"a\\\"b\"", "'c'", "u8"]);
        check("a # b", &["a", "#", "b"]);
        check("a\n  #pragma scop // x\nb", &["a", "#pragma scop // x", "b"]);
        check("#define A \\\n 1 /* \n */ 2\nb", &["#define A \\\n 1 /* \n */ 2", "b"]);
        check("ab\\\ncd", &["ab\\\ncd"]);
        check("\"open\nx", &["\"open", "x"]);
        check("'\\", &["'\\"]);
        check("0x1fUL .5 1.e+2 a.b", &["0x1fUL", ".5", "1.e+2", "a", ".", "b"]);
        check("/* open", &[]);
        check("é+1", &["é", "+", "1"]);
        check("x\\\r\n=2", &["x", "=", "2"]);
    }

    #[test]
    fn unclosed() {
        let unclosed = |source: &str| lex(source)[0].is_unclosed(source);
        for closed in ["\"\"", "\"a\"", "'a'", "L\"a\\\"\"", "\"\\\\\"", "'\\''", "x", "u8\"\""] {
            assert!(!unclosed(closed), "{closed}");
        }
        for open in ["\"", "\"a", "'", "'\\'", "\"a\\\"", "\"\\", "L\"x"] {
            assert!(unclosed(open), "{open}");
        }
    }

    #[test]
    fn directives_split() {
        assert_eq!(directive("#  pragma  scop "), Some(("pragma", "scop")));
        assert_eq!(directive("# 1 \"f\""), Some(("1", "\"f\"")));
        assert_eq!(directive("x"), None);
    }
}
