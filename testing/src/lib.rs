//! Helpers that only tests use: the operations of the conformance data by name.
//!
//! The crate may depend on every other one; nothing depends on it outside of tests.

pub mod conform;
