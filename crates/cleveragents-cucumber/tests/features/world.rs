//! What the steps of one scenario share.

mod plan;
mod problem;

use std::sync::Arc;

use cleveragents_application::{
    ContextSummary, ExecuteOutcome, PlanContextBuilder, PlanExecutionContext, PlanExecutor,
    PlanLifecycleService, RuntimeExecuteActor, RuntimeExecuteResult, Settings,
};
use cleveragents_domain::{
    Attribution, ChangeEntry, ChangeSetId, ChangeSetStore, Clock, CountingClock, DecisionId, DecisionKind,
    EntryId, InMemoryChangeSetStore, InMemoryJournal, NodeState, PlanId, PlannedCall, RelPath, RootId,
    SpecChangeSet, StrategyDecision, ToolCallId,
};
use cleveragents_runtime::{ToolRegistry, ToolRunner};
use tempfile::TempDir;

use crate::double::{CallCount, Collector};
use crate::steps::Place;
pub(crate) use plan::Planned;
pub(crate) use problem::Problem;

/// Everything of one scenario. Each has its own clock, stores and folder; nothing is shared between scenarios.
#[derive(cucumber::World)]
#[world(init = Self::new)]
pub(crate) struct World {
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) home: TempDir,
    /// What the last attempt ended with, when it failed.
    pub(crate) problem: Option<Problem>,

    pub(crate) plan_id: Option<PlanId>,
    pub(crate) decision_root_id: DecisionId,
    pub(crate) store: Option<Arc<dyn ChangeSetStore>>,
    pub(crate) context: Option<Arc<PlanExecutionContext>>,

    pub(crate) changeset_id: Option<ChangeSetId>,
    /// The entries that the steps recorded, in order.
    pub(crate) recorded: Vec<ChangeEntry>,
    /// What each `get_changeset` returned, the last one last.
    pub(crate) got: Vec<Option<SpecChangeSet>>,
    pub(crate) listed: Vec<SpecChangeSet>,
    pub(crate) summary: Option<ContextSummary>,

    pub(crate) tools: ToolRegistry,
    pub(crate) calls: CallCount,
    pub(crate) runner: Option<Arc<ToolRunner>>,
    pub(crate) actor: Option<RuntimeExecuteActor>,
    pub(crate) decisions: Vec<StrategyDecision>,
    pub(crate) collector: Collector,
    pub(crate) result: Option<RuntimeExecuteResult>,

    pub(crate) lifecycle: Option<PlanLifecycleService>,
    pub(crate) executor: Option<PlanExecutor>,
    pub(crate) outcome: Option<ExecuteOutcome>,

    /// A state of the transition table, without a plan.
    pub(crate) place: Option<Place>,
    /// The journaled plan of the scenario, and what is made of it.
    pub(crate) planned: Planned,
}

impl World {
    fn new() -> Self {
        let clock: Arc<dyn Clock> = Arc::new(CountingClock::default());
        Self {
            home: tempfile::tempdir().expect("a folder of one's own"),
            decision_root_id: DecisionId::new(clock.new_id()),
            clock,
            problem: None,
            plan_id: None,
            store: None,
            context: None,
            changeset_id: None,
            recorded: Vec::new(),
            got: Vec::new(),
            listed: Vec::new(),
            summary: None,
            tools: ToolRegistry::new(),
            calls: CallCount::default(),
            runner: None,
            actor: None,
            decisions: Vec::new(),
            collector: Collector::default(),
            result: None,
            lifecycle: None,
            executor: None,
            outcome: None,
            place: None,
            planned: Planned::default(),
        }
    }

    pub(crate) fn settings(&self) -> Settings {
        Settings::with_clock(self.clock.clone())
    }

    pub(crate) fn new_store(&self) -> Arc<dyn ChangeSetStore> {
        Arc::new(InMemoryChangeSetStore::new(self.clock.clone()))
    }

    pub(crate) fn plan_id(&mut self) -> PlanId {
        *self.plan_id.get_or_insert_with(|| PlanId::new(self.clock.new_id()))
    }

    /// A builder with the scenario's plan, decision root, store and clock.
    pub(crate) fn context_builder(&mut self) -> PlanContextBuilder {
        let builder = PlanExecutionContext::builder()
            .plan_id(self.plan_id().as_str())
            .decision_root_id(self.decision_root_id)
            .settings(self.settings());
        match &self.store {
            Some(store) => builder.changeset_store(store.clone()),
            None => builder,
        }
    }

