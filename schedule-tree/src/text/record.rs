//! Mappings of isl values and trees in YAML: access information, flow, schedule constraints.
//!
//! ```yaml
//! sink: { S[i] -> A[i] : 0 <= i < 10 }
//! must_source: "{ T[i] -> A[i] : 0 <= i < 10 }"
//! schedule:
//!   domain: "{ S[i] : 0 <= i < 10; T[i] : 0 <= i < 10 }"
//!   child:
//!     sequence:
//!     - filter: "{ T[i] }"
//!     - filter: "{ S[i] }"
//! ```
//!
//! isl writes the values of top-level keys without quotes as well, which YAML takes for mappings and lists of its own; they are quoted
//! before the text is read.

use super::build::{self, Fields};
use super::yaml::{self, Place, Scalar, Yaml};
use crate::{Error, ScheduleTree};
use loopwright_presburger as presburger;
use std::str::FromStr;

/// A mapping from keys to isl values and schedule trees.
#[derive(Debug, Clone)]
pub struct Record {
    place: Place,
    entries: Vec<(Scalar, Yaml)>,
}

impl Record {
    /// Reads a mapping with some of the keys `values`, whose values are isl values with or without quotes, and `trees`, whose values
    /// are schedule trees.
    ///
    /// # Errors
    /// [`Error::Text`] with line and column: not YAML, not a mapping, another key.
    pub fn parse(text: &str, values: &[&str], trees: &[&str]) -> Result<Record, Error> {
        let (quoted, bare) = with_quotes(text, trees);
        let (place, mut entries) = match yaml::parse(&quoted)? {
            Yaml::Mapping(place, entries) => (place, entries),
            other => return other.place().error(format!("a mapping is expected, not {}", other.what())),
        };
        for (key, value) in &mut entries {
            if !values.contains(&&*key.text) && !trees.contains(&&*key.text) {
                let known: Vec<&str> = values.iter().chain(trees).copied().collect();
                return key.place.error(format!("`{}` is none of the keys {}", key.text, known.join(", ")));
            }
            if let Yaml::Scalar(scalar) = value
                && bare.contains(&scalar.place.line)
            {
                scalar.unquoted();
            }
        }
        Ok(Record { place, entries })
    }

    /// The isl value of a key.
    ///
    /// # Errors
    /// [`Error::Text`] with the place of the error inside the value.
    pub fn value<T: FromStr<Err = presburger::Error>>(&self, key: &str) -> Result<Option<T>, Error> {
        let fields = Fields { place: self.place, entries: &self.entries };
        fields.get(key).map(|_| fields.parse(key)).transpose()
    }

    /// The schedule tree of a key. It is not verified.
    ///
    /// # Errors
    /// As reading a tree.
    pub fn tree(&self, key: &str) -> Result<Option<ScheduleTree>, Error> {
        let found = self.entries.iter().find(|(k, _)| k.text == key);
        found.map(|(_, value)| build::tree(value)).transpose()
    }

    /// An error about the mapping as a whole.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::Text { line: self.place.line, column: self.place.column, message: message.into() }
    }
}

// The text with quotes around bare values of keys at the left margin other than `trees`, and the lines where those values start. Lines
// keep their numbers.
fn with_quotes(text: &str, trees: &[&str]) -> (String, Vec<usize>) {
    let (mut out, mut bare) = (String::with_capacity(text.len() + 16), Vec::new());
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let value = line.split_once(':').and_then(|(key, rest)| {
            let is_key = key.chars().all(|c| c.is_alphanumeric() || c == '_') && !trees.contains(&key);
            let value = rest.trim_start();
            (is_key && value.len() < rest.len() && value.starts_with(['{', '['])).then_some(value)
        });
        let Some(value) = value else {
            out += line;
            out.push('\n');
            continue;
        };
        bare.push(number + 1);
        let (mut value, mut joined) = (value.to_string(), 0);
        while depth(&value) > 0
            && let Some((_, more)) = lines.next()
        {
            value = value + " " + more.trim();
            joined += 1;
        }
        out += &line[..line.find(['{', '[']).unwrap_or(0)];
        out.push('"');
        out += &value.trim_end().replace('\\', "\\\\").replace('"', "\\\"");
        out.push('"');
        out += &"\n".repeat(joined + 1);
    }
    (out, bare)
}

fn depth(text: &str) -> i64 {
    text.chars().map(|c| i64::from(matches!(c, '{' | '[')) - i64::from(matches!(c, '}' | ']'))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_presburger::UnionMap;

    #[track_caller]
    fn error(text: &str, expect: &str) {
        let found = Record::parse(text, &["sink", "kill"], &["schedule"]).and_then(|r| {
            r.tree("schedule")?;
            r.value::<UnionMap>("kill")?;
            r.value::<UnionMap>("sink")
        });
        assert_eq!(found.map(|v| v.map(|v| v.to_string())).unwrap_err().to_string(), expect, "{text}");
    }

    #[track_caller]
    fn sink(text: &str, expect: &str) {
        let record = Record::parse(text, &["sink", "kill"], &["schedule"]).unwrap();
        let found: UnionMap = record.value("sink").unwrap().unwrap();
        assert!(found.is_equal(&expect.parse().unwrap()), "{found}");
    }

    #[test]
    fn bare_values() {
        sink("sink: { S[] -> a[] }", "{ S[] -> a[] }");
        sink("sink: \"{ S[] -> a[] }\"\nkill: { }", "{ S[] -> a[] }");
        sink("sink: [n] -> { S[i] -> a[i] :\n  0 <= i < n }\nkill: '{ }'\n", "[n] -> { S[i] -> a[i] : 0 <= i < n }");
        sink("{ sink: \"{ S[] -> a[] }\" }", "{ S[] -> a[] }");
    }

    #[test]
    fn errors() {
        error("", "line 1, column 1: the text is empty");
        error("- a", "line 1, column 1: a mapping is expected, not a list");
        error("sinks: { S[] -> a[] }", "line 1, column 1: `sinks` is none of the keys sink, kill, schedule");
        error(
            "kill: { }\nsink: { S[] -> a[] : i > 0 }",
            "line 2, column 22: unknown name 'i': it is no parameter, dimension or quantified variable here",
        );
        error("sink:\n- a", "line 2, column 3: `sink` is a string, not a list");
    }
}
