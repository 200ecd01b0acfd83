//! Walking a schedule: bands become dimensions to scan, sequences become blocks, filters cut parts, marks go to loops.

use loopwright_presburger::{Budget, Dim, Id, Set, UnionMap, UnionSet};
use loopwright_schedule_tree as tree;
use loopwright_schedule_tree::{LoopType, ScheduleTree};

use crate::ast::{Ast, Mark, Node};
use crate::error::Error;
use crate::facts;
use crate::fate::{Lost, Marked};
use crate::guard::condition;
use crate::isolate::{self, Isolation};
use crate::options::Options;
use crate::region;
use crate::scan::{LoopStyle, Member, Part, Scanner, Scope, Ties};

/// Loops that run the instances of a schedule tree in its order, each exactly once.
///
/// # Errors
/// [`Error::Unbounded`], [`Error::Overflow`], [`Error::NotUnrollable`], [`Error::Unsupported`].
pub fn generate(tree: &ScheduleTree, options: &Options) -> Result<Ast, Error> {
    generate_within(tree, options, &Budget::UNLIMITED)
}

/// [`generate`] within a budget.
///
/// # Errors
/// Those of [`generate`], and [`Error::Budget`].
pub fn generate_within(tree: &ScheduleTree, options: &Options, budget: &Budget) -> Result<Ast, Error> {
    let params = tree_params(tree);
    let walk = Walk { scanner: Scanner::new(params, options, budget) };
    let scope = walk.scanner.outermost();
    let root = walk.node(tree.root(), Vec::new(), &scope, &tree::Path::root(), Vec::new())?;
    // contexts at the top hold everywhere
    let mut known = scope;
    let mut node = tree.root();
    while let tree::Node::Domain { child, .. } | tree::Node::Context { child, .. } = &**node {
        if let tree::Node::Context { context, .. } = &**node
            && let Some(holds) = walk.over_members(context, 0)
        {
            known = walk.scanner.assume(&known, &holds)?;
        }
        node = child;
    }
    walk.scanner.finish(root, &known.known)
}

struct Walk<'a> {
    scanner: Scanner<'a>,
}

