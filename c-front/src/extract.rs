//! The walk over a region's statements: domains, accesses, bodies and the original order.

use crate::accesses::{Collector, Draft, Met};
use crate::eval::{Evaluator, Obligation, Refusal, budget_spent, range, refuse};
use crate::formula::{Formula, Lin, Overflow, Value, Var};
use crate::helpers::Helper;
use crate::loops::{self, NotALoop};
use crate::lower::Unlowered;
use crate::prove::{Context, between};
use crate::survey::{self, Survey};
use crate::template::{Macros, Reexpands, Template};
use crate::types::{Entity, Scopes, Type};
use crate::{Source, preprocess::Preprocessed};
use hashbrown::HashMap;
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use loopwright_presburger::Budget;
use loopwright_scop::{Body, CounterScope, IntType, Update};
use std::collections::{BTreeMap, BTreeSet};

/// A statement before its sets are built.
pub struct Draftment {
    /// The instances, over the counters by depth.
    pub domain: Formula,
    /// The accesses in the order of evaluation.
    pub accesses: Vec<Draft>,
    /// The text.
    pub body: Body,
    /// The form `x = x op e`.
    pub update: Option<Update>,
    /// The counters, outermost first.
    pub counters: Vec<(String, IntType)>,
    /// The place in the preprocessed text.
    pub span: Span,
}

/// The original order.
pub enum Order {
    /// A statement by number.
    Statement(usize),
    /// A loop at a depth, in the direction of its step's sign, with its header's place in the preprocessed text.
    Loop(usize, i128, Span, Box<Order>),
    /// One after the other; at least two.
    Sequence(Vec<Order>),
    /// Branches of which at most one runs; at least two.
    Choice(Vec<Order>),
}

/// A loop as met, for the values of counters after the region.
pub struct LoopFact {
    /// The counter.
    pub name: String,
    /// Its type.
    pub ty: IntType,
    /// Where it is declared.
    pub scope: CounterScope,
    /// The name's place in the preprocessed text.
    pub span: Span,
    /// The depth of the loop.
    pub depth: usize,
    /// When the loop starts, over the outer counters.
    pub outer: Formula,
    /// The first value.
    pub first: Value,
    /// The step.
    pub step: i128,
    /// The values for which the body runs, over the outer counters and this one.
    pub domain: Formula,
    /// The original position of the loop: for each surrounding loop, the position in its block and the sign of its step.
    pub position: Vec<(usize, i128)>,
    /// The position in the innermost block.
    pub rank: usize,
}

/// A local array or scalar.
pub struct Local {
    /// Its name here.
    pub name: String,
    /// Its declaration without initializer.
    pub declaration: String,
}

/// What a walk found.
pub struct Found {
    /// The statements in program order.
    pub statements: Vec<Draftment>,
    /// Their order; `None` if there are none.
    pub order: Option<Order>,
    /// The loops in program order.
    pub loops: Vec<LoopFact>,
    /// The parameters.
    pub params: BTreeMap<String, IntType>,
    /// Arrays and scalars in order of first access.
    pub met: Vec<Met>,
    /// The locals among them.
    pub locals: Vec<Local>,
}

/// Everything a walk needs to know of the file.
pub struct Surroundings<'a> {
    /// The file.
    pub source: &'a Source,
    /// The preprocessed file.
    pub input: &'a Preprocessed,
    /// The macros at the region.
    pub macros: &'a Macros,
    /// Functions defined in the file.
    pub defined: &'a BTreeSet<String>,
    /// The helpers of generated code that the file defines.
    pub helpers: &'a BTreeMap<String, Helper>,
    /// Names that generated text must not use.
    pub taken: &'a BTreeSet<String>,
    /// Whether a name occurs in the function after the region.
    pub later: &'a dyn Fn(&str) -> bool,
    /// Names whose address is taken somewhere in the function.
    pub addressed: &'a BTreeSet<String>,
    /// The limit of all proofs.
    pub budget: &'a Budget,
}

