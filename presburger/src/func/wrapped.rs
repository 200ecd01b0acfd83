//! Functions on pairs: restrictions and substitutions in one part of the domain.

use super::{PwMultiAff, UnionPwMultiAff};
use crate::{Set, Tuple, Union, UnionSet};

fn parts(f: &PwMultiAff) -> Option<(Tuple, Tuple)> {
    f.space().domain_tuple().and_then(Tuple::unwrapped).map(|(a, b)| (a.clone(), b.clone()))
}

fn restrict(f: &UnionPwMultiAff, pairs: impl Fn(&Tuple, &Tuple) -> Option<Set>) -> UnionPwMultiAff {
    let mut out = Union::new();
    for m in f.members() {
        let Some(pairs) = parts(m).and_then(|(a, b)| pairs(&a, &b)) else { continue };
        // The pair may have a name of its own.
        let pairs = pairs.with_space(&m.domain_space().union_params(pairs.space()));
        let m = m.intersect_domain(&pairs);
        if !m.is_obviously_nowhere() {
            out.insert(m);
        }
    }
    out
}

impl UnionPwMultiAff {
    /// The function restricted to pairs `[a -> b]` with `a` in `set`.
    pub fn intersect_domain_wrapped_domain(&self, set: &UnionSet) -> UnionPwMultiAff {
        restrict(self, |a, b| {
            let first = set.get_by_tuples(None, Some(a))?;
            Some(first.product(&Set::universe(first.space().with_tuples(None, Some(b.clone())))))
        })
    }

    /// The function restricted to pairs `[a -> b]` with `b` in `set`.
    pub fn intersect_domain_wrapped_range(&self, set: &UnionSet) -> UnionPwMultiAff {
        restrict(self, |a, b| {
            let second = set.get_by_tuples(None, Some(b))?;
            Some(Set::universe(second.space().with_tuples(None, Some(a.clone()))).product(second))
        })
    }

    /// `{ [d -> b] -> self([f(d) -> b]) }`
    pub fn preimage_domain_wrapped_domain(&self, f: &UnionPwMultiAff) -> UnionPwMultiAff {
        let mut out: Vec<PwMultiAff> = Vec::new();
        for m in self.members() {
            let Some((a, b)) = parts(m) else { continue };
            for g in f.members().filter(|g| g.space().range_tuple() == Some(&a) && g.space().is_map()) {
                let second = PwMultiAff::identity(&g.space().with_tuples(None, Some(b.clone())));
                let pair = g.product(&second).with_range_tuple(m.domain_space().tuple().clone());
                let composed = m.pullback_pw(&pair);
                if !composed.is_obviously_nowhere() {
                    out.push(composed);
                }
            }
        }
        out.into_iter().collect()
    }
}
