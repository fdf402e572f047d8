//! Whether scenarios that assert confinement can run on this machine.

use std::sync::OnceLock;

use cleveragents_tools::Confinement;

/// When it is set, `@confined` scenarios run everywhere, and are red where nothing can be confined.
pub(crate) const REQUIRED: &str = "CLEVERAGENTS_REQUIRE_CONFINED";

/// What this machine offers, found out once.
pub(crate) fn probed() -> &'static Confinement {
    static PROBED: OnceLock<Confinement> = OnceLock::new();
    PROBED.get_or_init(Confinement::probe)
}

/// Whether `@confined` scenarios run.
pub(crate) fn runs_confined() -> bool {
    probed().is_confined()
        || std::env::var_os(REQUIRED).is_some_and(|value| !value.is_empty() && value != "0")
}
