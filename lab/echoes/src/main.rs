//! Messages over WebSocket, one under way on each connection, in closed loop: `echoes` prints how many came back, byte
//! for byte, and how long that took, in one line of JSON.
//!
//! It writes its frames itself, because it must take less time for a message than the servers do: a library for
//! clients allocates memory for each message, and copies it.

mod fault;
mod frame;
mod opening;
mod options;
mod random;
mod report;
mod tally;
mod worker;

use std::net::TcpStream;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use fault::Fault;
use options::Options;
use tally::Tally;
use worker::Worker;

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("--version") {
        println!("echoes {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match Options::of_command_line().and_then(|options| run(&options)) {
        Ok(line) => {
            println!("{line}");
            ExitCode::SUCCESS
        }
        Err(words) => {
            eprintln!("echoes: {words}");
            ExitCode::from(2)
        }
    }
}

/// The clock starts when all connections are open.
fn run(options: &Options) -> Result<String, String> {
    let mut tally = Tally::new();
    let streams = open_all(options, &mut tally);
    let opened = streams.len();
    let workers = workers_with(streams, options).map_err(|error| error.to_string())?;
    let start = Instant::now();
    let end = start + options.duration;
    let threads: Vec<_> = workers.into_iter().map(|worker| thread::spawn(move || worker.work(end))).collect();
    for thread in threads {
        tally.add(&thread.join().expect("a panic would have ended the program"));
    }
    Ok(report::line(&tally, opened, start.elapsed(), options.bytes))
}

/// None after one that has waited too long: nobody should wait as long for each.
fn open_all(options: &Options, tally: &mut Tally) -> Vec<TcpStream> {
    let mut streams = Vec::with_capacity(options.connections);
    for _ in 0..options.connections {
        match opening::open(options) {
            Ok(stream) => streams.push(stream),
            Err(fault) => tally.fail(fault),
        }
        if tally.faults.contains_key(&Fault::Timeout) {
            break;
        }
    }
    streams
}

fn workers_with(streams: Vec<TcpStream>, options: &Options) -> std::io::Result<Vec<Worker>> {
    let mut shares: Vec<Vec<TcpStream>> = (0..options.threads).map(|_| Vec::new()).collect();
    for (number, stream) in streams.into_iter().enumerate() {
        shares[number % options.threads].push(stream);
    }
    shares.into_iter().enumerate().map(|(number, share)| Worker::new(number, share, options)).collect()
}
