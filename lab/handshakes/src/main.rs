//! Handshakes of TLS 1.3, each on a connection of its own with one request: `handshakes` prints how many of them were
//! answered rightly, how many resumed a session, and how long they took, in one line of JSON.
//!
//! rustls says of each handshake whether it was resumed, and does less work for one than OpenSSL's client does: less
//! than OpenSSL's server.

mod exchange;
mod fault;
mod options;
mod report;
mod tally;
mod trust;

use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use exchange::Client;
use options::Options;
use tally::Tally;
use tokio::task::JoinSet;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--version") {
        println!("handshakes {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match Options::of_command_line().and_then(|options| run(&Arc::new(options))) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(words) => {
            eprintln!("handshakes: {words}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Arc<Options>) -> Result<String, String> {
    let clients = (0..options.connections).map(|_| Client::new(options)).collect::<Result<Vec<_>, _>>()?;
    let mut shares: Vec<Vec<Client>> = (0..options.threads).map(|_| Vec::new()).collect();
    for (number, client) in clients.into_iter().enumerate() {
        shares[number % options.threads].push(client);
    }
    let start = Instant::now();
    let end = start + options.duration;
    let threads: Vec<_> = shares.into_iter().map(|share| thread::spawn(move || work(share, end))).collect();
    let mut tally = Tally::default();
    for thread in threads {
        tally.add(thread.join().expect("a panic would have ended the program"));
    }
    Ok(report::line(&mut tally, start.elapsed()))
}

/// One thread with a runtime of its own. A connection that failed waits a moment, so that a server that is gone does
/// not fill the tally.
fn work(share: Vec<Client>, end: Instant) -> Tally {
    const PAUSE: Duration = Duration::from_millis(10);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        let mut working = JoinSet::new();
        for mut client in share {
            working.spawn(async move {
                let mut tally = Tally::default();
                while Instant::now() < end {
                    let began = Instant::now();
                    let outcome = client.ask().await;
                    if outcome.is_err() {
                        tokio::time::sleep(PAUSE).await;
                    }
                    tally.count(outcome, began.elapsed());
                }
                tally
            });
        }
        let mut all = Tally::default();
        while let Some(one) = working.join_next().await {
            all.add(one.expect("a panic would have ended the program"));
        }
        all
    })
}
