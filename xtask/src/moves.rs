//! Steps to try on a tree: all places and a few arguments of every available transformation, or a random one.

use loopwright::schedule_tree::{Arg, Arguments, Choice, Target};
use loopwright::{Move, Path, Registry, ScheduleTree, Step};
use loopwright_polybench_tests::Random;
use std::collections::BTreeMap;

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

/// A random step: a transformation among those that are available somewhere in the tree, a place among those where it is, and
/// arguments from their domains; `None` where nothing is available.
pub fn random(tree: &ScheduleTree, scop: usize, registry: &Registry, random: &mut Random) -> Option<Step> {
    let mut available: BTreeMap<&str, Vec<(Path, Arguments)>> = BTreeMap::new();
    for (path, _) in tree.nodes() {
        let Ok(cursor) = tree.at(&path) else { continue };
        for transformation in registry.iter() {
            match transformation.arguments(&cursor) {
                Ok(arguments) if !arguments.products().is_empty() => {
                    available.entry(transformation.name()).or_default().push((path.clone(), arguments));
                }
                _ => {}
            }
        }
    }
    let names: Vec<&str> = available.keys().copied().collect();
    if names.is_empty() {
        return None;
    }
    let name = *random.pick(&names);
    let (path, arguments) = random.pick(&available[name]);
    let args: Vec<Arg> = any(arguments.products(), random).iter().map(|choice| any_value(choice, random)).collect();
    Some(Step { scop, target: Target::Path(path.clone()), action: Move::new(name, args) })
}

/// A product, by its number of argument lists, unbounded arguments not counted.
fn any<'a>(products: &'a [Vec<Choice>], random: &mut Random) -> &'a [Choice] {
    let weight = |product: &Vec<Choice>| product.iter().map(|c| bounded(c).unwrap_or(1)).product::<usize>();
    let mut at = random.below(products.iter().map(weight).sum());
    for product in products {
        match at.checked_sub(weight(product)) {
            Some(rest) => at = rest,
            None => return product,
        }
    }
    &[]
}

fn bounded(choice: &Choice) -> Option<usize> {
    match choice {
        Choice::List(values) => Some(values.len()),
        Choice::Range { min: Some(min), max: Some(max) } if max - min < 100 => usize::try_from(max - min + 1).ok(),
        Choice::Range { .. } => None,
    }
}

/// A value of the choice; where it is unbounded, one near its bound or near 0, so that loops stay as small as the data is.
fn any_value(choice: &Choice, random: &mut Random) -> Arg {
    match choice {
        Choice::List(values) => random.pick(values).clone(),
        Choice::Range { min: Some(min), max } => Arg::Int(random.between(*min, max.unwrap_or(i64::MAX).min(min + 30))),
        Choice::Range { min: None, max: Some(max) } => Arg::Int(random.between(max - 30, *max)),
        Choice::Range { min: None, max: None } => Arg::Int(random.between(-10, 10)),
    }
}
