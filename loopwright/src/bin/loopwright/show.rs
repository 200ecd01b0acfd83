//! `loopwright show`: schedule trees for people, each band beside its original loop; or as a graph.

use crate::args::{ShowArgs, failure};
use crate::{Failure, Status, output};
use loopwright::schedule_tree::Node;
use loopwright::scop::{Scop, Span};
use loopwright::{Budget, ScheduleTree};
use std::fmt::Write;
use std::path::Path;

pub fn run(args: &ShowArgs) -> Result<Status, Failure> {
    let budget = args.reading.limits.budget();
    match tree_text(&args.reading.file)? {
        Some(text) => tree(args, &text, &budget),
        None => program(args, &budget),
    }
}

/// The text of a file that holds a schedule tree.
fn tree_text(path: &Path) -> Result<Option<String>, Failure> {
    let is_tree = path.extension().is_some_and(|e| e == "st" || e == "yaml" || e == "yml");
    if is_tree { output::read_text(path).map(Some) } else { Ok(None) }
}

fn tree(args: &ShowArgs, text: &str, budget: &Budget) -> Result<Status, Failure> {
    let name = args.reading.file.display();
    let tree: ScheduleTree = text.parse().map_err(|e| Failure::input(format!("{name}: {e}")))?;
    let shown = Shown { title: name.to_string(), tree: &tree, scop: None, text: "" };
    output::print(&if args.dot { graph(&[shown]) } else { shown.to_text() })?;
    let problems = budget.spend(1).and_then(|()| tree.problems_within(budget));
    let problems = problems.map_err(|e| Failure { message: format!("error: {name}: {e}"), status: Status::Budget })?;
    match problems.first() {
        Some(problem) => Err(Failure::input(format!("{name}: {problem}"))),
        None => Ok(Status::Done),
    }
}

fn program(args: &ShowArgs, budget: &Budget) -> Result<Status, Failure> {
    let source = args.reading.source()?;
    let options = args.reading.options();
    let text = source.text.clone();
    // Only the front end: dependences do not show.
    let extraction = loopwright::c_front::extract_within(&source, &options, budget).map_err(|e| failure(&e.into(), &text))?;
    extraction.refused.iter().for_each(|d| anstream::eprintln!("{}\n", d.render(&text, loopwright::c_front::Color::Ansi)));
    extraction.left_out.iter().for_each(|left_out| anstream::eprintln!("{left_out}"));
    budget.spend(1).map_err(|e| failure(&e.into(), &text))?;
    let shown = extraction.scops.iter().enumerate().map(|(number, scop)| Shown {
        title: format!("scop {number}: {} at {}:{}", scop.function, scop.region.file, scop.region.line),
        tree: &scop.schedule,
        scop: Some(scop),
        text: &text,
    });
    let shown: Vec<Shown<'_>> = shown.collect();
    let out = match &shown[..] {
        _ if args.dot => graph(&shown),
        [] => "no static control part: enclose one in #pragma scop and #pragma endscop, or try --auto\n".into(),
        _ => shown.iter().map(Shown::to_text).collect::<Vec<_>>().join("\n"),
    };
    output::print(&out)?;
    Ok(Status::Done)
}

/// A tree with what is known of its origin.
struct Shown<'a> {
    title: String,
    tree: &'a ScheduleTree,
    scop: Option<&'a Scop>,
    /// The C file.
    text: &'a str,
}

impl Shown<'_> {
    fn to_text(&self) -> String {
        let mut out = format!("{}\n", self.title);
        if let Some(scop) = self.scop {
            let params: Vec<String> = scop.params.iter().map(|p| format!("{} {}", p.ty.name, p.name)).collect();
            let _ = writeln!(out, "parameters: {}", if params.is_empty() { "none".into() } else { params.join(", ") });
            for s in &scop.statements {
                let _ = writeln!(out, "{}, line {}: {}\n    {}", s.name, s.span.line, self.source(&s.span), s.domain);
            }
        } else {
            for set in self.tree.domain().into_iter().flat_map(|d| d.members()) {
                let _ = writeln!(out, "    {set}");
            }
        }
        let mut rows = Vec::new();
        for (number, (path, node)) in self.tree.nodes().enumerate() {
            let left = format!("{number:>4} {}{}", "  ".repeat(path.depth()), node.kind());
            rows.push((left, content(node), self.origin(node)));
        }
        let width = |row: &(String, String, String)| row.0.chars().count() + 2 + row.1.chars().count();
        let margin = rows.iter().filter(|r| !r.2.is_empty()).map(width).max().unwrap_or(0).min(90);
        for (left, middle, right) in rows {
            let line = format!("{left}  {middle}");
            let line = if right.is_empty() { line } else { format!("{line:<margin$}  | {right}") };
            let _ = writeln!(out, "{}", line.trim_end());
        }
        out
    }

    /// The original loop of a band, the original text of a leaf's only statement.
    fn origin(&self, node: &Node) -> String {
        let Some(scop) = self.scop else { return String::new() };
        let label = node.as_band().and_then(|band| band.label().map(|l| l.to_string()));
        match label.and_then(|label| scop.loop_of(&label)) {
            Some(span) => format!("{} (line {})", self.source(span), span.line),
            None => String::new(),
        }
    }

    /// The text of a place on one line.
    fn source(&self, span: &Span) -> String {
        let text = self.text.get(span.range.clone()).unwrap_or("");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// What a node says.
fn content(node: &Node) -> String {
    match node {
        Node::Domain { domain, .. } => names(domain.members().map(|s| s.space().tuple().to_string())),
        Node::Context { context, .. } => context.to_string(),
        Node::Band { band, .. } => {
            let schedule = band.schedule().to_string();
            match schedule.split_once(" -> ") {
                Some((params, rest)) if params.starts_with('[') && !params.contains('{') => rest.to_string(),
                _ => schedule,
            }
        }
        Node::Filter { filter, .. } => names(filter.members().map(|s| s.space().tuple().to_string())),
        Node::Mark { mark, .. } => mark.to_string(),
        Node::Guard { guard, .. } => guard.to_string(),
        Node::Extension { extension, .. } => extension.to_string(),
        Node::Expansion { contraction, expansion, .. } => format!("{contraction}; {expansion}"),
        Node::Sequence { .. } | Node::Set { .. } | Node::Leaf => String::new(),
    }
}

fn names(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join("; ")
}

/// All trees as one graph, each in a cluster.
fn graph(all: &[Shown<'_>]) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"));
    let mut out = String::from("digraph schedule {\n  node [shape=box, fontname=monospace];\n");
    for (number, shown) in all.iter().enumerate() {
        let _ = writeln!(out, "  subgraph cluster_{number} {{\n    label={};", quoted(&shown.title));
        for (k, (path, node)) in shown.tree.nodes().enumerate() {
            let lines = [format!("{k} {}", node.kind()), content(node), shown.origin(node)];
            let text = lines.iter().filter(|l| !l.is_empty()).cloned().collect::<Vec<_>>().join("\n");
            let name = |p: &[usize]| p.iter().fold(format!("t{number}"), |name, at| format!("{name}_{at}"));
            let _ = writeln!(out, "    {} [label={}];", name(path.positions()), quoted(&text));
            if let Some(parent) = path.parent() {
                let _ = writeln!(out, "    {} -> {};", name(parent.positions()), name(path.positions()));
            }
        }
        out += "  }\n";
    }
    out + "}\n"
}
