//! From members of a text to values: sets and maps from disjunctions, unions from members of several spaces.

use super::ast::*;
use super::dnf::Dnf;
use super::lexer::error_at;
use super::linear::Var;
use super::lower::Lowering;
use super::parser::Parser;
use crate::{
    BasicRelation, Columns, Error, Kind, OfMap, OfParams, OfSet, ParseError, Relation, Space, Spaced, System, Tuple, Union,
    UnionMap, UnionSet,
};
use std::str::FromStr;

type Result<T> = std::result::Result<T, ParseError>;

/// The parameters of a text: sorted names and what their tuple says of them.
pub(crate) struct Header<'a> {
    pub(crate) text: &'a str,
    pub(crate) names: Vec<&'a str>,
    entries: Vec<Entry<'a>>,
}

impl<'a> Header<'a> {
    pub(crate) fn new(text: &'a str, entries: Vec<Entry<'a>>) -> Result<Header<'a>> {
        let names = entries.iter().map(|e| Header::name_of(text, e)).collect::<Result<Vec<_>>>()?;
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        if let Some(twice) = (1..names.len()).find(|&i| names[..i].contains(&names[i])).filter(|_| sorted.len() < names.len()) {
            return Err(error_at(text, entries[twice].at, format!("parameter '{}' is listed twice", names[twice])));
        }
        Ok(Header { text, names: sorted, entries })
    }

    /// The parameter that an entry of the list names.
    pub(crate) fn name_of(text: &str, entry: &Entry<'a>) -> Result<&'a str> {
        match (&entry.label, &entry.value) {
            (Some(name), _) => Ok(name.text),
            (None, EntryValue::Pieces(pieces)) => match &pieces[..] {
                [(Expr::Name(name), None)] => Ok(name.text),
                _ => Err(error_at(text, entry.at, "expected the name of a parameter")),
            },
            _ => Err(error_at(text, entry.at, "expected the name of a parameter")),
        }
    }

    /// A parser of `text` and its header.
    pub(crate) fn open(text: &'a str) -> Result<(Parser<'a>, Header<'a>)> {
        let mut parser = Parser::new(text)?;
        let entries = parser.parameters()?;
        Ok((parser, Header::new(text, entries)?))
    }

    pub(crate) fn space(&self, domain: Option<Tuple>, range: Option<Tuple>) -> Space {
        Space::params(&self.names).with_tuples(domain, range)
    }

    /// A fresh scope for one member, with the conditions that the list of parameters states.
    pub(crate) fn scope(&self) -> Result<(Lowering<'a>, Vec<Dnf>)> {
        let mut scope = Lowering::new(self.text, &self.names);
        let mut conditions = Vec::new();
        for entry in &self.entries {
            if let Some(label) = entry.label {
                let position = self.names.binary_search(&label.text).unwrap_or(0) as Var;
                let unlabelled = Entry { at: entry.at, label: None, value: entry.value.clone() };
                scope.constrain(position, &unlabelled, &mut conditions)?;
            }
        }
        Ok((scope, conditions))
    }
}

/// A member read as a relation.
pub(crate) struct Related {
    pub(crate) at: usize,
    pub(crate) space: Space,
    pub(crate) systems: Vec<System>,
}

pub(crate) fn refuse_rational(text: &str, member: &Member<'_>) -> Result<()> {
    if member.rational {
        return Err(error_at(text, member.at, "rational sets ('rat:') are not supported; all values are integer"));
    }
    Ok(())
}

pub(crate) fn related<'a>(header: &Header<'a>, member: &Member<'a>) -> Result<Related> {
    refuse_rational(header.text, member)?;
    let (mut scope, mut conditions) = header.scope()?;
    let mut tuples = member.tuples.iter().map(|t| scope.tuple(t, &mut conditions)).collect::<Result<Vec<_>>>()?;
    if let Some(formula) = &member.formula {
        conditions.push(scope.formula(formula)?);
    }
    let dnf = scope.and(member.at, conditions)?;
    let range = tuples.pop();
    let space = header.space(tuples.pop(), range);
    let columns = Columns::of(&space);
    let systems = dnf.0.iter().map(|conj| scope.locals.system(columns, conj, &[])).collect();
    Ok(Related { at: member.at, space, systems })
}

fn read_members(text: &str) -> Result<(Space, Vec<Related>)> {
    let (mut parser, header) = Header::open(text)?;
    let braced = parser.braced()?;
    parser.expect_end()?;
    let members = braced.members.iter().map(|m| related(&header, m)).collect::<Result<_>>()?;
    Ok((header.space(None, None), members))
}

