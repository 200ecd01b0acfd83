//! The accesses of an expression in the order of evaluation, and the refusal of everything that is more than reading and writing.

use crate::eval::{Evaluator, Refusal, refuse};
use crate::formula::{Formula, Value};
use crate::survey::{identifier, is_assignment};
use crate::types::{Entity, Type};
use crate::update::Names;
use hashbrown::HashMap;
use lang_c::ast::*;
use lang_c::span::{Node, Span};
use loopwright_scop::{AccessKind, Update};
use std::ops::Range;

/// The functions that a body may call: they read their arguments and nothing else (`errno` and rounding flags apart).
const PURE: &str = "sqrt cbrt exp exp2 expm1 log log2 log10 log1p pow fabs fmin fmax fmod fdim remainder hypot sin cos tan asin \
    acos atan atan2 sinh cosh tanh asinh acosh atanh floor ceil round trunc rint nearbyint lround lrint llround llrint erf erfc \
    tgamma copysign fma ldexp scalbn scalbln logb ilogb nextafter creal cimag cabs carg conj cexp clog cpow csqrt csin ccos";
const PURE_EXACT: &str = "abs labs llabs isnan isinf isfinite isnormal signbit isgreater isgreaterequal isless islessequal \
    islessgreater isunordered fpclassify";
/// Those that exist under the compiler's own prefix only: without it the name is the user's.
const BUILTIN: &str = "expect isinf_sign";

/// An access before it becomes a map.
#[derive(Clone, Debug)]
pub struct Draft {
    /// Read or write.
    pub kind: AccessKind,
    /// The array's name here.
    pub array: String,
    /// The subscripts.
    pub subscripts: Vec<Value>,
    /// When the access happens, beside the statement's domain.
    pub under: Formula,
    /// Which place of the body.
    pub site: usize,
}

/// An array or scalar as first met.
#[derive(Clone, Debug)]
pub struct Met {
    /// The name here.
    pub name: String,
    /// The element type as text.
    pub element: String,
    /// Its extents as text.
    pub extents: Vec<Option<String>>,
}

/// Collects accesses.
pub struct Collector<'a, 'b> {
    /// Evaluates subscripts and conditions.
    pub evaluator: &'b mut Evaluator<'a>,
    /// Arrays that have another name here.
    pub renamed: &'b HashMap<String, String>,
    /// Whether a name is a function defined in this file.
    pub defined: &'b dyn Fn(&str) -> bool,
    /// The accesses so far.
    pub drafts: Vec<Draft>,
    /// The places (offsets into the preprocessed text) of the accesses, by site.
    pub sites: Vec<Range<usize>>,
    /// The arrays met.
    pub met: Vec<Met>,
    /// The form `x = x op e`.
    pub update: Option<Update>,
    under: Formula,
}

/// What an access is reached by.
struct Target {
    array: String,
    subscripts: Vec<Value>,
    site: usize,
}

impl<'a, 'b> Collector<'a, 'b> {
    /// A collector without accesses.
    pub fn new(
        evaluator: &'b mut Evaluator<'a>,
        renamed: &'b HashMap<String, String>,
        defined: &'b dyn Fn(&str) -> bool,
    ) -> Collector<'a, 'b> {
        let (drafts, sites, met) = (Vec::new(), Vec::new(), Vec::new());
        Collector { evaluator, renamed, defined, drafts, sites, met, update: None, under: Formula::truth() }
    }

    /// A statement: an assignment, a compound assignment, `++` or `--`.
    pub fn statement(&mut self, e: &Node<Expression>) -> Result<(), Refusal> {
        self.accesses_of(e)?;
        let names = Names { scopes: self.evaluator.scopes, text: self.evaluator.text };
        let site = |span: Span| self.sites.iter().position(|s| *s == (span.start..span.end));
        self.update = names.update(e).and_then(|found| {
            let reads = found.reads.into_iter().map(site).collect::<Option<_>>()?;
            Some(Update { operator: found.operator, reads, write: site(found.write)? })
        });
        Ok(())
    }

