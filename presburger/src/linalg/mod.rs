//! Rows and matrices of exact integers.
pub mod row;
pub use row::Row;
