//! Unrolling: a loop with a constant number of trips as windows, one for each trip.

use loopwright_presburger::{Int, System};

use crate::error::Error;
use crate::header::{Lower, Stride, trips};
use crate::linear::Linear;

/// A lower bound with a constant number of trips above it, the fewest that the bounds show; or why there is none.
pub(crate) fn trip_count<'b>(
    lower: &'b [Lower],
    upper: &[Linear],
    stride: Option<&Stride>,
) -> Result<Result<(&'b Lower, i128), String>, Error> {
    let mut best: Option<(&Lower, i128)> = None;
    for low in lower {
        for high in upper {
            if let Some(count) = trips(&low.value, high, stride)?
                && best.as_ref().is_none_or(|(_, fewest)| count < *fewest)
            {
                best = Some((low, count));
            }
        }
    }
    let text = |bounds: Vec<String>| if bounds.is_empty() { "nothing".to_string() } else { bounds.join(", ") };
    Ok(best.ok_or_else(|| {
        let lower = text(lower.iter().map(|b| b.value.to_expr().to_string()).collect());
        let upper = text(upper.iter().map(|b| b.to_expr().to_string()).collect());
        format!("its number of iterations is not a constant (from {lower} to {upper})")
    }))
}

/// The rows that hold the dimension to trip k, or to that trip and all later ones.
///
/// With `a t + f >= 0` as lower bound and stride s, trip k is `a s k <= a t + f < a s (k + 1)`.
pub(crate) fn trip(low: &Lower, stride: Option<&Stride>, k: usize, further: Further) -> System {
    let Some(row) = low.row.ineqs().first() else { return low.row.clone() };
    let t = low.row.columns().first_div() - 1;
    let step = Int::from(stride.map_or(1, |s| i64::try_from(s.step).unwrap_or(i64::MAX)));
    let width = &row.get(t) * &step;
    let from = &width * &Int::from(i64::try_from(k).unwrap_or(i64::MAX));
    let mut first = row.clone();
    first.add_at(0, &-&from);
    if further == Further::Included {
        return low.row.with_rows(Vec::new(), vec![first]);
    }
    if width.is_one() {
        return low.row.with_rows(vec![first], Vec::new());
    }
    let mut last = first.neg();
    last.add_at(0, &(&width - &Int::ONE));
    low.row.with_rows(Vec::new(), vec![first, last])
}

/// Whether later trips belong to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Further {
    Included,
    Excluded,
}
