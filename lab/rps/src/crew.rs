//! The threads, each with its share of the connections and a runtime of its own: they share nothing but the schedule.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::options::Options;
use crate::pacer;
use crate::progress::Progress;
use crate::schedule::Schedule;
use crate::tally::Tally;

pub struct Outcome {
    pub tally: Tally,
    /// Until the last answer.
    pub elapsed: Duration,
    pub connections_opened: u64,
}

pub fn run(options: &Arc<Options>) -> Outcome {
    let opened = Arc::new(AtomicU64::new(0));
    let connections = (0..options.connections()).map(|_| Connection::new(options, &opened)).collect();
    let shares = share_out(connections, options.threads.get());
    let schedule = Arc::new(schedule(options));
    let progress = Progress::begin(options, &schedule);

    let threads = shares.into_iter().map(|share| spawn(share, options, &schedule)).collect::<Vec<_>>();
    pacer::keep_pace(&schedule, options.connections() as u64);
    let mut tally = Tally::new();
    for thread in threads {
        tally.add(&thread.join().expect("a thread of ours"));
    }
    let elapsed = schedule.start().elapsed();
    progress.end();
    Outcome { tally, elapsed, connections_opened: opened.load(Ordering::Relaxed) }
}

fn spawn(
    share: Vec<Connection>,
    options: &Arc<Options>,
    schedule: &Arc<Schedule>,
) -> thread::JoinHandle<Tally> {
    let (options, schedule) = (Arc::clone(options), Arc::clone(schedule));
    thread::spawn(move || work(share, &options, &schedule))
}

fn schedule(options: &Options) -> Schedule {
    let total = Some(options.total).filter(|total| *total > 0);
    match options.rate {
        Some(rate) => Schedule::open(Instant::now(), total, options.duration, rate),
        None => Schedule::closed(Instant::now(), total, options.duration),
    }
}

/// As evenly as it goes.
fn share_out(connections: Vec<Connection>, threads: usize) -> Vec<Vec<Connection>> {
    let mut shares: Vec<Vec<Connection>> = (0..threads).map(|_| Vec::new()).collect();
    for (number, connection) in connections.into_iter().enumerate() {
        shares[number % threads].push(connection);
    }
    shares
}

fn work(connections: Vec<Connection>, options: &Arc<Options>, schedule: &Arc<Schedule>) -> Tally {
    let tally = Arc::new(Mutex::new(Tally::new()));
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let working = connections.into_iter();
        let working =
            working.map(|one| one.work(Arc::clone(options), Arc::clone(schedule), Arc::clone(&tally)));
        working.collect::<JoinSet<_>>().join_all().await;
    });
    Arc::into_inner(tally).expect("all have ended").into_inner().expect("no panic")
}
