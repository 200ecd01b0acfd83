//! The names of a translation unit: what inserted text must not be called, and which inline functions it can use already.
//!
//! Read from tokens: what a comment or a string says is no name. Code that the preprocessor leaves out counts for names
//! (under other macro definitions it may come back), but defines nothing.

use crate::lexer::{Token, TokenKind, lex};
use crate::preprocess::{Origin, Preprocessed};
use crate::{Source, line_column};
use std::collections::BTreeSet;
use std::ops::Range;

/// The identifiers of a translation unit, includes and macros with it, and its inline functions.
#[derive(Clone, Debug, Default)]
pub struct Names {
    identifiers: BTreeSet<String>,
    functions: Vec<Function>,
}

#[derive(Clone, Debug)]
struct Function {
    tokens: Vec<String>,
    /// Where the line starts on which it ends.
    offset: usize,
}

impl Names {
    /// The names of a preprocessed file.
    pub(crate) fn of(input: &Preprocessed, source: &Source) -> Names {
        let mut identifiers = BTreeSet::new();
        add(&mut identifiers, &source.text, &input.raw);
        add(&mut identifiers, &input.text, &input.tokens);
        let place = |token: &Token| match input.origin(token.range.start) {
            Origin::Main(line) => Some(line),
            Origin::Region(_, raw) => Some(line_column(&source.text, input.raw[raw].range.start).0),
            Origin::Elsewhere => None,
        };
        let tokens: Vec<&Token> = input.tokens.iter().filter(|t| t.kind != TokenKind::Directive).collect();
        let mut functions = Vec::new();
        for range in definitions(&input.text, &tokens) {
            let Some(line) = place(tokens[range.end - 1]) else { continue };
            let offset = source.text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
            let tokens = tokens[range].iter().map(|t| t.text(&input.text).to_string()).collect();
            functions.push(Function { tokens, offset });
        }
        Names { identifiers, functions }
    }

    /// Does this identifier occur anywhere: as a name, in a macro, in an included file?
    pub fn contains(&self, name: &str) -> bool {
        self.identifiers.contains(name)
    }

    /// Does this `static inline` function stand, token for token, in the file itself, on lines before the offset?
    pub fn defines(&self, function: &str, before: usize) -> bool {
        let tokens = lex(function);
        let same = |f: &&Function| f.tokens.iter().map(String::as_str).eq(tokens.iter().map(|t| t.text(function)));
        self.functions.iter().filter(same).any(|f| f.offset < before)
    }
}

fn add(identifiers: &mut BTreeSet<String>, text: &str, tokens: &[Token]) {
    for token in tokens {
        match token.kind {
            TokenKind::Ident => {
                let name = token.text(text);
                if !identifiers.contains(name) {
                    identifiers.insert(name.to_string());
                }
            }
            TokenKind::Directive => {
                let rest = token.text(text).trim_start_matches('#');
                add(identifiers, rest, &lex(rest));
            }
            _ => {}
        }
    }
}

/// The tokens of every definition `static inline .. { .. }` at file scope.
fn definitions(text: &str, tokens: &[&Token]) -> Vec<Range<usize>> {
    let (mut found, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (k, token) in tokens.iter().enumerate() {
        match token.text(text) {
            "(" | "{" | "[" => depth += 1,
            close @ (")" | "}" | "]") => {
                depth = depth.saturating_sub(1);
                if depth == 0 && close == "}" {
                    if k > start + 1 && tokens[start].is(text, "static") && tokens[start + 1].is(text, "inline") {
                        found.push(start..k + 1);
                    }
                    start = k + 1;
                }
            }
            ";" if depth == 0 => start = k + 1,
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, preprocess};

    const HELPER: &str = "static inline long h(long a) { return a; }";

    fn names(text: &str) -> (Names, usize) {
        let source = Source::from_text("a.c", text);
        let names = Names::of(
            &preprocess::preprocess(&source, &Options::default(), &loopwright_presburger::Budget::UNLIMITED).unwrap(),
            &source,
        );
        (names, text.find("@here").unwrap_or(text.len()))
    }

    #[track_caller]
    fn defines(text: &str, expect: bool) {
        let (names, before) = names(text);
        assert_eq!(names.defines(HELPER, before), expect);
    }

    #[test]
    fn a_definition_counts_where_it_is_active_and_above() {
        defines("static inline long h(long a) { return a; }\n", true);
        defines("int x;\nstatic  inline long\nh(long a)\n{ /* same */ return a; }\nint y;\n", true);
        defines("/* @here */\nstatic inline long h(long a) { return a; }\n", false);
        defines("#if 0\nstatic inline long h(long a) { return a; }\n#endif\n", false);
        defines("// static inline long h(long a) { return a; }\n", false);
        defines("static inline long h(long a) { return a + 1; }\n", false);
        defines("const char *s = \"\\\nstatic inline long h(long a) { return a; }\";\n", false);
    }

    #[test]
    fn names_come_from_code_macros_and_includes() {
        let (names, _) =
            names("#include <stdio.h>\n#define mac(a) body\n#if 0\nint off;\n#endif\nint f(void) { return 0; } // word\n");
        for name in ["printf", "mac", "body", "off", "f"] {
            assert!(names.contains(name), "{name}");
        }
        assert!(!names.contains("word"));
    }
}
