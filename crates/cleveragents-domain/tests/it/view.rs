//! The fold over records refuses what this code cannot have written.

use std::collections::BTreeSet;

use cleveragents_domain::{
    Batch, Body, ChangeSetId, Clock, CountingClock, Digest, InMemoryJournal, Journal, JournalError, Move,
    Phase, PlanId, PlanSpec, PlanState, PlanView, Policy, ProcessingState, Profile, Record, ViewError,
};

fn spec() -> PlanSpec {
    PlanSpec {
        name: "demo".into(),
        description: String::new(),
        definition_of_done: vec!["done".into()],
        invariants: Vec::new(),
        policy: Policy { opened: BTreeSet::new(), ..Policy::new(Profile::named("trusted").unwrap()) },
        roots: Vec::new(),
        stub: false,
        source: serde_json::Value::Null,
    }
}

fn created() -> Body {
    Body::PlanCreated { spec: Box::new(spec()) }
}

fn moved(movement: Move, from: PlanState, to: PlanState) -> Body {
    Body::Transition { movement, from, to, mode: None, failure: None, conflicts: Vec::new() }
}

fn records(bodies: Vec<Body>) -> Vec<Record> {
    let clock = CountingClock::default();
    let plan = PlanId::new(clock.new_id());
    Record::chain(plan, None, clock.now(), bodies).unwrap().into_iter().map(|s| s.record).collect()
}

#[test]
fn a_log_begins_with_the_plan_and_goes_on_without_gaps() {
    let plan = PlanId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").unwrap();
    assert!(matches!(PlanView::of(plan, &[]), Err(ViewError::UnknownPlan(id)) if id == plan));
    let note = Body::Note { text: "x".into() };
    let all = records(vec![created(), note.clone(), note.clone()]);
    assert!(PlanView::of(plan, &all).is_ok());
    assert!(matches!(PlanView::of(plan, &all[1..]), Err(ViewError::OutOfOrder(2))));
    let gap = [all[0].clone(), all[2].clone()];
    assert!(matches!(PlanView::of(plan, &gap), Err(ViewError::OutOfOrder(3))));
    let twice = records(vec![created(), created()]);
    assert!(matches!(PlanView::of(plan, &twice), Err(ViewError::OutOfOrder(2))));
}

#[test]
fn an_illegal_transition_in_a_log_is_an_error() {
    let initial = PlanState::initial();
    let applied = PlanState::new(Phase::Apply, ProcessingState::Applied);
    let log = records(vec![created(), moved(Move::Apply, initial, applied)]);
    assert!(matches!(PlanView::of(log[0].plan_id, &log), Err(ViewError::Transition { seq: 2, .. })));
    // A legal move that claims to end elsewhere.
    let log = records(vec![created(), moved(Move::Complete, initial, applied)]);
    assert!(PlanView::of(log[0].plan_id, &log).is_err());
}

#[test]
fn a_record_for_a_changeset_that_was_not_started_is_an_error() {
    let changeset_id = ChangeSetId::new(CountingClock::default().new_id());
    let log = records(vec![created(), Body::Sealed { changeset_id, digest: Digest::of(b"") }]);
    assert!(matches!(PlanView::of(log[0].plan_id, &log), Err(ViewError::UnknownChangeSet { seq: 2, .. })));
}

#[test]
fn a_stored_record_is_checked_against_its_digest_place_and_format() {
    let clock = CountingClock::default();
    let plan = PlanId::new(clock.new_id());
    let sealed = Record::chain(plan, None, clock.now(), vec![created()]).unwrap().remove(0);
    let decode = |seq, payload: &[u8]| Record::decode(&plan, seq, payload, &Digest::of(payload));
    assert_eq!(Record::decode(&plan, 1, &sealed.payload, &sealed.digest).unwrap(), sealed.record);
    for at in 0..sealed.payload.len() {
        let mut bytes = sealed.payload.clone();
        bytes[at] ^= 1;
        let found = Record::decode(&plan, 1, &bytes, &sealed.digest);
        assert!(matches!(found, Err(JournalError::Corrupt { .. })), "byte {at}");
    }
    assert!(matches!(decode(2, &sealed.payload), Err(JournalError::Corrupt { .. })));
    let newer = String::from_utf8(sealed.payload).unwrap().replacen("\"format\":0", "\"format\":7", 1);
    assert!(matches!(decode(1, newer.as_bytes()), Err(JournalError::Newer { found: 7, supported: 0 })));
}

#[tokio::test]
async fn a_writer_that_was_overtaken_commits_nothing() {
    let (clock, journal) = (CountingClock::default(), InMemoryJournal::new());
    let plan = PlanId::new(clock.new_id());
    let batch = |bodies| Batch { recorded_at: clock.now(), bodies, blobs: Vec::new() };
    let head = journal.commit(&plan, 0, batch(vec![created()])).await.unwrap();
    let take_over = Body::TakeOver { reason: "the owner died".into() };
    journal.commit(&plan, head.seq, batch(vec![take_over])).await.unwrap();
    let note = Body::Note { text: "from the grave".into() };
    let late = journal.commit(&plan, head.seq, batch(vec![note])).await;
    assert!(matches!(late, Err(JournalError::Conflict { head: Some(h) }) if h.seq == 2));
    assert_eq!(journal.read(&plan, 1, 10).await.unwrap().len(), 2);
}
