//! `PlanExecutionContext`: a plan's metadata, its resources and its changesets, for the actors.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;

use cleveragents_domain::{
    ChangeEntry, ChangeSetId, ChangeSetStore, DecisionId, InMemoryChangeSetStore, PlanId, Policy, Profile,
    RootId, SpecChangeSet, Summary, ValidationError,
};
use cleveragents_runtime::{BoundResource, Workspace};

use crate::{PlanError, PlanLifecycleService, Settings};

/// What execution needs to know of a plan. Made by [`PlanExecutionContext::builder`] on its own, or by
/// [`PlanLifecycleService::context`] for a journaled plan.
pub struct PlanExecutionContext {
    plan_id: PlanId,
    decision_root_id: Option<DecisionId>,
    sandbox_root: Option<String>,
    automation_profile: Option<String>,
    policy: Policy,
    project_resources: BTreeMap<String, Value>,
    resource_bindings: BTreeMap<RootId, BoundResource>,
    changeset_store: Arc<dyn ChangeSetStore>,
    default_store: Option<Arc<InMemoryChangeSetStore>>,
    active: Mutex<Vec<ChangeSetId>>,
    lifecycle: Option<PlanLifecycleService>,
    settings: Settings,
}

/// A context in numbers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextSummary {
    /// The plan.
    pub plan_id: PlanId,
    /// The root of its decisions, when known.
    pub decision_root_id: Option<DecisionId>,
    /// The profile's name, when given.
    pub automation_profile: Option<String>,
    /// The sandbox label, when given.
    pub sandbox_root: Option<String>,
    /// Bound resources.
    pub resource_binding_count: usize,
    /// Project resources.
    pub project_resource_count: usize,
    /// Whether a journal keeps what happens.
    pub durable: bool,
    /// Each active changeset in numbers.
    pub changesets: BTreeMap<ChangeSetId, Summary>,
}

impl PlanExecutionContext {
    /// A context without a journal: its changesets are in its store alone.
    pub fn builder() -> PlanContextBuilder {
        PlanContextBuilder::default()
    }

    /// The plan.
    pub fn plan_id(&self) -> PlanId {
        self.plan_id
    }

    /// The root of the plan's decisions.
    pub fn decision_root_id(&self) -> Option<DecisionId> {
        self.decision_root_id
    }

    /// A label, reported in `sandbox_refs`; only a workspace ever opens a sandbox.
    pub fn sandbox_root(&self) -> Option<&str> {
        self.sandbox_root.as_deref()
    }

    /// The profile's name.
    pub fn automation_profile(&self) -> Option<&str> {
        self.automation_profile.as_deref()
    }

    /// The rules for calls: the named profile's, or the default's. A journaled plan has its own, frozen ones.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Metadata of the project's resources.
    pub fn project_resources(&self) -> &BTreeMap<String, Value> {
        &self.project_resources
    }

    /// The bound resources by name.
    pub fn resource_bindings(&self) -> &BTreeMap<RootId, BoundResource> {
        &self.resource_bindings
    }

    /// Where changesets are kept.
    pub fn changeset_store(&self) -> &Arc<dyn ChangeSetStore> {
        &self.changeset_store
    }

    /// Whether `changeset_store` is the default one, in memory.
    pub fn uses_default_store(&self) -> bool {
        self.default_store.is_some()
    }

    pub(crate) fn default_store(&self) -> Option<&Arc<InMemoryChangeSetStore>> {
        self.default_store.as_ref()
    }

    pub(crate) fn lifecycle(&self) -> Option<&PlanLifecycleService> {
        self.lifecycle.as_ref()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether a journal keeps what happens.
    pub fn durable(&self) -> bool {
        self.lifecycle.is_some()
    }

    /// The changesets that were started, oldest first. The newest is the one that takes changes.
    pub fn active_changeset_ids(&self) -> Vec<ChangeSetId> {
        self.active().clone()
    }

    /// Starts a changeset; from now on it takes the changes.
    pub async fn start_changeset(&self) -> Result<ChangeSetId, PlanError> {
        let id = self.changeset_store.start(&self.plan_id).await?;
        self.activate(id);
        Ok(id)
    }

    /// Makes a changeset that exists the one that takes the changes.
    pub(crate) fn activate(&self, id: ChangeSetId) {
        let mut active = self.active();
        active.retain(|known| *known != id);
        active.push(id);
    }

    /// Records a change into the newest changeset. The entry's own `changeset_id` must name it.
    ///
    /// Refused for a journaled plan: its changes are recorded by the runner, so that none is without its call.
    pub async fn record_change(&self, entry: ChangeEntry) -> Result<(), PlanError> {
        let newest = self.active().last().copied().ok_or(PlanError::NoActiveChangeset)?;
        if self.lifecycle.is_some() {
            return Err(PlanError::Journaled);
        }
        Ok(self.changeset_store.record(&newest, entry).await?)
    }

    /// A changeset, or `None` for an unknown id.
    pub async fn get_changeset(&self, id: &ChangeSetId) -> Result<Option<SpecChangeSet>, PlanError> {
        Ok(self.changeset_store.get(id).await?)
    }

    /// The context in numbers.
    pub async fn summarize(&self) -> Result<ContextSummary, PlanError> {
        let mut changesets = BTreeMap::new();
        for id in self.active_changeset_ids() {
            changesets.insert(id, self.changeset_store.summarize(&id).await?);
        }
        Ok(ContextSummary {
            plan_id: self.plan_id,
            decision_root_id: self.decision_root_id,
            automation_profile: self.automation_profile.clone(),
            sandbox_root: self.sandbox_root.clone(),
            resource_binding_count: self.resource_bindings.len(),
            project_resource_count: self.project_resources.len(),
            durable: self.durable(),
            changesets,
        })
    }

    fn active(&self) -> std::sync::MutexGuard<'_, Vec<ChangeSetId>> {
        self.active.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl std::fmt::Debug for PlanExecutionContext {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlanExecutionContext")
            .field("plan_id", &self.plan_id)
            .field("resource_bindings", &self.resource_bindings)
            .field("durable", &self.durable())
            .finish_non_exhaustive()
    }
}

/// Collects the parts of a [`PlanExecutionContext`]. Only the plan id is required.
#[derive(Default)]
pub struct PlanContextBuilder {
    plan_id: Option<String>,
    decision_root_id: Option<DecisionId>,
    sandbox_root: Option<String>,
    automation_profile: Option<String>,
    policy: Option<Policy>,
    project_resources: BTreeMap<String, Value>,
    resources: Vec<(String, Arc<dyn Workspace>)>,
    changeset_store: Option<Arc<dyn ChangeSetStore>>,
    lifecycle: Option<PlanLifecycleService>,
    settings: Option<Settings>,
}

impl PlanContextBuilder {
    pub(crate) fn for_lifecycle(lifecycle: PlanLifecycleService, plan_id: PlanId) -> Self {
        Self { plan_id: Some(plan_id.to_string()), lifecycle: Some(lifecycle), ..Self::default() }
    }

