//! Choices from bytes: an input that is spent goes on with zeros, so that every input means something.

/// A stream of choices.
#[derive(Debug, Clone)]
pub struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    /// The choices that `data` stands for.
    pub fn new(data: &'a [u8]) -> Bytes<'a> {
        Bytes { rest: data }
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    /// A number below `count`, or 0.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()).checked_rem(count).unwrap_or(0)
    }

    /// A number from `least` to `most`, both included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        least + i64::from(self.byte()).rem_euclid((most - least + 1).max(1))
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.rest.is_empty()
    }
}
