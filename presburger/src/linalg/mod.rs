//! Rows and matrices of exact integers.
pub mod hermite;
pub mod matrix;
pub mod row;
pub use matrix::Matrix;
pub use row::Row;
