//! Transformations and the check: an illegal tree's witness replays, and a legal tree's code computes what the original computes.
//!
//! The second is judged by running both: every write stores a value that stands for the instance and all values that it read, so two
//! runs that end with the same memory read the same values everywhere.

use super::Bytes;
use super::program::{PARAM, SIZES, Statement, band, sequence, tree, union};
use loopwright_codegen::{Options, Unrolling, generate_within, interpret};
use loopwright_deps::{Accesses, Dependences, Error};
use loopwright_presburger::{Budget, Params};
use loopwright_schedule_tree::{Registry, ScheduleTree, Step};
use std::collections::BTreeMap;

const STEPS: u64 = 2_000_000;
const LONGEST: usize = 4;

/// The loops of each statement alone, from iterator `from` on.
fn nest(statement: &Statement, from: usize) -> String {
    (from..statement.dims())
        .rev()
        .fold(String::new(), |below, d| band([format!("{} -> [(x{d})]", statement.tuple())], "", &below))
}

/// A total order: the statements one after the other, or with a common outermost loop.
fn original(bytes: &mut Bytes, statements: &[Statement]) -> String {
    let from = bytes.below(2);
    let below = match statements {
        [one] => nest(one, from),
        all => sequence(all.iter().map(|s| (vec![s], nest(s, from)))),
    };
    let outermost = |s: &Statement| format!("{} -> [({})]", s.tuple(), if s.dims() == 0 { "0" } else { "x0" });
    let all = if from == 0 { below } else { band(statements.iter().map(outermost), "", &below) };
    tree(statements, &all)
}

type Memory = BTreeMap<(&'static str, Vec<i64>), u64>;

fn mix(state: u64, value: u64) -> u64 {
    let mixed = (state ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ (mixed >> 29)
}

/// The memory after a run, or nothing where no code is generated within the budget.
fn run(tree: &ScheduleTree, statements: &[Statement], n: i64) -> Option<Memory> {
    let options = Options { unroll: Unrolling::Preferred, ..Options::default() };
    let ast = match generate_within(tree, &options, &Budget::steps(STEPS)) {
        Ok(ast) => ast,
        Err(loopwright_codegen::Error::Budget(_)) => return None,
        Err(error) => panic!("no code: {error}\n{tree}"),
    };
    let mut memory = Memory::new();
    let execute = |name: &str, x: &[i128]| {
        let (number, statement) =
            statements.iter().enumerate().find(|(_, s)| s.name == name).unwrap_or_else(|| panic!("{name} is no statement"));
        let at: Vec<i64> = std::iter::once(n).chain(x.iter().map(|v| i64::try_from(*v).expect("a small number"))).collect();
        let instance = at.iter().fold(mix(1, number as u64), |h, v| mix(h, v.cast_unsigned()));
        let value = statement.reads.iter().fold(instance, |h, r| mix(h, memory.get(&r.element(&at)).copied().unwrap_or(0)));
        memory.insert(statement.write.element(&at), value);
    };
    interpret(&ast, [(PARAM, i128::from(n))], 100_000, execute).unwrap_or_else(|e| panic!("{e}\n{tree}\n{ast}"));
    Some(memory)
}

/// One of the steps that the tree offers.
fn step(bytes: &mut Bytes, tree: &ScheduleTree, registry: &Registry) -> Option<Step> {
    let offers = registry.offers(tree);
    let offer = offers.get(bytes.below(offers.len()))?.clipped(-4, 5);
    let count = offer.count()?;
    let index = u128::from(bytes.byte()) * 256 + u128::from(bytes.byte());
    let action = offer.nth(index.checked_rem(count)?)?;
    Some(offer.step(0, action))
}

/// A random program and a few random steps, each judged against the original order.
pub fn moves(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let statements = Statement::decode_all(&mut bytes, 3);
    let text = original(&mut bytes, &statements);
    let original: ScheduleTree = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let parse = |text: String| text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let reads = parse(union(statements.iter().flat_map(|s| s.reads.iter().map(|a| s.access(a)))));
    let writes = parse(union(statements.iter().map(|s| s.access(&s.write))));
    let accesses = Accesses { reads, writes };
    let context: Params = "{ : }".parse().expect("a text of ours");
    let dependences = match Dependences::analyze_within(&accesses, &original, &context, &Budget::steps(STEPS)) {
        Ok(dependences) => dependences,
        Err(Error::Budget(_)) => return,
        Err(error) => panic!("{error}\n{text}"),
    };
    let expected: Vec<Option<Memory>> = SIZES.map(|n| run(&original, &statements, n)).collect();
    let registry = Registry::standard();
    let mut state = original.clone();
    let mut done = Vec::new();
    while !bytes.is_spent() && done.len() < LONGEST {
        let Some(step) = step(&mut bytes, &state, &registry) else { return };
        done.push(step.to_string());
        state = registry.step(&state, &step).unwrap_or_else(|e| panic!("{step} was offered: {e}\n{state}"));
        let story = || format!("{accesses:?}\n{original}\n{}\n{state}", done.join(", "));
        match dependences.check_within(&state, &Budget::steps(STEPS)) {
            Ok(verdict) => match verdict.violation() {
                Some(v) => v.replay(&accesses, &original, &state).unwrap_or_else(|e| panic!("{v}: {e}\n{}", story())),
                None => {
                    for (n, expected) in SIZES.zip(&expected) {
                        let got = run(&state, &statements, n);
                        let both = got.as_ref().zip(expected.as_ref());
                        assert!(both.is_none_or(|(a, b)| a == b), "wrong values at {PARAM} = {n}\n{}", story());
                    }
                }
            },
            Err(Error::Budget(_)) => return,
            Err(error) => panic!("{error}\n{}", story()),
        }
    }
}
