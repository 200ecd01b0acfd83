//! Disjunctions of conjunctions of linear atoms, with contradictions dropped as they arise.
//!
//! `i != 3 and i != 5 and ..` has exponentially many combinations but only linearly many that are not contradictory at first sight:
//! a product keeps, per linear form, one lower and one upper bound, and drops a conjunction whose bounds cross.

use super::linear::{Lin, Local, Locals, Var};
use crate::Int;
use crate::system::RowKind;
use hashbrown::HashMap;

/// `lin = 0` or `lin >= 0`, with denominator 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Atom {
    pub(crate) kind: RowKind,
    pub(crate) lin: Lin,
}

impl Atom {
    /// `lin = 0`, the denominator cleared.
    pub(crate) fn eq(lin: Lin) -> Atom {
        Atom { kind: RowKind::Eq, lin: cleared(lin) }
    }

    /// `lin >= 0`
    pub(crate) fn ge(lin: Lin) -> Atom {
        Atom { kind: RowKind::Ineq, lin: cleared(lin) }
    }

    /// `lin > 0`
    pub(crate) fn gt(lin: Lin) -> Atom {
        let mut lin = cleared(lin);
        lin.constant += Int::MINUS_ONE;
        Atom { kind: RowKind::Ineq, lin }
    }

    fn negated(&self) -> Vec<Atom> {
        let minus = Atom::gt(self.lin.clone().neg());
        match self.kind {
            RowKind::Ineq => vec![minus],
            RowKind::Eq => vec![minus, Atom::gt(self.lin.clone())],
        }
    }
}

fn cleared(lin: Lin) -> Lin {
    Lin { den: Int::ONE, ..lin }
}

pub(crate) type Conj = Vec<Atom>;

/// A union of conjunctions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dnf(pub(crate) Vec<Conj>);

/// More conjunctions than this are not expanded.
pub(crate) const MAX_PIECES: usize = 1 << 18;

/// The expansion has more than [`MAX_PIECES`] conjunctions.
#[derive(Debug)]
pub(crate) struct TooMany;

impl Dnf {
    pub(crate) fn truth() -> Dnf {
        Dnf(vec![Vec::new()])
    }

    pub(crate) fn falsity() -> Dnf {
        Dnf(Vec::new())
    }

    pub(crate) fn atom(atom: Atom) -> Dnf {
        Dnf(vec![vec![atom]])
    }

    pub(crate) fn is_truth(&self) -> bool {
        self.0.iter().any(Vec::is_empty)
    }

    pub(crate) fn or(parts: impl IntoIterator<Item = Dnf>) -> Dnf {
        let mut out = Vec::new();
        for part in parts {
            if part.is_truth() {
                return Dnf::truth();
            }
            out.extend(part.0);
        }
        Dnf(out)
    }

    pub(crate) fn and(parts: Vec<Dnf>, locals: &Locals) -> Result<Dnf, TooMany> {
        let mut base = Vec::new();
        let mut wide = Vec::new();
        for part in parts {
            match part.0.len() {
                0 => return Ok(Dnf::falsity()),
                1 => base.extend(part.0.into_iter().flatten()),
                _ if part.is_truth() => {}
                _ => wide.push(part),
            }
        }
        if wide.is_empty() {
            return Ok(Dnf(vec![base]));
        }
        let Some(base) = simplified(base, locals) else {
            return Ok(Dnf::falsity());
        };
        let mut product = vec![base];
        for factor in wide {
            let mut next = Vec::new();
            for left in &product {
                for right in &factor.0 {
                    let both = left.iter().chain(right).cloned().collect();
                    next.extend(simplified(both, locals));
                    if next.len() > MAX_PIECES {
                        return Err(TooMany);
                    }
                }
            }
            product = next;
        }
        Ok(Dnf(product))
    }

    /// The complement, of conjunctions whose variables are all free or floors.
    pub(crate) fn negated(&self, locals: &Locals) -> Result<Dnf, TooMany> {
        let factors = self.0.iter().map(|conj| Dnf(conj.iter().flat_map(Atom::negated).map(|a| vec![a]).collect()));
        Dnf::and(factors.collect(), locals)
    }

