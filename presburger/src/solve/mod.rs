//! Engines over systems. They share only [`System`](crate::System), so that one can check another.
