//! `loopwright deps`: dependences of C files, and what they allow for each loop.

use crate::args::{DepsArgs, DepsKind, failure};
use crate::{Failure, Status, output};
use loopwright::deps::{Dependence, Dependences, LoopReport};
use loopwright::scop::Scop;
use serde_json::{Value, json};

pub fn run(args: &DepsArgs) -> Result<Status, Failure> {
    let budget = args.reading.limits.budget();
    let program = args.reading.program(&budget)?;
    let failed = |e: loopwright::deps::Error| failure(&e.into(), &program.source().text);
    let mut parts = Vec::new();
    for (number, scop) in program.scops().iter().enumerate() {
        let memory = program.dependences(number).map_err(Failure::input)?;
        let values = match args.kind {
            DepsKind::Memory => None,
            DepsKind::Value => Some(Dependences::value_based_within(scop, &budget).map_err(failed)?),
        };
        let dependences = values.unwrap_or_else(|| memory.clone());
        let loops = LoopReport::all_within(scop, &dependences, scop.schedule(), &budget).map_err(failed)?;
        parts.push((scop, dependences, loops));
    }
    if args.json {
        let scops: Vec<Value> = parts.iter().map(|(scop, d, loops)| to_json(scop, args.kind, d, loops)).collect();
        let text = serde_json::to_string_pretty(&json!({ "scops": scops })).map_err(Failure::input)?;
        output::print(&(text + "\n"))?;
    } else {
        let texts: Vec<String> =
            parts.iter().enumerate().map(|(number, (scop, d, loops))| to_text(number, scop, args.kind, d, loops)).collect();
        output::print(&texts.join("\n"))?;
    }
    Ok(Status::Done)
}

fn name(kind: DepsKind) -> &'static str {
    match kind {
        DepsKind::Memory => "memory",
        DepsKind::Value => "value",
    }
}

fn array(dependence: &Dependence) -> String {
    dependence.array.name().map(ToString::to_string).unwrap_or_default()
}

fn to_json(scop: &Scop, kind: DepsKind, dependences: &Dependences, loops: &[LoopReport]) -> Value {
    let statement = |tuple: &loopwright::presburger::Tuple| tuple.name().map(ToString::to_string);
    let one = |d: &Dependence| {
        json!({
            "kind": d.kind.name(),
            "array": array(d),
            "source": statement(d.source()),
            "sink": statement(d.sink()),
            "relation": d.relation.to_string(),
        })
    };
    json!({
        "function": scop.function,
        "file": scop.region.file,
        "line": scop.region.line,
        "kind": name(kind),
        "dependences": dependences.iter().map(one).collect::<Vec<Value>>(),
        "loops": loops,
    })
}

fn to_text(number: usize, scop: &Scop, kind: DepsKind, dependences: &Dependences, loops: &[LoopReport]) -> String {
    let region = &scop.region;
    let mut out = format!("scop {number} in {} at {}:{}\n", scop.function, region.file, region.line);
    out += &format!("{}-based dependences\n", name(kind));
    for dependence in dependences {
        out += &format!("  {} {} {}\n", dependence.kind, array(dependence), dependence.relation);
    }
    let header = ["loop", "path", "statements", "parallel", "permutable", "carries", "parallel with"];
    let mut rows = vec![header.map(String::from)];
    rows.extend(loops.iter().map(|l| row(scop, l)));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    for row in &rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}")).collect();
        out += &format!("  {}\n", cells.join("  ").trim_end());
    }
    out
}

fn row(scop: &Scop, report: &LoopReport) -> [String; 7] {
    let yes = |is: bool| if is { "yes" } else { "no" }.to_string();
    let or_none = |text: String| if text.is_empty() { "-".into() } else { text };
    let path: Vec<String> = report.path.iter().map(ToString::to_string).collect();
    let carries: Vec<String> =
        report.carries.iter().filter(|(_, arrays)| !arrays.is_empty()).map(|(k, a)| format!("{k} {}", a.join(" "))).collect();
    let with = report.parallel_with.as_ref().map(ToString::to_string);
    [
        counter(scop, report),
        format!("[{}].{}", path.join(", "), report.member),
        report.statements.join(" "),
        yes(report.parallel),
        yes(report.permutable),
        or_none(carries.join(", ")),
        or_none(with.unwrap_or_default()),
    ]
}

// The counter of a loop in its original order: that of its first statement, as many loops deep as the loop is.
fn counter(scop: &Scop, report: &LoopReport) -> String {
    let tree = scop.schedule();
    let above = (0..report.path.len()).filter_map(|length| tree.node(&report.path[..length].into()).ok());
    let depth: usize = above.filter_map(|node| node.as_band().map(|band| band.len())).sum();
    let first = report.statements.first().and_then(|name| scop.statement(name));
    first.and_then(|s| s.counters.get(depth + report.member)).map_or_else(|| "?".into(), |(name, _)| name.clone())
}
