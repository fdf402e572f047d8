//! One writer for one plan: commits under compare-and-swap, folds what it commits, tells the listeners.

use std::sync::Arc;

use tokio::sync::{Mutex, MutexGuard};

use cleveragents_domain::{
    Batch, Body, Clock, Conflict, ExecutionMode, Move, PlanId, PlanView, Record, Seq, Store, ViewError,
};

use crate::{PlanError, StreamCallback, events_of};

/// How many records are read at once.
const PAGE: usize = 1_000;

/// The plan as it stands, and what waits for the next commit.
pub(crate) struct State {
    pub(crate) view: PlanView,
    pending: Vec<Body>,
    pending_blobs: Vec<Vec<u8>>,
}

/// The only way by which this process writes a plan's log.
pub(crate) struct PlanSession {
    plan_id: PlanId,
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    listener: std::sync::Mutex<Option<StreamCallback>>,
}

impl PlanSession {
    /// Reads the plan's log.
    pub(crate) async fn open(
        plan_id: PlanId,
        store: Arc<dyn Store>,
        clock: Arc<dyn Clock>,
    ) -> Result<Self, PlanError> {
        let mut view: Option<PlanView> = None;
        read_from(&*store, &plan_id, 1, |record| {
            match &mut view {
                None => view = Some(PlanView::of(plan_id, std::slice::from_ref(record))?),
                Some(view) => view.fold(record)?,
            }
            Ok(())
        })
        .await?;
        let view = view.ok_or(PlanError::UnknownPlan(plan_id))?;
        let state = Mutex::new(State { view, pending: Vec::new(), pending_blobs: Vec::new() });
        Ok(Self { plan_id, store, clock, state, listener: std::sync::Mutex::new(None) })
    }

    pub(crate) fn plan_id(&self) -> PlanId {
        self.plan_id
    }

    pub(crate) fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    /// Sets who hears of commits; replaces the listener before.
    pub(crate) fn listen(&self, callback: Option<StreamCallback>) {
        *self.listener.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = callback;
    }

    /// The plan as it stands, with what other processes have committed meanwhile.
    pub(crate) async fn refreshed(&self) -> Result<MutexGuard<'_, State>, PlanError> {
        let mut state = self.state.lock().await;
        let head = self.store.head(&self.plan_id).await?.map_or(0, |head| head.seq);
        if head > state.view.seq {
            let view = &mut state.view;
            read_from(&*self.store, &self.plan_id, view.seq + 1, |record| view.fold(record)).await?;
        }
        Ok(state)
    }

    /// The plan as this process last saw it.
    pub(crate) async fn seen(&self) -> MutexGuard<'_, State> {
        self.state.lock().await
    }

    /// Adds to what the next commit writes.
    pub(crate) async fn push(&self, body: Body, blobs: Vec<Vec<u8>>) {
        let mut state = self.state.lock().await;
        state.pending.push(body);
        state.pending_blobs.extend(blobs);
    }

    /// Commits what waits, and `bodies` after it, in one piece. Returns what was committed.
    pub(crate) async fn commit(&self, bodies: Vec<Body>) -> Result<Vec<Body>, PlanError> {
        let mut state = self.state.lock().await;
        self.commit_locked(&mut state, bodies).await
    }

    /// The same for a caller that holds the state, so that nothing moves between its look and its commit.
    pub(crate) async fn commit_locked(
        &self,
        state: &mut State,
        bodies: Vec<Body>,
    ) -> Result<Vec<Body>, PlanError> {
        let mut all = std::mem::take(&mut state.pending);
        all.extend(bodies);
        let blobs = std::mem::take(&mut state.pending_blobs);
        if all.is_empty() {
            return Ok(all);
        }
        let at = state.view.seq;
        let recorded_at = self.clock.now();
        let batch = Batch { recorded_at, bodies: all.clone(), blobs };
        self.store.commit(&self.plan_id, at, batch).await?;
        let listener = self.listener.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
        for (seq, body) in (at + 1..).zip(&all) {
            state.view.fold_body(seq, recorded_at, body)?;
            if let Some(listener) = &listener {
                for event in events_of(self.plan_id, seq, recorded_at, body) {
                    listener(&event);
                }
            }
        }
        Ok(all)
    }

    /// Makes one or more moves through the transition table and commits them, with `before` in front of them.
    pub(crate) async fn advance(&self, before: Vec<Body>, moves: Vec<Step>) -> Result<(), PlanError> {
        let mut state = self.state.lock().await;
        let mut bodies = before;
        // The moves are checked against a copy: none is made unless all can be.
        let mut view = state.view.clone();
        let ahead: Vec<Body> = state.pending.iter().chain(&bodies).cloned().collect();
        let mut seq = view.seq;
        for body in &ahead {
            seq += 1;
            view.fold_body(seq, view.updated_at, body)?;
        }
        for step in moves {
            let body = step.into_body(&view)?;
            seq += 1;
            view.fold_body(seq, view.updated_at, &body)?;
            bodies.push(body);
        }
        self.commit_locked(&mut state, bodies).await?;
        Ok(())
    }
}

/// A move that is asked for, or a record that goes between two moves.
pub(crate) enum Step {
    Move { movement: Move, mode: Option<ExecutionMode> },
    Fail(Box<cleveragents_domain::PlanFailure>),
    Conflict(Vec<Conflict>),
    Record(Body),
}

impl Step {
    pub(crate) fn to(movement: Move) -> Self {
        Self::Move { movement, mode: None }
    }

    pub(crate) fn within(movement: Move, mode: ExecutionMode) -> Self {
        Self::Move { movement, mode: Some(mode) }
    }

    fn into_body(self, view: &PlanView) -> Result<Body, PlanError> {
        let (movement, mode, failure, conflicts) = match self {
            Self::Record(body) => return Ok(body),
            Self::Move { movement, mode } => (movement, mode, None, Vec::new()),
            Self::Fail(failure) => (Move::Fail, Some(failure.error_details.mode), Some(failure), Vec::new()),
            Self::Conflict(conflicts) => (Move::Conflict, None, None, conflicts),
        };
        Ok(Body::Transition {
            movement,
            from: view.state,
            to: view.after(movement)?,
            mode,
            failure,
            conflicts,
        })
    }
}

/// Reads a log from a position to its end, page by page.
pub(crate) async fn read_from(
    store: &dyn Store,
    plan_id: &PlanId,
    mut from: Seq,
    mut each: impl FnMut(&Record) -> Result<(), ViewError>,
) -> Result<(), PlanError> {
    loop {
        let page = store.read(plan_id, from, PAGE).await?;
        for record in &page {
            each(record)?;
        }
        if page.len() < PAGE {
            return Ok(());
        }
        from += page.len() as u64;
    }
}
