//! Printing trees, in block style and in flow style.

use super::options;
use crate::{Band, Node, ScheduleTree};
use std::fmt::{self, Write};

impl fmt::Display for ScheduleTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        block(f, self.root(), 0)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        block(f, self, 0)
    }
}

impl ScheduleTree {
    /// The tree in one line: `{ domain: "{ S[i] }", child: { schedule: "[{ S[i] -> [(i)] }]" } }`.
    ///
    /// The reader takes flow style up to 255 nested braces and brackets.
    pub fn to_flow(&self) -> String {
        let mut text = String::new();
        flow(&mut text, self.root());
        text
    }
}

// The keys of a node with their values as they are written, children aside.
fn entries(node: &Node) -> Vec<(&'static str, String)> {
    match node {
        Node::Domain { domain, .. } => vec![("domain", quoted(domain))],
        Node::Context { context, .. } => vec![("context", quoted(context))],
        Node::Filter { filter, .. } => vec![("filter", quoted(filter))],
        Node::Mark { mark, .. } => vec![("mark", quoted(mark))],
        Node::Guard { guard, .. } => vec![("guard", quoted(guard))],
        Node::Extension { extension, .. } => vec![("extension", quoted(extension))],
        Node::Expansion { contraction, expansion, .. } => {
            vec![("contraction", quoted(contraction)), ("expansion", quoted(expansion))]
        }
        Node::Band { band, .. } => band_entries(band),
        Node::Sequence { .. } | Node::Set { .. } | Node::Leaf => vec![],
    }
}

fn band_entries(band: &Band) -> Vec<(&'static str, String)> {
    let mut entries = vec![("schedule", quoted(band.schedule()))];
    if band.is_permutable() {
        entries.push(("permutable", "1".into()));
    }
    if band.members().iter().any(|m| m.coincident) {
        let flags: Vec<&str> = band.members().iter().map(|m| if m.coincident { "1" } else { "0" }).collect();
        entries.push(("coincident", format!("[ {} ]", flags.join(", "))));
    }
    let options = options::to_union_set(band);
    if !options.is_obviously_empty() {
        entries.push(("options", quoted(&options)));
    }
    entries
}

fn quoted(value: &impl fmt::Display) -> String {
    format!("\"{}\"", value.to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

// The key of the list of children, for nodes that have one.
fn list_key(node: &Node) -> Option<&'static str> {
    match node {
        Node::Sequence { .. } => Some("sequence"),
        Node::Set { .. } => Some("set"),
        _ => None,
    }
}

// The only child, unless it is a leaf: leaves are not written.
fn only_child(node: &Node) -> Option<&Node> {
    let child = node.children().first().filter(|_| !node.has_filters())?;
    (!matches!(**child, Node::Leaf)).then_some(child)
}

// The cursor stands where the node's first key goes; `indent` is the column of its other keys.
fn block(f: &mut impl Write, node: &Node, indent: usize) -> fmt::Result {
    for (position, (key, value)) in entries(node).into_iter().enumerate() {
        let indent = if position == 0 { 0 } else { indent };
        writeln!(f, "{:indent$}{key}: {value}", "")?;
    }
    if let Some(key) = list_key(node) {
        writeln!(f, "{key}:")?;
        for child in node.children() {
            write!(f, "{:indent$}- ", "")?;
            block(f, child, indent + 2)?;
        }
    }
    if let Some(child) = only_child(node) {
        let inner = indent + 2;
        write!(f, "{:indent$}child:\n{:inner$}", "", "")?;
        block(f, child, inner)?;
    }
    Ok(())
}

fn flow(out: &mut String, node: &Node) {
    let entries: Vec<String> = entries(node).into_iter().map(|(key, value)| format!("{key}: {value}")).collect();
    *out += "{ ";
    *out += &entries.join(", ");
    if let Some(key) = list_key(node) {
        *out += key;
        *out += ": [ ";
        for (position, child) in node.children().iter().enumerate() {
            *out += if position == 0 { "" } else { ", " };
            flow(out, child);
        }
        *out += " ]";
    }
    if let Some(child) = only_child(node) {
        *out += ", child: ";
        flow(out, child);
    }
    *out += " }";
}
