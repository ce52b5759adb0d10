mod support;

use std::thread;
use std::time::Duration;

use serde_json::json;
use support::{OK, Server, measured, never};

const STALL: Duration = Duration::from_millis(100);

/// Request 50 of 300, at 1,000 a second, meets a stall. The hundred requests that are due meanwhile wait as well.
#[test]
fn a_stall_is_in_the_latency_of_all_requests_that_were_due_meanwhile() {
    let server = Server::start(|number, _| {
        if number == 50 {
            thread::sleep(STALL);
        }
        Some(OK.to_vec())
    });
    let (report, _) = measured(&["1", "300", &server.url, "--rate", "1000"]);
    assert_eq!(report["requests"], 300);
    let latency = |name: &str| report["latency_seconds"][name].as_f64().expect("a number");
    // They wait for 100 ms, 99 ms, 98 ms...: a tenth of all requests waits for 70 ms or more. Counted from the sending,
    // p90 would not show the stall.
    assert!(latency("p90") >= 0.065, "{report}");
    assert!(latency("p99") >= 0.09, "{report}");
}

/// Beside it, so that nobody takes the one for the other: a closed loop sees one slow request.
#[test]
fn a_closed_loop_sees_the_stall_once() {
    let server = Server::start(|number, _| {
        if number == 50 {
            thread::sleep(STALL);
        }
        Some(OK.to_vec())
    });
    let (report, _) = measured(&["1", "300", &server.url]);
    let latency = |name: &str| report["latency_seconds"][name].as_f64().expect("a number");
    assert!(latency("max") >= 0.1, "{report}");
    assert!(latency("p90") < 0.05, "{report}");
}

#[test]
fn the_rate_is_kept_and_not_exceeded() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let (report, _) = measured(&["2", "0", &server.url, "-c", "4", "--rate", "400", "--duration", "0.5"]);
    assert_eq!(report["requests"], 200);
    assert!(report["seconds"].as_f64().expect("a number") >= 199.0 / 400.0, "{report}");
}

/// Each connection's first request, which the server keeps waiting, comes before the start and is not counted.
#[test]
fn connections_are_open_before_the_first_request_is_due() {
    let server = Server::start(|number, _| {
        if number < 4 {
            thread::sleep(STALL);
        }
        Some(OK.to_vec())
    });
    let (report, _) = measured(&["2", "40", &server.url, "-c", "4", "--rate", "1000"]);
    assert_eq!((&report["requests"], &report["connections_opened"]), (&json!(40), &json!(4)));
    let slowest = report["latency_seconds"]["max"].as_f64().expect("a number");
    assert!(slowest < STALL.as_secs_f64(), "{report}");
}

#[test]
fn each_connection_gets_its_turn() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let (report, _) = measured(&["2", "64", &server.url, "-c", "16", "--rate", "1000"]);
    assert_eq!(report["connections_opened"], 16);
}

/// The one connection waits for ever, and those behind it for as long as their own patience lasts.
#[test]
fn a_request_that_could_not_begin_in_time_is_lost() {
    let server = Server::start(|_, _| never());
    let (report, status) = measured(&["1", "100", &server.url, "--rate", "1000", "--timeout", "0.1"]);
    assert_eq!(status, 1);
    assert_eq!(report["errors"], json!({"timeout": 100}));
    assert!(report["seconds"].as_f64().expect("a number") < 5.0, "{report}");
}
