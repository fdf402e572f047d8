//! Entries, their fold, and the store's promises.

use std::collections::BTreeMap;
use std::sync::Arc;

use cleveragents_domain::{
    Attribution, ChangeEntry, ChangeSetId, ChangeSetStore, ChangeSetStoreError, Clock, CountingClock,
    DecisionId, EntryId, InMemoryChangeSetStore, NodeKind, NodeState, Operation, PlanId, RelPath, RootId,
    SpecChangeSet, ToolCallId,
};
use proptest::prelude::*;

struct Maker {
    clock: CountingClock,
    set: SpecChangeSet,
}

impl Maker {
    fn new() -> Self {
        let clock = CountingClock::default();
        let (id, plan) = (ChangeSetId::new(clock.new_id()), PlanId::new(clock.new_id()));
        let set = SpecChangeSet::new(id, plan, clock.now());
        Self { clock, set }
    }

    fn entry(&self, path: &str, before: Option<NodeState>, after: Option<NodeState>) -> ChangeEntry {
        ChangeEntry {
            id: EntryId::new(self.clock.new_id()),
            changeset_id: self.set.id(),
            root: RootId::project(),
            decision_id: DecisionId::new(self.clock.new_id()),
            attribution: Attribution::ToolCall(ToolCallId::new(self.clock.new_id())),
            path: RelPath::from_text(path).unwrap(),
            before,
            after,
            lines: None,
            recorded_at: self.clock.now(),
        }
    }
}

fn states() -> Vec<Option<NodeState>> {
    vec![
        None,
        Some(NodeState::file(b"", 0o644)),
        Some(NodeState::file(b"text\n", 0o644)),
        Some(NodeState::file(b"text\n", 0o755)),
        Some(NodeState::symlink(b"there")),
        Some(NodeState::symlink(b"nowhere")),
        Some(NodeState::directory(0o755)),
        Some(NodeState::directory(0o700)),
        Some(NodeState::special(0o600)),
    ]
}

#[test]
fn the_operation_comes_from_the_states_for_every_pair() {
    for before in states() {
        for after in states() {
            let got = Operation::between(before.as_ref(), after.as_ref());
            let want = match (&before, &after) {
                (b, a) if b == a => None,
                (None, _) => Some("create"),
                (_, None) => Some("delete"),
                (Some(b), Some(a)) if b.kind != a.kind => Some("kind_change"),
                (Some(b), Some(a)) if b.content == a.content => Some("mode"),
                _ => Some("modify"),
            };
            assert_eq!(got.map(Operation::as_str), want, "{before:?} -> {after:?}");
        }
    }
}

#[test]
fn an_empty_file_is_a_change_and_so_is_a_deletion() {
    let mut maker = Maker::new();
    let created = maker.entry("marker", None, Some(NodeState::file(b"", 0o644)));
    let deleted = maker.entry("gone", Some(NodeState::file(b"x", 0o600)), None);
    maker.set.record(created).unwrap();
    maker.set.record(deleted).unwrap();
    assert_eq!(maker.set.net().len(), 2);
    assert_eq!(maker.set.summary().operations, BTreeMap::from([("create".into(), 1), ("delete".into(), 1)]));
}

#[test]
fn what_no_store_may_accept() {
    let mut maker = Maker::new();
    let same = maker.entry("a", None, None);
    assert_eq!(maker.set.record(same).unwrap_err().field(), "after");
    let mut hashless = maker.entry("a", None, Some(NodeState::file(b"x", 0o644)));
    hashless.after.as_mut().unwrap().content = None;
    assert_eq!(maker.set.record(hashless).unwrap_err().field(), "after.content");
    let mut wide = maker.entry("a", None, Some(NodeState::directory(0o755)));
    wide.after.as_mut().unwrap().mode = 0o100_755;
    assert_eq!(maker.set.record(wide).unwrap_err().field(), "after.mode");
    let stranger = Maker::new().entry("a", None, Some(NodeState::directory(0o755)));
    let mut other = stranger.clone();
    other.changeset_id = ChangeSetId::new(maker.clock.new_id());
    assert_eq!(maker.set.record(other).unwrap_err().field(), "changeset_id");
    assert!(maker.set.entries().is_empty());
}

