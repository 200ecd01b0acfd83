//! Schedule maps: `{ S[i] -> [t0, t1, ..] }` with a context and options, and the files that hold such triples.

use loopwright_presburger::{Budget, Dim, Id, Int, Set, UnionMap};

use crate::ast::Ast;
use crate::error::Error;
use crate::options::Options;
use crate::region;
use crate::scan::{LoopStyle, Member, Part, Scanner, Ties};

/// Reads three texts in isl notation, one after the other: schedule, context, options.
///
/// # Errors
/// [`Error::Input`] says which of the three is wrong, and where.
pub fn read_triple(text: &str) -> Result<(UnionMap, Set, UnionMap), Error> {
    let texts = split(text);
    let [schedule, context, options] = &texts[..] else {
        return Err(Error::Input(format!(
            "a schedule, a context and options are expected, three in all; there are {}",
            texts.len()
        )));
    };
    let wrong = |what: &str, error: String| Error::Input(format!("{what}: {error}"));
    let schedule: UnionMap = schedule.parse().map_err(|e| wrong("schedule", format!("{e}")))?;
    let context = region::parse_context(context).map_err(|e| wrong("context", e))?;
    let options: UnionMap = options.parse().map_err(|e| wrong("options", format!("{e}")))?;
    Ok((schedule, context, options))
}

/// The texts between which braces are balanced.
fn split(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut current = String::new();
    let mut depth = 0usize;
    for line in text.lines() {
        let line = line.split('#').next().unwrap_or("");
        for c in line.chars() {
            current.push(c);
            match c {
                '{' => depth += 1,
                '}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        texts.push(std::mem::take(&mut current).trim().to_string());
                    }
                }
                _ => {}
            }
        }
        current.push('\n');
    }
    if !current.trim().is_empty() {
        texts.push(current.trim().to_string());
    }
    texts
}

/// Loops that run `{ S[i] -> t }` in the order of t, once for every pair. Shorter times are filled up with zeros.
///
/// Options have the form `{ [t] -> unroll[x] }` (or `separate`, `atomic`) for dimension x; conditions on t are not looked at, as
/// options change the shape of code, never its order.
///
/// # Errors
/// As [`crate::generate`].
pub fn generate_from_map(schedule: &UnionMap, context: &Set, options: &UnionMap, settings: &Options) -> Result<Ast, Error> {
    generate_from_map_within(schedule, context, options, settings, &Budget::UNLIMITED)
}

/// [`generate_from_map`] within a budget.
///
/// # Errors
/// As [`generate_from_map`], and [`Error::Budget`].
pub fn generate_from_map_within(
    schedule: &UnionMap,
    context: &Set,
    options: &UnionMap,
    settings: &Options,
    budget: &Budget,
) -> Result<Ast, Error> {
    let mut params: Vec<Id> = context.space().param_ids().to_vec();
    params.extend(schedule.iter().flat_map(|map| map.space().param_ids().to_vec()));
    params.sort();
    params.dedup();
    let scanner = Scanner::new(params, settings, budget);
    let length = schedule.iter().map(|map| map.space().dim(Dim::Out)).max().unwrap_or(0);
    let mut parts: Vec<Part> = Vec::new();
    for map in schedule.iter() {
        let Some(tuple) = map.space().domain_tuple() else { continue };
        let own = map.space().dim(Dim::Out);
        let region = region::insert(&region::of_map(map, &scanner.params, 0), own, length - own);
        let part = Part::new(tuple, region::with_zeros(&region, own, length - own));
        match parts.iter_mut().find(|other| other.tuple == part.tuple) {
            Some(other) => other.region = region::union(&other.region, &part.region),
            None => parts.push(part),
        }
    }
    let own = context.space().dim(Dim::Out);
    if own > 0 {
        return Err(Error::Input("a context is a set of parameter values, without dimensions".into()));
    }
    let scope = scanner.assume(&scanner.outermost(), &region::of_set(context, &scanner.params, 0))?;
    let mut members: Vec<Member> = (0..length)
        .map(|x| Ok(Member { style: style(options, x, budget)?, ..Member::default() }))
        .collect::<Result<_, Error>>()?;
    if let Some(last) = members.last_mut() {
        last.ties = Ties::Free;
    }
    let root = scanner.members(&members, parts, &scope, &|parts, scope| scanner.leaf(parts, scope))?;
    scanner.finish(root, &scope.known)
}

/// The style that options give to dimension x.
fn style(options: &UnionMap, x: usize, budget: &Budget) -> Result<LoopStyle, Error> {
    let mut found = LoopStyle::Default;
    for map in options.iter() {
        let style = match map.space().range_tuple().and_then(|t| t.name()).map(|name| &**name) {
            Some("unroll") => LoopStyle::Unroll,
            Some("separate") => LoopStyle::Separate,
            Some("atomic") => LoopStyle::Atomic,
            _ => continue,
        };
        if map.space().dim(Dim::Out) == 1
            && found == LoopStyle::Default
            && !map.fix(Dim::Out, 0, &Int::from(i64::try_from(x).unwrap_or(i64::MAX))).is_empty_within(budget)?
        {
            found = style;
        }
    }
    Ok(found)
}
