//! `hyper-peer --port P --root FOLDER [--workers N] [--gather yes|no]`, and with the feature `tls`
//! `[--certificate PEM --key PEM] [--http2 yes|no]`

use std::path::PathBuf;

const USAGE: &str = "usage: hyper-peer --port P --root FOLDER [--workers N] [--gather yes|no]";

pub struct Arguments {
    pub port: u16,
    pub root: PathBuf,
    pub workers: usize,
    /// Copies head and content into one buffer, together with other pipelined answers: better for small files.
    pub gather: bool,
    /// Over TLS the client chooses the protocol; without, this says that it knows.
    #[cfg_attr(not(feature = "tls"), expect(dead_code))]
    pub http2: bool,
    /// Empty: plain.
    #[cfg_attr(not(feature = "tls"), expect(dead_code))]
    pub certificate: PathBuf,
    #[cfg_attr(not(feature = "tls"), expect(dead_code))]
    pub key: PathBuf,
}

impl Arguments {
    /// Ends the program if they are wrong.
    pub fn of_command_line() -> Self {
        Self::parse(std::env::args().skip(1)).unwrap_or_else(|| {
            eprintln!("{USAGE}");
            std::process::exit(2);
        })
    }

    fn parse(mut words: impl Iterator<Item = String>) -> Option<Self> {
        let (mut port, mut root, mut workers, mut gather, mut http2) = (None, None, 1, false, false);
        let (mut certificate, mut key) = (PathBuf::new(), PathBuf::new());
        while let Some(name) = words.next() {
            let value = words.next()?;
            match name.as_str() {
                "--port" => port = Some(value.parse().ok()?),
                "--root" => root = Some(PathBuf::from(value)),
                "--workers" => workers = value.parse().ok().filter(|count| *count > 0)?,
                "--gather" => gather = is_yes(&value)?,
                "--http2" if cfg!(feature = "tls") => http2 = is_yes(&value)?,
                "--certificate" if cfg!(feature = "tls") => certificate = PathBuf::from(value),
                "--key" if cfg!(feature = "tls") => key = PathBuf::from(value),
                _ => return None,
            }
        }
        Some(Self { port: port?, root: root?, workers, gather, http2, certificate, key })
    }
}

fn is_yes(word: &str) -> Option<bool> {
    Some(["no", "yes"].iter().position(|one| *one == word)? == 1)
}
