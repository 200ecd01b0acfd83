//! Preprocessing with a map back: every token of a region's preprocessed text knows the token of the original that made it.
//!
//! The trick: before the compiler preprocesses the file, each token of a region is put on a line of its own, below a
//! `#line 1 "loopwright-region-K"`. The compiler keeps line numbers, and prints the whole expansion of a macro on the line of
//! the macro's name; so the line of a preprocessed token is the number of the original token. `-dD` keeps the macro definitions
//! in the output, which says later whether a body can be put back as it was written.

use crate::lexer::{Token, TokenKind, directive, lex};
use crate::locate::at;
use crate::{Error, Input, Options, Regions, Source};
use loopwright_presburger::{Budget, BudgetSpent};
use std::io::{Read, Write};
use std::ops::Range;
use std::process::{Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// A region as its pragmas delimit it in the original text.
#[derive(Clone, Debug)]
pub struct RawRegion {
    /// The bytes of `#pragma scop`.
    pub open: Range<usize>,
    /// The bytes of `#pragma endscop`, if there is one before the next `#pragma scop`.
    pub close: Option<Range<usize>>,
    /// Indices into the tokens of the original: those between the pragmas.
    pub tokens: Range<usize>,
    /// For each line of the region as the compiler sees it, the token of the original.
    lines: Vec<usize>,
}

/// Where a preprocessed token comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The token (an index into the tokens of the original) of this region.
    Region(usize, usize),
    /// This line (from 1) of the file itself.
    Main(usize),
    /// An included file, or the compiler.
    Elsewhere,
}

/// A preprocessed file and its relation to the original.
pub struct Preprocessed {
    /// The output of `cc -E -dD`.
    pub text: String,
    /// Its tokens, directives and line markers included.
    pub tokens: Vec<Token>,
    /// The tokens of the original.
    pub raw: Vec<Token>,
    /// The regions of the original, in order; those in inactive code included.
    pub regions: Vec<RawRegion>,
    // Start offset and origin of each line of `text`, by offset.
    lines: Vec<(usize, Origin)>,
}

impl Preprocessed {
    /// Where the text at `offset` comes from.
    pub fn origin(&self, offset: usize) -> Origin {
        let after = self.lines.partition_point(|(start, _)| *start <= offset);
        after.checked_sub(1).map_or(Origin::Elsewhere, |i| self.lines[i].1)
    }

    /// The index of the first token that starts at or after `offset`.
    pub fn token_at(&self, offset: usize) -> usize {
        self.tokens.partition_point(|t| t.range.start < offset)
    }

    /// The tokens that start in `range`, without directives at its end (lang-c counts them to the statement before them).
    pub fn tokens_in(&self, range: Range<usize>) -> Range<usize> {
        let first = self.token_at(range.start);
        let mut last = self.token_at(range.end).max(first);
        while last > first && self.tokens[last - 1].kind == TokenKind::Directive {
            last -= 1;
        }
        first..last
    }

    /// The end of the last token of a span of the parser.
    pub fn end_of(&self, span: lang_c::span::Span) -> usize {
        let tokens = self.tokens_in(span.start..span.end);
        if tokens.is_empty() { span.end } else { self.tokens[tokens.end - 1].range.end }
    }
}

/// How often the budget is asked while the compiler works.
const POLL: Duration = Duration::from_millis(2);

const MARK: &str = "loopwright-region-";
const MAIN: &str = "\"loopwright-main\"";

/// Runs the compiler on `source`, or takes it as it is where it is preprocessed already.
///
/// # Errors
/// [`Error::CcMissing`], [`Error::Cc`]; [`Error::Refused`] for a directive in preprocessed text.
pub fn preprocess(source: &Source, options: &Options, budget: &Budget) -> Result<Preprocessed, Error> {
    let clean = match options.input {
        Input::C => None,
        Input::Preprocessed => Some(Source { text: plain(source)?, ..source.clone() }),
    };
    let original = clean.as_ref().unwrap_or(source);
    let raw = lex(&original.text);
    let mut regions = match options.regions {
        Regions::Marked => find_regions(&original.text, &raw),
        Regions::Automatic => vec![whole(&original.text, &raw)],
    };
    let marked = mark(original, &raw, &mut regions);
    let text = match options.input {
        Input::C => compiled(source, &marked, options, budget)?,
        Input::Preprocessed => marked,
    };
    let tokens = lex(&text);
    let lines = line_origins(&text, &regions);
    Ok(Preprocessed { text, tokens, raw, regions, lines })
}

