//! Prints the outcome as text or as JSON.

use serde_json::{Map, Value, json};

use crate::options::Options;
use crate::threads::Outcome;

const NANOSECONDS: f64 = 1e9;

pub fn json(outcome: &Outcome) -> String {
    let tally = &outcome.tally;
    json!({
        "requests": tally.answered,
        "seconds": outcome.elapsed.as_secs_f64(),
        "rate": rate(outcome),
        "body_bytes": tally.body_bytes,
        "connections_opened": outcome.connections_opened,
        "latency_seconds": latency(outcome).map(object),
        "errors": object(tally.faults().map(|(fault, count)| (fault.name(), count))),
    })
    .to_string()
}

fn object<T: Into<Value>>(members: impl IntoIterator<Item = (&'static str, T)>) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

pub fn text(outcome: &Outcome, options: &Options) -> String {
    let tally = &outcome.tally;
    let faults = tally.faults().map(|(fault, count)| format!("{count} {}", fault.name())).collect::<Vec<_>>();
    let mut lines = vec![
        format!("{:.0} requests/s", rate(outcome)),
        format!(
            "{} answered in {:.3} s, {} bytes of content; threads: {}, connections: {}, opened: {}",
            tally.answered,
            outcome.elapsed.as_secs_f64(),
            tally.body_bytes,
            options.threads,
            options.connections(),
            outcome.connections_opened
        ),
    ];
    if let Some(latency) = latency(outcome) {
        let measured = if options.rate.is_some() { "from the intended start" } else { "from the sending" };
        let figures = latency.map(|(name, seconds)| format!("{name} {:.3}", seconds * 1e3));
        lines.push(format!("latency in ms, {measured}: {}", figures.join(", ")));
    }
    lines.push(format!("errors: {}", if faults.is_empty() { "none".into() } else { faults.join(", ") }));
    lines.join("\n") + "\n"
}

fn rate(outcome: &Outcome) -> f64 {
    outcome.tally.answered as f64 / outcome.elapsed.as_secs_f64()
}

/// In seconds. None: no request was answered.
fn latency(outcome: &Outcome) -> Option<[(&'static str, f64); 6]> {
    let histogram = &outcome.tally.nanoseconds;
    let at = |quantile| histogram.value_at_quantile(quantile) as f64 / NANOSECONDS;
    (!histogram.is_empty()).then(|| {
        [
            ("mean", histogram.mean() / NANOSECONDS),
            ("p50", at(0.5)),
            ("p90", at(0.9)),
            ("p99", at(0.99)),
            ("p999", at(0.999)),
            ("max", at(1.0)),
        ]
    })
}
