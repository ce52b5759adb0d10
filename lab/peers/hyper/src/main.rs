//! A file server on hyper 1 and tokio, as a user of them would write it: each worker is a thread with its own runtime
//! and its own listening socket (`SO_REUSEPORT`), and shares nothing.
//!
//! Each worker reads a file once, and then answers from memory, whatever the size. That is as fast as hyper can
//! answer, and less than a file server does: it does not look for the path on the disk, and never checks whether the
//! file has changed. It has no deadlines either. Both are in its favour.

mod arguments;
mod files;
#[cfg(feature = "tls")]
mod tls;

use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use arguments::Arguments;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpSocket, TcpStream};

const BACKLOG: u32 = 4096;
const PAUSE: Duration = Duration::from_millis(10);

fn main() {
    // They live as long as the program, so that no reference count is needed.
    let arguments: &'static Arguments = Box::leak(Box::new(Arguments::of_command_line()));
    let workers: Vec<_> = (0..arguments.workers).map(|_| std::thread::spawn(move || run(arguments))).collect();
    for worker in workers {
        worker.join().expect("a worker that panics aborts the program");
    }
}

fn run(arguments: &'static Arguments) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let served = runtime.and_then(|runtime| runtime.block_on(serve(arguments)));
    if let Err(error) = served {
        eprintln!("hyper-peer: {error}");
        std::process::exit(1);
    }
}

async fn serve(arguments: &'static Arguments) -> std::io::Result<()> {
    let listener = listen(arguments.port)?;
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                tokio::spawn(answer(stream, arguments));
            }
            // The client has gone, or no descriptor is left until a connection closes.
            Err(_) => tokio::time::sleep(PAUSE).await,
        }
    }
}

fn listen(port: u16) -> std::io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.set_reuseport(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    socket.listen(BACKLOG)
}

async fn answer(stream: TcpStream, arguments: &'static Arguments) {
    // An error means that the client has gone.
    let _ = stream.set_nodelay(true);
    #[cfg(feature = "tls")]
    if arguments.http2 || !arguments.certificate.as_os_str().is_empty() {
        return tls::answer(stream, arguments).await;
    }
    answer_http1(stream, arguments).await;
}

async fn answer_http1<S: AsyncRead + AsyncWrite + Unpin>(stream: S, arguments: &'static Arguments) {
    let service = service_fn(|request| async move { Ok::<_, Infallible>(files::answer(&arguments.root, &request)) });
    let _ =
        http1::Builder::new().pipeline_flush(arguments.gather).serve_connection(TokioIo::new(stream), service).await;
}
