//! Proofs about formulas: is a condition on counters and parameters impossible?

use crate::eval::range;
use crate::formula::{Formula, Lin, Overflow, Var};
use crate::lower::{self, Unlowered};
use loopwright_presburger::{Budget, Columns, Id, Set, Space, Tuple};
use loopwright_scop::IntType;
use std::collections::BTreeMap;

/// The bound that is assumed for 64-bit parameters.
pub const WIDE: i128 = 1 << 48;

/// What a proof may use: the ranges of parameters and counters.
pub struct Context<'a> {
    /// The parameters.
    pub params: &'a BTreeMap<String, IntType>,
    /// The types of the counters, outermost first.
    pub counters: &'a [IntType],
    /// The limit of all proofs together.
    pub budget: &'a Budget,
}

/// The values that a parameter can have.
pub fn param_range(ty: &IntType) -> (i128, i128) {
    let (low, high) = range(ty);
    (low.max(-WIDE), high.min(WIDE))
}

/// `low <= variable <= high`
pub fn between(var: Var, (low, high): (i128, i128)) -> Result<Formula, Overflow> {
    let lin = Lin::var(var);
    Ok(Formula::ge(lin.plus_constant(-low)?).and(Formula::ge(lin.times(-1)?.plus_constant(high)?)))
}

/// The names of parameters, as spaces want them.
pub fn ids(params: &BTreeMap<String, IntType>) -> Vec<Id> {
    params.keys().map(|name| Id::from(name.as_str())).collect()
}

impl Context<'_> {
    /// What holds of parameters and counters by their types.
    fn known(&self) -> Result<Formula, Overflow> {
        let mut known = Formula::truth();
        for (name, ty) in self.params {
            known = known.and(between(Var::Param(name.clone()), param_range(ty))?);
        }
        for (depth, ty) in self.counters.iter().enumerate() {
            known = known.and(between(Var::Dim(depth), range(ty))?);
        }
        Ok(known)
    }

    /// Whether no counters and parameters satisfy `formula`.
    ///
    /// # Errors
    /// [`Unlowered`], when that is not known.
    pub fn is_impossible(&self, formula: &Formula) -> Result<bool, Unlowered> {
        if formula.is_falsity() {
            return Ok(true);
        }
        let params = ids(self.params);
        let names: Vec<&str> = params.iter().map(|p| &**p).collect();
        let space = Space::set(&names, Tuple::anonymous(self.counters.len()));
        let systems = lower::systems(&formula.clone().and(self.known()?), &params, Columns::of(&space), self.budget)?;
        let set = Set::from_systems(space, systems);
        Ok(set.is_empty_within(self.budget)?)
    }

    /// Whether `premise` implies `conclusion`.
    ///
    /// # Errors
    /// [`Unlowered`], when that is not known.
    pub fn implies(&self, premise: &Formula, conclusion: &Formula) -> Result<bool, Unlowered> {
        self.is_impossible(&premise.clone().and(conclusion.not()?))
    }
}
