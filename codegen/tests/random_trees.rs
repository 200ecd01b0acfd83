//! Random schedule trees of bands and sequences: instances once each, in the order that the tree says.

mod common;

use common::{Domain, Form, check_runs, config, domain, form};
use loopwright_codegen::{Options, Unrolling, generate};
use loopwright_schedule_tree::ScheduleTree;
use proptest::prelude::*;

/// A subtree over some statements.
#[derive(Debug)]
enum Tree<'a> {
    Leaf,
    /// For each member one function per statement, in the order of `over`.
    Band {
        over: Vec<usize>,
        members: Vec<Vec<&'a Form>>,
        options: String,
        child: Box<Tree<'a>>,
    },
    Sequence(Vec<(Vec<usize>, Tree<'a>)>),
}

/// Builds a tree from a list of choices.
struct Builder<'a> {
    choices: &'a [u8],
    forms: &'a [Form],
    used: usize,
}

impl<'a> Builder<'a> {
    fn choose(&mut self, n: usize) -> usize {
        self.used += 1;
        usize::from(self.choices[self.used % self.choices.len()]) % n
    }

    /// The options of a band with so many members below so many outer ones.
    fn options(&mut self, outer: usize, members: usize) -> String {
        let style = ["", "", "", "separate[0]; ", "atomic[0]; ", "unroll[0]; "][self.choose(6)];
        if self.choose(2) == 0 {
            return style.trim_end_matches("; ").into();
        }
        let names = |letter: char, count: usize| (0..count).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ");
        let conditions: Vec<String> = (0..1 + self.choose(3))
            .map(|_| {
                let k = self.choose(outer + members);
                let x = if k < outer { format!("o{k}") } else { format!("t{}", k - outer) };
                let c = self.choose(7) as i64 - 3;
                let y = format!("t{}", self.choose(members));
                match self.choose(5) {
                    0 => format!("{x} >= {c}"),
                    1 => format!("{x} <= n + {c}"),
                    2 => format!("{x} mod 2 = 0"),
                    3 => format!("{x} <= {y} + {c}"),
                    _ => format!("({c} <= {y} or {x} + {y} <= n)"),
                }
            })
            .collect();
        let inside = ["", "; [isolate[] -> separate[0]]", "; [isolate[] -> unroll[x]]"][self.choose(3)];
        let conditions = conditions.join(" and ");
        format!("{style}isolate[[{}] -> [{}]] : {conditions}{inside}", names('o', outer), names('t', members))
    }

    fn tree(&mut self, over: &[usize], depth: usize, outer: usize) -> Tree<'a> {
        let kinds = if depth == 0 { 1 } else { 5 };
        match self.choose(kinds) {
            1 if over.len() > 1 => {
                let cut = 1 + self.choose(over.len() - 1);
                let (mut first, mut second) = over.split_at(cut);
                if self.choose(2) == 1 {
                    (first, second) = (second, first);
                }
                let children = [first, second].map(|part| (part.to_vec(), self.tree(part, depth - 1, outer)));
                Tree::Sequence(children.into())
            }
            0 => Tree::Leaf,
            _ => {
                let count = 1 + self.choose(2);
                let members = (0..count).map(|_| over.iter().map(|_| &self.forms[self.choose(self.forms.len())]).collect());
                let members = members.collect();
                let options = self.options(outer, count);
                Tree::Band { over: over.to_vec(), members, options, child: Box::new(self.tree(over, depth - 1, outer + count)) }
            }
        }
    }
}

impl Tree<'_> {
    fn text(&self, domains: &[Domain], indent: usize) -> String {
        let pad = " ".repeat(indent);
        match self {
            Tree::Leaf => String::new(),
            Tree::Band { over, members, options, child } => {
                let member = |functions: &Vec<&Form>| {
                    let statements = over.iter().zip(functions);
                    let parts =
                        statements.map(|(&k, f)| format!("S{k}[{}] -> [({})]", domains[k].vars(), f.text(domains[k].dims)));
                    format!("{{ {} }}", parts.collect::<Vec<_>>().join("; "))
                };
                let options =
                    if options.is_empty() { String::new() } else { format!("{pad}options: \"[n] -> {{ {options} }}\"\n") };
                let members: Vec<String> = members.iter().map(member).collect();
                let schedule = format!("{pad}schedule: \"[n] -> [{}]\"\n", members.join(", "));
                format!("{schedule}{options}{}", below(child, domains, indent))
            }
            Tree::Sequence(children) => {
                let mut text = format!("{pad}sequence:\n");
                for (over, child) in children {
                    let parts: Vec<String> = over.iter().map(|&k| format!("S{k}[{}]", domains[k].vars())).collect();
                    text += &format!("{pad}- filter: \"{{ {} }}\"\n{}", parts.join("; "), below(child, domains, indent + 2));
                }
                text
            }
        }
    }

    fn time(&self, k: usize, x: &[i128], n: i128, time: &mut Vec<i128>) {
        match self {
            Tree::Leaf => {}
            Tree::Band { over, members, child, .. } => {
                for functions in members {
                    let function = over.iter().zip(functions).find(|(j, _)| **j == k);
                    time.extend(function.map(|(_, f)| f.value(x, n)));
                }
                child.time(k, x, n, time);
            }
            Tree::Sequence(children) => {
                for (position, (_, child)) in children.iter().enumerate().filter(|(_, (over, _))| over.contains(&k)) {
                    time.push(position as i128);
                    child.time(k, x, n, time);
                }
            }
        }
    }
}

fn below(child: &Tree, domains: &[Domain], indent: usize) -> String {
    match child {
        Tree::Leaf => String::new(),
        child => format!("{}child:\n{}", " ".repeat(indent), child.text(domains, indent + 2)),
    }
}

fn check(domains: &[Domain], forms: &[Form], choices: &[u8]) {
    let over: Vec<usize> = (0..domains.len()).collect();
    let tree = Builder { choices, forms, used: 0 }.tree(&over, 4, 0);
    let sets: Vec<String> = domains.iter().enumerate().map(|(k, d)| format!("S{k}[{}] : {}", d.vars(), d.conditions())).collect();
    let context = "child:\n  context: \"[n] -> { [] : -9 <= n <= 9 }\"\n";
    let text = format!("domain: \"[n] -> {{ {} }}\"\n{context}{}", sets.join("; "), below(&tree, domains, 2));
    let parsed: ScheduleTree = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let options = Options { unroll: Unrolling::Preferred, ..Options::default() };
    let ast = generate(&parsed, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let all: Vec<&Domain> = domains.iter().collect();
    check_runs(&ast, &text, &all, |k, x, n| {
        let mut time = Vec::new();
        tree.time(k, x, n, &mut time);
        time
    });
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn bands_and_sequences(
        domains in prop::collection::vec(domain(), 1..4),
        forms in prop::collection::vec(form(), 1..6),
        choices in prop::collection::vec(any::<u8>(), 4..40),
    ) {
        check(&domains, &forms, &choices);
    }
}