/// The region's walk.
pub struct Walk<'a> {
    pub(crate) around: &'a Surroundings<'a>,
    pub(crate) survey: Survey,
    pub(crate) scopes: Scopes,
    pub(crate) counters: Vec<(String, IntType)>,
    pub(crate) position: Vec<(usize, i128)>,
    pub(crate) renamed: Vec<HashMap<String, String>>,
    pub(crate) names: BTreeSet<String>,
    pub(crate) outer_depth: usize,
    pub(crate) found: Found,
}

/// Walks the items of a region; `scopes` knows what is declared before it.
///
/// # Errors
/// A [`Refusal`] of the first construct that cannot be understood exactly.
pub fn walk(items: &[Node<BlockItem>], scopes: Scopes, around: &Surroundings<'_>) -> Result<Found, Refusal> {
    let survey = survey::survey(items)?;
    let found = Found {
        statements: Vec::new(),
        order: None,
        loops: Vec::new(),
        params: BTreeMap::new(),
        met: Vec::new(),
        locals: Vec::new(),
    };
    let outer_depth = scopes.depth();
    let mut walk = Walk {
        around,
        survey,
        scopes,
        counters: Vec::new(),
        position: Vec::new(),
        renamed: vec![HashMap::new()],
        names: BTreeSet::new(),
        outer_depth,
        found,
    };
    walk.scopes.enter();
    walk.found.order = walk.block(items, &Formula::truth())?;
    Ok(walk.found)
}

/// Joins what follows one another: nothing, one thing, or a sequence without nested sequences.
fn sequence(parts: Vec<Order>) -> Option<Order> {
    let flat: Vec<Order> = parts
        .into_iter()
        .flat_map(|part| match part {
            Order::Sequence(inner) => inner,
            other => vec![other],
        })
        .collect();
    if flat.len() > 1 { Some(Order::Sequence(flat)) } else { flat.into_iter().next() }
}

fn overflow(span: Span, overflow: Overflow) -> Refusal {
    let message = match overflow {
        Overflow::Coefficient => "a constant is out of range",
        Overflow::Cases => "a condition with too many cases",
    };
    Refusal { span, message: message.into(), help: "use smaller constants, and fewer `?:`, `%`, `/`, `||`".into() }
}

