//! `hyper-peer --port P --root FOLDER [--workers N] [--gather yes|no]`

use std::path::PathBuf;

const USAGE: &str = "usage: hyper-peer --port P --root FOLDER [--workers N] [--gather yes|no]";

pub struct Arguments {
    pub port: u16,
    pub root: PathBuf,
    pub workers: usize,
    /// Copies head and content into one buffer, together with other pipelined answers: better for small files.
    pub gather: bool,
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
        let (mut port, mut root, mut workers, mut gather) = (None, None, 1, false);
        while let Some(name) = words.next() {
            let value = words.next()?;
            match name.as_str() {
                "--port" => port = Some(value.parse().ok()?),
                "--root" => root = Some(PathBuf::from(value)),
                "--workers" => workers = value.parse().ok().filter(|count| *count > 0)?,
                "--gather" => gather = ["no", "yes"].iter().position(|word| *word == value)? == 1,
                _ => return None,
            }
        }
        Some(Self { port: port?, root: root?, workers, gather })
    }
}
