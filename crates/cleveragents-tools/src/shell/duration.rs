//! How long a command may take, as people write it.

use std::time::Duration;

use serde_json::Value;

/// Seconds as a number, or a number and one of `ms`, `s`, `m`, `h`.
pub(crate) fn parse(value: &Value) -> Result<Duration, String> {
    let seconds = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => from_text(text.trim()),
        _ => None,
    };
    seconds
        .filter(|seconds| *seconds > 0.0)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| {
            "timeout must be more than 0: a number of seconds, or text such as \"300s\" or \"5m\"".to_owned()
        })
}

fn from_text(text: &str) -> Option<f64> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", 1.0)];
    let (number, factor) = units
        .into_iter()
        .find_map(|(unit, factor)| text.strip_suffix(unit).map(|number| (number, factor)))?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.' || byte == b' ');
    if plain { number.trim().parse::<f64>().ok().map(|number| number * factor) } else { None }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (value, millis) in [
            (json!(2), 2000),
            (json!(0.5), 500),
            (json!("300s"), 300_000),
            (json!("5m"), 300_000),
            (json!("250 ms"), 250),
            (json!("1.5h"), 5_400_000),
            (json!("7"), 7000),
        ] {
            assert_eq!(parse(&value), Ok(Duration::from_millis(millis)), "{value}");
        }
    }

    #[test]
    fn refuses_everything_else() {
        for value in [
            json!(0),
            json!(-1),
            json!("-1s"),
            json!(""),
            json!("s"),
            json!("5 minutes"),
            json!("inf"),
            json!("nan"),
            json!(1e300),
            json!(null),
        ] {
            assert!(parse(&value).is_err(), "{value}");
        }
    }
}
