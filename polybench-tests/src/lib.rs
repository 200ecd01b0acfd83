//! The thirty kernels of PolyBench/C 4.2.1, and a harness that compares transformed variants of them bit for bit.
//!
//! The C files under `kernels/` are written anew in PolyBench's form: its names, loop orders, statement splits, array
//! shapes and dataset sizes. Two things differ on purpose. Every array that a region writes is initialized, also where
//! the kernel overwrites it, so that no value depends on the machine; and the initial data is chosen so that almost all
//! values written are distinct and finite, so that a wrong order of instances shows. The dump prints `%a`: outputs are
//! compared bit for bit.
//!
//! - [`kernels`] lists them, with their files and the arguments a preprocessor needs.
//! - [`compare`] answers for many variants of a kernel whether each computes what the original computes: one call of the
//!   compiler, one run.
//! - [`region`] makes random small regions of C, and [`compare_regions`] compares their variants.
//! - [`dump`] compiles and runs one text and returns the values that it prints.
//!
//! This crate knows C compilers and files; it knows nothing of schedules, dependences or how a variant came about.

mod compare;
mod compiler;
mod dump;
mod error;
mod kernel;
mod program;
mod random;
mod regions;

pub use compare::{CompareOptions, Outcome, Variant, compare};
pub use compiler::{Compiler, Optimization, Threads};
pub use dump::{Dump, DumpedArray, dump};
pub use error::Error;
pub use kernel::{Category, Dataset, Kernel, kernel, kernels};
pub use random::Random;
pub use regions::{Region, RegionVariants, compare_regions, region};
