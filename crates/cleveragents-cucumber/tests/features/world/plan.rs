//! The journaled plan of a scenario: its file, its project, and what was done with it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use cleveragents_application::{
    Applied, ExecuteOutcome, PlanError, PlanExecutor, PlanFile, RolledBack, StrategizeResult, Worker,
};
use cleveragents_domain::{Body, Gate, PlanId, PlanSpec, PlanView, SpecChangeSet};
use cleveragents_runtime::{Approver, CallReport, Workspace};
use cleveragents_workspace::{CopyWorkspace, DirectoryTarget};

use super::World;
use crate::tree::{Node, tree_of};

/// What the steps know of the plan.
#[derive(Default)]
pub(crate) struct Planned {
    pub(crate) file: Option<PlanFile>,
    /// What it is created from: the file's spec, perhaps with another policy.
    pub(crate) spec: Option<PlanSpec>,
    pub(crate) id: Option<PlanId>,
    /// The gates whose `ask` the person at the keyboard has answered by asking for the phase.
    pub(crate) consent: BTreeSet<Gate>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
    pub(crate) strategized: Option<StrategizeResult>,
    /// The report of a call that was made without a plan.
    pub(crate) report: Option<CallReport>,
    pub(crate) applied: Option<Applied>,
    pub(crate) rolled_back: Option<RolledBack>,

    pub(crate) project: Option<PathBuf>,
    pub(crate) workspace: Option<Arc<dyn Workspace>>,
    /// The project as it was when the scenario began.
    pub(crate) pristine: BTreeMap<String, Node>,
    /// The project as it was when a step said so.
    pub(crate) remembered: BTreeMap<String, Node>,
    /// A file that something spoils after each write of the target.
    pub(crate) spoilt: Option<PathBuf>,
}

impl World {
    pub(crate) fn project(&self) -> &PathBuf {
        self.planned.project.as_ref().expect("there is a project")
    }

    pub(crate) fn project_tree(&self) -> BTreeMap<String, Node> {
        tree_of(self.project())
    }

    pub(crate) fn spec(&mut self) -> &mut PlanSpec {
        let file = self.planned.file.as_ref();
        self.planned
            .spec
            .get_or_insert_with(|| file.expect("a plan file was given").spec().expect("a whole plan"))
    }

    pub(crate) fn id(&self) -> PlanId {
        self.planned.id.expect("a plan was created")
    }

    /// An executor as a command would make it: a context of the lifecycle's own, the scenario's tools and project.
    pub(crate) fn plan_executor(&mut self, worker: Option<impl Worker + 'static>) -> PlanExecutor {
        let (lifecycle, runner) = (self.lifecycle(), self.runner());
        let stub = self.planned.file.as_ref().is_some_and(PlanFile::is_stub);
        let mut builder = PlanExecutor::builder()
            .lifecycle_service(lifecycle.clone())
            .tool_runner(runner)
            .stream_callback(self.collector.callback());
        if let Some(file) = self.planned.file.as_ref().filter(|file| file.has_decisions()) {
            builder = builder.strategist(file.strategist());
        }
        for gate in &self.planned.consent {
            builder = builder.consent(*gate);
        }
        if let Some(approver) = &self.planned.approver {
            builder = builder.approver(approver.clone());
        }
        if !stub {
            let mut context = lifecycle.context(&self.id());
            if let Some(project) = self.planned.project.clone() {
                let sandbox = self.home.path().join("sandbox");
                let open = || {
                    Arc::new(CopyWorkspace::open(&project, &sandbox).expect("a sandbox"))
                        as Arc<dyn Workspace>
                };
                context =
                    context.bind_shared("project", self.planned.workspace.get_or_insert_with(open).clone());
            }
            builder = builder.execution_context(context.build().expect("a context"));
            if let Some(worker) = worker {
                builder = builder.tool_calling_runtime(worker);
            }
        }
        builder.build().expect("a PlanExecutor")
    }

    pub(crate) async fn strategize(&mut self) -> Result<StrategizeResult, PlanError> {
        let id = self.id();
        self.plan_executor(None::<crate::double::Idle>).run_strategize(id.as_str()).await
    }

    pub(crate) async fn execute(&mut self) -> Result<ExecuteOutcome, PlanError> {
        let id = self.id();
        self.plan_executor(None::<crate::double::Idle>).run_execute(id.as_str()).await
    }

    pub(crate) fn target(&self) -> DirectoryTarget {
        DirectoryTarget::open(self.project(), &self.home.path().join("project.lock")).expect("a target")
    }

    /// Where the plan stands, folded anew from the records: what another process would see.
    pub(crate) async fn view(&mut self) -> PlanView {
        let records = self.lifecycle().records(&self.id(), 1).await.expect("the plan's records");
        PlanView::of(self.id(), &records).expect("a sound log")
    }

    pub(crate) async fn changeset(&mut self) -> SpecChangeSet {
        self.view().await.changeset().cloned().expect("the plan has a changeset")
    }

    pub(crate) async fn bodies(&mut self) -> Vec<Body> {
        let records = self.lifecycle().records(&self.id(), 1).await.expect("the plan's records");
        records.into_iter().map(|record| record.body).collect()
    }
}