    pub(crate) fn make_context(&mut self) {
        let context = self.context_builder().build().expect("a valid context");
        self.context = Some(Arc::new(context));
    }

    pub(crate) fn context(&self) -> &Arc<PlanExecutionContext> {
        self.context.as_ref().expect("a PlanExecutionContext was created")
    }

    pub(crate) fn runner(&mut self) -> Arc<ToolRunner> {
        let tools = std::mem::take(&mut self.tools);
        self.runner.get_or_insert_with(|| Arc::new(ToolRunner::new(tools))).clone()
    }

    pub(crate) fn actor(&self) -> &RuntimeExecuteActor {
        self.actor.as_ref().expect("a RuntimeExecuteActor was created")
    }

    pub(crate) fn result(&self) -> &RuntimeExecuteResult {
        match (&self.result, &self.problem) {
            (Some(result), _) => result,
            (None, problem) => panic!("there is no RuntimeExecuteResult: {problem:?}"),
        }
    }

    /// The lifecycle service: the real one, over the in-memory journal unless a step chose another store.
    pub(crate) fn lifecycle(&mut self) -> PlanLifecycleService {
        let settings = self.settings();
        let make = || PlanLifecycleService::new(Arc::new(InMemoryJournal::new()), settings);
        self.lifecycle.get_or_insert_with(make).clone()
    }

    pub(crate) fn executor(&self) -> &PlanExecutor {
        self.executor.as_ref().expect("a PlanExecutor was created")
    }

    /// Keeps what an attempt failed with; an attempt that succeeded leaves no problem.
    pub(crate) fn attempt<T, E: Into<Problem>>(&mut self, tried: Result<T, E>) -> Option<T> {
        match tried {
            Ok(value) => {
                self.problem = None;
                Some(value)
            }
            Err(error) => {
                self.problem = Some(error.into());
                None
            }
        }
    }

    pub(crate) fn problem(&self) -> &Problem {
        self.problem.as_ref().expect("the attempt should have failed, and it succeeded")
    }

    /// A change of a file that a call made: created, with two lines.
    pub(crate) fn entry(&self, changeset_id: ChangeSetId, path: &str) -> ChangeEntry {
        ChangeEntry {
            id: EntryId::new(self.clock.new_id()),
            changeset_id,
            root: RootId::project(),
            decision_id: self.decision_root_id,
            attribution: Attribution::ToolCall(ToolCallId::new(self.clock.new_id())),
            path: RelPath::from_text(path).expect("a path"),
            before: None,
            after: Some(NodeState::file(b"one\ntwo\n", 0o644)),
            lines: Some(cleveragents_domain::LineCounts { added: 2, removed: 0 }),
            recorded_at: self.clock.now(),
        }
    }

    /// A tree of stub decisions: the root, and so many below it.
    pub(crate) fn stub_decisions(&mut self, count: usize) {
        self.decision_tree(vec![Vec::new(); count]);
    }

    /// A tree of decisions: the root, and one below it for each list of calls.
    pub(crate) fn decision_tree(&mut self, calls: Vec<Vec<PlannedCall>>) {
        let plan_id = self.plan_id();
        let root = self.decision_root_id;
        let decision = |id, parent, sequence, kind, calls| StrategyDecision {
            id,
            plan_id,
            parent,
            sequence,
            kind,
            question: "what next?".to_owned(),
            chosen: "this".to_owned(),
            alternatives: Vec::new(),
            rationale: String::new(),
            depends_on: Vec::new(),
            calls,
            superseded: false,
        };
        let mut decisions = vec![decision(root, None, 0, DecisionKind::PromptDefinition, Vec::new())];
        decisions.extend((1..).zip(calls).map(|(sequence, calls)| {
            let id = DecisionId::new(self.clock.new_id());
            decision(id, Some(root), sequence, DecisionKind::ImplementationChoice, calls)
        }));
        self.decisions = decisions;
    }

    /// The decisions that are carried out: all but the root.
    pub(crate) fn steps(&self) -> Vec<DecisionId> {
        self.decisions.iter().skip(1).map(|d| d.id).collect()
    }
}

impl std::fmt::Debug for World {
    /// What helps to understand a failed step: cucumber prints it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("home", &self.home.path())
            .field("plan_id", &self.plan_id)
            .field("changeset_id", &self.changeset_id)
            .field("problem", &self.problem)
            .field("outcome", &self.outcome)
            .finish_non_exhaustive()
    }
}
