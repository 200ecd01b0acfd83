//! From members of a text to quasi-affine functions, piecewise ones, tuples and unions of them.
//!
//! The domain tuple of a member is read as dimensions, the range as expressions over them; the range introduces no names of its
//! own (`{ [a] -> [b] : b = 2a }` is a relation).

use super::ast::*;
use super::dnf::Dnf;
use super::lexer::error_at;
use super::linear::{Lin, column};
use super::lower::{Lowering, Value};
use super::members::{Header, refuse_rational, related, union_of};
use super::parser::Parser;
use crate::{
    Aff, Columns, Error, Multi, MultiAff, MultiPwAff, MultiUnionPwAff, ParseError, Piece, Pw, PwAff, PwMultiAff, Set, Space,
    Spaced, Tuple, Union, UnionPwAff, UnionPwMultiAff, UnionSet,
};
use std::str::FromStr;

type Result<T> = std::result::Result<T, ParseError>;

/// A member read as a function.
struct Function<'a> {
    at: usize,
    text: &'a str,
    scope: Lowering<'a>,
    /// A map space, or the range's set space.
    space: Space,
    condition: Dnf,
    values: Vec<Value>,
}

fn read<'a>(header: &Header<'a>, member: &Member<'a>) -> Result<Function<'a>> {
    refuse_rational(header.text, member)?;
    let Some((range, domain)) = member.tuples.split_last() else {
        return Err(error_at(header.text, member.at, "a function needs a tuple of values, as in { S[i] -> [(i)] }"));
    };
    let (mut scope, mut conditions) = header.scope()?;
    let domain = domain.iter().map(|t| scope.tuple(t, &mut conditions)).collect::<Result<Vec<_>>>()?.pop();
    let mut values = Vec::new();
    let range = values_of(&mut scope, range, &mut values)?;
    if let Some(formula) = &member.formula {
        conditions.push(scope.formula(formula)?);
    }
    let condition = scope.and(member.at, conditions)?;
    let space = header.space(domain, Some(range));
    Ok(Function { at: member.at, text: header.text, scope, space, condition, values })
}

/// The expressions of a range tuple.
fn values_of<'a>(scope: &mut Lowering<'a>, tuple: &TupleText<'a>, values: &mut Vec<Value>) -> Result<Tuple> {
    let out = match &tuple.body {
        TupleBody::Flat(entries) => {
            let mut labels = Vec::with_capacity(entries.len());
            for entry in entries {
                let EntryValue::Pieces(pieces) = &entry.value else {
                    return scope.error(entry.at, "the range of a function consists of expressions");
                };
                if let Some(name) = scope.new_name(entry) {
                    let message =
                        format!("unknown name '{name}': the range of a function consists of expressions over its domain");
                    return scope.error(entry.at, message);
                }
                values.push(scope.pieces(pieces)?);
                labels.push(entry.label.map(|l| l.text.into()));
            }
            Tuple::new(None, labels)
        }
        TupleBody::Pair(a, b) => Tuple::wrapped(values_of(scope, a, values)?, values_of(scope, b, values)?),
    };
    Ok(out.with_name(tuple.name.map(|n| n.text.into())))
}

