//! `Display` of every value, in isl notation that reads back as the same value.

use super::printer::{self, Names, header, member, name, quotient, tuple};
use crate::{
    Aff, BasicRelation, Kind, MultiAff, MultiPwAff, MultiUnionPwAff, Point, Pw, PwAff, PwMultiAff, Relation, Set, Space, Tuple,
    UnionMap, UnionPwAff, UnionPwMultiAff, UnionSet,
};
use std::fmt::{Display, Formatter, Result};

pub(super) fn braced(f: &mut Formatter<'_>, params: &Space, members: &[String]) -> Result {
    match members {
        [] => write!(f, "{}{{ }}", header(params)),
        _ => write!(f, "{}{{ {} }}", header(params), members.join("; ")),
    }
}

fn relation_members<K: Kind>(relation: &Relation<K>) -> Vec<String> {
    relation.systems().map(|s| member(relation.space(), s)).collect()
}

fn nothing(space: &Space) -> String {
    let tuples = Names::new(space).tuple(space);
    if tuples.is_empty() { ": false".into() } else { format!("{tuples} : false") }
}

impl<K: Kind> Display for Relation<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut members = relation_members(self);
        if members.is_empty() {
            members.push(nothing(self.space()));
        }
        braced(f, self.space(), &members)
    }
}

impl<K: Kind> Display for BasicRelation<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        braced(f, self.space(), &[member(self.space(), self.system())])
    }
}

pub(super) fn all_params<'a>(spaces: impl Iterator<Item = &'a Space>) -> Space {
    spaces.fold(Space::params(&[]), |all, s| all.union_params(s))
}

macro_rules! display_union {
    ($($ty:ty, $members:ident;)*) => {$(
        impl Display for $ty {
            fn fmt(&self, f: &mut Formatter<'_>) -> Result {
                let members: Vec<String> = self.members().flat_map($members).collect();
                // without a member, no parameter comes back either
                let of = if members.is_empty() { 0 } else { self.n_members() };
                braced(f, &all_params(self.members().take(of).map(|m| m.space())), &members)
            }
        }
    )*};
}
display_union! {
    UnionSet, relation_members;
    UnionMap, relation_members;
    UnionPwAff, scalar_members;
    UnionPwMultiAff, tuple_members;
}

fn aff_text(names: &Names, aff: &Aff) -> String {
    quotient(names, &aff.divs, &aff.num, &aff.den)
}

/// `S[i] -> ` for functions with a domain tuple, and the names of its dimensions.
pub(super) fn domain_text(space: &Space) -> (Names, String) {
    let domain = space.domain();
    let names = Names::new(&domain);
    let text = names.tuple(&domain);
    let arrow = if text.is_empty() { text } else { format!("{text} -> ") };
    (names, arrow)
}

fn range_text(range: &Tuple, entries: &[String]) -> String {
    tuple(range, &mut 0, &|i| entries[i].clone())
}

/// The condition of a piece, empty if there is none. Pieces are disjoint, but the conjunctions of one may overlap.
pub(super) fn condition(names: &Names, domain: &Set) -> String {
    let parts: Vec<String> = domain.systems().map(|s| printer::condition(s, names)).collect();
    match &parts[..] {
        [] => "false".into(),
        [one] => one.clone(),
        _ if parts.iter().any(String::is_empty) => String::new(),
        _ => parts.iter().map(|p| format!("({p})")).collect::<Vec<_>>().join(" or "),
    }
}

pub(super) fn with_condition(value: String, condition: String) -> String {
    if condition.is_empty() { value } else { format!("{value} : {condition}") }
}

fn multi_member(multi: &MultiAff, names: &Names, arrow: &str) -> String {
    let entries: Vec<String> = multi.elements.iter().map(|e| aff_text(names, e)).collect();
    format!("{arrow}{}", range_text(multi.range_tuple(), &entries))
}

fn scalar_members(pw: &PwAff) -> Vec<String> {
    let (names, arrow) = domain_text(&pw.space);
    let value = |aff: &Aff| format!("{arrow}[{}]", aff_text(&names, aff));
    pw.pieces.iter().map(|(domain, aff)| with_condition(value(aff), condition(&names, domain))).collect()
}

