//! What must hold for every input, as functions of bytes: the targets of fuzzing, and of the plain test that replays corpora.
//!
//! A target reads its input as text, or decodes a structured value from it ([`Bytes`]), computes the same thing in two ways, and
//! panics where they differ. Input that means nothing is passed over. Work is limited by budgets, never by a clock.

mod algebra;
mod bytes;
mod c;
mod formula;
mod moves;
mod order;
mod program;
mod text;

pub use bytes::Bytes;

/// A target: its name, which is that of its folders under `fuzz/`, and what must not panic.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: [Target; 6] = [
    ("values", text::values),
    ("trees", text::trees),
    ("c", c::c),
    ("algebra", algebra::algebra),
    ("order", order::order),
    ("moves", moves::moves),
];

/// Runs a target by name.
///
/// # Panics
/// If something that must hold does not, or if there is no such target.
pub fn run(name: &str, data: &[u8]) {
    let target = TARGETS.iter().find(|(n, _)| *n == name);
    let (_, check) = target.unwrap_or_else(|| panic!("no target is called {name}"));
    check(data);
}
