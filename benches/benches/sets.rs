//! Reading and printing, and set operations, on the shapes that compilers ask about.

use criterion::{Criterion, criterion_group, criterion_main};
use loopwright::presburger::{Map, Set};
use std::hint::black_box;
use std::time::Duration;

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
    c.bench_function("union and coalesce", |b| {
        let (left, right) = (set("{ [i, j] : 0 <= i, j <= 9 }"), set("{ [i, j] : 10 <= i <= 19 and 0 <= j <= 9 }"));
        b.iter(|| black_box(&left).union(&right).coalesce());
    });
    c.bench_function("gist tiled", |b| {
        let context = set("[n] -> { [i, j, a, b] : 0 <= i, j < n }");
        b.iter(|| black_box(&tiled).gist(&context));
    });
    c.bench_function("lexmin tiled", |b| b.iter(|| black_box(&tiled).lexmin()));
    c.bench_function("card triangle", |b| {
        let triangle = set("[n] -> { [i, j] : 0 <= j <= i < n }");
        b.iter(|| black_box(&triangle).card());
    });
    let order: Map = ORDER.parse().expect("isl notation");
    c.bench_function("apply_range stencil", |b| b.iter(|| black_box(&order).apply_range(&order)));
    c.bench_function("deltas stencil", |b| b.iter(|| black_box(&order).deltas()));
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    targets = sets
}
criterion_main!(benches);
