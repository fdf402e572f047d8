//! What an attempt failed with.

use cucumber::then;

use crate::world::World;

#[then(expr = "the plan execution context should raise a ValidationError")]
fn raises_a_validation_error(world: &mut World) {
    world.problem().validation();
}

#[then(expr = "the plan execution context should raise a ValidationError containing {string}")]
fn raises_a_validation_error_about(world: &mut World, words: String) {
    let error = world.problem().validation();
    assert!(error.to_string().contains(&words), "{error}");
}

#[then(expr = "it should raise a ValidationError about {string}")]
fn the_first_field_is(world: &mut World, field: String) {
    assert_eq!(world.problem().validation().field(), field);
}

#[then(expr = "the attempt should fail with {string}")]
fn fails_with_the_code(world: &mut World, code: String) {
    let error = world.problem().plan();
    assert_eq!(error.code(), code, "{error}");
}

#[then(expr = "the message should contain {string}")]
fn the_message_contains(world: &mut World, words: String) {
    let text = world.problem().to_string();
    assert!(text.contains(&words), "{text}");
}

#[then(expr = "the attempt should succeed")]
fn succeeds(world: &mut World) {
    assert!(world.problem.is_none(), "{:?}", world.problem);
}
