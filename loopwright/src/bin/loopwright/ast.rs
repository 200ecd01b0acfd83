//! `loopwright ast`: C for a schedule, with statements as calls.

use crate::args::AstArgs;
use crate::{Failure, Status, output};
use loopwright::codegen::{self, Ast, helpers_used};
use loopwright::{Budget, ScheduleTree};
use std::path::Path;

pub fn run(args: &AstArgs) -> Result<Status, Failure> {
    let text = output::read_text(&args.file)?;
    let name = args.file.display();
    let ast = match generate(is_tree(&args.file, &text), &text, &args.limits.budget()) {
        Ok(ast) => ast,
        Err(codegen::Error::Budget(e)) => return Err(Failure { message: format!("error: {name}: {e}"), status: Status::Budget }),
        Err(e) => return Err(Failure::input(format!("{name}: {e}"))),
    };
    for mark in &ast.lost {
        anstream::eprintln!("warning: {mark}");
    }
    let helpers = helpers_used(&ast);
    let helpers = if helpers.is_empty() { helpers } else { format!("// helpers\n{helpers}// end\n") };
    output::print(&format!("{helpers}{ast}"))?;
    Ok(Status::Done)
}

/// Whether a file holds a schedule tree: by its name, else by the key that every tree with a domain has.
fn is_tree(path: &Path, text: &str) -> bool {
    let named = |name: &str| path.extension().is_some_and(|e| e == name);
    ["st", "yaml", "yml"].into_iter().any(named) || (!named("in") && text.contains("domain:"))
}

fn generate(is_tree: bool, text: &str, budget: &Budget) -> Result<Ast, codegen::Error> {
    let options = codegen::Options { unroll: codegen::Unrolling::Preferred, ..codegen::Options::default() };
    if is_tree {
        let input = |e: loopwright::schedule_tree::Error| match e {
            loopwright::schedule_tree::Error::Budget(spent) => codegen::Error::Budget(spent),
            other => codegen::Error::Input(other.to_string()),
        };
        let tree: ScheduleTree = text.parse().map_err(input)?;
        tree.verify_within(budget).map_err(input)?;
        codegen::generate_within(&tree, &options, budget)
    } else {
        let (schedule, context, choices) = codegen::read_triple(text)?;
        codegen::generate_from_map_within(&schedule, &context, &choices, &options, budget)
    }
}