/// Lifts the space of a member to that of the wanted kind.
fn lifted<K: Kind>(text: &str, member: &Related) -> Result<Space> {
    if K::accepts(&member.space) {
        return Ok(member.space.clone());
    }
    // A set is read as a map from the empty tuple, as in isl.
    if member.space.is_set() {
        let map = member.space.with_tuples(Some(Tuple::anonymous(0)), member.space.range_tuple().cloned());
        if K::accepts(&map) {
            return Ok(map);
        }
    }
    let kind = if member.space.is_map() {
        OfMap::NAME
    } else if member.space.is_set() {
        OfSet::NAME
    } else {
        OfParams::NAME
    };
    Err(error_at(text, member.at, format!("expected a {}, found a {kind}", K::NAME)))
}

fn read_relation<K: Kind>(text: &str) -> Result<Relation<K>> {
    let (params, members) = read_members(text)?;
    let mut space: Option<Space> = None;
    let mut systems = Vec::new();
    for member in members {
        let own = lifted::<K>(text, &member)?;
        match &space {
            None => space = Some(own),
            Some(space) if space.same_tuples(&own) => {}
            Some(space) => {
                let message =
                    format!("this member lives in another space ({own}) than the first ({space}); read the text as a union");
                return Err(error_at(text, member.at, message));
            }
        }
        systems.extend(member.systems);
    }
    match space {
        Some(space) => Ok(Relation::from_systems(space, systems)),
        None if K::accepts(&params) => Ok(Relation::empty(params)),
        None => {
            Err(error_at(text, text.find('{').unwrap_or(0), format!("a {} needs a tuple, as in {{ S[i] : false }}", K::NAME)))
        }
    }
}

pub(crate) fn union_of<K: Kind>(text: &str, members: Vec<Related>) -> Result<Union<Relation<K>>>
where
    Relation<K>: Spaced,
{
    let mut grouped: std::collections::BTreeMap<crate::union::Key, (Space, Vec<System>)> = Default::default();
    for member in members {
        let space = lifted::<K>(text, &member)?;
        let key = (space.domain_tuple().cloned(), space.range_tuple().cloned());
        grouped.entry(key).or_insert_with(|| (space, Vec::new())).1.extend(member.systems);
    }
    let members = grouped.into_iter().map(|(key, (space, systems))| (key, Relation::from_systems(space, systems))).collect();
    Ok(Union { members })
}

fn read_basic<K: Kind>(text: &str) -> Result<BasicRelation<K>> {
    let whole = read_relation::<K>(text)?;
    let mut systems = whole.systems();
    match (systems.next(), systems.next()) {
        (None, _) => Ok(BasicRelation::from_system(whole.space().clone(), System::contradiction(Columns::of(whole.space())))),
        (Some(system), None) => Ok(BasicRelation::from_system(whole.space().clone(), system.clone())),
        _ => Err(error_at(text, 0, format!("a basic {} is one conjunction; read the text as a {}", K::NAME, K::NAME))),
    }
}

impl<K: Kind> FromStr for Relation<K> {
    type Err = Error;
    /// Reads isl notation, for example `[n] -> { S[i] : 0 <= i < n }`. All members must live in one space.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        Ok(read_relation(text)?)
    }
}

impl<K: Kind> FromStr for BasicRelation<K> {
    type Err = Error;
    /// Reads one conjunction in isl notation.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        Ok(read_basic(text)?)
    }
}

impl FromStr for UnionSet {
    type Err = Error;
    /// Reads isl notation, for example `{ S[i] : i > 0; T[] }`.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        let (_, members) = read_members(text)?;
        Ok(union_of(text, members)?)
    }
}

impl FromStr for UnionMap {
    type Err = Error;
    /// Reads isl notation, for example `{ S[i] -> A[i]; T[i] -> B[] }`.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        let (_, members) = read_members(text)?;
        Ok(union_of(text, members)?)
    }
}

