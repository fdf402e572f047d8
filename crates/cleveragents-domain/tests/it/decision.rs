//! What makes a list of decisions a tree.

use cleveragents_domain::{
    Clock, CountingClock, DecisionId, DecisionKind, DecisionTree, DecisionTreeError, PlanId, StrategyDecision,
};

fn decision(clock: &CountingClock, parent: Option<DecisionId>) -> StrategyDecision {
    StrategyDecision {
        id: DecisionId::new(clock.new_id()),
        plan_id: PlanId::parse("01ARZ3NDEKTSV4RRFFQ69G5FAV").unwrap(),
        parent,
        sequence: 0,
        kind: if parent.is_none() {
            DecisionKind::PromptDefinition
        } else {
            DecisionKind::ImplementationChoice
        },
        question: "?".into(),
        chosen: "!".into(),
        alternatives: Vec::new(),
        rationale: String::new(),
        depends_on: Vec::new(),
        calls: Vec::new(),
        superseded: false,
    }
}

#[test]
fn one_root_and_every_name_known_before_it_is_used() {
    let clock = CountingClock::default();
    let root = decision(&clock, None);
    let child = decision(&clock, Some(root.id));
    let grandchild = decision(&clock, Some(child.id));
    let tree = DecisionTree::new(vec![root.clone(), child.clone(), grandchild.clone()]).unwrap();
    assert_eq!(tree.depth(&grandchild), 2);

    let two_roots = DecisionTree::new(vec![root.clone(), decision(&clock, None)]);
    assert_eq!(two_roots.unwrap_err(), DecisionTreeError::Roots(2));
    assert_eq!(DecisionTree::new(vec![]).unwrap_err(), DecisionTreeError::Roots(0));
    let backwards = DecisionTree::new(vec![root.clone(), grandchild, child.clone()]);
    assert!(matches!(backwards, Err(DecisionTreeError::Unknown { role: "parent", .. })));
    let twice = DecisionTree::new(vec![root.clone(), child.clone(), child.clone()]);
    assert!(matches!(twice, Err(DecisionTreeError::Duplicate(_))));
    let mut orphan = child;
    orphan.parent = None;
    assert!(matches!(DecisionTree::new(vec![root, orphan]), Err(DecisionTreeError::Orphan(_))));
}
