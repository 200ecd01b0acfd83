//! What can be done where: every node with every transformation that it offers, and the argument lists that apply.
//!
//! An [`Offer`] is a product: every argument takes a value of its own domain, whatever the others take, and each combination
//! applies. Arguments that depend on each other come as several offers: FUSE on three children is `{0} x {1, 2}` and `{1} x {2}`,
//! a shift of one statement by one of its iterators an offer per statement. So offers are enumerated with [`Offer::count`] and
//! [`Offer::nth`], and sampled by drawing an index, without rejection.

use crate::tree::MAX_DEPTH;
use crate::{Arg, Choice, Cursor, Move, Path, Registry, ScheduleTree, Schema, Step, Target};
use serde_json::{Value, json};

/// A transformation at a node with one product of argument domains.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Offer {
    /// The node.
    pub path: Path,
    /// Its depth-first number.
    pub node: usize,
    /// The transformation's name.
    pub name: String,
    /// Its formal arguments.
    pub schema: Schema,
    /// The domain of each argument.
    pub domains: Vec<Choice>,
}

impl Registry {
    /// Everything that can be done in `tree`: nodes depth first, transformations by name.
    ///
    /// Exact: every argument list of an offer applies, and every argument list that applies is in exactly one offer (for the
    /// standard transformations; others as they say). Whether the result is legal is for `deps` to say.
    ///
    /// ```
    /// use loopwright_schedule_tree::{Registry, ScheduleTree};
    /// let tree: ScheduleTree = r#"
    /// domain: "{ S[i] : 0 <= i < 9 }"
    /// child:
    ///   schedule: "[{ S[i] -> [(i)] }]"
    /// "#.parse()?;
    /// let offers = Registry::standard().offers(&tree);
    /// let tile = offers.iter().find(|o| o.name == "TILE_1D").unwrap().clipped(2, 9);
    /// assert_eq!(tile.count(), Some(8));
    /// assert_eq!(tile.nth(7).unwrap().to_string(), "TILE_1D(9)");
    /// # Ok::<(), loopwright_schedule_tree::Error>(())
    /// ```
    pub fn offers(&self, tree: &ScheduleTree) -> Vec<Offer> {
        let mut offers = Vec::new();
        for (node, (path, _)) in tree.nodes().enumerate() {
            if let Ok(at) = tree.at(&path) {
                self.offers_of(&at, node, &mut offers);
            }
        }
        offers
    }

    /// What can be done at one place: the [`offers`](Registry::offers) of this node.
    pub fn offers_at(&self, at: &Cursor) -> Vec<Offer> {
        let mut offers = Vec::new();
        let node = at.tree().nodes().take_while(|(path, _)| path != at.path()).count();
        self.offers_of(at, node, &mut offers);
        offers
    }

    fn offers_of(&self, at: &Cursor, node: usize, offers: &mut Vec<Offer>) {
        let deep = at.tree().nodes().any(|(path, _)| path.depth() > MAX_DEPTH / 2);
        for transformation in self.iter() {
            let Ok(arguments) = transformation.arguments(at) else { continue };
            let applies = |args: &[Arg]| transformation.apply(at, args).is_ok();
            for product in arguments.products() {
                // How deep the result nests depends on the place and on listed values, never on the value of a range.
                let domains = if deep { kept(product, applies) } else { Some(product.clone()) };
                offers.extend(domains.map(|domains| Offer {
                    path: at.path().clone(),
                    node,
                    name: transformation.name().into(),
                    schema: transformation.schema(),
                    domains,
                }));
            }
        }
    }
}

/// The product without listed values that do not apply; `None` if nothing is left.
fn kept(product: &[Choice], applies: impl Fn(&[Arg]) -> bool) -> Option<Vec<Choice>> {
    let first: Vec<Arg> = product.iter().map(|c| c.nth(0)).collect::<Option<_>>()?;
    let keep = |(position, choice): (usize, &Choice)| match choice {
        Choice::Range { .. } => choice.clone(),
        Choice::List(values) => Choice::List(
            values
                .iter()
                .filter(|value| {
                    let mut args = first.clone();
                    args[position] = (*value).clone();
                    applies(&args)
                })
                .cloned()
                .collect(),
        ),
    };
    let kept: Vec<Choice> = product.iter().enumerate().map(keep).collect();
    let listed = product.iter().any(|c| matches!(c, Choice::List(_)));
    let possible = if listed { !kept.iter().any(Choice::is_empty) } else { applies(&first) };
    possible.then_some(kept)
}

impl Offer {
    /// The names of the arguments; those that occur several times are numbered from 1: `size1`, `size2`.
    pub fn arguments(&self) -> Vec<String> {
        let name = |i: usize| self.schema.formal(i).map_or("argument", |f| f.name);
        let same = |i: usize, until: usize| (0..until).filter(|&k| name(k) == name(i)).count();
        let numbered = |i: usize| match same(i, self.domains.len()) {
            1 => name(i).to_string(),
            _ => format!("{}{}", name(i), same(i, i) + 1),
        };
        (0..self.domains.len()).map(numbered).collect()
    }

    /// How many argument lists there are; `None` if there are more than 128 bits count. A missing bound is that of 64 bits.
    pub fn count(&self) -> Option<u128> {
        self.domains.iter().try_fold(1u128, |all, domain| all.checked_mul(domain.count()))
    }

    /// The move with argument list `index`, from 0, the last argument fastest; `None` from [`count`](Offer::count) on.
    pub fn nth(&self, index: u128) -> Option<Move> {
        let mut rest = index;
        let mut args = Vec::with_capacity(self.domains.len());
        for domain in self.domains.iter().rev() {
            let count = domain.count();
            args.push(domain.nth(rest.checked_rem(count)?)?);
            rest /= count;
        }
        args.reverse();
        (rest == 0).then(|| Move { name: self.name.clone(), args })
    }