/// The output of the compiler on the marked text.
fn compiled(source: &Source, marked: &str, options: &Options, budget: &Budget) -> Result<String, Error> {
    let output = run(source, marked, options, budget)?;
    if !output.status.success() {
        // Again on the text as it is, for messages with the user's own lines.
        let plain = run(source, &format!("#line 1 {}\n{}", quoted(&source.name), source.text), options, budget)?;
        let shown = if plain.status.success() { output } else { plain };
        return Err(Error::Cc {
            command: options.cc.clone(),
            file: source.name.clone(),
            stderr: with_hint(String::from_utf8_lossy(&shown.stderr).trim_end()),
        });
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !text.contains(MAIN) && !text.contains(MARK) {
        let stderr = "it printed nothing of the file: it must preprocess standard input with `-E -dD -x c -`".into();
        return Err(Error::Cc { command: options.cc.clone(), file: source.name.clone(), stderr });
    }
    Ok(text)
}

/// Preprocessed text without comments and line markers, every token at its place.
fn plain(source: &Source) -> Result<String, Error> {
    let mut text: Vec<u8> = source.text.bytes().map(|b| if b == b'\n' { b } else { b' ' }).collect();
    let mut wrong = Vec::new();
    for token in lex(&source.text) {
        if token.kind == TokenKind::Directive {
            if renumbers(&token, &source.text) {
                continue;
            }
            if directive(token.text(&source.text)).is_none_or(|(name, _)| name != "pragma") {
                let message = "a directive in preprocessed text";
                wrong.push(at(source, token.range.clone(), message, "preprocess the file, e.g. with `cc -E`"));
            }
        }
        text[token.range.clone()].copy_from_slice(&source.text.as_bytes()[token.range]);
    }
    // tokens start and end between characters
    if wrong.is_empty() { Ok(String::from_utf8_lossy(&text).into_owned()) } else { Err(Error::Refused(wrong)) }
}

/// `Some("scop")` or `Some("endscop")` for these pragmas.
pub fn scop_pragma(text: &str) -> Option<&'static str> {
    let (name, rest) = directive(text)?;
    let word = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
    match (name, word) {
        ("pragma", "scop") => Some("scop"),
        ("pragma", "endscop") => Some("endscop"),
        _ => None,
    }
}

fn find_regions(text: &str, raw: &[Token]) -> Vec<RawRegion> {
    let mut regions: Vec<RawRegion> = Vec::new();
    let mut open = false;
    for (i, token) in raw.iter().enumerate().filter(|(_, t)| t.kind == TokenKind::Directive) {
        match scop_pragma(token.text(text)) {
            Some("scop") => {
                if let Some(last) = regions.last_mut().filter(|_| open) {
                    last.tokens.end = i;
                }
                regions.push(RawRegion { open: token.range.clone(), close: None, tokens: i + 1..raw.len(), lines: Vec::new() });
                open = true;
            }
            Some("endscop") if open => {
                let last = regions.last_mut().expect("a region is open");
                last.tokens.end = i;
                last.close = Some(token.range.clone());
                open = false;
            }
            _ => {}
        }
    }
    regions
}

/// The whole file as one region: every token of it knows its origin.
fn whole(text: &str, raw: &[Token]) -> RawRegion {
    RawRegion { open: 0..0, close: Some(text.len()..text.len()), tokens: 0..raw.len(), lines: Vec::new() }
}

/// `#line 3 "file"` or `# 3 "file"`: it would hide where the tokens after it come from.
fn renumbers(token: &Token, text: &str) -> bool {
    let name = || directive(token.text(text)).map_or("", |(name, _)| name);
    token.kind == TokenKind::Directive && (name() == "line" || name().starts_with(|c: char| c.is_ascii_digit()))
}

fn quoted(name: &str) -> String {
    let escape = |c| {
        if matches!(c, '"' | '\\') { vec!['\\', c] } else { vec![c] }
    };
    let escaped: String = name.chars().filter(|c| !c.is_control()).flat_map(escape).collect();
    format!("\"{escaped}\"")
}

/// The text for the compiler: the original with one token per line inside closed regions.
fn mark(source: &Source, raw: &[Token], regions: &mut [RawRegion]) -> String {
    // the user's own line numbers are of no use here; blanked, every byte stays where it is
    let mut text = source.text.clone().into_bytes();
    for token in raw.iter().filter(|t| renumbers(t, &source.text)) {
        text[token.range.clone()].iter_mut().filter(|b| **b != b'\n').for_each(|b| *b = b' ');
    }
    let text = &String::from_utf8(text).expect("spaces in place of whole tokens");
    let mut out = format!("#line 1 {MAIN}\n");
    let mut copied = 0;
    for (k, region) in regions.iter_mut().enumerate() {
        let Some(close) = &region.close else { continue };
        out.push_str(&text[copied..region.open.end]);
        out.push_str(&format!("\n#line 1 \"{MARK}{k}\"\n"));
        for i in region.tokens.clone() {
            let token = raw[i].text(text);
            if token == "__LINE__" {
                // the line where it stands, not the one where it is put
                out.push_str(&(text[..raw[i].range.start].matches('\n').count() + 1).to_string());
            } else {
                out.push_str(token);
            }
            out.push('\n');
            let lines = 1 + token.matches('\n').count();
            region.lines.extend(std::iter::repeat_n(i, lines));
        }
        let line = text[..close.start].matches('\n').count() + 1;
        out.push_str(&format!("#line {line} {MAIN}\n"));
        copied = close.start;
    }
    out.push_str(&text[copied..]);
    out.push('\n');
    out
}

