//! What was counted.

use std::collections::BTreeMap;
use std::time::Duration;

use hdrhistogram::Histogram;

use crate::fault::Fault;

const NANOSECONDS_MAX: u64 = 100_000_000_000; // a later echo is lost

pub struct Tally {
    /// Of right echoes, in nanoseconds: from before the message is sent until its echo has been compared.
    pub times: Histogram<u64>,
    pub faults: BTreeMap<Fault, u64>,
}

impl Tally {
    pub fn new() -> Self {
        let times = Histogram::new_with_bounds(1, NANOSECONDS_MAX, 3).expect("valid bounds");
        Self { times, faults: BTreeMap::new() }
    }

    pub fn count(&mut self, took: Duration) {
        self.times.saturating_record(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX).max(1));
    }

    pub fn fail(&mut self, fault: Fault) {
        *self.faults.entry(fault).or_default() += 1;
    }

    pub fn add(&mut self, other: &Tally) {
        self.times.add(&other.times).expect("the same bounds");
        for (fault, count) in &other.faults {
            *self.faults.entry(*fault).or_default() += count;
        }
    }
}
