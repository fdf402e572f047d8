//! A real project in a folder of the scenario's own.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use cleveragents_domain::Gate;
use cleveragents_tools::{Confinement, builtin};
use cucumber::gherkin::Step;
use cucumber::{given, then, when};

use crate::confinement::probed;
use crate::tree::Node;
use crate::world::World;

/// A table of files: path, content (one line; a line end is added), mode.
#[given(expr = "a project with the files:")]
fn a_project(world: &mut World, step: &Step) {
    let project = world.home.path().join("project");
    std::fs::create_dir(&project).unwrap();
    for row in &step.table.as_ref().expect("a table of files").rows[1..] {
        let [path, content, mode] = &row[..] else { panic!("three columns: path, content, mode") };
        let file = project.join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, if content.is_empty() { String::new() } else { format!("{content}\n") })
            .unwrap();
        let mode = u32::from_str_radix(mode, 8).expect("an octal mode");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    }
    world.planned.project = Some(project);
    world.planned.pristine = world.project_tree();
}

#[given(expr = "the built-in tools")]
fn builtin_tools(world: &mut World) {
    // What these scenarios are about needs no command, so none is given a chance.
    let nothing = Confinement::Unconfined { reason: "no command runs in this scenario".to_owned() };
    world.tools = builtin(nothing).unwrap();
}

#[given(expr = "the built-in tools with the best confinement of this machine")]
fn builtin_tools_confined(world: &mut World) {
    world.tools = builtin(probed().clone()).unwrap();
}

#[given(expr = "a plan of a person, strategized, from the file:")]
async fn a_strategized_plan(world: &mut World, step: &Step) {
    let text = step.docstring.as_ref().expect("a plan file");
    world.planned.file = Some(cleveragents_application::PlanFile::parse(text).expect("a plan file"));
    world.planned.consent = [Gate::Strategize, Gate::Execute].into();
    let (lifecycle, file) = (world.lifecycle(), world.planned.file.clone().unwrap());
    world.planned.id = Some(lifecycle.create(&file).await.unwrap());
    world.strategize().await.unwrap();
}

#[given(expr = "somebody edits {string} to say {string}")]
#[when(expr = "somebody edits {string} to say {string}")]
fn edited(world: &mut World, path: String, content: String) {
    let file = world.project().join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, format!("{content}\n")).unwrap();
}

#[given(expr = "somebody deletes {string}")]
fn deleted(world: &mut World, path: String) {
    std::fs::remove_file(world.project().join(path)).unwrap();
}

#[given(expr = "the project is remembered as it is")]
#[when(expr = "the project is remembered as it is")]
fn remembered(world: &mut World) {
    world.planned.remembered = world.project_tree();
}

#[then(expr = "the project should be exactly as it was remembered")]
fn as_remembered(world: &mut World) {
    assert_eq!(world.project_tree(), world.planned.remembered);
}

#[then(expr = "the project should be exactly as it was")]
fn untouched(world: &mut World) {
    assert_eq!(world.project_tree(), world.planned.pristine);
}

#[then(expr = "the project file {string} should say {string}")]
fn says(world: &mut World, path: String, content: String) {
    let Some(Node::File { content: found, .. }) = world.project_tree().remove(&path) else {
        panic!("{path} is no file")
    };
    assert_eq!(String::from_utf8_lossy(&found), format!("{content}\n"));
}

#[then(expr = "the project file {string} should have the mode {word}")]
fn has_mode(world: &mut World, path: String, mode: String) {
    let Some(Node::File { mode: found, .. }) = world.project_tree().remove(&path) else {
        panic!("{path} is no file")
    };
    assert_eq!(format!("{found:o}"), mode);
}

#[then(expr = "there should be no {string} in the project")]
fn is_absent(world: &mut World, path: String) {
    assert!(!world.project_tree().contains_key(&path));
}

#[then(expr = "the sandbox file {string} should say {string}")]
async fn sandbox_says(world: &mut World, path: String, content: String) {
    assert_eq!(in_sandbox(world, &path).await, Some(format!("{content}\n")));
}

#[then(expr = "there should be no {string} in the sandbox")]
async fn not_in_sandbox(world: &mut World, path: String) {
    assert_eq!(in_sandbox(world, &path).await, None);
}

/// The scenario's folder holds what the steps put there, and nothing else.
#[then(expr = "there should be nothing beside the project but what belongs there")]
fn nothing_else(world: &mut World) {
    let known = ["project", "project.lock", "sandbox", "journal"];
    for entry in std::fs::read_dir(world.home.path()).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(known.iter().any(|known| name == *known), "{}", name.display());
    }
    assert!(!std::path::Path::new("/escape.txt").exists());
}

#[then(expr = "every command should say how it was confined")]
async fn says_how(world: &mut World) {
    were(world, probed().as_str().to_owned()).await;
}

#[then(expr = "every command should have been {string}")]
async fn were(world: &mut World, how: String) {
    let set = world.changeset().await;
    assert!(!set.invocations().is_empty());
    for invocation in set.invocations() {
        assert_eq!(invocation.confinement.as_deref(), Some(how.as_str()));
    }
}

#[when(expr = "{int} second(s) passes/pass")]
async fn time_passes(_: &mut World, seconds: u64) {
    tokio::time::sleep(std::time::Duration::from_secs(seconds)).await;
}

/// What the workspace itself shows, through a turn that changes nothing.
async fn in_sandbox(world: &World, path: &str) -> Option<String> {
    let workspace = Arc::clone(world.planned.workspace.as_ref().expect("execute has run"));
    let attempt = workspace.begin().await.expect("the sandbox is settled");
    let path = cleveragents_domain::RelPath::from_text(path).unwrap();
    let files = attempt.files();
    let found = files.info(&path).unwrap();
    let content = found.map(|_| String::from_utf8(files.read(&path, 0, 1 << 20).unwrap()).unwrap());
    attempt.discard().await.unwrap();
    content
}
