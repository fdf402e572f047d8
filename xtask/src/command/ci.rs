//! `cargo xtask ci`: every check that needs no test run, in order.

use super::{Verdict, deps, layers};
use crate::workspace::Workspace;

/// A check with its name.
type Step<'a> = (&'a str, &'a dyn Fn() -> Verdict);

pub(crate) fn run(workspace: &Workspace) -> Verdict {
    let strict = Some(("RUSTDOCFLAGS", "-D warnings"));
    steps(&[
        ("format", &|| cargo(workspace, &["fmt", "--all", "--check"], None)),
        ("lints", &|| {
            cargo(workspace, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"], None)
        }),
        ("docs", &|| cargo(workspace, &["doc", "--workspace", "--no-deps"], strict)),
        ("layers", &|| layers::run(workspace)),
        ("deps", &|| deps::run(workspace)),
    ])
}

fn steps(steps: &[Step<'_>]) -> Verdict {
    for (name, step) in steps {
        println!("== {name}");
        let said = step().map_err(|why| format!("{why}\nci: {name} failed"))?;
        println!("{said}");
    }
    Ok(format!("ci: all {} steps passed", steps.len()))
}

fn cargo(workspace: &Workspace, arguments: &[&str], variable: Option<(&str, &str)>) -> Verdict {
    let shown = format!("cargo {}", arguments.join(" "));
    let status = workspace
        .cargo(arguments)
        .envs(variable)
        .status()
        .map_err(|error| format!("cannot run {shown}: {error}"))?;
    if status.success() { Ok(format!("{shown}: passed")) } else { Err(format!("{shown}: {status}")) }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::steps;

    #[test]
    fn stops_at_the_first_failure_and_names_it() {
        let reached = Cell::new(false);
        let verdict = steps(&[
            ("one", &|| Ok("fine".to_owned())),
            ("two", &|| Err("broken".to_owned())),
            ("three", &|| {
                reached.set(true);
                Ok(String::new())
            }),
        ]);
        assert_eq!(verdict, Err("broken\nci: two failed".to_owned()));
        assert!(!reached.get());
    }

    #[test]
    fn says_how_many_passed() {
        assert_eq!(steps(&[("one", &|| Ok(String::new()))]), Ok("ci: all 1 steps passed".to_owned()));
    }
}
