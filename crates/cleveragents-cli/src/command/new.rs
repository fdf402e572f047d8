//! `agents plan new`: create a plan and run nothing yet.

use std::path::PathBuf;

use super::run::{checked_plan, create};
use crate::args::NewArgs;
use crate::fault::Fault;
use crate::project::{Project, runner};
use crate::render;
use crate::report::Report;

pub(crate) async fn new(place: Option<PathBuf>, args: &NewArgs) -> Result<Report, Fault> {
    let file = checked_plan(&args.file, &args.allow, args.stub, &*runner()?)?;
    let project = Project::open(place.as_deref())?;
    let (id, _) = create(&project, file).await?;
    let view = project.lifecycle.view(&id).await?;
    let flag = &project.flag;
    let next = format!("\nNext: agents plan strategize {id}{flag}\n  or: agents plan execute {id}{flag}\n");
    Ok(Report::new(format!("{}{next}", render::heading(&view)), render::plan_data(&view)))
}
