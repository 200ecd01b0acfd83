//! Text in, text out: whatever parses prints as text that parses to the same value and prints the same.

use loopwright_deps::{AccessInfo, Flow};
use loopwright_presburger::*;
use loopwright_schedule_tree::ScheduleTree;
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Steps for deciding that two values are equal.
const STEPS: u64 = 300_000;

/// Texts longer than this are passed over.
const LONGEST: usize = 2_000;

fn input(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok().filter(|text| text.len() <= LONGEST)
}

/// The value, and what it comes back as.
fn trip<T: FromStr<Err: Display> + Display>(text: &str) -> Option<(T, T)> {
    let value: T = match text.parse() {
        Ok(value) => value,
        Err(error) => {
            let error: <T as FromStr>::Err = error;
            assert!(!error.to_string().is_empty());
            return None;
        }
    };
    let printed = value.to_string();
    let again: T = printed.parse().unwrap_or_else(|e| panic!("{text}\n  printed as {printed}\n  does not parse: {e}"));
    Some((value, again))
}

/// A relation may come back with names for dimensions that had none (`A[0, i]` beside `A[i, o1]`), but only once.
fn settles<T: FromStr<Err: Display> + Display>(again: &T) {
    if let Some((first, second)) = trip::<T>(&again.to_string()) {
        assert_eq!(second.to_string(), first.to_string(), "prints differently after each round trip");
    }
}

/// The same for types whose equality means the same text.
fn exact<T: FromStr<Err: Display> + Display + PartialEq + Debug>(text: &str) {
    if let Some((value, again)) = trip::<T>(text) {
        assert_eq!(again.to_string(), value.to_string(), "{text}\n  prints differently after a round trip");
    }
}

fn relation<K: Kind>(text: &str)
where
    Relation<K>: FromStr<Err = Error> + Display,
{
    let Some((value, again)) = trip::<Relation<K>>(text) else { return };
    assert_ne!(value.is_equal_within(&again, &Budget::steps(STEPS)), Ok(false), "{text}\n  printed as {value}");
    settles(&again);
}

fn union<K: Kind>(text: &str)
where
    Union<Relation<K>>: FromStr<Err = Error> + Display,
{
    let Some((value, again)) = trip::<Union<Relation<K>>>(text) else { return };
    assert_ne!(value.is_equal_within(&again, &Budget::steps(STEPS)), Ok(false), "{text}\n  printed as {value}");
    settles(&again);
}

/// Sets, maps, functions and quasi-polynomials in isl notation.
pub fn values(data: &[u8]) {
    let Some(text) = input(data) else { return };
    relation::<OfSet>(text);
    relation::<OfMap>(text);
    relation::<OfParams>(text);
    union::<OfSet>(text);
    union::<OfMap>(text);
    exact::<Aff>(text);
    exact::<PwAff>(text);
    exact::<MultiAff>(text);
    exact::<PwMultiAff>(text);
    exact::<MultiPwAff>(text);
    exact::<UnionPwMultiAff>(text);
    exact::<UnionPwAff>(text);
    exact::<MultiUnionPwAff>(text);
    exact::<QPolynomial>(text);
    exact::<PwQPolynomial>(text);
    exact::<UnionPwQPolynomial>(text);
    exact::<PwFold>(text);
}

/// Schedule trees, triples of schedule, context and options, access information and flow.
pub fn trees(data: &[u8]) {
    let Some(text) = input(data) else { return };
    if let Some((tree, again)) = trip::<ScheduleTree>(text) {
        let ours = tree.problems_within(&Budget::steps(STEPS)).map(|p| p.len());
        let theirs = again.problems_within(&Budget::steps(STEPS)).map(|p| p.len());
        assert!(ours.is_err() || theirs.is_err() || ours == theirs, "{text}\n  has other problems after a round trip");
        assert_eq!(again.to_string(), tree.to_string(), "{text}\n  prints differently after a round trip");
    }
    exact::<AccessInfo>(text);
    exact::<Flow>(text);
    if let Ok((schedule, context, options)) = loopwright_codegen::read_triple(text) {
        let printed = format!("{schedule}\n{context}\n{options}\n");
        let again = loopwright_codegen::read_triple(&printed).unwrap_or_else(|e| panic!("{text}\n  printed as {printed}: {e}"));
        assert_eq!(format!("{}\n{}\n{}\n", again.0, again.1, again.2), printed, "{text}");
    }
}
