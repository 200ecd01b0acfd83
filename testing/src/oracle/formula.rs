//! Formulas of integer arithmetic that print as isl notation and are evaluated point by point.

use super::Bytes;

/// `(constant + sum of coefficient * variable)`, then perhaps divided or reduced.
#[derive(Debug, Clone)]
pub struct Term {
    constant: i64,
    coefficients: Vec<i64>,
    shape: Shape,
}

#[derive(Debug, Clone, Copy)]
enum Shape {
    Plain,
    Floor(i64),
    Mod(i64),
}

/// The values that bound variables range over.
const BOUND: i64 = 2;
const COEFFICIENTS: [i64; 12] = [0, 1, 0, -1, 0, 1, 2, -2, 3, -3, 1, 5];

impl Term {
    /// A term over so many variables.
    pub fn decode(bytes: &mut Bytes, variables: usize) -> Term {
        let constant = bytes.between(-4, 4);
        let coefficients = (0..variables).map(|_| bytes.pick(&COEFFICIENTS)).collect();
        let shape = match bytes.below(8) {
            6 => Shape::Floor(bytes.between(2, 4)),
            7 => Shape::Mod(bytes.between(2, 4)),
            _ => Shape::Plain,
        };
        Term { constant, coefficients, shape }
    }

    /// In isl notation, with these names of the variables.
    pub fn text(&self, names: &[String]) -> String {
        let mut text = self.constant.to_string();
        for (c, name) in self.coefficients.iter().zip(names).filter(|(c, _)| **c != 0) {
            text += &format!(" + {c}*{name}");
        }
        match self.shape {
            Shape::Plain => text,
            Shape::Floor(d) => format!("floor(({text})/{d})"),
            Shape::Mod(d) => format!("(({text}) mod {d})"),
        }
    }

    /// The value with these values of the variables.
    pub fn value(&self, values: &[i64]) -> i64 {
        let sum = self.constant + self.coefficients.iter().zip(values).map(|(c, x)| c * x).sum::<i64>();
        match self.shape {
            Shape::Plain => sum,
            Shape::Floor(d) => sum.div_euclid(d),
            Shape::Mod(d) => sum.rem_euclid(d),
        }
    }
}

/// A condition on some variables.
#[derive(Debug, Clone)]
pub enum Formula {
    /// A comparison with 0.
    Compare(Term, &'static str),
    /// Both.
    And(Box<[Formula; 2]>),
    /// One of both.
    Or(Box<[Formula; 2]>),
    /// Not this.
    Not(Box<Formula>),
    /// This for some value of one more variable within `-BOUND..=BOUND`.
    Exists(Box<Formula>),
}

impl Formula {
    /// A formula over so many variables, nested at most `depth` deep.
    pub fn decode(bytes: &mut Bytes, variables: usize, depth: usize) -> Formula {
        let two = |bytes: &mut Bytes| Box::new([0, 1].map(|_| Formula::decode(bytes, variables, depth - 1)));
        match bytes.below(if depth == 0 { 1 } else { 8 }) {
            1 | 5 => Formula::And(two(bytes)),
            2 | 6 => Formula::Or(two(bytes)),
            3 => Formula::Not(Box::new(Formula::decode(bytes, variables, depth - 1))),
            4 => Formula::Exists(Box::new(Formula::decode(bytes, variables + 1, depth - 1))),
            _ => Formula::Compare(Term::decode(bytes, variables), bytes.pick(&[">=", "=", "<=", "!=", "<", ">"])),
        }
    }

    /// In isl notation.
    pub fn text(&self, names: &[String]) -> String {
        match self {
            Formula::Compare(term, op) => format!("{} {op} 0", term.text(names)),
            Formula::And(both) => format!("({} and {})", both[0].text(names), both[1].text(names)),
            Formula::Or(both) => format!("({} or {})", both[0].text(names), both[1].text(names)),
            Formula::Not(inner) => format!("not ({})", inner.text(names)),
            Formula::Exists(inner) => {
                let new = format!("e{}", names.len());
                let all = [names, std::slice::from_ref(&new)].concat();
                format!("exists ({new} : -{BOUND} <= {new} <= {BOUND} and {})", inner.text(&all))
            }
        }
    }

    /// Whether it holds.
    pub fn holds(&self, values: &[i64]) -> bool {
        match self {
            Formula::Compare(term, op) => {
                let value = term.value(values);
                match *op {
                    ">=" => value >= 0,
                    "=" => value == 0,
                    "<=" => value <= 0,
                    "!=" => value != 0,
                    "<" => value < 0,
                    _ => value > 0,
                }
            }
            Formula::And(both) => both.iter().all(|f| f.holds(values)),
            Formula::Or(both) => both.iter().any(|f| f.holds(values)),
            Formula::Not(inner) => !inner.holds(values),
            Formula::Exists(inner) => (-BOUND..=BOUND).any(|e| inner.holds(&[values, &[e]].concat())),
        }
    }
}
