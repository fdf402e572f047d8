//! Running git on its own, without the user's settings.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

pub(crate) fn command(root: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(root).env_clear();
    git.env("PATH", std::env::var_os("PATH").unwrap());
    git.env("GIT_CEILING_DIRECTORIES", root.parent().unwrap());
    git.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", "/dev/null");
    for who in ["AUTHOR", "COMMITTER"] {
        git.env(format!("GIT_{who}_NAME"), "test").env(format!("GIT_{who}_EMAIL"), "test@localhost");
    }
    git
}

/// What git writes, if it is content.
pub(crate) fn run(root: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = command(root).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// Hands `input` to a command; its error output if it fails.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> Result<Vec<u8>, String> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    let _ = writer.join().unwrap();
    let said = [&output.stdout[..], &output.stderr].concat();
    if output.status.success() { Ok(output.stdout) } else { Err(String::from_utf8_lossy(&said).into_owned()) }
}