impl Walk<'_> {
    fn block(&mut self, items: &[Node<BlockItem>], domain: &Formula) -> Result<Option<Order>, Refusal> {
        let mut parts = Vec::new();
        for (rank, item) in items.iter().enumerate() {
            match &item.node {
                BlockItem::Declaration(d) => parts.extend(self.declaration(d, domain)?),
                BlockItem::Statement(s) => parts.extend(self.statement(s, rank, domain)?),
                BlockItem::StaticAssert(s) => {
                    return refuse(s.span, "`_Static_assert` in the region", "move it before the region");
                }
            }
        }
        Ok(sequence(parts))
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> Result<T, Refusal>) -> Result<T, Refusal> {
        self.scopes.enter();
        let renamed = self.renamed.last().cloned().unwrap_or_default();
        self.renamed.push(renamed);
        let result = f(self);
        self.renamed.pop();
        self.scopes.leave();
        result
    }

    fn statement(&mut self, s: &Node<Statement>, rank: usize, domain: &Formula) -> Result<Option<Order>, Refusal> {
        match &s.node {
            Statement::Compound(items) => {
                // the block's own positions come below that of the block
                self.position.push((rank, 0));
                let order = self.scoped(|walk| walk.block(items, domain));
                self.position.pop();
                order
            }
            Statement::Expression(None) => Ok(None),
            Statement::Expression(Some(e)) => self.simple(s.span, domain, |collector| collector.statement(e)).map(Some),
            Statement::If(i) => {
                let condition = self.condition(&i.node.condition, domain)?;
                let not = condition.not().map_err(|o| overflow(i.node.condition.span, o))?;
                self.position.push((rank, 0));
                let then = self.scoped(|w| w.statement(&i.node.then_statement, 0, &domain.clone().and(condition)))?;
                let otherwise = match &i.node.else_statement {
                    Some(e) => self.scoped(|w| w.statement(e, 1, &domain.clone().and(not)))?,
                    None => None,
                };
                self.position.pop();
                Ok(match (then, otherwise) {
                    (Some(a), Some(Order::Choice(mut more))) => {
                        more.insert(0, a);
                        Some(Order::Choice(more))
                    }
                    (Some(a), Some(b)) => Some(Order::Choice(vec![a, b])),
                    (a, b) => a.or(b),
                })
            }
            Statement::For(f) => self.scoped(|walk| walk.for_loop(&f.node, s.span, rank, domain)),
            _ => refuse(s.span, "this statement", "a region has `for`, `if`, blocks, declarations and assignments"),
        }
    }

    fn evaluate<T>(
        &mut self,
        role: &'static str,
        f: impl FnOnce(&mut Evaluator<'_>) -> Result<T, Refusal>,
    ) -> Result<(T, Vec<Obligation>), Refusal> {
        let mut evaluator = Evaluator::new(
            &mut self.scopes,
            &self.around.input.text,
            &self.counters,
            &self.survey.unsteady,
            &self.survey.counters,
            &mut self.found.params,
            role,
            self.around.budget,
            self.around.helpers,
        );
        let value = f(&mut evaluator)?;
        Ok((value, evaluator.obligations))
    }

    fn proves(&self, premise: &Formula, conclusion: &Formula, span: Span) -> Result<bool, Refusal> {
        let counters: Vec<IntType> = self.counters.iter().map(|(_, ty)| ty.clone()).collect();
        let context = Context { params: &self.found.params, counters: &counters, budget: self.around.budget };
        context.implies(premise, conclusion).map_err(|unproven| match unproven {
            Unlowered::Overflow(o) => overflow(span, o),
            Unlowered::Budget => budget_spent(span),
        })
    }

    /// Proves that nothing wraps where an expression is evaluated.
    fn discharge(&self, obligations: Vec<Obligation>, domain: &Formula) -> Result<(), Refusal> {
        for obligation in obligations {
            if !self.proves(&domain.clone().and(obligation.under), &obligation.holds, obligation.span)? {
                return refuse(
                    obligation.span,
                    obligation.message,
                    "use signed types, or conditions that keep the value in range (e.g. an `if` around the loop)",
                );
            }
        }
        Ok(())
    }

    fn condition(&mut self, e: &Node<Expression>, domain: &Formula) -> Result<Formula, Refusal> {
        let (condition, obligations) = self.evaluate("condition", |evaluator| evaluator.condition(e))?;
        self.discharge(obligations, domain)?;
        Ok(condition)
    }

    fn for_loop(&mut self, f: &ForStatement, span: Span, rank: usize, domain: &Formula) -> Result<Option<Order>, Refusal> {
        let header = loops::header(f, span)?;
        let (ty, scope) = self.counter(&header)?;
        let (first, obligations) = self.evaluate("loop bound", |evaluator| {
            let first = evaluator.value(header.first)?;
            evaluator.convert(first, &ty, header.first.span)
        })?;
        self.discharge(obligations, domain)?;
        let first = first.value;
        let step = self.step(&header, domain)?;
        let depth = self.counters.len();
        self.counters.push((header.name.to_string(), ty.clone()));
        let (condition, obligations) = self.evaluate("loop bound", |evaluator| evaluator.condition(header.condition))?;
        let at = header.condition.span;
        let values = loops::values(depth, &first, step, &condition).map_err(|e| match e {
            NotALoop::Overflow(o) => overflow(at, o),
            NotALoop::Condition => Refusal {
                span: at,
                message: format!("a loop condition that is not a bound on `{}`", header.name),
                help: "a loop runs while its counter is below (or above) affine bounds; put other conditions into an `if`".into(),
            },
        })?;
        for endless in values.endless {
            if !self.proves(&domain.clone().and(endless), &Formula::falsity(), at)? {
                let help = "the condition must bound the counter in the direction of the step";
                return refuse(at, format!("the loop on `{}` may not end", header.name), help);
            }
        }
        let body_domain = domain.clone().and(values.domain.clone());
        let fact = LoopFact {
            name: header.name.to_string(),
            ty: ty.clone(),
            scope,
            span: header.name_span,
            depth,
            outer: domain.clone(),
            first: first.clone(),
            step,
            domain: body_domain.clone(),
            position: self.position.clone(),
            rank,
        };
        let reached = reached(&fact).map_err(|o| overflow(at, o))?;
        self.discharge(obligations, &reached)?;
        // Arithmetic below `int` is that of `int`, and its conversion back wraps as unsigned arithmetic does.
        if !ty.signed || ty.bits < self.scopes.int().bits {
            if !self.proves(domain, &values.ends, at)? {
                return refuse(at, format!("the loop on `{}` may pass its bound and wrap", header.name), "use `<` or `>`");
            }
            let next = Lin::var(Var::Dim(depth)).plus_constant(step);
            let stays = next.and_then(|next| {
                let inside = between(Var::Dim(depth), range(&ty))?;
                inside.substitute(depth, &next)
            });
            let stays = stays.map_err(|o| overflow(at, o))?;
            if !self.proves(&body_domain, &stays, at)? {
                return refuse(
                    span,
                    format!("counter `{}` of type `{}` may wrap", header.name, ty.name),
                    "use a counter of type `int` or `long`, or a bound that stays away from the end of the type",
                );
            }
        }
        self.found.loops.push(fact);
        self.position.push((rank, step.signum()));
        let body = self.scoped(|walk| walk.statement(&f.statement, 0, &body_domain));
        self.position.pop();
        self.counters.pop();
        let header = Span::span(span.start, f.statement.span.start);
        Ok(body?.map(|body| Order::Loop(depth, step.signum(), header, Box::new(body))))
    }

    /// The type of a loop's counter, and where it is declared.
    fn counter(&mut self, header: &loops::Header<'_>) -> Result<(IntType, CounterScope), Refusal> {
        let (name, span) = (header.name, header.name_span);
        if let Some(declaration) = header.declaration {
            self.scopes.declare(declaration, &self.around.input.text);
        } else if self.counters.iter().any(|(outer, _)| outer == name) {
            return refuse(
                span,
                format!("counter `{name}` is assigned in the body of its loop"),
                "a counter changes in the header of its loop only",
            );
        }
        let var = match self.scopes.get(name) {
            Some(Entity::Var(var)) => var.clone(),
            _ => {
                return refuse(span, format!("`{name}` is not a variable"), "declare the counter");
            }
        };
        let Type::Int(ty) = var.ty.clone() else {
            return refuse(span, format!("counter `{name}` of type `{}`", var.ty.text()), "use an integer type");
        };
        if var.traits.volatile {
            return refuse(span, format!("volatile counter `{name}`"), "use a plain variable");
        }
        if ty.bits > 64 {
            return refuse(span, format!("counter `{name}` of type `{}`", ty.name), "use a type of at most 64 bits");
        }
        if self.survey.written.contains(name) {
            return refuse(
                span,
                format!("counter `{name}` is assigned in the region outside the header of its loop"),
                "a counter changes in the header of its loop only",
            );
        }
        if self.around.addressed.contains(name) {
            return refuse(span, format!("the address of counter `{name}` is taken"), "use another variable as the counter");
        }
        let inside = header.declaration.is_some() || self.scopes.depth_of(name).is_some_and(|d| d >= self.outer_depth);
        Ok((ty, if inside { CounterScope::Loop } else { CounterScope::Outside }))
    }

    fn step(&mut self, header: &loops::Header<'_>, domain: &Formula) -> Result<i128, Refusal> {
        let (sign, Some(e)) = header.step else {
            return Ok(header.step.0);
        };
        let (value, obligations) = self.evaluate("step", |evaluator| evaluator.value(e))?;
        self.discharge(obligations, domain)?;
        match value.value.as_constant() {
            Some(0) => refuse(e.span, "a step of 0", "the loop would not end"),
            Some(c) if c.abs() < 1 << 62 => Ok(sign * c),
            _ => refuse(e.span, "a step that is not a constant", "write the step as a number"),
        }
    }

    /// A statement without inner statements.
    pub(crate) fn simple(
        &mut self,
        span: Span,
        domain: &Formula,
        collect: impl FnOnce(&mut Collector<'_, '_>) -> Result<(), Refusal>,
    ) -> Result<Order, Refusal> {
        self.around.budget.spend(domain.size() as u64).map_err(|_| budget_spent(span))?;
        let renamed = self.renamed.last().cloned().unwrap_or_default();
        let around = self.around;
        let defined = |name: &str| around.defined.contains(name);
        let ((drafts, sites, met, update), obligations) = self.evaluate("subscript", |evaluator| {
            let mut collector = Collector::new(evaluator, &renamed, &defined);
            collect(&mut collector)?;
            Ok((collector.drafts, collector.sites, collector.met, collector.update))
        })?;
        self.discharge(obligations, domain)?;
        for met in met {
            if self.found.met.iter().all(|known| known.name != met.name) {
                self.found.met.push(met);
            }
        }
        let body = self.body(span, &sites, &renamed)?;
        self.found.statements.push(Draftment {
            domain: domain.clone(),
            accesses: drafts,
            body,
            update,
            counters: self.counters.clone(),
            span,
        });
        Ok(Order::Statement(self.found.statements.len() - 1))
    }

    fn body(&self, span: Span, sites: &[std::ops::Range<usize>], renamed: &HashMap<String, String>) -> Result<Body, Refusal> {
        let input = self.around.input;
        let mut tokens = input.tokens_in(span.start..span.end);
        let ended = |end: usize| input.tokens.get(end).is_some_and(|t| t.is(&input.text, ";"));
        // an initializer's `;` stands after its span
        if !ended(tokens.end - 1) && ended(tokens.end) {
            tokens.end += 1;
        }
        let counters: Vec<(String, String)> = self.counters.iter().map(|(name, ty)| (name.clone(), ty.name.clone())).collect();
        let mut sites: Vec<_> = sites.iter().enumerate().map(|(site, range)| (input.tokens_in(range.clone()), site)).collect();
        sites.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.end)));
        // only names that differ need a hole
        let differing: HashMap<String, String> =
            renamed.iter().filter(|(a, b)| a != b).map(|(a, b)| (a.clone(), b.clone())).collect();
        let template = Template {
            input,
            source: self.around.source,
            macros: self.around.macros,
            tokens,
            counters: &counters,
            renamed: &differing,
            sites: &sites,
        };
        template.body().map_err(|Reexpands(at)| {
            let token = &input.tokens[at];
            Refusal {
                span: Span::span(token.range.start, token.range.end),
                message: format!("a macro expands to `{}`, which is itself a macro", token.text(&input.text)),
                help: "the statement could not be put back; rename the macro".into(),
            }
        })
    }
}

/// The values of the counter for which the loop's condition is evaluated: the first, and each that follows one of the domain.
pub fn reached(fact: &LoopFact) -> Result<Formula, Overflow> {
    let counter = Lin::var(Var::Dim(fact.depth));
    let starts = fact.first.holds(|lin| Ok(Formula::eq(counter.plus(-1, lin)?)))?;
    let follows = fact.domain.substitute(fact.depth, &counter.plus_constant(-fact.step)?)?;
    Ok(fact.outer.clone().and(starts).or(follows))
}
