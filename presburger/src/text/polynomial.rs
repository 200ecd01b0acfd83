//! Quasi-polynomials and folds of them from text and to text: `[n] -> { [i] -> 1/2 * i + n * floor((i)/2)^2 : 0 <= i < n }`.
//!
//! A member is an optional domain tuple, an expression and an optional condition. Expressions have products and powers of anything,
//! quotients by constants, and floors of affine expressions. Terms are printed by degree, factors in the order of the columns.

use super::ast::*;
use super::display::{all_params, braced, condition, domain_text, with_condition};
use super::dnf::Dnf;
use super::functions::joined;
use super::lexer::error_at;
use super::linear::Lin;
use super::lower::Lowering;
use super::members::Header;
use super::printer::{Factor as Text, Names, floor};
use crate::func::set_space;
use crate::{
    Aff, Budget, Columns, Error, Extremum, Fold, Int, ParseError, Piece, Pw, PwFold, PwQPolynomial, QPolynomial, Set, Space,
    Spaced, Tuple, Union, UnionPwQPolynomial, Val,
};
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

type Result<T> = std::result::Result<T, ParseError>;

// Products and powers in a text are expanded with at most this many products of terms.
const MAX_PRODUCTS: u64 = 1 << 20;

struct Reader<'a, 's> {
    text: &'a str,
    at: usize,
    scope: &'s Lowering<'a>,
    domain: Space,
    budget: Budget,
}

impl<'a> Reader<'a, '_> {
    fn error<T>(&self, at: usize, message: impl Into<String>) -> Result<T> {
        Err(error_at(self.text, at, message))
    }

    fn limited<T>(&self, value: std::result::Result<T, crate::BudgetSpent>) -> Result<T> {
        value.or_else(|_| self.error(self.at, "this polynomial expands to too many terms or too long numbers"))
    }

    fn expr(&self, expr: &Expr<'a>) -> Result<QPolynomial> {
        Ok(match expr {
            Expr::Number(n) => QPolynomial::constant(&self.domain, &Val::from(n)),
            Expr::NaN => QPolynomial::constant(&self.domain, &Val::NaN),
            Expr::Infty => QPolynomial::constant(&self.domain, &Val::Infty),
            Expr::Name(name) => match self.scope.lookup(name.text) {
                Some(lin) => self.dimension(lin),
                None => {
                    return self.error(name.at, format!("unknown name '{}': it is no parameter or dimension here", name.text));
                }
            },
            Expr::Sum(terms) => {
                let mut parts = Vec::with_capacity(terms.len());
                for (sign, term) in terms {
                    let value = self.expr(term)?;
                    parts.push(if *sign == Sign::Minus { value.neg() } else { value });
                }
                // By halves: every term takes part in few additions.
                while parts.len() > 1 {
                    parts = parts.chunks(2).map(|c| c.get(1).map_or_else(|| c[0].clone(), |b| c[0].add(b))).collect();
                }
                parts.pop().unwrap_or_else(|| QPolynomial::zero(&self.domain))
            }
            Expr::Product(at, first, factors) => {
                let first = self.expr(first)?;
                factors.iter().try_fold(first, |value, factor| self.factor(*at, value, factor))?
            }
            Expr::Floor(e) => QPolynomial::from(self.affine(e)?.floor()),
            Expr::Ceil(e) => QPolynomial::from(self.affine(e)?.ceil()),
            Expr::Abs(_) | Expr::Min(_) | Expr::Max(_) | Expr::Cond(..) | Expr::Pieces(_) | Expr::Indicator(_) => {
                return self.error(self.at, "a quasi-polynomial has no cases; write them as members with conditions");
            }
        })
    }

    fn dimension(&self, lin: &Lin) -> QPolynomial {
        let width = Columns::of(&self.domain).len();
        let row = lin.row(width, |v| 1 + v as usize);
        QPolynomial::from(Aff::from_parts(&self.domain, &[], &row, &lin.den))
    }

    fn affine(&self, expr: &Expr<'a>) -> Result<Aff> {
        self.to_aff(&self.expr(expr)?)
    }

    fn to_aff(&self, value: &QPolynomial) -> Result<Aff> {
        value.to_aff().map_or_else(|| self.error(self.at, "an integer division needs an affine expression"), Ok)
    }

    fn factor(&self, at: usize, value: QPolynomial, factor: &Factor<'a>) -> Result<QPolynomial> {
        let constant = |e: &Expr<'a>| -> Result<Val> {
            self.expr(e)?.as_constant().map_or_else(|| self.error(at, "the divisor must be a constant"), Ok)
        };
        Ok(match factor {
            Factor::Times(rhs) => self.limited(value.mul_within(&self.expr(rhs)?, &self.budget))?,
            Factor::Power(e) => self.limited(value.pow_within(*e, &self.budget))?,
            Factor::Over(rhs) => match constant(rhs)? {
                d if d.signum() == 0 => return self.error(at, "division by zero"),
                d => self.limited(value.mul_within(&QPolynomial::constant(&self.domain, &d.inv()), &self.budget))?,
            },
            Factor::Mod(rhs) | Factor::FloorDiv(rhs) => {
                let divisor = constant(rhs)?;
                let Some(d) = divisor.as_int().filter(Int::is_positive) else {
                    return self.error(at, "the divisor must be a positive integer");
                };
                let quotient = self.to_aff(&value)?.scale_down(&d).floor();
                match factor {
                    Factor::FloorDiv(_) => QPolynomial::from(quotient),
                    _ => value.sub(&QPolynomial::from(quotient.scale(&d))),
                }
            }
        })
    }
}

