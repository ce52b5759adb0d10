"""The generators that are installed here load servers that are right and wrong. What is missing is skipped, and says
how to get it."""

from __future__ import annotations

import subprocess

import pytest
from wrong_servers import BODY, server

from weir_lab.core.load import Load, LoadPlan
from weir_lab.generators import GENERATORS

pytestmark = pytest.mark.live

SECONDS_MAX = 30


def run(name: str, how: str, **changes: object) -> Load:
    generator = GENERATORS[name]
    if missing := generator.missing():
        pytest.skip(missing)
    with server(how) as url:
        plan = LoadPlan(**({"url": url, "connections": 4, "seconds": 1.0, "body_bytes": len(BODY)} | changes))  # type: ignore[arg-type]
        done = subprocess.run(
            generator.command(plan),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
        )
        return generator.parse(done.stdout, plan)


@pytest.mark.parametrize("name", ["wrk", "locust"])
def test_a_right_server(name: str) -> None:
    load = run(name, "right", seconds=3.0)
    assert load.requests > 0 and load.errors == {}


@pytest.mark.parametrize("name", ["ab", "h2load", "oha", "rps"])
@pytest.mark.parametrize("keep_alive", [True, False])
def test_a_right_server_by_number(name: str, keep_alive: bool) -> None:
    load = run(name, "right", seconds=None, requests=200, keep_alive=keep_alive)
    assert (load.requests, load.errors, load.bytes_received) == (200, {}, 200 * len(BODY))


@pytest.mark.parametrize("name", ["wrk", "oha", "rps"])
def test_another_method_with_content(name: str) -> None:
    load = run(name, "post", method="POST", request_bytes=300)
    assert load.requests > 0 and load.errors == {}


@pytest.mark.parametrize(
    ("name", "how", "kind"),
    [
        ("ab", "500", "status"),
        ("h2load", "500", "status"),
        ("oha", "500", "status"),
        ("rps", "500", "status"),
        ("ab", "other length", "body"),
        ("rps", "other length", "body"),
        ("ab", "reset", "read"),
        ("h2load", "reset", "read"),
        ("oha", "reset", "read"),
        ("rps", "reset", "read"),
        ("ab", "refused", "connect"),
        ("oha", "refused", "connect"),
        ("rps", "refused", "connect"),
    ],
)
def test_a_wrong_server_by_number(name: str, how: str, kind: str) -> None:
    load = run(name, how, seconds=None, requests=200)
    assert load.requests == 0 and list(load.errors) == [kind]


@pytest.mark.parametrize(("name", "kind"), [("ab", "timeout"), ("oha", "timeout"), ("rps", "timeout")])
def test_patience_ends(name: str, kind: str) -> None:
    load = run(name, "silent", seconds=None, requests=4, timeout_seconds=0.3)
    assert list(load.errors) == [kind]


@pytest.mark.parametrize("name", ["oha", "rps"])
def test_an_open_loop_keeps_its_rate(name: str) -> None:
    load = run(name, "right", seconds=0.5, rate=200.0)
    assert load.requests == pytest.approx(100, abs=2) and load.errors == {}


def test_wrk_agrees_with_littles_law_under_pipelining() -> None:
    """It would not with the requests that wrk invents: percentiles beyond the first few would be nothing, the mean many
    times as much."""
    load = run("wrk", "right", pipeline=16)
    latency = load.latency
    assert latency.mean and latency.p50 and latency.p90 and latency.p99 and latency.max
    assert latency.p50 <= latency.p90 <= latency.p99 <= latency.max
    assert 0.2 * 4 * 16 < load.rate * latency.mean <= 1.05 * 4 * 16
