"""How many connections clients had under way at once. With Connection: close the server's count says little: a
connection is accepted, answered and closed within a millisecond, and most of a crowd waits elsewhere. But a client that
was asked for so many keeps so many sockets: each is opening, open or closing."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from weir_lab.kernel import sockets
from weir_lab.network.namespaces import SHARED, Network

LOOK_SECONDS = 0.2
SECONDS_TO_LOOK = 1.0  # a shorter run may be over before the lab has looked
TIME_WAIT, CLOSED, LISTEN = 6, 7, 10  # states without a client (linux/tcp_states.h)
STATES = 0xFFF & ~(1 << TIME_WAIT) & ~(1 << CLOSED) & ~(1 << LISTEN)


@dataclass
class Most:
    """`at_once` is None until the lab has looked."""

    at_once: int | None = None


def count(port: int) -> int:
    """Sockets of clients of that port, in the calling thread's network namespace. Raises OSError if the kernel does not
    list them."""
    return len(sockets.of_clients(port, STATES))


@contextmanager
def most_at_once(port: int, network: Network = SHARED, wanted: bool = True) -> Iterator[Most]:
    """Looks now and then where the clients are, from entering to leaving; not at all unless it is wanted."""
    most, over = Most(), threading.Event()
    if not wanted:
        yield most
        return

    def look() -> None:
        try:
            while not over.wait(LOOK_SECONDS):
                most.at_once = max(most.at_once or 0, count(port))
        except OSError:
            most.at_once = None

    thread = threading.Thread(target=look, name="clients", daemon=True)
    with network.at_clients():
        thread.start()
    try:
        yield most
    finally:
        over.set()
        thread.join()
