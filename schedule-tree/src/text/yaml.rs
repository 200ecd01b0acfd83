//! The part of YAML that schedule trees use: mappings, lists and scalars, each with its place in the text.
//!
//! The scanner is saphyr's; its events are put together here without recursion and with a limit on the nesting.

use crate::Error;
use crate::tree::MAX_DEPTH;
use saphyr_parser::{Event, Marker, Parser, Span};

/// A place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Place {
    pub fn error<T>(self, message: impl Into<String>) -> Result<T, Error> {
        Err(Error::Text { line: self.line, column: self.column, message: message.into() })
    }
}

impl From<&Marker> for Place {
    fn from(marker: &Marker) -> Place {
        Place { line: marker.line(), column: marker.col() + 1 }
    }
}

/// A string and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Scalar {
    pub text: String,
    pub place: Place,
    // Whether the text stands in one line just after `place` and an optional quote, so that columns can be counted.
    verbatim: Option<usize>,
}

impl Scalar {
    /// The place of the character at `column` (from 1) of `line` (from 1) of the string.
    pub fn inside(&self, line: usize, column: usize) -> Option<Place> {
        let skip = self.verbatim.filter(|_| line == 1)?;
        Some(Place { line: self.place.line, column: self.place.column + skip + column - 1 })
    }

    /// Says that the quotes around the text are not the user's.
    pub fn unquoted(&mut self) {
        self.verbatim = self.verbatim.map(|_| 0);
    }
}

/// A value.
#[derive(Debug, Clone)]
pub(super) enum Yaml {
    Scalar(Scalar),
    List(Place, Vec<Yaml>),
    Mapping(Place, Vec<(Scalar, Yaml)>),
}

impl Yaml {
    pub fn place(&self) -> Place {
        match self {
            Yaml::Scalar(scalar) => scalar.place,
            Yaml::List(place, _) | Yaml::Mapping(place, _) => *place,
        }
    }

    pub fn what(&self) -> &'static str {
        match self {
            Yaml::Scalar(_) => "a string",
            Yaml::List(..) => "a list",
            Yaml::Mapping(..) => "a mapping",
        }
    }
}

// A container that is not closed yet.
enum Open {
    List(Place, Vec<Yaml>),
    Mapping(Place, Vec<(Scalar, Yaml)>, Option<Scalar>),
}

/// The only document of the text.
pub(super) fn parse(text: &str) -> Result<Yaml, Error> {
    let mut open: Vec<Open> = Vec::new();
    let mut document = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|e| {
            let place = Place::from(e.marker());
            Error::Text { line: place.line, column: place.column, message: format!("this is not YAML: {}", e.info()) }
        })?;
        let place = Place::from(&span.start);
        let done = match event {
            Event::Scalar(value, ..) => {
                let verbatim = verbatim(text, &span, &value);
                Yaml::Scalar(Scalar { text: value.into_owned(), place, verbatim })
            }
            Event::SequenceStart(..) | Event::MappingStart(..) if open.len() >= 2 * MAX_DEPTH => {
                return place.error(format!("the tree is nested more than {MAX_DEPTH} nodes deep"));
            }
            Event::SequenceStart(..) => {
                open.push(Open::List(place, Vec::new()));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Mapping(place, Vec::new(), None));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(Open::List(place, items)) => Yaml::List(place, items),
                Some(Open::Mapping(place, entries, _)) => Yaml::Mapping(place, entries),
                None => return place.error("unbalanced YAML"),
            },
            Event::Alias(_) => return place.error("aliases have no meaning in a schedule tree"),
            _ => continue,
        };
        match open.last_mut() {
            None if document.is_some() => return place.error("a second document: one tree is expected"),
            None => document = Some(done),
            Some(Open::List(_, items)) => items.push(done),
            Some(Open::Mapping(_, entries, key)) => match (key.take(), done) {
                (Some(key), value) => entries.push((key, value)),
                (None, Yaml::Scalar(scalar)) if entries.iter().any(|(k, _)| k.text == scalar.text) => {
                    return scalar.place.error(format!("`{}` for the second time in one node", scalar.text));
                }
                (None, Yaml::Scalar(scalar)) => *key = Some(scalar),
                (None, other) => return other.place().error(format!("a key is expected, not {}", other.what())),
            },
        }
    }
    document.ok_or_else(|| Error::Text { line: 1, column: 1, message: "the text is empty".into() })
}

// How many characters after the start of the span the value stands as it is, in the span's own line.
fn verbatim(text: &str, span: &Span, value: &str) -> Option<usize> {
    let line = text.lines().nth(span.start.line().checked_sub(1)?)?;
    let rest: String = line.chars().skip(span.start.col()).collect();
    if rest.starts_with(value) {
        return Some(0);
    }
    rest.strip_prefix(['"', '\'']).is_some_and(|r| r.starts_with(value)).then_some(1)
}
