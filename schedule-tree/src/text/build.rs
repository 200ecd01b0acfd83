//! From YAML to nodes.

use super::options;
use super::yaml::{Place, Scalar, Yaml};
use crate::band::Member;
use crate::{Band, Error, Mark, Node, ScheduleTree};
use loopwright_presburger::{self as presburger, MultiUnionPwAff, Params, Set, Tuple, UnionMap, UnionPwMultiAff, UnionSet};
use std::str::FromStr;
use std::sync::Arc;

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

// Recursive, over a document whose nesting `yaml::parse` has limited; the rest of the work is done outside of the recursion, which
// keeps its frames small.
fn node(yaml: &Yaml) -> Result<Node, Error> {
    let (fields, kind) = fields(yaml)?;
    if matches!(kind, "sequence" | "set") {
        let mut children = Vec::new();
        for item in filters(fields.required(kind)?, kind)? {
            children.push(Arc::new(node(item)?));
        }
        return siblings(&fields, kind, children);
    }
    let child = match fields.get("child") {
        Some(child) => node(child)?,
        None => Node::Leaf,
    };
    over(&fields, kind, child)
}

// The keys of a node, and the one that makes its kind.
#[inline(never)]
fn fields(yaml: &Yaml) -> Result<(Fields<'_>, &str), Error> {
    let Yaml::Mapping(place, entries) = yaml else {
        return yaml
            .place()
            .error(format!("a node is expected (a mapping such as `filter: \"{{ S[i] }}\"`), not {}", yaml.what()));
    };
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
    Ok((Fields { place: *place, entries }, &kind.text))
}

// The node of a kind with one child.
#[inline(never)]
fn over(fields: &Fields, kind: &str, child: Node) -> Result<Node, Error> {
    Ok(match kind {
        "domain" => Node::domain(fields.parse(kind)?, child),
        "context" => Node::context(fields.condition(kind)?, child),
        "filter" => Node::filter(fields.parse(kind)?, child),
        "mark" => Node::mark(Mark::new(&fields.scalar(kind)?.text), child),
        "guard" => Node::guard(fields.condition(kind)?, child),
        "extension" => Node::extension(fields.parse::<UnionMap>(kind)?, child),
        "schedule" => Node::band(band(fields)?, child),
        _ => {
            let contraction = fields.parse::<UnionPwMultiAff>("contraction")?;
            Node::expansion(contraction, fields.parse::<UnionMap>("expansion")?, child)
        }
    })
}

// The entries of a sequence or set.
#[inline(never)]
fn filters<'a>(yaml: &'a Yaml, kind: &str) -> Result<&'a [Yaml], Error> {
    match yaml {
        Yaml::List(place, items) if items.is_empty() => place.error(format!("a {kind} without children")),
        Yaml::List(_, items) => Ok(items),
        _ => yaml.place().error(format!("the children of a {kind} are a list, not {}", yaml.what())),
    }
}

// The sequence or set of children that have been read.
#[inline(never)]
fn siblings(fields: &Fields, kind: &str, children: Vec<Arc<Node>>) -> Result<Node, Error> {
    let items = filters(fields.required(kind)?, kind)?;
    if let Some(wrong) = children.iter().position(|c| c.as_filter().is_none()) {
        return items[wrong].place().error(format!("each child of a {kind} is a filter, not a {}", children[wrong].kind()));
    }
    Ok(if kind == "sequence" { Node::Sequence { children } } else { Node::Set { children } })
}

fn band(fields: &Fields) -> Result<Band, Error> {
    let mut band = Band::new(fields.parse::<MultiUnionPwAff>("schedule")?);
    if fields.get("permutable").map(flag).transpose()?.unwrap_or_default() {
        band = band.permutable();
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

pub(super) struct Fields<'a> {
    pub place: Place,
    pub entries: &'a [(Scalar, Yaml)],
}

impl<'a> Fields<'a> {
    pub fn get(&self, key: &str) -> Option<&'a Yaml> {
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

    pub fn parse<T: FromStr<Err = presburger::Error>>(&self, key: &str) -> Result<T, Error> {
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