    /// The offer with every range cut to `least..=greatest`, as far as it reaches into it: a range that lies outside keeps its
    /// bound nearest to it.
    pub fn clipped(&self, least: i64, greatest: i64) -> Offer {
        let domains = self.domains.iter().map(|d| d.clipped(least, greatest)).collect();
        Offer { domains, ..self.clone() }
    }

    /// The step that applies `action`, one of this offer's moves, in static control part `scop`.
    pub fn step(&self, scop: usize, action: Move) -> Step {
        Step { scop, target: Target::Path(self.path.clone()), action }
    }

    /// `{"scop": 0, "node": 3, "path": [0, 1], "move": "TILE_1D", "args": [{"name": "size", "kind": "integer", "domain": {"range":
    /// [2, null]}}]}`. A domain is `{"range": [least, greatest]}`, null where only 64 bits bound it, or `{"list": [values]}`.
    pub fn to_json(&self, scop: usize) -> Value {
        let argument = |(position, (name, domain)): (usize, (String, &Choice))| {
            let kind = self.schema.formal(position).map_or("integer", |f| f.kind.name());
            json!({"name": name, "kind": kind, "domain": domain.to_json()})
        };
        let args: Vec<Value> = self.arguments().into_iter().zip(&self.domains).enumerate().map(argument).collect();
        json!({"scop": scop, "node": self.node, "path": self.path.positions(), "move": self.name, "args": args})
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mark, Node};

    const TREE: &str = r#"
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n; U[] }"
child:
  sequence:
  - filter: "{ S[i, j] }"
    child:
      schedule: "[{ S[i, j] -> [(i)] }]"
      child:
        schedule: "[{ S[i, j] -> [(j)] }]"
  - filter: "{ T[i] }"
    child:
      schedule: "[{ T[i] -> [(i)] }]"
  - filter: "{ U[] }"
    child:
      schedule: "[{ U[] -> [(0)] }]"
"#;

    #[track_caller]
    fn check(path: &[usize], name: &str, expect: &[&str]) {
        let tree: ScheduleTree = TREE.parse().unwrap();
        let offers = Registry::standard().offers_at(&tree.at(&Path::from(path)).unwrap());
        let rows: Vec<String> = offers.iter().filter(|o| o.name == name).map(|o| o.to_json(0)["args"].to_string()).collect();
        let rows: Vec<String> = rows.iter().map(|r| r.replace('"', "")).collect();
        assert_eq!(rows, expect);
    }

    #[test]
    fn rows() {
        check(
            &[0],
            "FUSE",
            &[
                "[{name:i,kind:child,domain:{range:[0,0]}},{name:j,kind:child,domain:{list:[1,2]}}]",
                "[{name:i,kind:child,domain:{range:[1,1]}},{name:j,kind:child,domain:{list:[2]}}]",
            ],
        );
        check(&[0], "TILE_1D", &[]);
        check(
            &[0, 0, 0],
            "TILE_2D",
            &["[{name:size1,kind:integer,domain:{range:[2,null]}},{name:size2,kind:integer,domain:{range:[2,null]}}]"],
        );
        check(
            &[0, 0, 0],
            "PARTIAL_SHIFT_VAR",
            &[
                "[{name:statement,kind:statement,domain:{range:[0,0]}},{name:iterator,kind:iterator,domain:{range:[0,1]}},{name:factor,kind:integer,domain:{range:[null,null]}}]",
            ],
        );
        check(
            &[0, 1, 0],
            "FULL_SHIFT_PARAM",
            &["[{name:parameter,kind:parameter,domain:{list:[n]}},{name:factor,kind:integer,domain:{range:[null,null]}}]"],
        );
        check(&[0, 0, 0], "INTERCHANGE", &["[]"]);
        check(&[0, 2, 0], "PARTIAL_SHIFT_VAR", &[]);
        check(&[], "SET_PARALLEL", &[]);
    }

    #[test]
    fn every_index_is_a_move_that_applies() {
        let tree: ScheduleTree = TREE.parse().unwrap();
        let registry = Registry::standard();
        for offer in registry.offers(&tree) {
            for offer in [offer.clipped(-2, 3), offer.clipped(i64::MAX - 1, i64::MAX), offer.clipped(i64::MIN, i64::MIN)] {
                let count = offer.count().unwrap();
                assert!(count > 0 && offer.nth(count).is_none(), "{offer:?}");
                let moves: std::collections::BTreeSet<Move> = (0..count).map(|k| offer.nth(k).unwrap()).collect();
                assert_eq!(moves.len() as u128, count);
                for action in moves {
                    registry.step(&tree, &offer.step(0, action)).unwrap();
                }
            }
        }
    }

    #[test]
    fn nothing_is_offered_that_nests_too_deeply() {
        let registry = Registry::standard();
        let mut tree: ScheduleTree = TREE.parse().unwrap();
        let at = Path::from([0, 0, 0]);
        while let Ok(deeper) = tree.with_node(&at, Node::mark(Mark::Named("m".into()), tree.node(&at).unwrap().clone())) {
            tree = deeper;
        }
        let offers = registry.offers(&tree);
        assert!(offers.iter().any(|o| o.name == "INTERCHANGE"));
        for offer in offers {
            let offer = offer.clipped(2, 3);
            for index in 0..offer.count().unwrap() {
                registry.step(&tree, &offer.step(0, offer.nth(index).unwrap())).unwrap_or_else(|e| panic!("{offer:?}: {e}"));
            }
        }
    }
}
