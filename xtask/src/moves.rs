//! All places and a few arguments of every available transformation of a tree.

use loopwright::schedule_tree::{Arg, Choice, Target};
use loopwright::{Move, Registry, ScheduleTree, Step};

/// Every available transformation at every node, each with a few argument lists; in the order of nodes and names.
pub fn one_step(tree: &ScheduleTree, scop: usize, registry: &Registry) -> Vec<Step> {
    let mut steps = Vec::new();
    for (path, _) in tree.nodes() {
        let Ok(cursor) = tree.at(&path) else { continue };
        for transformation in registry.iter() {
            let Ok(arguments) = transformation.arguments(&cursor) else { continue };
            for product in arguments.products() {
                for args in few(product) {
                    let action = Move::new(transformation.name(), args);
                    steps.push(Step { scop, target: Target::Path(path.clone()), action });
                }
            }
        }
    }
    steps
}

/// Argument lists from a product: each argument takes its few values while the others keep their first.
fn few(product: &[Choice]) -> Vec<Vec<Arg>> {
    let values: Vec<Vec<Arg>> = product.iter().map(values).collect();
    let first: Vec<Arg> = values.iter().filter_map(|v| v.first().cloned()).collect();
    let mut lists = vec![first.clone()];
    for (position, values) in values.iter().enumerate() {
        for value in &values[1..] {
            let mut list = first.clone();
            list[position] = value.clone();
            lists.push(list);
        }
    }
    lists
}

fn values(choice: &Choice) -> Vec<Arg> {
    match choice {
        Choice::List(values) => values.clone(),
        Choice::Range { min: None, max: None } => [1, -3].map(Arg::Int).to_vec(),
        Choice::Range { min: Some(min), max: None } => [*min, min + 3].map(Arg::Int).to_vec(),
        Choice::Range { min: None, max: Some(max) } => [*max, max - 3].map(Arg::Int).to_vec(),
        Choice::Range { min: Some(min), max: Some(max) } => (*min..=*max).take(4).map(Arg::Int).collect(),
    }
}
