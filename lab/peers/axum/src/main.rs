//! `axum-peer PORT FOLDER WORKERS`: a server of a few files on axum. Each worker is a thread with its own runtime and
//! its own listening socket (`SO_REUSEPORT`), and shares nothing.
//!
//! It reads all files of the folder at the start, and answers from memory. The header fields are weir's. It never looks
//! for paths on the disk, and has no deadlines. Both are in its favour.
//!
//! `axum-peer program PORT WORKERS` has routes instead: `program.rs`.

mod program;

use std::collections::HashMap;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path as FilePath;
use std::time::UNIX_EPOCH;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header::{ACCEPT_RANGES, CONTENT_TYPE, ETAG, HeaderValue, LAST_MODIFIED, X_CONTENT_TYPE_OPTIONS};
use axum::http::{Response, StatusCode};
use axum::routing::get;
use axum::serve::ListenerExt;
use tokio::net::{TcpListener, TcpSocket};

const BACKLOG: u32 = 4096;

struct File {
    content: Bytes,
    changed: HeaderValue,
    tag: HeaderValue,
}

/// They live as long as the program, so that no reference count is needed.
type Files = &'static HashMap<String, File>;

fn read(folder: &FilePath) -> io::Result<HashMap<String, File>> {
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

async fn answer(State(files): State<Files>, Path(name): Path<String>) -> Response<Body> {
    let Some(file) = files.get(&name) else {
        let mut missing = Response::new(Body::empty());
        *missing.status_mut() = StatusCode::NOT_FOUND;
        return missing;
    };
    let mut found = Response::new(Body::from(file.content.clone()));
    let fields = found.headers_mut();
    fields.insert(LAST_MODIFIED, file.changed.clone());
    fields.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    fields.insert(ETAG, file.tag.clone());
    fields.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    fields.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    found
}

fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    socket.listen(BACKLOG)
}

fn work(port: u16, router: Router) -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let listener = listen(port)?.tap_io(|stream| _ = stream.set_nodelay(true));
        axum::serve(listener, router).await
    })
}

fn files_of(folder: &FilePath) -> io::Result<Router> {
    let files: Files = Box::leak(Box::new(read(folder)?));
    Ok(Router::new().route("/{name}", get(answer)).with_state(files))
}

/// Each worker has a router of its own.
fn serve(port: &str, workers: &str, make: impl Fn() -> Router) -> io::Result<()> {
    let (Ok(port), Ok(workers @ 1..)) = (port.parse(), workers.parse::<usize>()) else {
        return Err(io::Error::other("port and workers are numbers"));
    };
    let start = |router| std::thread::spawn(move || work(port, router));
    let workers: Vec<_> = (0..workers).map(|_| start(make())).collect();
    workers.into_iter().try_for_each(|worker| worker.join().expect("a worker that panics aborts the program"))
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let served = match &words[..] {
        [kind, port, workers] if kind == "program" => serve(port, workers, program::routes),
        [port, folder, workers] => {
            files_of(FilePath::new(folder)).and_then(|router| serve(port, workers, || router.clone()))
        }
        _ => Err(io::Error::other("usage: axum-peer PORT FOLDER WORKERS, or axum-peer program PORT WORKERS")),
    };
    if let Err(error) = served {
        eprintln!("axum-peer: {error}");
        std::process::exit(1);
    }
}
