//! Puts generated code back into the file: regions replaced, helper functions inserted once, the rest byte for byte.

use crate::Error;
use loopwright_codegen::{Ast, Node, ParamInfo, ParamType, PrintOptions, helpers_used, print_c};
use loopwright_presburger::{Aff, Budget, Dim, MultiUnionPwAff, PwAff, Set, UnionSet};
use loopwright_schedule_tree::{Band, Node as TreeNode, ScheduleTree};
use loopwright_scop::{FinalValue, IntType, Scop, Shape};

/// The code of one part.
pub(crate) fn ast(scop: &Scop, tree: &ScheduleTree, budget: &Budget) -> Result<Ast, loopwright_codegen::Error> {
    loopwright_codegen::generate_within(tree, &options(scop), budget)
}

fn options(scop: &Scop) -> loopwright_codegen::Options {
    loopwright_codegen::Options {
        params: scop.params.iter().map(|p| (p.name.as_str().into(), param_info(&p.ty))).collect(),
        reserved: scop.identifiers.iter().map(|name| name.as_str().into()).collect(),
        ..loopwright_codegen::Options::default()
    }
}

/// C computes with types below 32 bits as `int`; their ranges stay narrow.
fn param_info(ty: &IntType) -> ParamInfo {
    let ctype = match (ty.bits, ty.signed) {
        (0..=16, _) | (17..=32, true) => ParamType::Int,
        (17..=32, false) => ParamType::Unsigned,
        (_, true) => ParamType::Long,
        (_, false) => ParamType::UnsignedLong,
    };
    let range = match (ty.bits, ty.signed) {
        (bits @ 1..=32, true) => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        (bits @ 1..=32, false) => (0, (1i128 << bits) - 1),
        _ => ctype.range(),
    };
    ParamInfo { ctype, range }
}

/// The file with these regions, by number, regenerated.
pub(crate) fn emit(text: &str, parts: &[(usize, (&Scop, &ScheduleTree))], budget: &Budget) -> Result<String, Error> {
    // Edits at byte offsets of the original: (from, to, replacement), in the order of the file.
    let mut edits: Vec<(usize, usize, String)> = Vec::new();
    let mut asts = Vec::new();
    let mut helpers_at = None;
    for &(number, (scop, tree)) in parts {
        let failed = |source| Error::Codegen { scop: number, source };
        let body = ast(scop, tree, budget).map_err(failed)?;
        let finals = final_values(scop, budget).map_err(failed)?;
        let content = scop.region.content.clone();
        edits.push((content.start, content.end, region_text(scop, &body, finals.as_ref())));
        let all = Ast { root: Node::block([body.root].into_iter().chain(finals.map(|f| f.root))), params: Vec::new() };
        if helpers_at.is_none() && !helpers_used(&all).is_empty() {
            helpers_at = Some(scop.region.helpers_at);
        }
        asts.push(all.root);
    }
    if let Some(at) = helpers_at {
        let helpers = helpers_used(&Ast { root: Node::block(asts), params: Vec::new() });
        // A file that was transformed before has some of them already.
        let missing: String = helpers.lines().filter(|line| !text.contains(*line)).map(|line| format!("{line}\n")).collect();
        if !missing.is_empty() {
            edits.push((at, at, missing + "\n"));
        }
    }
    edits.sort_by_key(|(from, _, _)| *from);
    let mut out = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for (from, to, replacement) in edits {
        out.push_str(&text[done..from]);
        out.push_str(&replacement);
        done = to;
    }
    out.push_str(&text[done..]);
    Ok(out)
}

/// Declarations of local arrays, the loops, and the final values of counters; in braces where something is declared.
fn region_text(scop: &Scop, body: &Ast, finals: Option<&Ast>) -> String {
    let indent = scop.region.indent.chars().map(|c| if c == '\t' { 8 } else { 1 }).sum::<usize>();
    let declarations: Vec<&str> = scop
        .arrays
        .iter()
        .filter_map(|a| match &a.shape {
            Shape::Local { declaration } => Some(declaration.as_str()),
            Shape::Outside => None,
        })
        .collect();
    let inner = if declarations.is_empty() { indent } else { indent + 2 };
    let print = PrintOptions { indent: inner, ..PrintOptions::default() };
    let mut out = scop.region.before.clone();
    let pad = " ".repeat(indent);
    if !declarations.is_empty() {
        out += &format!("{pad}{{\n");
        for declaration in &declarations {
            out += &format!("{pad}  {declaration}\n");
        }
    }
    out += &print_c(body, &print, |statement, indices| {
        scop.render(statement, indices).unwrap_or_else(|| format!("{statement}({});", indices.join(", ")))
    });
    if let Some(finals) = finals {
        out += &print_c(finals, &print, |statement, indices| {
            let counter = scop.counters.iter().find(|c| final_name(&c.name) == statement);
            counter.map_or_else(String::new, |c| format!("{} = {};", c.name, indices.join(", ")))
        });
    }
    if !declarations.is_empty() {
        out += &format!("{pad}}}\n");
    }
    out + &scop.region.after
}

fn final_name(counter: &str) -> String {
    format!("final_{counter}")
}

/// Assignments of the values that outer counters have after the region: the statements `{ final_i[v] : v = value of i }`, which
/// code generation turns into guarded assignments.
fn final_values(scop: &Scop, budget: &Budget) -> Result<Option<Ast>, loopwright_codegen::Error> {
    let mut filters: Vec<UnionSet> = Vec::new();
    for counter in &scop.counters {
        if let FinalValue::Needed(value) = &counter.final_value {
            filters.push(Set::from(value).set_tuple_name(Dim::SET, Some(&final_name(&counter.name))).into());
        }
    }
    if filters.is_empty() {
        return Ok(None);
    }
    let domain = filters.iter().skip(1).fold(filters[0].clone(), |all, f| all.union(f));
    let band = |filter: &UnionSet| {
        let space = filter.iter().next().expect("a filter of one set").space();
        let value = Aff::var(space, Dim::SET, 0);
        TreeNode::band(Band::new(MultiUnionPwAff::from_members(None, vec![PwAff::from(value).into()])), TreeNode::Leaf)
    };
    let child = match &filters[..] {
        [one] => band(one),
        many => TreeNode::sequence(many.iter().map(|f| (f.clone(), band(f)))),
    };
    let tree = ScheduleTree::new(TreeNode::domain(domain, child)).expect("a domain over bands is a tree");
    loopwright_codegen::generate_within(&tree, &options(scop), budget).map(Some)
}
