//! `handshakes --connections N --threads N --duration SECONDS --timeout SECONDS --expect-bytes N --certificate PEM
//! [--resume yes|no] https://ADDRESS:PORT/PATH`

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

const USAGE: &str = "usage: handshakes [--connections N] [--threads N] [--duration SECONDS] [--timeout SECONDS] \
                     [--expect-bytes N] [--resume yes|no] --certificate PEM https://ADDRESS:PORT/PATH";

pub struct Options {
    pub connections: usize,
    pub threads: usize,
    pub duration: Duration,
    pub timeout: Duration,
    /// Of content in each answer.
    pub expect_bytes: Option<usize>,
    /// Each connection offers the newest ticket of its place.
    pub resume: bool,
    /// The only one that is trusted.
    pub certificate: PathBuf,
    pub address: SocketAddr,
    pub path: String,
}

impl Options {
    /// The error is a message for the user.
    pub fn of_command_line() -> Result<Self, String> {
        Self::parse(std::env::args().skip(1)).ok_or_else(|| USAGE.to_owned())
    }

    fn parse(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let (mut connections, mut threads, mut expect_bytes, mut resume) = (1, 1, None, false);
        let (mut duration, mut timeout) = (Duration::from_secs(1), Duration::from_secs(10));
        let (mut certificate, mut url) = (None, None);
        while let Some(name) = words.next() {
            if !name.starts_with("--") {
                url = Some(name);
                continue;
            }
            let value = words.next()?;
            match name.as_str() {
                "--connections" => connections = value.parse().ok().filter(|count| *count > 0)?,
                "--threads" => threads = value.parse().ok().filter(|count| *count > 0)?,
                "--duration" => duration = seconds(&value)?,
                "--timeout" => timeout = seconds(&value)?,
                "--expect-bytes" => expect_bytes = Some(value.parse().ok()?),
                "--resume" => resume = ["no", "yes"].iter().position(|word| *word == value)? == 1,
                "--certificate" => certificate = Some(PathBuf::from(value)),
                _ => return None,
            }
        }
        let (host, path) = url.as_deref()?.strip_prefix("https://")?.split_once('/')?;
        let (address, path) = (host.parse().ok()?, format!("/{path}"));
        let threads = threads.min(connections);
        Some(Self {
            connections,
            threads,
            duration,
            timeout,
            expect_bytes,
            resume,
            certificate: certificate?,
            address,
            path,
        })
    }
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|value| Duration::try_from_secs_f64(value).ok())
}
