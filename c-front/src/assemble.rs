//! From what a walk found to a [`Scop`]: sets, maps, the schedule tree, assumptions, counters.

use crate::accesses::Draft;
use crate::after::{self, Around};
use crate::eval::Refusal;
use crate::extract::{Draftment, Found, LoopFact, reached};
use crate::formula::{Formula, Lin, Overflow, Var};
use crate::lower::{self, Unlowered};
use crate::prove::{between, ids, param_range};
use lang_c::span::Span;
use loopwright_presburger::{
    Budget, Columns, Dim, Id, Kind, Map, OfSet, Params, PwAff, PwMultiAff, Relation, Set, Space, System, Tuple,
};
use loopwright_scop::{Access, Array, Assumption, Counter, CounterScope, FinalValue, IntType, Param, Shape, Statement};
use std::collections::BTreeMap;

/// The parts of a scop that a walk determines.
pub struct Parts {
    /// The parameters.
    pub params: Vec<Param>,
    /// Their ranges.
    pub context: Params,
    /// The arrays.
    pub arrays: Vec<Array>,
    /// The statements, with spans still in the preprocessed text.
    pub statements: Vec<(Statement, Span)>,
    /// The counters.
    pub counters: Vec<Counter>,
    /// The assumptions.
    pub assumptions: Vec<Assumption>,
}

/// Builds sets from formulas over one list of parameters.
struct Builder<'a> {
    params: Vec<Id>,
    budget: &'a Budget,
}

/// Why a set could not be built.
enum Stop {
    Overflow(Overflow),
    Budget,
    Value,
}

impl From<Overflow> for Stop {
    fn from(overflow: Overflow) -> Stop {
        Stop::Overflow(overflow)
    }
}

impl From<Unlowered> for Stop {
    fn from(unlowered: Unlowered) -> Stop {
        match unlowered {
            Unlowered::Overflow(overflow) => Stop::Overflow(overflow),
            Unlowered::Budget => Stop::Budget,
        }
    }
}

impl From<loopwright_presburger::BudgetSpent> for Stop {
    fn from(_: loopwright_presburger::BudgetSpent) -> Stop {
        Stop::Budget
    }
}

impl Stop {
    fn at(self, span: Span) -> Refusal {
        let (message, help) = match self {
            Stop::Overflow(Overflow::Coefficient) => ("a constant is out of range", "use constants that fit 64 bits"),
            Stop::Overflow(Overflow::Cases) => ("too many cases", "use fewer `?:`, `%`, `/`, `||`"),
            Stop::Value => ("the value of this counter after the region is not affine", "use another variable after the region"),
            Stop::Budget => ("the budget for proofs is spent here", "raise the budget, or simplify conditions and subscripts"),
        };
        Refusal { span, message: message.into(), help: help.into() }
    }
}

impl Builder<'_> {
    fn space(&self, domain: Option<Tuple>, range: Option<Tuple>) -> Space {
        let names: Vec<&str> = self.params.iter().map(|p| &**p).collect();
        Space::params(&names).with_tuples(domain, range)
    }

    /// The relation of a formula; empty pieces are dropped where there are several.
    fn relation<K: Kind>(&self, formula: &Formula, space: Space) -> Result<Relation<K>, Stop> {
        let systems: Vec<System> = lower::systems(formula, &self.params, Columns::of(&space), self.budget)?;
        let all: Relation<K> = Relation::from_systems(space.clone(), systems);
        if all.n_basic() < 2 {
            return Ok(all);
        }
        let mut kept = Vec::new();
        for piece in all.systems() {
            if !Relation::<K>::from_systems(space.clone(), [piece.clone()]).is_empty_within(self.budget)? {
                kept.push(piece.clone());
            }
        }
        Ok(Relation::from_systems(space, kept))
    }
}

/// Assembles the parts; `dims` tells from where counters are read after the region.
///
/// # Errors
/// A [`Refusal`] when numbers, cases or the budget run out, or a counter's value after the region is out of reach.
pub fn assemble(
    found: Found,
    region: Span,
    around: &Around<'_>,
    is_global: &dyn Fn(&str) -> bool,
    budget: &Budget,
) -> Result<Parts, Refusal> {
    let builder = Builder { params: ids(&found.params), budget };
    let context = context(&found.params, &builder).map_err(|s| s.at(region))?;
    let mut statements = Vec::new();
    for (number, draft) in found.statements.iter().enumerate() {
        let statement = statement(number, draft, &found.params, &builder).map_err(|s| s.at(draft.span))?;
        statements.push((statement, draft.span));
    }
    let counters = counters(&found.loops, around, is_global, &context, &builder)?;
    let params: Vec<Param> = found.params.iter().map(|(name, ty)| Param { name: name.clone(), ty: ty.clone() }).collect();
    let arrays = arrays(&found, &statements);
    let assumptions = assumptions(&params, &arrays);
    Ok(Parts { params, context, arrays, statements, counters, assumptions })
}

fn context(params: &BTreeMap<String, IntType>, builder: &Builder<'_>) -> Result<Params, Stop> {
    let mut formula = Formula::truth();
    for (name, ty) in params {
        formula = formula.and(between(Var::Param(name.clone()), param_range(ty))?);
    }
    builder.relation(&formula, builder.space(None, None))
}

