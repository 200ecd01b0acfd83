//! Access information and flow in isl's YAML form.
//!
//! Access information has the key `sink`, any of `must_source`, `may_source` and `kill`, and one of `schedule` (a tree) and
//! `schedule_map`; flow has `must_dependence`, `may_dependence`, `must_no_source` and `may_no_source`. `parse(print(x)) == x`.

use super::{AccessInfo, Flow, tree_of_map};
use crate::Error;
use loopwright_presburger::{Map, UnionMap};
use loopwright_schedule_tree::text::Record;
use std::fmt;
use std::str::FromStr;

impl FromStr for AccessInfo {
    type Err = Error;

    /// Reads isl's YAML form; values may stand without quotes.
    ///
    /// # Errors
    /// [`Error::Tree`] with line and column; [`Error::ScheduleMap`].
    fn from_str(text: &str) -> Result<AccessInfo, Error> {
        let record = Record::parse(text, &["sink", "must_source", "may_source", "kill", "schedule_map"], &["schedule"])?;
        let union = |key| -> Result<UnionMap, Error> { Ok(record.value(key)?.unwrap_or_default()) };
        let sink = record.value("sink")?.ok_or_else(|| record.error("the key `sink` is missing"))?;
        let schedule = match (record.tree("schedule")?, record.value("schedule_map")?) {
            (Some(tree), None) => tree,
            (None, Some(map)) => tree_of_map(&map)?,
            (Some(_), Some(_)) => return Err(record.error("both `schedule` and `schedule_map`: one order is expected").into()),
            (None, None) => return Err(record.error("one of the keys `schedule` and `schedule_map` is missing").into()),
        };
        Ok(AccessInfo {
            sink,
            must_source: union("must_source")?,
            may_source: union("may_source")?,
            kill: union("kill")?,
            schedule,
        })
    }
}

impl fmt::Display for AccessInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "sink: \"{}\"", self.sink)?;
        for (key, value) in [("must_source", &self.must_source), ("may_source", &self.may_source), ("kill", &self.kill)] {
            if !value.members().all(Map::is_obviously_empty) {
                writeln!(f, "{key}: \"{value}\"")?;
            }
        }
        writeln!(f, "schedule:")?;
        self.schedule.to_string().lines().try_for_each(|line| writeln!(f, "  {line}"))
    }
}

impl Flow {
    /// The relations by isl's names.
    pub fn entries(&self) -> [(&'static str, &UnionMap); 4] {
        [
            ("must_dependence", &self.must_dependence),
            ("may_dependence", &self.may_dependence),
            ("must_no_source", &self.must_no_source),
            ("may_no_source", &self.may_no_source),
        ]
    }
}

impl fmt::Display for Flow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entries().into_iter().try_for_each(|(key, value)| writeln!(f, "{key}: \"{value}\""))
    }
}

impl FromStr for Flow {
    type Err = Error;

    /// Reads isl's YAML form; a missing relation is empty.
    ///
    /// # Errors
    /// [`Error::Tree`] with line and column.
    fn from_str(text: &str) -> Result<Flow, Error> {
        let record = Record::parse(text, &["must_dependence", "may_dependence", "must_no_source", "may_no_source"], &[])?;
        let union = |key| -> Result<UnionMap, Error> { Ok(record.value(key)?.unwrap_or_default()) };
        Ok(Flow {
            must_dependence: union("must_dependence")?,
            may_dependence: union("may_dependence")?,
            must_no_source: union("must_no_source")?,
            may_no_source: union("may_no_source")?,
        })
    }
}
