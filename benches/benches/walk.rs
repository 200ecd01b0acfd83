//! The stages of the walk on PolyBench kernels: reading with the preprocessor, dependences, a step with its proof, code generation.

use criterion::{Criterion, criterion_group, criterion_main};
use loopwright::deps::Dependences;
use loopwright::{Budget, Step};
use loopwright_benches::program;
use std::hint::black_box;
use std::time::Duration;

const KERNELS: [&str; 4] = ["gemm", "jacobi-2d", "lu", "nussinov"];

fn walk(c: &mut Criterion) {
    let step: Step = serde_json::from_str(r#"{"path": [0], "move": ["TILE_1D", 32]}"#).expect("a step");
    for name in KERNELS {
        let program = program(name);
        let original = program.original();
        let tiled = program.apply(&original, &step).expect("a loop outermost");
        c.bench_function(&format!("extract {name}"), |b| b.iter(|| loopwright_benches::program(black_box(name))));
        c.bench_function(&format!("dependences {name}"), |b| b.iter(|| Dependences::of(black_box(&program.scops()[0]))));
        c.bench_function(&format!("step and proof {name}"), |b| {
            b.iter(|| {
                let next = program.apply(&original, black_box(&step)).expect("a loop outermost");
                program.judge(&next, 0, &Budget::UNLIMITED)
            });
        });
        c.bench_function(&format!("generate {name}"), |b| b.iter(|| program.emit(black_box(&tiled), &Budget::UNLIMITED)));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    targets = walk
}
criterion_main!(benches);
