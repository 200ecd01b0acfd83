//! All that is known of each loop of a tree: parallel, permutable, what it carries, and what would make it parallel.
//!
//! As JSON: `{"path": [0], "member": 0, "label"?: "L_0", "statements": ["S0"], "parallel": bool, "permutable": bool, "carries":
//! {"RAW": ["A"], "WAR": [], "WAW": []}, "parallel_with": null | {"private": ["t"], "reductions": [{"operator": "+", "array": "s"}]}}`.

use crate::{Dependences, Error, Kind, Loop, Reductions};
use loopwright_presburger::{Budget, Tuple};
use loopwright_schedule_tree::ScheduleTree;
use loopwright_scop::{Operator, Scop};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What is known of a loop. Legality assumes nothing of `parallel_with`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LoopReport {
    /// The band's child positions from the root.
    pub path: Vec<usize>,
    /// Which of its members.
    pub member: usize,
    /// The band's label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The statements below, in the order of the program text.
    pub statements: Vec<String>,
    /// Whether the iterations can run in parallel.
    pub parallel: bool,
    /// Whether the members of its band can be interchanged and tiled.
    pub permutable: bool,
    /// By kind, the arrays with dependences between different iterations at equal outer iterations.
    pub carries: BTreeMap<&'static str, Vec<String>>,
    /// What would make it parallel, if it is not and this is enough.
    pub parallel_with: Option<Relaxation>,
}

/// Changes beside the order of instances that make a loop parallel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relaxation {
    /// Arrays and scalars of which each iteration needs a copy of its own.
    pub private: Vec<String>,
    /// Reductions whose updates may run in any order.
    pub reductions: Vec<Reduction>,
}

/// An array or scalar that is updated with an operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reduction {
    /// The operator.
    pub operator: Operator,
    /// The array.
    pub array: String,
}

/// `private t, + reduction of s`
impl fmt::Display for Relaxation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let private = (!self.private.is_empty()).then(|| format!("private {}", self.private.join(" ")));
        let reductions = self.reductions.iter().map(|r| format!("{} reduction of {}", r.operator, r.array));
        f.write_str(&private.into_iter().chain(reductions).collect::<Vec<_>>().join(", "))
    }
}

impl LoopReport {
    /// The report on all loops of `tree`, a legal order of `scop` with these `dependences`: depth first, members outermost first.
    ///
    /// # Errors
    /// Nodes that change which instances run, a spent budget.
    pub fn all_within(
        scop: &Scop,
        dependences: &Dependences,
        tree: &ScheduleTree,
        budget: &Budget,
    ) -> Result<Vec<LoopReport>, Error> {
        let permutable = dependences.permutable_within(tree, budget)?;
        let loops = dependences.loops_within(tree, budget)?;
        let reductions = Reductions::of_within(scop, budget)?;
        let relaxable = !reductions.is_empty() && loops.iter().any(|l| !l.is_parallel() && !l.parallel_if_private);
        let hard = if relaxable {
            let hard = Dependences::hard_within(scop, &reductions, budget)?;
            let loops = hard.loops_within(tree, budget)?;
            loops.iter().map(|l| carried(&hard, l)).collect()
        } else {
            loops.iter().map(|l| carried(dependences, l)).collect::<Vec<_>>()
        };
        let reports = loops.iter().zip(hard).map(|(found, hard)| {
            let node = tree.node(&found.path)?;
            let reaching = tree.reaching_domain(&found.path)?;
            let below: BTreeSet<String> = reaching.members().map(|set| text(set.space().tuple())).collect();
            let carries = Kind::ALL.map(|kind| {
                let of_kind = found.carries.iter().map(|&at| &dependences.list[at]).filter(|d| d.kind == kind);
                (kind.name(), of_kind.map(|d| text(&d.array)).collect::<BTreeSet<_>>().into_iter().collect())
            });
            Ok(LoopReport {
                path: found.path.positions().to_vec(),
                member: found.member,
                label: node.as_band().and_then(|band| band.label()).map(|label| label.to_string()),
                statements: scop.statements.iter().map(|s| &s.name).filter(|name| below.contains(*name)).cloned().collect(),
                parallel: found.is_parallel(),
                permutable: permutable.contains(&found.path),
                carries: carries.into_iter().collect(),
                parallel_with: relaxation(&carried(dependences, found), found, &hard, &reductions),
            })
        });
        reports.collect()
    }
}

// The arrays with dependences that a loop carries.
fn carried(dependences: &Dependences, found: &Loop) -> BTreeSet<Tuple> {
    found.carries.iter().map(|&at| dependences.list[at].array.clone()).collect()
}

fn relaxation(carried: &BTreeSet<Tuple>, found: &Loop, hard: &BTreeSet<Tuple>, reductions: &Reductions) -> Option<Relaxation> {
    if carried.is_empty() {
        return None;
    }
    let (private, shared): (Vec<&Tuple>, Vec<&Tuple>) = carried.iter().partition(|array| found.privatizable.contains(array));
    if shared.iter().any(|array| hard.contains(*array)) {
        return None;
    }
    let of_array = |array: &&Tuple| {
        let array = text(array);
        move |operator| Reduction { operator, array: array.clone() }
    };
    Some(Relaxation {
        private: private.into_iter().map(text).collect(),
        reductions: shared.iter().flat_map(|array| reductions.operators(array).into_iter().map(of_array(array))).collect(),
    })
}

fn text(tuple: &Tuple) -> String {
    tuple.name().map_or_else(|| tuple.to_string(), ToString::to_string)
}
