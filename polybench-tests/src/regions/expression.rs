//! Random integer expressions with the interval of their values, so that nothing built from them overflows, wraps or leaves an array.

use crate::Random;

/// An integer type that variables are declared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CType {
    pub name: &'static str,
    pub bits: u32,
    pub signed: bool,
}

pub(super) const INT: CType = CType { name: "int", bits: 32, signed: true };
pub(super) const LONG: CType = CType { name: "long", bits: 64, signed: true };
pub(super) const SHORT: CType = CType { name: "short", bits: 16, signed: true };
pub(super) const SIGNED_CHAR: CType = CType { name: "signed char", bits: 8, signed: true };
pub(super) const UNSIGNED: CType = CType { name: "unsigned", bits: 32, signed: false };
pub(super) const UNSIGNED_CHAR: CType = CType { name: "unsigned char", bits: 8, signed: false };
pub(super) const UNSIGNED_SHORT: CType = CType { name: "unsigned short", bits: 16, signed: false };
pub(super) const UNSIGNED_LONG: CType = CType { name: "unsigned long", bits: 64, signed: false };

impl CType {
    /// The type that arithmetic on it has.
    fn promoted(self) -> CType {
        if self.bits < 32 { INT } else { self }
    }

    /// The type of arithmetic on both.
    fn common(self, other: CType) -> CType {
        let (a, b) = (self.promoted(), other.promoted());
        match (a.bits, b.bits) {
            (x, y) if x > y => a,
            (x, y) if x < y => b,
            _ if a.signed => b,
            _ => a,
        }
    }
}

/// A variable that is not written where it is in scope: a counter or a parameter.
#[derive(Debug, Clone)]
pub(super) struct Var {
    pub name: String,
    pub ty: CType,
    pub low: i64,
    pub high: i64,
}

/// An expression, its type, and an interval that holds its values.
#[derive(Debug, Clone)]
pub(super) struct Expression {
    pub text: String,
    pub ty: CType,
    pub low: i64,
    pub high: i64,
}

impl Expression {
    pub fn constant(value: i64) -> Expression {
        let text = if value < 0 { format!("({value})") } else { value.to_string() };
        Expression { text, ty: INT, low: value, high: value }
    }

    pub fn var(var: &Var) -> Expression {
        Expression { text: var.name.clone(), ty: var.ty, low: var.low, high: var.high }
    }

    pub fn width(&self) -> i64 {
        self.high - self.low
    }

    /// The value as an operand of a type: `None` when a conversion changes it.
    fn fits(&self, ty: CType) -> bool {
        ty.signed || self.low >= 0
    }

    fn combined(&self, operator: &str, other: &Expression, low: i64, high: i64) -> Option<Expression> {
        let ty = self.ty.common(other.ty);
        let text = format!("({} {operator} {})", self.text, other.text);
        let result = Expression { text, ty, low, high };
        (self.fits(ty) && other.fits(ty) && result.fits(ty)).then_some(result)
    }

    pub fn plus(&self, other: &Expression) -> Option<Expression> {
        self.combined("+", other, self.low + other.low, self.high + other.high)
    }

    pub fn minus(&self, other: &Expression) -> Option<Expression> {
        self.combined("-", other, self.low - other.high, self.high - other.low)
    }

    /// `self + value`, written as a difference for a negative value.
    pub fn plus_constant(&self, value: i64) -> Option<Expression> {
        match value {
            0 => Some(self.clone()),
            _ if value < 0 => self.minus(&Expression::constant(-value)),
            _ => self.plus(&Expression::constant(value)),
        }
    }

    fn times(&self, factor: i64) -> Option<Expression> {
        let ends = [self.low * factor, self.high * factor];
        self.combined("*", &Expression::constant(factor), ends[0].min(ends[1]), ends[0].max(ends[1]))
    }

    /// C's division, which truncates.
    fn divided(&self, by: i64) -> Option<Expression> {
        self.combined("/", &Expression::constant(by), self.low / by, self.high / by)
    }

    /// C's remainder, which has the sign of the dividend.
    pub fn remainder(&self, by: i64) -> Option<Expression> {
        let low = if self.low < 0 { (1 - by).max(self.low) } else { 0 };
        let high = if self.high > 0 { (by - 1).min(self.high) } else { 0 };
        self.combined("%", &Expression::constant(by), low, high)
    }

    pub fn minimum(&self, other: &Expression) -> Option<Expression> {
        let bounds = (self.low.min(other.low), self.high.min(other.high));
        self.selected("MIN", other, bounds)
    }