#[test]
fn recording_twice_is_recording_once_and_a_seal_ends_it() {
    let mut maker = Maker::new();
    let first = maker.entry("a", None, Some(NodeState::directory(0o755)));
    let second = maker.entry("b", None, Some(NodeState::directory(0o755)));
    for entry in [&first, &second, &first, &second] {
        maker.set.record(entry.clone()).unwrap();
    }
    assert_eq!(maker.set.entries().len(), 2);
    let read_back: SpecChangeSet = serde_json::from_str(&serde_json::to_string(&maker.set).unwrap()).unwrap();
    let mut again = read_back;
    again.record(first.clone()).unwrap();
    assert_eq!(again.entries().len(), 2);

    maker.set.close(maker.set.digest());
    maker.set.record(first).unwrap();
    let late = maker.entry("c", None, Some(NodeState::directory(0o755)));
    assert!(maker.set.record(late).unwrap_err().to_string().contains("sealed"));
}

type Change = Box<dyn Fn(&mut ChangeEntry)>;

#[test]
fn the_digest_changes_with_anything_that_changes() {
    let mut maker = Maker::new();
    let empty = maker.set.digest();
    let entry = maker.entry("a", None, Some(NodeState::file(b"x", 0o644)));
    maker.set.record(entry.clone()).unwrap();
    let digest = maker.set.digest();
    assert_ne!(empty, digest);
    let changed: Vec<Change> = vec![
        Box::new(|e| e.path = RelPath::from_text("b").unwrap()),
        Box::new(|e| e.after = Some(NodeState::file(b"y", 0o644))),
        Box::new(|e| e.after = Some(NodeState::file(b"x", 0o600))),
        Box::new(|e| e.before = Some(NodeState::directory(0o755))),
        Box::new(|e| e.attribution = Attribution::Outside),
        Box::new(|e| e.root = RootId::parse("other").unwrap()),
    ];
    for change in changed {
        let mut other = SpecChangeSet::new(maker.set.id(), maker.set.plan_id(), maker.set.started_at());
        let mut entry = entry.clone();
        change(&mut entry);
        other.record(entry).unwrap();
        assert_ne!(other.digest(), digest);
    }
}

#[test]
fn outside_entries_are_shown_and_left_out_of_the_net() {
    let mut maker = Maker::new();
    let mut outside = maker.entry("a", None, Some(NodeState::directory(0o755)));
    outside.attribution = Attribution::Outside;
    maker.set.record(outside).unwrap();
    assert!(maker.set.net().is_empty());
    assert_eq!((maker.set.outside().count(), maker.set.summary().outside), (1, 1));
}

proptest! {
    /// Folding a chain of entries gives, per path, the first before and the last after.
    #[test]
    fn the_net_of_a_chain_is_its_ends(steps in proptest::collection::vec((0..3usize, 0..9usize), 1..40)) {
        let mut maker = Maker::new();
        let states = states();
        let mut now: BTreeMap<String, Option<NodeState>> = BTreeMap::new();
        for (path, state) in steps {
            let path = format!("p{path}");
            let before = now.get(&path).cloned().flatten();
            let after = states[state].clone();
            if before != after {
                let entry = maker.entry(&path, before, after.clone());
                maker.set.record(entry).unwrap();
                now.insert(path, after);
            }
        }
        let net: BTreeMap<String, Option<NodeState>> =
            maker.set.net().into_iter().map(|c| { assert_eq!(c.before, None); (c.path.to_text(), c.after) }).collect();
        let want: BTreeMap<String, Option<NodeState>> = now.into_iter().filter(|(_, s)| s.is_some()).collect();
        prop_assert_eq!(net, want);
    }
}

#[test]
fn kinds_keep_their_stored_names() {
    let names: Vec<String> = [NodeKind::File, NodeKind::Symlink, NodeKind::Directory, NodeKind::Special]
        .iter()
        .map(|k| serde_json::to_string(k).unwrap())
        .collect();
    assert_eq!(names, [r#""file""#, r#""symlink""#, r#""directory""#, r#""special""#]);
}

#[tokio::test]
async fn an_unknown_changeset_is_none_to_get_and_an_error_to_record() {
    let maker = Maker::new();
    let store = InMemoryChangeSetStore::new(Arc::new(CountingClock::default()));
    let unknown = maker.set.id();
    assert!(store.get(&unknown).await.unwrap().is_none());
    let entry = maker.entry("a", None, Some(NodeState::directory(0o755)));
    let refused = store.record(&unknown, entry).await.unwrap_err();
    assert!(matches!(refused, ChangeSetStoreError::UnknownChangeSet(id) if id == unknown));
    assert!(store.summarize(&unknown).await.is_err());
    let plan = maker.set.plan_id();
    let first = store.start(&plan).await.unwrap();
    let second = store.start(&plan).await.unwrap();
    let ids: Vec<ChangeSetId> =
        store.get_for_plan(&plan).await.unwrap().iter().map(SpecChangeSet::id).collect();
    assert_eq!(ids, [first, second]);
}
