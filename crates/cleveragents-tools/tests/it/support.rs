use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;

use cleveragents_testkit::fake::Scene;
use cleveragents_tools::{Confinement, builtin};
use serde_json::Value;

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

/// A name of any bytes.
pub(crate) fn os(name: &[u8]) -> &OsStr {
    OsStr::from_bytes(name)
}

/// Makes a symbolic link in the sandbox.
pub(crate) fn link(scene: &Scene, target: &str, name: &str) {
    std::os::unix::fs::symlink(target, scene.workspace().sandbox().join(name)).unwrap();
}

/// The paths in a list of an answer.
pub(crate) fn paths(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap().to_owned()).collect()
}
