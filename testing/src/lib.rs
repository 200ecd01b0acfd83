//! Helpers that only tests use: the operations of the conformance data by name, and what must hold for every input.
//!
//! The crate may depend on every other one; nothing depends on it outside of tests.

pub mod conform;
pub mod oracle;
