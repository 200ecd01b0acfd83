//! What becomes of marks: whether a loop carries them, and if none does, why.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;

use crate::ast::Mark;

/// A mark that no loop of the generated code carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LostMark {
    /// The position of its node: child positions from the root of the tree.
    pub path: Vec<usize>,
    /// The mark.
    pub mark: Mark,
    /// Why.
    pub why: Lost,
}

impl fmt::Display for LostMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the parallel mark at {:?}: {}; no pragma written", self.path, self.why)
    }
}

/// Why no loop carries a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lost {
    /// Nothing is run there.
    Nothing,
    /// The node below the mark is no band.
    NoLoop,
    /// The loop has at most one iteration.
    OneIteration,
    /// The loop is unrolled.
    Unrolled,
    /// The loop carries another parallel mark already.
    Doubled,
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Lost::Nothing => "no instance is run there",
            Lost::NoLoop => "no loop stands below the mark",
            Lost::OneIteration => "the loop has at most one iteration",
            Lost::Unrolled => "the loop is unrolled",
            Lost::Doubled => "the loop is parallel already",
        })
    }
}

/// A mark on its way to a loop.
#[derive(Debug, Clone)]
pub(crate) struct Marked {
    pub path: Vec<usize>,
    pub mark: Mark,
}

/// What is known so far: of several fates of one mark the best counts.
#[derive(Debug, Default)]
pub(crate) struct Fates {
    found: RefCell<BTreeMap<Vec<usize>, Fate>>,
}

/// A mark, and why no loop carries it (`None`: one does).
type Fate = (Mark, Option<Lost>);

impl Fates {
    /// `None`: some loop carries it.
    pub fn add(&self, marked: &Marked, fate: Option<Lost>) {
        let mut found = self.found.borrow_mut();
        let entry = found.entry(marked.path.clone()).or_insert_with(|| (marked.mark.clone(), fate));
        entry.1 = entry.1.and_then(|old| Some(old.max(fate?)));
    }

    /// The marks of a loop, of parallel ones the first.
    pub fn written(&self, marks: &[Marked]) -> Vec<Mark> {
        let mut written: Vec<Mark> = Vec::new();
        for marked in marks {
            let parallel = |mark: &Mark| matches!(mark, Mark::Parallel(_));
            if parallel(&marked.mark) && written.iter().any(parallel) {
                self.add(marked, Some(Lost::Doubled));
            } else {
                self.add(marked, None);
                written.push(marked.mark.clone());
            }
        }
        written
    }

    /// The parallel marks that got lost, in the order of the tree.
    pub fn lost(&self) -> Vec<LostMark> {
        let found = self.found.borrow();
        let lost = found.iter().filter_map(|(path, (mark, why))| {
            let mark = Some(mark).filter(|mark| matches!(mark, Mark::Parallel(_)))?;
            Some(LostMark { path: path.clone(), mark: mark.clone(), why: (*why)? })
        });
        lost.collect()
    }
}
