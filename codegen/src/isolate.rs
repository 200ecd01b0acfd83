//! The option `isolate`: a part of a band's values gets loops of its own, as full tiles do beside partial ones.
//!
//! With `P` the isolated values of a band's first dimensions up to t, for given outer ones, the values of t fall into four parts: those
//! before all of `P`, those between some and some, those after all, and all of them where `P` is empty. In this order they run in the
//! order of t, whatever `P` looks like. Inside the second part the band's next dimension is divided in the same way; the others
//! have plain loops.

use std::sync::Arc;

use loopwright_presburger::{Dim, Id, Set, UnionSet};

use crate::ast::Node;
use crate::error::Error;
use crate::region;
use crate::scan::{LoopStyle, Member, Next, Part, Scanner, Scope};

/// What a member's loops are like inside of the isolated part.
#[derive(Debug, Clone)]
pub(crate) struct Isolation {
    /// Over the outer dimensions and all members.
    pub part: Arc<Set>,
    /// Instead of the member's own style.
    pub style: LoopStyle,
}

/// The set `isolate[[outer] -> [members]]` as a region; `None` if there is none over as many dimensions.
///
/// A transformation further out may have changed their number: then nothing is isolated, as options shape code and never its order.
pub(crate) fn part(options: &UnionSet, params: &[Id], outer: usize, members: usize) -> Option<Arc<Set>> {
    let set = options.iter().find(|set| {
        let tuple = set.space().tuple();
        let dims = tuple.unwrapped().map(|(outer, members)| (outer.len(), members.len()));
        tuple.name().is_some_and(|name| &**name == "isolate") && dims == Some((outer, members))
    })?;
    debug_assert_eq!(set.space().dim(Dim::Out), outer + members);
    Some(Arc::new(region::of_set(set, params, 0)))
}

impl Scanner<'_> {
    /// The first of the members and all further ones, where the first one's values are divided.
    pub(crate) fn divided(
        &self,
        isolation: &Isolation,
        members: &[Member],
        parts: Vec<Part>,
        scope: &Scope,
        next: Next,
    ) -> Result<Node, Error> {
        let depth = scope.values.len();
        let plain: Vec<Member> = members.iter().map(|member| Member { isolation: None, ..member.clone() }).collect();
        let Some([before, inside, after, without]) = self.optional(|frugal| frugal.division(isolation, &parts, scope))? else {
            return self.members(&plain, parts, scope, next);
        };
        let mut isolated = members.to_vec();
        isolated[0] = Member { style: isolation.style, ..plain[0].clone() };
        let mut nodes = Vec::new();
        for (values, members) in [(before, &plain), (inside, &isolated), (after, &plain), (without, &plain)] {
            let mut within = Vec::new();
            for part in &parts {
                let values = region::insert(&values, depth + 1, region::dims(&part.region) - depth - 1);
                let region = region::intersect(&part.region, &values);
                if !region::is_empty(&region, self.budget)? {
                    within.push(Part { region, ..part.clone() });
                }
            }
            if !within.is_empty() {
                nodes.push(self.members(members, within, scope, next)?);
            }
        }
        Ok(Node::block(nodes))
    }

    /// The values of the next dimension before, between, after and without isolated ones; `None` if none is isolated.
    fn division(&self, isolation: &Isolation, parts: &[Part], scope: &Scope) -> Result<Option<[Set; 4]>, Error> {
        let depth = scope.values.len();
        let known = region::insert(&scope.known, depth, 1);
        let mut all = Set::empty(known.space().clone());
        for part in parts {
            all = region::union(&all, &region::prefix(&part.region, depth + 1));
        }
        let all = region::coalesce(&region::intersect(&all, &known), self.budget)?;
        let some = region::intersect(&all, &region::prefix(&isolation.part, depth + 1));
        if region::is_empty(&some, self.budget)? {
            return Ok(None);
        }
        // { [outer, t, x] : t in all, x isolated }
        let both = region::intersect(&region::insert(&all, depth + 1, 1), &region::insert(&some, depth, 1));
        let beside = |i, j| {
            let beside = region::intersect(&both, &region::less(&both, i, j, 0));
            region::coalesce(&region::explicit(&region::prefix(&beside, depth + 1), self.budget)?, self.budget)
        };
        let (up_to, from) = (beside(depth, depth + 1)?, beside(depth + 1, depth)?);
        let without = |a: &Set, b: &Set| region::coalesce(&region::subtract(a, b, self.budget)?, self.budget);
        let inside = region::coalesce(&region::intersect(&up_to, &from), self.budget)?;
        let rest = without(&without(&all, &up_to)?, &from)?;
        Ok(Some([without(&up_to, &from)?, inside, without(&from, &up_to)?, rest]))
    }
}
