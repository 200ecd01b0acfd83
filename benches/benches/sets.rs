//! Set operations on the shapes that compilers ask about.

use criterion::{Criterion, criterion_group, criterion_main};
use loopwright::presburger::{Map, Set};
use std::hint::black_box;

const TILED: &str = "[n] -> { [i, j, a, b] : 0 <= i, j < n and a = 32*floor(i/32) and b = 32*floor(j/32) }";
const BOX: &str = "{ [a, b, c, d] : 0 <= a, b, c, d <= 99 }";
const HOLE: &str = "{ [a, b, c, d] : 10 <= a, b, c, d <= 20 }";
const ORDER: &str = "[n] -> { [t, i] -> [u, j] : 0 <= t, u < n and 1 <= i, j < n - 1 and u = t + 1 and i - 1 <= j <= i + 1 }";

fn set(text: &str) -> Set {
    text.parse().expect("isl notation")
}

fn sets(c: &mut Criterion) {
    c.bench_function("parse tiled", |b| b.iter(|| set(black_box(TILED))));
    let tiled = set(TILED);
    c.bench_function("print tiled", |b| b.iter(|| black_box(&tiled).to_string()));
    c.bench_function("is_empty box", |b| {
        let set = set(BOX);
        b.iter(|| black_box(&set).is_empty());
    });
    c.bench_function("is_empty tiled", |b| b.iter(|| black_box(&tiled).is_empty()));
    c.bench_function("subtract box", |b| {
        let (whole, hole) = (set(BOX), set(HOLE));
        b.iter(|| black_box(&whole).subtract(&hole));
    });
    c.bench_function("is_subset box", |b| {
        let (whole, hole) = (set(BOX), set(HOLE));
        b.iter(|| black_box(&hole).is_subset(&whole));
    });
    c.bench_function("deltas stencil", |b| {
        let map: Map = ORDER.parse().expect("isl notation");
        b.iter(|| black_box(&map).deltas());
    });
}

criterion_group!(benches, sets);
criterion_main!(benches);
