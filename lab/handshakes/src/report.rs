//! The line of JSON, with the members that the lab's `rps` has.

use std::time::Duration;

use crate::tally::Tally;

pub fn line(tally: &mut Tally, elapsed: Duration) -> String {
    let errors: Vec<_> = tally.faults.iter().map(|(fault, count)| format!("\"{}\": {count}", fault.name())).collect();
    format!(
        "{{\"requests\": {}, \"seconds\": {:.6}, \"body_bytes\": {}, \"resumed\": {}, \"latency_seconds\": {}, \
         \"errors\": {{{}}}}}",
        tally.times.len(),
        elapsed.as_secs_f64(),
        tally.body_bytes,
        tally.resumed,
        latency(&mut tally.times),
        errors.join(", ")
    )
}

fn latency(times: &mut [Duration]) -> String {
    times.sort_unstable();
    let Some(largest) = times.last() else { return "null".to_owned() };
    let mean = times.iter().sum::<Duration>().as_secs_f64() / times.len() as f64;
    let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize].as_secs_f64();
    format!(
        "{{\"mean\": {mean:.6}, \"p50\": {:.6}, \"p90\": {:.6}, \"p99\": {:.6}, \"p999\": {:.6}, \"max\": {:.6}}}",
        at(0.5),
        at(0.9),
        at(0.99),
        at(0.999),
        largest.as_secs_f64()
    )
}
