"""What each generator prints is read right: tests/data has real outputs, of four connections for a second to servers
that are right or wrong (wrong_servers.py)."""

from __future__ import annotations

from pathlib import Path

import pytest

from weir_lab.core.load import Load, LoadPlan
from weir_lab.generators import GENERATORS

DATA = Path(__file__).with_name("data")
BODY_BYTES = 1024
OF_PLAIN_HTTP = [
    name for name in GENERATORS if name not in {"handshakes", "echoes"}
]  # test_handshakes.py, test_echoes.py


def parse(name: str, case: str, keep_alive: bool = True, pipeline: int = 1) -> Load:
    plan = LoadPlan("http://127.0.0.1/", 4, 1.0, keep_alive=keep_alive, pipeline=pipeline, body_bytes=BODY_BYTES)
    return GENERATORS[name].parse((DATA / f"{name}-{case}.txt").read_text(encoding="utf-8"), plan)


@pytest.mark.parametrize("name", OF_PLAIN_HTTP)
def test_a_right_server_has_requests_and_no_errors(name: str) -> None:
    load = parse(name, "right")
    assert load.requests > 1000 and load.errors == {}
    assert 0.5 < load.seconds < 1.5
    assert load.bytes_received is not None and load.bytes_received >= load.requests * BODY_BYTES
    assert load.latency.max is not None and load.latency.max < 1


@pytest.mark.parametrize(
    ("name", "requests", "p50", "p99", "most"),
    [
        ("ab", 41696, 0.000059, 0.001536, 0.005295),
        ("wrk", 15872, 0.000059, 0.004077, 0.106396),
        ("oha", 27984, 0.000068702, 0.002862209, 0.006705762),
    ],
)
def test_figures_are_in_seconds(name: str, requests: int, p50: float, p99: float, most: float) -> None:
    load = parse(name, "right")
    assert (load.requests, load.latency.p50, load.latency.p99, load.latency.max) == (requests, p50, p99, most)


def all_say(kind: str) -> dict[str, str | None]:
    return dict.fromkeys(OF_PLAIN_HTTP, kind)


WRONG: dict[str, dict[str, str | None]] = {  # the kind of error; None: the generator doesn't see it
    "500": all_say("status"),
    "302": all_say("status") | {"wrk": None},
    "short": all_say("body") | {"wrk": "read", "h2load": "read"},
    "other-length": all_say("body") | {"wrk": None, "h2load": None, "oha": None},
    "reset": all_say("read"),
    "refused": all_say("connect"),
}


@pytest.mark.parametrize(
    ("name", "case", "kind"), [(name, case, kind) for case, kinds in WRONG.items() for name, kind in kinds.items()]
)
def test_errors_have_their_kind(name: str, case: str, kind: str | None) -> None:
    load = parse(name, case)
    assert list(load.errors) == ([kind] if kind else [])
    if kind:
        assert load.requests == 0


@pytest.mark.parametrize(
    ("name", "kind"),
    [("ab", "timeout"), ("wrk", None), ("h2load", "read"), ("oha", "timeout"), ("rps", "timeout"), ("locust", None)],
)
def test_a_silent_server_answers_nothing(name: str, kind: str | None) -> None:
    load = parse(name, "silent")
    assert load.requests == 0 and list(load.errors) == ([kind] if kind else [])


@pytest.mark.parametrize("name", ["wrk", "h2load"])
def test_each_request_of_a_batch_is_counted(name: str) -> None:
    load = parse(name, "pipelined", pipeline=16)
    assert load.requests > 50_000
    assert load.latency.mean and load.latency.mean * load.rate <= 4 * 16


@pytest.mark.parametrize("name", OF_PLAIN_HTTP)
def test_a_connection_for_each_request_is_no_error(name: str) -> None:
    load = parse(name, "close", keep_alive=False)
    assert load.requests >= 200 and load.errors == {}


@pytest.mark.parametrize("name", ["oha", "rps"])
def test_an_open_loop_sends_what_was_asked_for(name: str) -> None:
    assert parse(name, "open-loop").requests == 200


def test_h2load_counts_what_it_could_not_send() -> None:
    assert parse("h2load", "number-refused").errors == {"connect": 200}
    assert parse("h2load", "number-reset").errors == {"read": 200}


@pytest.mark.parametrize("name", GENERATORS)
def test_what_cannot_be_read_is_said(name: str) -> None:
    with pytest.raises(ValueError):
        GENERATORS[name].parse("Segmentation fault", LoadPlan("http://127.0.0.1/", 1, 1.0))


def test_ab_is_not_believed_where_connections_were_closed_under_it() -> None:
    output = (
        (DATA / "ab-right.txt")
        .read_text(encoding="utf-8")
        .replace("Keep-Alive requests:    41696", "Keep-Alive requests:    417")
    )
    with pytest.raises(ValueError, match="kept 417 connections of 41,696"):
        GENERATORS["ab"].parse(output, LoadPlan("http://127.0.0.1/", 4, 1.0, body_bytes=BODY_BYTES))


def test_wrk_counts_late_answers_as_lost_and_not_as_answered() -> None:
    said = (
        'weir-lab {"requests":100,"seconds":1.0,"bytes":1,'
        '"errors":{"connect":1,"read":2,"write":3,"status":10,"timeout":20},'
        '"latency":{}}'
    )
    load = GENERATORS["wrk"].parse(said, LoadPlan("http://127.0.0.1/", 1, 1.0))
    assert load.requests == 70
    assert load.errors == {"connect": 1, "read": 2, "write": 3, "status": 10, "timeout": 20}


def test_oha_does_not_count_what_was_under_way_at_the_end() -> None:
    output = (DATA / "oha-right.txt").read_text(encoding="utf-8")
    output = output.replace('"errorDistribution": {}', '"errorDistribution": {"aborted due to deadline": 4}')
    assert GENERATORS["oha"].parse(output, LoadPlan("http://127.0.0.1/", 1, 1.0)).errors == {}


@pytest.mark.parametrize(
    ("case", "negotiated"),
    [
        ("https", "TLSv1.3 TLS_AES_128_GCM_SHA256 http/1.1"),
        ("h2", "TLSv1.3 TLS_AES_128_GCM_SHA256 h2"),
        ("h2c", "h2c"),
        ("right", "http/1.1"),
        ("refused", ""),
    ],
)
def test_h2load_says_what_it_spoke(case: str, negotiated: str) -> None:
    load = parse("h2load", case, pipeline=32)
    assert load.negotiated == negotiated
    if negotiated:
        begun = (load.bytes_received or 0) - load.requests * BODY_BYTES
        assert load.errors == {} and 0 <= begun <= 4 * 32 * BODY_BYTES
