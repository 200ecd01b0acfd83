//! Printers: the only place of the project that writes C.

pub mod c;
pub mod helpers;
pub mod openmp;
