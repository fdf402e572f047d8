//! Records calls: into the journal when there is one, and into the context's changeset store.

use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;

use cleveragents_domain::{
    Blobs, Body, ChangeSetId, DecisionId, ExecutionMode, Gate, ToolCall, ToolInvocation,
};
use cleveragents_runtime::{CallLog, Content, Finished, LogError};

use crate::event::step;
use crate::session::PlanSession;
use crate::{Event, EventKind, PlanError, PlanExecutionContext, StreamCallback, events_of};

/// The record keeper of one execute phase.
pub(crate) struct Recorder<'a> {
    context: &'a PlanExecutionContext,
    changeset_id: ChangeSetId,
    journal: Option<Arc<PlanSession>>,
    callback: Option<StreamCallback>,
    /// A successful outcome may wait for the intent that follows at once.
    may_wait: bool,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(
        context: &'a PlanExecutionContext,
        changeset_id: ChangeSetId,
        journal: Option<Arc<PlanSession>>,
        callback: Option<StreamCallback>,
        may_wait: bool,
    ) -> Self {
        Self { context, changeset_id, journal, callback, may_wait }
    }

    /// Comes to a decision.
    pub(crate) async fn step(&self, decision_id: DecisionId) {
        let mode = ExecutionMode::Runtime;
        match &self.journal {
            Some(session) => session.push(Body::Step { decision_id, mode }, Vec::new()).await,
            None => self.emit(step(decision_id, mode)),
        }
    }

    /// Tells a listener of a context without a journal; with one, the listener hears of commits.
    pub(crate) fn emit(&self, kind: EventKind) {
        if let (None, Some(callback)) = (&self.journal, &self.callback) {
            let at = self.context.settings().clock().now();
            callback(&Event { plan_id: self.context.plan_id(), position: None, at, kind });
        }
    }

    /// Commits what waits.
    pub(crate) async fn flush(&self) -> Result<(), PlanError> {
        match &self.journal {
            Some(session) => self.project(session.commit(Vec::new()).await?).await,
            None => Ok(()),
        }
    }

    /// Hands committed entries on to the context's store: at least once, in order.
    async fn project(&self, committed: Vec<Body>) -> Result<(), PlanError> {
        for body in committed {
            if let Body::Outcome { entries, .. } | Body::Outside { entries, .. } = body {
                for entry in entries {
                    self.context.changeset_store().record(&self.changeset_id, entry).await?;
                }
            }
        }
        Ok(())
    }

    fn outside(&self, finished: &Finished) -> Option<Body> {
        let entries = finished.outside.clone();
        (!entries.is_empty()).then_some(Body::Outside { changeset_id: self.changeset_id, entries })
    }
}

/// Small contents travel with the commit; large ones are made durable before it.
pub(crate) async fn store_contents(
    contents: Vec<Content>,
    blobs: Arc<dyn Blobs>,
) -> Result<Vec<Vec<u8>>, PlanError> {
    let mut small = Vec::new();
    for content in contents {
        match content {
            Content::None => {}
            Content::Small(bytes) => small.push(bytes.to_vec()),
            Content::Large(source) => {
                let blobs = blobs.clone();
                tokio::task::spawn_blocking(move || blobs.put(&mut *source.open()?)).await.map_err(
                    |e| PlanError::Actor { what: "storing content stopped".into(), source: Some(e.into()) },
                )??;
            }
        }
    }
    Ok(small)
}

#[async_trait]
impl CallLog for Recorder<'_> {
    async fn intent(&self, call: &ToolCall, granted: &BTreeSet<Gate>) -> Result<(), LogError> {
        let body = Body::Intent { call: call.clone(), granted: granted.clone() };
        match &self.journal {
            Some(session) => Ok(self.project(session.commit(vec![body]).await?).await?),
            None => {
                self.tell(&body);
                Ok(())
            }
        }
    }

    async fn outcome(&self, mut finished: Finished) -> Result<(), LogError> {
        let contents = std::mem::take(&mut finished.contents);
        let outside = self.outside(&finished);
        let succeeded = finished.invocation.outcome == cleveragents_domain::CallOutcome::Succeeded;
        // A call that ran unconfined may not run twice: its outcome is durable before anything else is asked.
        let unconfined = finished.invocation.confinement.as_deref() == Some("unconfined");
        let body = Body::Outcome {
            invocation: Box::new(finished.invocation),
            changeset_id: self.changeset_id,
            entries: finished.entries,
            discarded: finished.discarded,
        };
        let bodies: Vec<Body> = outside.into_iter().chain([body]).collect();
        match &self.journal {
            Some(session) => {
                let small = store_contents(contents, session.store().clone()).await?;
                let mut blobs = Some(small);
                for body in bodies {
                    session.push(body, blobs.take().unwrap_or_default()).await;
                }
                if !(self.may_wait && succeeded && !unconfined) {
                    self.flush().await?;
                }
            }
            None => {
                for body in &bodies {
                    self.tell(body);
                }
                self.project(bodies).await?;
            }
        }
        Ok(())
    }

    async fn refused(&self, invocation: ToolInvocation) -> Result<(), LogError> {
        let finished = Finished {
            invocation,
            entries: Vec::new(),
            outside: Vec::new(),
            discarded: Vec::new(),
            contents: Vec::new(),
        };
        self.outcome(finished).await
    }
}

impl Recorder<'_> {
    /// The same words that a journal's listener would hear, without a position.
    fn tell(&self, body: &Body) {
        if let Some(callback) = &self.callback {
            let at = self.context.settings().clock().now();
            for mut event in events_of(self.context.plan_id(), 0, at, body) {
                event.position = None;
                callback(&event);
            }
        }
    }
}
