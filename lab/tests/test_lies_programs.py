"""Programs that answer another text, another object or another message are refused; those that answer right are not."""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from lying import HERE, BadTarget, Lab, reasons
from targets_run import running

from weir_lab.clients.expected import Expected
from weir_lab.clients.sampler import Sampler, Sampling
from weir_lab.clients.transport import Transport
from weir_lab.clients.websocket_wire import accept
from weir_lab.core import programs
from weir_lab.core.findings import Sampled
from weir_lab.core.scenario import SCENARIOS, Scenario
from weir_lab.core.target import ServerSetup
from weir_lab.targets import find
from weir_lab.verify.validator import validate

DEADLINE_SECONDS = 120
OF_A_ROUTE = ["get", "keep-alive", "new connections", "close", "head", "404", "other name"]
OF_ECHO = ["get", "keep-alive", "new connections", "lengths", "ping", "goodbye"]


@dataclass
class BadProgram(BadTarget):
    """bad_program_server.py with the lie that its name says."""

    def command(self, scenario: Scenario, setup: ServerSetup) -> list[str]:
        return [sys.executable, str(HERE / "bad_program_server.py"), self.name, str(setup.port)]


@pytest.mark.parametrize(
    ("how", "scenario", "question", "words"),
    [
        ("another text", "text", "get", "right one (b'hello, reader!\\n', not b'Hello, reader!\\n')"),
        ("one name", "text", "other name", "right one (b'Hello, reader!\\n', not b'Hello, writer!\\n')"),
        ("another type", "text", "get", "Content-Type is text/html, not text/plain"),
        ("another value", "json", "get", 'right one (b\'{"active":true,"id":43,'),
        ("another order", "json", "get", 'right one (b\'{"tags":["http","json"],'),
        ("no json", "json", "get", '"tags":["http","json"]]\', not'),
        ("spaces", "json", "get", "the server answers 85 bytes, not 75"),
        ("another type", "json", "get", "Content-Type is text/plain; charset=utf-8, not application/json"),
        ("one name", "json", "other name", '"name":"reader"'),
        ("another byte", "echo", "get", "byte 63 of the echo is 0x"),
        ("always the same", "echo", "get", " of the echo is 0x78, not 0x"),
        ("the one before", "echo", "keep-alive", "request 2 of 100 on one connection: byte "),
        ("shorter", "echo", "get", "the echo has 63 bytes, and the message 64"),
        ("as text", "echo", "get", "a frame of the kind 1 came in place of the echo"),
        ("in pieces", "echo", "get", "a frame begins with 0x2: the message is in pieces, or compressed"),
        ("masked", "echo", "get", "the server masks its frames"),
        ("no upgrade", "echo", "get", "status 426, not 101, where it should upgrade to WebSocket"),
        ("another key", "echo", "get", "Sec-WebSocket-Accept is "),
        ("extension", "echo", "get", "an extension that nobody offered: permessage-deflate"),
        ("sixteen bits", "echo", "lengths", "a message of 65,536 bytes: the echo has 0 bytes"),
        ("another pong", "echo", "ping", "a frame of the kind 10 with b'nothing' came in place of a pong"),
        ("another close", "echo", "goodbye", "a frame of the kind 8 with b'\\x03\\xf3' came in place of a close"),
    ],
)
def test_from_the_start(how: str, scenario: str, question: str, words: str, lab: Lab) -> None:
    reason = lab.before(BadProgram(how), f"program-{scenario}")
    assert reason.startswith(f"asked by the validator ({question}): ") and words in reason


@pytest.mark.parametrize(
    ("scenario", "asked"), [("program-text", OF_A_ROUTE), ("program-json", OF_A_ROUTE), ("program-echo", OF_ECHO)]
)
def test_a_right_program_answers_every_question(scenario: str, asked: list[str], tmp_path: Path) -> None:
    work = SCENARIOS[scenario]
    with running(BadProgram("right"), work, tmp_path, tmp_path) as server:
        found, _ = validate(server.port, work, Expected.of(work, tmp_path), (), Transport.of(work, tmp_path))
    assert (found.asked, found.not_asked, found.body_bytes) == (asked, [], work.body_bytes)
    assert found.head_bytes == 2 if work.is_echo else found.head_bytes > 50


@pytest.mark.parametrize(
    ("how", "scenario", "words"),
    [
        ("later another text", "program-text", "the content is not the right one (b'hello"),
        ("later another value", "program-json", '"id":43'),
        ("later another byte", "program-echo", "byte 63 of the echo is 0x"),
    ],
)
def test_the_labs_own_requests_see_it(how: str, scenario: str, words: str, tmp_path: Path) -> None:
    found = sampled(how, SCENARIOS[scenario], tmp_path)
    assert found.wrong and all(words in one or one == "other wrong answers" for one in found.wrong)


def sampled(how: str, scenario: Scenario, folder: Path) -> Sampled:
    """Until a wrong answer was found."""
    with running(BadProgram(how), scenario, folder, folder) as server:
        transport = Transport.of(scenario, folder)
        _, expected = validate(server.port, scenario, Expected.of(scenario, folder), (), transport)
        with Sampler(Sampling(server.port, expected, True, 5000.0, transport=transport)) as sampler:
            until = time.monotonic() + DEADLINE_SECONDS
            while not sampler.has_found() and time.monotonic() < until:
                threading.Event().wait(0.01)
    return sampler.found()


def test_the_samples_of_a_right_echo_are_right(tmp_path: Path) -> None:
    scenario = SCENARIOS["program-echo"]
    with running(BadProgram("right"), scenario, tmp_path, tmp_path) as server:
        transport = Transport.of(scenario, tmp_path)
        sampling = Sampling(server.port, Expected.of(scenario, tmp_path), True, 5000.0, transport=transport)
        with Sampler(sampling) as sampler:
            until = time.monotonic() + DEADLINE_SECONDS
            while sampler.given()[0] < 100 and time.monotonic() < until:
                threading.Event().wait(0.01)
    found = sampler.found()
    assert found.wrong == {} and found.answers >= 100 and 1 <= found.new_connections < found.answers


def test_the_key_of_the_rfc_has_its_answer() -> None:
    """RFC 6455, 1.3."""
    assert accept(b"dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="


def test_answers_for_both_names_have_one_length() -> None:
    for kind in ("text", "json"):
        one, other = (programs.content(kind, name) for name in (programs.NAME, programs.OTHER_NAME))
        assert len(one) == len(other) == programs.body_bytes(kind) and one != other


@pytest.mark.live
@pytest.mark.parametrize("scenario", ["program-text", "program-json", "program-echo"])
@pytest.mark.parametrize("name", ["program/per-core", "program/io-uring", "uwebsockets", "axum", "go-http"])
def test_who_is_honest_is_not_refused(name: str, scenario: str, lab: Lab) -> None:
    target = find(name)
    if missing := target.missing():
        pytest.skip(missing)
    lab.connections = 10
    run = lab.honest(target, scenario, "echoes" if scenario == "program-echo" else "wrk")
    assert run.trust and run.trust.validated and run.trust.validated.not_asked == []
    assert run.trust.sampled and run.trust.sampled.answers > 0 and run.trust.sampled.wrong == {}
    assert run.window and run.window.counted_by == "bytes" and reasons(run) == []
