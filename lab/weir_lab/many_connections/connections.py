"""The connections of one client process: opens them, keeps them, and sends requests on them. An error loses its
connection, and is counted by kind."""

from __future__ import annotations

import selectors
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from weir_lab.clients.background import IdleClient
from weir_lab.clients.http_client import WrongResponse, connect

OPENING_MAX = 64  # at once in each process: planning.py checks that those of all processes fit into the backlog
ANSWER_SECONDS = 10.0  # without any answer: then every request under way is lost
ADVANCE_EACH = 500  # answers between two reports of the progress


@dataclass(frozen=True)
class Endpoint:
    """The client's address, the server's port, and the file to ask for."""

    source: str  # one for each process, because each client address has its own ports
    port: int
    path: str
    content: bytes  # of every response


@dataclass
class Report:
    """The outcome of one order."""

    seconds: list[float] = field(default_factory=list)  # from each request to the end of its answer
    errors: Counter[str] = field(default_factory=Counter)  # connections lost, by the kinds of Load.errors
    example: str = ""  # the first error, in words

    def add(self, other: Report) -> None:
        self.seconds += other.seconds
        self.errors += other.errors
        self.example = self.example or other.example

    @contextmanager
    def counting(self, doing: str) -> Iterator[None]:
        """Counts an error. `doing` is connect, read or write: the kind of an error that has none of its own."""
        try:
            yield
        except BlockingIOError:
            pass  # nothing to read yet
        except (OSError, ValueError) as error:
            self.lose(_kind(error, doing), str(error))

    def lose(self, kind: str, words: str) -> None:
        self.errors[kind] += 1
        self.example = self.example or words


def _kind(error: Exception, doing: str) -> str:
    if isinstance(error, WrongResponse):
        return error.kind
    return "timeout" if isinstance(error, TimeoutError) else doing


def probe(endpoint: Endpoint, count: int) -> Report:
    """New connections, one after the other: connect, ask, read the answer, close. Shows what a new client sees. Stops
    at the first error."""
    report = Report()
    for _ in range(count):
        began = time.perf_counter()
        with report.counting("connect"), connect(endpoint.port, endpoint.source) as connection, report.counting("read"):
            client = IdleClient(connection, endpoint.path, endpoint.content)
            client.ask()
            client.begin()
            report.seconds.append(time.perf_counter() - began)
        if report.errors:
            break
    return report


class ConnectionSet:
    """`advance` is called with the number of connections opened or answered since the last call."""

    def __init__(self, endpoint: Endpoint, advance: Callable[[int], None] = lambda _: None) -> None:
        self._endpoint, self._advance = endpoint, advance
        self._clients: set[IdleClient] = set()  # without the lost ones
        self._selector = selectors.DefaultSelector()
        self._report = Report()

    def __len__(self) -> int:
        return len(self._clients)

    def close(self) -> None:
        for client in list(self._clients):
            self._forget(client)
        self._selector.close()

    # --- opening ---

    def open(self, count: int) -> Report:
        """Opens so many more, with one answer on each, which proves that the server accepted it. Stops at the first
        error, because each connection to a silent server takes a whole timeout."""
        self._report = Report()
        for done in range(0, count, OPENING_MAX):
            if not self._open_some(min(OPENING_MAX, count - done)):
                break
        return self._report

    def _open_some(self, count: int) -> bool:
        """Connects and asks on all of them before it reads the first answer."""
        clients: list[IdleClient] = []
        for _ in range(count):
            with self._report.counting("connect"):
                clients.append(self._connect())
            if self._report.errors or not self._try(clients[-1], "write", clients[-1].ask):
                return False
        if not all(self._try(client, "read", client.begin) for client in clients):
            return False
        self._advance(count)
        return True

    def _connect(self) -> IdleClient:
        connection = connect(self._endpoint.port, self._endpoint.source)
        client = IdleClient(connection, self._endpoint.path, self._endpoint.content)
        self._clients.add(client)
        self._selector.register(client.connection, selectors.EVENT_READ, client)
        return client

    # --- asking ---

    def ask(self, at_once: int) -> Report:
        """Sends one request on each connection, with at most `at_once` under way."""
        self._report = Report()
        yet_to_ask = iter(list(self._clients))
        under_way: dict[IdleClient, float] = {}  # the time of each request
        while True:
            while len(under_way) < at_once and (client := next(yet_to_ask, None)):
                self._send(client, under_way)
            if not under_way:
                return self._report
            self._receive(under_way)

    def _send(self, client: IdleClient, under_way: dict[IdleClient, float]) -> None:
        if client in self._clients:
            under_way[client] = time.perf_counter()
            if not self._try(client, "write", client.ask):
                del under_way[client]

    def _receive(self, under_way: dict[IdleClient, float]) -> None:
        """Waits for the next event. On a connection without a request under way, that event is a close."""
        ready = self._selector.select(ANSWER_SECONDS)
        if not ready:
            for client in under_way:
                self._lose(client, "timeout", "no answer came")
            under_way.clear()
        for key, _ in ready:
            client = key.data
            before = client.responses.count
            if not self._try(client, "read", client.act):
                under_way.pop(client, None)
            elif client.responses.count > before:
                self._note_answer(client, under_way.pop(client, None))

    def _note_answer(self, client: IdleClient, began: float | None) -> None:
        if began is None:
            self._lose(client, "body", "the server answered without a request")
            return
        self._report.seconds.append(time.perf_counter() - began)
        if len(self._report.seconds) % ADVANCE_EACH == 0:
            self._advance(ADVANCE_EACH)

    # --- losing ---

    def _try(self, client: IdleClient, doing: str, act: Callable[[], None]) -> bool:
        """Returns False if the connection was lost."""
        lost_before = self._report.errors.total()
        with self._report.counting(doing):
            act()
        if self._report.errors.total() == lost_before:
            return True
        self._forget(client)
        return False

    def _lose(self, client: IdleClient, kind: str, words: str) -> None:
        self._report.lose(kind, words)
        self._forget(client)

    def _forget(self, client: IdleClient) -> None:
        self._clients.discard(client)
        self._selector.unregister(client.connection)
        client.connection.close()
