//! `loopwright flow`: access information in, flow out.

use crate::args::{FlowArgs, failure};
use crate::{Failure, Status, output};
use loopwright::deps::AccessInfo;

pub fn run(args: &FlowArgs) -> Result<Status, Failure> {
    let text = output::read_text(&args.file)?;
    let info: AccessInfo = text.parse().map_err(|e| Failure::input(format!("{}: {e}", args.file.display())))?;
    let flow = info.flow_within(&args.limits.budget()).map_err(|e| failure(&e.into(), &text))?;
    output::print(&flow.to_string())?;
    Ok(Status::Done)
}
