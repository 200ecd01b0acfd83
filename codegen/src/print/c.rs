//! The C printer: expressions with as few parentheses as C needs, and loops with their pragmas.

use std::fmt;
use std::sync::Arc;

use crate::ast::{Ast, CType, Node};
use crate::expr::{Comparison, Expr};
use crate::print::helpers::{Helper, HelperNames};
use crate::print::openmp::pragma;

/// How C is laid out.
#[derive(Debug, Clone)]
pub struct PrintOptions {
    /// Spaces in front of every line.
    pub indent: usize,
    /// Spaces per level.
    pub step: usize,
    /// What helper functions are called.
    pub helpers: HelperNames,
}

/// An index of a statement instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// C text.
    pub text: String,
    /// The type, if the text is the name of a loop counter.
    pub counter: Option<CType>,
}

impl fmt::Display for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { indent: 0, step: 2, helpers: HelperNames::default() }
    }
}

/// Prints the AST as C; `body(statement, indices)` gives the text of a statement instance, which may have several lines.
///
/// The text uses the functions of [`helpers`](crate::print::helpers::helpers). Over a loop stands one pragma at most: that of
/// its first mark.
#[must_use]
pub fn print_c(ast: &Ast, options: &PrintOptions, body: impl FnMut(&str, &[Index]) -> String) -> String {
    let mut printer = Printer { text: String::new(), options, counters: Vec::new(), body };
    printer.node(&ast.root, options.indent);
    printer.text
}

/// The indices as the arguments of a call.
#[must_use]
pub fn arguments(indices: &[Index]) -> String {
    indices.iter().map(|index| &*index.text).collect::<Vec<_>>().join(", ")
}

struct Printer<'a, F> {
    text: String,
    options: &'a PrintOptions,
    /// The loops around, outermost first.
    counters: Vec<(Arc<str>, CType)>,
    body: F,
}