    pub fn maximum(&self, other: &Expression) -> Option<Expression> {
        let bounds = (self.low.max(other.low), self.high.max(other.high));
        self.selected("MAX", other, bounds)
    }

    fn selected(&self, name: &str, other: &Expression, (low, high): (i64, i64)) -> Option<Expression> {
        let ty = self.ty.common(other.ty);
        let text = format!("{name}({}, {})", self.text, other.text);
        (self.fits(ty) && other.fits(ty)).then_some(Expression { text, ty, low, high })
    }

    /// `condition ? self : other`
    fn or_else(&self, condition: &str, other: &Expression) -> Option<Expression> {
        let ty = self.ty.common(other.ty);
        let text = format!("({condition} ? {} : {})", self.text, other.text);
        let (low, high) = (self.low.min(other.low), self.high.max(other.high));
        (self.fits(ty) && other.fits(ty)).then_some(Expression { text, ty, low, high })
    }
}

/// What expressions can be made of.
pub(super) struct Scope<'a> {
    pub counters: &'a [Var],
    pub params: &'a [Var],
}

impl Scope<'_> {
    fn variable(&self, random: &mut Random) -> Expression {
        let all: Vec<&Var> = match (self.counters, self.params) {
            ([], []) => return Expression::constant(random.between(0, 4)),
            ([], params) => params.iter().collect(),
            (counters, []) => counters.iter().collect(),
            (counters, params) if random.one_in(4) => counters.iter().chain(params).collect(),
            (counters, _) => counters.iter().collect(),
        };
        Expression::var(random.pick::<&Var>(&all))
    }

    /// A (quasi-)affine expression; `depth` bounds its nesting.
    pub fn affine(&self, random: &mut Random, depth: usize) -> Expression {
        let simple = |random: &mut Random| match random.below(5) {
            0 => Expression::constant(random.between(-3, 6)),
            _ => self.variable(random),
        };
        if depth == 0 {
            return simple(random);
        }
        let first = self.affine(random, depth - 1);
        let made = match random.below(24) {
            0..=6 => Some(first.clone()),
            7..=11 => first.plus_constant(random.between(-3, 3)),
            12..=13 => first.plus(&simple(random)),
            14..=16 => first.minus(&simple(random)),
            17..=18 => first.times(*random.pick(&[2, 3, -1, -2])),
            19 => first.divided(random.between(2, 4)),
            20 => first.remainder(random.between(2, 5)),
            21 => first.minimum(&simple(random)),
            22 => first.maximum(&simple(random)),
            _ => {
                let condition = self.comparison(random);
                first.or_else(&condition, &simple(random))
            }
        };
        made.filter(|e| e.low > -100 && e.high < 100).unwrap_or(first)
    }

    /// The same with few values.
    pub fn narrow(&self, random: &mut Random, depth: usize, width: i64) -> Expression {
        for _ in 0..6 {
            let e = self.affine(random, depth);
            if e.width() <= width {
                return e;
            }
        }
        Expression::constant(random.between(0, 5))
    }

    /// A comparison of two affine expressions that no conversion to unsigned changes.
    pub fn comparison(&self, random: &mut Random) -> String {
        let a = self.variable(random);
        let a = if random.one_in(3) { a.plus(&self.variable(random)).unwrap_or(a) } else { a };
        if random.one_in(3) {
            let by = random.between(2, 4);
            let rest = if a.low < 0 { random.between(1 - by, by - 1) } else { random.between(0, by - 1) };
            let operator = random.pick(&["==", "==", "!=", "<"]);
            return format!("({} % {by} {operator} {rest})", a.text);
        }
        let b = if random.one_in(2) { self.variable(random) } else { Expression::constant(random.between(-1, 7)) };
        let ty = a.ty.common(b.ty);
        let b = if a.fits(ty) && b.fits(ty) { b } else { Expression::constant(random.between(0, 7)) };
        let a = if a.fits(a.ty.common(b.ty)) { a.text } else { "1".into() };
        let operator = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        format!("({a} {operator} {})", b.text)
    }

    /// A condition: comparisons with `&&`, `||` and `!`.
    pub fn condition(&self, random: &mut Random) -> String {
        let first = self.comparison(random);
        match random.below(8) {
            0 => format!("({first} && {})", self.comparison(random)),
            1 => format!("({first} || {})", self.comparison(random)),
            2 => format!("!{first}"),
            _ => first,
        }
    }
}
