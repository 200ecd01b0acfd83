//! A file with static control parts, and states of it: one schedule tree for each part.
//!
//! A [`Program`] never changes; a [`State`] is a plain value. To undo is to keep the old state.

use crate::{Answer, Emitted, Error, emit};
use loopwright_c_front::{Diagnostic, LeftOut, Names, Options, Source};
use loopwright_deps::{Accesses, Dependences, LoopReport, Reason};
use loopwright_presburger::Budget;
use loopwright_schedule_tree::{Offer, Registry, ScheduleTree, Step};
use loopwright_scop::Scop;

/// A C file, its static control parts and their dependences.
#[derive(Debug, Clone)]
pub struct Program {
    source: Source,
    scops: Vec<Scop>,
    // One for each part, from the original order.
    dependences: Vec<Dependences>,
    left_out: Vec<LeftOut>,
    names: Names,
    refused: Vec<Diagnostic>,
}

/// One schedule tree for each static control part of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    trees: Vec<ScheduleTree>,
}

impl State {
    /// The trees, in the order of the parts.
    pub fn trees(&self) -> &[ScheduleTree] {
        &self.trees
    }

    /// What can be done in part `scop`: every node with every standard transformation that it offers, with the domains of the
    /// arguments. Every choice from them applies; whether it is legal is for [`Program::judge`] to say.
    ///
    /// # Errors
    /// [`Error::NoScop`].
    pub fn moves(&self, scop: usize) -> Result<Vec<Offer>, Error> {
        self.moves_from(scop, &Registry::standard())
    }

    /// [`moves`](State::moves) with the transformations of `registry`.
    ///
    /// # Errors
    /// As `moves`.
    pub fn moves_from(&self, scop: usize, registry: &Registry) -> Result<Vec<Offer>, Error> {
        let tree = self.trees.get(scop).ok_or(Error::NoScop { scop, count: self.trees.len() })?;
        Ok(registry.offers(tree))
    }
}

impl Program {
    /// Reads the static control parts of a file and computes their dependences.
    ///
    /// # Errors
    /// [`Error::Front`] with located reasons where the file is not understood.
    pub fn open(source: Source, options: &Options) -> Result<Program, Error> {
        Program::open_within(source, options, &Budget::UNLIMITED)
    }

    /// [`open`](Program::open) within a budget.
    ///
    /// # Errors
    /// As `open`, and [`Error::Budget`].
    pub fn open_within(source: Source, options: &Options, budget: &Budget) -> Result<Program, Error> {
        let extraction = loopwright_c_front::extract_within(&source, options, budget)?;
        let analyze = |scop: &Scop| Dependences::analyze_within(&Accesses::of(scop), &scop.schedule, &scop.context, budget);
        let dependences = extraction.scops.iter().map(analyze).collect::<Result<_, _>>()?;
        Ok(Program {
            source: extraction.source,
            scops: extraction.scops,
            dependences,
            left_out: extraction.left_out,
            names: extraction.names,
            refused: extraction.refused,
        })
    }

    /// The file.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The static control parts.
    pub fn scops(&self) -> &[Scop] {
        &self.scops
    }

    /// What was left out of static control parts that were looked for without pragmas ([`Regions::Automatic`](crate::Regions::Automatic)).
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Why other regions between pragmas are no static control parts; they have no number, and stay as they are.
    pub fn refused(&self) -> &[Diagnostic] {
        &self.refused
    }

    /// The dependences of part `scop` in the original order.
    pub fn dependences(&self, scop: usize) -> Result<&Dependences, Error> {
        self.dependences.get(scop).ok_or(Error::NoScop { scop, count: self.scops.len() })
    }

    /// The state in which every part runs in its original order.
    pub fn original(&self) -> State {
        State { trees: self.scops.iter().map(|s| s.schedule.clone()).collect() }
    }

    /// The state after a step. Mechanical: whether it is legal is for [`judge`](Program::judge) to say.
    ///
    /// # Errors
    /// [`Error::NoScop`], [`Error::Step`].
    pub fn apply(&self, state: &State, step: &Step) -> Result<State, Error> {
        self.apply_from(state, step, &Registry::standard())
    }

