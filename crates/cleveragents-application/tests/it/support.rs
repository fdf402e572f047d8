//! Toy tools, a store that fails on command, and a plan around them.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use cleveragents_application::domain::{
    Batch, BlobError, Blobs, CountingClock, Digest, Gate, Head, InMemoryJournal, Journal, JournalError,
    PlanId, PlanQuery, PlanRow, Record, Seq,
};
use cleveragents_application::runtime::{
    Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolRegistry, ToolRunner, ToolSpec,
};
use cleveragents_application::{PlanExecutor, PlanFile, PlanLifecycleService, Settings, StreamCallback};
use serde_json::{Value, json};

/// Counts how often it ran; fails when its input says so.
pub(crate) struct CountingTool {
    spec: ToolSpec,
    pub(crate) ran: Arc<AtomicU64>,
}

impl CountingTool {
    pub(crate) fn new() -> Self {
        let spec = ToolSpec {
            name: "count".into(),
            description: "counts".into(),
            input_schema: json!({ "type": "object" }),
            capabilities: Capabilities::READ,
        };
        Self { spec, ran: Arc::default() }
    }
}

#[async_trait]
impl Tool for CountingTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }
    async fn call(&self, input: &Value, _: &ToolContext) -> Result<ToolOutput, ToolError> {
        self.ran.fetch_add(1, Ordering::SeqCst);
        match input.get("fail") {
            Some(_) => Err(ToolError::failed("told to fail")),
            None => Ok(ToolOutput::new(json!("done"))),
        }
    }
}

/// A journal that counts commits, and refuses the one it was told to.
#[derive(Default)]
pub(crate) struct FaultyStore {
    pub(crate) inner: InMemoryJournal,
    pub(crate) commits: AtomicU64,
    /// The commit that fails, counted from 1; 0 is none.
    pub(crate) fails_at: AtomicU64,
    /// Whether a failing commit is written all the same, as when the answer is lost.
    pub(crate) writes_first: bool,
}

#[async_trait]
impl Journal for FaultyStore {
    async fn commit(&self, plan_id: &PlanId, at: Seq, batch: Batch) -> Result<Head, JournalError> {
        let number = self.commits.fetch_add(1, Ordering::SeqCst) + 1;
        let fails = number == self.fails_at.load(Ordering::SeqCst);
        if fails && !self.writes_first {
            return Err(JournalError::backend(std::io::Error::other("disk full")));
        }
        let head = self.inner.commit(plan_id, at, batch).await?;
        if fails { Err(JournalError::backend(std::io::Error::other("answer lost"))) } else { Ok(head) }
    }
    async fn head(&self, plan_id: &PlanId) -> Result<Option<Head>, JournalError> {
        self.inner.head(plan_id).await
    }
    async fn read(&self, plan_id: &PlanId, from: Seq, max: usize) -> Result<Vec<Record>, JournalError> {
        self.inner.read(plan_id, from, max).await
    }
    async fn plans(&self, query: &PlanQuery) -> Result<Vec<PlanRow>, JournalError> {
        self.inner.plans(query).await
    }
}

impl Blobs for FaultyStore {
    fn put(&self, content: &mut dyn Read) -> Result<(Digest, u64), BlobError> {
        self.inner.put(content)
    }
    fn open(&self, digest: &Digest) -> Result<Box<dyn Read + Send>, BlobError> {
        self.inner.open(digest)
    }
    fn contains(&self, digest: &Digest) -> Result<bool, BlobError> {
        self.inner.contains(digest)
    }
}

pub(crate) fn lifecycle(store: Arc<FaultyStore>) -> PlanLifecycleService {
    PlanLifecycleService::new(store, Settings::with_clock(Arc::new(CountingClock::default())))
}

/// A plan of so many decisions with one call each; the calls at `failing` fail.
pub(crate) fn counting_plan(decisions: usize, failing: Option<usize>) -> PlanFile {
    let calls: Vec<Value> = (0..decisions)
        .map(|n| {
            let with = if failing == Some(n) { json!({ "fail": true }) } else { json!({}) };
            json!({ "title": format!("step {n}"), "calls": [{ "tool": "count", "with": with }] })
        })
        .collect();
    let plan = json!({ "name": "counting", "definition_of_done": "counted", "decisions": calls });
    PlanFile::parse(&plan.to_string()).unwrap()
}

pub(crate) fn executor(
    lifecycle: &PlanLifecycleService,
    file: &PlanFile,
    plan: &PlanId,
    tool: CountingTool,
    callback: Option<StreamCallback>,
) -> PlanExecutor {
    let mut registry = ToolRegistry::new();
    registry.register(Arc::new(tool)).unwrap();
    let context = lifecycle.context(plan).build().unwrap();
    let mut builder = PlanExecutor::builder()
        .lifecycle_service(lifecycle.clone())
        .tool_runner(ToolRunner::new(registry))
        .execution_context(context)
        .strategist(file.strategist())
        .consent(Gate::Execute);
    if let Some(callback) = callback {
        builder = builder.stream_callback(callback);
    }
    builder.build().unwrap()
}
