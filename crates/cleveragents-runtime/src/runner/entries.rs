//! From observed effects to change entries.

use cleveragents_diff::{is_binary, line_counts};
use cleveragents_domain::{
    Attribution, ChangeEntry, Discarded, EntryId, LineCounts, NodeKind, NodeState, RootId, Timestamp,
};

use super::Scope;
use crate::workspace::{Content, Effect};
use cleveragents_domain::DecisionId;

/// Turns effects into entries, and hands out the contents that they name.
pub(crate) fn entries(
    effects: Vec<Effect>,
    scope: &Scope<'_>,
    decision_id: DecisionId,
    attribution: Attribution,
    recorded_at: Timestamp,
    contents: &mut Vec<Content>,
) -> Vec<ChangeEntry> {
    effects
        .into_iter()
        .map(|effect| {
            let lines = lines(&effect);
            contents.extend([effect.before_content, effect.after_content]);
            ChangeEntry {
                id: EntryId::new(scope.clock.new_id()),
                changeset_id: scope.changeset_id,
                root: scope.root.clone(),
                decision_id,
                attribution,
                path: effect.path,
                before: effect.before,
                after: effect.after,
                lines,
                recorded_at,
            }
        })
        .collect()
}

/// What a failed call had done, for the record.
pub(crate) fn discarded(effects: &[Effect], root: &RootId) -> Vec<Discarded> {
    let one = |effect: &Effect| {
        effect.operation().map(|operation| Discarded {
            root: root.clone(),
            path: effect.path.clone(),
            operation,
        })
    };
    effects.iter().filter_map(one).collect()
}

/// Lines added and removed, when both sides are text (or absent) and small enough to be held.
fn lines(effect: &Effect) -> Option<LineCounts> {
    let before = text(effect.before.as_ref(), &effect.before_content)?;
    let after = text(effect.after.as_ref(), &effect.after_content)?;
    let counts = line_counts(before, after);
    Some(LineCounts { added: counts.added, removed: counts.removed })
}

fn text<'a>(state: Option<&NodeState>, content: &'a Content) -> Option<&'a [u8]> {
    match (state.map(|s| s.kind), content) {
        (None, _) => Some(b""),
        (Some(NodeKind::File), Content::Small(bytes)) => (!is_binary(bytes)).then_some(bytes),
        _ => None,
    }
}
