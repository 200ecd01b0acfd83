//! Limits on work: a step count, an expiry test (a clock, a cancellation flag), or none.
//!
//! Every operation that can blow up exists twice: `op(..)`, which never gives up, and `op_within(.., &Budget)`, which returns
//! [`BudgetSpent`] once the limit is reached and leaves its inputs usable. This crate reads no clock: a caller that wants a
//! wall-time limit passes a closure that says whether the time is over.
//!
//! ```
//! use loopwright_presburger::Budget;
//! let budget = Budget::steps(100);
//! assert!(budget.spend(60).is_ok());
//! assert!(budget.spend(60).is_err());
//! assert!(Budget::UNLIMITED.spend(u64::MAX).is_ok());
//! ```

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The budget of an operation was spent before its answer was known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("budget spent before the answer was known; raise the limit or simplify the input")]
pub struct BudgetSpent;

type Expired = Arc<dyn Fn() -> bool + Send + Sync>;

/// How much work an operation may do. Steps are elementary: about one row operation each.
///
/// Sharing a `&Budget` between operations makes them draw from the same account. The expiry test is polled at least once per
/// 10^4 steps.
pub struct Budget {
    limit: u64,
    used: AtomicU64,
    expired: Option<Expired>,
}

impl Budget {
    /// No limit at all.
    pub const UNLIMITED: Budget = Budget { limit: u64::MAX, used: AtomicU64::new(0), expired: None };

    /// At most `limit` elementary steps.
    pub fn steps(limit: u64) -> Budget {
        Budget { limit, used: AtomicU64::new(0), expired: None }
    }

    /// This budget with a test that ends the work as soon as it answers `true` (a deadline, a cancellation flag).
    pub fn until(mut self, expired: impl Fn() -> bool + Send + Sync + 'static) -> Budget {
        self.expired = Some(Arc::new(expired));
        self
    }

    /// A budget for a part of the work: at most `steps` of what is left here, under the same expiry test. What it used counts here
    /// once it is spent here.
    ///
    /// ```
    /// use loopwright_presburger::Budget;
    /// let whole = Budget::steps(100);
    /// let part = whole.part(1000);
    /// assert!(part.spend(60).is_ok() && part.spend(60).is_err());
    /// assert!(whole.spend(60).is_ok());
    /// ```
    pub fn part(&self, steps: u64) -> Budget {
        let left = if self.limit == u64::MAX { u64::MAX } else { self.limit.saturating_sub(self.used()) };
        Budget { limit: steps.min(left), used: AtomicU64::new(0), expired: self.expired.clone() }
    }

    /// Whether the expiry test says that the time is over; asked now, whatever the steps.
    pub fn is_expired(&self) -> bool {
        self.expired.as_ref().is_some_and(|expired| expired())
    }

    /// Whether nothing limits this budget.
    pub fn is_unlimited(&self) -> bool {
        self.limit == u64::MAX && self.expired.is_none()
    }

    /// Steps spent so far (0 for an unlimited budget, which does not count).
    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Takes `steps` from the account.
    ///
    /// # Errors
    /// [`BudgetSpent`] when the account is empty or the expiry test says so.
    #[inline]
    pub fn spend(&self, steps: u64) -> Result<(), BudgetSpent> {
        if self.is_unlimited() { Ok(()) } else { self.spend_limited(steps) }
    }

    fn spend_limited(&self, steps: u64) -> Result<(), BudgetSpent> {
        const POLL: u64 = 1 << 12;
        let before = self.used.fetch_add(steps, Ordering::Relaxed);
        let after = before.saturating_add(steps);
        if after > self.limit {
            return Err(BudgetSpent);
        }
        if (before / POLL != after / POLL || before == 0)
            && let Some(expired) = &self.expired
            && expired()
        {
            self.used.store(self.limit, Ordering::Relaxed);
            return Err(BudgetSpent);
        }
        Ok(())
    }
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { limit: u64::MAX, used: AtomicU64::new(0), expired: None }
    }
}

impl fmt::Debug for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Budget").field("limit", &self.limit).field("used", &self.used()).finish_non_exhaustive()
    }
}

/// Declares methods in pairs: `op` without a limit over `op_within`, which takes a [`Budget`] as its last argument.
///
/// Written `within! { /// doc \n pub fn op = op_within(&self, a: A, ..) -> T; }` inside an `impl` that defines
/// `op_within(&self, a: A, .., budget: &Budget) -> Result<T, BudgetSpent>`.
macro_rules! within {
    ($($(#[$meta:meta])* pub fn $op:ident = $op_within:ident(&self $(, $arg:ident : $ty:ty)* $(,)?) -> $ret:ty;)*) => {
        $(
            $(#[$meta])*
            #[track_caller]
            pub fn $op(&self $(, $arg: $ty)*) -> $ret {
                match self.$op_within($($arg,)* &$crate::Budget::UNLIMITED) {
                    Ok(value) => value,
                    Err(_) => unreachable!("an unlimited budget is never spent"),
                }
            }
        )*
    };
}
pub(crate) use within;
