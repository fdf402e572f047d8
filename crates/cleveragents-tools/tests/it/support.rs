use cleveragents_testkit::fake::Scene;
use cleveragents_tools::{Confinement, builtin};

/// A scene for the file tools.
pub(crate) fn scene() -> Scene {
    unconfined()
}

/// A scene on a machine without bubblewrap.
pub(crate) fn unconfined() -> Scene {
    let empty = tempfile::tempdir().unwrap();
    let confinement = Confinement::probe_in(Some(empty.path().as_os_str()));
    assert!(!confinement.is_confined());
    Scene::new(builtin(confinement).unwrap())
}

/// A scene with a confined shell; `None` where the machine offers none, which `CLEVERAGENTS_REQUIRE_CONFINED` forbids.
pub(crate) fn confined() -> Option<Scene> {
    let confinement = Confinement::probe();
    if confinement.is_confined() {
        return Some(Scene::new(builtin(confinement).unwrap()));
    }
    assert!(std::env::var_os("CLEVERAGENTS_REQUIRE_CONFINED").is_none(), "{confinement:?}");
    None
}

/// Every way to run a command that this machine has.
pub(crate) fn shells() -> Vec<Scene> {
    std::iter::once(unconfined()).chain(confined()).collect()
}
