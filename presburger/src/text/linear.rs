//! Linear expressions over numbered variables, and the table of integer divisions that they share.
//!
//! While a text is read the number of columns is not known, so expressions are sparse: sorted `(variable, coefficient)` pairs over
//! a common denominator. Variables below [`LOCAL`] are the columns `1 + v` of the space (parameters, then tuples); those above
//! are quantified variables and floors. Equal floors share one variable.

use crate::Int;
use crate::linalg::Row;
use crate::system::{Columns, Div, RowKind, System};
use hashbrown::HashMap;

pub(crate) type Var = u32;
/// The first variable that is not a dimension.
pub(crate) const LOCAL: Var = 1 << 31;

/// `(terms + constant) / den`; NaN if `den` is 0.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Lin {
    // Invariant: sorted by variable, no zero coefficient.
    pub(crate) terms: Vec<(Var, Int)>,
    pub(crate) constant: Int,
    pub(crate) den: Int,
}

impl Lin {
    pub(crate) fn constant(value: Int) -> Lin {
        Lin { terms: Vec::new(), constant: value, den: Int::ONE }
    }

    pub(crate) fn var(v: Var) -> Lin {
        Lin { terms: vec![(v, Int::ONE)], constant: Int::ZERO, den: Int::ONE }
    }

    pub(crate) fn nan() -> Lin {
        Lin { terms: Vec::new(), constant: Int::ZERO, den: Int::ZERO }
    }

    pub(crate) fn is_nan(&self) -> bool {
        self.den.is_zero()
    }

    /// The sum of all, in time linear in their terms (up to sorting).
    pub(crate) fn sum(parts: Vec<Lin>) -> Lin {
        if parts.iter().any(Lin::is_nan) {
            return Lin::nan();
        }
        let den = parts.iter().fold(Int::ONE, |d, p| d.lcm(&p.den));
        let mut terms = Vec::new();
        let mut constant = Int::ZERO;
        for part in parts {
            let factor = den.div_exact(&part.den);
            constant += &part.constant * &factor;
            terms.extend(part.terms.into_iter().map(|(v, c)| (v, &c * &factor)));
        }
        terms.sort_by_key(|t: &(Var, Int)| t.0);
        let mut merged: Vec<(Var, Int)> = Vec::with_capacity(terms.len());
        for (v, c) in terms {
            match merged.last_mut() {
                Some(last) if last.0 == v => last.1 += c,
                _ => merged.push((v, c)),
            }
        }
        merged.retain(|t| !t.1.is_zero());
        Lin { terms: merged, constant, den }.reduced()
    }

    // The common denominator as small as possible.
    fn reduced(mut self) -> Lin {
        if !self.den.is_one() && !self.is_nan() {
            let g = self.terms.iter().fold(self.constant.gcd(&self.den), |g, t| g.gcd(&t.1));
            if !g.is_one() {
                self.terms.iter_mut().for_each(|t| t.1 = t.1.div_exact(&g));
                self.constant = self.constant.div_exact(&g);
                self.den = self.den.div_exact(&g);
            }
        }
        self
    }

    /// `self * num / den`; `den` is not 0.
    pub(crate) fn scaled(mut self, num: &Int, den: &Int) -> Lin {
        if self.is_nan() {
            return self;
        }
        let (num, den) = if den.is_negative() { (-num, -den) } else { (num.clone(), den.clone()) };
        self.terms.iter_mut().for_each(|t| t.1 = &t.1 * &num);
        self.terms.retain(|t| !t.1.is_zero());
        self.constant = &self.constant * &num;
        self.den = &self.den * &den;
        self.reduced()
    }

    pub(crate) fn neg(self) -> Lin {
        self.scaled(&Int::MINUS_ONE, &Int::ONE)
    }

    pub(crate) fn minus(&self, other: &Lin) -> Lin {
        Lin::sum(vec![self.clone(), other.clone().neg()])
    }

    /// The constant `num / den` if there are no variables.
    pub(crate) fn as_constant(&self) -> Option<(&Int, &Int)> {
        (self.terms.is_empty() && !self.is_nan()).then_some((&self.constant, &self.den))
    }

    /// The dense row over `width` columns; `column` says where a variable stands.
    pub(crate) fn row(&self, width: usize, column: impl Fn(Var) -> usize) -> Row {
        let mut row = Row::zero(width);
        row.set(0, self.constant.clone());
        for (v, c) in &self.terms {
            row.set(column(*v), c.clone());
        }
        row
    }
}

/// What a variable above [`LOCAL`] stands for.
#[derive(Debug, Clone)]
pub(crate) enum Local {
    /// Some integer.
    Exists,
    /// `floor(num / den)`; `num` has denominator 1.
    Floor { num: Lin, den: Int },
}

/// All local variables of one member of a text.
#[derive(Debug, Default)]
pub(crate) struct Locals {
    all: Vec<Local>,
    known: HashMap<(Lin, Int), Var>,
}

impl Locals {
    pub(crate) fn fresh(&mut self) -> Var {
        self.all.push(Local::Exists);
        LOCAL + (self.all.len() - 1) as Var
    }

    pub(crate) fn get(&self, v: Var) -> Option<&Local> {
        v.checked_sub(LOCAL).map(|i| &self.all[i as usize])
    }