    /// Whether a quantified variable other than those of `free` occurs.
    pub(crate) fn is_quantified(&self, free: &[Var], locals: &Locals) -> bool {
        let vars = self.0.iter().flatten().flat_map(|a| a.lin.terms.iter().map(|t| t.0));
        let used = locals.closure(vars);
        used.iter().any(|v| matches!(locals.get(*v), Some(Local::Exists)) && !free.contains(v))
    }
}

#[derive(Default)]
struct Bounds {
    lower: Option<Int>,
    upper: Option<Int>,
}

/// The conjunction with one equality or at most two inequalities per linear form, or `None` if the bounds of a form cross.
pub(crate) fn simplified(conj: Conj, locals: &Locals) -> Option<Conj> {
    let mut order: Vec<Vec<(Var, Int)>> = Vec::with_capacity(conj.len());
    let mut forms: HashMap<Vec<(Var, Int)>, Bounds> = HashMap::with_capacity(conj.len());
    for atom in conj {
        let mut g = atom.lin.terms.iter().fold(Int::ZERO, |g, t| g.gcd(&t.1));
        let constant = &atom.lin.constant;
        if g.is_zero() {
            let holds = if atom.kind == RowKind::Eq { constant.is_zero() } else { !constant.is_negative() };
            if holds {
                continue;
            }
            return None;
        }
        let flip = atom.lin.terms[0].1.is_negative();
        if flip {
            g = -g;
        }
        let form: Vec<_> = atom.lin.terms.iter().map(|(v, c)| (*v, c.div_exact(&g))).collect();
        // g * form + constant is 0, or at least 0
        if atom.kind == RowKind::Eq && !g.divides(constant) {
            return None;
        }
        let lower = (-constant).div_ceil(&g.abs());
        let upper = constant.div_floor(&g.abs());
        let bounds = match forms.get_mut(&form) {
            Some(bounds) => bounds,
            None => {
                order.push(form.clone());
                let range = locals.range(&form);
                let (lower, upper) = range.map_or((None, None), |(l, u)| (Some(l), Some(u)));
                forms.entry(form).or_insert(Bounds { lower, upper })
            }
        };
        let exact = atom.kind == RowKind::Eq;
        let value = if flip { upper.clone() } else { lower.clone() };
        if exact || !flip {
            raise(&mut bounds.lower, if exact { value.clone() } else { lower });
        }
        if exact || flip {
            lower_to(&mut bounds.upper, if exact { value } else { upper });
        }
        if let (Some(l), Some(u)) = (&bounds.lower, &bounds.upper)
            && l > u
        {
            return None;
        }
    }
    let mut out = Vec::with_capacity(order.len());
    for form in order {
        let bounds = forms.remove(&form)?;
        let implied = locals.range(&form);
        let lin = |constant: Int, terms: Vec<(Var, Int)>| Lin { terms, constant, den: Int::ONE };
        match (bounds.lower, bounds.upper) {
            (Some(l), Some(u)) if l == u => out.push(Atom { kind: RowKind::Eq, lin: lin(-l, form) }),
            (lower, upper) => {
                if let Some(u) = upper.filter(|u| implied.as_ref().is_none_or(|i| *u != i.1)) {
                    out.push(Atom { kind: RowKind::Ineq, lin: lin(-u, form.clone()).neg() });
                }
                if let Some(l) = lower.filter(|l| implied.as_ref().is_none_or(|i| *l != i.0)) {
                    out.push(Atom { kind: RowKind::Ineq, lin: lin(-l, form) });
                }
            }
        }
    }
    Some(out)
}

fn raise(bound: &mut Option<Int>, value: Int) {
    if bound.as_ref().is_none_or(|b| *b < value) {
        *bound = Some(value);
    }
}

fn lower_to(bound: &mut Option<Int>, value: Int) {
    if bound.as_ref().is_none_or(|b| *b > value) {
        *bound = Some(value);
    }
}
