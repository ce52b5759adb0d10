//! The threads. Each has its share of the connections, its own runtime and its own tally. All share the schedule.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::options::Options;
use crate::pacer;
use crate::progress::Progress;
use crate::schedule::Schedule;
use crate::tally::Tally;

pub struct Outcome {
    pub tally: Tally,
    /// When the first request was due.
    pub started: SystemTime,
    /// From the first request to the last answer.
    pub elapsed: Duration,
    pub connections_opened: u64,
}

/// The error is a message for the user.
pub fn run(options: &Arc<Options>) -> Result<Outcome, String> {
    let opened = Arc::new(AtomicU64::new(0));
    let connections = (0..options.connections()).map(|_| Connection::new(options, &opened)).collect();
    let shares = share_out(connections, options.threads.get());
    let opening = Arc::new(Barrier::new(shares.len() + 1));
    let started = shares.into_iter().map(|share| Thread::begin(share, options, &opening)).collect::<Vec<_>>();
    opening.wait();

    let (start, agreed) = wait_for_start(options)?;
    let schedule = Arc::new(schedule(options, start));
    let progress = Progress::begin(options, &schedule);
    let threads = started.into_iter().map(|thread| thread.work(&schedule)).collect::<Vec<_>>();
    pacer::keep_pace(&schedule, options.connections() as u64);
    let mut tally = Tally::new();
    for thread in threads {
        tally.add(&thread.join().expect("a thread of ours"));
    }
    let elapsed = schedule.start().elapsed();
    progress.end();
    Ok(Outcome { tally, started: agreed, elapsed, connections_opened: opened.load(Ordering::Relaxed) })
}

/// Returns at the time that the hosts have agreed upon. A host that is late would measure something else.
fn wait_for_start(options: &Options) -> Result<(Instant, SystemTime), String> {
    let (now, started) = (Instant::now(), SystemTime::now());
    let Some(agreed) = options.start_at else { return Ok((now, started)) };
    let left = agreed.duration_since(started).map_err(|late| {
        format!("the connections were open {:.1} s after the time of --start-at", late.duration().as_secs_f64())
    })?;
    thread::sleep(left);
    Ok((now + left, agreed))
}

/// A thread that opens its connections, and then waits for the schedule.
struct Thread {
    handle: thread::JoinHandle<Tally>,
    work: Sender<Arc<Schedule>>,
}

impl Thread {
    fn begin(share: Vec<Connection>, options: &Arc<Options>, opening: &Arc<Barrier>) -> Thread {
        let (options, opening) = (Arc::clone(options), Arc::clone(opening));
        let (sender, receiver) = channel();
        let handle = thread::spawn(move || {
            let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
            let share = Arc::new(share);
            runtime.block_on(open(&share, &options));
            opening.wait();
            let schedule = receiver.recv().expect("sent at once");
            work(&runtime, &share, &options, &schedule)
        });
        Thread { handle, work: sender }
    }

    fn work(self, schedule: &Arc<Schedule>) -> thread::JoinHandle<Tally> {
        self.work.send(Arc::clone(schedule)).expect("it waits for that");
        self.handle
    }
}

fn schedule(options: &Options, start: Instant) -> Schedule {
    let total = Some(options.total).filter(|total| *total > 0);
    match options.rate {
        Some(rate) => Schedule::open(start, total, options.duration, rate),
        None => Schedule::closed(start, total, options.duration),
    }
}

/// Gives each thread the same number of connections, or one more.
fn share_out(connections: Vec<Connection>, threads: usize) -> Vec<Vec<Connection>> {
    let mut shares: Vec<Vec<Connection>> = (0..threads).map(|_| Vec::new()).collect();
    for (number, connection) in connections.into_iter().enumerate() {
        shares[number % threads].push(connection);
    }
    shares
}

/// Opens the connections of an open loop before its first request is due: otherwise connecting would be most of the
/// tail. A failure is not counted here, because it will occur again.
async fn open(share: &Arc<Vec<Connection>>, options: &Arc<Options>) {
    if options.rate.is_none() || options.close {
        return;
    }
    let opening = (0..share.len()).map(|number| {
        let (share, options) = (Arc::clone(share), Arc::clone(options));
        async move { share[number].open(&options).await }
    });
    opening.collect::<JoinSet<_>>().join_all().await;
}

fn work(runtime: &Runtime, share: &Arc<Vec<Connection>>, options: &Arc<Options>, schedule: &Arc<Schedule>) -> Tally {
    runtime.block_on(async {
        let working = (0..share.len()).map(|number| {
            let (share, options, schedule) = (Arc::clone(share), Arc::clone(options), Arc::clone(schedule));
            async move { share[number].work(&options, &schedule).await }
        });
        working.collect::<JoinSet<_>>().join_all().await;
    });
    Tally::take()
}
