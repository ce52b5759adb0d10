//! What was counted.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::exchange::Answer;
use crate::fault::Fault;

#[derive(Default)]
pub struct Tally {
    /// Of right answers, from before the connection until its end.
    pub times: Vec<Duration>,
    pub body_bytes: usize,
    pub resumed: usize,
    pub faults: BTreeMap<Fault, usize>,
}

impl Tally {
    pub fn count(&mut self, outcome: Result<Answer, Fault>, took: Duration) {
        match outcome {
            Ok(answer) => {
                self.times.push(took);
                self.body_bytes += answer.body_bytes;
                self.resumed += usize::from(answer.was_resumed);
            }
            Err(fault) => *self.faults.entry(fault).or_default() += 1,
        }
    }

    pub fn add(&mut self, other: Tally) {
        self.times.extend(other.times);
        self.body_bytes += other.body_bytes;
        self.resumed += other.resumed;
        for (fault, count) in other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
    }
}
