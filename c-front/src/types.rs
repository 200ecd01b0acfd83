//! C types as far as the front end needs them: integers with their ranges, arrays with their extents, and the rest by name.

use crate::lexer::{TokenKind, directive, lex};
use crate::preprocess::Preprocessed;
use hashbrown::HashMap;
use lang_c::ast::*;
use lang_c::span::Node;
use loopwright_scop::IntType;

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// An integer type other than `_Bool`.
    Int(IntType),
    /// Any other type that is neither pointer nor array: floating, `_Bool`, enumeration, structure; by its text.
    Other(String),
    /// `T *`.
    Pointer(Box<Type>),
    /// `T [n]`, with the text of `n`.
    Array(Box<Type>, Option<String>),
    /// A function.
    Function,
}

impl Type {
    /// The type's C text, as far as one word can say it.
    pub fn text(&self) -> String {
        match self {
            Type::Int(int) => int.name.clone(),
            Type::Other(name) => name.clone(),
            Type::Pointer(inner) => format!("{} *", inner.text()),
            Type::Array(inner, extent) => {
                format!("{} [{}]", inner.text(), extent.as_deref().unwrap_or(""))
            }
            Type::Function => "function".into(),
        }
    }

    /// Element type and extents of an array, of a pointer to elements, or of a scalar (no extents). `None` for what cannot be
    /// accessed by subscripts alone: pointers to pointers, arrays of pointers, functions.
    pub fn as_array(&self) -> Option<(&Type, Vec<Option<String>>)> {
        let (mut ty, mut extents) = match self {
            Type::Pointer(inner) => (&**inner, vec![None]),
            other => (other, Vec::new()),
        };
        loop {
            match ty {
                Type::Array(inner, extent) => {
                    extents.push(extent.clone());
                    ty = inner;
                }
                Type::Int(_) | Type::Other(_) => return Some((ty, extents)),
                Type::Pointer(_) | Type::Function => return None,
            }
        }
    }
}

