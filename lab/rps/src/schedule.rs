//! Decides which request comes next, and when it is meant to begin. All threads draw from one schedule.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

/// Requests begin at ticks: all that are due before the next tick begin together. If each of 30,000 a second has its
/// own moment, this program spends half its time on waking up.
const TICK_NANOS: u64 = 250_000;

pub struct Schedule {
    start: Instant,
    drawn: AtomicU64,
    total: u64,
    end: Option<Instant>,
    open: Option<OpenLoop>,
}

pub struct OpenLoop {
    rate: f64,
    /// One permit for each request that is due.
    due: Semaphore,
}

impl Schedule {
    pub fn closed(start: Instant, total: Option<u64>, duration: Option<Duration>) -> Schedule {
        let end = duration.map(|time| start + time);
        Schedule { start, drawn: AtomicU64::new(0), total: total.unwrap_or(u64::MAX), end, open: None }
    }

    pub fn open(start: Instant, total: Option<u64>, duration: Option<Duration>, rate: f64) -> Schedule {
        let fitting = duration.map_or(u64::MAX, |time| (rate * time.as_secs_f64()).ceil() as u64);
        let total = total.unwrap_or(u64::MAX).min(fitting);
        let open = OpenLoop { rate, due: Semaphore::new(0) };
        Schedule { start, drawn: AtomicU64::new(0), total, end: None, open: Some(open) }
    }

    /// Waits until the next request is due, and returns its intended start. None: the schedule has ended.
    pub async fn next(&self) -> Option<Instant> {
        if let Some(open) = &self.open {
            open.due.acquire().await.expect("never closed").forget();
        }
        let number = self.drawn.fetch_add(1, Ordering::Relaxed);
        if number >= self.total {
            return None;
        }
        match &self.open {
            Some(open) => Some(open.intended(self.start, number)),
            None => Some(Instant::now()).filter(|now| self.end.is_none_or(|end| *now < end)),
        }
    }

    pub fn drawn(&self) -> u64 {
        self.drawn.load(Ordering::Relaxed).min(self.total)
    }

    pub fn open_loop(&self) -> Option<&OpenLoop> {
        self.open.as_ref()
    }

    pub fn start(&self) -> Instant {
        self.start
    }

    pub fn total(&self) -> u64 {
        self.total
    }
}

impl OpenLoop {
    /// The start of a request by its rate, rounded down to a tick.
    pub fn intended(&self, start: Instant, number: u64) -> Instant {
        let exact = Duration::from_secs_f64(number as f64 / self.rate).as_nanos() as u64;
        start + Duration::from_nanos(exact - exact % TICK_NANOS)
    }

    /// The number of requests that begin at the current tick or before.
    pub fn count_due(&self, start: Instant, now: Instant) -> u64 {
        let passed = now.saturating_duration_since(start).as_nanos() as u64 / TICK_NANOS;
        let next_tick = Duration::from_nanos((passed + 1) * TICK_NANOS);
        (next_tick.as_secs_f64() * self.rate).ceil() as u64
    }

    pub fn release(&self, count: u64) {
        self.due.add_permits(usize::try_from(count).expect("as many as requests in a moment"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wait<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(future)
    }

    #[test]
    fn a_closed_loop_ends_after_its_total() {
        let schedule = Schedule::closed(Instant::now(), Some(2), None);
        assert!(wait(schedule.next()).is_some());
        assert!(wait(schedule.next()).is_some());
        assert!(wait(schedule.next()).is_none());
        assert_eq!(schedule.drawn(), 2);
    }

    #[test]
    fn a_closed_loop_ends_with_its_time() {
        let long_ago = Instant::now() - Duration::from_secs(2);
        let schedule = Schedule::closed(long_ago, None, Some(Duration::from_secs(1)));
        assert!(wait(schedule.next()).is_none());
    }

    #[test]
    fn intended_starts_don_t_depend_on_when_they_are_drawn() {
        let start = Instant::now() - Duration::from_secs(5);
        let schedule = Schedule::open(start, Some(3), None, 100.0);
        schedule.open_loop().expect("open").release(3);
        for number in 0..3 {
            assert_eq!(wait(schedule.next()), Some(start + Duration::from_millis(10 * number)));
        }
    }

    #[test]
    fn requests_between_two_ticks_begin_together() {
        let start = Instant::now();
        let schedule = Schedule::open(start, None, Some(Duration::from_secs(1)), 10_000.0);
        let open = schedule.open_loop().expect("open");
        let micros = |number| open.intended(start, number).duration_since(start).as_micros();
        assert_eq!((0..8).map(micros).collect::<Vec<_>>(), [0, 0, 0, 250, 250, 500, 500, 500]);
        let due = |micros| open.count_due(start, start + Duration::from_micros(micros));
        assert_eq!([0, 249, 250, 499, 500].map(due), [3, 3, 5, 5, 8]);
    }

    #[test]
    fn what_is_due_is_what_was_intended_by_then() {
        let start = Instant::now();
        for rate in [0.7, 99.0, 4_000.0, 33_333.3, 1_000_000.0] {
            let schedule = Schedule::open(start, None, Some(Duration::from_secs(1)), rate);
            let open = schedule.open_loop().expect("open");
            for now in (0..400).map(|step| start + Duration::from_micros(step * 137)) {
                let due = open.count_due(start, now);
                assert!(open.intended(start, due - 1) <= now, "{rate}/s");
                assert!(open.intended(start, due) > now, "{rate}/s");
            }
        }
    }

    #[test]
    fn an_open_loop_has_as_many_requests_as_fit_into_its_time() {
        let now = Instant::now();
        assert_eq!(Schedule::open(now, None, Some(Duration::from_millis(500)), 100.0).total(), 50);
        assert_eq!(Schedule::open(now, Some(7), Some(Duration::from_millis(500)), 100.0).total(), 7);
    }
}
