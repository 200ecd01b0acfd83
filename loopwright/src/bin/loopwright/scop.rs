//! `loopwright scop`: what a file's static control parts are.

use crate::args::{ScopArgs, failure};
use crate::{Failure, Status, output};
use loopwright::schedule_tree::ScheduleTree;
use loopwright::scop::Scop;
use serde_json::{Value, json};
use std::fmt::Write;

pub fn run(args: &ScopArgs) -> Result<Status, Failure> {
    let budget = args.reading.limits.budget();
    let program = args.reading.program(&budget)?;
    let scops = program.scops();
    let _ = failure;
    let text = if args.json {
        let all: Vec<Value> = scops.iter().map(as_json).collect();
        format!("{}\n", serde_json::to_string_pretty(&all).expect("plain data"))
    } else if scops.is_empty() {
        "no static control part: enclose one in #pragma scop and #pragma endscop, or try --auto\n".to_string()
    } else {
        scops.iter().enumerate().map(|(i, s)| as_text(i, s)).collect::<Vec<_>>().join("\n")
    };
    output::print(&text)?;
    Ok(if program.refused().is_empty() { Status::Done } else { Status::Input })
}

fn as_json(scop: &Scop) -> Value {
    let statements: Vec<Value> = scop
        .statements
        .iter()
        .map(|s| {
            let accesses: Vec<Value> = s
                .accesses
                .iter()
                .map(|a| json!({"kind": a.kind.to_string(), "array": a.array, "relation": a.relation.to_string()}))
                .collect();
            json!({
                "name": s.name,
                "line": s.span.line,
                "column": s.span.column,
                "domain": s.domain.to_string(),
                "accesses": accesses,
                "counters": s.counters.iter().map(|(name, ty)| json!({"name": name, "type": ty.name})).collect::<Vec<_>>(),
            })
        })
        .collect();
    json!({
        "function": scop.function,
        "line": scop.region.line,
        "params": scop.params.iter().map(|p| json!({"name": p.name, "type": p.ty.name})).collect::<Vec<_>>(),
        "arrays": scop.arrays,
        "statements": statements,
        "schedule": scop.schedule.to_string(),
        "nodes": nodes(&scop.schedule).map(|n| json!({"node": n.number, "path": n.path, "kind": n.kind, "text": n.text})).collect::<Vec<_>>(),
        "assumptions": scop.assumptions.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

struct Line {
    number: usize,
    path: Vec<usize>,
    kind: String,
    text: String,
}

/// The nodes of a tree, depth first: what steps refer to.
fn nodes(tree: &ScheduleTree) -> impl Iterator<Item = Line> + '_ {
    use loopwright::schedule_tree::Node;
    tree.nodes().enumerate().map(|(number, (path, node))| Line {
        number,
        path: path.positions().to_vec(),
        kind: node.kind().to_string(),
        text: match &**node {
            Node::Band { band, .. } => band.schedule().to_string(),
            Node::Filter { filter, .. } => filter.iter().map(|s| s.space().tuple().to_string()).collect::<Vec<_>>().join("; "),
            Node::Mark { mark, .. } => mark.to_string(),
            _ => String::new(),
        },
    })
}

fn as_text(number: usize, scop: &Scop) -> String {
    let mut out = format!("scop {number}: {} at {}:{}\n", scop.function, scop.region.file, scop.region.line);
    let params: Vec<String> = scop.params.iter().map(|p| format!("{} {}", p.ty.name, p.name)).collect();
    let _ = writeln!(out, "  parameters: {}", if params.is_empty() { "none".into() } else { params.join(", ") });
    for s in &scop.statements {
        let _ = writeln!(out, "  {} (line {}): {}", s.name, s.span.line, s.domain);
        for a in &s.accesses {
            let _ = writeln!(out, "    {:<5} {}", a.kind.to_string(), a.relation);
        }
    }
    let _ = writeln!(out, "  tree (node number, path):");
    for line in nodes(&scop.schedule) {
        let indent = "  ".repeat(line.path.len());
        let text = format!("{} {:?}", line.number, line.path);
        let _ = writeln!(out, "    {text:<16} {indent}{} {}", line.kind, line.text);
    }
    let _ = writeln!(out, "  assumed:");
    for a in &scop.assumptions {
        let _ = writeln!(out, "    {a}");
    }
    out
}
