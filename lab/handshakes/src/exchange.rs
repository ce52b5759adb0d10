//! One connection after the other: handshake, request, answer, end.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::Resumption;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::crypto::aws_lc_rs::cipher_suite::TLS13_AES_128_GCM_SHA256;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::version::TLS13;
use tokio_rustls::rustls::{ClientConfig, HandshakeKind};

use crate::fault::Fault;
use crate::options::Options;
use crate::trust::OneCertificate;

const TICKETS_MAX: usize = 8; // each is used once
const BUFFER_BYTES: usize = 64 * 1024;

/// What came, beside the content.
pub struct Answer {
    pub body_bytes: usize,
    pub was_resumed: bool,
}

/// One place: it has one connection at a time, and the tickets of the last ones.
pub struct Client {
    connector: TlsConnector,
    options: Arc<Options>,
    request: Vec<u8>,
    buffer: Vec<u8>,
}

impl Client {
    /// The error is a message for the user.
    pub fn new(options: &Arc<Options>) -> Result<Client, String> {
        let mut provider = aws_lc_rs::default_provider();
        // The same for all servers: the first choice of all here, and a cipher that each must have.
        provider.kx_groups = vec![aws_lc_rs::kx_group::X25519];
        provider.cipher_suites = vec![TLS13_AES_128_GCM_SHA256];
        let provider = Arc::new(provider);
        let certificate = CertificateDer::from_pem_file(&options.certificate)
            .map_err(|error| format!("{}: {error}", options.certificate.display()))?;
        let verifier = OneCertificate { certificate, provider: Arc::clone(&provider) };
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&TLS13])
            .map_err(|error| error.to_string())?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        config.resumption =
            if options.resume { Resumption::in_memory_sessions(TICKETS_MAX) } else { Resumption::disabled() };
        let request =
            format!("GET {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", options.path, options.address);
        Ok(Client {
            connector: TlsConnector::from(Arc::new(config)),
            options: Arc::clone(options),
            request: request.into_bytes(),
            buffer: vec![0; BUFFER_BYTES],
        })
    }

    pub async fn ask(&mut self) -> Result<Answer, Fault> {
        timeout(self.options.timeout, self.exchange()).await.unwrap_or(Err(Fault::Timeout))
    }

    async fn exchange(&mut self) -> Result<Answer, Fault> {
        let stream = TcpStream::connect(self.options.address).await.map_err(|_| Fault::Connect)?;
        stream.set_nodelay(true).map_err(|_| Fault::Connect)?;
        let name = ServerName::IpAddress(self.options.address.ip().into());
        let mut stream = self.connector.connect(name, stream).await.map_err(|_| Fault::Connect)?;
        let was_resumed = stream.get_ref().1.handshake_kind() == Some(HandshakeKind::Resumed);
        stream.write_all(&self.request).await.map_err(|_| Fault::Write)?;
        stream.flush().await.map_err(|_| Fault::Write)?;
        let mut received = 0;
        loop {
            if received == self.buffer.len() {
                self.buffer.resize(2 * received, 0);
            }
            match stream.read(&mut self.buffer[received..]).await {
                Ok(0) => break,
                Ok(more) => received += more,
                // Some servers close without a word; the length of the content then tells whether all of it came.
                Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => break,
                Err(_) => return Err(Fault::Read),
            }
        }
        let body_bytes = content(&self.buffer[..received])?;
        if self.options.expect_bytes.is_some_and(|expected| expected != body_bytes) {
            return Err(Fault::Body);
        }
        Ok(Answer { body_bytes, was_resumed })
    }
}

/// How much content a whole answer has.
fn content(answer: &[u8]) -> Result<usize, Fault> {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").ok_or(Fault::Read)?;
    let head = std::str::from_utf8(&answer[..end]).map_err(|_| Fault::Read)?;
    let mut lines = head.split("\r\n");
    if !lines.next().is_some_and(|line| line.starts_with("HTTP/1.1 2")) {
        return Err(Fault::Status);
    }
    let announced = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let came = answer.len() - end - 4;
    if announced == Some(came) { Ok(came) } else { Err(Fault::Body) }
}