/// Qualifiers and storage of a declaration, as far as they matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traits {
    /// `volatile` or `_Atomic`: every access counts, nothing may move.
    pub volatile: bool,
    /// `static`, `extern` or `_Thread_local`.
    pub stored: bool,
    /// `typedef`.
    pub typedef: bool,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Entity {
    /// A variable.
    Var(Var),
    /// A type.
    Typedef(Type, Traits),
    /// A constant of an enumeration, if its value is known.
    Enumerator(Option<i128>),
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Var {
    /// Its type; for parameters after the adjustment of arrays to pointers is undone (`A[n][m]` keeps both extents).
    pub ty: Type,
    /// Its qualifiers.
    pub traits: Traits,
    /// Declared at file scope.
    pub global: bool,
}

/// Nested scopes of names.
#[derive(Clone, Debug)]
pub struct Scopes {
    scopes: Vec<HashMap<String, Entity>>,
    model: Model,
}

/// The sizes of the integer types, as the compiler predefines them.
#[derive(Clone, Copy, Debug)]
struct Model {
    short: u32,
    int: u32,
    long: u32,
    long_long: u32,
    char_signed: bool,
}

impl Scopes {
    /// File scope, with the type sizes of the compiler that made `input`.
    pub fn new(input: &Preprocessed) -> Scopes {
        let mut model = Model { short: 16, int: 32, long: 64, long_long: 64, char_signed: true };
        for token in input.tokens.iter().filter(|t| t.kind == TokenKind::Directive) {
            let Some(("define", rest)) = directive(token.text(&input.text)) else {
                continue;
            };
            let Some((name, value)) = rest.split_once(' ') else {
                continue;
            };
            let bits = || value.trim().parse::<u32>().ok().filter(|n| (1..=8).contains(n)).map(|n| 8 * n);
            match name {
                "__SIZEOF_SHORT__" => model.short = bits().unwrap_or(model.short),
                "__SIZEOF_INT__" => model.int = bits().unwrap_or(model.int),
                "__SIZEOF_LONG__" => model.long = bits().unwrap_or(model.long),
                "__SIZEOF_LONG_LONG__" => model.long_long = bits().unwrap_or(model.long_long),
                "__CHAR_UNSIGNED__" => model.char_signed = false,
                _ => {}
            }
        }
        Scopes { scopes: vec![HashMap::new()], model }
    }

    /// Opens a scope.
    pub fn enter(&mut self) {
        self.scopes.push(HashMap::new());
    }

    /// Closes the innermost scope.
    pub fn leave(&mut self) {
        self.scopes.pop();
    }

    /// What `name` stands for here.
    pub fn get(&self, name: &str) -> Option<&Entity> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Whether `name` is declared in a scope inside the first `depth` ones.
    pub fn depth_of(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rposition(|scope| scope.contains_key(name))
    }

    /// The number of open scopes.
    pub fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Adds a name to the innermost scope.
    pub fn insert(&mut self, name: &str, entity: Entity) {
        self.scopes.last_mut().expect("file scope is always open").insert(name.to_string(), entity);
    }

    /// `int`.
    pub fn int(&self) -> IntType {
        IntType { name: "int".into(), bits: self.model.int, signed: true }
    }

    /// The integer type of this rank and sign: 0 `int`, 1 `long`, 2 `long long`.
    pub fn integer(&self, rank: usize, signed: bool) -> IntType {
        let (bits, name) = [(self.model.int, "int"), (self.model.long, "long"), (self.model.long_long, "long long")][rank];
        let name = if signed { name.to_string() } else { format!("unsigned {name}") };
        IntType { name, bits, signed }
    }

    /// Adds the names of a declaration; answers the variables, in order.
    pub fn declare(&mut self, declaration: &Declaration, text: &str) -> Vec<(String, Var)> {
        let global = self.scopes.len() == 1;
        let (base, traits) = self.specifiers(declaration.specifiers.iter().map(|s| &s.node), text);
        let mut variables = Vec::new();
        for declarator in &declaration.declarators {
            let (name, ty, traits) = self.declarator(&declarator.node.declarator.node, base.clone(), traits, text);
            let Some(name) = name else { continue };
            if traits.typedef {
                self.insert(&name, Entity::Typedef(ty, traits));
            } else {
                let var = Var { ty, traits, global };
                self.insert(&name, Entity::Var(var.clone()));
                variables.push((name, var));
            }
        }
        variables
    }

    /// Adds the parameters of a function definition.
    pub fn declare_parameters(&mut self, function: &FunctionDefinition, text: &str) {
        for derived in &function.declarator.node.derived {
            if let DerivedDeclarator::Function(f) = &derived.node {
                for parameter in &f.node.parameters {
                    let parameter = &parameter.node;
                    let (base, traits) = self.specifiers(parameter.specifiers.iter().map(|s| &s.node), text);
                    if let Some(declarator) = &parameter.declarator {
                        let (name, ty, traits) = self.declarator(&declarator.node, base, traits, text);
                        if let Some(name) = name {
                            self.insert(&name, Entity::Var(Var { ty, traits, global: false }));
                        }
                    }
                }
            }
        }
        for declaration in &function.declarations {
            self.declare(&declaration.node, text);
        }
    }

    /// The type that a cast or `sizeof` names.
    pub fn type_name(&mut self, name: &TypeName, text: &str) -> Type {
        let specifiers: Vec<DeclarationSpecifier> = name
            .specifiers
            .iter()
            .map(|s| match &s.node {
                SpecifierQualifier::TypeSpecifier(t) => DeclarationSpecifier::TypeSpecifier(t.clone()),
                SpecifierQualifier::TypeQualifier(q) => DeclarationSpecifier::TypeQualifier(q.clone()),
                SpecifierQualifier::Extension(e) => DeclarationSpecifier::Extension(e.clone()),
            })
            .collect();
        let (base, traits) = self.specifiers(specifiers.iter(), text);
        match &name.declarator {
            Some(declarator) => self.declarator(&declarator.node, base, traits, text).1,
            None => base,
        }
    }

    /// Whether nothing is computed where a type is named: all extents are constants.
    pub fn is_fixed(&self, name: &TypeName) -> bool {
        let plain = |s: &Node<SpecifierQualifier>| match &s.node {
            SpecifierQualifier::TypeSpecifier(t) => !defines_or_computes(&t.node),
            _ => true,
        };
        name.specifiers.iter().all(plain) && name.declarator.iter().all(|d| self.has_fixed_extents(&d.node))
    }

    /// Whether all extents of a declarator are constants.
    pub fn has_fixed_extents(&self, d: &Declarator) -> bool {
        let fixed = |derived: &Node<DerivedDeclarator>| match &derived.node {
            DerivedDeclarator::Pointer(_) => true,
            DerivedDeclarator::Array(array) => match &array.node.size {
                ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => self.constant(&e.node).is_some(),
                ArraySize::Unknown => true,
                ArraySize::VariableUnknown => false,
            },
            DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) | DerivedDeclarator::Block(_) => false,
        };
        let inner = match &d.kind.node {
            DeclaratorKind::Declarator(inner) => self.has_fixed_extents(&inner.node),
            DeclaratorKind::Abstract | DeclaratorKind::Identifier(_) => true,
        };
        inner && d.derived.iter().all(fixed)
    }

    fn specifiers<'a>(&mut self, list: impl Iterator<Item = &'a DeclarationSpecifier>, text: &str) -> (Type, Traits) {
        let mut traits = Traits::default();
        let (mut signed, mut unsigned, mut longs, mut short, mut char, mut int) = (false, false, 0, false, false, false);
        let mut named: Option<Type> = None;
        let mut words: Vec<String> = Vec::new();
        for specifier in list {
            match specifier {
                DeclarationSpecifier::StorageClass(class) => match class.node {
                    StorageClassSpecifier::Typedef => traits.typedef = true,
                    StorageClassSpecifier::Extern | StorageClassSpecifier::Static | StorageClassSpecifier::ThreadLocal => {
                        traits.stored = true;
                    }
                    StorageClassSpecifier::Auto | StorageClassSpecifier::Register => {}
                },
                DeclarationSpecifier::TypeQualifier(q) => {
                    traits.volatile |= matches!(q.node, TypeQualifier::Volatile | TypeQualifier::Atomic);
                }
                DeclarationSpecifier::TypeSpecifier(specifier) => {
                    words.push(squeeze(&text[specifier.span.start..specifier.span.end]));
                    match &specifier.node {
                        TypeSpecifier::Signed => signed = true,
                        TypeSpecifier::Unsigned => unsigned = true,
                        TypeSpecifier::Long => longs += 1,
                        TypeSpecifier::Short => short = true,
                        TypeSpecifier::Char => char = true,
                        TypeSpecifier::Int => int = true,
                        TypeSpecifier::TypedefName(name) => {
                            let (ty, of) = match self.get(&name.node.name) {
                                Some(Entity::Typedef(ty, traits)) => (ty.clone(), *traits),
                                _ => (Type::Other(name.node.name.clone()), Traits::default()),
                            };
                            traits.volatile |= of.volatile;
                            named = Some(renamed(ty, &name.node.name));
                        }
                        TypeSpecifier::Atomic(_) => {
                            traits.volatile = true;
                            named = Some(Type::Other(String::new()));
                        }
                        TypeSpecifier::Enum(e) => {
                            self.enumerators(&e.node, text);
                            named = Some(Type::Other(String::new()));
                        }
                        _ => named = Some(Type::Other(String::new())),
                    }
                }
                _ => {}
            }
        }
        let name = words.join(" ");
        let (model, signed_or_plain) = (self.model, !unsigned);
        let of = |bits, signed| Type::Int(IntType { name: name.clone(), bits, signed });
        let ty = match named {
            // `long double`, `unsigned __int128`: not an integer type that is known here
            Some(Type::Other(_)) => Type::Other(name),
            Some(other) => other,
            None if char => of(8, if signed || unsigned { signed } else { model.char_signed }),
            None if short => of(model.short, signed_or_plain),
            None if longs == 1 => of(model.long, signed_or_plain),
            None if longs > 1 => of(model.long_long, signed_or_plain),
            None if int || signed || unsigned => of(model.int, signed_or_plain),
            None => Type::Other(if name.is_empty() { "int".into() } else { name }),
        };
        (ty, traits)
    }

    fn enumerators(&mut self, e: &EnumType, text: &str) {
        let mut next = Some(0i128);
        for enumerator in &e.enumerators {
            if let Some(value) = &enumerator.node.expression {
                next = self.constant(&value.node);
            }
            self.insert(&enumerator.node.identifier.node.name, Entity::Enumerator(next));
            next = next.and_then(|n| n.checked_add(1));
        }
        let _ = text;
    }

    /// The value of a simple integer constant expression.
    pub fn constant(&self, e: &Expression) -> Option<i128> {
        match e {
            Expression::Constant(c) => match &c.node {
                Constant::Integer(i) => integer_value(i),
                _ => None,
            },
            Expression::Identifier(name) => match self.get(&name.node.name)? {
                Entity::Enumerator(value) => *value,
                _ => None,
            },
            Expression::UnaryOperator(u) => {
                let value = self.constant(&u.node.operand.node)?;
                match u.node.operator.node {
                    UnaryOperator::Minus => value.checked_neg(),
                    UnaryOperator::Plus => Some(value),
                    _ => None,
                }
            }
            Expression::BinaryOperator(b) => {
                let (l, r) = (self.constant(&b.node.lhs.node)?, self.constant(&b.node.rhs.node)?);
                match b.node.operator.node {
                    BinaryOperator::Plus => l.checked_add(r),
                    BinaryOperator::Minus => l.checked_sub(r),
                    BinaryOperator::Multiply => l.checked_mul(r),
                    BinaryOperator::Divide => l.checked_div(r),
                    BinaryOperator::Modulo => l.checked_rem(r),
                    BinaryOperator::ShiftRight if (0..63).contains(&r) => Some(l >> r),
                    BinaryOperator::ShiftLeft if (0..63).contains(&r) => l.checked_mul(1 << r),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn declarator(&self, d: &Declarator, base: Type, traits: Traits, text: &str) -> (Option<String>, Type, Traits) {
        let (mut ty, mut traits) = (base, traits);
        // pointers first, left to right; then arrays and functions from the last to the first
        for derived in &d.derived {
            if let DerivedDeclarator::Pointer(qualifiers) = &derived.node {
                ty = Type::Pointer(Box::new(ty));
                let volatile = |q: &Node<PointerQualifier>| match &q.node {
                    PointerQualifier::TypeQualifier(q) => {
                        matches!(q.node, TypeQualifier::Volatile | TypeQualifier::Atomic)
                    }
                    _ => false,
                };
                traits.volatile |= qualifiers.iter().any(volatile);
            }
        }
        for derived in d.derived.iter().rev() {
            match &derived.node {
                DerivedDeclarator::Array(array) => {
                    let extent = match &array.node.size {
                        ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => {
                            Some(squeeze(&text[e.span.start..e.span.end]))
                        }
                        ArraySize::Unknown | ArraySize::VariableUnknown => None,
                    };
                    ty = Type::Array(Box::new(ty), extent);
                }
                DerivedDeclarator::Function(_) | DerivedDeclarator::KRFunction(_) | DerivedDeclarator::Block(_) => {
                    ty = Type::Function;
                }
                DerivedDeclarator::Pointer(_) => {}
            }
        }
        match &d.kind.node {
            DeclaratorKind::Abstract => (None, ty, traits),
            DeclaratorKind::Identifier(name) => (Some(name.node.name.clone()), ty, traits),
            DeclaratorKind::Declarator(inner) => self.declarator(&inner.node, ty, traits, text),
        }
    }
}

/// Whether a type is spelled out (and may have computed sizes) instead of named.
pub fn defines_or_computes(t: &TypeSpecifier) -> bool {
    match t {
        TypeSpecifier::TypeOf(_) | TypeSpecifier::Atomic(_) => true,
        TypeSpecifier::Struct(s) => s.node.declarations.is_some(),
        TypeSpecifier::Enum(e) => !e.node.enumerators.is_empty(),
        _ => false,
    }
}

/// A type under the name of its `typedef`.
fn renamed(ty: Type, name: &str) -> Type {
    match ty {
        Type::Int(int) => Type::Int(IntType { name: name.to_string(), ..int }),
        Type::Other(_) => Type::Other(name.to_string()),
        other => other,
    }
}

/// Tokens separated by single spaces, line markers dropped.
pub fn squeeze(text: &str) -> String {
    let tokens = lex(text);
    let words: Vec<&str> = tokens.iter().filter(|t| t.kind != TokenKind::Directive).map(|t| t.text(text)).collect();
    words.join(" ")
}

/// The value of an integer literal; `None` beyond 2^64.
pub fn integer_value(i: &Integer) -> Option<i128> {
    let radix = match i.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    let digits = if i.number.is_empty() { "0" } else { &i.number };
    i128::from_str_radix(digits, radix).ok().filter(|v| *v < 1 << 64)
}
