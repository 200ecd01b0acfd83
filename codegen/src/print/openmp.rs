//! Marks as OpenMP pragmas.

use crate::ast::Mark;

/// The pragma line for a mark, if it is one that OpenMP knows.
///
/// ```
/// use loopwright_codegen::{Mark, print::openmp::pragma};
/// assert_eq!(pragma(&Mark::Parallel(Some(4))).unwrap(), "#pragma omp parallel for num_threads(4)");
/// assert_eq!(pragma(&Mark::Parallel(None)).unwrap(), "#pragma omp parallel for");
/// ```
#[must_use]
pub fn pragma(mark: &Mark) -> Option<String> {
    match mark {
        Mark::Parallel(None) => Some("#pragma omp parallel for".into()),
        Mark::Parallel(Some(threads)) => Some(format!("#pragma omp parallel for num_threads({threads})")),
        Mark::Named(_) => None,
    }
}
