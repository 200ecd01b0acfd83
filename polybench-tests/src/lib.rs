//! The thirty kernels of PolyBench/C 4.2.1, and where to find them.
//!
//! The C files under `kernels/` are written anew in PolyBench's form: its names, loop orders, statement splits, array
//! shapes and dataset sizes. Two things differ on purpose. Every array that a region writes is initialized, also where
//! the kernel overwrites it, so that no value depends on the machine; and the initial data is chosen so that almost all
//! values written are distinct and finite, so that a wrong order of instances shows. The dump prints `%a`: outputs are
//! compared bit for bit.
//!
//! This crate knows C compilers and files; it knows nothing of schedules, dependences or how a variant came about.

mod kernel;

pub use kernel::{Category, Dataset, Kernel, kernel, kernels};