impl Function<'_> {
    fn domain(&self) -> Space {
        self.space.domain()
    }

    fn set(&self, dnf: &Dnf) -> Set {
        let space = crate::func::set_space(&self.domain());
        let columns = Columns::of(&space);
        let systems: Vec<_> = dnf.0.iter().map(|conj| self.scope.locals.system(columns, conj, &[])).collect();
        Set::from_systems(space, systems)
    }

    fn aff(&self, lin: &Lin) -> Result<Aff> {
        let domain = self.domain();
        if lin.is_nan() {
            return Ok(Aff::nan(&domain));
        }
        let used = self.scope.locals.closure(lin.terms.iter().map(|t| t.0));
        let first = Columns::of(&domain).len();
        let width = first + used.len();
        let column = |v| column(v, &used, first);
        let divs = self.scope.locals.definitions(&used, width, column);
        let Some(divs) = divs.into_iter().collect::<Option<Vec<_>>>() else {
            return Err(error_at(self.text, self.at, "a quantified variable cannot be part of a function's value"));
        };
        Ok(Aff::from_parts(&domain, &divs, &lin.row(width, column), &lin.den))
    }

    fn conditional(&self, value: &Value) -> Result<Vec<(Dnf, Lin)>> {
        let mut out = Vec::with_capacity(value.pieces.len());
        for (test, lin) in &value.pieces {
            out.push((self.scope.and(self.at, vec![self.condition.clone(), test.clone()])?, lin.clone()));
        }
        Ok(out)
    }

    fn element(&self, value: &Value) -> Result<PwAff> {
        let mut out = Vec::new();
        for (test, lin) in self.conditional(value)? {
            out.push((self.set(&test), self.aff(&lin)?));
        }
        Ok(Pw::disjoint(self.domain().with_tuples(self.space.domain_tuple().cloned(), Some(Tuple::anonymous(1))), out))
    }

    fn multi(&self) -> Result<MultiPwAff> {
        if self.values.is_empty() {
            return Ok(Multi::empty_tuple(&self.space, self.set(&self.condition)));
        }
        let elements = self.values.iter().map(|v| self.element(v)).collect::<Result<_>>()?;
        Ok(Multi::new(&self.space, elements))
    }

    fn piecewise(&self) -> Result<PwMultiAff> {
        let mut product: Vec<(Dnf, Vec<&Lin>)> = vec![(self.condition.clone(), Vec::new())];
        for value in &self.values {
            let mut next = Vec::with_capacity(product.len());
            for (test, lins) in &product {
                for (piece, lin) in &value.pieces {
                    let both = self.scope.and(self.at, vec![test.clone(), piece.clone()])?;
                    if !both.0.is_empty() {
                        next.push((both, lins.iter().copied().chain([lin]).collect()));
                    }
                }
            }
            product = next;
        }
        let mut out = Vec::with_capacity(product.len());
        for (test, lins) in product {
            let elements = lins.into_iter().map(|l| self.aff(l)).collect::<Result<Vec<_>>>()?;
            out.push((self.set(&test), self.tuple_of(elements)));
        }
        Ok(Pw::disjoint(self.space.clone(), out))
    }

    fn tuple_of(&self, elements: Vec<Aff>) -> MultiAff {
        Multi::new(&self.space, elements)
    }

    fn unconditional(&self) -> Result<MultiAff> {
        if !self.condition.is_truth() {
            return Err(error_at(
                self.text,
                self.at,
                "an affine function has no condition; read the text as a piecewise function",
            ));
        }
        let mut elements = Vec::with_capacity(self.values.len());
        for value in &self.values {
            match value.single() {
                Some(lin) => elements.push(self.aff(lin)?),
                None => {
                    return Err(error_at(
                        self.text,
                        self.at,
                        "expected one expression without cases; read the text as a piecewise function",
                    ));
                }
            }
        }
        Ok(self.tuple_of(elements))
    }
}

fn piecewise(header: &Header<'_>, member: &Member<'_>) -> Result<PwMultiAff> {
    read(header, member)?.piecewise()
}

fn multi(header: &Header<'_>, member: &Member<'_>) -> Result<MultiPwAff> {
    read(header, member)?.multi()
}

fn scalar(header: &Header<'_>, member: &Member<'_>) -> Result<PwAff> {
    let multi = multi(header, member)?;
    if *multi.range_tuple() != Tuple::anonymous(1) {
        let message = format!("a single expression has the range [..] of one dimension, not {}", multi.range_tuple());
        return Err(error_at(header.text, member.at, message));
    }
    Ok(multi.get(0).clone())
}

