"""The conversation with a server before it is measured: the same for all targets of a row. A server that gets one of
these questions wrong is not measured. It takes 10 to 30 ms with a good server.

A target that can't answer a question by design says so (`not_asked`), and the result shows it: floors don't parse
requests."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from weir_lab.clients import echo
from weir_lab.clients.expected import Expected
from weir_lab.clients.transport import PLAIN, Transport
from weir_lab.clients.wire import Answer, Wire, Wrong
from weir_lab.core import programs
from weir_lab.core.findings import Validated
from weir_lab.core.scenario import MIB, Scenario
from weir_lab.core.serving import authorization

WAIT_SECONDS = 5.0  # for a part of an answer
CLOSE_SECONDS = 2.0  # for the end of a connection that should be closed
KEPT_REQUESTS = 100  # on one connection
KEPT_BYTES_MAX = 16 * MIB  # of large files there are fewer requests
CONNECTIONS = 3  # more, one after the other: a server may treat its first one in another way
PIPELINED = 16
RESUMED = 3  # connections
SIZED_REQUESTS = 320  # whose answers are weighed
WRONG_PASSWORD = "no password of the lab"
MISSING_AT = (3, 8, 14)  # the places of pipelined requests whose answer differs, so that their order shows


class Untrue(Exception):
    """The server answers otherwise than the scenario needs. The message says in which question, and how."""


@runtime_checkable
class Exempt(Protocol):
    """A target that can't answer everything."""

    def not_asked(self, scenario: Scenario) -> tuple[str, ...]:
        """Names of QUESTIONS, and "content": its content is not the file's; "samples": it serves so few connections at
        a time that the lab's own get no answer."""


@dataclass
class Conversation:
    """What the questions have in common."""

    port: int
    scenario: Scenario
    expected: Expected
    not_asked: tuple[str, ...]
    transport: Transport = PLAIN
    first: Answer | None = None
    answer_seconds: float | None = None
    wire_bytes: float | None = None

    def wire(self, seconds: float | None = None) -> Wire:
        return self.transport.wire(self.port, WAIT_SECONDS if seconds is None else seconds)

    def ask(self, wire: Wire, close: bool = False) -> Answer:
        wire.send(self.expected.request(self.port, close))
        answer = wire.answer()
        self.expected.check(answer)
        return answer


def _get(talk: Conversation) -> None:
    """As the generator will ask."""
    with talk.wire() as wire:
        answer = talk.ask(wire, close=not talk.scenario.keep_alive)
        _check_end(wire)
    talk.first = answer
    talk.expected = talk.expected.learned(answer)


def _resumption(talk: Conversation) -> None:
    """The transport itself raises an error if a session was not resumed."""
    for _ in range(RESUMED):
        with talk.wire() as wire:
            talk.ask(wire)


