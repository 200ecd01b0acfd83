//! From YAML to nodes.

use super::options;
use super::yaml::{Place, Scalar, Yaml};
use crate::band::Member;
use crate::{Band, Error, Mark, Node, ScheduleTree};
use loopwright_presburger::{self as presburger, MultiUnionPwAff, Params, Set, Tuple, UnionMap, UnionPwMultiAff, UnionSet};
use std::str::FromStr;

/// The tree of a document.
pub(super) fn tree(document: &Yaml) -> Result<ScheduleTree, Error> {
    let root = node(document)?;
    match ScheduleTree::new(root) {
        Err(error @ Error::Root { .. }) => document.place().error(error.to_string()),
        other => other,
    }
}

const KINDS: [&str; 10] =
    ["domain", "context", "schedule", "sequence", "set", "filter", "mark", "guard", "extension", "expansion"];

// Recursive, over a document whose nesting `yaml::parse` has limited.
fn node(yaml: &Yaml) -> Result<Node, Error> {
    let Yaml::Mapping(place, entries) = yaml else {
        return yaml.place().error(format!("a node is expected (a mapping such as `filter: \"{{ S[i] }}\"`), not {}", yaml.what()));
    };
    let fields = Fields { place: *place, entries };
    let mut kinds = entries.iter().filter(|(key, _)| KINDS.contains(&key.text.as_str()));
    let Some((kind, _)) = kinds.next() else {
        let found = entries.first().map_or("nothing".into(), |(key, _)| format!("`{}`", key.text));
        let place = entries.first().map_or(*place, |(key, _)| key.place);
        return place.error(format!("a node needs one of the keys {}; found {found}", KINDS.join(", ")));
    };
    if let Some((second, _)) = kinds.next() {
        return second.place.error(format!("`{}` in a node that is a `{}` already", second.text, kind.text));
    }
    let allowed: &[&str] = match kind.text.as_str() {
        "schedule" => &["permutable", "coincident", "options", "child"],
        "expansion" => &["contraction", "child"],
        "sequence" | "set" => &[],
        _ => &["child"],
    };
    if let Some((key, _)) = entries.iter().find(|(key, _)| key.text != kind.text && !allowed.contains(&key.text.as_str())) {
        let allowed = if allowed.is_empty() { "no other key".into() } else { allowed.join(", ") };
        return key.place.error(format!("`{}` has no meaning beside `{}`, which goes with {allowed}", key.text, kind.text));
    }
    let child = || fields.get("child").map_or(Ok(Node::Leaf), node);
    let key = kind.text.as_str();
    Ok(match key {
        "domain" => Node::domain(fields.parse(key)?, child()?),
        "context" => Node::context(fields.condition(key)?, child()?),
        "filter" => Node::filter(fields.parse(key)?, child()?),
        "mark" => Node::mark(Mark::new(&fields.scalar(key)?.text), child()?),
        "guard" => Node::guard(fields.condition(key)?, child()?),
        "extension" => Node::extension(fields.parse::<UnionMap>(key)?, child()?),
        "expansion" => {
            Node::expansion(fields.parse::<UnionPwMultiAff>("contraction")?, fields.parse::<UnionMap>("expansion")?, child()?)
        }
        "schedule" => Node::band(band(&fields)?, child()?),
        "sequence" => Node::Sequence { children: children(fields.required(key)?, key)? },
        _ => Node::Set { children: children(fields.required(key)?, key)? },
    })
}

fn children(yaml: &Yaml, kind: &str) -> Result<Vec<std::sync::Arc<Node>>, Error> {
    let Yaml::List(place, items) = yaml else {
        return yaml.place().error(format!("the children of a {kind} are a list, not {}", yaml.what()));
    };
    if items.is_empty() {
        return place.error(format!("a {kind} without children"));
    }
    let child = |item: &Yaml| match node(item)? {
        filter @ Node::Filter { .. } => Ok(filter.into()),
        other => item.place().error(format!("each child of a {kind} is a filter, not a {}", other.kind())),
    };
    items.iter().map(child).collect()
}

fn band(fields: &Fields) -> Result<Band, Error> {
    let mut band = Band::new(fields.parse::<MultiUnionPwAff>("schedule")?);
    if let Some(value) = fields.get("permutable") {
        if flag(value)? {
            band = band.permutable();
        }
    }
    if let Some(value) = fields.get("coincident") {
        let flags = match value {
            Yaml::List(_, items) => items.iter().map(flag).collect::<Result<Vec<_>, _>>()?,
            Yaml::Scalar(_) => vec![flag(value)?],
            Yaml::Mapping(..) => return value.place().error("a list of flags is expected, such as [ 1, 0 ]"),
        };
        if flags.len() != band.len() {
            return value.place().error(format!("{} flags for the {} members of the band", flags.len(), band.len()));
        }
        let members = band.members().iter().zip(flags).map(|(m, coincident)| Member { coincident, ..*m }).collect();
        band = band.with_members(members);
    }
    if fields.get("options").is_some() {
        let options = fields.parse::<UnionSet>("options")?;
        band = options::with_options(&band, &options).or_else(|message| fields.scalar("options")?.place.error(message))?;
    }
    Ok(band)
}

fn flag(yaml: &Yaml) -> Result<bool, Error> {
    match yaml {
        Yaml::Scalar(s) if matches!(s.text.as_str(), "1" | "true") => Ok(true),
        Yaml::Scalar(s) if matches!(s.text.as_str(), "0" | "false") => Ok(false),
        Yaml::Scalar(s) => s.place.error(format!("0 or 1 is expected, not `{}`", s.text)),
        other => other.place().error(format!("0 or 1 is expected, not {}", other.what())),
    }
}

struct Fields<'a> {
    place: Place,
    entries: &'a [(Scalar, Yaml)],
}

impl<'a> Fields<'a> {
    fn get(&self, key: &str) -> Option<&'a Yaml> {
        self.entries.iter().find(|(k, _)| k.text == key).map(|(_, value)| value)
    }

    fn required(&self, key: &str) -> Result<&'a Yaml, Error> {
        self.get(key).map_or_else(|| self.place.error(format!("the key `{key}` is missing")), Ok)
    }

    fn scalar(&self, key: &str) -> Result<&'a Scalar, Error> {
        match self.required(key)? {
            Yaml::Scalar(scalar) => Ok(scalar),
            other => other.place().error(format!("`{key}` is a string, not {}", other.what())),
        }
    }

    fn parse<T: FromStr<Err = presburger::Error>>(&self, key: &str) -> Result<T, Error> {
        let scalar = self.scalar(key)?;
        scalar.text.parse().or_else(|e| located(scalar, e))
    }

    // A set over outer members; `[n] -> { : n > 0 }` is one over none.
    fn condition(&self, key: &str) -> Result<Set, Error> {
        let scalar = self.scalar(key)?;
        match scalar.text.parse::<Params>() {
            Ok(params) => {
                let unit = params.space().with_tuples(None, Some(Tuple::anonymous(0)));
                Ok(Set::from_params(&params, unit))
            }
            Err(_) => scalar.text.parse().or_else(|e| located(scalar, e)),
        }
    }
}

// The place of an error inside a string: exact where the string stands in the text as it is.
fn located<T>(scalar: &Scalar, error: presburger::Error) -> Result<T, Error> {
    match &error {
        presburger::Error::Parse(e) => match scalar.inside(e.line, e.column) {
            Some(place) => place.error(e.message.clone()),
            None => scalar.place.error(format!("in this string, {e}")),
        },
        other => scalar.place.error(other.to_string()),
    }
}