fn set_of(scope: &Lowering<'_>, domain: &Space, dnf: &Dnf) -> Set {
    let space = set_space(domain);
    let columns = Columns::of(&space);
    let systems: Vec<_> = dnf.0.iter().map(|conj| scope.locals.system(columns, conj, &[])).collect();
    Set::from_systems(space, systems)
}

fn read<'a, E: Piece>(
    header: &Header<'a>,
    member: &ValueMember<'a>,
    value: impl Fn(&Reader<'a, '_>, &Expr<'a>) -> Result<E>,
) -> Result<Pw<E>> {
    let (mut scope, mut conditions) = header.scope()?;
    let domain = member.tuple.as_ref().map(|t| scope.tuple(t, &mut conditions)).transpose()?;
    if let Some(formula) = &member.formula {
        conditions.push(scope.formula(formula)?);
    }
    let condition = scope.and(member.at, conditions)?;
    let domain = header.space(None, domain);
    let budget = Budget::steps(MAX_PRODUCTS);
    let reader = Reader { text: header.text, at: member.at, scope: &scope, domain: domain.clone(), budget };
    let value = value(&reader, &member.value)?;
    let space = domain.with_tuples(domain.range_tuple().cloned(), Some(Tuple::anonymous(1)));
    Ok(Pw::disjoint(space, vec![(set_of(&scope, &domain, &condition), value)]))
}

/// `max(p, q)`, `min(p, q)`
fn fold<'a>(reader: &Reader<'a, '_>, expr: &Expr<'a>) -> Result<Fold> {
    let (extremum, elements) = match expr {
        Expr::Max(elements) => (Extremum::Max, elements),
        Expr::Min(elements) => (Extremum::Min, elements),
        _ => return reader.error(reader.at, "expected max(..) or min(..) of quasi-polynomials"),
    };
    Ok(Fold::new(extremum, elements.iter().map(|e| reader.expr(e)).collect::<Result<_>>()?))
}

fn pw_fold(text: &str) -> Result<PwFold> {
    let (mut parser, header) = Header::open(text)?;
    let (at, members) = parser.braced_values()?;
    parser.expect_end()?;
    let mut pieces: Vec<(Set, Fold)> = Vec::new();
    let mut space = None;
    for member in &members {
        let pw = read(&header, member, fold)?;
        let first = space.get_or_insert_with(|| pw.space().clone());
        let alike = |f: &Fold| pieces.iter().all(|(_, g)| g.extremum() == f.extremum());
        if !first.same_tuples(pw.space()) || !pw.pieces().iter().all(|(_, f)| alike(f)) {
            return Err(error_at(text, member.at, "this member does not fit the first: another space, or max and min mixed"));
        }
        pieces.extend(pw.pieces().iter().cloned());
    }
    let Some(space) = space else {
        return Err(error_at(text, at, "expected a fold, as in { [i] -> max(1, i^2) }"));
    };
    Ok(Pw::from_pieces(&space, pieces))
}

fn members(text: &str) -> Result<(usize, Vec<(usize, PwQPolynomial)>)> {
    let (mut parser, header) = Header::open(text)?;
    let (at, members) = parser.braced_values()?;
    parser.expect_end()?;
    let mut out = Vec::with_capacity(members.len());
    for m in &members {
        out.push((m.at, read(&header, m, |reader, e| reader.expr(e))?));
    }
    Ok((at, out))
}

// Where the conditions of members overlap, their values are added.
fn pw(text: &str) -> Result<PwQPolynomial> {
    let (at, members) = members(text)?;
    let mut sum: Option<PwQPolynomial> = None;
    for (at, value) in members {
        sum = Some(match sum {
            None => value,
            Some(sum) if sum.space().same_tuples(value.space()) => joined(sum, &value, PwQPolynomial::add),
            Some(_) => {
                return Err(error_at(text, at, "this member lives in another space than the first; read the text as a union"));
            }
        });
    }
    // `{ }` is zero, over parameters alone.
    match sum {
        Some(sum) => Ok(sum),
        None if text[at..].starts_with('{') => {
            let (_, header) = Header::open(text)?;
            Ok(Pw::nowhere(&header.space(None, Some(Tuple::anonymous(1)))))
        }
        None => Err(error_at(text, at, "expected a quasi-polynomial, as in { [i] -> i^2 }")),
    }
}