impl Walk<'_> {
    fn node(
        &self,
        node: &tree::Node,
        parts: Vec<Part>,
        scope: &Scope,
        path: &tree::Path,
        marks: Vec<Marked>,
    ) -> Result<Node, Error> {
        if !matches!(node, tree::Node::Band { .. } | tree::Node::Mark { .. }) {
            self.forgotten(node, &parts, &marks);
        }
        let budget = self.scanner.budget;
        let params = &self.scanner.params;
        let depth = scope.values.len();
        let below = path.child(0);
        let unsupported = |what: &str| Error::Unsupported { what: what.into(), path: path.to_string() };
        match node {
            tree::Node::Domain { domain, child } => {
                if !path.positions().is_empty() {
                    return Err(unsupported("a domain inside a tree"));
                }
                let parts = domain.iter().map(|set| Part::new(set.space().tuple(), region::of_set(set, params, 0))).collect();
                self.node(child, parts, scope, &below, marks)
            }
            tree::Node::Mark { mark, .. } if parts.is_empty() && !extends(node) => {
                self.marked(mark, path);
                Ok(Node::Block(Vec::new()))
            }
            _ if parts.is_empty() && !extends(node) => Ok(Node::Block(Vec::new())),
            tree::Node::Leaf => self.scanner.leaf(parts, scope),
            tree::Node::Band { band, child } => {
                let schedule = UnionMap::from(band.schedule());
                let count = band.len();
                let mut scheduled = Vec::new();
                for part in &parts {
                    let free = region::insert(&part.region, depth, count);
                    for map in schedule.iter().filter(|map| map.space().domain_tuple() == Some(&part.tuple)) {
                        let region = region::intersect(&free, &region::of_map(map, params, depth));
                        scheduled.push(Part { region, ..part.clone() });
                    }
                }
                let isolated = band.options().and_then(|options| isolate::part(options, params, depth, count));
                let member = |m: &tree::Member| {
                    let isolation = isolated.clone().map(|part| Isolation { part, style: style(m.isolated_loop_type) });
                    Member { style: style(m.loop_type), isolation, ..Member::default() }
                };
                let mut members: Vec<Member> = band.members().iter().map(member).collect();
                if let Some(first) = members.first_mut() {
                    first.marks = marks;
                }
                if let Some(last) = members.last_mut() {
                    last.ties = ranked(&mut scheduled, child);
                }
                self.scanner
                    .members(&members, scheduled, scope, &|parts, scope| self.node(child, parts, scope, &below, Vec::new()))
            }
            tree::Node::Sequence { children } | tree::Node::Set { children } => {
                let nodes = children
                    .iter()
                    .enumerate()
                    .map(|(k, child)| self.node(child, parts.clone(), scope, &path.child(k), Vec::new()));
                Ok(Node::block(nodes.collect::<Result<Vec<_>, _>>()?))
            }
            tree::Node::Filter { filter, child } => self.node(child, self.filtered(&parts, filter, scope)?, scope, &below, marks),
            tree::Node::Mark { mark, child } => {
                let mut marks = marks;
                marks.push(self.marked(mark, path));
                self.node(child, parts, scope, &below, marks)
            }
            tree::Node::Context { context, child } => {
                let holds = self
                    .over_members(context, depth)
                    .ok_or_else(|| unsupported("a context over other dimensions than the outer band members"))?;
                self.node(child, parts, &self.scanner.assume(scope, &holds)?, &below, marks)
            }
            tree::Node::Guard { guard, child } => {
                let holds = self
                    .over_members(guard, depth)
                    .ok_or_else(|| unsupported("a guard over other dimensions than the outer band members"))?;
                let rest = facts::gist(&holds, &scope.known, budget)?;
                let guard = condition(&rest, &self.scanner.names, &scope.values, budget)?;
                Ok(Node::guarded(guard, self.node(child, parts, &self.scanner.assume(scope, &holds)?, &below, marks)?))
            }
            tree::Node::Extension { extension, child } => {
                let mut parts = parts;
                for map in extension.iter() {
                    let outer = map.space().dim(Dim::In);
                    let tuple = map.space().range_tuple().filter(|_| outer == depth || outer == 0);
                    let tuple =
                        tuple.ok_or_else(|| unsupported("an extension from other dimensions than the outer band members"))?;
                    parts.push(Part::new(tuple, region::of_extension(map, params, depth)));
                }
                self.node(child, parts, scope, &below, marks)
            }
            tree::Node::Expansion { expansion, child, .. } => {
                self.node(child, self.expanded(&parts, expansion, depth), scope, &below, marks)
            }
        }
    }

    /// A mark; nothing is known of its loop so far.
    fn marked(&self, mark: &tree::Mark, path: &tree::Path) -> Marked {
        let mark = match mark {
            tree::Mark::Parallel { threads: 0 } => Mark::Parallel(None),
            tree::Mark::Parallel { threads } => Mark::Parallel(Some(*threads)),
            tree::Mark::Named(name) => Mark::Named(name.clone()),
        };
        let marked = Marked { path: path.positions().to_vec(), mark };
        self.scanner.fates.add(&marked, Some(Lost::Nothing));
        marked
    }

    /// Marks whose next node is no band: passed on through nodes with one child, else without a loop.
    fn forgotten(&self, node: &tree::Node, parts: &[Part], marks: &[Marked]) {
        let ends = matches!(node, tree::Node::Leaf | tree::Node::Sequence { .. } | tree::Node::Set { .. });
        if ends && !parts.is_empty() {
            marks.iter().for_each(|marked| self.scanner.fates.add(marked, Some(Lost::NoLoop)));
        }
    }

    fn filtered(&self, parts: &[Part], filter: &UnionSet, scope: &Scope) -> Result<Vec<Part>, Error> {
        let mut inside = Vec::new();
        for part in parts {
            for set in filter.iter().filter(|set| *set.space().tuple() == part.tuple) {
                let depth = scope.values.len();
                let region = region::intersect(&part.region, &region::of_set(set, &self.scanner.params, depth));
                let known = region::insert(&scope.known, depth, part.instance);
                if !region::is_empty(&region::intersect(&region, &known), self.scanner.budget)? {
                    inside.push(Part { region, ..part.clone() });
                }
            }
        }
        Ok(inside)
    }

    /// `{ [t, j] : exists i: [t, i] in the part, i -> j in the expansion }`
    fn expanded(&self, parts: &[Part], expansion: &UnionMap, depth: usize) -> Vec<Part> {
        let mut expanded = Vec::new();
        for part in parts {
            for map in expansion.iter().filter(|map| map.space().domain_tuple() == Some(&part.tuple)) {
                let Some(tuple) = map.space().range_tuple() else { continue };
                let pairs = region::of_map(&map.reverse(), &self.scanner.params, depth);
                let both = region::intersect(&region::insert(&part.region, depth + part.instance, tuple.len()), &pairs);
                expanded.push(Part::new(tuple, both.project_out(Dim::Out, depth, part.instance)));
            }
        }
        expanded
    }

    /// A set over the outer band members, or over `[]`, as a region of the scope.
    fn over_members(&self, set: &Set, depth: usize) -> Option<Set> {
        let own = set.space().dim(Dim::Out);
        (own == 0 || own == depth).then(|| region::of_set(set, &self.scanner.params, depth - own))
    }
}

