//! Printing trees in block style.

use super::options;
use crate::{Node, ScheduleTree};
use std::fmt::{self, Write};

impl fmt::Display for ScheduleTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        node(f, self.root(), 0)
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        node(f, self, 0)
    }
}

// The cursor stands where the node's first key goes; `indent` is the column of its other keys.
fn node(f: &mut impl Write, node: &Node, indent: usize) -> fmt::Result {
    match node {
        Node::Domain { domain, .. } => entry(f, "domain", domain)?,
        Node::Context { context, .. } => entry(f, "context", context)?,
        Node::Filter { filter, .. } => entry(f, "filter", filter)?,
        Node::Mark { mark, .. } => entry(f, "mark", mark)?,
        Node::Guard { guard, .. } => entry(f, "guard", guard)?,
        Node::Extension { extension, .. } => entry(f, "extension", extension)?,
        Node::Expansion { contraction, expansion, .. } => {
            entry(f, "contraction", contraction)?;
            start(f, indent)?;
            entry(f, "expansion", expansion)?;
        }
        Node::Band { band, .. } => {
            entry(f, "schedule", band.schedule())?;
            if band.is_permutable() {
                start(f, indent)?;
                f.write_str("permutable: 1\n")?;
            }
            if band.members().iter().any(|m| m.coincident) {
                let flags: Vec<&str> = band.members().iter().map(|m| if m.coincident { "1" } else { "0" }).collect();
                start(f, indent)?;
                writeln!(f, "coincident: [ {} ]", flags.join(", "))?;
            }
            let options = options::to_union_set(band);
            if options.members().next().is_some() {
                start(f, indent)?;
                entry(f, "options", &options)?;
            }
        }
        Node::Sequence { children } => return list(f, "sequence", children, indent),
        Node::Set { children } => return list(f, "set", children, indent),
        Node::Leaf => return f.write_str("leaf: 1\n"),
    }
    match &node.children()[0] {
        child if matches!(**child, Node::Leaf) => Ok(()),
        child => {
            start(f, indent)?;
            f.write_str("child:\n")?;
            start(f, indent + 2)?;
            self::node(f, child, indent + 2)
        }
    }
}

fn list(f: &mut impl Write, key: &str, children: &[std::sync::Arc<Node>], indent: usize) -> fmt::Result {
    writeln!(f, "{key}:")?;
    for child in children {
        start(f, indent)?;
        f.write_str("- ")?;
        node(f, child, indent + 2)?;
    }
    Ok(())
}

fn start(f: &mut impl Write, indent: usize) -> fmt::Result {
    write!(f, "{:indent$}", "")
}

fn entry(f: &mut impl Write, key: &str, value: &impl fmt::Display) -> fmt::Result {
    let value = value.to_string().replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    writeln!(f, "{key}: \"{value}\"")
}
