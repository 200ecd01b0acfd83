//! What the parser reads: tuples, expressions and formulas with places, not yet resolved to dimensions.
//!
//! Long chains (`a + b + ..`, `p and q and ..`) are flat lists, so that the depth of a value is the nesting of its text, which the
//! parser limits.

use super::lexer::Compare;
use crate::Int;

/// A name and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    pub(crate) at: usize,
}

/// `+` and `-` in sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

impl Sign {
    pub(crate) fn flipped(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

/// The right-hand operations of a product, applied from left to right.
#[derive(Debug, Clone)]
pub(crate) enum Factor<'a> {
    Times(Expr<'a>),
    Over(Expr<'a>),
    Mod(Expr<'a>),
    FloorDiv(Expr<'a>),
    /// The exponent.
    Power(u32),
}

#[derive(Debug, Clone)]
pub(crate) enum Expr<'a> {
    Number(Int),
    NaN,
    /// Positive infinity.
    Infty,
    Name(Name<'a>),
    Sum(Vec<(Sign, Expr<'a>)>),
    Product(usize, Box<Expr<'a>>, Vec<Factor<'a>>),
    Floor(Box<Expr<'a>>),
    Ceil(Box<Expr<'a>>),
    Abs(Box<Expr<'a>>),
    Min(Vec<Expr<'a>>),
    Max(Vec<Expr<'a>>),
    /// `test ? then : otherwise`
    Cond(Box<Formula<'a>>, Box<Expr<'a>>, Box<Expr<'a>>),
    /// `(e : p; f : q)`
    Pieces(Vec<(Expr<'a>, Option<Formula<'a>>)>),
    /// 1 where the formula holds, 0 elsewhere.
    Indicator(Box<Formula<'a>>),
}

/// One side of a comparison.
pub(crate) type List<'a> = Vec<Expr<'a>>;

#[derive(Debug, Clone)]
pub(crate) enum Formula<'a> {
    True,
    False,
    /// `l0 op l1 op l2 ..`; the offset is the place of the first operator.
    Chain(usize, List<'a>, Vec<(Compare, List<'a>)>),
    And(Vec<Formula<'a>>),
    Or(Vec<Formula<'a>>),
    /// `p0 implies p1 implies ..`, to be read from the right.
    Implies(Vec<Formula<'a>>),
    Not(Box<Formula<'a>>),
    Exists(usize, Vec<(Name<'a>, Option<Expr<'a>>)>, Box<Formula<'a>>),
}

/// What a tuple says of one dimension.
#[derive(Debug, Clone)]
pub(crate) struct Entry<'a> {
    pub(crate) at: usize,
    pub(crate) label: Option<Name<'a>>,
    pub(crate) value: EntryValue<'a>,
}

#[derive(Debug, Clone)]
pub(crate) enum EntryValue<'a> {
    /// `*`, or a label alone.
    Free,
    /// `e`, or `e : p; f : q`
    Pieces(Vec<(Expr<'a>, Option<Formula<'a>>)>),
    /// `e : f`, each end optional.
    Range(Option<Expr<'a>>, Option<Expr<'a>>),
}

#[derive(Debug, Clone)]
pub(crate) struct TupleText<'a> {
    pub(crate) name: Option<Name<'a>>,
    pub(crate) body: TupleBody<'a>,
}

#[derive(Debug, Clone)]
pub(crate) enum TupleBody<'a> {
    Flat(Vec<Entry<'a>>),
    Pair(Box<TupleText<'a>>, Box<TupleText<'a>>),
}

/// `A[..] -> B[..] : formula`, each part optional.
#[derive(Debug, Clone)]
pub(crate) struct Member<'a> {
    pub(crate) at: usize,
    pub(crate) rational: bool,
    /// None, one (a set's) or two tuples.
    pub(crate) tuples: Vec<TupleText<'a>>,
    pub(crate) formula: Option<Formula<'a>>,
}

/// `A[..] -> value : formula`, tuple and formula optional: a member of a quasi-polynomial.
#[derive(Debug, Clone)]
pub(crate) struct ValueMember<'a> {
    pub(crate) at: usize,
    pub(crate) tuple: Option<TupleText<'a>>,
    pub(crate) value: Expr<'a>,
    pub(crate) formula: Option<Formula<'a>>,
}

/// `[params] -> { members }`
#[derive(Debug, Clone)]
pub(crate) struct Braced<'a> {
    pub(crate) at: usize,
    pub(crate) members: Vec<Member<'a>>,
}

/// `A[{ .. }, { .. }]` or `[A[{ .. }] -> B[]]`: the tuple of a multi union piecewise affine expression.
#[derive(Debug, Clone)]
pub(crate) struct BracedTuple<'a> {
    pub(crate) name: Option<Name<'a>>,
    pub(crate) body: BracedBody<'a>,
}

#[derive(Debug, Clone)]
pub(crate) enum BracedBody<'a> {
    Flat(Vec<Braced<'a>>),
    Pair(Box<BracedTuple<'a>>, Box<BracedTuple<'a>>),
}
