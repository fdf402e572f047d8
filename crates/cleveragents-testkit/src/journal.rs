//! The contract of `Journal` and `Blobs`: one law a function, for every store.
//!
//! [`journal_contract!`](crate::journal_contract) makes one test of each.

mod blob;
mod log;
mod race;
mod sample;

pub use blob::{
    contents_come_back_as_they_went_in, damaged_names_are_missing, kept_twice_is_kept_once,
    the_same_bytes_have_one_name,
};
pub use log::{
    a_batch_needs_a_record, a_conflict_writes_nothing, a_log_is_read_in_pages,
    a_refused_batch_leaves_no_blob, a_stranger_has_no_log, missing_content_is_refused,
    plans_are_listed_newest_first, records_are_numbered_and_chained, too_large_is_refused,
};
pub use race::{many_plans_at_once, one_winner_per_position};
pub use sample::Sample;

/// One test for each law of the journal. `$make` is evaluated for each; it gives an `Arc<dyn Store>` over a new, empty
/// store and something to keep alive with it.
///
/// ```ignore
/// cleveragents_testkit::journal_contract!((Arc::new(InMemoryJournal::new()), ()));
/// ```
#[macro_export]
macro_rules! journal_contract {
    ($make:expr) => {
        $crate::journal_contract!(@each $make;
            a_stranger_has_no_log,
            records_are_numbered_and_chained,
            a_conflict_writes_nothing,
            a_batch_needs_a_record,
            missing_content_is_refused,
            a_refused_batch_leaves_no_blob,
            too_large_is_refused,
            plans_are_listed_newest_first,
            a_log_is_read_in_pages,
            contents_come_back_as_they_went_in,
            the_same_bytes_have_one_name,
            kept_twice_is_kept_once,
            damaged_names_are_missing,
            one_winner_per_position,
            many_plans_at_once,
        );
    };
    (@each $make:expr; $($law:ident),+ $(,)?) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $law() {
                let (store, _alive) = $make;
                $crate::journal::$law(store).await;
            }
        )+
    };
}
