//! The C printer: expressions with as few parentheses as C needs, loops, and the helper functions they use.

use std::fmt;

use crate::ast::{Ast, Node};
use crate::expr::{Comparison, Expr};
use crate::print::openmp::pragma;

/// How C is laid out.
#[derive(Debug, Clone)]
pub struct PrintOptions {
    /// Spaces in front of every line.
    pub indent: usize,
    /// Spaces per level.
    pub step: usize,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions { indent: 0, step: 2 }
    }
}

/// Prints the AST as C; `body(statement, indices)` gives the text of a statement instance, which may have several lines.
///
/// The text uses the functions of [`helpers_used`].
#[must_use]
pub fn print_c(ast: &Ast, options: &PrintOptions, mut body: impl FnMut(&str, &[String]) -> String) -> String {
    let mut printer = Printer { text: String::new(), step: options.step };
    printer.node(&ast.root, options.indent, &mut body);
    printer.text
}

struct Printer {
    text: String,
    step: usize,
}

impl Printer {
    fn line(&mut self, indent: usize, line: &str) {
        if !line.is_empty() && !line.starts_with('#') {
            self.text.extend(std::iter::repeat_n(' ', indent));
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn node(&mut self, node: &Node, indent: usize, body: &mut impl FnMut(&str, &[String]) -> String) {
        match node {
            Node::Block(nodes) => {
                for node in nodes {
                    self.node(node, indent, body);
                }
            }
            Node::For(l) => {
                for mark in &l.marks {
                    if let Some(pragma) = pragma(mark) {
                        self.line(indent, &pragma);
                    }
                }
                let increment =
                    if l.step == 1 { format!("{}++", l.counter) } else { format!("{} += {}", l.counter, Expr::Int(l.step)) };
                let head = format!("for ({} {c} = {}; {c} <= {}; {increment})", l.ctype, l.first, At(&l.last, 5), c = l.counter);
                self.nested(&head, &l.body, indent, body);
            }
            Node::If(l) => self.nested(&format!("if ({})", l.condition), &l.then, indent, body),
            Node::User(user) => {
                let indices: Vec<String> = user.indices.iter().map(ToString::to_string).collect();
                for line in body(&user.statement, &indices).lines() {
                    self.line(indent, line);
                }
            }
        }
    }

    fn nested(&mut self, head: &str, inner: &Node, indent: usize, body: &mut impl FnMut(&str, &[String]) -> String) {
        self.line(indent, &format!("{head} {{"));
        self.node(inner, indent + self.step, body);
        self.line(indent, "}");
    }
}

/// The helper functions that the printed AST calls, as C text, each once; empty if it calls none.
#[must_use]
pub fn helpers_used(ast: &Ast) -> String {
    let mut used = [false; 4];
    ast.root.expressions(&mut |e| {
        e.walk(&mut |e| match e {
            Expr::FloorDiv(..) => used[0] = true,
            Expr::CeilDiv(..) => used[1] = true,
            Expr::Min(_) => used[2] = true,
            Expr::Max(_) => used[3] = true,
            _ => {}
        });
    });
    let text = [
        "static inline long lw_floord(long n, long d) { return n / d - (n % d < 0); }\n",
        "static inline long lw_ceild(long n, long d) { return n / d + (n % d > 0); }\n",
        "static inline long lw_min(long a, long b) { return a < b ? a : b; }\n",
        "static inline long lw_max(long a, long b) { return a > b ? a : b; }\n",
    ];
    text.iter().zip(used).filter(|(_, used)| *used).map(|(text, _)| *text).collect()
}

/// An expression in a place that binds with this strength: 1 or, 2 and, 3 equality, 4 order, 5 sum, 6 product, 7 unary, 8 atom.
struct At<'a>(&'a Expr, u8);

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

impl fmt::Display for At<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let At(e, place) = *self;
        let parens = strength(e) < place;
        if parens {
            f.write_str("(")?;
        }
        match e {
            Expr::Int(v) => integer(*v, f)?,
            Expr::Wide(inner) => match **inner {
                Expr::Int(v) if i32::try_from(v).is_ok() => write!(f, "{v}L")?,
                Expr::Int(v) => integer(v, f)?,
                _ => write!(f, "(long){}", At(inner, 7))?,
            },
            Expr::Id(name) => f.write_str(name)?,
            Expr::Neg(inner) => write!(f, "-{}", At(inner, 8))?,
            Expr::Add(a, b) => write!(f, "{} + {}", At(a, 5), At(b, 6))?,
            Expr::Sub(a, b) => write!(f, "{} - {}", At(a, 5), At(b, 6))?,
            Expr::Mul(c, inner) => {
                integer(*c, f)?;
                write!(f, " * {}", At(inner, 7))?;
            }
            Expr::Div(inner, d) => write!(f, "{} / {}", At(inner, 7), Expr::Int(*d))?,
            Expr::Rem(inner, d) => write!(f, "{} % {}", At(inner, 7), Expr::Int(*d))?,
            Expr::FloorDiv(inner, d) => write!(f, "lw_floord({inner}, {})", Expr::Int(*d))?,
            Expr::CeilDiv(inner, d) => write!(f, "lw_ceild({inner}, {})", Expr::Int(*d))?,
            Expr::Min(parts) => folded("lw_min", parts, f)?,
            Expr::Max(parts) => folded("lw_max", parts, f)?,
            Expr::Compare(op, a, b) => {
                let (op, inner) = match op {
                    Comparison::Eq => ("==", 4),
                    Comparison::Le => ("<=", 5),
                    Comparison::Ge => (">=", 5),
                };
                write!(f, "{} {op} {}", At(a, inner), At(b, inner))?;
            }
            Expr::Divides(d, inner) => write!(f, "{} % {} == 0", At(inner, 7), Expr::Int(*d))?,
            Expr::And(parts) => joined(" && ", "1", 3, parts, f)?,
            Expr::Or(parts) => joined(" || ", "0", 3, parts, f)?,
            Expr::Not(inner) => write!(f, "!{}", At(inner, 8))?,
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
        At(self, 0).fmt(f)
    }
}

fn integer(v: i128, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if v == i128::from(i64::MIN) {
        return f.write_str("(-9223372036854775807L - 1)");
    }
    if i32::try_from(v).is_ok() { write!(f, "{v}") } else { write!(f, "{v}L") }
}

fn folded(name: &str, parts: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for part in &parts[..parts.len().saturating_sub(1)] {
        write!(f, "{name}({part}, ")?;
    }
    if let Some(last) = parts.last() {
        write!(f, "{last}")?;
    }
    f.write_str(&")".repeat(parts.len().saturating_sub(1)))
}

fn joined(between: &str, none: &str, place: u8, parts: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if parts.is_empty() {
        return f.write_str(none);
    }
    for (k, part) in parts.iter().enumerate() {
        if k > 0 {
            f.write_str(between)?;
        }
        write!(f, "{}", At(part, if parts.len() == 1 { 0 } else { place }))?;
    }
    Ok(())
}
