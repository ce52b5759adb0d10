//! The command line.

use std::num::NonZeroUsize;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::Parser;
use reqwest::{Method, Url};

// Each paragraph is one line: clap wraps it at the width of the terminal.
const TEACHING: &str = "\
CLOSED LOOP (without --rate): each connection sends its next request as soon as the one before is answered. That \
finds the capacity. It can't find the latency under a given load: when the server stalls, nothing is sent \
meanwhile, and the stall counts as one slow request where users would have seen many.

OPEN LOOP (--rate): request number i begins i/RATE seconds after the start, rounded down to a quarter of a \
millisecond, whatever happens to earlier requests. Its latency counts from that moment. If every connection is busy, \
the request waits, and its latency includes that wait. Each connection is opened before the start by a request that \
does not count.

Each answer is read to its end. What is not answered with 2xx and in whole is an error: connect, read, write, \
timeout, status, or body. There is no pipelining, because reqwest has none.

SEVERAL HOSTS: let each host run rps with the same --start-at, and with --json --histogram. Then \
`rps merge FILE...` adds up what they printed. Its percentiles are exactly those of one run with all these \
requests; the mean of several p99 is no p99.

EXAMPLES
  500,000 requests from 16 threads, on a connection each:
      rps 16 500000 http://127.0.0.1:8000
  For ten seconds, on 1,000 connections:
      rps 2 0 http://127.0.0.1:8000 -c 1000 -d 10
  5,000 requests in each of ten seconds, no more and no fewer:
      rps 2 0 http://127.0.0.1:8000 -c 100 -d 10 -r 5000
  Together with other hosts, which got the same time:
      rps 2 0 http://192.0.2.1:8000 -c 100 -d 10 -r 5000 --start-at 1763800000 --json --histogram > a.json
      rps merge a.json b.json

EXIT STATUS
  0 when something was answered, 1 when nothing was, 2 when it could not begin.";

#[derive(Parser)]
#[command(
    version,
    about = "Sends requests to an HTTP/1.1 server, and says how many were answered in a second.",
    after_help = TEACHING
)]
pub struct Options {
    /// Threads that send and receive
    pub threads: NonZeroUsize,
    /// Requests altogether; 0: as many as --duration leaves time for
    pub total: u64,
    /// What to ask for
    pub url: Url,
    /// Connections, over all threads [default: one for each thread]
    #[arg(short, long, value_name = "COUNT")]
    connections: Option<NonZeroUsize>,
    /// Begin no request after this time
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds)]
    pub duration: Option<Duration>,
    /// Open loop: requests in a second, over all connections
    #[arg(short, long, value_name = "PER_SECOND", value_parser = rate)]
    pub rate: Option<f64>,
    /// A connection for each request
    #[arg(long)]
    pub close: bool,
    /// An answer that is later counts as lost; in open loop, a request that could not even begin by then as well
    #[arg(short, long, value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub timeout: Duration,
    /// Content of another length is an error
    #[arg(long, value_name = "BYTES")]
    pub expect_bytes: Option<u64>,
    /// Method of each request
    #[arg(long, default_value = "GET")]
    pub method: Method,
    /// Content of each request
    #[arg(long, value_name = "BYTES", default_value = "0")]
    pub send_bytes: usize,
    /// Begin at this time, in seconds since 1970, as `date +%s` prints them
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub start_at: Option<SystemTime>,
    /// Print one line of JSON
    #[arg(long)]
    pub json: bool,
    /// Add the histogram of all latencies to the JSON, for `rps merge` (HdrHistogram's V2 format, in base64)
    #[arg(long, requires = "json")]
    pub histogram: bool,
}

impl Options {
    pub fn connections(&self) -> usize {
        self.connections.unwrap_or(self.threads).get()
    }

    /// Checks what clap cannot check. The error is a message for the user.
    pub fn check(&self) -> Result<(), String> {
        if self.start_at.is_some_and(|time| time <= SystemTime::now()) {
            return Err("the time of --start-at has passed".into());
        }
        if self.total == 0 && self.duration.is_none() {
            return Err("0 requests: say how many, or for how long with --duration".into());
        }
        if self.connections() < self.threads.get() {
            return Err(format!("{} threads have nothing to do with {} connections", self.threads, self.connections()));
        }
        match self.url.scheme() {
            "http" => Ok(()),
            "https" if cfg!(feature = "tls") => Ok(()),
            "https" => Err("built without TLS; for https: cargo build --release --features tls".into()),
            other => Err(format!("asks for http:// alone, not {other}://")),
        }
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let found = text.parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok());
    found.filter(|time| !time.is_zero()).ok_or_else(|| "wants seconds, as in 10 or 0.5".into())
}

fn time(text: &str) -> Result<SystemTime, String> {
    let since = seconds(text).map_err(|_| String::from("wants seconds since 1970, as `date +%s` prints them"))?;
    UNIX_EPOCH.checked_add(since).ok_or_else(|| "is later than this system can tell".into())
}

fn rate(text: &str) -> Result<f64, String> {
    let found = text.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0);
    found.ok_or_else(|| "wants requests per second, as in 5000".into())
}
