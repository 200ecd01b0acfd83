//! Tokens of isl notation, each with its place in the text.
//!
//! One pass over the bytes, no copies: a token is a kind and a byte range. Words are classified here, whether a word such as
//! `min` is a function or a name is decided by the parser from what follows it.

use crate::ParseError;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tok {
    Ident,
    Number,
    /// One of the words below.
    Word(Word),
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    OpenParen,
    CloseParen,
    Arrow,
    Colon,
    Semicolon,
    Comma,
    Plus,
    Minus,
    Star,
    Slash,
    FloorDiv,
    Percent,
    Caret,
    Question,
    And,
    Or,
    Not,
    Implies,
    Compare(Compare),
    End,
}

/// A word with a meaning of its own (in any case, as in isl).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    Exists,
    True,
    False,
    NaN,
    Infty,
    Rat,
    Mod,
    Min,
    Max,
    Abs,
    Floor,
    Ceil,
    Floord,
    Ceild,
}

/// A comparison; the last four compare lists lexicographically.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compare {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    LexLt,
    LexLe,
    LexGt,
    LexGe,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

fn word(text: &str) -> Option<Tok> {
    const WORDS: &[(&str, Tok)] = &[
        ("exists", Tok::Word(Word::Exists)),
        ("and", Tok::And),
        ("or", Tok::Or),
        ("not", Tok::Not),
        ("implies", Tok::Implies),
        ("true", Tok::Word(Word::True)),
        ("false", Tok::Word(Word::False)),
        ("nan", Tok::Word(Word::NaN)),
        ("infty", Tok::Word(Word::Infty)),
        ("infinity", Tok::Word(Word::Infty)),
        ("rat", Tok::Word(Word::Rat)),
        ("mod", Tok::Word(Word::Mod)),
        ("min", Tok::Word(Word::Min)),
        ("max", Tok::Word(Word::Max)),
        ("abs", Tok::Word(Word::Abs)),
        ("floor", Tok::Word(Word::Floor)),
        ("ceil", Tok::Word(Word::Ceil)),
        ("floord", Tok::Word(Word::Floord)),
        ("ceild", Tok::Word(Word::Ceild)),
    ];
    if text.len() > 8 {
        return None;
    }
    WORDS.iter().find(|(w, _)| w.eq_ignore_ascii_case(text)).map(|&(_, t)| t)
}

/// Whether `name` reads back as one name.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    first && chars.all(is_name_char) && !matches!(word(name), Some(Tok::And | Tok::Or | Tok::Not | Tok::Implies))
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '\'' | '.' | '$')
}

/// An error at a byte offset.
pub(crate) fn error_at(text: &str, offset: usize, message: impl Into<String>) -> ParseError {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    // Continuation bytes are not characters of their own.
    let column = before[line_start..].iter().filter(|&&b| b & 0xC0 != 0x80).count() + 1;
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    ParseError { offset, line, column, message: message.into() }
}

/// All tokens of the text; the last one is [`Tok::End`].
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(text.len() / 3 + 1);
    let mut at = 0;
    let mut push = |tok, start, end| {
        out.push(Token { tok, start, end });
        end
    };
    while let Some(&b) = bytes.get(at) {
        if b.is_ascii_whitespace() {
            at += 1;
        } else if b == b'#' {
            at += bytes[at..].iter().position(|&c| c == b'\n').unwrap_or(bytes.len() - at);
        } else if b.is_ascii_digit() {
            let end = at + bytes[at..].iter().take_while(|c| c.is_ascii_digit()).count();
            at = push(Tok::Number, at, end);
        } else if b == b'"' {
            let len = bytes[at + 1..].iter().position(|&c| c == b'"');
            let Some(len) = len else {
                return Err(error_at(text, at, "this quoted name has no closing '\"'"));
            };
            push(Tok::Ident, at + 1, at + 1 + len);
            at += len + 2;
        } else if b.is_ascii_alphabetic() || b == b'_' || b >= 0x80 {
            let rest = &text[at..];
            let len =
                rest.char_indices().find(|&(i, c)| if i == 0 { !(c.is_alphabetic() || c == '_') } else { !is_name_char(c) });
            let len = len.map_or(rest.len(), |(i, _)| i);
            if len == 0 {
                let c = rest.chars().next().unwrap_or(' ');
                return Err(error_at(text, at, format!("unexpected character '{c}'")));
            }
            at = push(word(&rest[..len]).unwrap_or(Tok::Ident), at, at + len);
        } else if let Some((tok, len)) = symbol(&bytes[at..]) {
            at = push(tok, at, at + len);
        } else {
            return Err(error_at(text, at, format!("unexpected character '{}'", b as char)));
        }
    }
    push(Tok::End, text.len(), text.len());
    Ok(out)
}

fn symbol(rest: &[u8]) -> Option<(Tok, usize)> {
    use Compare::*;
    let symbols: &[(&[u8], Tok)] = &[
        (b"<<=", Tok::Compare(LexLe)),
        (b">>=", Tok::Compare(LexGe)),
        (b"<<", Tok::Compare(LexLt)),
        (b">>", Tok::Compare(LexGt)),
        (b"<=", Tok::Compare(Le)),
        (b">=", Tok::Compare(Ge)),
        (b"==", Tok::Compare(Eq)),
        (b"!=", Tok::Compare(Ne)),
        (b"->", Tok::Arrow),
        (b"&&", Tok::And),
        (b"||", Tok::Or),
        (b"//", Tok::FloorDiv),
        (b"<", Tok::Compare(Lt)),
        (b">", Tok::Compare(Gt)),
        (b"=", Tok::Compare(Eq)),
        (b"{", Tok::OpenBrace),
        (b"}", Tok::CloseBrace),
        (b"[", Tok::OpenBracket),
        (b"]", Tok::CloseBracket),
        (b"(", Tok::OpenParen),
        (b")", Tok::CloseParen),
        (b":", Tok::Colon),
        (b";", Tok::Semicolon),
        (b",", Tok::Comma),
        (b"+", Tok::Plus),
        (b"-", Tok::Minus),
        (b"*", Tok::Star),
        (b"/", Tok::Slash),
        (b"%", Tok::Percent),
        (b"^", Tok::Caret),
        (b"?", Tok::Question),
        (b"&", Tok::And),
        (b"|", Tok::Or),
        (b"!", Tok::Not),
    ];
    symbols.iter().find(|(s, _)| rest.starts_with(s)).map(|(s, t)| (*t, s.len()))
}
