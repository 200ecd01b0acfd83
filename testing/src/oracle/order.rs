//! Generated code against the tree: the instances that the interpreter runs are those of the domain, once each, and no instance
//! runs before one that the tree puts earlier.

use super::Bytes;
use super::formula::Term;
use super::program::{PARAM, SIZES, Statement, band, sequence, tree};
use loopwright_codegen::{Error, Options, Unrolling, generate_within, interpret};
use loopwright_presburger::{Budget, Int};
use loopwright_schedule_tree::{Instance, Order, ScheduleTree};
use std::collections::BTreeMap;

const STEPS: u64 = 2_000_000;

/// A subtree over some statements, as text.
fn subtree(bytes: &mut Bytes, over: &[&Statement], depth: usize) -> String {
    if depth == 0 || bytes.is_spent() {
        return String::new();
    }
    match bytes.below(6) {
        0 => String::new(),
        1 | 2 if over.len() > 1 => {
            let (mut first, mut second) = over.split_at(1 + bytes.below(over.len() - 1));
            if bytes.below(2) == 1 {
                (first, second) = (second, first);
            }
            sequence([first, second].map(|part| (part.to_vec(), subtree(bytes, part, depth - 1))))
        }
        _ => {
            let functions: Vec<String> = over
                .iter()
                .map(|s| format!("{} -> [({})]", s.tuple(), Term::decode(bytes, 1 + s.dims()).text(&s.names())))
                .collect();
            let options = bytes.pick(&["", "", "", "separate", "atomic", "unroll"]);
            let below = subtree(bytes, over, depth - 1);
            band(functions, options, &below)
        }
    }
}

/// A random tree of bands and sequences.
pub fn order(data: &[u8]) {
    let mut bytes = Bytes::new(data);
    let statements = Statement::decode_all(&mut bytes, 3);
    let below = subtree(&mut bytes, &statements.iter().collect::<Vec<_>>(), 4);
    let text = tree(&statements, &below);
    let parsed: ScheduleTree = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options { unroll: Unrolling::Preferred, ..Options::default() };
    let ast = match generate_within(&parsed, &options, &Budget::steps(STEPS)) {
        Ok(ast) => ast,
        Err(Error::Budget(_)) => return,
        Err(error) => panic!("{error}\n{text}"),
    };
    for n in SIZES {
        let mut expected: BTreeMap<(String, Vec<i64>), usize> = BTreeMap::new();
        for statement in &statements {
            expected.extend(statement.instances(n).into_iter().map(|x| ((statement.name.clone(), x), 1)));
        }
        let mut run: Vec<(String, Vec<i64>)> = Vec::new();
        let push = |name: &str, x: &[i128]| {
            let x = x.iter().map(|v| i64::try_from(*v).expect("a small number")).collect();
            run.push((name.to_string(), x));
        };
        interpret(&ast, [(PARAM, i128::from(n))], 100_000, push).unwrap_or_else(|e| panic!("{e}\n{text}\n{ast}"));
        let mut got = BTreeMap::new();
        run.iter().for_each(|x| *got.entry(x.clone()).or_insert(0) += 1);
        assert_eq!(got, expected, "{PARAM} = {n}\n{text}\n{ast}");
        let instances: Vec<Instance> = run.iter().map(|(name, x)| Instance::new(name, x)).collect();
        let params = [(PARAM, Int::from(n))];
        for pair in instances.windows(2) {
            let order = parsed.order(&pair[0], &pair[1], &params).unwrap_or_else(|e| panic!("{e}\n{text}"));
            assert_ne!(order, Order::After, "{} runs before {} at {PARAM} = {n}\n{text}\n{ast}", pair[0], pair[1]);
        }
    }
}
