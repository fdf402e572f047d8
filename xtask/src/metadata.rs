//! What `cargo metadata --no-deps` says, as far as the checks need it.

use serde_json::Value;

/// A package of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) dependencies: Vec<Dependency>,
}

/// One line of its manifest. The name is the package's own, whatever the manifest renames it to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    pub(crate) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Normal and build dependencies: both are needed to build the package.
    Normal,
    Dev,
}

/// The packages of the workspace. Anything unexpected is an error: a check must not pass because it saw nothing.
pub(crate) fn packages(metadata: &Value) -> Result<Vec<Package>, String> {
    let packages = list(metadata, "packages")?.iter().map(package).collect::<Result<Vec<_>, _>>()?;
    if packages.is_empty() { Err("cargo metadata names no package".to_owned()) } else { Ok(packages) }
}

fn package(value: &Value) -> Result<Package, String> {
    let dependencies = list(value, "dependencies")?.iter().map(dependency).collect::<Result<_, _>>()?;
    Ok(Package { name: name(value)?, dependencies })
}

fn dependency(value: &Value) -> Result<Dependency, String> {
    let kind = match value.get("kind") {
        Some(Value::Null) => Kind::Normal,
        Some(Value::String(kind)) if kind == "build" => Kind::Normal,
        Some(Value::String(kind)) if kind == "dev" => Kind::Dev,
        other => return Err(format!("cargo metadata has a dependency of an unknown kind: {other:?}")),
    };
    Ok(Dependency { name: name(value)?, kind })
}

fn name(value: &Value) -> Result<String, String> {
    value.get("name").and_then(Value::as_str).map(str::to_owned).ok_or_else(|| missing("name"))
}

fn list<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>, String> {
    value.get(key).and_then(Value::as_array).ok_or_else(|| missing(key))
}

fn missing(key: &str) -> String {
    format!("cargo metadata lacks {key}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Dependency, Kind, Package, packages};

    #[test]
    fn reads_names_and_kinds() {
        let metadata = json!({"packages": [{"name": "a", "dependencies": [
            {"name": "b", "kind": null}, {"name": "c", "kind": "build"}, {"name": "d", "kind": "dev", "rename": "x"},
        ]}]});
        let dependency = |name: &str, kind| Dependency { name: name.to_owned(), kind };
        let dependencies =
            vec![dependency("b", Kind::Normal), dependency("c", Kind::Normal), dependency("d", Kind::Dev)];
        assert_eq!(packages(&metadata), Ok(vec![Package { name: "a".to_owned(), dependencies }]));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(packages(&json!({})).is_err());
        assert!(packages(&json!({"packages": []})).is_err());
        assert!(packages(&json!({"packages": [{"name": "a"}]})).is_err());
        let odd = json!({"packages": [{"name": "a", "dependencies": [{"name": "b", "kind": "odd"}]}]});
        assert!(packages(&odd).is_err());
    }
}
