//! The kinds of failure, as all generators of the lab name them.

use std::io::{Error, ErrorKind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    Connect,
    Read,
    Write,
    Timeout,
    Status,
    Body,
}

impl Fault {
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

    /// Of a socket that blocks: a wait that took too long looks like a call that would block.
    pub fn of_read(error: &Error) -> Fault {
        match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => Fault::Timeout,
            _ => Fault::Read,
        }
    }
}
