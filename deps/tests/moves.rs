//! Every available transformation of small programs, alone and in pairs, against enumeration.
//!
//! An illegal tree's witness replays; a legal tree runs every conflicting pair in order at every size that is tried.

mod common;
mod programs;
use common::{Program, judge};
use loopwright_schedule_tree::{Arg, Choice, Registry, ScheduleTree};

// A few values of a choice.
fn values(choice: &Choice) -> Vec<Arg> {
    match choice {
        Choice::List(all) => all.iter().take(3).cloned().collect(),
        choice => [-1, 0, 1, 2, 3].map(Arg::Int).into_iter().filter(|a| choice.contains(a)).collect(),
    }
}

fn argument_lists(product: &[Choice]) -> Vec<Vec<Arg>> {
    product.iter().fold(vec![vec![]], |lists, choice| {
        let values = values(choice);
        lists.iter().flat_map(|list| values.iter().map(|v| list.iter().cloned().chain([v.clone()]).collect())).collect()
    })
}

// All trees one transformation away, a few argument lists each.
fn neighbours(tree: &ScheduleTree) -> Vec<ScheduleTree> {
    let registry = Registry::standard();
    let mut found = Vec::new();
    for (path, _) in tree.nodes() {
        let at = tree.at(&path).unwrap();
        for transformation in registry.available(&at) {
            for product in transformation.arguments(&at).unwrap().products() {
                for args in argument_lists(product) {
                    found.push(transformation.apply(&at, &args).unwrap_or_else(|e| panic!("{e}: {args:?}\n{tree}")));
                }
            }
        }
    }
    found
}

// How many trees are legal, and how many are not.
fn count(program: &Program, trees: impl IntoIterator<Item = ScheduleTree>) -> (usize, usize) {
    trees.into_iter().fold((0, 0), |(legal, illegal), tree| match judge(program, &tree).is_legal() {
        true => (legal + 1, illegal),
        false => (legal, illegal + 1),
    })
}

#[test]
fn one_step() {
    for (name, program) in programs::all() {
        let (legal, illegal) = count(&program, neighbours(&program.original));
        println!("{name}: {legal} legal, {illegal} illegal");
        assert!(legal > 0, "{name}");
    }
}

#[test]
fn two_steps() {
    for (name, program) in programs::all() {
        // Every seventh neighbour, and every eleventh of its neighbours: all kinds of pairs occur.
        let first: Vec<ScheduleTree> = neighbours(&program.original).into_iter().step_by(7).collect();
        let second = first.iter().flat_map(|tree| neighbours(tree).into_iter().step_by(11));
        let (legal, illegal) = count(&program, second);
        println!("{name}: {legal} legal, {illegal} illegal");
        assert!(legal > 0, "{name}");
    }
}