impl<F: FnMut(&str, &[Index]) -> String> Printer<'_, F> {
    fn line(&mut self, indent: usize, line: &str) {
        if !line.is_empty() && !line.starts_with('#') {
            self.text.extend(std::iter::repeat_n(' ', indent));
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn node(&mut self, node: &Node, indent: usize) {
        let options = self.options;
        let at = |e, place| At(e, place, &options.helpers);
        match node {
            Node::Block(nodes) => {
                for node in nodes {
                    self.node(node, indent);
                }
            }
            Node::For(l) => {
                let increment =
                    if l.step == 1 { format!("{}++", l.counter) } else { format!("{} += {}", l.counter, Expr::Int(l.step)) };
                let (first, last) = (at(&l.first, 0), at(&l.last, 5));
                let head = format!("for ({} {c} = {first}; {c} <= {last}; {increment})", l.ctype, c = l.counter);
                if let Some(pragma) = l.marks.iter().find_map(pragma) {
                    self.line(indent, &pragma);
                }
                self.counters.push((l.counter.clone(), l.ctype));
                self.nested(&head, &l.body, indent);
                self.counters.pop();
            }
            Node::If(l) => {
                let head = format!("if ({})", at(&l.condition, 0));
                self.nested(&head, &l.then, indent);
            }
            Node::User(user) => {
                let counter = |e: &Expr| match e {
                    Expr::Id(name) => self.counters.iter().rev().find(|(counter, _)| counter == name).map(|(_, ctype)| *ctype),
                    _ => None,
                };
                let indices: Vec<Index> =
                    user.indices.iter().map(|e| Index { text: at(e, 0).to_string(), counter: counter(e) }).collect();
                for line in (self.body)(&user.statement, &indices).lines() {
                    self.line(indent, line);
                }
            }
        }
    }

    fn nested(&mut self, head: &str, inner: &Node, indent: usize) {
        self.line(indent, &format!("{head} {{"));
        self.node(inner, indent + self.options.step);
        self.line(indent, "}");
    }
}

/// An expression in a place that binds with this strength: 1 or, 2 and, 3 equality, 4 order, 5 sum, 6 product, 7 unary, 8 atom.
struct At<'a>(&'a Expr, u8, &'a HelperNames);

fn strength(e: &Expr) -> u8 {
    match e {
        Expr::Or(parts) | Expr::And(parts) if parts.is_empty() => 8,
        Expr::Or(parts) | Expr::And(parts) | Expr::Min(parts) | Expr::Max(parts) if parts.len() == 1 => strength(&parts[0]),
        Expr::Or(_) => 1,
        Expr::And(_) => 2,
        Expr::Divides(..) | Expr::Compare(Comparison::Eq, ..) => 3,
        Expr::Compare(..) => 4,
        Expr::Add(..) | Expr::Sub(..) => 5,
        Expr::Mul(..) | Expr::Div(..) | Expr::Rem(..) => 6,
        Expr::Neg(_) | Expr::Not(_) => 7,
        Expr::Int(v) if *v < 0 => 7,
        Expr::Wide(e) if matches!(**e, Expr::Int(v) if v >= 0) => 8,
        Expr::Wide(_) => 7,
        Expr::Int(_) | Expr::Id(_) | Expr::FloorDiv(..) | Expr::CeilDiv(..) | Expr::Min(_) | Expr::Max(_) => 8,
    }
}

impl<'a> fmt::Display for At<'a> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let At(e, place, names) = *self;
        let at = |e: &'a Expr, place: u8| At(e, place, names);
        let parens = strength(e) < place;
        if parens {
            f.write_str("(")?;
        }
        match e {
            Expr::Int(v) => integer(*v, f)?,
            Expr::Wide(inner) => match **inner {
                Expr::Int(v) if i32::try_from(v).is_ok() => write!(f, "{v}L")?,
                Expr::Int(v) => integer(v, f)?,
                _ => write!(f, "(long){}", at(inner, 7))?,
            },
            Expr::Id(name) => f.write_str(name)?,
            Expr::Neg(inner) => write!(f, "-{}", at(inner, 8))?,
            Expr::Add(a, b) => write!(f, "{} + {}", at(a, 5), at(b, 6))?,
            Expr::Sub(a, b) => write!(f, "{} - {}", at(a, 5), at(b, 6))?,
            Expr::Mul(c, inner) => {
                integer(*c, f)?;
                write!(f, " * {}", at(inner, 7))?;
            }
            Expr::Div(inner, d) => write!(f, "{} / {}", at(inner, 7), Expr::Int(*d))?,
            Expr::Rem(inner, d) => write!(f, "{} % {}", at(inner, 7), Expr::Int(*d))?,
            Expr::FloorDiv(inner, d) => write!(f, "{}({}, {})", names.get(Helper::FloorDiv), at(inner, 0), Expr::Int(*d))?,
            Expr::CeilDiv(inner, d) => write!(f, "{}({}, {})", names.get(Helper::CeilDiv), at(inner, 0), Expr::Int(*d))?,
            Expr::Min(parts) => folded(Helper::Min, parts, names, f)?,
            Expr::Max(parts) => folded(Helper::Max, parts, names, f)?,
            Expr::Compare(op, a, b) => {
                let (op, inner) = match op {
                    Comparison::Eq => ("==", 4),
                    Comparison::Le => ("<=", 5),
                    Comparison::Ge => (">=", 5),
                };
                write!(f, "{} {op} {}", at(a, inner), at(b, inner))?;
            }
            Expr::Divides(d, inner) => write!(f, "{} % {} == 0", at(inner, 7), Expr::Int(*d))?,
            Expr::And(parts) => joined(" && ", "1", 3, parts, names, f)?,
            Expr::Or(parts) => joined(" || ", "0", 3, parts, names, f)?,
            Expr::Not(inner) => write!(f, "!{}", at(inner, 8))?,
        }
        if parens {
            f.write_str(")")?;
        }
        Ok(())
    }
}

impl fmt::Display for Expr {
    /// C text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        At(self, 0, &HelperNames::default()).fmt(f)
    }
}

fn integer(v: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if v == i128::from(i64::MIN) {
        return f.write_str("(-9223372036854775807L - 1)");
    }
    if i32::try_from(v).is_ok() { write!(f, "{v}") } else { write!(f, "{v}L") }
}

fn folded(helper: Helper, parts: &[Expr], names: &HelperNames, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for part in &parts[..parts.len().saturating_sub(1)] {
        write!(f, "{}({}, ", names.get(helper), At(part, 0, names))?;
    }
    if let Some(last) = parts.last() {
        write!(f, "{}", At(last, 0, names))?;
    }
    f.write_str(&")".repeat(parts.len().saturating_sub(1)))
}

fn joined(between: &str, none: &str, place: u8, parts: &[Expr], names: &HelperNames, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if parts.is_empty() {
        return f.write_str(none);
    }
    for (k, part) in parts.iter().enumerate() {
        if k > 0 {
            f.write_str(between)?;
        }
        write!(f, "{}", At(part, if parts.len() == 1 { 0 } else { place }, names))?;
    }
    Ok(())
}
