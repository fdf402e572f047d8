//! Batches to try a store with.

use cleveragents_domain::{
    Attribution, Batch, Body, ChangeEntry, ChangeSetId, Clock, CountingClock, DecisionId, Digest, EntryId,
    Journal, Move, NodeState, Phase, PlanId, PlanSpec, PlanState, Policy, ProcessingState, Profile, RelPath,
    RootId,
};

/// Makes plans and batches; the same ones every time.
#[derive(Debug, Default)]
pub struct Sample(CountingClock);

impl Sample {
    /// Begins at the same time each time.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new plan id, greater than those before it.
    pub fn plan(&self) -> PlanId {
        PlanId::new(self.0.new_id())
    }

    /// A batch of these bodies, without contents.
    pub fn batch(&self, bodies: Vec<Body>) -> Batch {
        Batch { recorded_at: self.0.now(), bodies, blobs: Vec::new() }
    }

    /// The first record of a plan.
    pub fn created(&self, name: &str) -> Body {
        let spec = PlanSpec {
            name: name.to_owned(),
            description: String::new(),
            definition_of_done: vec!["it is done".to_owned()],
            invariants: Vec::new(),
            policy: Policy::new(Profile::named(Profile::DEFAULT).unwrap()),
            roots: Vec::new(),
            stub: false,
            source: serde_json::Value::Null,
        };
        Body::PlanCreated { spec: Box::new(spec) }
    }

    /// Words.
    pub fn note(&self, text: &str) -> Body {
        Body::Note { text: text.to_owned() }
    }

    /// The move from action/queued to action/complete.
    pub fn completed(&self) -> Body {
        Body::Transition {
            movement: Move::Complete,
            from: PlanState::initial(),
            to: PlanState::new(Phase::Action, ProcessingState::Complete),
            mode: None,
            failure: None,
            conflicts: Vec::new(),
        }
    }

    /// A record that names content.
    pub fn names(&self, content: &[u8]) -> Body {
        let changeset_id = ChangeSetId::new(self.0.new_id());
        let entry = ChangeEntry {
            id: EntryId::new(self.0.new_id()),
            changeset_id,
            root: RootId::project(),
            decision_id: DecisionId::new(self.0.new_id()),
            attribution: Attribution::Outside,
            path: RelPath::from_text("a/file").unwrap(),
            before: None,
            after: Some(NodeState::file(content, 0o644)),
            lines: None,
            recorded_at: self.0.now(),
        };
        assert_eq!(entry.after.as_ref().unwrap().content, Some(Digest::of(content)));
        Body::Outside { changeset_id, entries: vec![entry] }
    }

    /// A plan that exists: its id, after its first record was committed.
    pub async fn commit_plan<J: Journal + ?Sized>(&self, journal: &J, name: &str) -> PlanId {
        let plan = self.plan();
        journal.commit(&plan, 0, self.batch(vec![self.created(name)])).await.unwrap();
        plan
    }
}

/// Bytes that repeat nowhere nearby, so that a mix-up of pieces shows.
pub(crate) fn bytes(len: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(1);
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    (0..len).map(|_| next()).collect()
}
