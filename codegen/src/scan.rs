//! Scanning one dimension after the other: the heart of generation.
//!
//! State at depth d: parts, each a statement with the region `{ [t_0, .., t_d-1, t_d, .., instance] }` of what is still to run, and
//! a scope with what the loops so far guarantee. For dimension d (after Quillere, Rajopadhye and Wilde 2000; Bastoul 2004;
//! Grosser, Verdoolaege and Cohen 2015):
//!
//! 1. project every part on dimensions 0 to d;
//! 2. group parts that cannot be ordered along d, and sort the groups;
//! 3. cover each group's values by disjoint pieces in order (how many is a matter of options);
//! 4. write one loop for each piece, over a hull; whatever a hull adds is cut off by the guard inside.
//!
//! At the end the dimensions of the instance are scanned in the same way, so an instance that is a function of time costs no
//! loop, and one that is not is enumerated. The last guard compares with the region itself: exact, whatever came before.

use std::sync::Arc;

use loopwright_presburger::{Budget, Id, Set, System, Tuple};

use crate::ast::{Ast, CType, For, Node, User};
use crate::error::Error;
use crate::expr::Expr;
use crate::facts;
use crate::fate::{Fates, Lost, Marked};
use crate::guard::condition;
use crate::header::{self, Lower, Place, Stride, Values};
use crate::isolate::Isolation;
use crate::linear::{Atom, Linear};
use crate::options::{Options, Unrolling};
use crate::order::components;
use crate::region;
use crate::stride;
use crate::typing::{ParamType, assign_types};
use crate::unroll::{self, Further};

/// How the values of a dimension are covered by loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum LoopStyle {
    /// Separate loops where the order asks for it or where the values fall apart.
    #[default]
    Default,
    /// One loop.
    Atomic,
    /// Every value a copy of the body.
    Unroll,
    /// Different sets of statements in different loops.
    Separate,
}

/// A dimension to scan.
#[derive(Debug, Clone, Default)]
pub(crate) struct Member {
    pub style: LoopStyle,
    pub marks: Vec<Marked>,
    pub ties: Ties,
    pub isolation: Option<Isolation>,
}

/// In which order parts run whose values are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Ties {
    /// What follows decides for each value: they have to share a loop.
    #[default]
    Together,
    /// In the order of their ranks.
    Ranked,
    /// In any order.
    Free,
}

/// A statement and what is to run of it.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub statement: Arc<str>,
    /// The tuple of its instances.
    pub tuple: Tuple,
    /// Dimensions of the instance: the last ones of the region.
    pub instance: usize,
    pub region: Set,
    /// How much later than the loop's counter it runs, within one stride.
    pub residue: i64,
    /// The order among parts with equal values.
    pub rank: usize,
}

impl Part {
    pub fn new(tuple: &Tuple, region: Set) -> Part {
        let statement: Arc<str> = tuple.name().cloned().unwrap_or_else(|| Arc::from(""));
        Part { statement, tuple: tuple.clone(), instance: tuple.len(), region, residue: 0, rank: 0 }
    }
}

/// What holds at a point of the generated code.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    /// Over the outer dimensions; one piece.
    pub known: Set,
    /// The same, without rounding to one piece.
    pub context: Set,
    /// The values of the outer dimensions.
    pub values: Vec<Linear>,
}

/// What follows when the dimensions are scanned.
pub(crate) type Next<'n> = &'n dyn Fn(Vec<Part>, &Scope) -> Result<Node, Error>;

/// Most loops inside each other.
const DEEPEST: usize = 200;

/// The constants of one generation.
pub(crate) struct Scanner<'a> {
    pub params: Vec<Id>,
    pub names: Vec<Arc<str>>,
    pub prefix: String,
    pub options: &'a Options,
    pub budget: &'a Budget,
    pub fates: Fates,
}

