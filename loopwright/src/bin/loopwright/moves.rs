//! `loopwright moves`: what can be done where.

use crate::args::{MovesArgs, failure};
use crate::{Failure, Status, output};
use loopwright::{Offer, State};
use std::fmt::Write;

pub fn run(args: &MovesArgs) -> Result<Status, Failure> {
    let budget = args.reading.limits.budget();
    let program = args.reading.program(&budget)?;
    let state = program.original();
    let chosen: Vec<usize> = args.scop.map_or_else(|| (0..program.scops().len()).collect(), |scop| vec![scop]);
    let mut out = String::new();
    for &scop in &chosen {
        let fail = |e: loopwright::Error| failure(&e, &program.source().text);
        let offers = state.moves(scop).map_err(fail)?;
        for offer in offers.iter().filter(|o| args.node.is_none_or(|node| node == o.node)) {
            match args.json {
                true => writeln!(out, "{}", offer.to_json(scop)).expect("a string"),
                false => out += &as_text(scop, offer),
            }
        }
    }
    node_exists(args, &state, &chosen)?;
    output::print(&out)?;
    Ok(Status::Done)
}

fn node_exists(args: &MovesArgs, state: &State, chosen: &[usize]) -> Result<(), Failure> {
    let Some(node) = args.node else { return Ok(()) };
    let mut missing = chosen.iter().map(|&scop| state.trees()[scop].path(node).err());
    match missing.next() {
        None => Err(Failure::input("--node: the file has no static control part")),
        Some(Some(first)) if missing.all(|m| m.is_some()) => Err(Failure::input(format!("--node: {first}"))),
        Some(_) => Ok(()),
    }
}

fn as_text(scop: usize, offer: &Offer) -> String {
    let domains = offer.arguments().into_iter().zip(&offer.domains).map(|(name, domain)| format!("{name}: {domain}"));
    let domains: Vec<String> = domains.collect();
    let place = format!("scop {scop} node {} {}", offer.node, offer.path);
    format!("{place:<32} {}({})\n", offer.name, domains.join("; "))
}
