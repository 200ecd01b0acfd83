//! Random numbers from a seed: the same seed gives the same numbers on every machine.
//!
//! SplitMix64 (Steele, Lea, Flood 2014): a counter whose value is mixed. Its quality is more than random tests need.

/// A stream of random numbers.
///
/// ```
/// use loopwright_polybench_tests::Random;
/// let (mut a, mut b) = (Random::new(7), Random::new(7));
/// assert_eq!(a.between(-5, 5), b.between(-5, 5));
/// assert!((0..100).all(|_| (2..=4).contains(&a.between(2, 4))));
/// ```
#[derive(Debug, Clone)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// The stream of a seed and a label, such as a kernel's name and a number; other labels give other streams.
    pub fn labeled(seed: u64, label: &str, number: usize) -> Random {
        let mut random = Random::new(seed);
        for byte in label.bytes().map(u64::from).chain([number as u64]) {
            random = Random::new(random.bits() ^ byte);
        }
        random
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `count`.
    ///
    /// # Panics
    /// When `count` is 0.
    #[track_caller]
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "no number is below 0");
        usize::try_from(self.bits() % count as u64).expect("less than a usize")
    }

    /// A number from `min` to `max`, both included.
    ///
    /// # Panics
    /// When `min > max`.
    #[track_caller]
    pub fn between(&mut self, min: i64, max: i64) -> i64 {
        assert!(min <= max, "no number from {min} to {max}");
        let width = max.abs_diff(min);
        let offset = if width == u64::MAX { self.bits() } else { self.bits() % (width + 1) };
        min.wrapping_add_unsigned(offset)
    }

    /// One of these.
    ///
    /// # Panics
    /// When there is none.
    #[track_caller]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// `true` once in `count` times.
    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}
