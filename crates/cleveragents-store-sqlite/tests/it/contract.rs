use std::sync::Arc;

use crate::support::open;

fn fresh() -> (Arc<cleveragents_store_sqlite::SqliteStore>, tempfile::TempDir) {
    let home = tempfile::tempdir().unwrap();
    (Arc::new(open(home.path())), home)
}

cleveragents_testkit::journal_contract!(fresh());
