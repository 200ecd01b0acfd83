//! Puts generated code back into the file: regions replaced, helper functions inserted once, the rest byte for byte.

use crate::Error;
use loopwright_c_front::Names;
use loopwright_codegen::{Ast, Helper, HelperNames, LostMark, ParamInfo, ParamType, PrintOptions, arguments, helpers, print_c};
use loopwright_presburger::{Aff, Budget, Dim, MultiUnionPwAff, PwAff, Set, UnionSet};
use loopwright_schedule_tree::{Band, Node as TreeNode, ScheduleTree};
use loopwright_scop::{FinalValue, Index, IntType, Scop, Shape};
use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::collections::BTreeSet;
use std::fmt;

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

/// A file with generated code, and what its user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Emitted {
    /// The text of the file.
    pub code: String,
    /// What the trees ask for and the code does not do.
    pub warnings: Vec<Warning>,
}

/// A parallel mark without a pragma.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The static control part.
    pub scop: usize,
    /// The mark.
    pub mark: LostMark,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LostMark { path, why, .. } = &self.mark;
        write!(f, "the parallel mark at {path:?} of part {}: {why}; no pragma written", self.scop)
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Warning", 3)?;
        fields.serialize_field("scop", &self.scop)?;
        fields.serialize_field("path", &self.mark.path)?;
        fields.serialize_field("message", &self.to_string())?;
        fields.end()
    }
}

/// One region: its loops, and what follows them.
struct Part<'a> {
    scop: &'a Scop,
    body: Ast,
    finals: Option<Ast>,
}

/// The file with these regions, by number, regenerated.
pub(crate) fn emit(
    text: &str,
    names: &Names,
    parts: &[(usize, (&Scop, &ScheduleTree))],
    budget: &Budget,
) -> Result<Emitted, Error> {
    let mut generated = Vec::new();
    let mut warnings = Vec::new();
    for &(number, (scop, tree)) in parts {
        let failed = |source| Error::Codegen { scop: number, source };
        let body = ast(scop, tree, budget).map_err(failed)?;
        let finals = final_values(scop, budget).map_err(failed)?;
        warnings.extend(body.lost.iter().map(|mark| Warning { scop: number, mark: mark.clone() }));
        generated.push(Part { scop, body, finals });
    }
    let (helper_names, helpers_edit) = helpers_of(names, &generated);
    // Edits at byte offsets of the original: (from, to, replacement), in the order of the file.
    let mut edits: Vec<(usize, usize, String)> = Vec::from_iter(helpers_edit);
    for part in &generated {
        let content = part.scop.region.content.clone();
        edits.push((content.start, content.end, region_text(part, &helper_names)));
    }
    edits.sort_by_key(|(from, _, _)| *from);
    let mut code = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for (from, to, replacement) in edits {
        code.push_str(&text[done..from]);
        code.push_str(&replacement);
        done = to;
    }
    code.push_str(&text[done..]);
    Ok(Emitted { code, warnings })
}

/// What helpers are called, and the definitions to insert before the first function that needs one: those of an earlier run are
/// used where they stand above it, and a name that occurs anywhere else is left alone.
fn helpers_of(names: &Names, parts: &[Part]) -> (HelperNames, Option<(usize, usize, String)>) {
    let used = |part: &Part| -> Vec<Helper> {
        [Some(&part.body), part.finals.as_ref()].into_iter().flatten().flat_map(helpers).collect()
    };
    let mut called = HelperNames::default();
    let Some(first) = parts.iter().find(|part| !used(part).is_empty()) else { return (called, None) };
    let at = first.scop.region.helpers_at;
    let all: BTreeSet<Helper> = parts.iter().flat_map(used).collect();
    let mut definitions = String::new();
    for helper in all {
        for number in 1.. {
            let name = if number == 1 { helper.name().to_string() } else { format!("{}{number}", helper.name()) };
            let definition = helper.definition(&name);
            let stands = names.defines(&definition, at);
            if !stands && names.contains(&name) {
                continue;
            }
            called = called.with(helper, &name);
            if !stands {
                definitions += &definition;
            }
            break;
        }
    }
    (called, Some((at, at, definitions + "\n")).filter(|(_, _, text)| text != "\n"))
}

/// Declarations of local arrays, the loops, and the final values of counters; in braces where something is declared.
fn region_text(part: &Part, helpers: &HelperNames) -> String {
    let scop = part.scop;
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
    let print = PrintOptions { indent: inner, helpers: helpers.clone(), ..PrintOptions::default() };
    let mut out = scop.region.before.clone();
    let pad = " ".repeat(indent);
    if !declarations.is_empty() {
        out += &format!("{pad}{{\n");
        for declaration in &declarations {
            out += &format!("{pad}  {declaration}\n");
        }
    }
    out += &print_c(&part.body, &print, |statement, indices| {
        let values: Vec<Index> = indices.iter().map(index).collect();
        scop.render(statement, &values).unwrap_or_else(|| format!("{statement}({});", arguments(indices)))
    });
    if let Some(finals) = &part.finals {
        out += &print_c(finals, &print, |statement, indices| {
            let counter = scop.counters.iter().find(|c| final_name(&c.name) == statement);
            counter.map_or_else(String::new, |c| format!("{} = {};", c.name, arguments(indices)))
        });
    }
    if !declarations.is_empty() {
        out += &format!("{pad}}}\n");
    }
    out + &scop.region.after
}

fn index(index: &loopwright_codegen::Index) -> Index {
    match index.counter {
        Some(ctype) => Index::Variable { name: index.text.clone(), ty: ctype.to_string() },
        None => Index::Expression(index.text.clone()),
    }
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
