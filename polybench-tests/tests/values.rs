//! All thirty kernels compile, run, and write values that are finite and almost all distinct.
//!
//! A test that compares outputs is worth what its values are worth: where many are equal, a wrong order goes unseen.

use loopwright_polybench_tests::{Compiler, Dataset, Dump, Kernel, dump, kernels};
use std::collections::HashSet;

/// Kernels whose algorithm itself writes equal values: how many of the dumped values at MINI repeat another one whatever
/// the data is.
const FORCED: [(&str, usize, &str); 3] = [
    ("adi", 17 * 19, "p holds the same 19 coefficients in each of its 18 inner rows"),
    ("correlation", 28 * 27 / 2 + 27, "corr is symmetric, 28 by 28, with ones on its diagonal"),
    ("covariance", 28 * 27 / 2, "cov is symmetric, 28 by 28"),
];

fn dump_of(kernel: &Kernel, dataset: Dataset) -> Dump {
    dump(kernel, dataset, &kernel.source(), &Compiler::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn is_finite(value: &str) -> bool {
    !value.contains("nan") && !value.contains("inf")
}

#[test]
fn nine_of_ten_values_are_distinct_and_all_are_finite() {
    for kernel in kernels() {
        let dump = dump_of(kernel, Dataset::Mini);
        let total = dump.values().count();
        let distinct = dump.values().collect::<HashSet<_>>().len();
        let forced = FORCED.iter().find(|(name, ..)| *name == kernel.name).map_or(0, |f| f.1);
        println!("{:15} {total:5} values, {distinct:5} distinct, {forced:3} forced to repeat", kernel.name);
        assert!(dump.values().all(is_finite), "{kernel}");
        assert!(10 * distinct >= 9 * (total - forced), "{kernel}");
        let is_exception = 10 * distinct < 9 * total;
        assert_eq!(is_exception, forced > 0, "{kernel}: is FORCED up to date?");
    }
}

/// The recurrences neither overflow nor decay at a larger size.
#[test]
fn values_stay_finite_and_distinct_at_small() {
    for kernel in kernels() {
        let dump = dump_of(kernel, Dataset::Small);
        let total = dump.values().count();
        let distinct = dump.values().collect::<HashSet<_>>().len();
        assert!(dump.values().all(is_finite), "{kernel}");
        assert!(4 * distinct >= 3 * total || kernel.name == "adi", "{kernel}: {distinct} of {total}");
    }
}

/// No value depends on memory that nobody initialized.
#[test]
fn dumps_are_the_same_in_every_run() {
    for kernel in kernels() {
        assert_eq!(dump_of(kernel, Dataset::Mini), dump_of(kernel, Dataset::Mini), "{kernel}");
    }
}
