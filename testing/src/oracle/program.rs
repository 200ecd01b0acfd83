//! Small programs from bytes: statements with domains and accesses, and trees over them as text.

use super::Bytes;
use super::formula::Term;

/// A statement: a box of instances with further conditions, the elements it writes and reads.
#[derive(Debug, Clone)]
pub struct Statement {
    pub name: String,
    bounds: Vec<(i64, i64)>,
    conditions: Vec<Term>,
    pub write: Access,
    pub reads: Vec<Access>,
}

/// An element of an array for each instance.
#[derive(Debug, Clone)]
pub struct Access {
    pub array: &'static str,
    indices: Vec<Term>,
}

/// The name of the parameter, the first variable of all terms.
pub const PARAM: &str = "n";
/// Its values in the context.
pub const SIZES: std::ops::RangeInclusive<i64> = -1..=3;

impl Statement {
    /// One to `most` statements.
    pub fn decode_all(bytes: &mut Bytes, most: usize) -> Vec<Statement> {
        let count = 1 + bytes.below(most);
        (0..count).map(|k| Statement::decode(bytes, k)).collect()
    }

    fn decode(bytes: &mut Bytes, number: usize) -> Statement {
        let dims = bytes.pick(&[2, 1, 2, 0, 1, 2, 3]);
        let bound = |bytes: &mut Bytes| {
            let low = bytes.between(-1, 1);
            (low, low + bytes.between(0, 3))
        };
        let bounds = (0..dims).map(|_| bound(bytes)).collect();
        let conditions = (0..bytes.below(3)).map(|_| Term::decode(bytes, 1 + dims)).collect();
        let write = Access::decode(bytes, dims);
        let reads = (0..bytes.below(3)).map(|_| Access::decode(bytes, dims)).collect();
        Statement { name: format!("S{number}"), bounds, conditions, write, reads }
    }

    /// How many iterators it has.
    pub fn dims(&self) -> usize {
        self.bounds.len()
    }

    /// The parameter and the iterators, as terms name them.
    pub fn names(&self) -> Vec<String> {
        std::iter::once(PARAM.to_string()).chain((0..self.dims()).map(|d| format!("x{d}"))).collect()
    }

    /// `S0[x0, x1]`
    pub fn tuple(&self) -> String {
        format!("{}[{}]", self.name, self.names()[1..].join(", "))
    }

    /// `S0[x0, x1] : conditions`
    pub fn domain(&self) -> String {
        let boxes = self.bounds.iter().enumerate().map(|(d, (low, high))| format!("{low} <= x{d} <= {high}"));
        let conditions = self.conditions.iter().map(|t| format!("{} >= 0", t.text(&self.names())));
        let all: Vec<String> = boxes.chain(conditions).collect();
        if all.is_empty() { self.tuple() } else { format!("{} : {}", self.tuple(), all.join(" and ")) }
    }

    /// All instances, without the parameter in front.
    pub fn instances(&self, n: i64) -> Vec<Vec<i64>> {
        let all = self.bounds.iter().fold(vec![vec![n]], |all, (low, high)| {
            all.iter().flat_map(|x| (*low..=*high).map(move |v| [&x[..], &[v]].concat())).collect()
        });
        let inside = |x: &Vec<i64>| self.conditions.iter().all(|t| t.value(x) >= 0);
        all.into_iter().filter(inside).map(|x| x[1..].to_vec()).collect()
    }

    /// `S0[x0] -> A[..]`
    pub fn access(&self, access: &Access) -> String {
        let indices: Vec<String> = access.indices.iter().map(|t| t.text(&self.names())).collect();
        format!("{} -> {}[{}]", self.tuple(), access.array, indices.join(", "))
    }
}

impl Access {
    fn decode(bytes: &mut Bytes, dims: usize) -> Access {
        let (array, rank) = bytes.pick(&[("A", 1), ("B", 2), ("A", 1), ("c", 0)]);
        Access { array, indices: (0..rank).map(|_| Term::decode(bytes, 1 + dims)).collect() }
    }

    /// The element that an instance touches: `at` is the parameter and the iterators.
    pub fn element(&self, at: &[i64]) -> (&'static str, Vec<i64>) {
        (self.array, self.indices.iter().map(|t| t.value(at)).collect())
    }
}

/// A union in isl notation.
pub fn union(members: impl IntoIterator<Item = String>) -> String {
    let members: Vec<String> = members.into_iter().collect();
    format!("[{PARAM}] -> {{ {} }}", members.join("; "))
}

/// The text of a tree with this subtree, its lines indented by two, below the domain and the context.
pub fn tree(statements: &[Statement], below: &str) -> String {
    let (least, most) = SIZES.into_inner();
    let domain = union(statements.iter().map(Statement::domain));
    let child = if below.is_empty() { String::new() } else { format!("  child:\n{}", indented(&indented(below))) };
    format!("domain: \"{domain}\"\nchild:\n  context: \"[{PARAM}] -> {{ [] : {least} <= {PARAM} <= {most} }}\"\n{child}")
}

/// A band with one member: the function of each statement. `options` are those of isl, or nothing.
pub fn band(functions: impl IntoIterator<Item = String>, options: &str, below: &str) -> String {
    let options = if options.is_empty() { String::new() } else { format!("options: \"{{ {options}[0] }}\"\n") };
    let functions: Vec<String> = functions.into_iter().collect();
    format!("schedule: \"[{PARAM}] -> [{{ {} }}]\"\n{options}{}", functions.join("; "), child(below))
}

/// A sequence: the statements of each child, and what is below it.
pub fn sequence<'a>(children: impl IntoIterator<Item = (Vec<&'a Statement>, String)>) -> String {
    let mut text = "sequence:\n".to_string();
    for (over, below) in children {
        let filter = union(over.iter().map(|s| s.tuple()));
        text += &format!("- filter: \"{filter}\"\n{}", indented(&child(&below)));
    }
    text
}

fn child(below: &str) -> String {
    if below.is_empty() { String::new() } else { format!("child:\n{}", indented(below)) }
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}
