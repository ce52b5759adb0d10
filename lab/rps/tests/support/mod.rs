//! A tiny server that misbehaves as told, and the program's own report on it.
#![allow(dead_code)] // each test file uses a part of this

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Output};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde_json::Value;

pub const OK: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

pub struct Server {
    pub url: String,
    pub accepted: Arc<AtomicU64>,
}

impl Server {
    /// `answer` gets the request's number, over all connections, and its head. None: close without a word.
    pub fn start(answer: impl Fn(u64, &str) -> Option<Vec<u8>> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/", listener.local_addr().expect("bound"));
        let accepted = Arc::new(AtomicU64::new(0));
        let (answer, count, number) = (Arc::new(answer), Arc::clone(&accepted), Arc::new(AtomicU64::new(0)));
        // Ends with the test's process.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                count.fetch_add(1, Ordering::SeqCst);
                let (answer, number) = (Arc::clone(&answer), Arc::clone(&number));
                thread::spawn(move || serve(&stream, &number, &*answer));
            }
        });
        Server { url, accepted }
    }
}

fn serve(mut stream: &TcpStream, number: &AtomicU64, answer: &dyn Fn(u64, &str) -> Option<Vec<u8>>) {
    let mut reader = BufReader::new(stream);
    while let Some(head) = read_head(&mut reader) {
        let Some(bytes) = answer(number.fetch_add(1, Ordering::SeqCst), &head) else { return };
        let whole = !bytes.ends_with(b"short");
        if stream.write_all(&bytes).is_err() || !whole {
            return;
        }
    }
}

fn read_head(reader: &mut BufReader<&TcpStream>) -> Option<String> {
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    Some(head)
}

/// For a server that keeps silent; its thread ends with the test's process.
pub fn never() -> ! {
    loop {
        thread::park();
    }
}

pub fn rps(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rps")).args(arguments).output().expect("the program that was just built")
}

/// The report in JSON, and the exit status.
pub fn measured(arguments: &[&str]) -> (Value, i32) {
    let output = rps(&[&["--json"], arguments].concat());
    let report = serde_json::from_slice(&output.stdout).expect("JSON");
    (report, output.status.code().expect("an exit status"))
}
