//! One registry of transformations: scripts, moves, pragmas, passes and bindings all resolve names here.
//!
//! A transformation is a function from a tree, a place in it and arguments to a tree. It says where it is available and which
//! arguments it takes there; whether the new order is legal is for `deps` to prove, with one validator for all of them.

use crate::{Arg, Arguments, Cursor, Error, Formal, Move, ScheduleTree, Schema, Step, transform};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Why a transformation does not apply.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The node is not of the shape that the transformation needs.
    #[error("{name} needs {needs}; at {at} stands {found}")]
    Place {
        /// The transformation.
        name: String,
        /// What it needs.
        needs: String,
        /// The node's path, as text.
        at: String,
        /// What stands there.
        found: String,
    },
    /// The node has already what the transformation would give it.
    #[error("{name}: the loop at {at} {what} already")]
    Already {
        /// The transformation.
        name: String,
        /// The node's path, as text.
        at: String,
        /// What it has, as a verb: "is marked parallel".
        what: String,
    },
    /// The wrong number of arguments.
    #[error("{name} takes {expected}; {found} arguments were given")]
    Count {
        /// The transformation.
        name: String,
        /// The formal arguments.
        expected: String,
        /// How many arguments were given.
        found: usize,
    },
    /// A wrong argument.
    #[error("{name}: argument {position} ({formal}) must be {expected}, not {found}")]
    Argument {
        /// The transformation.
        name: String,
        /// The argument's position, from 0.
        position: usize,
        /// The argument's name.
        formal: String,
        /// What could have stood there.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The result is no tree.
    #[error(transparent)]
    Tree(#[from] Error),
}

impl Refusal {
    /// The node at the cursor is not of the shape that the transformation needs.
    pub fn place(name: &str, needs: impl Into<String>, at: &Cursor) -> Refusal {
        let node = at.node();
        let article =
            if node.kind() == crate::NodeKind::Extension || node.kind() == crate::NodeKind::Expansion { "an" } else { "a" };
        let mut found = format!("{article} {}", node.kind());
        match (&**node, node.children()) {
            (crate::Node::Band { band, .. }, [child]) => {
                if band.len() != 1 {
                    found += &format!(" of {} members", band.len());
                }
                found += &format!(" over a {}", child.kind());
            }
            (_, []) => {}
            (_, children) if node.has_filters() => found += &format!(" of {} children", children.len()),
            (_, children) => found += &format!(" over a {}", children[0].kind()),
        }
        Refusal::Place { name: name.into(), needs: needs.into(), at: at.path().to_string(), found }
    }
}

/// A function from a tree, a place and arguments to a tree.
pub trait Transformation: Send + Sync {
    /// The name that moves use.
    fn name(&self) -> &str;

    /// What it does, in one sentence.
    fn summary(&self) -> &str;

    /// Its formal arguments.
    fn schema(&self) -> Schema;

    /// The argument lists that it takes at a place.
    ///
    /// # Errors
    /// Says what it needs where it is not available.
    fn arguments(&self, at: &Cursor) -> Result<Arguments, Refusal>;

    /// The rewrite itself; [`apply`](Transformation::apply) has checked the place and the arguments.
    ///
    /// # Errors
    /// Says why the tree cannot be rewritten.
    fn rewrite(&self, at: &Cursor, args: &[Arg]) -> Result<ScheduleTree, Refusal>;

    /// Whether it is available at a place: it takes at least one argument list there.
    ///
    /// # Errors
    /// Says what it needs where it is not available.
    fn available(&self, at: &Cursor) -> Result<(), Refusal> {
        match self.arguments(at)? {
            arguments if arguments.products().is_empty() => {
                Err(Refusal::place(self.name(), "a place with possible arguments", at))
            }
            _ => Ok(()),
        }
    }

    /// The rewritten tree.
    ///
    /// # Errors
    /// Says which argument is wrong and what could have stood there, or why the transformation is not available at the place.
    fn apply(&self, at: &Cursor, args: &[Arg]) -> Result<ScheduleTree, Refusal> {
        if !self.schema().accepts(args.len()) {
            return Err(Refusal::Count { name: self.name().into(), expected: self.schema().to_string(), found: args.len() });
        }
        let arguments = self.arguments(at)?;
        if arguments.products().is_empty() {
            return Err(Refusal::place(self.name(), "a place with possible arguments", at));
        }
        if let Some((position, expected)) = arguments.first_wrong(args) {
            let formal = self.schema().formal(position).map_or("too many", |f: Formal| f.name);
            let found = args.get(position).map_or("nothing".into(), Arg::to_string);
            return Err(Refusal::Argument { name: self.name().into(), position, formal: formal.into(), expected, found });
        }
        self.rewrite(at, args)
    }
}

/// Why a step failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StepFailure {
    /// The place does not exist.
    #[error("{field}: {source}")]
    Target {
        /// `path` or `node`.
        field: &'static str,
        /// What is wrong with it.
        source: Error,
    },
    /// No transformation has the name.
    #[error("move[0]: there is no transformation {name}{}; at {target} there are: {}", suggest(.suggestion), list(.available))]
    Unknown {
        /// The name.
        name: String,
        /// The place.
        target: String,
        /// A name that looks like it.
        suggestion: Option<String>,
        /// What is available at the place.
        available: Vec<String>,
    },
    /// The transformation does not apply.
    #[error("{field}: {refusal}; available at {target}: {}", list(.available))]
    Refused {
        /// Which part of the step is wrong: `move[0]`, `move[2]`.
        field: String,
        /// The place.
        target: String,
        /// Why.
        refusal: Box<Refusal>,
        /// What is available at the place.
        available: Vec<String>,
    },
}

