//! Helper functions of generated code: which an AST needs, their text, and under which names they are called.

use std::sync::Arc;

use crate::ast::Ast;
use crate::expr::Expr;

/// A function that generated code may call; computes in 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Helper {
    /// `floor(n / d)`
    FloorDiv,
    /// `ceil(n / d)`
    CeilDiv,
    /// The lesser of two.
    Min,
    /// The greater of two.
    Max,
}

impl Helper {
    /// All of them, in the order of their definitions.
    pub const ALL: [Helper; 4] = [Helper::FloorDiv, Helper::CeilDiv, Helper::Min, Helper::Max];

    /// The name where nothing else has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Helper::FloorDiv => "lw_floord",
            Helper::CeilDiv => "lw_ceild",
            Helper::Min => "lw_min",
            Helper::Max => "lw_max",
        }
    }

    /// The definition under a name: one line.
    ///
    /// ```
    /// use loopwright_codegen::Helper;
    /// assert_eq!(Helper::Min.definition("least"), "static inline long least(long a, long b) { return a < b ? a : b; }\n");
    /// ```
    #[must_use]
    pub fn definition(self, name: &str) -> String {
        let (arguments, value) = match self {
            Helper::FloorDiv => ("long n, long d", "n / d - (n % d < 0)"),
            Helper::CeilDiv => ("long n, long d", "n / d + (n % d > 0)"),
            Helper::Min => ("long a, long b", "a < b ? a : b"),
            Helper::Max => ("long a, long b", "a > b ? a : b"),
        };
        format!("static inline long {name}({arguments}) {{ return {value}; }}\n")
    }
}

/// What every helper is called.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperNames([Arc<str>; 4]);

impl Default for HelperNames {
    fn default() -> Self {
        HelperNames(Helper::ALL.map(|helper| Arc::from(helper.name())))
    }
}

impl HelperNames {
    /// The name of a helper.
    #[must_use]
    pub fn get(&self, helper: Helper) -> &str {
        &self.0[helper as usize]
    }

    /// These names, but one.
    #[must_use]
    pub fn with(mut self, helper: Helper, name: &str) -> HelperNames {
        self.0[helper as usize] = Arc::from(name);
        self
    }
}

/// The helpers that the printed AST calls, in the order of [`Helper::ALL`].
#[must_use]
pub fn helpers(ast: &Ast) -> Vec<Helper> {
    let mut used = Vec::new();
    ast.root.expressions(&mut |e| {
        e.walk(&mut |e| match e {
            Expr::FloorDiv(..) => used.push(Helper::FloorDiv),
            Expr::CeilDiv(..) => used.push(Helper::CeilDiv),
            Expr::Min(parts) if parts.len() > 1 => used.push(Helper::Min),
            Expr::Max(parts) if parts.len() > 1 => used.push(Helper::Max),
            _ => {}
        });
    });
    used.sort();
    used.dedup();
    used
}

/// The helper functions that the printed AST calls, as C text, each once; empty if it calls none.
#[must_use]
pub fn helpers_used(ast: &Ast) -> String {
    helpers(ast).into_iter().map(|helper| helper.definition(helper.name())).collect()
}
