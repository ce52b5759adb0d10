//! Requests per second: a load generator for HTTP/1.1 servers. `rps --help` explains it.

mod connection;
mod exchange;
mod fault;
mod limits;
mod merge;
mod options;
mod pacer;
mod progress;
mod report;
mod schedule;
mod tally;
mod threads;

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use options::Options;

fn main() -> ExitCode {
    let done = match std::env::args_os().nth(1) {
        Some(word) if word == "merge" => merge::run(),
        _ => measure(),
    };
    match done {
        Ok(0) => ExitCode::FAILURE,
        Ok(_) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("rps: {words}");
            ExitCode::from(2)
        }
    }
}

/// Returns how many requests were answered. The error is a message for the user.
fn measure() -> Result<u64, String> {
    let options = Arc::new(Options::parse());
    options.check()?;
    limits::check(options.connections())?;
    let outcome = threads::run(&options)?;
    if options.json {
        println!("{}", report::json(&outcome, options.histogram));
    } else {
        let shares = format!("threads: {}, connections: {}", options.threads, options.connections());
        let measured = if options.rate.is_some() { "from the intended start" } else { "from the sending" };
        print!("{}", report::text(&outcome, &shares, measured));
    }
    Ok(outcome.tally.answered)
}
