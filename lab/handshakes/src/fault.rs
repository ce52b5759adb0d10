//! The kinds of failure, as all generators of the lab name them.

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
}
