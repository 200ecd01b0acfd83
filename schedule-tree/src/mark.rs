//! What a mark node says about the subtree below it.

use loopwright_presburger::Id;
use std::fmt;

/// A mark: a note for later stages that does not change the order.
///
/// In text a mark is one string. `parallel` and `parallel(4)` are [`Mark::Parallel`] (`pragma_parallel_4` is read as well), anything
/// else is [`Mark::Named`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Mark {
    /// The loop of the band below runs in parallel.
    Parallel {
        /// The number of threads; 0 leaves the number to the run time.
        threads: u32,
    },
    /// A name that some other stage knows.
    Named(Id),
}

impl Mark {
    /// The mark written as `text`.
    pub fn new(text: &str) -> Mark {
        let threads = match text {
            "parallel" => Some(0),
            _ => text
                .strip_prefix("parallel(")
                .and_then(|t| t.strip_suffix(')'))
                .or_else(|| text.strip_prefix("pragma_parallel_"))
                .and_then(|n| n.parse().ok()),
        };
        threads.map_or_else(|| Mark::Named(text.into()), |threads| Mark::Parallel { threads })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mark::Parallel { threads: 0 } => f.write_str("parallel"),
            Mark::Parallel { threads } => write!(f, "parallel({threads})"),
            Mark::Named(name) => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, mark: Mark, printed: &str) {
        assert_eq!(Mark::new(text), mark);
        assert_eq!(mark.to_string(), printed);
        assert_eq!(Mark::new(printed), mark);
    }

    #[test]
    fn text() {
        check("parallel", Mark::Parallel { threads: 0 }, "parallel");
        check("parallel(0)", Mark::Parallel { threads: 0 }, "parallel");
        check("parallel(4)", Mark::Parallel { threads: 4 }, "parallel(4)");
        check("pragma_parallel_8", Mark::Parallel { threads: 8 }, "parallel(8)");
        check("parallel(x)", Mark::Named("parallel(x)".into()), "parallel(x)");
        check("kernel", Mark::Named("kernel".into()), "kernel");
    }
}