    fn accesses_of(&mut self, e: &Node<Expression>) -> Result<(), Refusal> {
        match &e.node {
            Expression::BinaryOperator(b) if is_assignment(&b.node.operator.node) => self.assignment(&b.node),
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::PostIncrement
                | UnaryOperator::PreIncrement
                | UnaryOperator::PostDecrement
                | UnaryOperator::PreDecrement => {
                    let target = self.target(&u.node.operand)?;
                    self.access(AccessKind::Read, &target);
                    self.access(AccessKind::Write, &target);
                    Ok(())
                }
                _ => self.effectless(e),
            },
            Expression::Call(_) | Expression::Comma(_) | Expression::Statement(_) => {
                self.read(e).and_then(|()| self.effectless(e))
            }
            _ => self.effectless(e),
        }
    }

    fn effectless(&mut self, e: &Node<Expression>) -> Result<(), Refusal> {
        refuse(e.span, "an expression without effect", "a statement of a region is an assignment; remove this one")
    }

    /// The initialization of a local scalar.
    pub fn initialization(&mut self, name: &Node<Identifier>, value: &Node<Expression>) -> Result<(), Refusal> {
        let lhs = Node::new(Expression::Identifier(Box::new(name.clone())), name.span);
        let target = self.target(&lhs)?;
        self.read(value)?;
        self.access(AccessKind::Write, &target);
        Ok(())
    }

    fn assignment(&mut self, b: &BinaryOperatorExpression) -> Result<(), Refusal> {
        let target = self.target(&b.lhs)?;
        if b.operator.node != BinaryOperator::Assign {
            self.access(AccessKind::Read, &target);
        }
        match &b.rhs.node {
            // a = b = e: the inner one first; its value is not read back
            Expression::BinaryOperator(inner) if is_assignment(&inner.node.operator.node) => self.assignment(&inner.node)?,
            _ => self.read(&b.rhs)?,
        }
        self.access(AccessKind::Write, &target);
        Ok(())
    }

    fn access(&mut self, kind: AccessKind, target: &Target) {
        self.drafts.push(Draft {
            kind,
            array: target.array.clone(),
            subscripts: target.subscripts.clone(),
            under: self.under.clone(),
            site: target.site,
        });
    }

    /// The array element or scalar that an expression names.
    fn target(&mut self, e: &Node<Expression>) -> Result<Target, Refusal> {
        let site = self.sites.len();
        self.sites.push(e.span.start..e.span.end);
        let mut indices = Vec::new();
        let mut base = e;
        while let Expression::BinaryOperator(b) = &base.node {
            if b.node.operator.node != BinaryOperator::Index {
                break;
            }
            indices.push(&*b.node.rhs);
            base = &b.node.lhs;
        }
        indices.reverse();
        let Some(name) = identifier(base) else {
            return self.not_an_array(base);
        };
        if self.evaluator.counters.iter().any(|(counter, _)| counter == name) && indices.is_empty() {
            return refuse(
                e.span,
                format!("counter `{name}` is assigned in the body of its loop"),
                "a counter changes in the header of its loop only",
            );
        }
        if self.evaluator.all_counters.contains(name) {
            return refuse(
                e.span,
                format!("`{name}` is a counter of the region and used as a variable"),
                "use another variable for one of the two",
            );
        }
        let (var, own) = match self.evaluator.scopes.get(name) {
            Some(Entity::Var(var)) => (var.clone(), self.renamed.get(name).cloned().unwrap_or_else(|| name.to_string())),
            _ => {
                return refuse(base.span, format!("`{name}` is not a variable"), "declare it before the region");
            }
        };
        if var.traits.volatile {
            return refuse(base.span, format!("volatile `{name}`"), "accesses of volatile variables must not move");
        }
        let Some((element, extents)) = var.ty.as_array() else {
            return refuse(
                base.span,
                format!("`{name}` of type `{}`", var.ty.text()),
                "rows behind a pointer may overlap: declare an array `a[n][m]` or a pointer to rows `(*a)[m]`",
            );
        };
        if indices.len() < extents.len() {
            return refuse(
                e.span,
                format!("`{name}` with {} of its {} subscripts", indices.len(), extents.len()),
                "a region reads and writes single elements only",
            );
        }
        if indices.len() > extents.len() {
            return refuse(e.span, format!("`{name}` with too many subscripts"), "give one subscript per dimension");
        }
        self.evaluator.charge(self.under.size(), e.span)?;
        let met = Met { name: own.clone(), element: element.text(), extents };
        let (mut subscripts, before) = (Vec::new(), self.evaluator.obligations.len());
        for index in indices {
            self.evaluator.role = "subscript";
            subscripts.push(self.evaluator.value(index)?.value);
        }
        for obligation in &mut self.evaluator.obligations[before..] {
            obligation.under = obligation.under.clone().and(self.under.clone());
        }
        self.met.push(met);
        Ok(Target { array: own, subscripts, site })
    }

    fn not_an_array<T>(&self, e: &Node<Expression>) -> Result<T, Refusal> {
        match &e.node {
            Expression::UnaryOperator(u) if u.node.operator.node == UnaryOperator::Indirection => {
                refuse(e.span, "a pointer is dereferenced with `*`", "write `p[0]`, or subscripts of a declared array")
            }
            Expression::Member(_) => {
                refuse(e.span, "a structure member", "only plain variables and array elements can be accessed")
            }
            Expression::Cast(_) => refuse(e.span, "a cast array", "use the array under its declared type"),
            _ => refuse(e.span, "an access that is not a variable with subscripts", "use a declared array or scalar"),
        }
    }

    /// The reads of an expression.
    fn read(&mut self, e: &Node<Expression>) -> Result<(), Refusal> {
        let span = e.span;
        match &e.node {
            Expression::Constant(_) => Ok(()),
            Expression::SizeOfTy(s) => self.fixed_type(&s.node.0.node, span),
            Expression::AlignOf(a) => self.fixed_type(&a.node.0.node, span),
            Expression::Identifier(name) => self.read_name(&name.node.name, e),
            Expression::BinaryOperator(b) => {
                let op = &b.node.operator.node;
                if is_assignment(op) {
                    return refuse(span, "an assignment inside an expression", "write it as a statement of its own");
                }
                if *op == BinaryOperator::Index {
                    let target = self.target(e)?;
                    self.access(AccessKind::Read, &target);
                    return Ok(());
                }
                self.read(&b.node.lhs)?;
                self.read(&b.node.rhs)
            }
            Expression::UnaryOperator(u) => match u.node.operator.node {
                UnaryOperator::Plus | UnaryOperator::Minus | UnaryOperator::Complement | UnaryOperator::Negate => {
                    self.read(&u.node.operand)
                }
                UnaryOperator::Address => refuse(span, "an address is taken", "use subscripts only"),
                UnaryOperator::Indirection => self.not_an_array(e),
                _ => refuse(span, "`++` or `--` inside an expression", "write it as a statement of its own"),
            },
            Expression::Conditional(c) => {
                self.evaluator.connective(span)?;
                self.conditional(&c.node)
            }
            Expression::Cast(c) => match self.evaluator.scopes.type_name(&c.node.type_name.node, self.evaluator.text) {
                Type::Pointer(_) | Type::Array(..) | Type::Function => {
                    refuse(span, "a cast to a pointer", "use arrays under their declared types")
                }
                _ => {
                    self.fixed_type(&c.node.type_name.node, span)?;
                    self.read(&c.node.expression)
                }
            },
            Expression::Call(c) => self.call(&c.node, span),
            Expression::Comma(_) => refuse(span, "the comma operator", "write separate statements"),
            Expression::Statement(_) => refuse(span, "a statement expression", "write separate statements"),
            Expression::Member(_) => self.not_an_array(e),
            Expression::StringLiteral(_) => refuse(span, "a string literal", "move it out of the region"),
            Expression::SizeOfVal(_) => refuse(span, "`sizeof` of an expression", "use `sizeof (type)`"),
            Expression::CompoundLiteral(_) => refuse(span, "a compound literal", "declare a variable before the region"),
            Expression::GenericSelection(_) => refuse(span, "`_Generic` in the region", "call the function of the type directly"),
            _ => refuse(span, "this expression", "a region reads variables and array elements, and computes with them"),
        }
    }

    /// Refuses types whose sizes are computed where they are named: that may have effects.
    fn fixed_type(&self, name: &TypeName, span: Span) -> Result<(), Refusal> {
        if self.evaluator.scopes.is_fixed(name) {
            return Ok(());
        }
        refuse(
            span,
            "a type of computed size in the region",
            "name it with a `typedef` before the region, or use a constant size",
        )
    }

    fn read_name(&mut self, name: &str, e: &Node<Expression>) -> Result<(), Refusal> {
        if self.evaluator.counters.iter().any(|(counter, _)| counter == name) {
            return Ok(());
        }
        match self.evaluator.scopes.get(name) {
            Some(Entity::Enumerator(_)) => Ok(()),
            Some(Entity::Var(_)) if self.evaluator.all_counters.contains(name) => refuse(
                e.span,
                format!("counter `{name}` is read outside its loop"),
                "write the value it has there, or use another variable",
            ),
            Some(Entity::Var(_)) => {
                let target = self.target(e)?;
                self.access(AccessKind::Read, &target);
                Ok(())
            }
            _ => refuse(e.span, format!("`{name}` is not declared"), "declare it before the region"),
        }
    }

    /// `c ? a : b`: under an affine condition each branch is read where it is taken, else all three are read.
    fn conditional(&mut self, c: &ConditionalExpression) -> Result<(), Refusal> {
        let (params, before) = (self.evaluator.params.clone(), self.evaluator.obligations.len());
        self.evaluator.role = "condition";
        let condition = self.evaluator.condition(&c.condition);
        let affine = condition.ok().filter(|_| self.evaluator.obligations.len() == before);
        let not = affine.as_ref().and_then(|f| f.not().ok());
        let (Some(then), Some(otherwise)) = (affine, not) else {
            *self.evaluator.params = params;
            self.evaluator.obligations.truncate(before);
            self.read(&c.condition)?;
            self.read(&c.then_expression)?;
            return self.read(&c.else_expression);
        };
        let outer = self.under.clone();
        self.evaluator.charge(outer.size(), c.condition.span)?;
        self.under = outer.clone().and(then);
        self.read(&c.then_expression)?;
        self.under = outer.clone().and(otherwise);
        self.read(&c.else_expression)?;
        self.under = outer;
        Ok(())
    }

    fn call(&mut self, c: &CallExpression, span: Span) -> Result<(), Refusal> {
        let Some(name) = identifier(&c.callee) else {
            return refuse(span, "a call through a pointer", "only known mathematical functions can be called in a region");
        };
        let local = matches!(self.evaluator.scopes.get(name), Some(Entity::Var(v)) if v.ty != Type::Function);
        let known = self.evaluator.helper(c).is_some() || (is_pure(name) && !(self.defined)(name));
        if local || !known {
            return refuse(
                span,
                format!("a call of `{name}`"),
                "only known mathematical functions can be called in a region: write the expression in place, or use a macro",
            );
        }
        c.arguments.iter().try_for_each(|argument| self.read(argument))
    }
}

/// Whether a function is known to read its arguments and do nothing else.
fn is_pure(name: &str) -> bool {
    let listed = |list: &str, name: &str| list.split_whitespace().any(|n| n == name);
    let builtin = name.strip_prefix("__builtin_");
    if builtin.is_some_and(|name| listed(BUILTIN, name)) {
        return true;
    }
    let name = builtin.unwrap_or(name);
    listed(PURE, name)
        || listed(PURE_EXACT, name)
        || [name.strip_suffix('f'), name.strip_suffix('l')].into_iter().flatten().any(|base| listed(PURE, base))
}