// Adds where domains overlap, as isl does.
pub(super) fn joined<E: Piece>(a: Pw<E>, b: &Pw<E>, add: impl Fn(&Pw<E>, &Pw<E>) -> Pw<E>) -> Pw<E> {
    if a.domain().is_disjoint(&b.domain()) {
        let space = a.space().union_params(b.space());
        let pieces = a.pieces().iter().chain(b.pieces()).cloned().collect();
        return Pw::disjoint(space, pieces);
    }
    add(&a, b)
}

fn members_of(text: &str) -> Result<(Header<'_>, Braced<'_>)> {
    let (mut parser, header) = Header::open(text)?;
    let braced = parser.braced()?;
    parser.expect_end()?;
    Ok((header, braced))
}

fn one_space<E: Piece>(
    text: &str,
    read: impl Fn(&Header<'_>, &Member<'_>) -> Result<Pw<E>>,
    add: impl Fn(&Pw<E>, &Pw<E>) -> Pw<E>,
) -> Result<Pw<E>> {
    let (header, braced) = members_of(text)?;
    let mut sum: Option<Pw<E>> = None;
    for member in &braced.members {
        let value = read(&header, member)?;
        sum = Some(match sum {
            None => value,
            Some(sum) if sum.space().same_tuples(value.space()) => joined(sum, &value, &add),
            Some(sum) => {
                let message =
                    format!("this function lives in another space ({}) than the first ({})", value.space(), sum.space());
                return Err(error_at(text, member.at, message));
            }
        });
    }
    sum.ok_or_else(|| error_at(text, braced.at, "expected a function, as in { S[i] -> [(i)] }"))
}

fn union<E: Piece>(
    header: &Header<'_>,
    braced: &Braced<'_>,
    read: impl Fn(&Header<'_>, &Member<'_>) -> Result<Pw<E>>,
    add: impl Fn(&Pw<E>, &Pw<E>) -> Pw<E>,
) -> Result<Union<Pw<E>>>
where
    Pw<E>: Spaced,
{
    let mut members = std::collections::BTreeMap::new();
    for member in &braced.members {
        let value = read(header, member)?;
        let value = match members.remove(&value.key()) {
            None => value,
            Some(sum) => joined(sum, &value, &add),
        };
        members.insert(value.key(), value);
    }
    Ok(Union { members })
}

fn one_member(text: &str) -> Result<(Header<'_>, Member<'_>)> {
    let (header, braced) = members_of(text)?;
    let at = braced.at;
    let mut members = braced.members.into_iter();
    match (members.next(), members.next()) {
        (Some(member), None) => Ok((header, member)),
        (_, other) => {
            let at = other.map_or(at, |m| m.at);
            Err(error_at(text, at, "expected exactly one member; read the text as a piecewise function or a union"))
        }
    }
}

fn multi_aff(text: &str) -> Result<MultiAff> {
    let (header, member) = one_member(text)?;
    read(&header, &member)?.unconditional()
}

fn aff(text: &str) -> Result<Aff> {
    let multi = multi_aff(text)?;
    match multi.elements() {
        [one] if *multi.range_tuple() == Tuple::anonymous(1) => Ok(one.clone()),
        _ => {
            let message = format!("a single expression has the range [..] of one dimension, not {}", multi.range_tuple());
            Err(error_at(text, text.find('{').unwrap_or(0), message))
        }
    }
}

fn multi_pw_aff(text: &str) -> Result<MultiPwAff> {
    let (header, braced) = members_of(text)?;
    match &braced.members[..] {
        [one] => multi(&header, one),
        _ => Ok(one_space(text, piecewise, PwMultiAff::union_add)?.to_multi_pw_aff()),
    }
}

