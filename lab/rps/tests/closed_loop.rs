mod support;

use std::sync::atomic::Ordering;

use serde_json::json;
use support::{OK, Server, measured, rps};

#[test]
fn each_request_is_counted_and_each_connection_used_again() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let (report, status) = measured(&["2", "300", &server.url, "--connections", "6"]);
    assert_eq!(status, 0);
    assert_eq!(report["requests"], 300);
    assert_eq!(report["body_bytes"], 300 * 5);
    assert_eq!(report["errors"], json!({}));
    assert_eq!(report["connections_opened"], 6);
    assert_eq!(server.accepted.load(Ordering::SeqCst), 6);
}

/// Content that does not come with its head: the connection is free only a moment after its end.
#[test]
fn a_connection_is_used_again_behind_long_content() {
    const CONTENT: usize = 100_000;
    let answer =
        [format!("HTTP/1.1 200 OK\r\nContent-Length: {CONTENT}\r\n\r\n").into_bytes(), vec![b'x'; CONTENT]].concat();
    let server = Server::start(move |_, _| Some(answer.clone()));
    let (report, _) = measured(&["1", "200", &server.url]);
    assert_eq!(report["requests"], 200);
    assert_eq!(report["connections_opened"], 1);
}

#[test]
fn close_opens_a_connection_for_each_request_and_says_so_in_it() {
    let server = Server::start(|_, head| {
        head.to_lowercase()
            .contains("connection: close")
            .then(|| b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello".to_vec())
    });
    let (report, _) = measured(&["1", "20", &server.url, "--close"]);
    assert_eq!(report["requests"], 20);
    assert_eq!(server.accepted.load(Ordering::SeqCst), 20);
}

#[test]
fn a_duration_ends_the_run() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let (report, status) = measured(&["1", "0", &server.url, "--duration", "0.2"]);
    assert_eq!(status, 0);
    assert!(report["seconds"].as_f64().expect("a number") >= 0.2);
    assert!(report["requests"].as_u64().expect("a number") > 0);
}

#[test]
fn people_get_the_rate_in_the_first_line() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let output = rps(&["1", "10", &server.url]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.lines().next().expect("a line").ends_with(" requests/s"), "{text}");
    assert!(text.contains("\n10 answered in ") && text.ends_with("\nerrors: none\n"), "{text}");
    assert!(output.stderr.is_empty(), "a bar was drawn where there is no terminal");
}

#[test]
fn what_cannot_begin_is_said_in_words() {
    let connections = ["9", "99", "http://127.0.0.1", "-c", "3"];
    for (arguments, words) in [
        (&["1", "0", "http://127.0.0.1"][..], "--duration"),
        (&["1", "9", "ftp://127.0.0.1"][..], "http://"),
        (&connections[..], "9 threads"),
        (&["1", "9", "http://127.0.0.1", "-c", "1000000000"][..], "ulimit -n"),
        (&["1", "9", "http://127.0.0.1", "--rate", "0"][..], "requests per second"),
    ] {
        let output = rps(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{said}");
    }
}
