//! isl notation: one grammar in, one printer out.
//!
//! Text becomes tokens (`lexer`), a syntax tree (`parser`), disjunctions of sparse linear atoms over numbered variables
//! (`lower`), and finally systems and functions in spaces (`members`, `functions`). Reading takes time linear in the text
//! (and in the expansion of its formulas into disjunctions); nesting is limited. Every error says where it is and what was expected.
//!
//! ```
//! use loopwright_presburger::{Set, UnionMap};
//! let set: Set = "[n] -> { S[i, j = 2i] : 0 <= i < n and (i mod 4 = 1 or i > 8) }".parse().unwrap();
//! assert_eq!(set.n_basic(), 2);
//! let error = "{ S[i] : i >= }".parse::<UnionMap>().unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 15: expected an expression, found '}'");
//! ```

mod ast;
mod display;
mod dnf;
mod functions;
mod lexer;
mod linear;
mod lower;
mod members;
mod parser;
mod polynomial;
mod printer;

#[cfg(test)]
mod roundtrip;
