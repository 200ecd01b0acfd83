//! The AST interpreter: runs generated loops and reports every statement instance in order, as an oracle for tests.
//!
//! It computes with mathematical integers (checked 128 bits), so a result that differs from C's shows a typing fault.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::ast::{Ast, Node};
use crate::error::Error;

/// Runs the AST with the given parameter values; `run` is called for every instance in execution order.
///
/// # Errors
/// [`Error::Steps`] after `steps` loop iterations and instances, [`Error::NoValue`] for an unknown name,
/// [`Error::Interpreter`] where a value leaves 128 bits.
pub fn interpret<'a>(
    ast: &Ast,
    params: impl IntoIterator<Item = (&'a str, i128)>,
    steps: u64,
    mut run: impl FnMut(&str, &[i128]),
) -> Result<(), Error> {
    let env = params.into_iter().map(|(name, value)| (Arc::from(name), value)).collect();
    let mut machine = Machine { env, left: steps, steps };
    machine.node(&ast.root, &mut run)
}

struct Machine {
    env: BTreeMap<Arc<str>, i128>,
    left: u64,
    steps: u64,
}

impl Machine {
    fn step(&mut self) -> Result<(), Error> {
        self.left = self.left.checked_sub(1).ok_or(Error::Steps(self.steps))?;
        Ok(())
    }

    fn node(&mut self, node: &Node, run: &mut impl FnMut(&str, &[i128])) -> Result<(), Error> {
        match node {
            Node::Block(nodes) => {
                for node in nodes {
                    self.node(node, run)?;
                }
            }
            Node::For(l) => {
                let outer = self.env.get(&l.counter).copied();
                let mut value = l.first.eval(&self.env)?;
                loop {
                    self.step()?;
                    self.env.insert(l.counter.clone(), value);
                    if value > l.last.eval(&self.env)? {
                        break;
                    }
                    self.node(&l.body, run)?;
                    value =
                        value.checked_add(l.step).ok_or_else(|| Error::Interpreter(format!("{} leaves 128 bits", l.counter)))?;
                }
                match outer {
                    Some(value) => self.env.insert(l.counter.clone(), value),
                    None => self.env.remove(&l.counter),
                };
            }
            Node::If(l) => {
                if l.condition.eval(&self.env)? != 0 {
                    self.node(&l.then, run)?;
                }
            }
            Node::User(user) => {
                self.step()?;
                let indices = user.indices.iter().map(|e| e.eval(&self.env)).collect::<Result<Vec<_>, _>>()?;
                run(&user.statement, &indices);
            }
        }
        Ok(())
    }
}