fn tuple_members(pw: &PwMultiAff) -> Vec<String> {
    // All pieces of one function name its domain alike.
    let (names, arrow) = domain_text(&pw.space);
    let piece =
        |(domain, multi): &(Set, MultiAff)| with_condition(multi_member(multi, &names, &arrow), condition(&names, domain));
    pw.pieces.iter().map(piece).collect()
}

// A function that is defined nowhere keeps its space in text.
fn nowhere(space: &Space) -> String {
    let (_, arrow) = domain_text(space);
    let range = space.tuple();
    format!("{arrow}{} : false", range_text(range, &vec!["(0)".to_string(); range.len()]))
}

impl Display for Aff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let names = Names::new(&self.domain);
        let domain = names.tuple(&self.domain);
        let arrow = if domain.is_empty() { "" } else { " -> " };
        braced(f, &self.domain, &[format!("{domain}{arrow}[{}]", aff_text(&names, self))])
    }
}

impl Display for MultiAff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (names, arrow) = domain_text(&self.space);
        braced(f, &self.space, &[multi_member(self, &names, &arrow)])
    }
}

fn pieces_or_nowhere<E>(f: &mut Formatter<'_>, pw: &Pw<E>, members: Vec<String>) -> Result
where
    E: crate::Piece,
{
    let members = if members.is_empty() { vec![nowhere(pw.space())] } else { members };
    braced(f, pw.space(), &members)
}

impl Display for PwAff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        pieces_or_nowhere(f, self, scalar_members(self))
    }
}

impl Display for PwMultiAff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        pieces_or_nowhere(f, self, tuple_members(self))
    }
}

impl Display for MultiPwAff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let (names, arrow) = domain_text(&self.space);
        let entry = |pw: &PwAff| {
            let piece = |(domain, aff): &(Set, Aff)| with_condition(aff_text(&names, aff), condition(&names, domain));
            match &pw.pieces[..] {
                [] => "((0) : false)".to_string(),
                [(domain, aff)] if condition(&names, domain).is_empty() => aff_text(&names, aff),
                pieces => format!("({})", pieces.iter().map(piece).collect::<Vec<_>>().join("; ")),
            }
        };
        let entries: Vec<String> = self.elements.iter().map(entry).collect();
        let value = format!("{arrow}{}", range_text(self.range_tuple(), &entries));
        let condition = self.domain.as_ref().map(|d| condition(&names, d)).unwrap_or_default();
        braced(f, &self.space, &[with_condition(value, condition)])
    }
}

impl Display for MultiUnionPwAff {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let element = |e: &UnionPwAff| {
            let members: Vec<String> = e.members().flat_map(scalar_members).collect();
            if members.is_empty() { "{ }".to_string() } else { format!("{{ {} }}", members.join("; ")) }
        };
        let entries: Vec<String> = self.elements.iter().map(element).collect();
        let params = self.elements.iter().flat_map(|e| e.members().map(|m| m.space()));
        let params = params.chain(self.domain.iter().flat_map(|d| d.members().map(|m| m.space())));
        let params = all_params(params.chain([&self.space]));
        let tuple = range_text(self.range_tuple(), &entries);
        match &self.domain {
            None => write!(f, "{}{tuple}", header(&params)),
            Some(domain) => {
                let members: Vec<String> = domain.members().flat_map(relation_members).collect();
                let domain = if members.is_empty() { "{ }".to_string() } else { format!("{{ {} }}", members.join("; ")) };
                write!(f, "{}({tuple} : {domain})", header(&params))
            }
        }
    }
}

impl Display for Point {
    /// The set or map of the point, its parameters with their values: `[n = 5] -> { S[1, 2] }`.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let params: Vec<String> =
            self.space.param_ids().iter().zip(&self.params).map(|(p, v)| format!("{} = {v}", name(p))).collect();
        if !params.is_empty() {
            write!(f, "[{}] -> ", params.join(", "))?;
        }
        match printer::tuples(&self.space, 0, &|i| self.coords[i].to_string()).as_str() {
            "" => write!(f, "{{ : }}"),
            tuples => write!(f, "{{ {tuples} }}"),
        }
    }
}
