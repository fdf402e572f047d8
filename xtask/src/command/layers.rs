//! `cargo xtask layers`: who may depend on whom.
//!
//! A dependency between two packages of the workspace must be in the table of `layer.rs`. Test dependencies have a
//! rule of their own: a product crate may use in its tests what it may use at all, any crate of a lower layer, and
//! the testkit. Only direct dependencies are looked at, those on other crates only in layer 0.

use serde_json::Value;

use super::Verdict;
use crate::layer::{self, IMPURE, Row, TESTKIT, Uses, XTASK};
use crate::metadata::{self, Dependency, Kind, Package};
use crate::workspace::Workspace;

#[cfg(test)]
mod tests;

pub(crate) fn run(workspace: &Workspace) -> Verdict {
    let output = workspace
        .cargo(&["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .map_err(|error| format!("cannot run cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let value = serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))?;
    check(&value)
}

fn check(metadata: &Value) -> Verdict {
    let packages = metadata::packages(metadata)?;
    let wrong: Vec<String> = packages.iter().flat_map(|package| check_package(package, &packages)).collect();
    if wrong.is_empty() {
        Ok(format!("layers: {} packages, every edge is in the table", packages.len()))
    } else {
        Err(wrong.join("\n"))
    }
}

fn check_package(package: &Package, packages: &[Package]) -> Vec<String> {
    let Some(from) = layer::row(&package.name) else {
        return vec![format!("{} has no layer: give it a row in xtask/src/layer.rs", package.name)];
    };
    package
        .dependencies
        .iter()
        .filter_map(|dependency| {
            let ours = layer::row(&dependency.name).is_some()
                || packages.iter().any(|package| package.name == dependency.name);
            if ours { wrong_edge(from, dependency) } else { wrong_crate(from, dependency) }
        })
        .collect()
}

fn wrong_edge(from: &Row, dependency: &Dependency) -> Option<String> {
    // A package without a row is reported by itself.
    let to = layer::row(&dependency.name)?;
    let allowed = match dependency.kind {
        Kind::Normal => may_use(from, to),
        Kind::Dev => may_use(from, to) || may_test_with(from, to),
    };
    if allowed {
        return None;
    }
    let test = if dependency.kind == Kind::Dev { " in its tests" } else { "" };
    Some(format!("{} must not use {}{test}: {}", from.name, to.name, advice(from)))
}

fn may_use(from: &Row, to: &Row) -> bool {
    match from.uses {
        Uses::Only(names) => names.contains(&to.name),
        Uses::Below => to.layer.is_some() && to.layer < from.layer,
        Uses::Anything => to.name != XTASK && to.name != from.name,
    }
}

fn may_test_with(from: &Row, to: &Row) -> bool {
    from.layer.is_some() && (to.name == TESTKIT || (to.layer.is_some() && to.layer < from.layer))
}

fn wrong_crate(from: &Row, dependency: &Dependency) -> Option<String> {
    let impure = IMPURE.contains(&dependency.name.as_str());
    (impure && from.layer == Some(0) && dependency.kind == Kind::Normal).then(|| {
        format!(
            "{} is of layer 0 and must not use {}: take its result as an argument",
            from.name, dependency.name
        )
    })
}

fn advice(from: &Row) -> String {
    match from.uses {
        Uses::Only([]) => "it may use no crate of the workspace".to_owned(),
        Uses::Only(names) => format!("it may use {}", names.join(", ")),
        Uses::Below => "it may use the crates of lower layers".to_owned(),
        Uses::Anything => "it may use anything but the checks".to_owned(),
    }
}
