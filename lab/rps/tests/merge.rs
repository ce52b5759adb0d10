mod support;

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use support::{OK, Server, measured, rps};

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).expect("a folder of cargo's");
    path.to_str().expect("a name of ours").to_owned()
}

fn report(url: &str, more: &[&str]) -> (String, Value) {
    let output = rps(&[&["--json", "--histogram", "2", "100", url][..], more].concat());
    let text = String::from_utf8(output.stdout).expect("text");
    let report = serde_json::from_str(&text).expect("JSON");
    (text, report)
}

#[test]
fn the_reports_of_two_hosts_add_up() {
    let server = Server::start(|number, _| {
        let failed = b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\nno";
        Some(if number % 50 == 7 { failed.to_vec() } else { OK.to_vec() })
    });
    let ((a, first), (b, second)) = (report(&server.url, &[]), report(&server.url, &[]));
    let output = rps(&["merge", &file("a.json", &a), &file("b.json", &b), "--json"]);
    let merged: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(merged["requests"], 196);
    assert_eq!(merged["errors"], json!({"status": 4}));
    assert_eq!(merged["connections_opened"], 4);
    let slowest = |report: &Value| report["latency_seconds"]["max"].as_f64().expect("a number");
    assert!((slowest(&merged) - slowest(&first).max(slowest(&second))).abs() < 1e-9);
    let seconds = |report: &Value| report["seconds"].as_f64().expect("a number");
    assert!(seconds(&merged) > seconds(&first) + seconds(&second), "the second began after the first had ended");
}

#[test]
fn people_are_told_how_far_the_starts_lie_apart() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let name = file("one.json", &report(&server.url, &[]).0);
    let text = String::from_utf8(rps(&["merge", &name, &name]).stdout).expect("text");
    assert!(text.contains("\n200 answered in ") && text.contains("hosts: 2, their starts lie 0.000 s apart"), "{text}");
}

#[test]
fn all_begin_at_the_time_that_they_were_given() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let soon = (SystemTime::now() + Duration::from_millis(1500)).duration_since(UNIX_EPOCH).expect("after 1970");
    let at = format!("{:.3}", soon.as_secs_f64());
    let (_, begun) = report(&server.url, &["--start-at", &at, "--rate", "1000"]);
    assert_eq!(begun["requests"], 100);
    assert_eq!(begun["started"].as_f64(), at.parse().ok());
    let late = rps(&["1", "1", &server.url, "--start-at", &at]);
    assert!(String::from_utf8_lossy(&late.stderr).contains("the time of --start-at has passed"));
}

#[test]
fn what_cannot_be_merged_is_said_in_words() {
    let server = Server::start(|_, _| Some(OK.to_vec()));
    let plain = String::from_utf8(rps(&["--json", "1", "3", &server.url]).stdout).expect("text");
    for (name, words) in [
        (file("plain.json", &plain), "it has no histogram; rps --json --histogram writes"),
        (file("empty.json", ""), "there is no report in it"),
        ("/no/such/file".into(), "/no/such/file: No such file"),
    ] {
        let output = rps(&["merge", &name]);
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn another_method_and_content_are_sent() {
    let server = Server::start(|_, head| {
        let head = head.to_lowercase();
        (head.contains("post / http/1.1") && head.contains("content-length: 3\r\n")).then(|| OK.to_vec())
    });
    let (report, _) = measured(&["1", "5", &server.url, "--method", "POST", "--send-bytes", "3"]);
    assert_eq!((&report["requests"], &report["errors"]), (&json!(5), &json!({})));
}
