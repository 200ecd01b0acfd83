//! The abstract syntax tree of generated loops.
//!
//! ```text
//! for (int c0 = 0; c0 <= n - 1; c0 += 1)    For { counter: c0, first: 0, last: n - 1, step: 1, .. }
//!   if (c0 % 2 == 0)                        If { condition, then }
//!     S(c0, 2 * c0);                        User { statement: S, indices: [c0, 2 * c0] }
//! ```
//! A loop that runs exactly once does not appear: its value is substituted.

use std::fmt;
use std::sync::Arc;

use crate::expr::Expr;
use crate::fate::LostMark;
use crate::print::c::{Index, PrintOptions, arguments, print_c};

/// The C type of a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CType {
    /// `int`, 32 bits.
    Int,
    /// `long`, 64 bits.
    Long,
}

impl fmt::Display for CType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CType::Int => "int",
            CType::Long => "long",
        })
    }
}

/// What is said about a loop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// The iterations may run at the same time; `None` leaves the number of threads to the runtime.
    Parallel(Option<u32>),
    /// Any other mark, by name.
    Named(Arc<str>),
}

/// A loop from `first` to `last`, both included, upwards by `step`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct For {
    /// Name of the counter, declared by the loop.
    pub counter: Arc<str>,
    /// Its type.
    pub ctype: CType,
    /// First value.
    pub first: Expr,
    /// The counter is at most this.
    pub last: Expr,
    /// What the counter grows by; positive.
    pub step: i128,
    /// What is said about the loop.
    pub marks: Vec<Mark>,
    /// What it repeats.
    pub body: Node,
}

/// A condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct If {
    /// When to run `then`.
    pub condition: Expr,
    /// What is run.
    pub then: Node,
}

/// One instance of a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Name of the statement.
    pub statement: Arc<str>,
    /// The instance.
    pub indices: Vec<Expr>,
}

/// A node of the AST.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// Nodes in order; none: nothing is done.
    Block(Vec<Node>),
    /// A loop.
    For(Box<For>),
    /// A condition.
    If(Box<If>),
    /// A statement instance.
    User(User),
}

impl Node {
    /// The nodes in order, nested blocks flattened; neighbors under the same condition share it (no statement changes a counter or
    /// a parameter).
    #[must_use]
    pub fn block(nodes: impl IntoIterator<Item = Node>) -> Node {
        let mut flat: Vec<Node> = Vec::new();
        for node in nodes {
            let inner = if let Node::Block(inner) = node { inner } else { vec![node] };
            for node in inner {
                match (flat.last_mut(), node) {
                    (Some(Node::If(last)), Node::If(next)) if last.condition == next.condition => {
                        let first = std::mem::replace(&mut last.then, Node::Block(Vec::new()));
                        last.then = Node::block([first, next.then]);
                    }
                    (_, node) => flat.push(node),
                }
            }
        }
        if flat.len() == 1 { flat.remove(0) } else { Node::Block(flat) }
    }

    /// `node` under a condition; nested conditions are merged, empty blocks vanish.
    #[must_use]
    pub fn guarded(condition: Expr, node: Node) -> Node {
        if condition.is_always() || node.is_empty() {
            return node;
        }
        if condition.is_never() {
            return Node::Block(Vec::new());
        }
        match node {
            Node::If(inner) => Node::If(Box::new(If { condition: Expr::all([condition, inner.condition]), then: inner.then })),
            then => Node::If(Box::new(If { condition, then })),
        }
    }

    /// Does this node do nothing?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(self, Node::Block(nodes) if nodes.is_empty())
    }

    /// Calls `visit` on this node and everything inside, outside first.
    pub fn walk(&self, visit: &mut impl FnMut(&Node)) {
        visit(self);
        match self {
            Node::Block(nodes) => nodes.iter().for_each(|node| node.walk(visit)),
            Node::For(inner) => inner.body.walk(visit),
            Node::If(inner) => inner.then.walk(visit),
            Node::User(_) => {}
        }
    }

    /// Calls `visit` on every expression, in order of appearance.
    pub fn expressions(&self, visit: &mut impl FnMut(&Expr)) {
        self.walk(&mut |node| match node {
            Node::For(l) => {
                visit(&l.first);
                visit(&l.last);
            }
            Node::If(l) => visit(&l.condition),
            Node::User(user) => user.indices.iter().for_each(&mut *visit),
            Node::Block(_) => {}
        });
    }
}

/// Generated code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ast {
    /// What is run.
    pub root: Node,
    /// The parameters that may appear, sorted.
    pub params: Vec<Arc<str>>,
    /// The parallel marks of the tree that no loop carries.
    pub lost: Vec<LostMark>,
}

impl Ast {
    /// Numbers of loops, conditions and statements: the size of the code.
    #[must_use]
    pub fn size(&self) -> (usize, usize, usize) {
        let (mut loops, mut conditions, mut statements) = (0, 0, 0);
        self.root.walk(&mut |node| match node {
            Node::For(_) => loops += 1,
            Node::If(_) => conditions += 1,
            Node::User(_) => statements += 1,
            Node::Block(_) => {}
        });
        (loops, conditions, statements)
    }
}

impl fmt::Display for Ast {
    /// C-like text, with statements as calls.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = |name: &str, indices: &[Index]| format!("{name}({});", arguments(indices));
        f.write_str(&print_c(self, &PrintOptions::default(), call))
    }
}
