//! A random walk through the orders of a program: random steps, judged, generated, rolled back where illegal; the witness of every
//! refusal is replayed.

use crate::moves;
use loopwright::deps::Verdict;
use loopwright::{Budget, Error, Program, Registry, State, Step, codegen};
use loopwright_polybench_tests::Random;
use std::ops::AddAssign;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// What became of random steps.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Legal, and with code.
    pub accepted: usize,
    /// Illegal: rolled back.
    pub illegal: usize,
    /// Illegal, and the witness confirmed by running both orders at it.
    pub replayed: usize,
    /// The tree could not be rewritten.
    pub refused: usize,
    /// Unrolling without constant bounds, or with more code than anyone compiles: rolled back.
    pub no_code: usize,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        self.accepted += other.accepted;
        self.illegal += other.illegal;
        self.replayed += other.replayed;
        self.refused += other.refused;
        self.no_code += other.no_code;
    }
}

/// A walk: where it stands, and how it came there.
pub struct Walk<'a> {
    program: &'a Program,
    registry: &'a Registry,
    state: State,
    /// The code of the state.
    pub text: String,
    /// The steps that were accepted.
    pub taken: Vec<Step>,
    /// What became of all steps.
    pub tally: Tally,
    /// What is wrong with the product, each with the steps that show it.
    pub faults: Vec<String>,
    /// Time spent in rewriting and judging, and in generating.
    pub times: [Duration; 2],
    output: Output,
}

/// What a walk wants of a legal step.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Output {
    Code,
    OnlyOrder,
}

/// More code than this is not compiled.
const LARGE: usize = 200_000;

/// What any single question may take. Far beyond what one takes; more than this is a fault.
fn limit() -> Budget {
    let deadline = Instant::now() + Duration::from_secs(60);
    Budget::steps(u64::MAX - 1).until(move || Instant::now() > deadline)
}

impl<'a> Walk<'a> {
    /// At the original order; its code is the first thing that can be wrong.
    pub fn new(program: &'a Program, registry: &'a Registry) -> Walk<'a> {
        let mut walk = Walk { output: Output::Code, ..Walk::judging(program, registry) };
        let state = program.original();
        match walk.guarded(None, || program.emit_all(&state, &limit())) {
            Some(Ok(text)) => walk.text = text,
            Some(Err(why)) => walk.fault(None, &format!("no code: {why}")),
            None => {}
        }
        walk
    }

    /// At the original order, for a walk that judges and generates nothing.
    pub fn judging(program: &'a Program, registry: &'a Registry) -> Walk<'a> {
        Walk {
            program,
            registry,
            state: program.original(),
            text: String::new(),
            taken: Vec::new(),
            tally: Tally::default(),
            faults: Vec::new(),
            times: [Duration::ZERO; 2],
            output: Output::OnlyOrder,
        }
    }

    /// Tries a random step at part `scop`; whether it was accepted.
    pub fn step(&mut self, random: &mut Random, scop: usize) -> bool {
        let step = moves::random(&self.state.trees()[scop], scop, self.registry, random);
        step.is_some_and(|step| self.take(&step))
    }

    /// Tries a step; whether it was accepted.
    pub fn take(&mut self, step: &Step) -> bool {
        let (program, registry, state) = (self.program, self.registry, self.state.clone());
        let start = Instant::now();
        let verdict = self.guarded(Some(step), || judge(program, registry, &state, step));
        self.times[0] += start.elapsed();
        let next = match verdict {
            None => return false,
            Some(Err(Error::Step(_))) => {
                self.tally.refused += 1;
                return false;
            }
            Some(Err(why)) => {
                self.fault(Some(step), &why.to_string());
                return false;
            }
            Some(Ok((_, Some(replay)))) => {
                self.tally.illegal += 1;
                match replay {
                    Ok(()) => self.tally.replayed += 1,
                    Err(why) => self.fault(Some(step), &format!("the witness does not replay: {why}")),
                }
                return false;
            }
            Some(Ok((next, None))) => next,
        };
        if self.output == Output::Code && !self.generate(step, &next) {
            return false;
        }
        self.tally.accepted += 1;
        self.taken.push(step.clone());
        self.state = next;
        true
    }

    /// Generates the code of a legal state; whether there is any that one would compile.
    fn generate(&mut self, step: &Step, next: &State) -> bool {
        let start = Instant::now();
        let program = self.program;
        let code = self.guarded(Some(step), || program.emit_all(next, &limit()));
        self.times[1] += start.elapsed();
        match code {
            None => return false,
            Some(Err(Error::Codegen { source: codegen::Error::NotUnrollable { .. }, .. })) => {
                self.tally.no_code += 1;
                return false;
            }
            Some(Err(why)) => {
                self.fault(Some(step), &format!("no code: {why}"));
                return false;
            }
            Some(Ok(text)) if text.len() > LARGE => {
                self.tally.no_code += 1;
                return false;
            }
            Some(Ok(text)) => self.text = text,
        }
        true
    }

    /// The steps taken, and one more, as the command reads them.
    pub fn script(&self, last: Option<&Step>) -> String {
        let steps: Vec<String> = self.taken.iter().chain(last).map(|s| s.to_json().to_string()).collect();
        format!("[{}]", steps.join(", "))
    }

    fn fault(&mut self, step: Option<&Step>, why: &str) {
        self.faults.push(format!("{why}\n  after {}", self.script(step)));
    }

    /// What `f` answers; a panic is a fault.
    fn guarded<T>(&mut self, step: Option<&Step>, f: impl FnOnce() -> T) -> Option<T> {
        catch_unwind(AssertUnwindSafe(f)).map_err(|_| self.fault(step, "panic")).ok()
    }
}

type Replay = Result<(), String>;

/// The state after the step and, if it is illegal, whether its witness replays.
fn judge(program: &Program, registry: &Registry, state: &State, step: &Step) -> Result<(State, Option<Replay>), Error> {
    let next = program.apply_from(state, step, registry)?;
    let dependences = program.dependences(step.scop)?;
    let tree = &next.trees()[step.scop];
    let replay = match dependences.check_within(tree, &limit())? {
        Verdict::Legal => None,
        Verdict::Illegal(violation) => {
            let original = &program.scops()[step.scop].schedule;
            Some(violation.replay(dependences.accesses(), original, tree).map_err(|why| format!("{violation}: {why}")))
        }
    };
    Ok((next, replay))
}
