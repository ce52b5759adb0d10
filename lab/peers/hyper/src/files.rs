//! The files of one folder, in memory, with the head that weir gives them.

use std::collections::HashMap;
use std::path::Path;
use std::time::UNIX_EPOCH;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{Request, Response, StatusCode};

pub struct Files(HashMap<String, File>);

struct File {
    content: Bytes,
    etag: HeaderValue,
    last_modified: HeaderValue,
}

impl Files {
    /// All that are right in the folder, under "/name".
    pub fn in_folder(folder: &Path) -> Self {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        Self(
            entries
                .filter_map(|entry| Some((format!("/{}", entry.file_name().to_str()?), File::read(&entry.path())?)))
                .collect(),
        )
    }

    pub fn answer(&self, request: &Request<Incoming>) -> Response<Full<Bytes>> {
        match self.0.get(request.uri().path()) {
            Some(file) => file.answer(),
            None => {
                let mut response = Response::new(Full::default());
                *response.status_mut() = StatusCode::NOT_FOUND;
                response
            }
        }
    }
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

    /// Date and Content-Length are hyper's own.
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
