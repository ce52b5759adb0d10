//! Releases the requests of an open loop when they are due.
//!
//! It has its own thread, because the runtime's timers count whole milliseconds, which would add to the latency.

use std::thread;
use std::time::Instant;

use crate::schedule::Schedule;

/// Returns when all are released. Then it releases each connection once more, so that it sees the end of the schedule.
pub fn keep_pace(schedule: &Schedule, connections: u64) {
    let Some(open) = schedule.open_loop() else { return };
    let mut released = 0;
    while released < schedule.total() {
        let due = open.count_due(schedule.start(), Instant::now()).min(schedule.total());
        open.release(due - released);
        released = due;
        let next = open.intended(schedule.start(), released);
        thread::sleep(next.saturating_duration_since(Instant::now()));
    }
    open.release(connections);
}