/// The compiler's messages, with advice where a header is not found.
fn with_hint(stderr: &str) -> String {
    let missing = |line: &str| line.contains("fatal error") && (line.contains("No such file") || line.contains("file not found"));
    match stderr.lines().any(missing) {
        true => format!("{stderr}\n  help: name the directory of the header with -I DIR"),
        false => stderr.to_string(),
    }
}

fn run(source: &Source, text: &str, options: &Options, budget: &Budget) -> Result<Output, Error> {
    let missing = |e| Error::CcMissing { command: options.cc.clone(), file: source.name.clone(), source: e };
    let mut command = Command::new(&options.cc);
    command.args(["-E", "-dD"]);
    if let Some(dir) = &source.dir {
        command.arg("-iquote").arg(dir);
    }
    command.args(&options.cc_args).args(["-x", "c", "-"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(missing)?;
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let input = text.to_string();
    // The compiler writes while it reads: feed it from another thread. A closed pipe shows in the exit status.
    let feeder = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    fn all(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = pipe.read_to_end(&mut bytes);
            bytes
        })
    }
    let stdout = all(child.stdout.take().expect("stdout is piped"));
    let stderr = all(child.stderr.take().expect("stderr is piped"));
    while !(stdout.is_finished() && stderr.is_finished()) {
        if budget.is_expired() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(BudgetSpent.into());
        }
        std::thread::sleep(POLL);
    }
    let status = child.wait().map_err(missing)?;
    let _ = feeder.join();
    let bytes = |reader: JoinHandle<Vec<u8>>| reader.join().unwrap_or_default();
    Ok(Output { status, stdout: bytes(stdout), stderr: bytes(stderr) })
}

/// The origin of each line of the output, from its line markers (`# LINE "FILE" FLAGS`).
fn line_origins(text: &str, regions: &[RawRegion]) -> Vec<(usize, Origin)> {
    enum File {
        Main,
        Region(usize),
        Other,
    }
    let (mut file, mut line, mut start) = (File::Other, 0usize, 0usize);
    let mut origins = Vec::new();
    for content in text.split_inclusive('\n') {
        if let Some((number, rest)) = line_marker(content) {
            let name = &rest[..rest.rfind('"').map_or(rest.len(), |p| p + 1)];
            line = number;
            file = match name.trim_matches('"').strip_prefix(MARK).and_then(|k| k.parse::<usize>().ok()) {
                Some(k) if k < regions.len() => File::Region(k),
                _ if name == MAIN => File::Main,
                _ => File::Other,
            };
            origins.push((start, Origin::Elsewhere));
        } else {
            let origin = match file {
                File::Main => Origin::Main(line),
                File::Region(k) => match regions[k].lines.get(line.wrapping_sub(1)) {
                    Some(&token) => Origin::Region(k, token),
                    None => Origin::Elsewhere,
                },
                File::Other => Origin::Elsewhere,
            };
            origins.push((start, origin));
            line += 1;
        }
        start += content.len();
    }
    origins
}

/// The line and the quoted name (with flags) of a line marker.
fn line_marker(line: &str) -> Option<(usize, &str)> {
    let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("#line "))?;
    let (number, rest) = rest.split_once(' ')?;
    Some((number.parse().ok()?, rest.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preprocessed(text: &str) -> Preprocessed {
        preprocess(&Source::from_text("a \"b\".c", text), &Options::default(), &Budget::UNLIMITED).unwrap()
    }

    #[test]
    fn tokens_know_their_origin() {
        let text = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\nint f(int n) {\n  /* c */ int x;\n#pragma scop\n  x = MIN(n,\n   1)\n + x;\n#pragma endscop\n  return x;\n}\n";
        let p = preprocessed(text);
        let of = |word: &str, nth: usize| {
            let t = p.tokens.iter().filter(|t| t.is(&p.text, word) && !matches!(p.origin(t.range.start), Origin::Elsewhere));
            p.origin(t.clone().nth(nth).unwrap().range.start)
        };
        assert_eq!(of("int", 0), Origin::Main(2));
        assert_eq!(of("return", 0), Origin::Main(9));
        let raw = |origin| match origin {
            Origin::Region(0, i) => p.raw[i].text(text),
            _ => "",
        };
        assert_eq!(raw(of("?", 0)), "MIN");
        assert_eq!(raw(of("+", 0)), "+");
        assert_eq!(raw(of("=", 0)), "=");
        assert_eq!(raw(of("#pragma endscop", 0)), "");
        assert_eq!(of("#pragma endscop", 0), Origin::Main(8));
    }

    #[test]
    fn compiler_errors_name_the_users_lines() {
        let error = preprocess(
            &Source::from_text("a.c", "#pragma scop\nx\ny\n#error no\n#pragma endscop\n"),
            &Options::default(),
            &Budget::UNLIMITED,
        );
        assert!(error.err().unwrap().to_string().contains("a.c:4"));
        let options = Options { cc: "no-such-compiler".into(), ..Options::default() };
        assert!(matches!(preprocess(&Source::from_text("a.c", ""), &options, &Budget::UNLIMITED), Err(Error::CcMissing { .. })));
    }
}