def _keep_alive(talk: Conversation) -> None:
    requests = max(2, min(KEPT_REQUESTS, KEPT_BYTES_MAX // max(1, talk.expected.body_bytes)))
    request = talk.expected.request(talk.port)
    times = []
    with talk.wire() as wire:
        for number in range(requests):
            began = time.perf_counter()
            try:
                wire.send(request)
                talk.expected.check(wire.answer())
            except (Wrong, OSError) as error:
                raise Wrong(f"request {number + 1} of {requests} on one connection: {error}") from None
            times.append(time.perf_counter() - began)
        _check_end(wire)
    talk.answer_seconds = min(times)


def _new_connections(talk: Conversation) -> None:
    times = []
    for _ in range(CONNECTIONS):
        began = time.perf_counter()
        with talk.wire() as wire:
            talk.ask(wire)
            _check_end(wire)
        times.append(time.perf_counter() - began)
    if talk.scenario.tls and not talk.scenario.keep_alive:
        talk.answer_seconds = min(times)  # most of it is the handshake


def _size(talk: Conversation) -> None:
    """Weighs answers as the generator will get them: so many at a time. Those of the first round are heavier: tickets
    come with them, and HTTP/2 has to learn the fields."""
    at_once = talk.scenario.pipeline
    rounds = max(2, min(SIZED_REQUESTS, KEPT_BYTES_MAX // max(1, talk.expected.body_bytes)) // at_once)
    requests = talk.expected.request(talk.port) * at_once
    weighed: list[int | None] = []
    with talk.wire() as wire:
        for _ in range(1 + rounds):
            wire.send(requests)
            for _ in range(at_once):
                talk.expected.check(wire.answer())
            weighed.append(wire.received_bytes())
    if weighed[0] is not None and weighed[-1] is not None:
        talk.wire_bytes = (weighed[-1] - weighed[0]) / (rounds * at_once)


def _close(talk: Conversation) -> None:
    with talk.wire(CLOSE_SECONDS) as wire:
        talk.ask(wire, close=True)
        _check_end(wire)
        if not wire.ends():
            raise Wrong("the server keeps a connection that it was asked to close")


def _pipelined(talk: Conversation) -> None:
    missing = () if "404" in talk.not_asked else MISSING_AT
    requests = [
        talk.expected.missing_request(talk.port) if n in missing else talk.expected.request(talk.port)
        for n in range(PIPELINED)
    ]
    with talk.wire() as wire:
        wire.send(b"".join(requests))
        for number in range(PIPELINED):
            try:
                answer = wire.answer()
                if number in missing:
                    _check_missing(answer)
                else:
                    talk.expected.check(answer)
            except (Wrong, OSError) as error:
                raise Wrong(f"answer {number + 1} of {PIPELINED} pipelined requests: {error}") from None
        _check_end(wire)


def _head(talk: Conversation) -> None:
    with talk.wire() as wire:
        wire.send(talk.expected.head_request(talk.port))
        answer = wire.answer(is_head=True)
        talk.expected.check_head(answer)
        length = answer.field("content-length")
        right = len(talk.first.body) if talk.first and answer.field("content-encoding") else talk.expected.body_bytes
        if length is not None and length != str(right):
            raise Wrong(f"Content-Length is {length}, not {right}")
        try:  # a body would stand in the way of the next answer
            talk.ask(wire)
        except Wrong as error:
            raise Wrong(f"content came with it, so that the next answer can't be read: {error}") from None
        _check_end(wire)


def _missing(talk: Conversation) -> None:
    with talk.wire() as wire:
        wire.send(talk.expected.missing_request(talk.port))
        _check_missing(wire.answer())


def _uncompressed(talk: Conversation) -> None:
    """A client that accepts no coding."""
    expected = talk.expected.uncompressed()
    with talk.wire() as wire:
        wire.send(expected.request(talk.port))
        expected.check(wire.answer())


def _other_name(talk: Conversation) -> None:
    """A program makes each answer for its request."""
    other = talk.expected.of_name(programs.OTHER_NAME)
    with talk.wire() as wire:
        wire.send(other.request(talk.port))
        other.check(wire.answer())


def _echo(ask: Callable[[Wire], None]) -> Callable[[Conversation], None]:
    def question(talk: Conversation) -> None:
        with talk.wire() as wire:
            ask(wire)
            _check_end(wire)

    return question


def _password(talk: Conversation) -> None:
    """Neither without a password nor with a wrong one."""
    for fields in ((), (authorization(WRONG_PASSWORD),)):
        with talk.wire() as wire:
            expected = talk.expected.with_password(*fields)
            wire.send(expected.request(talk.port))
            answer = wire.answer()
            try:
                expected.check_head(answer)
            except Wrong as error:
                raise Wrong(f"{'with a wrong' if fields else 'without a'} password, {error}") from None
            if not (answer.field("www-authenticate") or "").lower().startswith("basic "):
                raise Wrong("the server refuses a client, and does not ask for a password (WWW-Authenticate: Basic)")


def _check_missing(answer: Answer) -> None:
    if answer.status != 404:
        raise Wrong(f"the server answers with status {answer.status}, not 404, where there is no file")


def _check_end(wire: Wire) -> None:
    if wire.rest():
        raise Wrong(f"the server sent {wire.rest()} bytes more than it announced")


QUESTIONS: dict[str, Callable[[Conversation], None]] = {
    "get": _get,
    "resumption": _resumption,
    "keep-alive": _keep_alive,
    "new connections": _new_connections,
    "size": _size,
    "close": _close,
    "pipelining": _pipelined,
    "head": _head,
    "404": _missing,
    "uncompressed": _uncompressed,
    "password": _password,
    "other name": _other_name,
    **{name: _echo(ask) for name, ask in echo.QUESTIONS.items()},
}


def of_scenario(scenario: Scenario) -> list[str]:
    """The questions that it has an answer for."""
    if scenario.is_echo:
        return ["get", "keep-alive", "new connections", *echo.QUESTIONS]
    without = {
        "resumption": not scenario.resumed,
        "size": not scenario.keep_alive or not (scenario.tls or scenario.http2 or scenario.is_compressed),
        "close": scenario.http2,
        "pipelining": scenario.pipeline == 1,
        "uncompressed": not scenario.is_compressed,
        "password": not scenario.password,
        "404": scenario.proxied,  # the other server has the same answer for every path
        "other name": scenario.program == "no",
        **dict.fromkeys(echo.QUESTIONS, True),
    }
    return [name for name in QUESTIONS if not without.get(name)]


def validate(
    port: int, scenario: Scenario, expected: Expected, not_asked: tuple[str, ...], transport: Transport = PLAIN
) -> tuple[Validated, Expected]:
    """What was found, and what all further answers must be. Raises Untrue."""
    talk = Conversation(port, scenario, expected, not_asked, transport)
    began = time.perf_counter()
    asked = []
    for name in of_scenario(scenario):
        if name in not_asked:
            continue
        try:
            QUESTIONS[name](talk)
        except (Wrong, OSError) as error:
            raise Untrue(f"asked by the validator ({name}): {error}") from None
        asked.append(name)
    assert talk.first
    found = Validated(
        asked,
        [*not_asked],
        talk.first.head_bytes,
        len(talk.first.body),
        talk.first.sha256,
        time.perf_counter() - began,
        talk.answer_seconds,
        talk.wire_bytes,
        transport.negotiated,
    )
    return found, talk.expected


def ask_again(port: int, scenario: Scenario, expected: Expected, transport: Transport = PLAIN) -> None:
    """After the run, whether the server asks for the password still. Raises Untrue."""
    if not scenario.password:
        return
    try:
        _password(Conversation(port, scenario, expected, (), transport))
    except (Wrong, OSError) as error:
        raise Untrue(f"asked by the validator after the run (password): {error}") from None
