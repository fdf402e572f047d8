//! Plans from goal to applied change: context, actors, executor, lifecycle. Layer 2.
//!
//! - [`PlanLifecycleService`] owns the journal: it creates plans, moves them through the transition table, applies
//!   them and rolls them back.
//! - [`PlanExecutor`] takes a plan through strategize (a [`Strategist`] makes decisions, read-only) and execute (a
//!   [`Worker`] proposes tool calls, the runner decides, the workspace says what really changed).
//! - [`PlanExecutionContext`] bridges a plan's metadata and its bound resources to the actors.
//!
//! What this crate does not do: it touches no file system and no database (adapters do), it asks no model, and it
//! installs no signal handler and no global runtime.
//!
//! ```
//! use std::sync::Arc;
//! use cleveragents_application::{PlanExecutor, PlanFile, PlanLifecycleService, Settings};
//! use cleveragents_domain::{Gate, InMemoryJournal};
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let lifecycle = PlanLifecycleService::new(Arc::new(InMemoryJournal::new()), Settings::system());
//! let file = PlanFile::parse("{ name: demo, definition_of_done: it is shown }")?.as_stub();
//! let plan = lifecycle.create(&file).await?;
//! let executor =
//!     PlanExecutor::builder().lifecycle_service(lifecycle.clone()).consent(Gate::Execute).build()?;
//! executor.run_strategize(plan.as_str()).await?;
//! let outcome = executor.run_execute(plan.as_str()).await?;
//! assert_eq!(outcome.tool_call_count(), 0);
//! assert_eq!(lifecycle.view(&plan).await?.state.to_string(), "apply/queued");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # }).unwrap();
//! ```

mod actor;
mod check;
mod context;
mod error;
mod event;
mod executor;
mod lifecycle;
mod plan_file;
mod review;
mod session;
mod settings;

pub use actor::{
    ExecuteResult, ExecuteStubActor, InvariantRecord, RuntimeExecuteActor, RuntimeExecuteActorBuilder,
    RuntimeExecuteResult, RuntimeExecuteResultParts, ScriptedWorker, Strategist, StrategizeResult,
    StrategizeStubActor, Turn, Worker,
};
pub use check::{CheckReport, CheckedCall, check_plan};
pub use context::{ContextSummary, PlanContextBuilder, PlanExecutionContext};
pub use error::{PlanError, PlanErrorKind};
pub use event::{Event, EventKind, StreamCallback, events_of};
pub use executor::{ExecuteOutcome, PlanExecutor, PlanExecutorBuilder};
pub use lifecycle::{Applied, PlanLifecycleService, Recovery, RolledBack};
pub use plan_file::{FileStrategist, MAX_PLAN_FILE, PlanFile, PlanFileError};
pub use review::{DiffStyle, MAX_DIFF_BYTES, Selection, show_diff};
pub use settings::Settings;

/// The layers below, for adapters and embedders: they name one inner crate.
pub use cleveragents_domain as domain;
pub use cleveragents_runtime as runtime;
