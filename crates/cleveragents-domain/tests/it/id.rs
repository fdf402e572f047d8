//! Ids: one text, one id.

use cleveragents_domain::{Clock, CountingClock, PlanId, RootId};

#[test]
fn the_error_names_the_field() {
    for (text, words) in
        [("", "must not be empty"), ("x", "must be a ULID"), ("8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "0 to 7")]
    {
        let error = PlanId::parse(text).unwrap_err();
        assert_eq!(error.field(), "plan_id");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn an_overflowing_text_is_no_second_name_of_another_id() {
    // The ulid crate reads 8ZZ… as 0ZZ…: two texts, one id.
    assert!(PlanId::parse("8ZZZZZZZZZZZZZZZZZZZZZZZZZ").is_err());
    assert!(PlanId::parse("7ZZZZZZZZZZZZZZZZZZZZZZZZZ").is_ok());
    assert!(serde_json::from_str::<PlanId>("\"8ZZZZZZZZZZZZZZZZZZZZZZZZZ\"").is_err());
}

#[test]
fn lower_case_is_the_same_id() {
    let id = PlanId::new(CountingClock::default().new_id());
    assert_eq!(PlanId::parse(&id.as_str().to_lowercase()).unwrap(), id);
    assert_eq!(id.as_str().len(), 26);
}

#[test]
fn ids_sort_in_the_order_in_which_they_were_made() {
    let clock = CountingClock::default();
    let ids: Vec<PlanId> = (0..100).map(|_| PlanId::new(clock.new_id())).collect();
    assert!(ids.windows(2).all(|pair| pair[0] < pair[1] && pair[0].as_str() < pair[1].as_str()));
}

#[test]
fn a_root_name_is_plain() {
    assert!(RootId::parse("project").is_ok());
    let long = "x".repeat(65);
    for bad in ["", "a/b", "Über", "..", "a b", long.as_str()] {
        assert!(RootId::parse(bad).is_err(), "{bad:?}");
    }
}
