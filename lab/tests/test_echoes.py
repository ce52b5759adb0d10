"""The lab's own client of echo servers: its command, the line that it prints, and what it sees. Where it is not built,
the tests that run it are skipped."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from weir_lab.clients.http_client import connect
from weir_lab.core.load import Latency, Load, LoadPlan
from weir_lab.generators.echoes import Echoes
from weir_lab.generators.generator import CannotLoad
from weir_lab.servers.server_process import free_port

HERE = Path(__file__).parent
PLAN = LoadPlan("ws://127.0.0.1:8000/echo", 4, 1.0, threads=8, body_bytes=64)
LINE = (
    '{"messages": 23994, "seconds": 1.000118, "message_bytes": 64, "connections_opened": 4, "latency_seconds": '
    '{"mean": 0.000163241, "p50": 0.000076287, "p90": 0.000281599, "p99": 0.002011135, "p999": 0.006545407, '
    '"max": 0.018366463}, "errors": {}}\n'
)
NOTHING = (
    '{"messages": 0, "seconds": 1.000184, "message_bytes": 64, "connections_opened": 0, "latency_seconds": null, '
    '"errors": {"connect": 4}}\n'
)


def test_its_line_is_read() -> None:
    load = Echoes().parse(LINE, PLAN)
    latency = Latency(0.000163241, 0.000076287, 0.000281599, 0.002011135, 0.006545407, 0.018366463)
    assert load == Load(23994, 1.000118, 23994 * 64, True, latency, {}, connections=4)
    nothing = Echoes().parse(NOTHING, PLAN)
    assert (nothing.requests, nothing.latency, nothing.errors, nothing.connections) == (0, Latency(), {"connect": 4}, 0)


def test_it_is_told_what_the_plan_says() -> None:
    program, *words = Echoes().command(PLAN)
    assert program == "echoes" or program.endswith("/echoes")
    assert " ".join(words) == (
        "--connections 4 --threads 4 --duration 1 --timeout 10 --bytes 64 ws://127.0.0.1:8000/echo"
    )


def test_what_it_cannot_do_it_says() -> None:
    for change, words in (
        ({"url": "http://127.0.0.1:8000/hello/reader"}, "echoes sends messages over WebSocket, and no requests"),
        ({"rate": 100.0}, "echoes has no open loop"),
        ({"seconds": None, "requests": 100}, "echoes runs for a time"),
        ({"fields": ("Cookie: a=b",)}, "echoes sends no fields"),
    ):
        with pytest.raises(CannotLoad, match=words):
            Echoes().command(replace(PLAN, **change))


@contextlib.contextmanager
def serving(how: str) -> Iterator[int]:
    port = free_port()
    with subprocess.Popen([sys.executable, str(HERE / "bad_program_server.py"), how, str(port)]) as server:
        try:
            while server.poll() is None:  # until it listens
                with contextlib.suppress(OSError):
                    connect(port).close()
                    break
            yield port
        finally:
            server.terminate()


def ask(how: str, path: str = "/echo") -> Load:
    if missing := Echoes().missing():
        pytest.skip(missing)
    with serving(how) as port:
        plan = LoadPlan(f"ws://127.0.0.1:{port}{path}", 3, 0.5, threads=2, body_bytes=64)
        done = subprocess.run(Echoes().command(plan), stdout=subprocess.PIPE, text=True, check=True, timeout=30)
    return Echoes().parse(done.stdout, plan)


@pytest.mark.live
def test_each_message_comes_back() -> None:
    load = ask("right")
    assert load.requests > 10 and load.errors == {} and load.connections == 3
    assert load.latency.mean and load.latency.p50 and load.rate * load.latency.mean < 3.1


@pytest.mark.live
@pytest.mark.parametrize(
    ("how", "path", "kind"),
    [
        ("another byte", "/echo", "body"),
        ("always the same", "/echo", "body"),
        ("shorter", "/echo", "body"),
        ("as text", "/echo", "body"),
        ("another key", "/echo", "status"),
        ("extension", "/echo", "status"),
        ("right", "/hello/reader", "status"),
    ],
)
def test_what_is_wrong_has_its_kind(how: str, path: str, kind: str) -> None:
    load = ask(how, path)
    assert load.requests == 0 and load.errors == {kind: 3}


@pytest.mark.live
def test_an_echo_that_is_wrong_later_is_seen() -> None:
    load = ask("later another byte")
    assert load.requests > 0 and {*load.errors} == {"body"}


@pytest.mark.live
def test_a_server_that_is_not_there_is_an_error_of_each_connection() -> None:
    if missing := Echoes().missing():
        pytest.skip(missing)
    plan = replace(PLAN, url=f"ws://127.0.0.1:{free_port()}/echo", seconds=0.1)
    done = subprocess.run(Echoes().command(plan), stdout=subprocess.PIPE, text=True, check=True, timeout=30)
    assert Echoes().parse(done.stdout, plan).errors == {"connect": 4}
