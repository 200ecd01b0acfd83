//! Engines over systems. They share only [`System`](crate::System), so that one can check another.
pub(crate) mod coefficient;
pub mod sample;
pub mod simplex;
pub(crate) mod tableau;
#[cfg(test)]
pub(crate) mod testing;