    /// The plan's id, a ULID.
    #[must_use]
    pub fn plan_id(mut self, id: impl Into<String>) -> Self {
        self.plan_id = Some(id.into());
        self
    }

    /// The root of the plan's decisions.
    #[must_use]
    pub fn decision_root_id(mut self, id: DecisionId) -> Self {
        self.decision_root_id = Some(id);
        self
    }

    /// A label for the sandbox.
    #[must_use]
    pub fn sandbox_root(mut self, root: impl Into<String>) -> Self {
        self.sandbox_root = Some(root.into());
        self
    }

    /// A profile by name; `build` refuses an unknown one.
    #[must_use]
    pub fn automation_profile(mut self, name: impl Into<String>) -> Self {
        self.automation_profile = Some(name.into());
        self
    }

    /// A whole policy, for a plan without a journal. It wins over the profile's name.
    #[must_use]
    pub fn policy(mut self, policy: Policy) -> Self {
        self.policy = Some(policy);
        self
    }

    /// Metadata of a project resource.
    #[must_use]
    pub fn project_resource(mut self, name: impl Into<String>, metadata: Value) -> Self {
        self.project_resources.insert(name.into(), metadata);
        self
    }

    /// Binds a workspace under a name; `build` refuses a name that is not 1 to 64 characters of `a-z0-9-_`.
    #[must_use]
    pub fn bind(mut self, name: impl Into<String>, workspace: impl Workspace + 'static) -> Self {
        self.resources.push((name.into(), Arc::new(workspace)));
        self
    }

    /// The same for a workspace that is shared.
    #[must_use]
    pub fn bind_shared(mut self, name: impl Into<String>, workspace: Arc<dyn Workspace>) -> Self {
        self.resources.push((name.into(), workspace));
        self
    }

    /// A store of one's own; without one it is an [`InMemoryChangeSetStore`].
    #[must_use]
    pub fn changeset_store(mut self, store: Arc<dyn ChangeSetStore>) -> Self {
        self.changeset_store = Some(store);
        self
    }

    /// Time and ids; the system's by default, the lifecycle's for its plans.
    #[must_use]
    pub fn settings(mut self, settings: Settings) -> Self {
        self.settings = Some(settings);
        self
    }

    /// The context, or an error that names the first part that is missing or not acceptable.
    pub fn build(self) -> Result<PlanExecutionContext, ValidationError> {
        let plan_id = PlanId::parse(&self.plan_id.ok_or_else(|| ValidationError::missing(PlanId::FIELD))?)?;
        let profile = Profile::named(self.automation_profile.as_deref().unwrap_or(Profile::DEFAULT))?;
        let settings = match (&self.settings, &self.lifecycle) {
            (Some(settings), _) => settings.clone(),
            (None, Some(lifecycle)) => Settings::with_clock(lifecycle.clock().clone()),
            (None, None) => Settings::system(),
        };
        let mut resource_bindings = BTreeMap::new();
        for (name, workspace) in self.resources {
            let root = RootId::parse(&name).map_err(|e| e.within("resource_bindings"))?;
            let bound = BoundResource { root: root.clone(), workspace };
            if resource_bindings.insert(root, bound).is_some() {
                return Err(ValidationError::new("resource_bindings", format!("binds {name:?} twice")));
            }
        }
        let (changeset_store, default_store) = match self.changeset_store {
            Some(store) => (store, None),
            None => {
                let store = Arc::new(InMemoryChangeSetStore::new(settings.clock().clone()));
                (store.clone() as Arc<dyn ChangeSetStore>, Some(store))
            }
        };
        Ok(PlanExecutionContext {
            plan_id,
            decision_root_id: self.decision_root_id,
            sandbox_root: self.sandbox_root,
            automation_profile: self.automation_profile,
            policy: self.policy.unwrap_or_else(|| Policy::new(profile)),
            project_resources: self.project_resources,
            resource_bindings,
            changeset_store,
            default_store,
            active: Mutex::default(),
            lifecycle: self.lifecycle,
            settings,
        })
    }
}
