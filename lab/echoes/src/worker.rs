//! One thread: some connections, each with one message under way, in a loop on epoll. An exchange takes one `read` and
//! one `write`: the echo comes in one piece, and the kernel takes a message at once, since no other is under way.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use mio::{Events, Interest, Poll, Token};

use crate::fault::Fault;
use crate::frame::{Exchange, MESSAGE_BYTES_MAX};
use crate::options::Options;
use crate::random::Random;
use crate::tally::Tally;

const EVENTS_AT_ONCE: usize = 256;
const LOOK_EACH: Duration = Duration::from_millis(500); // for echoes that come too late
const RECEIVE_BYTES: usize = MESSAGE_BYTES_MAX + 16; // more than an echo has, so that more bytes show

struct Connection {
    stream: mio::net::TcpStream,
    exchange: Exchange,
    /// Of the echo.
    received: usize,
    sent_at: Instant,
}

pub struct Worker {
    poll: Poll,
    connections: Vec<Option<Connection>>, // None: it failed
    random: Random,
    tally: Tally,
    timeout: Duration,
}

impl Worker {
    pub fn new(number: usize, streams: Vec<TcpStream>, options: &Options) -> std::io::Result<Self> {
        let poll = Poll::new()?;
        let mut connections = Vec::with_capacity(streams.len());
        for stream in streams {
            let mut stream = mio::net::TcpStream::from_std(stream);
            poll.registry().register(&mut stream, Token(connections.len()), Interest::READABLE)?;
            let exchange = Exchange::new(options.bytes);
            connections.push(Some(Connection { stream, exchange, received: 0, sent_at: Instant::now() }));
        }
        let (random, tally) = (Random::new(number as u64), Tally::new());
        Ok(Self { poll, connections, random, tally, timeout: options.timeout })
    }

    /// Until then.
    pub fn work(mut self, end: Instant) -> Tally {
        for number in 0..self.connections.len() {
            self.step(number, |connection, random, _| connection.send(random));
        }
        let mut events = Events::with_capacity(EVENTS_AT_ONCE);
        let mut look_at = Instant::now() + LOOK_EACH;
        loop {
            let now = Instant::now();
            if now >= look_at || now >= end {
                self.give_up(now);
                look_at = now + LOOK_EACH;
            }
            if now >= end {
                return self.tally;
            }
            if let Err(error) = self.poll.poll(&mut events, Some(look_at.min(end) - now)) {
                assert!(error.kind() == ErrorKind::Interrupted, "epoll_wait(2): {error}");
                continue;
            }
            for event in &events {
                self.step(event.token().0, Connection::go_on);
            }
        }
    }

    /// A connection that fails is closed, and not opened again: one error is enough for the run to be refused.
    fn step(&mut self, number: usize, act: impl Fn(&mut Connection, &mut Random, &mut Tally) -> Result<(), Fault>) {
        let Some(connection) = &mut self.connections[number] else { return };
        if let Err(fault) = act(connection, &mut self.random, &mut self.tally) {
            self.connections[number] = None;
            self.tally.fail(fault);
        }
    }

    fn give_up(&mut self, now: Instant) {
        for number in 0..self.connections.len() {
            let timeout = self.timeout;
            self.step(number, |connection, _, _| {
                if now.saturating_duration_since(connection.sent_at) > timeout { Err(Fault::Timeout) } else { Ok(()) }
            });
        }
    }
}

impl Connection {
    fn send(&mut self, random: &mut Random) -> Result<(), Fault> {
        self.exchange.renew(random);
        self.received = 0;
        self.sent_at = Instant::now();
        match self.stream.write(self.exchange.frame()) {
            Ok(sent) if sent == self.exchange.frame().len() => Ok(()),
            _ => Err(Fault::Write),
        }
    }

    /// The next message follows a whole echo. Nothing else comes before it, so there is nothing to read again.
    fn go_on(&mut self, random: &mut Random, tally: &mut Tally) -> Result<(), Fault> {
        let mut buffer = [0; RECEIVE_BYTES];
        let came = match self.stream.read(&mut buffer) {
            Ok(0) => return Err(Fault::Read),
            Ok(came) => came,
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
            Err(_) => return Err(Fault::Read),
        };
        let rest = &self.exchange.echo()[self.received..];
        if !rest.starts_with(&buffer[..came]) {
            return Err(Fault::Body);
        }
        self.received += came;
        if came < rest.len() {
            return Ok(());
        }
        tally.count(self.sent_at.elapsed());
        self.send(random)
    }
}
