mod support;

use serde_json::json;
use support::{OK, Server, measured, never};

#[test]
fn a_status_that_is_not_2xx_is_an_error_and_no_answer() {
    let server = Server::start(|number, _| {
        let failed = b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno";
        Some(if number % 4 == 3 { failed.to_vec() } else { OK.to_vec() })
    });
    let (report, status) = measured(&["1", "100", &server.url]);
    assert_eq!(status, 0);
    assert_eq!(report["requests"], 75);
    assert_eq!(report["errors"], json!({"status": 25}));
}

#[test]
fn a_redirect_is_not_followed() {
    let moved = b"HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n";
    let server = Server::start(move |_, _| Some(moved.to_vec()));
    let (report, status) = measured(&["1", "5", &server.url]);
    assert_eq!(status, 1);
    assert_eq!(report["errors"], json!({"status": 5}));
}

#[test]
fn content_that_ends_early_is_an_error() {
    let server = Server::start(|_, _| Some(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\nshort".to_vec()));
    let (report, status) = measured(&["1", "7", &server.url]);
    assert_eq!(status, 1);
    assert_eq!(report["errors"], json!({"body": 7}));
}

#[test]
fn content_of_another_length_is_an_error_where_one_is_expected() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let (report, _) = measured(&["1", "7", &server.url, "--expect-bytes", "6"]);
    assert_eq!(report["errors"], json!({"body": 7}));
    let (report, _) = measured(&["1", "7", &server.url, "--expect-bytes", "5"]);
    assert_eq!(report["errors"], json!({}));
}

#[test]
fn a_connection_that_ends_without_an_answer_is_an_error() {
    let server = Server::start(|_, _| None);
    let (report, _) = measured(&["1", "7", &server.url]);
    assert_eq!(report["errors"], json!({"read": 7}));
}

#[test]
fn nobody_there_is_an_error_of_connecting() {
    // Not a port that was free a moment ago: it might be given to the client, which then connects to itself.
    let (report, status) = measured(&["1", "7", "http://127.0.0.1:1/"]);
    assert_eq!(status, 1);
    assert_eq!(report["errors"], json!({"connect": 7}));
    assert_eq!(report["latency_seconds"], json!(null));
}

#[test]
fn an_answer_that_does_not_come_is_given_up() {
    let server = Server::start(|number, _| {
        if number == 1 {
            never();
        }
        Some(OK.to_vec())
    });
    let (report, _) = measured(&["1", "3", &server.url, "--timeout", "0.2"]);
    assert_eq!(report["requests"], 2);
    assert_eq!(report["errors"], json!({"timeout": 1}));
}
