//! Contexts and builders refuse what does not fit, and name it.

use std::sync::Arc;

use cleveragents_application::domain::{Clock, CountingClock, InMemoryJournal, PlanId};
use cleveragents_application::runtime::{ToolRegistry, ToolRunner};
use cleveragents_application::{
    PlanExecutionContext, PlanExecutor, PlanFile, PlanLifecycleService, RuntimeExecuteActor, ScriptedWorker,
    Settings,
};

fn plan_id() -> String {
    PlanId::new(CountingClock::default().new_id()).to_string()
}

fn service() -> PlanLifecycleService {
    PlanLifecycleService::new(Arc::new(InMemoryJournal::new()), Settings::system())
}

#[test]
fn the_first_missing_part_is_named() {
    let field = |e: cleveragents_application::domain::ValidationError| e.field().to_owned();
    assert_eq!(field(PlanExecutionContext::builder().build().unwrap_err()), "plan_id");
    assert_eq!(field(PlanExecutor::builder().build().err().unwrap()), "lifecycle_service");
    assert_eq!(field(RuntimeExecuteActor::builder().build().err().unwrap()), "tool_runner");
    let runner = Arc::new(ToolRunner::new(ToolRegistry::new()));
    let without_context = RuntimeExecuteActor::builder().tool_runner(runner).build();
    assert_eq!(field(without_context.err().unwrap()), "execution_context");
    let unknown = PlanExecutionContext::builder().plan_id(plan_id()).automation_profile("turbo").build();
    assert_eq!(field(unknown.unwrap_err()), "automation_profile");
}

#[test]
fn a_worker_needs_a_context_and_a_context_its_own_service() {
    let lonely =
        PlanExecutor::builder().lifecycle_service(service()).tool_calling_runtime(ScriptedWorker).build();
    assert_eq!(lonely.err().unwrap().field(), "execution_context");
    let (ours, theirs) = (service(), service());
    let plan = PlanId::parse(&plan_id()).unwrap();
    let context = theirs.context(&plan).build().unwrap();
    let mixed = PlanExecutor::builder().lifecycle_service(ours).execution_context(context).build();
    assert!(mixed.err().unwrap().to_string().contains("another lifecycle"));
    let context = theirs.context(&plan).build().unwrap();
    let same = PlanExecutor::builder().lifecycle_service(theirs.clone()).execution_context(context).build();
    assert!(same.is_ok());
}

#[tokio::test]
async fn a_context_without_a_journal_says_that_it_is_not_durable() {
    let alone = PlanExecutionContext::builder().plan_id(plan_id()).build().unwrap();
    assert!(!alone.summarize().await.unwrap().durable);
    let service = service();
    let file = PlanFile::parse("name: x\ndefinition_of_done: y\n").unwrap().as_stub();
    let plan = service.create(&file).await.unwrap();
    let journaled = service.context(&plan).build().unwrap();
    assert!(journaled.summarize().await.unwrap().durable);
}