    /// [`apply`](Program::apply) with the transformations of `registry`.
    ///
    /// # Errors
    /// As `apply`.
    pub fn apply_from(&self, state: &State, step: &Step, registry: &Registry) -> Result<State, Error> {
        let Some(tree) = state.trees.get(step.scop) else {
            return Err(Error::NoScop { scop: step.scop, count: state.trees.len() });
        };
        let mut next = state.clone();
        next.trees[step.scop] = registry.step(tree, step)?;
        Ok(next)
    }

    /// Whether the order and the parallel marks of part `scop` keep every dependence of the original program.
    ///
    /// Exact: memory-based dependences over all instances and all parameter values.
    ///
    /// # Errors
    /// [`Error::NoScop`], [`Error::Budget`].
    pub fn judge(&self, state: &State, scop: usize, budget: &Budget) -> Result<Answer, Error> {
        let dependences = self.dependences(scop)?;
        Ok(Answer::from(&dependences.check_within(&state.trees[scop], budget)?))
    }

    /// [`judge`](Program::judge), and where a loop cannot run in parallel, which private copies and reductions would let it.
    ///
    /// # Errors
    /// As `judge`.
    pub fn explain(&self, state: &State, scop: usize, budget: &Budget) -> Result<Answer, Error> {
        let (dependences, tree) = (self.dependences(scop)?, &state.trees[scop]);
        let verdict = dependences.check_within(tree, budget)?;
        let answer = Answer::from(&verdict);
        let Some(Reason::Parallel { path }) = verdict.violation().map(|v| &v.reason) else { return Ok(answer) };
        let loops = LoopReport::all_within(&self.scops[scop], dependences, tree, budget)?;
        let found = loops.into_iter().find(|l| l.path == path.positions() && l.member == 0);
        Ok(Answer { parallel_with: found.and_then(|l| l.parallel_with), ..answer })
    }

    /// Why no code can be generated for part `scop` of a state, if so.
    ///
    /// # Errors
    /// [`Error::NoScop`], [`Error::Budget`].
    pub fn why_no_code(&self, state: &State, scop: usize, budget: &Budget) -> Result<Option<String>, Error> {
        let part = self.scops.get(scop).ok_or(Error::NoScop { scop, count: self.scops.len() })?;
        match emit::ast(part, &state.trees[scop], budget) {
            Ok(_) => Ok(None),
            Err(loopwright_codegen::Error::Budget(spent)) => Err(spent.into()),
            Err(why) => Ok(Some(why.to_string())),
        }
    }

    /// The file with generated code in the regions that do not run in their original order; the rest is byte for byte.
    ///
    /// # Errors
    /// [`Error::Codegen`], [`Error::Budget`].
    pub fn emit(&self, state: &State, budget: &Budget) -> Result<String, Error> {
        Ok(self.emitted(state, budget)?.code)
    }

    /// [`emit`](Program::emit), with what the code does not do of what the trees ask for.
    ///
    /// # Errors
    /// As `emit`.
    pub fn emitted(&self, state: &State, budget: &Budget) -> Result<Emitted, Error> {
        self.generate(state, budget, |scop, tree| scop.schedule != *tree)
    }

    /// [`emit`](Program::emit) with generated code in every region, changed or not: what tests of code generation want.
    ///
    /// # Errors
    /// As `emit`.
    pub fn emit_all(&self, state: &State, budget: &Budget) -> Result<String, Error> {
        Ok(self.generate(state, budget, |_, _| true)?.code)
    }

    fn generate(&self, state: &State, budget: &Budget, wanted: impl Fn(&Scop, &ScheduleTree) -> bool) -> Result<Emitted, Error> {
        let parts = self.scops.iter().zip(&state.trees).enumerate();
        let parts: Vec<(usize, (&Scop, &ScheduleTree))> = parts.filter(|(_, (scop, tree))| wanted(scop, tree)).collect();
        emit::emit(&self.source.text, &self.names, &parts, budget)
    }
}
