//! The tool itself: input, gates, result.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use async_trait::async_trait;
use cleveragents_runtime::domain::Gate;
use cleveragents_runtime::{Capabilities, Tool, ToolContext, ToolError, ToolOutput, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::confinement::Confinement;
use super::directory::working_directory;
use super::output::{self, Kept};
use super::process::{self, End, Ended};
use super::{duration, environment};
use crate::input;

#[derive(Deserialize)]
struct Input {
    command: Option<String>,
    argv: Option<Vec<String>>,
    cwd: Option<String>,
    timeout: Option<Value>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default)]
    network: bool,
}

/// See the module.
pub(crate) struct Shell {
    spec: ToolSpec,
    confinement: Confinement,
}

impl Shell {
    pub(crate) fn new(confinement: Confinement) -> Self {
        let properties = json!({
            "command": {
                "type": "string",
                "minLength": 1,
                "description": "A command for `/bin/sh -c`. Give exactly one of command and argv."
            },
            "argv": {
                "type": "array",
                "minItems": 1,
                "items": { "type": "string" },
                "description": "A program and its arguments, without a shell."
            },
            "cwd": {
                "type": "string",
                "description": "The directory to run in, relative to the project. Default: the project."
            },
            "timeout": {
                "type": ["number", "string"],
                "description": "After how long the command is killed: seconds, or text such as \"300s\" or \"5m\"."
            },
            "env": {
                "type": "object",
                "additionalProperties": { "type": "string" },
                "description": "Environment variables, beside a few usual ones. No others are inherited."
            },
            "network": {
                "type": "boolean",
                "description": "true asks for the network, which policy may refuse. Default false: there is none."
            },
        });
        let spec = ToolSpec {
            name: "shell".to_owned(),
            description: "Runs a command in the project and returns its exit code, output and error output. It sees the \
                          project at its usual path, and can write only there and in /tmp, which is empty at each call. \
                          Nothing it starts lives on after the call, so do not start servers in the background. It has \
                          no input and no terminal. An exit code other than 0 is a failure."
                .to_owned(),
            input_schema: input::object(&[], properties),
            capabilities: Capabilities {
                runs_commands: true,
                network: true,
                unsafe_: !confinement.is_confined(),
                ..Capabilities::default()
            },
        };
        Self { spec, confinement }
    }

    /// Everything about the process but the process.
    fn prepare(&self, input: Input, context: &ToolContext) -> Result<(Command, Setting), ToolError> {
        let argv: Vec<OsString> = match (input.command, input.argv) {
            (Some(command), None) => vec!["/bin/sh".into(), "-c".into(), command.into()],
            (None, Some(argv)) => argv.into_iter().map(Into::into).collect(),
            _ => return Err(ToolError::failed("give exactly one of command and argv")),
        };
        let timeout = input.timeout.as_ref().map(duration::parse).transpose().map_err(ToolError::failed)?;
        environment::check(&input.env).map_err(ToolError::failed)?;
        let root = context.command_root()?;
        let cwd = working_directory(&root, input.cwd.as_deref())?;
        let network = input.network && context.granted(Gate::Network);
        let environment = environment::environment(self.confinement.root(&root), input.env);
        let command = self.confinement.command(&root, &cwd, &argv, &environment, network);
        Ok((command, Setting { cwd, timeout, network, alive: root.alive }))
    }

    fn output(&self, ended: Ended, setting: &Setting, limit: u64) -> ToolOutput {
        let mut value = Map::new();
        value.insert("exit_code".to_owned(), ended.exit_code.into());
        if let Some(signal) = ended.signal {
            value.insert("signal".to_owned(), signal.into());
        }
        output::insert(&mut value, ended.stdout, ended.stderr, limit);
        let cwd = if setting.cwd.as_os_str().is_empty() { ".".into() } else { setting.cwd.to_string_lossy() };
        value.insert("cwd".to_owned(), cwd.into());
        let network = match (&self.confinement, setting.network) {
            (Confinement::Confined { .. }, true) => "on",
            (Confinement::Confined { .. }, false) => "off",
            (Confinement::Unconfined { .. }, _) => "not cut off: the command ran unconfined",
        };
        value.insert("network".to_owned(), network.into());
        if let Confinement::Unconfined { reason } = &self.confinement {
            value.insert("unconfined_because".to_owned(), reason.clone().into());
        }
        if ended.stragglers {
            value.insert(
                "note".to_owned(),
                "a process that the command started still held its output open".into(),
            );
        }
        ToolOutput { value: Value::Object(value), confinement: Some(self.confinement.as_str().to_owned()) }
    }
}

/// What a command runs with, for the result.
struct Setting {
    cwd: PathBuf,
    timeout: Option<Duration>,
    network: bool,
    alive: Option<PathBuf>,
}

#[async_trait]
impl Tool for Shell {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn problems(&self, input: &Value) -> Vec<String> {
        let mut problems: Vec<String> = input::exactly_one(input, "command", "argv").into_iter().collect();
        if !matches!(input["cwd"].as_str(), None | Some("" | "." | "./")) {
            problems.extend(input::path_problems(input, &["cwd"]));
        }
        problems.extend(input.get("timeout").and_then(|t| duration::parse(t).err()));
        if let Ok(Input { env, .. }) = input::parse(input) {
            problems.extend(environment::check(&env).err());
        }
        problems
    }

    fn gates(&self, input: &Value) -> BTreeSet<Gate> {
        let mut gates = BTreeSet::from([Gate::Shell]);
        if !self.confinement.is_confined() {
            gates.insert(Gate::Unsafe);
        }
        if input.get("network").and_then(Value::as_bool).unwrap_or_default() {
            gates.insert(Gate::Network);
        }
        gates
    }

    async fn call(&self, input: &Value, context: &ToolContext) -> Result<ToolOutput, ToolError> {
        let (command, setting) = self.prepare(input::parse(input)?, context)?;
        if !self.confinement.is_confined() {
            context.distrust();
        }
        let limit = context.output_limit();
        let keep = usize::try_from(limit).unwrap_or(usize::MAX);
        let allowed = setting.timeout.unwrap_or(Duration::MAX).min(context.time_left());
        let (confined, alive) = (self.confinement.is_confined(), setting.alive.as_deref());
        let running = process::start(command, confined, alive, || Kept::new(keep))
            .map_err(|e| ToolError::failed(format!("the command cannot be started: {e}")))?;
        let ended = running.end(allowed, context.cancel()).await;
        let failure = match &ended.how {
            End::TimedOut => Some(format!("the command took longer than {allowed:?} and was killed")),
            End::Cancelled => Some("the command was stopped".to_owned()),
            End::NotStarted(why) => {
                return Err(ToolError::failed(format!("the command cannot be started: {why}")));
            }
            End::Exited => match (ended.exit_code, ended.signal) {
                (Some(0), _) => None,
                (Some(code), _) => Some(format!("exit status {code}")),
                (None, signal) => Some(format!("killed by signal {}", signal.unwrap_or_default())),
            },
        };
        let last = output::last_words(&ended.stderr).or_else(|| output::last_words(&ended.stdout));
        let output = self.output(ended, &setting, limit);
        match failure {
            None => Ok(output),
            Some(mut message) => {
                if let Some(last) = last {
                    message = format!("{message}: {last}");
                }
                Err(ToolError::Failed { message, output: Some(Box::new(output)) })
            }
        }
    }
}