/// Ranks the parts by what follows the last member of a band.
fn ranked(parts: &mut [Part], child: &tree::Node) -> Ties {
    let children = match child {
        tree::Node::Leaf => return Ties::Free,
        tree::Node::Sequence { children } | tree::Node::Set { children } => children,
        _ => return Ties::Together,
    };
    for part in parts {
        let holds = |node: &tree::Node| match node {
            tree::Node::Filter { filter, .. } => filter.iter().any(|set| *set.space().tuple() == part.tuple),
            _ => true,
        };
        let mut holding = (0..children.len()).filter(|&k| holds(&children[k]));
        match (holding.next(), holding.next()) {
            (Some(rank), None) => part.rank = rank,
            _ => return Ties::Together,
        }
    }
    Ties::Ranked
}

fn extends(node: &tree::Node) -> bool {
    let mut stack = vec![node];
    while let Some(node) = stack.pop() {
        if matches!(node, tree::Node::Extension { .. } | tree::Node::Domain { .. }) {
            return true;
        }
        stack.extend(node.children().iter().map(|child| &**child));
    }
    false
}

fn style(loop_type: LoopType) -> LoopStyle {
    match loop_type {
        LoopType::Default => LoopStyle::Default,
        LoopType::Atomic => LoopStyle::Atomic,
        LoopType::Unroll => LoopStyle::Unroll,
        LoopType::Separate => LoopStyle::Separate,
    }
}

/// Every parameter that some node mentions.
fn tree_params(tree: &ScheduleTree) -> Vec<Id> {
    let mut params: Vec<Id> = Vec::new();
    let mut add = |ids: &[Id]| params.extend(ids.iter().cloned());
    for (_, node) in tree.nodes() {
        match &**node {
            tree::Node::Domain { domain: set, .. } | tree::Node::Filter { filter: set, .. } => {
                set.iter().for_each(|set| add(set.space().param_ids()));
            }
            tree::Node::Context { context: set, .. } | tree::Node::Guard { guard: set, .. } => add(set.space().param_ids()),
            tree::Node::Band { band, .. } => {
                UnionMap::from(band.schedule()).iter().for_each(|map| add(map.space().param_ids()));
                band.options().iter().flat_map(|options| options.iter()).for_each(|set| add(set.space().param_ids()));
            }
            tree::Node::Extension { extension: map, .. } | tree::Node::Expansion { expansion: map, .. } => {
                map.iter().for_each(|map| add(map.space().param_ids()));
            }
            _ => {}
        }
    }
    params.sort();
    params.dedup();
    params
}
