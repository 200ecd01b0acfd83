//! `loopwright show`: schedule trees for people, each band beside its original loop; or as a graph.

use crate::args::ShowArgs;
use crate::{Failure, Status};

pub fn run(args: &ShowArgs) -> Result<Status, Failure> {
    let _ = args.dot;
    Err(Failure::input("show is not there yet"))
}
