//! Releases the requests of an open loop when their time has come.
//!
//! On a thread of its own: the runtime's timers count whole milliseconds, which would be a latency of our own making.

use std::thread;
use std::time::Instant;

use crate::schedule::Schedule;

/// Until all are released; then each connection is let go once more, to find that there are none left.
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
