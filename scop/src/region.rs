//! Where things stand in the user's file.

use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A place in the file: bytes, and line and column (from 1, columns in characters) of the first byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// The bytes.
    pub range: Range<usize>,
    /// The line of the first byte.
    pub line: usize,
    /// The column of the first byte.
    pub column: usize,
}

/// Where a region stands, and where generated text goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Region {
    /// The file as the user named it.
    pub file: String,
    /// Everything between the two pragma lines: starts after the line end of `#pragma scop`, ends before the line of
    /// `#pragma endscop`; the statements themselves in a region that was found without pragmas. Generated code replaces exactly
    /// this.
    pub content: Range<usize>,
    /// The same with both pragma lines, if there are any.
    pub whole: Range<usize>,
    /// What stands before generated code, in place of the content: a line end, an opening brace.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// Where helper functions can be inserted: at file scope, before the function.
    pub helpers_at: usize,
    /// The white space before the region's first token on its line.
    pub indent: String,
    /// The line of `#pragma scop`, or of the first statement, from 1.
    pub line: usize,
}
