//! Unrolling: a loop with a constant number of trips as windows, one for each trip.

use loopwright_presburger::{Int, System};

use crate::error::Error;
use crate::header::{Lower, Stride, trips};
use crate::linear::Linear;

/// For each trip the rows that hold the dimension to it; or why that is impossible.
///
/// With `a t + f >= 0` as lower bound and stride s, trip k is `a s k <= a t + f < a s (k + 1)`.
pub(crate) fn windows(
    lower: &[Lower],
    upper: &[Linear],
    stride: Option<&Stride>,
    most: usize,
) -> Result<Result<Vec<System>, String>, Error> {
    let mut best: Option<(i128, &Lower)> = None;
    for low in lower {
        for high in upper {
            if let Some(count) = trips(&low.value, high, stride)? {
                if best.as_ref().is_none_or(|(fewest, _)| count < *fewest) {
                    best = Some((count, low));
                }
            }
        }
    }
    let Some((count, low)) = best else {
        let text = |bounds: Vec<String>| if bounds.is_empty() { "nothing".to_string() } else { bounds.join(", ") };
        let lower = text(lower.iter().map(|b| b.value.to_expr().to_string()).collect());
        let upper = text(upper.iter().map(|b| b.to_expr().to_string()).collect());
        return Ok(Err(format!("its number of iterations is not a constant (from {lower} to {upper})")));
    };
    let Some(count) = usize::try_from(count).ok().filter(|count| *count <= most) else {
        return Ok(Err(format!("it has {count} iterations, and at most {most} are copied")));
    };
    let Some(row) = low.row.ineqs().first() else { return Ok(Err("it has no lower bound".into())) };
    let t = low.row.columns().first_div() - 1;
    let step = Int::from(stride.map_or(1, |s| i64::try_from(s.step).unwrap_or(i64::MAX)));
    let width = &row.get(t) * &step;
    let mut windows = Vec::new();
    for k in 0..count {
        let from = &width * &Int::from(i64::try_from(k).unwrap_or(i64::MAX));
        let mut first = row.clone();
        first.add_at(0, &-&from);
        let system = if width.is_one() {
            low.row.with_rows(vec![first], Vec::new())
        } else {
            let mut last = first.neg();
            last.add_at(0, &(&width - &Int::ONE));
            low.row.with_rows(Vec::new(), vec![first, last])
        };
        windows.push(system);
    }
    Ok(Ok(windows))
}
