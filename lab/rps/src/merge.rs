//! `rps merge FILE...`: adds up the reports of several hosts.
//!
//! Histograms with the same bounds add up without a loss: the percentiles are those of one run with all requests.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use clap::Parser;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use serde_json::Value;

use crate::fault::Fault;
use crate::report::{self, HISTOGRAM, unix_seconds};
use crate::tally::Tally;
use crate::threads::Outcome;

#[derive(Parser)]
#[command(name = "rps merge", about = "Adds up the reports of several hosts, percentiles included.")]
struct Options {
    /// What `rps --json --histogram` printed on each host
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Print one line of JSON, which can be merged again
    #[arg(long)]
    json: bool,
}

/// Returns how many requests were answered. The error is a message for the user.
pub fn run() -> Result<u64, String> {
    let options = Options::parse_from(std::env::args_os().skip(1));
    let outcomes = options.files.iter().map(|file| read(file)).collect::<Result<Vec<_>, _>>()?;
    let merged = merged(&outcomes);
    if options.json {
        println!("{}", report::json(&merged, true));
    } else {
        let shares = format!("hosts: {}, their starts lie {:.3} s apart", outcomes.len(), spread(&outcomes));
        print!("{}", report::text(&merged, &shares, "as each host measured it"));
    }
    Ok(merged.tally.answered)
}

/// From the first start to the last end, by the clocks of the hosts: requests that did not overlap are no common rate.
fn merged(outcomes: &[Outcome]) -> Outcome {
    let mut tally = Tally::new();
    for outcome in outcomes {
        tally.add(&outcome.tally);
    }
    let started = outcomes.iter().map(|one| one.started).min().expect("a file at least");
    let ended = outcomes.iter().map(|one| one.started + one.elapsed).max().expect("a file at least");
    Outcome {
        tally,
        started,
        elapsed: ended.duration_since(started).unwrap_or_default(),
        connections_opened: outcomes.iter().map(|one| one.connections_opened).sum(),
    }
}

fn spread(outcomes: &[Outcome]) -> f64 {
    let starts = || outcomes.iter().map(|one| unix_seconds(one.started));
    starts().fold(f64::MIN, f64::max) - starts().fold(f64::MAX, f64::min)
}

fn read(file: &Path) -> Result<Outcome, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    parse(&text)
        .map_err(|words| format!("{}: {words}; rps --json --histogram writes what can be merged", file.display()))
}

fn parse(text: &str) -> Result<Outcome, String> {
    let line = text.lines().find(|line| line.starts_with('{')).ok_or("there is no report in it")?;
    let report: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let number = |name: &str| report[name].as_f64().filter(|found| *found >= 0.0).ok_or(format!("it has no '{name}'"));
    let count = |name: &str| report[name].as_u64().ok_or(format!("it has no '{name}'"));
    let mut tally = Tally::new();
    tally.answered = count("requests")?;
    tally.body_bytes = count("body_bytes")?;
    tally.faults = Fault::ALL.map(|fault| report["errors"][fault.name()].as_u64().unwrap_or(0));
    let latencies = histogram(report[HISTOGRAM].as_str().ok_or("it has no histogram")?)?;
    tally.nanoseconds.add(&latencies).map_err(|error| format!("its histogram has other bounds: {error}"))?;
    if tally.nanoseconds.len() != tally.answered {
        return Err(format!("it has {} requests, and {} latencies", tally.answered, tally.nanoseconds.len()));
    }
    Ok(Outcome {
        tally,
        started: UNIX_EPOCH + Duration::from_secs_f64(number("started")?),
        elapsed: Duration::from_secs_f64(number("seconds")?),
        connections_opened: count("connections_opened")?,
    })
}

fn histogram(base64: &str) -> Result<Histogram<u64>, String> {
    let bytes = STANDARD.decode(base64).map_err(|error| format!("its histogram is no base64: {error}"))?;
    Deserializer::new().deserialize(&mut &bytes[..]).map_err(|error| format!("its histogram can't be read: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host's report, as it goes through a file, and its latencies.
    fn host(started: u64, nanoseconds: impl IntoIterator<Item = u64>) -> Outcome {
        let mut tally = Tally::new();
        for latency in nanoseconds {
            tally.add_one(Ok(5), Duration::from_nanos(latency));
        }
        let started = UNIX_EPOCH + Duration::from_secs(started);
        let outcome = Outcome { tally, started, elapsed: Duration::from_secs(10), connections_opened: 1 };
        parse(&report::json(&outcome, true)).expect("a report of ours")
    }

    #[test]
    fn percentiles_are_those_of_all_requests_together() {
        let (fast, slow) = ((1..=9_900).map(|n| n * 1_000), (1..=700).map(|n| n * 777_777));
        let (a, b) = (host(100, fast.clone()), host(100, slow.clone()));
        let together = host(100, fast.chain(slow));
        let found = merged(&[a, b]).tally.nanoseconds;
        assert_eq!(found, together.tally.nanoseconds);
        for quantile in [0.5, 0.9, 0.99, 0.999, 1.0] {
            assert_eq!(found.value_at_quantile(quantile), together.tally.nanoseconds.value_at_quantile(quantile));
        }
    }

    #[test]
    fn the_time_is_from_the_first_start_to_the_last_end() {
        let found = merged(&[host(103, [1]), host(100, [2])]);
        assert_eq!((found.elapsed, found.tally.answered), (Duration::from_secs(13), 2));
        assert!((spread(&[host(103, [1]), host(100, [2])]) - 3.0).abs() < 1e-6);
    }

    #[test]
    fn what_is_merged_can_be_merged_again() {
        let once = merged(&[host(100, [1_000]), host(100, [9_000])]);
        let again = parse(&report::json(&once, true)).expect("a report of ours");
        assert_eq!(again.tally.nanoseconds, once.tally.nanoseconds);
        assert_eq!(again.tally.body_bytes, 10);
    }
}
