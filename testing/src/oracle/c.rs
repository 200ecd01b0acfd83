//! C text, preprocessed already: static control parts that run in their original order and generate, or located reasons.

use loopwright::{Budget, Error, Input, Options, Program, Regions, Source};

const STEPS: u64 = 1_000_000;
const LONGEST: usize = 4_000;

/// C files.
pub fn c(data: &[u8]) {
    if data.len() > LONGEST {
        return;
    }
    let Ok(source) = Source::from_bytes("input.c", data.to_vec()) else { return };
    for regions in [Regions::Marked, Regions::Automatic] {
        let options = Options { input: Input::Preprocessed, regions, proof_steps: STEPS, ..Options::default() };
        match Program::open_within(source.clone(), &options, &Budget::steps(STEPS)) {
            Ok(program) => generates(&program),
            Err(error) => located(&error, &source),
        }
    }
}

fn generates(program: &Program) {
    let original = program.original();
    for scop in 0..program.scops().len() {
        match program.judge(&original, scop, &Budget::steps(STEPS)) {
            Ok(answer) => assert!(answer.legal, "the original order is not legal: {answer}\n{}", program.source().text),
            Err(error) => assert!(error.is_budget(), "{error}\n{}", program.source().text),
        }
    }
    let state = program.original();
    match program.emit(&state, &Budget::steps(STEPS)) {
        Ok(text) => assert!(!text.is_empty() || program.source().text.is_empty()),
        Err(error) => assert!(error.is_budget(), "{error}\n{}", program.source().text),
    }
}

fn located(error: &Error, source: &Source) {
    let text = error.to_string();
    assert!(!text.is_empty());
    let Error::Front(error) = error else { return };
    let lines = source.text.split('\n').count();
    for diagnostic in error.diagnostics() {
        assert!((1..=lines).contains(&diagnostic.line), "{diagnostic}\n{}", source.text);
        let line = source.text.split('\n').nth(diagnostic.line - 1).unwrap_or("");
        assert!((1..=line.chars().count() + 1).contains(&diagnostic.column), "{diagnostic}\n{}", source.text);
        assert!(!diagnostic.render(&source.text, loopwright::c_front::Color::Never).is_empty());
    }
}
