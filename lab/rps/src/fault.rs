//! The kinds of failure.

use std::error::Error;
use std::io::ErrorKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    Connect,
    Read,
    Write,
    Timeout,
    Status,
    Body,
}

impl Fault {
    pub const ALL: [Fault; 6] = [Fault::Connect, Fault::Read, Fault::Write, Fault::Timeout, Fault::Status, Fault::Body];

    pub fn name(self) -> &'static str {
        match self {
            Fault::Connect => "connect",
            Fault::Read => "read",
            Fault::Write => "write",
            Fault::Timeout => "timeout",
            Fault::Status => "status",
            Fault::Body => "body",
        }
    }

    /// The kind of an error that occurs before the head of the answer.
    pub fn of_sending(error: &reqwest::Error) -> Fault {
        if error.is_connect() {
            Fault::Connect
        } else if io_kind(error) == Some(ErrorKind::BrokenPipe) {
            Fault::Write
        } else {
            Fault::Read
        }
    }
}

/// The kind of the system's error that caused this one, if there is one.
fn io_kind(error: &dyn Error) -> Option<ErrorKind> {
    let mut cause = error.source();
    while let Some(inner) = cause {
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            return Some(io.kind());
        }
        cause = inner.source();
    }
    None
}
