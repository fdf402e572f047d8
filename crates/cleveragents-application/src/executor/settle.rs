//! Going on after an earlier try, and the last look before the seal.

use std::collections::BTreeMap;

use cleveragents_domain::{
    Attribution, Body, CallOutcome, ChangeEntry, ChangeSetId, EntryId, Gate, NodeState, OpenCall, PlanView,
    RelPath, RootId, SpecChangeSet, ToolInvocation,
};
use cleveragents_runtime::BoundResource;

use super::PlanExecutor;
use crate::actor::{Progress, store_contents};
use crate::session::PlanSession;
use crate::{PlanError, PlanExecutionContext};

impl PlanExecutor {
    /// The one result of a call whose process died.
    pub(super) fn interrupted(&self, open: &OpenCall, changeset_id: ChangeSetId) -> Body {
        let OpenCall { call, granted } = open;
        Body::Outcome {
            invocation: Box::new(ToolInvocation {
                id: call.id,
                decision_id: call.decision_id,
                index: call.index,
                tool: call.tool.clone(),
                input: call.input.clone(),
                outcome: CallOutcome::Interrupted,
                output: serde_json::Value::Null,
                error: Some(
                    "the process ended during the call; what it did in the sandbox was taken back".to_owned(),
                ),
                // Nobody is left to say how it ran; that it was let run unconfined is known.
                confinement: granted.contains(&Gate::Unsafe).then(|| "unconfined".to_owned()),
                started_at: call.requested_at,
                duration_us: self.lifecycle.clock().now().since(call.requested_at),
            }),
            changeset_id,
            entries: Vec::new(),
            discarded: Vec::new(),
        }
    }

    /// Brings every sandbox to the last committed state, whatever an earlier process left in it.
    pub(super) async fn settle(
        &self,
        view: &PlanView,
        context: &PlanExecutionContext,
    ) -> Result<(), PlanError> {
        let entries = view.changesets.iter().flat_map(SpecChangeSet::entries);
        let mut states: BTreeMap<(&RootId, &RelPath), &Option<NodeState>> = BTreeMap::default();
        for entry in entries {
            states.insert((&entry.root, &entry.path), &entry.after);
        }
        for (root, bound) in context.resource_bindings() {
            let own: Vec<(RelPath, Option<NodeState>)> = states
                .iter()
                .filter(|((of, _), _)| *of == root)
                .map(|((_, path), state)| ((*path).clone(), (*state).clone()))
                .collect();
            bound.workspace.restore(&own, self.lifecycle.store().clone()).await?;
        }
        Ok(())
    }

    /// Before the seal the whole tree is looked at: what nobody's call did is shown as that.
    pub(super) async fn sweep(
        &self,
        session: &PlanSession,
        context: &PlanExecutionContext,
        changeset_id: ChangeSetId,
    ) -> Result<(), PlanError> {
        for (root, BoundResource { workspace, .. }) in context.resource_bindings() {
            let effects = workspace.sweep().await?;
            if effects.is_empty() {
                continue;
            }
            let clock = self.lifecycle.clock();
            let decision = session.seen().await.view.decisions.root().map(|d| d.id);
            let mut contents = Vec::new();
            let entries: Vec<ChangeEntry> = effects
                .into_iter()
                .filter_map(|effect| {
                    contents.extend([effect.before_content, effect.after_content]);
                    Some(ChangeEntry {
                        id: EntryId::new(clock.new_id()),
                        changeset_id,
                        root: root.clone(),
                        decision_id: decision?,
                        attribution: Attribution::Outside,
                        path: effect.path,
                        before: effect.before,
                        after: effect.after,
                        lines: None,
                        recorded_at: clock.now(),
                    })
                })
                .collect();
            for entry in &entries {
                context.changeset_store().record(&changeset_id, entry.clone()).await?;
            }
            let small = store_contents(contents, session.store().clone()).await?;
            session.push(Body::Outside { changeset_id, entries }, small).await;
        }
        Ok(())
    }
}

/// What earlier tries have done.
pub(super) fn progress_of(view: &PlanView) -> Progress {
    let mut progress = Progress::default();
    for invocation in view.changesets.iter().flat_map(SpecChangeSet::invocations) {
        let ran = !matches!(invocation.outcome, CallOutcome::Refused);
        progress.calls += u64::from(ran);
        if invocation.outcome == CallOutcome::Succeeded {
            *progress.succeeded.entry(invocation.decision_id).or_default() += 1;
        }
    }
    progress
}
