//! What came of the requests.

use std::time::Duration;

use hdrhistogram::Histogram;

use crate::fault::Fault;

/// Of three figures, from a nanosecond to an hour.
const SLOWEST: u64 = 3_600_000_000_000;
const FIGURES: u8 = 3;

pub struct Tally {
    pub answered: u64,
    pub body_bytes: u64,
    faults: [u64; Fault::ALL.len()],
    pub nanoseconds: Histogram<u64>,
}

impl Tally {
    pub fn new() -> Tally {
        Tally {
            answered: 0,
            body_bytes: 0,
            faults: [0; Fault::ALL.len()],
            nanoseconds: Histogram::new_with_bounds(1, SLOWEST, FIGURES).expect("constant bounds"),
        }
    }

    pub fn count(&mut self, outcome: Result<u64, Fault>, latency: Duration) {
        match outcome {
            Ok(bytes) => {
                self.answered += 1;
                self.body_bytes += bytes;
                self.nanoseconds.saturating_record(u64::try_from(latency.as_nanos()).unwrap_or(SLOWEST));
            }
            Err(fault) => self.faults[fault as usize] += 1,
        }
    }

    pub fn add(&mut self, other: &Tally) {
        self.answered += other.answered;
        self.body_bytes += other.body_bytes;
        self.nanoseconds.add(&other.nanoseconds).expect("the same bounds");
        for (sum, count) in self.faults.iter_mut().zip(other.faults) {
            *sum += count;
        }
    }

    /// Those that there were.
    pub fn faults(&self) -> impl Iterator<Item = (Fault, u64)> {
        Fault::ALL.into_iter().zip(self.faults).filter(|(_, count)| *count > 0)
    }
}
