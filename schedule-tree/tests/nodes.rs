//! The rarer nodes: guard, extension, expansion; paths and numbers; sharing; registering one's own transformation.

use loopwright_schedule_tree::*;
use std::sync::Arc;

const RARE: &str = r#"
domain: "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }"
child:
  context: "[n] -> { : n > 0 }"
  child:
    schedule: "[{ S[i] -> [(i)]; T[i] -> [(i)] }]"
    child:
      extension: "[n] -> { [i] -> P[i, k] : 0 <= k < n }"
      child:
        sequence:
        - filter: "{ P[i, k] }"
          child:
            guard: "[n] -> { [i] : i < 5 }"
        - filter: "{ S[i] }"
          child:
            contraction: "{ R[i, j] -> S[i] }"
            expansion: "{ S[i] -> R[i, j] : 0 <= j < 3 }"
            child:
              mark: "kernel"
              child:
                schedule: "[{ R[i, j] -> [(j)] }]"
        - filter: "{ T[i] }"
"#;

fn rare() -> ScheduleTree {
    RARE.parse().unwrap()
}

#[track_caller]
fn reaching(path: &[usize], expect: &str) {
    let domain = rare().reaching_domain(&path.into()).unwrap();
    let expect: loopwright_presburger::UnionSet = expect.parse().unwrap();
    assert!(domain.is_equal(&expect), "{path:?}: {domain} is not {expect}");
}

#[test]
fn extension_and_expansion_change_what_reaches_a_node() {
    rare().verify().unwrap();
    reaching(&[], "{ }");
    reaching(&[0, 0], "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n }");
    reaching(&[0, 0, 0, 0], "[n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n; P[i, k] : 0 <= i < n and 0 <= k < n }");
    reaching(&[0, 0, 0, 0, 1, 0], "[n] -> { S[i] : 0 <= i < n }");
    reaching(&[0, 0, 0, 0, 1, 0, 0, 0], "[n] -> { R[i, j] : 0 <= i < n and 0 <= j < 3 }");
}

#[test]
fn all_kinds_are_read_and_written() {
    let tree = rare();
    assert_eq!(tree.to_string().parse(), Ok(tree.clone()));
    assert_eq!(tree.to_flow().parse(), Ok(tree.clone()));
    let error = tree.occurrences().unwrap_err().to_string();
    assert_eq!(error, "the extension at [0, 0, 0] gives instances a time that is not a function of the instance");
}

#[test]
fn statements_are_those_below_in_the_order_of_the_leaves() {
    let names = |path: &[usize]| -> Vec<String> {
        let at = rare().at(&path.into()).unwrap();
        at.statements().iter().map(|t| t.name().unwrap().to_string()).collect()
    };
    assert_eq!(names(&[0, 0]), ["P", "R", "T"]);
    assert_eq!(names(&[0, 0, 0, 0, 1]), ["R"]);
    assert_eq!(rare().band("T").unwrap().path(), &Path::from([0, 0]));
    assert_eq!(rare().band("R").unwrap().path(), &Path::from([0, 0]));
    assert_eq!(rare().band("X"), None);
}

#[test]
fn paths_and_numbers_agree() {
    let tree = rare();
    for (number, (path, node)) in tree.nodes().enumerate() {
        assert_eq!(tree.path(number).as_ref(), Ok(&path));
        assert_eq!(tree.number(&path), Ok(number));
        let at = tree.at(&path).unwrap();
        assert!(Arc::ptr_eq(at.node(), node));
        assert_eq!(at.ancestors().count(), path.depth());
        assert_eq!(at.parent().map(|p| p.path().clone()), path.parent());
    }
    assert!(tree.path(tree.nodes().count()).is_err());
}

#[test]
fn a_rewrite_shares_what_it_does_not_touch() {
    let tree = rare();
    let path = Path::from([0, 0, 0, 0, 1]);
    let changed = tree.with_node(&path, Node::mark(Mark::new("x"), tree.node(&path).unwrap().clone())).unwrap();
    for untouched in [[0, 0, 0, 0, 0], [0, 0, 0, 0, 2]] {
        assert!(Arc::ptr_eq(tree.node(&untouched.into()).unwrap(), changed.node(&untouched.into()).unwrap()));
    }
    assert!(tree.with_node(&Path::root(), Node::Leaf).is_err());
    assert!(tree.with_node(&Path::from([0, 7]), Node::Leaf).is_err());
}

struct Unmark;

impl Transformation for Unmark {
    fn name(&self) -> &str {
        "UNMARK"
    }
    fn summary(&self) -> &str {
        "removes a mark"
    }
    fn schema(&self) -> Schema {
        Schema::Fixed(&[])
    }
    fn arguments(&self, at: &Cursor) -> Result<Arguments, Refusal> {
        match **at.node() {
            Node::Mark { .. } => Ok(Arguments::product(vec![])),
            _ => Err(Refusal::place(self.name(), "a mark", at)),
        }
    }
    fn rewrite(&self, at: &Cursor, _: &[Arg]) -> Result<ScheduleTree, Refusal> {
        Ok(at.replaced(at.node().children()[0].clone())?)
    }
}

#[test]
fn a_registry_takes_more_transformations() {
    let mut registry = Registry::standard();
    assert_eq!(registry.iter().count(), 18);
    assert!(registry.register(Unmark).is_none());
    let tree = rare();
    let marked = tree.at(&Path::from([0, 0])).unwrap().parallel(3).unwrap();
    let at = marked.at(&Path::from([0, 0])).unwrap();
    assert_eq!(registry.available(&at).map(|t| t.name().to_string()).collect::<Vec<_>>(), ["UNMARK"]);
    assert_eq!(registry.apply(&at, &Move::new("UNMARK", [])), Ok(tree.clone()));
    let refused = registry.apply(&tree.at(&Path::from([0])).unwrap(), &Move::new("unmark", [])).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "move[0]: there is no transformation unmark, did you mean UNMARK?; at [0] there are: nothing"
    );
}