impl<'a> Scanner<'a> {
    pub fn new(params: Vec<Id>, options: &'a Options, budget: &'a Budget) -> Scanner<'a> {
        let names: Vec<Arc<str>> = params.clone();
        let prefix = options.free_prefix(&names);
        Scanner { params, names, prefix, options, budget, fates: Fates::default() }
    }

    /// The scope outside of everything.
    pub fn outermost(&self) -> Scope {
        let known = self.options.ranges(&self.params);
        Scope { context: known.clone(), known, values: Vec::new() }
    }

    /// The scope in which the set, over the same dimensions, holds as well.
    pub fn assume(&self, scope: &Scope, holds: &Set) -> Result<Scope, Error> {
        let hull = facts::hull(&region::coalesce(holds, self.budget)?, self.budget)?;
        let context = region::intersect(&scope.context, holds);
        Ok(Scope {
            known: one_piece(region::intersect(&scope.known, &hull), &scope.known),
            context,
            values: scope.values.clone(),
        })
    }

    /// Types for the finished code, with what is known of the parameters everywhere in it.
    pub fn finish(&self, root: Node, known: &Set) -> Result<Ast, Error> {
        let mut infos = self.options.params.clone();
        for (name, (low, high)) in self.names.iter().zip(region::param_bounds(known)) {
            let info = infos.entry(name.clone()).or_insert_with(|| ParamType::Long.into());
            let range = (low.map_or(info.range.0, |v| v.max(info.range.0)), high.map_or(info.range.1, |v| v.min(info.range.1)));
            if range.0 <= range.1 {
                info.range = range;
            }
        }
        assign_types(&Ast { root, params: self.names.clone(), lost: self.fates.lost() }, &infos)
    }

    /// Scans the members from the outermost in.
    pub fn members(&self, members: &[Member], parts: Vec<Part>, scope: &Scope, next: Next) -> Result<Node, Error> {
        let Some((member, rest)) = members.split_first() else { return next(parts, scope) };
        if scope.values.len() >= DEEPEST {
            return Err(Error::TooDeep(DEEPEST));
        }
        if let Some(isolation) = &member.isolation {
            return self.divided(isolation, members, parts, scope, next);
        }
        self.dimension(member, parts, scope, &|parts, scope| self.members(rest, parts, scope, next))
    }

    /// The end of a branch: every part's instances at this point.
    pub fn leaf(&self, parts: Vec<Part>, scope: &Scope) -> Result<Node, Error> {
        let mut nodes = Vec::new();
        for part in parts {
            let members = vec![Member::default(); part.instance];
            let instance = part.instance;
            nodes.push(self.members(&members, vec![part], scope, &|parts, scope| {
                let mut nodes = Vec::new();
                for part in parts {
                    let rest = facts::gist(&part.region, &scope.known, self.budget)?;
                    let guard = condition(&rest, &self.names, &scope.values, self.budget)?;
                    let indices = scope.values[scope.values.len() - instance..].iter().map(Linear::to_expr).collect();
                    nodes.push(Node::guarded(guard, Node::User(User { statement: part.statement, indices })));
                }
                Ok(Node::block(nodes))
            })?);
        }
        Ok(Node::block(nodes))
    }

    fn dimension(&self, member: &Member, parts: Vec<Part>, scope: &Scope, next: Next) -> Result<Node, Error> {
        let depth = scope.values.len();
        // parts with the same values stand and fall together
        let mut classes: Vec<(Set, Vec<Part>)> = Vec::new();
        for part in parts {
            let values = region::coalesce(&region::prefix(&part.region, depth + 1), self.budget)?;
            match classes.iter_mut().find(|(other, _)| *other == values) {
                Some((_, members)) => members.push(part),
                None => classes.push((values, vec![part])),
            }
        }
        let known = region::insert(&scope.known, depth, 1);
        let mut alive = Vec::new();
        for class in classes {
            if !region::is_empty(&region::intersect(&class.0, &known), self.budget)? {
                alive.push(class);
            }
        }
        let values: Vec<Set> = alive.iter().map(|class| class.0.clone()).collect();
        let ranks = |k: usize| {
            let ranks = alive[k].1.iter().map(|part| part.rank);
            (ranks.clone().min().unwrap_or(0), ranks.max().unwrap_or(0))
        };
        // where the order among equal values is i before j anyway, only lesser values bring j before i
        let gap = |i: usize, j: usize| match member.ties {
            Ties::Together => 0,
            Ties::Free => 1,
            Ties::Ranked => i64::from(ranks(j).1 < ranks(i).0),
        };
        let mut nodes = Vec::new();
        for group in self.sorted(&values, &known, depth, gap)? {
            let classes: Vec<&(Set, Vec<Part>)> = group.iter().map(|&k| &alive[k]).collect();
            nodes.push(match self.interleaved(member, &classes, &known, scope, next)? {
                Some(node) => node,
                None => self.group(member, &classes, &known, scope, next)?,
            });
        }
        Ok(Node::block(nodes))
    }

    /// Groups in order along dimension `depth`: i comes before j where some value of i is less than one of j, by `gap(i, j)` at least.
    pub(crate) fn sorted(
        &self,
        values: &[Set],
        known: &Set,
        depth: usize,
        gap: impl Fn(usize, usize) -> i64,
    ) -> Result<Vec<Vec<usize>>, Error> {
        if values.len() < 2 {
            return Ok((0..values.len()).map(|k| vec![k]).collect());
        }
        let constants: Vec<Option<i128>> = values.iter().map(|v| constant(v, depth)).collect();
        // { [outer, x, y] } with x of the one and y of the other
        let first: Vec<Set> = values
            .iter()
            .map(|v| Ok(region::insert(&region::intersect(v, known), depth + 1, 1)))
            .collect::<Result<_, Error>>()?;
        let second: Vec<Set> = values.iter().map(|v| region::insert(v, depth, 1)).collect();
        components(values.len(), |i, j| {
            if let (Some(a), Some(b)) = (constants[i], constants[j]) {
                return Ok(b - a >= i128::from(gap(i, j)));
            }
            let earlier = region::less(&first[i], depth, depth + 1, gap(i, j));
            let both = region::intersect(&region::intersect(&first[i], &earlier), &second[j]);
            Ok(!region::is_empty(&both, self.budget)?)
        })
    }

    /// Classes with one stride at several residues share a loop over the stride, in which they run in the order of residues:
    /// times `b + r` for multiples b of the stride and `0 <= r < stride` are in the order of `(b, r)`.
    fn interleaved(
        &self,
        member: &Member,
        classes: &[&(Set, Vec<Part>)],
        known: &Set,
        scope: &Scope,
        next: Next,
    ) -> Result<Option<Node>, Error> {
        if classes.len() < 2 || member.style == LoopStyle::Unroll {
            return Ok(None);
        }
        let depth = scope.values.len();
        let values: Vec<Set> = classes.iter().map(|class| class.0.clone()).collect();
        let Some((step, residues)) = stride::residues(&values, known) else { return Ok(None) };
        // where the stride begins is free: where the classes then have the same values, as far as possible
        let mut best: Option<(usize, Vec<i64>, Vec<Set>)> = None;
        for base in &residues {
            let residues: Vec<i64> = residues.iter().map(|r| (r - base).rem_euclid(step)).collect();
            let values: Vec<Set> = values.iter().zip(&residues).map(|(set, r)| region::shifted(set, depth, *r)).collect();
            let distinct = (0..values.len()).filter(|&k| !values[..k].contains(&values[k])).count();
            if best.as_ref().is_none_or(|(fewest, ..)| distinct < *fewest) {
                best = Some((distinct, residues, values));
            }
        }
        let Some((_, residues, values)) = best else { return Ok(None) };
        let mut moved: Vec<(Set, Vec<Part>)> = Vec::new();
        for ((class, residue), values) in classes.iter().zip(residues).zip(values) {
            let parts = class.1.iter().map(|part| Part {
                region: region::shifted(&part.region, depth, residue),
                residue,
                ..part.clone()
            });
            moved.push((values, parts.collect()));
        }
        let node = self.group(member, &moved.iter().collect::<Vec<_>>(), known, scope, &|parts, inner| {
            let mut residues: Vec<i64> = parts.iter().map(|part| part.residue).collect();
            residues.sort_unstable();
            residues.dedup();
            let mut nodes = Vec::new();
            for r in residues {
                let back = |part: &Part| Part { region: region::shifted(&part.region, depth, -r), residue: 0, ..part.clone() };
                let parts = parts.iter().filter(|part| part.residue == r).map(back).collect();
                let mut values = inner.values.clone();
                if let Some(value) = values.last_mut() {
                    *value = value.plus_constant(r.into())?;
                }
                let (known, context) = (region::shifted(&inner.known, depth, -r), region::shifted(&inner.context, depth, -r));
                nodes.push(next(parts, &Scope { known, context, values })?);
            }
            Ok(Node::block(nodes))
        })?;
        Ok(Some(node))
    }

    fn group(
        &self,
        member: &Member,
        classes: &[&(Set, Vec<Part>)],
        known: &Set,
        scope: &Scope,
        next: Next,
    ) -> Result<Node, Error> {
        let depth = scope.values.len();
        let mut all = classes[0].0.clone();
        for class in &classes[1..] {
            all = region::union(&all, &class.0);
        }
        let all = region::coalesce(&all, self.budget)?;
        let pieces = match member.style {
            LoopStyle::Atomic => None,
            LoopStyle::Default | LoopStyle::Unroll => self.optional(|frugal| frugal.split(&all, known, depth))?,
            LoopStyle::Separate => match self.optional(|frugal| frugal.separated(classes, &all, known, depth))? {
                Some(pieces) => Some(pieces),
                None => self.optional(|frugal| frugal.split(&all, known, depth))?,
            },
        };
        let Some(pieces) = pieces else {
            let parts = classes.iter().flat_map(|class| class.1.iter().cloned()).collect();
            return self.piece(member, &all, parts, known, scope, next);
        };
        let mut nodes = Vec::new();
        for piece in pieces {
            let parts = self.within(classes, &piece, depth)?;
            nodes.push(self.piece(member, &piece, parts, known, scope, next)?);
        }
        Ok(Node::block(nodes))
    }

    /// Work that only makes code better, given up when it takes too long.
    pub(crate) fn optional<T>(&self, work: impl FnOnce(&Scanner) -> Result<Option<T>, Error>) -> Result<Option<T>, Error> {
        const EFFORT: u64 = 10_000;
        let found = region::attempt(EFFORT, self.budget, |budget| {
            work(&Scanner {
                params: self.params.clone(),
                names: self.names.clone(),
                prefix: self.prefix.clone(),
                options: self.options,
                budget,
                fates: Fates::default(),
            })
        })?;
        Ok(found.flatten())
    }

    /// One loop (or the copies of an unrolled one) over a piece.
    fn piece(
        &self,
        member: &Member,
        piece: &Set,
        parts: Vec<Part>,
        known: &Set,
        scope: &Scope,
        next: Next,
    ) -> Result<Node, Error> {
        let mut hull = facts::hull(piece, self.budget)?;
        if piece.n_basic() > 1
            && let Some(stride) = stride::common(piece, known)
        {
            hull = region::intersect(&hull, &region::from_system(piece, stride));
        }
        let place = Place { params: &self.names, known, values: &scope.values, budget: self.budget };
        let Some(system) = hull.systems().next() else { return Ok(Node::Block(Vec::new())) };
        let header = header::read(system, &place)?;
        if let (LoopStyle::Unroll, Values::Range { lower, upper, stride }) = (member.style, &header.values) {
            let statements = statements(&parts);
            match self.trips(lower, upper, stride.as_ref(), piece, scope)? {
                Ok((low, count)) => {
                    member.marks.iter().for_each(|marked| self.fates.add(marked, Some(Lost::Unrolled)));
                    let windows: Vec<System> =
                        (0..count).map(|k| unroll::trip(low, stride.as_ref(), k, Further::Excluded)).collect();
                    return self.copies(member, &header.asserted, &windows, parts, known, scope, next);
                }
                Err(why) if self.options.unroll == Unrolling::Required => {
                    return Err(Error::NotUnrollable { depth: scope.values.len(), statements, why });
                }
                Err(_) => {}
            }
        }
        let depth = scope.values.len();
        let inside = |value: Linear| -> Result<Scope, Error> {
            let mut values = scope.values.clone();
            values.push(value);
            let context = region::insert(&scope.context, depth, 1);
            Ok(Scope { known: one_piece(region::intersect(known, &header.asserted), known), context, values })
        };
        let node = match &header.values {
            Values::Never => return Ok(Node::Block(Vec::new())),
            Values::Once(value) => {
                let unrolled = member.style == LoopStyle::Unroll;
                let why = if unrolled { Lost::Unrolled } else { Lost::OneIteration };
                member.marks.iter().for_each(|marked| self.fates.add(marked, Some(why)));
                next(parts, &inside(value.clone())?)?
            }
            Values::Range { lower, upper, stride } => {
                let [first, last] = self.bounds(lower, upper, stride.as_ref(), piece, &place, &parts)?;
                let counter: Arc<str> = Arc::from(format!("{}{depth}", self.prefix));
                let mut value = Linear::atom(Atom::Counter(depth, counter.clone()));
                if let Some((step, offset)) = stride.as_ref().and_then(|s| Some((s.step, s.offset.as_constant()?))) {
                    value = value.in_steps(step, offset)?;
                }
                let scope = inside(value)?;
                let body = next(parts, &scope)?;
                if body.is_empty() {
                    return Ok(body);
                }
                let step = stride.as_ref().map_or(1, |s| s.step);
                Node::For(Box::new(For {
                    counter,
                    ctype: CType::Long,
                    first,
                    last,
                    step,
                    marks: self.fates.written(&member.marks),
                    body,
                }))
            }
        };
        Ok(Node::guarded(header.guard, node))
    }

    /// A lower bound and the number of trips to copy; or why there is no such number.
    fn trips<'b>(
        &self,
        lower: &'b [Lower],
        upper: &[Linear],
        stride: Option<&Stride>,
        piece: &Set,
        scope: &Scope,
    ) -> Result<Result<(&'b Lower, usize), String>, Error> {
        let most = self.options.most_copies;
        let why = match unroll::trip_count(lower, upper, stride)? {
            Ok((low, count)) => match usize::try_from(count).ok().filter(|count| *count <= most) {
                Some(count) => return Ok(Ok((low, count))),
                None => format!("it has {count} iterations, and at most {most} are copied"),
            },
            Err(why) => why,
        };
        // the bounds do not show a number, but everything that is known may
        let inside = region::intersect(piece, &region::insert(&scope.context, scope.values.len(), 1));
        for low in lower {
            for count in std::iter::successors(Some(1usize), |k| k.checked_mul(2)).take_while(|k| *k <= most) {
                let later = region::from_system(piece, unroll::trip(low, stride, count, Further::Included));
                if region::is_empty(&region::intersect(&inside, &later), self.budget)? {
                    return Ok(Ok((low, count)));
                }
            }
        }
        Ok(Err(why))
    }

    /// The header's bounds; where the hull of several pieces lost one, the loosest of the pieces' own.
    fn bounds(
        &self,
        lower: &[Lower],
        upper: &[Linear],
        stride: Option<&Stride>,
        piece: &Set,
        place: &Place,
        parts: &[Part],
    ) -> Result<[Expr; 2], Error> {
        let first = |lower: &[Lower]| Expr::greatest(lower.iter().map(|bound| bound.value.to_expr()));
        let last = |upper: &[Linear]| Expr::least(upper.iter().map(Linear::to_expr));
        if !lower.is_empty() && !upper.is_empty() {
            return Ok([first(lower), last(upper)]);
        }
        let unbounded = |side| Error::Unbounded { depth: place.values.len(), statements: statements(parts), side };
        let (mut firsts, mut lasts) = (Vec::new(), Vec::new());
        for system in piece.systems() {
            match header::bounds(system, stride, place)? {
                Values::Never => {}
                Values::Once(value) => {
                    firsts.push(value.to_expr());
                    lasts.push(value.to_expr());
                }
                Values::Range { lower: own, upper: own_upper, .. } => {
                    if lower.is_empty() && own.is_empty() {
                        return Err(unbounded("lower"));
                    }
                    if upper.is_empty() && own_upper.is_empty() {
                        return Err(unbounded("upper"));
                    }
                    firsts.push(first(&own));
                    lasts.push(last(&own_upper));
                }
            }
        }
        let first = if lower.is_empty() { Expr::least(firsts) } else { first(lower) };
        let last = if upper.is_empty() { Expr::greatest(lasts) } else { last(upper) };
        Ok([first, last])
    }

    /// A copy of the body for each window of values.
    #[allow(clippy::too_many_arguments)]
    fn copies(
        &self,
        member: &Member,
        hull: &Set,
        windows: &[System],
        parts: Vec<Part>,
        known: &Set,
        scope: &Scope,
        next: Next,
    ) -> Result<Node, Error> {
        let depth = scope.values.len();
        let member = Member { style: LoopStyle::Atomic, ..member.clone() };
        let mut nodes = Vec::new();
        for window in windows {
            let window = region::intersect(hull, &region::from_system(known, window.clone()));
            let context = region::insert(&scope.context, depth, 1);
            if region::is_empty(&region::intersect(&region::intersect(&window, known), &context), self.budget)? {
                continue;
            }
            let mut inside = Vec::new();
            for part in &parts {
                let inner = region::dims(&part.region) - depth - 1;
                let region = region::intersect(&part.region, &region::insert(&window, depth + 1, inner));
                if !region::is_empty(&region::prefix(&region, depth + 1), self.budget)? {
                    inside.push(Part { region, ..part.clone() });
                }
            }
            if !inside.is_empty() {
                nodes.push(self.piece(&member, &window, inside, known, scope, next)?);
            }
        }
        Ok(Node::block(nodes))
    }
}

fn one_piece(set: Set, otherwise: &Set) -> Set {
    if set.n_basic() == 1 { set } else { otherwise.clone() }
}

fn statements(parts: &[Part]) -> String {
    let mut names: Vec<&str> = parts.iter().map(|p| &*p.statement).collect();
    names.dedup();
    names.join(", ")
}

/// The dimension's value if an equality fixes it to a number.
fn constant(set: &Set, depth: usize) -> Option<i128> {
    let mut systems = set.systems();
    let (Some(system), None) = (systems.next(), systems.next()) else { return None };
    let t = 1 + system.columns().params + depth;
    let row = system
        .eqs()
        .iter()
        .find(|row| row.gcd_in(1..row.len()).is_one() && (1..row.len()).all(|k| (k == t) != row.is_zero_at(k)))?;
    let value = row.get(0).to_i128()?;
    Some(if row.get(t).is_negative() { value } else { -value })
}
