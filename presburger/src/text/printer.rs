//! Conjunctions as text: names for columns, linear expressions, chained comparisons, strides, and floors.
//!
//! The size of the text is linear in that of the system: a division that is short or used once is written where it is used, the
//! others are named by `exists (e0 = floor(..): ..)`.

use super::lexer::is_plain_name;
use crate::linalg::Row;
use crate::system::{Div, System};
use crate::{Dim, Int, Space, Tuple};
use hashbrown::{HashMap, HashSet};

/// A name as it reads back.
pub(crate) fn name(text: &str) -> String {
    if is_plain_name(text) { text.to_string() } else { format!("\"{text}\"") }
}

/// `[n, m] -> `, or nothing.
pub(crate) fn header(space: &Space) -> String {
    if space.param_ids().is_empty() {
        return String::new();
    }
    let names: Vec<String> = space.param_ids().iter().map(|p| name(p)).collect();
    format!("[{}] -> ", names.join(", "))
}

/// Unique names of the columns of a space, from labels where these are unique, and as isl does where there are none.
pub(crate) struct Names {
    /// By column; the first one is that of the constant.
    columns: Vec<String>,
    labelled: Vec<bool>,
    used: HashSet<String>,
}

impl Names {
    pub(crate) fn new(space: &Space) -> Names {
        let mut columns = vec![String::new()];
        columns.extend(space.param_ids().iter().map(|p| name(p)));
        let mut labelled = vec![true; columns.len()];
        let mut used: HashSet<String> = columns.iter().cloned().collect();
        let default = if space.is_map() { "o" } else { "i" };
        for (kind, prefix) in [(Dim::In, "i"), (Dim::Out, default)] {
            let labels: Vec<_> = (0..space.dim(kind)).map(|i| space.dim_name(kind, i).map(|l| name(l))).collect();
            // Labels first, so that a default name never takes one.
            let mut chosen: Vec<Option<String>> = labels.into_iter().map(|l| l.map(|l| unused(&mut used, l))).collect();
            for (i, choice) in chosen.iter_mut().enumerate() {
                labelled.push(choice.is_some());
                columns.push(choice.take().unwrap_or_else(|| unused(&mut used, format!("{prefix}{i}"))));
            }
        }
        Names { columns, labelled, used }
    }

    pub(crate) fn texts(&self) -> Vec<Factor> {
        self.columns.iter().map(|n| Factor::Name(n.clone())).collect()
    }
}

fn unused(used: &mut HashSet<String>, wanted: String) -> String {
    let mut wanted = wanted;
    while used.contains(&wanted) {
        match wanted.strip_suffix('"') {
            Some(quoted) => wanted = format!("{quoted}'\""),
            None => wanted.push('\''),
        }
    }
    used.insert(wanted.clone());
    wanted
}

/// How a column is written as a factor.
#[derive(Clone)]
pub(crate) enum Factor {
    Name(String),
    Floor(String),
}

/// A sum under construction: constant first, then terms in the order of the columns.
struct Sum {
    out: String,
    constant: Int,
}

impl Sum {
    fn finish(self) -> String {
        if self.out.is_empty() {
            return self.constant.to_string();
        }
        match self.constant.is_zero() {
            true if self.out.starts_with(" + ") => self.out[3..].to_string(),
            true => format!("-{}", &self.out[3..]),
            false => format!("{}{}", self.constant, self.out),
        }
    }

    fn has_terms(&self) -> bool {
        !self.out.is_empty()
    }
}

fn product(out: &mut String, coefficient: &Int, factor: &Factor) {
    match factor {
        Factor::Name(n) if coefficient.is_one() => out.push_str(n),
        Factor::Name(n) => *out += &format!("{coefficient}{n}"),
        Factor::Floor(f) if coefficient.is_one() => out.push_str(f),
        Factor::Floor(f) => *out += &format!("{coefficient}*{f}"),
    }
}

/// `factor * row` without the column `skip`.
fn sum(row: &Row, factor: &Int, skip: Option<usize>, texts: &[Factor]) -> Sum {
    let mut out = String::new();
    for col in 1..row.len() {
        if Some(col) == skip || row.is_zero_at(col) {
            continue;
        }
        let c = &row.get(col) * factor;
        out.push_str(if c.is_negative() { " - " } else { " + " });
        product(&mut out, &c.abs(), &texts[col]);
    }
    Sum { out, constant: &row.get(0) * factor }
}

