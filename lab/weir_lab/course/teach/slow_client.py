"""Five clients send half a request. How long does another client wait?"""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Callable

from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.lesson import Lesson
from weir_lab.course.teach.outcome import Outcome
from weir_lab.servers.server_process import ServerProcess

SLOW_CLIENTS = 5
DEADLINE_SECONDS = 20.0
HALF = b"GET / HTTP/1.1\r\nHost: localhost\r\n"  # the empty line that ends a head is missing
WHOLE = HALF + b"Connection: close\r\n\r\n"
ENGINES = ("blocking", "thread-per-connection", "epoll-edge")


def measure(bench: Bench) -> Outcome:
    return bench.figures({engine: _waiting(bench, engine) for engine in ENGINES}, "s")


def _waiting(bench: Bench, engine: str) -> Callable[[], float]:
    def once() -> float:
        with bench.serving(Variant(engine)) as server:
            return wait_beside_slow_clients(server)

    return once


def wait_beside_slow_clients(server: ServerProcess) -> float:
    """From connecting to the end of the answer. At most DEADLINE_SECONDS."""
    with contextlib.ExitStack() as slow:
        for _ in range(SLOW_CLIENTS):
            client = slow.enter_context(socket.create_connection(("127.0.0.1", server.port), DEADLINE_SECONDS))
            client.sendall(HALF)
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", server.port), DEADLINE_SECONDS) as client:
            client.sendall(WHOLE)
            with contextlib.suppress(TimeoutError):
                while client.recv(4096):
                    pass
        return time.monotonic() - began


LESSON = Lesson(
    title="Why does one slow client stop everybody?",
    question="Five clients connect and send half a request each: the line that ends it never comes. Then another "
    "client sends a whole request. The engine `blocking` has one thread, which serves one connection at a time. How "
    "long does the other client wait for its answer?",
    ask="Milliseconds that it waits under `blocking`",
    predicted="blocking",
    factor=1e-3,
    measure=measure,
    claims=(
        Claim(
            "blocking",
            "more",
            "thread-per-connection",
            "its one thread waits for each slow client in turn, and a thread of its own waits for each otherwise",
        ),
        Claim(
            "epoll-edge",
            "alike",
            "thread-per-connection",
            "a loop asks the kernel which sockets are ready, and a client that sends nothing is not",
        ),
    ),
    theory="A plain server of this kind waits for ever: recv() returns when bytes come, and not before. weir's "
    "`blocking` gives a silent client up after 0.4 s if others wait, so five of them take about two seconds. That "
    "limits the damage and does not remove it: five hundred slow clients take two hundred seconds.",
    exercise="Which other engines of weir would make this client wait, and for what kind of slow client?",
    chapter="1. One slow client",
)