    /// `floor(lin)`
    pub(crate) fn floor(&mut self, lin: Lin) -> Lin {
        if lin.is_nan() || lin.den.is_one() {
            return lin;
        }
        let den = lin.den;
        let (whole, mut part): (Vec<_>, Vec<_>) = lin.terms.into_iter().partition(|t| den.divides(&t.1));
        let mut whole = Lin {
            terms: whole.into_iter().map(|(v, c)| (v, c.div_exact(&den))).collect(),
            constant: lin.constant.div_floor(&den),
            den: Int::ONE,
        };
        if part.is_empty() {
            return whole;
        }
        whole.constant = Int::ZERO;
        let g = part.iter().fold(den.clone(), |g, t| g.gcd(&t.1));
        part.iter_mut().for_each(|t| t.1 = t.1.div_exact(&g));
        let num = Lin { terms: part, constant: lin.constant.div_floor(&g), den: Int::ONE };
        let var = self.intern(num, den.div_exact(&g));
        Lin::sum(vec![whole, Lin::var(var)])
    }

    fn intern(&mut self, num: Lin, den: Int) -> Var {
        let next = LOCAL + self.all.len() as Var;
        let var = *self.known.entry((num.clone(), den.clone())).or_insert(next);
        if var == next {
            self.all.push(Local::Floor { num, den });
        }
        var
    }

    /// Bounds that the definition of a floor puts on `terms` alone: `num - den*floor(num/den)` lies in `[0, den)`.
    pub(crate) fn range(&self, terms: &[(Var, Int)]) -> Option<(Int, Int)> {
        let (v, c) = terms.last()?;
        let Some(Local::Floor { num, den }) = self.get(*v) else {
            return None;
        };
        if num.terms.len() + 1 != terms.len() || !den.divides(c) {
            return None;
        }
        let factor = -c.div_exact(den);
        if num.terms.iter().zip(terms).any(|(n, t)| n.0 != t.0 || &n.1 * &factor != t.1) {
            return None;
        }
        // terms = factor * (num - den*floor) - factor * constant
        let shift = &num.constant * &factor;
        let far = &factor * &(den - Int::ONE);
        let (lo, hi) = if factor.is_negative() { (far, Int::ZERO) } else { (Int::ZERO, far) };
        Some((&lo - &shift, &hi - &shift))
    }

    /// The locals that `vars` need, definitions included, in order of definition.
    pub(crate) fn closure(&self, vars: impl Iterator<Item = Var>) -> Vec<Var> {
        let mut seen = hashbrown::HashSet::new();
        let mut stack: Vec<Var> = vars.filter(|&v| v >= LOCAL).collect();
        while let Some(v) = stack.pop() {
            if seen.insert(v)
                && let Some(Local::Floor { num, .. }) = self.get(v)
            {
                stack.extend(num.terms.iter().map(|t| t.0).filter(|&v| v >= LOCAL));
            }
        }
        let mut out: Vec<Var> = seen.into_iter().collect();
        out.sort_unstable();
        out
    }

    /// The definitions of `used` (closed) as rows of `width` columns.
    pub(crate) fn definitions(&self, used: &[Var], width: usize, column: impl Fn(Var) -> usize + Copy) -> Vec<Option<Div>> {
        used.iter()
            .map(|&v| match self.get(v) {
                Some(Local::Floor { num, den }) => Some(Div { num: num.row(width, column), den: den.clone() }),
                _ => None,
            })
            .collect()
    }

    /// The system of a conjunction over `columns` (without divs). The locals `free` are its last dimensions.
    pub(crate) fn system(&self, columns: Columns, atoms: &[super::dnf::Atom], free: &[Var]) -> System {
        let mut used = self.closure(atoms.iter().flat_map(|a| a.lin.terms.iter().map(|t| t.0)));
        used.retain(|v| !free.contains(v));
        let first = columns.len();
        let column = |v: Var| match free.iter().position(|&f| f == v) {
            Some(i) => first - free.len() + i,
            None => column(v, &used, first),
        };
        let columns = columns.with_divs(used.len());
        let mut system = System::universe(columns);
        for (i, definition) in self.definitions(&used, columns.len(), column).into_iter().enumerate() {
            system.set_div(i, definition);
        }
        for atom in atoms {
            system.push(atom.kind, atom.lin.row(columns.len(), column));
        }
        system
    }

    /// The atoms of a system whose first columns are the variables `dims`.
    pub(crate) fn import(&mut self, system: &System, dims: &[Var]) -> Vec<super::dnf::Atom> {
        let mut vars = dims.to_vec();
        for div in system.divs() {
            let var = match div {
                Some(div) => {
                    let num = lin_of(&div.num, &vars);
                    self.intern(num, div.den.clone())
                }
                None => self.fresh(),
            };
            vars.push(var);
        }
        let rows =
            |kind, rows: &[Row]| -> Vec<_> { rows.iter().map(|r| super::dnf::Atom { kind, lin: lin_of(r, &vars) }).collect() };
        let mut atoms = rows(RowKind::Eq, system.eqs());
        atoms.extend(rows(RowKind::Ineq, system.ineqs()));
        atoms
    }
}

fn lin_of(row: &Row, vars: &[Var]) -> Lin {
    let terms = vars.iter().enumerate().map(|(i, &v)| Lin { terms: vec![(v, row.get(i + 1))], ..Lin::constant(Int::ZERO) });
    let mut parts: Vec<Lin> = terms.filter(|l| !l.terms[0].1.is_zero()).collect();
    parts.push(Lin::constant(row.get(0)));
    Lin::sum(parts)
}

/// The column of a variable: dimensions at `1 + v`, the local `used[i]` at `first + i`.
pub(crate) fn column(v: Var, used: &[Var], first: usize) -> usize {
    if v < LOCAL { 1 + v as usize } else { first + used.binary_search(&v).unwrap_or_else(|_| unreachable!("a local is missing")) }
}