pub(crate) fn floor(div: &Div, texts: &[Factor]) -> String {
    format!("floor(({})/{})", sum(&div.num, &Int::ONE, None, texts).finish(), div.den)
}

/// The expression `(num)/den` of a function, its divisions written out.
pub(crate) fn quotient(names: &Names, divs: &[Div], num: &Row, den: &Int) -> String {
    if den.is_zero() {
        return "NaN".into();
    }
    let mut texts = names.texts();
    for div in divs {
        texts.push(Factor::Floor(floor(div, &texts)));
    }
    let value = sum(num, &Int::ONE, None, &texts).finish();
    if den.is_one() { format!("({value})") } else { format!("({value})/{den}") }
}

/// The two sides that bound `coefficient * subject`.
struct Chain {
    subject: usize,
    coefficient: Int,
    lower: Option<(&'static str, String)>,
    upper: Option<(&'static str, String)>,
    equal: Option<String>,
}

// A floor of at most this many bytes is repeated rather than named.
const SHORT: usize = 256;

/// How a division is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Inline,
    /// As the quotient of a stride, in the equality with this index; not written.
    Stride(usize),
    Listed,
}

/// What a system says, over the given names.
pub(crate) fn condition(system: &System, names: &Names) -> String {
    conjunction(&system.with_ordered_divs(), names, &[])
}

/// What the rows say, with a part of the equalities written elsewhere; empty if that is nothing.
fn conjunction(system: &System, names: &Names, elsewhere: &[usize]) -> String {
    let columns = system.columns();
    let eqs: Vec<(usize, &Row)> = system.eqs().iter().enumerate().filter(|(i, _)| !elsewhere.contains(i)).collect();
    let mut places = places(system, &eqs);
    let mut texts = names.texts();
    let mut used = HashSet::new();
    let mut listed = Vec::new();
    for i in 0..places.len() {
        let definition = system.divs()[i].as_ref();
        let value = definition.map(|div| floor(div, &texts));
        if places[i] == Place::Listed && value.as_ref().is_some_and(|v| v.len() <= SHORT) {
            places[i] = Place::Inline;
        }
        let factor = match (places[i], value) {
            (Place::Inline, Some(value)) => Factor::Floor(value),
            (Place::Listed, value) => {
                let mut n = listed.len();
                let mut wanted = format!("e{n}");
                while names.used.contains(&wanted) || used.contains(&wanted) {
                    n += 1;
                    wanted = format!("e{n}");
                }
                used.insert(wanted.clone());
                listed.push(match value {
                    Some(value) => format!("{wanted} = {value}"),
                    None => wanted.clone(),
                });
                Factor::Name(wanted)
            }
            _ => Factor::Name(String::new()),
        };
        texts.push(factor);
    }
    let mut parts = Vec::new();
    let mut chains: Vec<Chain> = Vec::new();
    let mut open: HashMap<(usize, Int), usize> = HashMap::new();
    let named = |col: usize| col < columns.first_div() || places[col - columns.first_div()] == Place::Listed;
    let subject = |row: &Row| {
        let mut all = (1..row.len()).filter(|&c| !row.is_zero_at(c));
        all.clone().rfind(|&c| named(c)).or_else(|| all.next_back())
    };
    for &(i, row) in &eqs {
        if let Some(q) = places.iter().position(|p| *p == Place::Stride(i)) {
            parts.extend(stride(system, row, q, &texts));
            continue;
        }
        let Some(s) = subject(row) else {
            if !row.is_zero_at(0) {
                return "false".into();
            }
            continue;
        };
        let sign = if row.sign(s) > 0 { Int::MINUS_ONE } else { Int::ONE };
        let equal = Some(sum(row, &sign, Some(s), &texts).finish());
        chains.push(Chain { subject: s, coefficient: row.get(s).abs(), lower: None, upper: None, equal });
    }
    // Quotients without a definition have no order of their own.
    parts.sort_unstable();
    for row in system.ineqs() {
        let Some(s) = subject(row) else {
            if row.sign(0) < 0 {
                return "false".into();
            }
            continue;
        };
        let lower = row.sign(s) > 0;
        let mut bound = sum(row, if lower { &Int::MINUS_ONE } else { &Int::ONE }, Some(s), &texts);
        let strict = bound.has_terms() && bound.constant == if lower { Int::ONE } else { Int::MINUS_ONE };
        if strict {
            bound.constant = Int::ZERO;
        }
        let bound = Some((if strict { "<" } else { "<=" }, bound.finish()));
        let key = (s, row.get(s).abs());
        let free = |c: &Chain| if lower { c.lower.is_none() } else { c.upper.is_none() };
        let chain = match open.get(&key).filter(|&&c| free(&chains[c])) {
            Some(&c) => &mut chains[c],
            None => {
                open.insert(key.clone(), chains.len());
                chains.push(Chain { subject: s, coefficient: key.1, lower: None, upper: None, equal: None });
                chains.last_mut().unwrap_or_else(|| unreachable!("just pushed"))
            }
        };
        if lower {
            chain.lower = bound;
        } else {
            chain.upper = bound;
        }
    }
    parts.extend(chains.iter().map(|c| c.text(&texts)));
    let body = parts.join(" and ");
    if listed.is_empty() || body.is_empty() { body } else { format!("exists ({}: {body})", listed.join(", ")) }
}

impl Chain {
    fn text(&self, texts: &[Factor]) -> String {
        let mut subject = String::new();
        product(&mut subject, &self.coefficient, &texts[self.subject]);
        let flipped = |op: &str| if op == "<" { ">" } else { ">=" };
        match (&self.equal, &self.lower, &self.upper) {
            (Some(e), ..) => format!("{subject} = {e}"),
            (_, Some((a, l)), Some((b, u))) => format!("{l} {a} {subject} {b} {u}"),
            (_, Some((a, l)), None) => format!("{subject} {} {l}", flipped(a)),
            (_, None, Some((b, u))) => format!("{subject} {b} {u}"),
            _ => subject,
        }
    }
}

fn places(system: &System, eqs: &[(usize, &Row)]) -> Vec<Place> {
    let first = system.columns().first_div();
    let n = system.columns().divs;
    let mut uses = vec![0usize; n];
    let rows = eqs.iter().map(|(_, r)| *r).chain(system.ineqs());
    for row in rows.chain(system.divs().iter().flatten().map(|d| &d.num)) {
        for (i, count) in uses.iter_mut().enumerate() {
            *count += usize::from(!row.is_zero_at(first + i));
        }
    }
    let mut places: Vec<Place> = system
        .divs()
        .iter()
        .zip(&uses)
        .map(|(d, &n)| if d.is_some() && n <= 1 { Place::Inline } else { Place::Listed })
        .collect();
    for &(i, row) in eqs {
        let stride = |q: &usize| {
            uses[*q] == 1 && !row.is_zero_at(first + q) && (system.divs()[*q].is_none() || residue(system, row, *q).is_some())
        };
        if let Some(q) = (0..n).rev().find(stride) {
            places[q] = Place::Stride(i);
        }
    }
    // An unused unknown says nothing.
    for (place, &n) in places.iter_mut().zip(&uses) {
        if n == 0 {
            *place = Place::Inline;
        }
    }
    places
}

/// `k` if the equality says `num - den*q = k` for the known `q = floor(num/den)` and `0 <= k < den`.
fn residue(system: &System, row: &Row, q: usize) -> Option<Int> {
    let div = system.divs()[q].as_ref()?;
    let col = system.columns().div(q);
    let c = row.get(col);
    if !div.den.divides(&c) {
        return None;
    }
    let factor = -c.div_exact(&div.den);
    if (1..row.len()).any(|i| i != col && row.get(i) != &div.num.get(i) * &factor) {
        return None;
    }
    // row = factor * (num - den*q) + rest
    let rest = &row.get(0) - &(&div.num.get(0) * &factor);
    if !factor.divides(&rest) {
        return None;
    }
    let k = -rest.div_exact(&factor);
    (!k.is_negative() && k < div.den).then_some(k)
}

fn stride(system: &System, row: &Row, q: usize, texts: &[Factor]) -> Option<String> {
    let col = system.columns().div(q);
    let (num, modulus) = match (&system.divs()[q], residue(system, row, q)) {
        (Some(div), Some(k)) => {
            let mut num = div.num.clone();
            num.add_at(0, &-k);
            (num, div.den.clone())
        }
        _ => {
            let mut num = row.clone();
            num.set(col, Int::ZERO);
            (num, row.get(col).abs())
        }
    };
    let num = smallest_residues(&num, &modulus);
    (!modulus.is_one()).then(|| format!("({}) mod {modulus} = 0", sum(&num, &Int::ONE, None, texts).finish()))
}

/// The row that is congruent to `row` or to `-row`, with coefficients nearest to zero, the first of them positive, and a constant
/// in `[0, modulus)`: one text for all rows that say the same.
fn smallest_residues(row: &Row, modulus: &Int) -> Row {
    let nearest = |c: Int| {
        let r = c.mod_floor(modulus);
        if &r + &r > *modulus { r - modulus } else { r }
    };
    let mut near = Row::from_ints(row.to_ints().into_iter().map(nearest).collect());
    if near.first_nonzero(1..near.len()).is_some_and(|c| near.sign(c) < 0) {
        near = near.neg();
    }
    let constant = near.get(0).mod_floor(modulus);
    near.set(0, constant);
    near
}

/// One member of a set or map: tuples with the equalities written into them, then the rest.
pub(crate) fn member(space: &Space, system: &System) -> String {
    let system = &*system.with_ordered_divs();
    let names = Names::new(space);
    let columns = system.columns();
    let texts = names.texts();
    // For each equality the last dimension, if it is given by earlier columns.
    let mut given: HashMap<usize, usize> = HashMap::new();
    for (i, row) in system.eqs().iter().enumerate() {
        if !row.is_zero_in(columns.div_range()) {
            continue;
        }
        let last = columns.tuples().rev().find(|&c| !row.is_zero_at(c));
        if let Some(c) = last.filter(|&c| row.get(c).abs().is_one()) {
            given.entry(c).or_insert(i);
        }
    }
    let used = |c: usize| {
        let rows = system.eqs().iter().chain(system.ineqs()).chain(system.divs().iter().flatten().map(|d| &d.num));
        rows.filter(|r| !r.is_zero_at(c)).count() > 1
    };
    let entry = |c: usize| match given.get(&c) {
        Some(&i) => {
            let row = &system.eqs()[i];
            let factor = if row.sign(c) > 0 { Int::MINUS_ONE } else { Int::ONE };
            let value = sum(row, &factor, Some(c), &texts).finish();
            if names.labelled[c] || used(c) { format!("{} = {value}", names.columns[c]) } else { value }
        }
        None => names.columns[c].clone(),
    };
    let mut elsewhere: Vec<usize> = given.values().copied().collect();
    elsewhere.sort_unstable();
    let tuples = tuples(space, columns.tuples().start, &entry);
    let text = conjunction(system, &names, &elsewhere);
    match (tuples.is_empty(), text.is_empty()) {
        (true, true) => ":".into(),
        (true, false) => format!(": {text}"),
        (false, true) => tuples,
        (false, false) => format!("{tuples} : {text}"),
    }
}

/// The tuples of a space, `entry` giving the text of each column from `first`.
pub(crate) fn tuples(space: &Space, first: usize, entry: &dyn Fn(usize) -> String) -> String {
    let mut at = first;
    match (space.domain_tuple(), space.range_tuple()) {
        (Some(d), Some(r)) => {
            let domain = tuple(d, &mut at, entry);
            format!("{domain} -> {}", tuple(r, &mut at, entry))
        }
        (None, Some(t)) => tuple(t, &mut at, entry),
        _ => String::new(),
    }
}

/// One tuple, whose dimensions are the columns from `at`.
pub(crate) fn tuple(t: &Tuple, at: &mut usize, entry: &dyn Fn(usize) -> String) -> String {
    let label = t.name().map(|n| name(n)).unwrap_or_default();
    match t.unwrapped() {
        Some((a, b)) => {
            let first = tuple(a, at, entry);
            format!("{label}[{first} -> {}]", tuple(b, at, entry))
        }
        None => {
            let entries: Vec<String> = (0..t.len()).map(|i| entry(*at + i)).collect();
            *at += t.len();
            format!("{label}[{}]", entries.join(", "))
        }
    }
}

impl Names {
    /// The tuple of a function's domain.
    pub(crate) fn tuple(&self, space: &Space) -> String {
        tuples(space, 1 + space.dim(Dim::Param), &|c| self.columns[c].clone())
    }
}