fn union(text: &str) -> Result<UnionPwQPolynomial> {
    let (_, members) = members(text)?;
    let mut out = Union::new();
    for (_, value) in members {
        let joined = match out.get(&value.own_space()) {
            None => value,
            Some(sum) => joined(PwQPolynomial::clone(sum), &value, PwQPolynomial::add),
        };
        out.insert(joined);
    }
    Ok(out)
}

impl FromStr for QPolynomial {
    type Err = Error;
    /// Reads isl notation without conditions, for example `[n] -> { [i] -> 1/2 * i + n * floor((i)/2)^2 }`.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        let pw = pw(text)?;
        match (pw.pieces(), pw.as_total()) {
            (_, Some(q)) => Ok(q.clone()),
            _ => {
                Err(error_at(text, 0, "expected one expression without conditions; read the text as a function in pieces").into())
            }
        }
    }
}

impl FromStr for PwQPolynomial {
    type Err = Error;
    /// Reads isl notation, for example `[n] -> { [i] -> i^2 : 0 <= i < n }`; values of overlapping members are added.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        Ok(pw(text)?)
    }
}

impl FromStr for UnionPwQPolynomial {
    type Err = Error;
    /// Reads isl notation, for example `{ S[i] -> i^2; T[] -> 3 }`.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        Ok(union(text)?)
    }
}

impl FromStr for Fold {
    type Err = Error;
    /// Reads one fold without conditions, for example `{ [i] -> max(1, i^2) }`.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        let pw = pw_fold(text)?;
        let total = pw.as_total().cloned();
        Ok(total.ok_or_else(|| error_at(text, 0, "expected one fold without conditions; read the text as one in pieces"))?)
    }
}

impl FromStr for PwFold {
    type Err = Error;
    /// Reads isl notation, for example `{ [i] -> max(1, i^2) : i >= 0 }`; where members overlap, the earlier one decides.
    fn from_str(text: &str) -> std::result::Result<Self, Error> {
        Ok(pw_fold(text)?)
    }
}

// ---- printing ---------------------------------------------------------------------------------------------------------------

fn value_text(names: &Names, q: &QPolynomial) -> String {
    if let Some(special) = &q.special {
        return special.to_string();
    }
    let mut texts = names.texts();
    for div in &q.divs {
        texts.push(Text::Floor(floor(div, &texts)));
    }
    let mut terms: Vec<_> = q.poly.terms().iter().collect();
    terms.sort_by_key(|(m, _)| m.degree());
    let mut out = String::new();
    for (m, c) in &terms {
        let negative = *c.numer() < 0.into();
        out += match (out.is_empty(), negative) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        let size = if negative { -c.clone() } else { c.clone() };
        let mut factors: Vec<String> = Vec::new();
        if m.factors().is_empty() || size != crate::Rat::from_integer(1.into()) {
            factors.push(size.to_string());
        }
        for (v, e) in m.factors() {
            let (Text::Name(base) | Text::Floor(base)) = &texts[*v as usize];
            factors.push(if *e == 1 { base.clone() } else { format!("{base}^{e}") });
        }
        out += &factors.join(" * ");
    }
    match terms.len() {
        0 => "0".into(),
        1 => out,
        _ => format!("({out})"),
    }
}

fn fold_text(names: &Names, fold: &Fold) -> String {
    let word = if fold.extremum() == Extremum::Max { "max" } else { "min" };
    let elements: Vec<String> = fold.elements().iter().map(|e| value_text(names, e)).collect();
    format!("{word}({})", elements.join(", "))
}

// A function without pieces keeps its space in text, as `nothing`.
fn pw_members<E: Piece>(pw: &Pw<E>, nothing: &str, value: impl Fn(&Names, &E) -> String) -> Vec<String> {
    let (names, arrow) = domain_text(pw.space());
    let piece = |(d, q): &(Set, E)| with_condition(format!("{arrow}{}", value(&names, q)), condition(&names, d));
    match pw.pieces() {
        [] => vec![format!("{arrow}{nothing}")],
        pieces => pieces.iter().map(piece).collect(),
    }
}

impl Display for QPolynomial {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (names, arrow) = domain_text(&self.space());
        braced(f, &self.domain, &[format!("{arrow}{}", value_text(&names, self))])
    }
}

impl Display for PwQPolynomial {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        braced(f, self.space(), &pw_members(self, "0", value_text))
    }
}

impl Display for UnionPwQPolynomial {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let members: Vec<String> = self.members().flat_map(|m| pw_members(m, "0", value_text)).collect();
        braced(f, &all_params(self.members().map(|m| m.space())), &members)
    }
}

impl Display for Fold {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (names, arrow) = domain_text(&Piece::function_space(self));
        braced(f, self.domain_space(), &[format!("{arrow}{}", fold_text(&names, self))])
    }
}

impl Display for PwFold {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        braced(f, self.space(), &pw_members(self, "max(0) : false", fold_text))
    }
}
