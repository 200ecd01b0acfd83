//! Our side of the comparison with Tadashi: `steps plan | memory KERNEL NUMBER`, CPU times as JSON; `benches/peers/tadashi_steps.py` runs it.
//!
//! `plan` draws steps and sequences from a fixed seed, so that every run, and the peer, does the same work. A sequence keeps the
//! legal steps and takes the illegal ones back, as a search does. Times are those of the process: rewriting and proof of each
//! step, code generation for the original order and after each sequence, and reading the file with its child processes.

use loopwright::{Budget, Offer, Program, Registry, State, Step};
use loopwright_benches::program;
use loopwright_polybench_tests::{Dataset, Random, kernel};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

/// The transformations that Tadashi has too. SCALE is in its list but does nothing.
const SHARED: [&str; 14] = [
    "TILE_1D",
    "TILE_2D",
    "TILE_3D",
    "INTERCHANGE",
    "FULL_FUSE",
    "FUSE",
    "FULL_SPLIT",
    "SPLIT",
    "FULL_SHIFT_VAL",
    "PARTIAL_SHIFT_VAL",
    "FULL_SHIFT_VAR",
    "PARTIAL_SHIFT_VAR",
    "SET_PARALLEL",
    "SET_LOOP_OPT",
];

/// Steps of a sequence, illegal ones included.
const LENGTH: usize = 10;
const SINGLES: usize = 20;
const SEQUENCES: usize = 3;
/// Readings of the file: the CPU time of children is counted in hundredths of a second.
const READINGS: u32 = 5;

fn main() {
    let usage = "usage: steps plan KERNEL SEED | steps memory KERNEL STEPS";
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [task, name, number] = &args[..] else { panic!("{usage}") };
    let number: usize = number.parse().unwrap_or_else(|_| panic!("{usage}"));
    let answer = match &**task {
        "plan" => plan(name, number as u64),
        "memory" => memory(name, number),
        _ => panic!("{usage}"),
    };
    println!("{answer}");
}

fn plan(name: &str, seed: u64) -> Value {
    let start = (cpu(), children());
    for _ in 0..READINGS {
        black_box(program(name));
    }
    let extraction = (cpu() - start.0 + children() - start.1) / f64::from(READINGS);
    let program = program(name);
    let start = cpu();
    let code = program.emit_all(&program.original(), &Budget::UNLIMITED);
    let generation = cpu() - start;
    code.unwrap_or_else(|e| panic!("{name}: {e}"));

    let mut walk = Walk { program: &program, registry: Registry::standard(), random: Random::labeled(seed, name, 0) };
    let original = program.original();
    let singles: Vec<Value> = (0..SINGLES).filter_map(|_| Some(walk.step(&original)?.0)).collect();
    let mut sequences = Vec::new();
    for number in 0..SEQUENCES {
        walk.random = Random::labeled(seed, name, number + 1);
        let (mut state, mut steps) = (original.clone(), Vec::new());
        for _ in 0..LENGTH {
            let Some((step, next)) = walk.step(&state) else { continue };
            steps.push(step);
            state = next.unwrap_or(state);
        }
        let start = cpu();
        let code = program.emit_all(&state, &deadline());
        sequences.push(json!({"steps": steps, "generation": cpu() - start, "code": code.is_ok()}));
    }
    let kernel = kernel(name).expect("it was read");
    json!({
        "kernel": name,
        "file": kernel.source_path(),
        "cc_args": kernel.cpp_arguments(Dataset::Mini),
        "extraction": extraction,
        "generation": generation,
        "singles": singles,
        "sequences": sequences,
    })
}

/// Random steps in sequences, and what the process holds after a tenth of them and at the end.
fn memory(name: &str, steps: usize) -> Value {
    let program = program(name);
    let mut walk = Walk { program: &program, registry: Registry::standard(), random: Random::new(1) };
    let mut state = program.original();
    let mut early = Value::Null;
    for number in 0..steps {
        if number % LENGTH == 0 {
            state = program.original();
        }
        if number == steps / 10 {
            early = resident();
        }
        if let Some((_, Some(next))) = walk.step(&state) {
            state = next;
        }
    }
    json!({"kernel": name, "steps": steps, "after a tenth": early, "at the end": resident()})
}

struct Walk<'a> {
    program: &'a Program,
    registry: Registry,
    random: Random,
}

impl Walk<'_> {
    /// A random step from here with its time, and the state after it if it is legal; `None` where nothing is available.
    fn step(&mut self, state: &State) -> Option<(Value, Option<State>)> {
        let (node, step) = self.draw(state)?;
        let start = cpu();
        let next = self.program.apply_from(state, &step, &self.registry);
        let next = next.unwrap_or_else(|e| panic!("{}: offered, yet {e}", step.to_json()));
        let answer = self.program.judge(&next, step.scop, &Budget::UNLIMITED);
        let seconds = cpu() - start;
        let legal = answer.unwrap_or_else(|e| panic!("{}: {e}", step.to_json())).legal;
        let row = json!({"scop": step.scop, "node": node, "move": step.action.to_json(), "seconds": seconds, "legal": legal});
        Some((row, legal.then_some(next)))
    }

    /// A transformation among those that apply somewhere, then a place and arguments; and the place's number.
    fn draw(&mut self, state: &State) -> Option<(usize, Step)> {
        let scop = self.random.below(state.trees().len());
        let mut offers: BTreeMap<String, Vec<Offer>> = BTreeMap::new();
        for offer in self.registry.offers(&state.trees()[scop]) {
            if SHARED.contains(&&*offer.name) {
                offers.entry(offer.name.clone()).or_default().push(offer.clipped(-4, 32));
            }
        }
        let kinds: Vec<&Vec<Offer>> = offers.values().collect();
        if kinds.is_empty() {
            return None;
        }
        let places = *self.random.pick(&kinds);
        let offer = self.random.pick(places);
        let index = u128::from(self.random.bits()) % offer.count()?;
        Some((offer.node, offer.step(scop, offer.nth(index)?)))
    }
}

/// Unrolling can ask for more code than anyone compiles.
fn deadline() -> Budget {
    let end = Instant::now() + std::time::Duration::from_secs(20);
    Budget::steps(u64::MAX - 1).until(move || Instant::now() > end)
}

/// CPU seconds of this process.
fn cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
}

/// CPU seconds of the child processes that have ended.
fn children() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or("").split_whitespace().collect();
    // cutime and cstime, in hundredths of a second; the command and its number stand before the parenthesis.
    [13, 14].iter().filter_map(|&i: &usize| fields.get(i)?.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Resident memory now and at its highest, as the kernel says it.
fn resident() -> Value {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let field =
        |name: &str| text.lines().find_map(|l| l.strip_prefix(name)).map(|v| v.split_whitespace().collect::<Vec<_>>().join(" "));
    json!({"VmRSS": field("VmRSS:"), "VmHWM": field("VmHWM:")})
}
