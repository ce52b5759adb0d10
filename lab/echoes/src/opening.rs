//! Opens a connection and upgrades it to WebSocket (RFC 6455 4.1). The sockets block until then.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::fault::Fault;
use crate::options::Options;

/// The key of the RFC, and the server's answer to it (1.3): the lab's validator asks with other keys.
const KEY: &str = "dGhlIHNhbXBsZSBub25jZQ==";
const ACCEPT: &str = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";
const HEAD_BYTES_MAX: usize = 4096;

pub fn open(options: &Options) -> Result<TcpStream, Fault> {
    let mut stream = TcpStream::connect_timeout(&options.address, options.timeout).map_err(|_| Fault::Connect)?;
    stream.set_nodelay(true).map_err(|_| Fault::Connect)?;
    stream.set_read_timeout(Some(options.timeout)).map_err(|_| Fault::Connect)?;
    stream.write_all(request(options).as_bytes()).map_err(|_| Fault::Write)?;
    if !is_accepted(&head_of(&mut stream)?) {
        return Err(Fault::Status);
    }
    stream.set_nonblocking(true).map_err(|_| Fault::Connect)?;
    Ok(stream)
}

/// Of the answer. Bytes that follow it are content, which the answer to an upgrade has not, or a frame that no message
/// has asked for.
fn head_of(stream: &mut TcpStream) -> Result<Vec<u8>, Fault> {
    const END: &[u8] = b"\r\n\r\n";
    let mut head = vec![0; HEAD_BYTES_MAX];
    let mut received = 0;
    loop {
        match stream.read(&mut head[received..]) {
            Ok(0) => return Err(if received == HEAD_BYTES_MAX { Fault::Status } else { Fault::Read }),
            Ok(more) => received += more,
            Err(error) => return Err(Fault::of_read(&error)),
        }
        if let Some(end) = head[..received].windows(END.len()).position(|four| four == END) {
            let has_more = end + END.len() < received;
            head.truncate(end + END.len());
            return if has_more && is_accepted(&head) { Err(Fault::Body) } else { Ok(head) };
        }
    }
}

fn request(options: &Options) -> String {
    format!(
        "GET {} HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {KEY}\r\n\
         Sec-WebSocket-Version: 13\r\n\r\n",
        options.path, options.address
    )
}

/// The right answer to the key, and no extension: none was offered.
fn is_accepted(head: &[u8]) -> bool {
    let Ok(head) = std::str::from_utf8(head) else { return false };
    let mut lines = head.split("\r\n");
    let is_switched = lines.next().is_some_and(|line| line.starts_with("HTTP/1.1 101 "));
    let fields: Vec<_> = lines.filter_map(|line| line.split_once(':')).collect();
    let has = |name: &str| fields.iter().find(|(one, _)| one.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim());
    is_switched && has("sec-websocket-accept") == Some(ACCEPT) && has("sec-websocket-extensions").is_none()
}

#[cfg(test)]
mod tests {
    use super::is_accepted;

    #[test]
    fn looks_at_status_and_fields() {
        let right = "HTTP/1.1 101 Switching Protocols\r\nsec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
        assert!(is_accepted(right.as_bytes()));
        let with_extension = right.replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n");
        for wrong in [right.replace("101", "200"), right.replace("s3pP", "t3pP"), with_extension] {
            assert!(!is_accepted(wrong.as_bytes()), "{wrong}");
        }
    }
}
