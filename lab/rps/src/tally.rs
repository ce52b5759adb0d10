//! Counts the outcomes of requests.

use std::cell::RefCell;
use std::time::Duration;

use hdrhistogram::Histogram;

use crate::fault::Fault;

thread_local! {
    /// The tasks of a thread run one at a time: nothing is locked for a request.
    static OF_THIS_THREAD: RefCell<Tally> = RefCell::new(Tally::new());
}

/// Latencies have three figures, from a nanosecond to an hour.
const SLOWEST: u64 = 3_600_000_000_000;
const FIGURES: u8 = 3;

pub struct Tally {
    pub answered: u64,
    pub body_bytes: u64,
    pub faults: [u64; Fault::ALL.len()],
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

    /// Counts in the tally of this thread.
    pub fn count(outcome: Result<u64, Fault>, latency: Duration) {
        OF_THIS_THREAD.with_borrow_mut(|tally| tally.add_one(outcome, latency));
    }

    /// Takes the tally of this thread, and leaves an empty one.
    pub fn take() -> Tally {
        OF_THIS_THREAD.replace(Tally::new())
    }

    pub fn add_one(&mut self, outcome: Result<u64, Fault>, latency: Duration) {
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

    /// The kinds that occurred.
    pub fn faults(&self) -> impl Iterator<Item = (Fault, u64)> {
        Fault::ALL.into_iter().zip(self.faults).filter(|(_, count)| *count > 0)
    }
}
