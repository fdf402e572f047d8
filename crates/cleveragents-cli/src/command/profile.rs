//! `agents profile`: what each profile answers.

use std::fmt::Write as _;

use serde_json::{Value, json};

use cleveragents_application::domain::{Answer, Gate, PROFILE_NAMES, Profile};

use crate::fault::Fault;
use crate::report::Report;

pub(crate) fn list() -> Result<Report, Fault> {
    let profiles = PROFILE_NAMES.into_iter().map(Profile::named).collect::<Result<Vec<_>, _>>()?;
    let mut text = format!("{:<12}", "");
    for gate in Gate::ALL {
        let _ = write!(text, "{:<12}", gate.as_str());
    }
    end_line(&mut text);
    for profile in &profiles {
        let _ = write!(text, "{:<12}", profile.name);
        for gate in Gate::ALL {
            let _ = write!(text, "{:<12}", word(profile.answer(gate)));
        }
        end_line(&mut text);
    }
    Ok(Report::new(text, json!({ "profiles": profiles.iter().map(data).collect::<Vec<_>>() })))
}

pub(crate) fn show(name: &str) -> Result<Report, Fault> {
    let profile = Profile::named(name)?;
    let mut text = format!("{}\n", profile.name);
    for gate in Gate::ALL {
        let _ = writeln!(text, "  {:<11} {}", gate.as_str(), word(profile.answer(gate)));
    }
    Ok(Report::new(text, data(&profile)))
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end().len());
    text.push('\n');
}

fn word(answer: Answer) -> &'static str {
    match answer {
        Answer::Auto => "auto",
        Answer::Ask => "ask",
        Answer::Deny => "deny",
    }
}

fn data(profile: &Profile) -> Value {
    let answers: serde_json::Map<String, Value> =
        Gate::ALL.iter().map(|gate| (gate.as_str().to_owned(), json!(profile.answer(*gate)))).collect();
    json!({ "name": profile.name, "default": profile.name == Profile::DEFAULT, "answers": answers })
}
