//! `actix-peer PORT FOLDER WORKERS`: a server of a few files on actix-web. Each worker is a thread with its own
//! runtime.
//!
//! It reads all files of the folder at the start, and answers from memory. The header fields are weir's. It never looks
//! for paths on the disk, which is in its favour.

use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use actix_web::http::header::{ACCEPT_RANGES, CONTENT_TYPE, ETAG, HeaderValue, LAST_MODIFIED, X_CONTENT_TYPE_OPTIONS};
use actix_web::web::{self, Bytes};
use actix_web::{App, HttpResponse, HttpServer};

const BACKLOG: u32 = 4096;
const KEEP_ALIVE: Duration = Duration::from_secs(75); // as all peers
const STOP_SECONDS: u64 = 1;

struct File {
    content: Bytes,
    changed: HeaderValue,
    tag: HeaderValue,
}

/// They live as long as the program, so that no reference count is needed.
type Files = &'static HashMap<String, File>;

fn read(folder: &Path) -> io::Result<HashMap<String, File>> {
    let mut files = HashMap::new();
    for entry in folder.read_dir()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            continue;
        }
        let content = Bytes::from(std::fs::read(entry.path())?);
        let changed = entry.metadata()?.modified()?;
        let since = changed.duration_since(UNIX_EPOCH).map_err(io::Error::other)?;
        let tag = format!("\"{:x}-{:x}\"", content.len(), since.as_nanos());
        let value = |text: String| HeaderValue::from_str(&text).map_err(io::Error::other);
        let file = File { content, changed: value(httpdate::fmt_http_date(changed))?, tag: value(tag)? };
        files.insert(entry.file_name().to_string_lossy().into_owned(), file);
    }
    Ok(files)
}

async fn answer(files: web::Data<Files>, name: web::Path<String>) -> HttpResponse {
    let Some(file) = files.get(name.as_str()) else { return HttpResponse::NotFound().finish() };
    HttpResponse::Ok()
        .insert_header((LAST_MODIFIED, file.changed.clone()))
        .insert_header((ACCEPT_RANGES, HeaderValue::from_static("bytes")))
        .insert_header((ETAG, file.tag.clone()))
        .insert_header((CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")))
        .insert_header((X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")))
        .body(file.content.clone())
}

fn serve(port: u16, folder: &Path, workers: usize) -> io::Result<()> {
    let files: Files = Box::leak(Box::new(read(folder)?));
    let files = web::Data::new(files);
    let server = HttpServer::new(move || {
        let one = web::resource("/{name}").get(answer).route(web::head().to(answer));
        App::new().app_data(files.clone()).service(one)
    });
    let server = server.workers(workers).backlog(BACKLOG).keep_alive(KEEP_ALIVE).shutdown_timeout(STOP_SECONDS);
    // Otherwise a worker takes no more than 25,000 connections.
    let server = server.max_connections(usize::MAX).bind(("127.0.0.1", port))?;
    actix_web::rt::System::new().block_on(server.run())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let served = match &words[..] {
        [port, folder, workers] => match (port.parse(), workers.parse()) {
            (Ok(port), Ok(workers)) if workers > 0 => serve(port, Path::new(folder), workers),
            _ => Err(io::Error::other("port and workers are numbers")),
        },
        _ => Err(io::Error::other("usage: actix-peer PORT FOLDER WORKERS")),
    };
    if let Err(error) = served {
        eprintln!("actix-peer: {error}");
        std::process::exit(1);
    }
}
