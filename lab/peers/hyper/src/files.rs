//! The files of one folder, in memory, each with weir's header fields.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{Request, Response, StatusCode};

thread_local! {
    /// The files that this worker has answered, by path. Only this thread uses them, so that nothing is locked.
    static READ: RefCell<HashMap<String, File>> = RefCell::default();
}

struct File {
    content: Bytes,
    etag: HeaderValue,
    last_modified: HeaderValue,
}

pub fn answer(folder: &Path, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let path = request.uri().path();
    READ.with_borrow(|files| files.get(path).map(File::answer)).unwrap_or_else(|| read(folder, path))
}

/// Reads a file for its first answer. The folder has no subfolders.
fn read(folder: &Path, path: &str) -> Response<Full<Bytes>> {
    let name = path.strip_prefix('/').filter(|name| !name.contains('/') && !name.starts_with('.'));
    let Some(file) = name.and_then(|name| File::read(&folder.join(name))) else { return not_found() };
    let answer = file.answer();
    READ.with_borrow_mut(|files| files.insert(path.to_owned(), file));
    answer
}

fn not_found() -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

impl File {
    fn read(path: &Path) -> Option<Self> {
        let content = Bytes::from(std::fs::read(path).ok()?);
        let changed = std::fs::metadata(path).ok()?.modified().ok()?;
        let tag = format!("\"{:x}-{:x}\"", content.len(), changed.duration_since(UNIX_EPOCH).ok()?.as_nanos());
        Some(Self {
            content,
            etag: HeaderValue::try_from(tag).ok()?,
            last_modified: HeaderValue::try_from(httpdate::fmt_http_date(changed)).ok()?,
        })
    }

    /// hyper adds Date and Content-Length.
    fn answer(&self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.content.clone()));
        let fields = response.headers_mut();
        fields.insert(header::LAST_MODIFIED, self.last_modified.clone());
        fields.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        fields.insert(header::ETAG, self.etag.clone());
        fields.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
        fields.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        response
    }
}
