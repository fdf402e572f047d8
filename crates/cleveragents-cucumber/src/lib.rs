//! Runs the features of the workspace. For tests only.
//!
//! The features are in `features/` at the root of the workspace, one file a concept. The World, the steps and the test
//! doubles are in the test target `features` of this package, and nowhere else: in a library the linker may drop steps
//! that nothing calls, and a dropped step is not seen.
//!
//! ```text
//! cargo test -p cleveragents-cucumber                                      every feature
//! cargo test -p cleveragents-cucumber --test features -- --tags @gate      some of them
//! cargo test -p cleveragents-cucumber --test features -- --input PLACE     features from elsewhere
//! ```
//!
//! `PLACE` is a file, a folder or a glob such as `'/abs/glob/*.feature'`; a relative one counts from the root of the
//! workspace. The run is red when a step fails, is undefined or ambiguous, when a scenario has no steps, when a file
//! cannot be parsed, and when nothing was selected.
//!
//! Scenarios tagged `@confined` assert what only confined commands have. Where nothing can be confined they are left
//! out, with a line that says so; with `CLEVERAGENTS_REQUIRE_CONFINED=1` they run there too, and are red. A tag
//! expression on the command line selects exactly what it names.
//!
//! This library holds only what can be tested by itself: [`Request`], the reading of the command line.

mod request;

pub use request::Request;
