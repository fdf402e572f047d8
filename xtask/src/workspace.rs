//! The workspace on disk, and cargo in it.

use std::path::PathBuf;
use std::process::Command;

pub(crate) struct Workspace {
    root: PathBuf,
}

impl Workspace {
    /// The workspace of this package when cargo runs it, else the current folder.
    pub(crate) fn open() -> Self {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root = package.and_then(|package| package.parent().map(PathBuf::from));
        Self { root: root.unwrap_or_else(|| PathBuf::from(".")) }
    }

    /// The cargo that runs this program.
    pub(crate) fn cargo(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(arguments).current_dir(&self.root);
        command
    }

    pub(crate) fn read(&self, name: &str) -> Result<String, String> {
        std::fs::read_to_string(self.root.join(name)).map_err(|error| format!("cannot read {name}: {error}"))
    }
}
