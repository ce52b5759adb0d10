//! The line of JSON.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::tally::Tally;

pub fn line(tally: &Tally, connections: usize, elapsed: Duration, bytes: usize) -> String {
    let errors: Vec<_> = tally.faults.iter().map(|(fault, count)| format!("\"{}\": {count}", fault.name())).collect();
    format!(
        "{{\"messages\": {}, \"seconds\": {:.6}, \"message_bytes\": {bytes}, \"connections_opened\": {connections}, \
         \"latency_seconds\": {}, \"errors\": {{{}}}}}",
        tally.times.len(),
        elapsed.as_secs_f64(),
        latency(&tally.times),
        errors.join(", ")
    )
}

fn latency(times: &Histogram<u64>) -> String {
    if times.is_empty() {
        return "null".to_owned();
    }
    let at = |part: f64| times.value_at_quantile(part) as f64 / 1e9;
    format!(
        "{{\"mean\": {:.9}, \"p50\": {:.9}, \"p90\": {:.9}, \"p99\": {:.9}, \"p999\": {:.9}, \"max\": {:.9}}}",
        times.mean() / 1e9,
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        times.max() as f64 / 1e9
    )
}
