//! `echoes --connections N --threads N --duration SECONDS --timeout SECONDS --bytes N ws://ADDRESS:PORT/PATH`

use std::net::SocketAddr;
use std::time::Duration;

use crate::frame::MESSAGE_BYTES_MAX;

const USAGE: &str = "usage: echoes [--connections N] [--threads N] [--duration SECONDS] [--timeout SECONDS] \
                     [--bytes 1..125] ws://ADDRESS:PORT/PATH";

#[derive(Debug)]
pub struct Options {
    pub connections: usize,
    pub threads: usize,
    pub duration: Duration,
    pub timeout: Duration,
    /// Of each message.
    pub bytes: usize,
    pub address: SocketAddr,
    pub path: String,
}

impl Options {
    /// The error is a message for the user.
    pub fn of_command_line() -> Result<Self, String> {
        Self::parse(std::env::args().skip(1)).ok_or_else(|| USAGE.to_owned())
    }

    pub fn parse(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let (mut connections, mut threads, mut bytes) = (1, 1, 64);
        let (mut duration, mut timeout) = (Duration::from_secs(1), Duration::from_secs(10));
        let mut url = None;
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
                "--bytes" => bytes = value.parse().ok().filter(|count| (1..=MESSAGE_BYTES_MAX).contains(count))?,
                _ => return None,
            }
        }
        let (host, path) = url.as_deref()?.strip_prefix("ws://")?.split_once('/')?;
        let (address, path) = (host.parse().ok()?, format!("/{path}"));
        Some(Self { connections, threads: threads.min(connections), duration, timeout, bytes, address, path })
    }
}

fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|value| Duration::try_from_secs_f64(value).ok())
}

#[cfg(test)]
mod tests {
    use super::Options;

    fn parse(line: &str) -> Option<Options> {
        Options::parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn reads_all_of_them() {
        let options = parse("--connections 3 --threads 9 --bytes 125 ws://127.0.0.1:80/echo").expect("right words");
        assert_eq!((options.connections, options.threads, options.bytes), (3, 3, 125));
        assert_eq!((options.address.port(), options.path.as_str()), (80, "/echo"));
    }

    #[test]
    fn refuses_wrong_ones() {
        for line in ["", "http://127.0.0.1:80/", "--bytes 126 ws://127.0.0.1:80/", "--threads 0 ws://127.0.0.1:80/"] {
            assert!(parse(line).is_none(), "{line}");
        }
    }
}