fn multi_union(text: &str) -> Result<MultiUnionPwAff> {
    let mut parser = Parser::new(text)?;
    let mut entries = parser.parameters()?;
    let (inner, tuple, domain) = parser.multi_union()?;
    parser.expect_end()?;
    // A parameter may be listed again inside.
    for entry in inner {
        let known = Header::name_of(text, &entry)?;
        if !entries.iter().any(|e| Header::name_of(text, e).is_ok_and(|n| n == known)) {
            entries.push(entry);
        }
    }
    let header = Header::new(text, entries)?;
    let mut elements = Vec::new();
    let range = tuple_of_elements(&header, &tuple, &mut elements)?;
    let domain = domain.map(|d| domain_of(&header, &d)).transpose()?;
    let space = header.space(None, Some(range));
    if domain.is_none() && elements.is_empty() {
        return Err(error_at(text, 0, "a tuple without members needs its domain, as in ([] : { S[i] })"));
    }
    Ok(match domain {
        Some(domain) if elements.is_empty() => Multi::empty_tuple(&space, domain),
        Some(domain) => Multi::new(&space, elements).intersect_domain(&domain),
        None => Multi::new(&space, elements),
    })
}

// A condition on the parameters alone is one on the functions without domain dimensions, whose domains are over `[]`.
fn domain_of(header: &Header<'_>, braced: &Braced<'_>) -> Result<UnionSet> {
    let mut members = braced.members.iter().map(|m| related(header, m)).collect::<Result<Vec<_>>>()?;
    for member in &mut members {
        member.space = crate::func::set_space(&member.space);
    }
    union_of(header.text, members)
}

fn tuple_of_elements(header: &Header<'_>, tuple: &BracedTuple<'_>, elements: &mut Vec<UnionPwAff>) -> Result<Tuple> {
    let out = match &tuple.body {
        BracedBody::Flat(all) => {
            for element in all {
                elements.push(union(header, element, scalar, PwAff::union_add)?);
            }
            Tuple::anonymous(all.len())
        }
        BracedBody::Pair(a, b) => {
            Tuple::wrapped(tuple_of_elements(header, a, elements)?, tuple_of_elements(header, b, elements)?)
        }
    };
    Ok(out.with_name(tuple.name.map(|n| n.text.into())))
}

fn union_pw_aff(text: &str) -> Result<UnionPwAff> {
    let (header, braced) = members_of(text)?;
    union(&header, &braced, scalar, PwAff::union_add)
}

fn union_pw_multi_aff(text: &str) -> Result<UnionPwMultiAff> {
    let (header, braced) = members_of(text)?;
    union(&header, &braced, piecewise, PwMultiAff::union_add)
}

macro_rules! from_str {
    ($($ty:ty, $read:expr, $example:literal;)*) => {$(
        impl FromStr for $ty {
            type Err = Error;
            #[doc = concat!("Reads isl notation, for example `", $example, "`.")]
            fn from_str(text: &str) -> std::result::Result<Self, Error> {
                Ok($read(text)?)
            }
        }
    )*};
}
from_str! {
    Aff, aff, "{ S[i] -> [(floor((i)/2))] }";
    MultiAff, multi_aff, "{ S[i] -> A[i, i + 1] }";
    PwAff, |text| one_space(text, scalar, PwAff::union_add), "{ S[i] -> [(i)] : i >= 0; S[i] -> [(-i)] : i < 0 }";
    PwMultiAff, |text| one_space(text, piecewise, PwMultiAff::union_add), "{ S[i] -> A[i] : i >= 0 }";
    MultiPwAff, multi_pw_aff, "{ S[i] -> A[(i : i >= 0; 0 : i < 0), (2)] }";
    UnionPwAff, union_pw_aff, "{ S[i] -> [(i)]; T[j] -> [(2j)] }";
    UnionPwMultiAff, union_pw_multi_aff, "{ S[i] -> A[i]; T[j] -> A[2j] }";
    MultiUnionPwAff, multi_union, "L_0[{ S[i] -> [(i)]; T[j] -> [(j)] }]";
}
