//! TLS by rustls and HTTP/2 by h2: as hyper's own examples put them together. rustls has its usual provider, aws-lc-rs,
//! and tickets, so that a client can resume its session with any worker.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use http_body_util::Full;
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{CONTENT_LENGTH, HeaderValue};
use hyper::server::conn::http2;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto::aws_lc_rs, version::TLS13};

use crate::arguments::Arguments;
use crate::{answer_http1, files};

static ACCEPTOR: OnceLock<TlsAcceptor> = OnceLock::new();

pub async fn answer(stream: TcpStream, arguments: &'static Arguments) {
    if arguments.certificate.as_os_str().is_empty() {
        return answer_http2(stream, arguments).await;
    }
    let acceptor = ACCEPTOR.get_or_init(|| acceptor(&arguments.certificate, &arguments.key));
    // An error means that the client has gone, or speaks something else.
    let Ok(stream) = acceptor.accept(stream).await else { return };
    if stream.get_ref().1.alpn_protocol() == Some(b"h2") {
        answer_http2(stream, arguments).await;
    } else {
        answer_http1(stream, arguments).await;
    }
}

async fn answer_http2<S>(stream: S, arguments: &'static Arguments)
where
    S: AsyncRead + AsyncWrite + Unpin + 'static,
{
    let service = service_fn(|request| async move { Ok::<_, Infallible>(respond(&arguments.root, &request)) });
    let _ = http2::Builder::new(TokioExecutor::new()).serve_connection(TokioIo::new(stream), service).await;
}

/// hyper takes the content from an answer to HEAD over HTTP/1.1 alone.
fn respond(root: &Path, request: &Request<Incoming>) -> Response<Full<Bytes>> {
    let mut response = files::answer(root, request);
    if request.method() == Method::HEAD {
        let length = response.body().size_hint().exact().unwrap_or_default();
        response.headers_mut().insert(CONTENT_LENGTH, HeaderValue::from(length));
        *response.body_mut() = Full::default();
    }
    response
}

fn acceptor(certificate: &Path, key: &Path) -> TlsAcceptor {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let chain =
        CertificateDer::pem_file_iter(certificate).expect("a certificate").map(|one| one.expect("PEM")).collect();
    let key = PrivateKeyDer::from_pem_file(key).expect("a key");
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&TLS13])
        .expect("a version that it has")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("the key of the certificate");
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config.ticketer = aws_lc_rs::Ticketer::new().expect("random bytes");
    TlsAcceptor::from(Arc::new(config))
}