impl FromStr for Space {
    type Err = Error;
    /// Reads the space of a single member without conditions, for example `[n] -> { S[i] -> A[j] }`.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        let (_, members) = read_members(text)?;
        match &members[..] {
            [one] => Ok(one.space.clone()),
            _ => Err(error_at(text, 0, "a space is written as one member, as in { S[i] }").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Map, Params, Set, UnionMap, UnionSet};

    #[track_caller]
    fn pieces(text: &str, expect: usize) {
        let set: Set = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(set.n_basic(), expect, "{set:?}");
        set.systems().for_each(|s| s.check_invariants());
    }

    #[test]
    fn formulas_expand_without_contradictions() {
        pieces("{ [i] : i != 3 and i != 5 and i != 7 and i != 9 }", 5);
        pieces("{ [x] : x mod 2 != 0 }", 1);
        pieces("{ [x] : not (x mod 5 = 0) }", 1);
        pieces("{ [x, y] : x <= min(y, 2y + 3) }", 1);
        pieces("{ [x, y] : x >= min(y, 2y + 3) }", 2);
        pieces("{ [x, y, z] : x, y << y, z }", 2);
        pieces("{ [x, y] : [x, y] <<= [3, 4] }", 3);
        pieces("{ [x] : x = 5 implies x > 3 implies x > 7 }", 4);
        pieces("{ [0:3, x = 1:5, y = 2x, *, y] }", 1);
        pieces("[n] -> { [i, i'] : exists (e = floor(i/2), f : 0 <= e, i' < n and f >= 2i) }", 1);
        pieces("{ [x] : (x > 1 ? x : 5) = 3 }", 1);
    }

    #[test]
    fn deep_texts() {
        // A debug build takes up to 25 kB of stack a level, more in all than a test's thread has.
        std::thread::Builder::new().stack_size(16 << 20).spawn(check_deep_texts).unwrap().join().unwrap();
    }

    fn check_deep_texts() {
        let nested = |n: usize| format!("{{ [x] : {}x{} >= 0 }}", "(".repeat(n), ")".repeat(n));
        pieces(&nested(200), 1);
        let error = nested(100_000).parse::<Set>().unwrap_err().to_string();
        assert!(error.starts_with("line 1, column 265: nested deeper than 256 levels"), "{error}");
        let error = format!("{{ {}", "A[".repeat(100_000)).parse::<Set>().unwrap_err().to_string();
        assert!(error.contains("nested deeper"), "{error}");
        pieces(&format!("{{ [x] : {} x >= 0 }}", "not ".repeat(100_000)), 1);
        pieces(&format!("{{ [x] : x {} >= 0 }}", "+ x".repeat(100_000)), 1);
        pieces(&format!("{{ [x] : x >= 0 {} }}", "and x >= 0".repeat(10_000)), 1);
    }

    #[track_caller]
    fn error<T: std::str::FromStr<Err = crate::Error>>(text: &str, expect: &str) {
        match text.parse::<T>() {
            Ok(_) => panic!("{text} was read"),
            Err(e) => assert_eq!(e.to_string(), expect),
        }
    }

    #[test]
    fn errors_have_places() {
        error::<Set>("", "line 1, column 1: expected '{', found the end of the text");
        error::<Set>("{ S[i] : i >= }", "line 1, column 15: expected an expression, found '}'");
        error::<Set>(
            "{ S[i] :
  i >= k }",
            "line 2, column 8: unknown name 'k': it is no parameter, dimension or quantified variable here",
        );
        error::<Set>("{ S[i] -> T[i] }", "line 1, column 3: expected a set, found a map");
        error::<Set>(
            "{ S[i]; T[i] }",
            "line 1, column 9: this member lives in another space ({ T[i] }) than the first ({ S[i] }); read the text as a union",
        );
        error::<Set>("{ S[i] : i * i > 0 }", "line 1, column 10: a product needs a constant factor to be affine");
        error::<Set>("{ S[i] : i mod 0 = 1 }", "line 1, column 12: division by zero");
        error::<Set>("{ S[i] : i / 0 = 1 }", "line 1, column 10: division by zero");
        error::<Set>("{ S[i] : i mod -2 = 1 }", "line 1, column 12: the modulus must be positive");
        error::<Set>("{ S[i] : i }", "line 1, column 10: expected a condition such as i >= 0, found an expression before '}'");
        error::<Set>("{ S[i] : i, j }", "line 1, column 15: expected a comparison after a list, found '}'");
        error::<Set>("{ S[i] ; ", "line 1, column 10: expected a tuple such as S[i, j], found the end of the text");
        error::<Set>("{ S[i] i > 0 }", "line 1, column 8: expected '->', ':', ';' or '}', found 'i'");
        error::<Set>("{ S[i } }", "line 1, column 7: expected ',' or ']', found '}'");
        error::<Set>("{ S[i] } x", "line 1, column 10: expected the end of the text, found 'x'");
        error::<Set>("{ S[i] : exists 3 : i > 3 }", "line 1, column 17: expected the name of a quantified variable, found '3'");
        error::<Set>("{ S[i] : [i, i] << [i] }", "line 1, column 17: lists of 2 and 1 expressions cannot be compared");
        error::<Set>("{ S[i] : i ~ 3 }", "line 1, column 12: unexpected character '~'");
        error::<Set>("{ \"S[i] }", "line 1, column 3: this quoted name has no closing '\"'");
        error::<Set>("{ }", "line 1, column 1: a set needs a tuple, as in { S[i] : false }");
        error::<Set>("[n, n] -> { [n] }", "line 1, column 5: parameter 'n' is listed twice");
        error::<Set>("[n + 1] -> { [n] }", "line 1, column 2: expected the name of a parameter");
        error::<Set>("{ rat: [i] }", "line 1, column 3: rational sets ('rat:') are not supported; all values are integer");
        error::<Params>("{ [] }", "line 1, column 3: expected a parameter set, found a set");
        error::<Map>("{ : }", "line 1, column 3: expected a map, found a parameter set");
        error::<UnionSet>("{ S[i] -> S[] }", "line 1, column 3: expected a set, found a map");
        error::<UnionMap>("[n] -> ", "line 1, column 8: expected '{', found the end of the text");
        error::<crate::BasicSet>("{ [i] : i != 0 }", "line 1, column 1: a basic set is one conjunction; read the text as a set");
    }
}