fn statement(
    number: usize,
    draft: &Draftment,
    params: &BTreeMap<String, IntType>,
    builder: &Builder<'_>,
) -> Result<Statement, Stop> {
    let name = format!("S{number}");
    let labels: Vec<&str> = draft.counters.iter().map(|(name, _)| name.as_str()).collect();
    let tuple = Tuple::named(&name, &labels);
    let domain: Set = builder.relation(&draft.domain, builder.space(None, Some(tuple.clone())))?;
    let mut accesses = Vec::new();
    for access in draft.accesses.iter().filter(|a| !params.contains_key(&a.array)) {
        let relation = relation(access, draft, &tuple, builder)?;
        accesses.push(Access { kind: access.kind, array: access.array.clone(), relation, site: access.site });
    }
    let span = loopwright_scop::Span { range: 0..0, line: 0, column: 0 };
    let (body, counters) = (draft.body.clone(), draft.counters.clone());
    Ok(Statement { name, domain, accesses, body, update: draft.update.clone(), counters, span })
}

fn relation(access: &Draft, draft: &Draftment, tuple: &Tuple, builder: &Builder<'_>) -> Result<Map, Stop> {
    let depth = draft.counters.len();
    let mut formula = draft.domain.clone().and(access.under.clone());
    for (k, subscript) in access.subscripts.iter().enumerate() {
        let element = Lin::var(Var::Dim(depth + k));
        formula = formula.and(subscript.holds(|lin| Ok(Formula::eq(element.plus(-1, lin)?)))?);
    }
    let array = Tuple::new(Some(Id::from(access.array.as_str())), vec![None; access.subscripts.len()]);
    builder.relation(&formula, builder.space(Some(tuple.clone()), Some(array)))
}

fn arrays(found: &Found, statements: &[(Statement, Span)]) -> Vec<Array> {
    let accessed = |name: &str| statements.iter().any(|(s, _)| s.accesses.iter().any(|a| a.array == name));
    let shape = |name: &str| match found.locals.iter().find(|l| l.name == name) {
        Some(local) => Shape::Local { declaration: local.declaration.clone() },
        None => Shape::Outside,
    };
    let all = found.met.iter().filter(|met| accessed(&met.name));
    all.map(|met| Array {
        name: met.name.clone(),
        element: met.element.clone(),
        extents: met.extents.clone(),
        shape: shape(&met.name),
    })
    .collect()
}

fn assumptions(params: &[Param], arrays: &[Array]) -> Vec<Assumption> {
    let names = |of: &mut dyn Iterator<Item = &String>| of.cloned().collect::<Vec<String>>();
    let outside = arrays.iter().filter(|a| a.shape == Shape::Outside);
    let outside = names(&mut outside.map(|a| &a.name));
    let mut assumptions = Vec::new();
    if outside.len() > 1 {
        assumptions.push(Assumption::NoOverlap(outside));
    }
    if arrays.iter().any(|a| !a.extents.is_empty()) {
        assumptions.push(Assumption::SubscriptsInside);
    }
    if !params.is_empty() {
        assumptions.push(Assumption::ParamsUnwritten(names(&mut params.iter().map(|p| &p.name))));
    }
    assumptions.push(Assumption::SignedNoWrap);
    let wide = names(&mut params.iter().filter(|p| p.ty.bits > 48).map(|p| &p.name));
    if !wide.is_empty() {
        assumptions.push(Assumption::WideParams(wide));
    }
    assumptions
}

fn counters(
    loops: &[LoopFact],
    around: &Around<'_>,
    is_global: &dyn Fn(&str) -> bool,
    context: &Params,
    builder: &Builder<'_>,
) -> Result<Vec<Counter>, Refusal> {
    let mut counters: Vec<Counter> = Vec::new();
    for fact in loops {
        if counters.iter().any(|c| c.name == fact.name && c.scope == fact.scope && c.ty == fact.ty) {
            continue;
        }
        let needed = fact.scope == CounterScope::Outside && (is_global(&fact.name) || around.may_be_read(&fact.name));
        let final_value = if needed {
            let same = || loops.iter().filter(|f| f.scope == CounterScope::Outside && f.name == fact.name);
            FinalValue::Needed(final_value(same, context, builder).map_err(|s| s.at(fact.span))?)
        } else {
            FinalValue::Unused
        };
        counters.push(Counter { name: fact.name.clone(), ty: fact.ty.clone(), scope: fact.scope, final_value });
    }
    Ok(counters)
}

/// The value that the last of some loops leaves in their common counter.
fn final_value<'a, I: Iterator<Item = &'a LoopFact>>(
    facts: impl Fn() -> I,
    context: &Params,
    builder: &Builder<'_>,
) -> Result<PwAff, Stop> {
    let time = facts().map(after::time_length).max().unwrap_or(1);
    let mut all = Set::empty(builder.space(None, Some(Tuple::anonymous(time + 1))));
    for fact in facts() {
        // the values that are reached and are not among those for which the body runs, as sets: the complement of a formula with
        // congruences has too many cases
        let counters = Tuple::anonymous(fact.depth + 1);
        let set = |formula: &Formula| builder.relation::<OfSet>(formula, builder.space(None, Some(counters.clone())));
        let left = set(&reached(fact)?.and(fact.outer.clone()))?.subtract_within(&set(&fact.domain)?, builder.budget)?;
        let space = builder.space(Some(counters.clone()), Some(Tuple::anonymous(time + 1)));
        let when: Map = builder.relation(&after::leaving_time(fact, time)?, space)?;
        all = all.union(&left.apply(&when));
    }
    let last = all.lexmax_within(builder.budget)?.project_out(Dim::SET, 0, time);
    let within = last.intersect(&Set::from_params(context, last.space().clone()));
    match PwMultiAff::from_set(&within.coalesce_within(builder.budget)?) {
        Ok(function) => Ok(function.get(0)),
        Err(loopwright_presburger::Error::Budget(_)) => Err(Stop::Budget),
        Err(_) => Err(Stop::Value),
    }
}