fn suggest(suggestion: &Option<String>) -> String {
    suggestion.as_ref().map_or(String::new(), |s| format!(", did you mean {s}?"))
}

fn list(names: &[String]) -> String {
    if names.is_empty() { "nothing".into() } else { names.join(", ") }
}

/// Transformations by name.
#[derive(Clone, Default)]
pub struct Registry {
    by_name: BTreeMap<String, Arc<dyn Transformation>>,
}

impl Registry {
    /// A registry without transformations.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// The transformations of this crate: see [`transform`].
    pub fn standard() -> Registry {
        let mut registry = Registry::new();
        for transformation in transform::standard() {
            registry.by_name.insert(transformation.name().into(), transformation);
        }
        registry
    }

    /// Adds a transformation; one of the same name is replaced and returned.
    pub fn register(&mut self, transformation: impl Transformation + 'static) -> Option<Arc<dyn Transformation>> {
        self.by_name.insert(transformation.name().into(), Arc::new(transformation))
    }

    /// The transformation of a name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Transformation>> {
        self.by_name.get(name)
    }

    /// All transformations, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Transformation>> {
        self.by_name.values()
    }

    /// The transformations that are available at a place, by name.
    pub fn available<'a>(&'a self, at: &'a Cursor) -> impl Iterator<Item = &'a Arc<dyn Transformation>> {
        self.iter().filter(move |t| t.available(at).is_ok())
    }

    /// The tree after a move at a place.
    ///
    /// # Errors
    /// Says which part of the move is wrong, what was expected, and what is available at the place.
    pub fn apply(&self, at: &Cursor, action: &Move) -> Result<ScheduleTree, StepFailure> {
        let available = || self.available(at).map(|t| t.name().to_string()).collect();
        let target = at.path().to_string();
        let Some(transformation) = self.get(&action.name) else {
            let suggestion = self.suggestion(&action.name);
            return Err(StepFailure::Unknown { name: action.name.clone(), target, suggestion, available: available() });
        };
        transformation.apply(at, &action.args).map_err(|refusal| {
            let field = match &refusal {
                Refusal::Argument { position, .. } => format!("move[{}]", position + 1),
                Refusal::Count { .. } => "move".into(),
                _ => "move[0]".into(),
            };
            StepFailure::Refused { field, target, refusal: Box::new(refusal), available: available() }
        })
    }

    /// The tree after a step. The step's `scop` has chosen the tree and is not looked at.
    ///
    /// # Errors
    /// Says which field of the step is wrong, what was expected, and what is available at the place.
    pub fn step(&self, tree: &ScheduleTree, step: &Step) -> Result<ScheduleTree, StepFailure> {
        let field = match step.target {
            crate::Target::Path(_) => "path",
            crate::Target::Node(_) => "node",
        };
        let at = step.target.path(tree).and_then(|path| tree.at(&path));
        self.apply(&at.map_err(|source| StepFailure::Target { field, source })?, &step.action)
    }

    // The name nearest to a misspelt one, if it is near at all.
    fn suggestion(&self, name: &str) -> Option<String> {
        let upper = name.to_uppercase();
        let nearest = self.by_name.keys().map(|known| (distance(&upper, known), known)).min()?;
        (nearest.0 <= 1 + name.len() / 4).then(|| nearest.1.clone())
    }
}

impl std::fmt::Debug for Registry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.by_name.keys()).finish()
    }
}

// The edit distance of two words (Levenshtein), of at most 40 characters of each.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(40).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(40).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let best = (diagonal + usize::from(x != *y)).min(row[j] + 1).min(row[j + 1] + 1);
            diagonal = std::mem::replace(&mut row[j + 1], best);
        }
    }
    row[b.len()]
}
