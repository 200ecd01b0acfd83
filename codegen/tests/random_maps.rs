//! Random schedule maps: the interpreter's instances are those of the domains, in the order of their times.

mod common;

use common::{Domain, Form, check_runs, config, domain, form};
use loopwright_codegen::{Options, Unrolling, generate_from_map, read_triple};
use proptest::prelude::*;

#[derive(Debug, Clone)]
struct Statement {
    domain: Domain,
    time: Vec<Form>,
}

impl Statement {
    fn text(&self, name: usize) -> String {
        let time: Vec<String> = self.time.iter().map(|f| f.text(self.domain.dims)).collect();
        format!("S{name}[{}] -> [{}] : {}", self.domain.vars(), time.join(", "), self.domain.conditions())
    }
}

fn statement() -> impl Strategy<Value = Statement> {
    (domain(), prop::collection::vec(form(), 1..4)).prop_map(|(domain, time)| Statement { domain, time })
}

fn check(statements: &[Statement], style: &str) {
    let maps: Vec<String> = statements.iter().enumerate().map(|(k, s)| s.text(k)).collect();
    let length = statements.iter().map(|s| s.time.len()).max().unwrap_or(0);
    let dims: Vec<String> = (0..length).map(|k| format!("t{k}")).collect();
    let styles = if style.is_empty() { "{ }".into() } else { format!("{{ [{}] -> {style}[x] }}", dims.join(", ")) };
    let text = format!("[n] -> {{ {} }}\n[n] -> {{ : -9 <= n <= 9 }}\n{styles}", maps.join("; "));
    let (schedule, context, styles) = read_triple(&text).unwrap();
    let options = Options { unroll: Unrolling::Preferred, ..Options::default() };
    let ast = generate_from_map(&schedule, &context, &styles, &options).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let domains: Vec<&Domain> = statements.iter().map(|s| &s.domain).collect();
    check_runs(&ast, &text, &domains, |k, x, n| {
        // shorter times are filled up with zeros
        let mut time: Vec<i128> = statements[k].time.iter().map(|f| f.value(x, n)).collect();
        time.resize(length, 0);
        time
    });
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn one_statement(s in statement()) {
        check(&[s], "");
    }

    #[test]
    fn several_statements(s in prop::collection::vec(statement(), 2..4)) {
        check(&s, "");
    }

    #[test]
    fn other_styles(s in prop::collection::vec(statement(), 1..3), style in prop::sample::select(vec!["separate", "atomic", "unroll"])) {
        check(&s, style);
    }
}
