//! `loopwright deps`: dependences of C files, and what they allow for each loop.

use crate::args::{DepsArgs, DepsKind};
use crate::{Failure, Status, output};

pub fn run(args: &DepsArgs) -> Result<Status, Failure> {
    let program = args.reading.program(&args.reading.limits.budget())?;
    if args.kind == DepsKind::Value || args.json {
        return Err(Failure::input("this is being built"));
    }
    for scop in 0..program.scops().len() {
        let dependences = program.dependences(scop).map_err(Failure::input)?;
        for kind in loopwright::deps::Kind::ALL {
            output::print(&format!("{kind} {}\n", dependences.relation(kind)))?;
        }
    }
    Ok(Status::Done)
}
