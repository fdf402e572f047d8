//! The reference implementations against the contracts.

mod journal {
    use std::sync::Arc;

    use cleveragents_domain::InMemoryJournal;

    cleveragents_testkit::journal_contract!((Arc::new(InMemoryJournal::new()), ()));
}
