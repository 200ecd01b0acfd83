//! Shifts: an amount is added to the schedule of a band with one member, for all its statements or for one.
//!
//! The amount is a value, a factor times an iterator of the statement, or a factor times a parameter. FULL shifts by an iterator
//! take one of the leading iterators that all statements below share: equal labels at equal depth.

use super::{Standard, int, position};
use crate::functions::Amount;
use crate::{Arg, ArgKind, Arguments, Choice, Cursor, Formal, Node, Refusal, ScheduleTree, Schema, functions};
use loopwright_presburger::{Int, Tuple};
use std::sync::Arc;

const STATEMENT: Formal = Formal { name: "statement", kind: ArgKind::Statement };
const VALUE: Formal = Formal { name: "value", kind: ArgKind::Int };
const FACTOR: Formal = Formal { name: "factor", kind: ArgKind::Int };
const ITERATOR: Formal = Formal { name: "iterator", kind: ArgKind::Iterator };
const PARAMETER: Formal = Formal { name: "parameter", kind: ArgKind::Parameter };

pub(super) const ALL: &[Standard] = &[
    Standard {
        name: "FULL_SHIFT_VAL",
        summary: "adds a value to a band's schedule",
        schema: Schema::Fixed(&[VALUE]),
        arguments: |name, at| loop_at(name, at).map(|_| Arguments::product(vec![Choice::ANY])),
        rewrite: |name, at, args| {
            let amount = Amount::Value(Int::from(int(name, args, 0)?));
            shift(name, at, None, &amount)
        },
    },
    Standard {
        name: "PARTIAL_SHIFT_VAL",
        summary: "adds a value to a band's schedule of one statement",
        schema: Schema::Fixed(&[STATEMENT, VALUE]),
        arguments: |name, at| {
            let statements = statements(name, at)?;
            Ok(Arguments::product(vec![Choice::below(statements.len()), Choice::ANY]))
        },
        rewrite: |name, at, args| {
            let amount = Amount::Value(Int::from(int(name, args, 1)?));
            shift(name, at, Some(&statement(name, at, args)?), &amount)
        },
    },
    Standard {
        name: "FULL_SHIFT_VAR",
        summary: "adds a multiple of an iterator that all statements share to a band's schedule",
        schema: Schema::Fixed(&[ITERATOR, FACTOR]),
        arguments: |name, at| {
            let shared = shared_iterators(&statements(name, at)?);
            if shared == 0 {
                return Err(Refusal::place(name, "a band whose statements share an iterator", at));
            }
            Ok(Arguments::product(vec![Choice::below(shared), Choice::ANY]))
        },
        rewrite: |name, at, args| {
            let iterator = position(name, args, 0)?;
            if iterator >= shared_iterators(&statements(name, at)?) {
                return Err(super::wrong(name, args, 0, "an iterator that all statements share"));
            }
            shift(name, at, None, &Amount::Iterator(iterator, Int::from(int(name, args, 1)?)))
        },
    },
    Standard {
        name: "PARTIAL_SHIFT_VAR",
        summary: "adds a multiple of an iterator to a band's schedule of one statement",
        schema: Schema::Fixed(&[STATEMENT, ITERATOR, FACTOR]),
        arguments: |name, at| {
            let statements = statements(name, at)?;
            let of = |(rank, s): (usize, &Tuple)| vec![Choice::only(rank), Choice::below(s.len()), Choice::ANY];
            Ok(Arguments::new(statements.iter().enumerate().map(of)))
        },
        rewrite: |name, at, args| {
            let (statement, iterator) = (statement(name, at, args)?, position(name, args, 1)?);
            if iterator >= statement.len() {
                return Err(super::wrong(name, args, 1, "an iterator of the statement"));
            }
            shift(name, at, Some(&statement), &Amount::Iterator(iterator, Int::from(int(name, args, 2)?)))
        },
    },
    Standard {
        name: "FULL_SHIFT_PARAM",
        summary: "adds a multiple of a parameter to a band's schedule",
        schema: Schema::Fixed(&[PARAMETER, FACTOR]),
        arguments: |name, at| {
            loop_at(name, at)?;
            Ok(Arguments::product(vec![Choice::List(parameters(at)), Choice::ANY]))
        },
        rewrite: |name, at, args| {
            let amount = Amount::Parameter(parameter(name, args, 0)?, Int::from(int(name, args, 1)?));
            shift(name, at, None, &amount)
        },
    },
    Standard {
        name: "PARTIAL_SHIFT_PARAM",
        summary: "adds a multiple of a parameter to a band's schedule of one statement",
        schema: Schema::Fixed(&[STATEMENT, PARAMETER, FACTOR]),
        arguments: |name, at| {
            let statements = statements(name, at)?;
            Ok(Arguments::product(vec![Choice::below(statements.len()), Choice::List(parameters(at)), Choice::ANY]))
        },
        rewrite: |name, at, args| {
            let amount = Amount::Parameter(parameter(name, args, 1)?, Int::from(int(name, args, 2)?));
            shift(name, at, Some(&statement(name, at, args)?), &amount)
        },
    },
];

fn loop_at(name: &str, at: &Cursor) -> Result<(), Refusal> {
    match at.node().as_band() {
        Some(band) if band.len() == 1 => Ok(()),
        _ => Err(Refusal::place(name, "a band of one member", at)),
    }
}

fn statements(name: &str, at: &Cursor) -> Result<Vec<Tuple>, Refusal> {
    loop_at(name, at)?;
    Ok(at.statements())
}

fn statement(name: &str, at: &Cursor, args: &[Arg]) -> Result<Tuple, Refusal> {
    let rank = position(name, args, 0)?;
    let statement = statements(name, at)?.into_iter().nth(rank);
    statement.ok_or_else(|| super::wrong(name, args, 0, "the rank of a statement below the band"))
}

fn parameter<'a>(name: &str, args: &'a [Arg], position: usize) -> Result<&'a str, Refusal> {
    let parameter = args.get(position).and_then(Arg::as_name);
    parameter.map(|p| &**p).ok_or_else(|| super::wrong(name, args, position, "the name of a parameter"))
}

// How many leading iterators have the same label in all statements.
fn shared_iterators(statements: &[Tuple]) -> usize {
    let Some((first, rest)) = statements.split_first() else {
        return 0;
    };
    (0..first.len()).take_while(|&i| rest.iter().all(|s| i < s.len() && s.label(i) == first.label(i))).count()
}

// The parameters of the tree's domain and of the band's schedule, by name.
fn parameters(at: &Cursor) -> Vec<Arg> {
    let mut names: Vec<Arg> = at
        .tree()
        .domain()
        .into_iter()
        .flat_map(|d| d.members())
        .flat_map(|s| s.space().param_ids().to_vec())
        .map(Arg::Name)
        .collect();
    if let Some(band) = at.node().as_band() {
        names.extend(functions::parameters(band.schedule()).into_iter().map(Arg::Name));
    }
    names.sort();
    names.dedup();
    names
}

fn shift(name: &str, at: &Cursor, only: Option<&Tuple>, amount: &Amount) -> Result<ScheduleTree, Refusal> {
    let Node::Band { band, child } = &**at.node() else {
        return Err(Refusal::place(name, "a band of one member", at));
    };
    let shifted = band.with_schedule(functions::shifted(band.schedule(), only, amount));
    Ok(at.replaced(Arc::new(Node::band(shifted, super::without_claims(child))))?)
}
