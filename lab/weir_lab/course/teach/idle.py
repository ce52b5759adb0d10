"""What a connection that says nothing costs: memory of the server for a thousand of them."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Callable

from weir_lab.course.teach.bench import Bench, Variant
from weir_lab.course.teach.claims import Claim
from weir_lab.course.teach.lesson import Lesson
from weir_lab.course.teach.outcome import Outcome
from weir_lab.servers.server_process import ServerProcess

CONNECTIONS = 500
TIMEOUT_SECONDS = 20.0
REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
ENGINES = ("thread-per-connection", "epoll-edge")


def measure(bench: Bench) -> Outcome:
    return bench.figures({engine: _growth(bench, engine) for engine in ENGINES}, "B")


def _growth(bench: Bench, engine: str) -> Callable[[], float]:
    def once() -> float:
        with bench.serving(Variant(engine)) as server:
            return bytes_each(server)

    return once


def bytes_each(server: ServerProcess) -> float:
    """Each connection has been answered once, and says nothing more. At least a byte, so that ratios exist."""
    before = server.resident_bytes()
    with contextlib.ExitStack() as idle:
        for _ in range(CONNECTIONS):
            client = idle.enter_context(socket.create_connection(("127.0.0.1", server.port), TIMEOUT_SECONDS))
            client.sendall(REQUEST)
            client.recv(4096)
        return max((server.resident_bytes() - before) / CONNECTIONS, 1.0)


LESSON = Lesson(
    title="What does a silent connection cost?",
    question=f"{CONNECTIONS} clients connect, get one answer each, and then say nothing, as browsers do between two "
    "clicks. With a thread for each connection, each silent client keeps a thread. A loop keeps a small object. How "
    "much memory of the server does one silent connection of `thread-per-connection` take?",
    ask="Kilobytes for one connection of `thread-per-connection`",
    predicted="thread-per-connection",
    factor=1e3,
    measure=measure,
    claims=(
        Claim(
            "thread-per-connection",
            "more",
            "epoll-edge",
            "a thread has a stack and buffers, and a loop keeps only what it must remember of a connection",
        ),
    ),
    theory="This is the memory of the program. A thread's stack has 256 KB of addresses, but only the pages that were "
    "touched take memory. The kernel uses more for each: a stack of 16 KB for a thread, and some kilobytes for a "
    "socket. Memory comes in pages of 4 KB, so for a few hundred small objects the figure is rough.",
    exercise="How many silent connections fit into 1 GB under each of the two? What else is limited?",
    chapter="3. Silence costs memory",
)
