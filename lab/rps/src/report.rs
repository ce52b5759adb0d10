//! Prints the outcome as text or as JSON.

use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer, V2DeflateSerializer};
use serde_json::{Map, Value, json};

use crate::threads::Outcome;

const NANOSECONDS: f64 = 1e9;
/// The member of the report that `rps merge` reads.
pub const HISTOGRAM: &str = "latency_histogram_nanoseconds";

pub fn json(outcome: &Outcome, with_histogram: bool) -> String {
    let tally = &outcome.tally;
    let mut report = json!({
        "started": unix_seconds(outcome.started),
        "requests": tally.answered,
        "seconds": outcome.elapsed.as_secs_f64(),
        "rate": rate(outcome),
        "body_bytes": tally.body_bytes,
        "connections_opened": outcome.connections_opened,
        "latency_seconds": latency(outcome).map(object),
        "errors": object(tally.faults().map(|(fault, count)| (fault.name(), count))),
    });
    if with_histogram {
        report[HISTOGRAM] = encoded(&tally.nanoseconds).into();
    }
    report.to_string()
}

pub fn unix_seconds(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

fn encoded(nanoseconds: &Histogram<u64>) -> String {
    let mut bytes = Vec::new();
    V2DeflateSerializer::new().serialize(nanoseconds, &mut bytes).expect("memory takes all");
    STANDARD.encode(bytes)
}

fn object<T: Into<Value>>(members: impl IntoIterator<Item = (&'static str, T)>) -> Map<String, Value> {
    members.into_iter().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

/// `shares`: what made the load; `measured`: from when latency counts.
pub fn text(outcome: &Outcome, shares: &str, measured: &str) -> String {
    let tally = &outcome.tally;
    let faults = tally.faults().map(|(fault, count)| format!("{count} {}", fault.name())).collect::<Vec<_>>();
    let mut lines = vec![
        format!("{:.0} requests/s", rate(outcome)),
        format!(
            "{} answered in {:.3} s, {} bytes of content; {shares}, opened: {}",
            tally.answered,
            outcome.elapsed.as_secs_f64(),
            tally.body_bytes,
            outcome.connections_opened
        ),
    ];
    if let Some(latency) = latency(outcome) {
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
