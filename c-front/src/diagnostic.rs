//! A located refusal: what construct, where, and what to do about it; data first, rendered with a caret on demand.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use serde::{Deserialize, Serialize};
use std::fmt;

/// One refusal, located in the user's file. Lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The file as the user named it.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1; for a token that a macro made, the column of the macro's use.
    pub column: usize,
    /// How many characters the construct covers (1 at least, within its line).
    pub length: usize,
    /// Which construct is refused.
    pub message: String,
    /// Why, and what to write instead.
    pub help: String,
}

/// Whether a rendering may use terminal colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Color {
    /// ANSI colors.
    Ansi,
    /// Plain text.
    Never,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: error: {}", self.file, self.line, self.column, self.message)?;
        if !self.help.is_empty() {
            write!(f, "\n  help: {}", self.help)?;
        }
        Ok(())
    }
}

impl Diagnostic {
    /// The diagnostic with its line of `text` (the file's content) and a caret.
    pub fn render(&self, text: &str, color: Color) -> String {
        let renderer = match color {
            Color::Ansi => Renderer::styled(),
            Color::Never => Renderer::plain(),
        };
        let line = text.lines().nth(self.line.saturating_sub(1)).unwrap_or("");
        let offset = |chars: usize| line.char_indices().nth(chars).map_or(line.len(), |(at, _)| at);
        let start = offset(self.column.saturating_sub(1));
        let end = offset(self.column.saturating_sub(1) + self.length).max(start);
        let snippet = Snippet::source(line)
            .path(self.file.as_str())
            .line_start(self.line)
            .annotation(AnnotationKind::Primary.span(start..end));
        let mut group = Level::ERROR.primary_title(self.message.as_str()).element(snippet);
        if !self.help.is_empty() {
            group = group.element(Level::HELP.message(self.help.as_str()));
        }
        renderer.render(&[group]).to_string()
    }
}

/// Line and column (from 1, in characters) of a byte offset.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let offset = offset.min(text.len());
    let before = &text.as_bytes()[..offset];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    // offsets are token boundaries, hence character boundaries; count leading bytes only, so that any offset works
    let column = before[start..].iter().filter(|&&b| b & 0xC0 != 0x80).count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caret() {
        let text = "int é;\n  while (1) x();\n";
        let (line, column) = line_column(text, text.find("while").unwrap());
        assert_eq!((line, column), (2, 3));
        let diagnostic = Diagnostic {
            file: "a.c".into(),
            line,
            column,
            length: 5,
            message: "`while` loop".into(),
            help: "write a `for`".into(),
        };
        let shown = diagnostic.render(text, Color::Never);
        assert!(shown.contains("a.c:2:3") && shown.contains("^^^^^") && shown.contains("help: write a `for`"), "{shown}");
        assert_eq!(diagnostic.to_string(), "a.c:2:3: error: `while` loop\n  help: write a `for`");
        assert_eq!(line_column("é=1", "é".len()), (1, 2));
    }
}
