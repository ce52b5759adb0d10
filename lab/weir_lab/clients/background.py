"""Opens the background connections of a scenario before the measured traffic begins, and keeps them going in one
thread. The thread is cheap: 10,000 idle sockets cost it nothing, and fifty slow clients cost it 500 calls a second."""

from __future__ import annotations

import heapq
import itertools
import selectors
import socket
import ssl
import threading
import time
from abc import ABC, abstractmethod

from weir_lab.clients.http_client import ResponseReader, connect, get
from weir_lab.core.scenario import MIB, Scenario
from weir_lab.core.target import CannotServe
from weir_lab.core.tls import Client as TlsClient

LARGE_FILE = f"/{10 * MIB}.bin"
READ_BYTES = 4096  # of a slow reader, each time it acts


class Client(ABC):
    """The server sees each as a connection that holds its resources and brings little traffic. act() raises OSError or
    ValueError if the server has closed the connection or sent a wrong response."""

    def __init__(self, connection: socket.socket, path: str, content: bytes | None = None) -> None:
        self.connection = connection
        self.responses = ResponseReader(content)
        self.request = get(path)

    @abstractmethod
    def begin(self) -> None:
        """Prepares the connection before the measured traffic begins. May block; afterwards the connection does not
        block."""

    @abstractmethod
    def act(self) -> None:
        """Does the client's next small piece of work."""


class IdleClient(Client):
    """Sends one request, and then nothing. It acts only when its socket becomes readable: on a response or on a
    close."""

    def ask(self) -> None:
        self.connection.sendall(self.request)

    def begin(self) -> None:
        while not self.responses.receive(self.connection, 65_536):
            pass
        self.connection.setblocking(False)

    def act(self) -> None:
        self.responses.receive(self.connection, 65_536)


class SlowReader(Client):
    """Asks for a large file, reads a little of it at a time, and asks again at its end."""

    def begin(self) -> None:
        self.connection.sendall(self.request)
        self.responses.receive(self.connection, READ_BYTES)
        self.connection.setblocking(False)

    def act(self) -> None:
        if self.responses.receive(self.connection, READ_BYTES):
            self.connection.sendall(self.request)


class SlowSender(Client):
    """Sends a request byte by byte, waits for the response, and begins again."""

    sent = 0  # bytes of the request

    def begin(self) -> None:
        self.connection.setblocking(False)

    def act(self) -> None:
        if self.sent < len(self.request):
            self.sent += self.connection.send(self.request[self.sent : self.sent + 1])
        elif self.responses.receive(self.connection, 65_536):
            self.sent = 0


INTERVAL_SECONDS = 0.1  # between two acts of a slow client
OPENING_MAX = 500  # connections opened at once: fewer than the smallest usual backlog holds
# Over TLS fewer: a server keeps the memory that many handshakes took at once, and it would count as that of idle
# connections.
HANDSHAKES_MAX = 32
RECEIVE_BUFFER_BYTES = 4096  # of a slow reader: small, so that the server soon cannot send


class CannotOpen(CannotServe):
    """The server does not accept or answer as many connections as the scenario asks for."""


class BackgroundConnections:
    """On entering, opens every connection, and waits for one response on each idle one. Raises CannotOpen if that
    fails."""

    def __init__(self, scenario: Scenario, port: int, client: TlsClient | None = None) -> None:
        self._scenario, self._port, self._client = scenario, port, client
        self._selector = selectors.DefaultSelector()  # idle clients: readable means that the server closed
        self._due: list[tuple[float, int, Client]] = []  # a heap of slow clients by time; the number breaks ties
        self._numbers = itertools.count()
        self._connections: list[socket.socket] = []
        self._opened = 0
        self._lost = 0
        self._stop, self._stopped = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="background", daemon=True)

    def __enter__(self) -> BackgroundConnections:
        try:
            self._open_all()
        except BaseException as error:
            self._close_all()
            if not isinstance(error, OSError | ValueError):
                raise
            raise CannotOpen(
                f"the server took {self._opened:,} background connections, but not the next: {error}"
            ) from None
        self._selector.register(self._stopped, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self._stop.send(b"x")
        self._thread.join()
        self._close_all()

    def open(self) -> int:
        return self._opened - self._lost

    def lost(self) -> int:
        """The connections that the server has closed, or on which it sent a wrong response."""
        return self._lost

    # --- opening and closing ---

    def _open_all(self) -> None:
        wanted = self._scenario.idle_connections
        at_once = HANDSHAKES_MAX if self._client else OPENING_MAX
        for done in range(0, wanted, at_once):
            self._open_idle(min(at_once, wanted - done))
        readers = [
            SlowReader(self._connect(RECEIVE_BUFFER_BYTES), LARGE_FILE) for _ in range(self._scenario.slow_readers)
        ]
        senders = [SlowSender(self._connect(), self._scenario.path) for _ in range(self._scenario.slow_senders)]
        slow: list[Client] = [*readers, *senders]
        now = time.monotonic()
        for position, client in enumerate(slow):
            client.begin()
            self._opened += 1
            self._schedule(now + INTERVAL_SECONDS * position / len(slow), client)  # spread evenly over the interval

    def _open_idle(self, count: int) -> None:
        """Connects and asks on all of them before it reads the first response: faster than one after the other."""
        clients = [IdleClient(self._connect(), self._scenario.path) for _ in range(count)]
        for client in clients:
            if self._client and isinstance(client.connection, ssl.SSLSocket):
                self._client.finish(client.connection)
            client.ask()
        for client in clients:
            client.begin()
            self._opened += 1
            self._selector.register(client.connection, selectors.EVENT_READ, client)

    def _connect(self, receive_buffer_bytes: int | None = None) -> socket.socket:
        """Over TLS, the handshake has begun: the server works on it while the next one begins."""
        connection = connect(self._port, receive_buffer_bytes=receive_buffer_bytes)
        if self._client:
            connection = self._client.begin(connection)
        self._connections.append(connection)
        return connection

    def _close_all(self) -> None:
        for connection in self._connections:
            connection.close()
        self._selector.close()
        self._stop.close()
        self._stopped.close()

    # --- in the thread ---

    def _serve(self) -> None:
        while True:
            now = time.monotonic()
            while self._due and self._due[0][0] <= now:
                due, _, client = heapq.heappop(self._due)
                if self._act(client):
                    self._schedule(due + INTERVAL_SECONDS, client)
            wait = max(0.0, self._due[0][0] - time.monotonic()) if self._due else None
            for key, _ in self._selector.select(wait):
                if key.data is None:
                    return
                if not self._act(key.data):
                    self._selector.unregister(key.fileobj)

    def _schedule(self, due: float, client: Client) -> None:
        heapq.heappush(self._due, (due, next(self._numbers), client))

    def _act(self, client: Client) -> bool:
        """Returns False if the connection is lost."""
        try:
            client.act()
        except (BlockingIOError, ssl.SSLWantReadError):
            return True  # nothing to read yet, or no room to send
        except (OSError, ValueError):
            self._lost += 1
            return False
        return True
