//! The same work on many items, on all cores.

use crate::Fallible;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// `work` on every item; the results in the order of the items, or the first error in that order.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> Fallible<R> + Sync) -> Fallible<Vec<R>> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<Fallible<R>>>> = Mutex::new(items.iter().map(|_| None).collect());
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((number, item)) = claim(&next, items) {
                    let result = work(item);
                    if let Ok(mut results) = results.lock() {
                        results[number] = Some(result);
                    }
                }
            });
        }
    });
    let results = results.into_inner().map_err(|_| "a thread panicked")?;
    results.into_iter().map(|r| r.unwrap_or_else(|| Err("a thread stopped early".into()))).collect()
}

fn claim<'a, T>(next: &AtomicUsize, items: &'a [T]) -> Option<(usize, &'a T)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    items.get(number).map(|item| (number, item))
}
