"""Who is there beside the normal traffic: silent connections, slow readers, slow senders. They are opened before it begins, and one
thread keeps them going: 10,000 silent sockets cost it nothing, fifty slow ones five hundred calls a second."""

from __future__ import annotations

import heapq
import itertools
import selectors
import socket
import threading
import time
from types import TracebackType

from weir_lab.company_members import LARGE_FILE, Member, NoCompany, Silent, SlowReader, SlowSender, connect
from weir_lab.scenario import Scenario

TURN_SECONDS = 0.1  # a slow reader takes some of its file so often, and a slow sender sends a byte
OPENING_MAX = 500  # at once: fewer than any backlog has room for
RECEIVE_BUFFER_BYTES = 4096  # of a slow reader: what the server sends is soon no longer taken


class Company:
    """On entering, all of them are open, and each silent one has had an answer. Raises NoCompany where that can't be."""

    def __init__(self, scenario: Scenario, port: int) -> None:
        self._scenario, self._port = scenario, port
        self._selector = selectors.DefaultSelector()  # for those who wait for the server to close
        self._turns: list[tuple[float, int, Member]] = []  # a heap: when it is whose turn; the number keeps two apart
        self._numbers = itertools.count()
        self._connections: list[socket.socket] = []
        self._opened = 0
        self._lost = 0
        self._stop, self._stopped = socket.socketpair()
        self._thread = threading.Thread(target=self._keep_going, name="company", daemon=True)

    def __enter__(self) -> Company:
        try:
            self._open_all()
        except BaseException as error:
            self._close_all()
            if not isinstance(error, OSError | ValueError):
                raise
            raise NoCompany(
                f"{self._opened:,} connections beside the normal traffic were taken, and the next was not: {error}"
            ) from None
        self._selector.register(self._stopped, selectors.EVENT_READ)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.send(b"x")
        self._thread.join()
        self._close_all()

    def open(self) -> int:
        return self._opened - self._lost

    def lost(self) -> int:
        """That the server has closed, or answered with anything but 200."""
        return self._lost

    # --- opening and closing ---

    def _open_all(self) -> None:
        wanted = self._scenario.idle_connections
        for done in range(0, wanted, OPENING_MAX):
            self._open_silent(min(OPENING_MAX, wanted - done))
        slow: list[Member] = []
        for _ in range(self._scenario.slow_readers):
            slow.append(SlowReader(self._connect(RECEIVE_BUFFER_BYTES), LARGE_FILE))
        for _ in range(self._scenario.slow_senders):
            slow.append(SlowSender(self._connect(), self._scenario.path))
        now = time.monotonic()
        for position, one in enumerate(slow):
            one.begin()
            self._opened += 1
            self._give_turn(now + TURN_SECONDS * position / len(slow), one)  # spread, or all would come at once

    def _open_silent(self, count: int) -> None:
        """All are there and have asked before the first answer is read."""
        some = [Silent(self._connect(), self._scenario.path) for _ in range(count)]
        for one in some:
            one.ask()
        for one in some:
            one.begin()
            self._opened += 1
            self._selector.register(one.connection, selectors.EVENT_READ, one)

    def _connect(self, receive_buffer_bytes: int | None = None) -> socket.socket:
        connection = connect(self._port, receive_buffer_bytes=receive_buffer_bytes)
        self._connections.append(connection)
        return connection

    def _close_all(self) -> None:
        for connection in self._connections:
            connection.close()
        self._selector.close()
        self._stop.close()
        self._stopped.close()

    # --- on the company's thread ---

    def _keep_going(self) -> None:
        while True:
            now = time.monotonic()
            while self._turns and self._turns[0][0] <= now:
                due, _, member = heapq.heappop(self._turns)
                if self._take_turn(member):
                    self._give_turn(due + TURN_SECONDS, member)
            wait = max(0.0, self._turns[0][0] - time.monotonic()) if self._turns else None
            for key, _ in self._selector.select(wait):
                if key.data is None:
                    return
                if not self._take_turn(key.data):
                    self._selector.unregister(key.fileobj)

    def _give_turn(self, due: float, member: Member) -> None:
        heapq.heappush(self._turns, (due, next(self._numbers), member))

    def _take_turn(self, member: Member) -> bool:
        """False where that was its last."""
        try:
            member.turn()
            return True
        except BlockingIOError:
            return True  # nothing has come, or nothing more fits in
        except (OSError, ValueError):
            self._lost += 1
            return False
