//! `may-peer PORT FOLDER WORKERS`: a server of small files on may_minihttp, a coroutine for each connection.
//!
//! It reads all files of the folder at the start, and answers from memory. The header fields are weir's, except for
//! Server, which may_minihttp writes itself. It does not look for paths on the disk, has no deadlines and no limits,
//! and keeps a connection open whose client asks to close it. All of that is in its favour.

use std::collections::HashMap;
use std::io;
use std::net::Ipv4Addr;
use std::path::Path;
use std::time::UNIX_EPOCH;

use may_minihttp::{HttpServer, HttpService, Request, Response};

struct File {
    content: Vec<u8>,
    fields: &'static str,
}

/// They live as long as the program, so that no reference count is needed.
type Files = &'static HashMap<String, File>;

#[derive(Clone)]
struct Folder(Files);

impl HttpService for Folder {
    fn call(&mut self, request: Request, response: &mut Response) -> io::Result<()> {
        match self.0.get(request.path()) {
            Some(file) => response.header(file.fields).body_mut().extend_from_slice(&file.content),
            None => _ = response.status_code(404, "Not Found"),
        }
        Ok(())
    }
}

fn read(folder: &Path) -> io::Result<HashMap<String, File>> {
    let mut files = HashMap::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        let content = std::fs::read(entry.path())?;
        let changed = entry.metadata()?.modified()?;
        let since = changed.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        // may_minihttp writes the line end after the last field.
        let fields = format!(
            "Last-Modified: {}\r\nAccept-Ranges: bytes\r\nETag: \"{:x}-{:x}\"\r\n\
             Content-Type: application/octet-stream\r\nX-Content-Type-Options: nosniff",
            httpdate::fmt_http_date(changed),
            content.len(),
            since.as_nanos()
        );
        let name = format!("/{}", entry.file_name().to_string_lossy());
        files.insert(name, File { content, fields: fields.leak() });
    }
    Ok(files)
}

fn serve(port: u16, folder: &Path, workers: usize) -> io::Result<()> {
    let files: Files = Box::leak(Box::new(read(folder)?));
    may::config().set_workers(workers);
    let serving = HttpServer(Folder(files)).start((Ipv4Addr::LOCALHOST, port))?;
    serving.join().map_err(|_| io::Error::other("the accepting coroutine has panicked"))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let served = match &words[..] {
        [port, folder, workers] => match (port.parse(), workers.parse()) {
            (Ok(port), Ok(workers)) if workers > 0 => serve(port, Path::new(folder), workers),
            _ => Err(io::Error::other("port and workers are numbers")),
        },
        _ => Err(io::Error::other("usage: may-peer PORT FOLDER WORKERS")),
    };
    if let Err(error) = served {
        eprintln!("may-peer: {error}");
        std::process::exit(1);
    }
}
