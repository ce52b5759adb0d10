//! Requests per second: a load generator for HTTP/1.1 servers. `rps --help` explains it.

mod connection;
mod exchange;
mod fault;
mod limits;
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
    let options = Arc::new(Options::parse());
    if let Err(words) = options.check().and_then(|()| limits::check(options.connections())) {
        eprintln!("rps: {words}");
        return ExitCode::from(2);
    }
    let outcome = threads::run(&options);
    if options.json {
        println!("{}", report::json(&outcome));
    } else {
        print!("{}", report::text(&outcome, &options));
    }
    if outcome.tally.answered == 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
