"""What a generator can't do, it says before anything runs; what it can is what the plan asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from weir_lab.core.load import LoadPlan
from weir_lab.core.tls import Certificate
from weir_lab.generators import GENERATORS
from weir_lab.generators import program as programs
from weir_lab.generators.generator import CannotLoad

URL = "http://127.0.0.1:8000/1024.bin"
SECURE = "https://127.0.0.1:8000/1024.bin"
ECHOES = LoadPlan("ws://127.0.0.1:8000/echo", 10, 2.0, body_bytes=64)
HANDSHAKES = LoadPlan(SECURE, 10, 2.0, keep_alive=False, certificate=Certificate(Path("/c.pem"), Path("/k.pem")))
OWN = {"handshakes": HANDSHAKES, "echoes": ECHOES}  # what no other generator can

# Of the table in weir_lab/generators/__init__.py.
CAN: dict[str, set[str]] = {
    "ab": {"close", "number"},
    "wrk": {"close", "pipelining", "method"},
    "h2load": {"pipelining", "number", "close by number"},
    "oha": {"close", "number", "open loop", "method"},
    "rps": {"close", "number", "open loop", "method"},
    "locust": {"close"},
    "handshakes": set(),
    "echoes": set(),
}
OF_PLAIN_HTTP = [name for name in CAN if name not in {"h2load", "handshakes", "echoes"}]
PLANS = {
    "close": LoadPlan(URL, 10, 2.0, keep_alive=False),
    "close by number": LoadPlan(URL, 10, None, requests=100, keep_alive=False),
    "number": LoadPlan(URL, 10, None, requests=100),
    "pipelining": LoadPlan(URL, 10, 2.0, pipeline=16),
    "open loop": LoadPlan(URL, 10, 2.0, rate=500.0),
    "method": LoadPlan(URL, 10, 2.0, method="POST", request_bytes=100),
}


@pytest.mark.parametrize("name", GENERATORS)
@pytest.mark.parametrize("what", ["close", "number", "pipelining", "open loop", "method"])
def test_it_does_what_the_table_says_or_refuses_in_words(name: str, what: str) -> None:
    generator = GENERATORS[name]
    if what in CAN[name]:
        assert generator.command(PLANS[what])
    else:
        with pytest.raises(CannotLoad, match=f"^{name} "):
            generator.command(PLANS[what])


def test_h2load_closes_connections_when_it_counts() -> None:
    command = GENERATORS["h2load"].command(PLANS["close by number"])
    assert "Connection: close" in command and "-D" not in command


@pytest.mark.parametrize("name", GENERATORS)
def test_a_short_time_is_a_time(name: str) -> None:
    """A warm-up is shorter than a second, and not every program knows parts of one."""
    plan = OWN.get(name) or LoadPlan(URL, 10, 2.0)
    command = GENERATORS[name].command(replace(plan, seconds=0.4))
    assert not {"0s", "0ms", "0.4s"} & set(command)


@pytest.mark.parametrize("name", OF_PLAIN_HTTP)
@pytest.mark.parametrize("plan", [LoadPlan(SECURE, 10, 2.0), LoadPlan(URL, 10, 2.0, http2=True)])
def test_who_speaks_plain_http_alone_says_so(name: str, plan: LoadPlan) -> None:
    with pytest.raises(CannotLoad, match=f"^{name} speaks plain HTTP/1.1 here; h2load speaks TLS and HTTP/2"):
        GENERATORS[name].command(plan)


@pytest.mark.parametrize(
    ("plan", "protocol"),
    [
        (LoadPlan(SECURE, 10, 2.0), ["--h1"]),
        (LoadPlan(SECURE, 10, 2.0, pipeline=32, http2=True), ["--npn-list=h2", "--no-tls-proto=h2c"]),
        (LoadPlan(URL, 10, 2.0, pipeline=32, http2=True), ["--npn-list=h2", "--no-tls-proto=h2c"]),
    ],
)
def test_h2load_has_one_protocol_to_choose_from(plan: LoadPlan, protocol: list[str]) -> None:
    command = GENERATORS["h2load"].command(plan)
    assert command[1 : 1 + len(protocol)] == protocol
    assert command[command.index("-m") + 1] == str(plan.pipeline)


def test_h2load_offers_one_cipher() -> None:
    command = GENERATORS["h2load"].command(replace(HANDSHAKES, keep_alive=True))
    assert {"--tls13-ciphers=TLS_AES_128_GCM_SHA256", "--groups=X25519"} <= {*command}


def test_handshakes_are_of_tls_and_close() -> None:
    command = GENERATORS["handshakes"].command(replace(HANDSHAKES, resumes=True, body_bytes=1024))
    assert command[command.index("--resume") + 1] == "yes"
    assert command[command.index("--certificate") + 1] == "/c.pem"
    assert command[command.index("--expect-bytes") + 1] == "1024"
    for change in ({"keep_alive": True}, {"url": URL}, {"http2": True}, {"rate": 5.0}, {"seconds": None}):
        with pytest.raises(CannotLoad, match=r"^handshakes "):
            GENERATORS["handshakes"].command(replace(HANDSHAKES, **change))


@pytest.mark.parametrize("name", ["wrk", "h2load", "rps"])
def test_threads_are_no_more_than_connections(name: str) -> None:
    assert "4" not in GENERATORS[name].command(LoadPlan(URL, 1, 2.0, threads=4))


@pytest.mark.parametrize(("connections", "threads", "used"), [(100, 2, 2), (125, 2, 1), (9, 4, 3), (1, 8, 1)])
def test_wrk_leaves_out_no_connection(connections: int, threads: int, used: int) -> None:
    command = GENERATORS["wrk"].command(LoadPlan(URL, connections, 2.0, threads=threads))
    assert command[command.index("-t") + 1] == str(used)


def test_ab_has_twenty_thousand_connections_at_the_most() -> None:
    assert GENERATORS["ab"].command(LoadPlan(URL, 20_000, 2.0))
    with pytest.raises(CannotLoad, match="20,000"):
        GENERATORS["ab"].command(LoadPlan(URL, 20_001, 2.0))


@pytest.mark.parametrize("name", ["ab", "h2load"])
def test_fewer_requests_than_connections_are_refused(name: str) -> None:
    with pytest.raises(CannotLoad, match="for each connection"):
        GENERATORS[name].command(LoadPlan(URL, 10, None, requests=9))


@pytest.mark.parametrize("name", GENERATORS)
def test_what_is_missing_is_said_with_the_command_that_mends_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "find", lambda name, built=None: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    missing = GENERATORS[name].missing()
    assert missing and missing.startswith(name) and ("install" in missing or "cargo build" in missing)


@pytest.mark.parametrize("name", GENERATORS)
def test_wrk_alone_sends_the_fields_of_a_scenario(name: str) -> None:
    plan = OWN.get(name) or LoadPlan(URL, 10, 2.0)
    fields = ("Accept-Encoding: gzip", "Authorization: Basic bGFiOng=")
    if name != "wrk":
        with pytest.raises(CannotLoad, match=f"^{name} sends no fields of a scenario here; wrk sends Accept-Encoding"):
            GENERATORS[name].command(replace(plan, fields=fields))
        return
    command = GENERATORS[name].command(replace(plan, fields=fields))
    assert [command[at + 1] for at, word in enumerate(command) if word == "-H"] == [*fields]


@pytest.mark.parametrize("name", [name for name in GENERATORS if name != "echoes"])
def test_who_speaks_no_websocket_says_so(name: str) -> None:
    with pytest.raises(CannotLoad, match=f"^{name} speaks no WebSocket here; echoes does"):
        GENERATORS[name].command(ECHOES)
