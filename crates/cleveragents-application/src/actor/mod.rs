//! Actors: who makes decisions, and who carries them out.

mod execute_stub;
mod recorder;
mod runtime_execute;
mod strategist;
mod strategize_stub;
mod worker;

pub use execute_stub::{ExecuteResult, ExecuteStubActor};
pub(crate) use recorder::{Recorder, store_contents};
pub(crate) use runtime_execute::{Journaled, Progress};
pub use runtime_execute::{
    RuntimeExecuteActor, RuntimeExecuteActorBuilder, RuntimeExecuteResult, RuntimeExecuteResultParts,
};
pub(crate) use strategist::noted;
pub use strategist::{InvariantRecord, Strategist, StrategizeResult};
pub use strategize_stub::StrategizeStubActor;
pub(crate) use strategize_stub::root_decision;
pub use worker::{ScriptedWorker, Turn, Worker};
