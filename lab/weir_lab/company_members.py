"""The members of a company: what each does when it is its turn. A turn raises OSError or ValueError where the server has closed the
connection, or has not answered as it should."""

from __future__ import annotations

import re
import socket
from abc import ABC, abstractmethod

from weir_lab.scenario import MIB
from weir_lab.targets.target import CannotServe

LARGE_FILE = f"/{10 * MIB}.bin"
READ_BYTES = 4096  # at each turn of a slow reader
CONTENT_LENGTH = re.compile(rb"^content-length: *(\d+)\r?$", re.IGNORECASE | re.MULTILINE)


class NoCompany(CannotServe):
    """The server doesn't take, or doesn't answer, as many connections as the scenario asks for."""


class Answers:
    """Answers on one connection as they come in, one after the other."""

    def __init__(self) -> None:
        self.count = 0  # received in whole
        self._head = b""
        self.body_bytes_left: int | None = None  # still to come; None before the head's end

    def receive(self, connection: socket.socket, bytes_max: int) -> bool:
        """True at the end of an answer."""
        received = connection.recv(bytes_max)
        if not received:
            raise ValueError("the server closed the connection")
        if self.body_bytes_left is None:
            received = self._read_head(received)
        if self.body_bytes_left is None:
            return False
        self.body_bytes_left -= len(received)
        if self.body_bytes_left > 0:
            return False
        self.count += 1
        self._head, self.body_bytes_left = b"", None
        return True

    def _read_head(self, received: bytes) -> bytes:
        """Returns what came after it."""
        self._head, end, rest = (self._head + received).partition(b"\r\n\r\n")
        if end:
            length = CONTENT_LENGTH.search(self._head)
            if not self._head.startswith(b"HTTP/1.1 200 ") or length is None:
                raise ValueError(f"the server answered {self._head.splitlines()[0].decode(errors='replace')}")
            self.body_bytes_left = int(length[1])
        return rest


class Member(ABC):
    def __init__(self, connection: socket.socket, path: str) -> None:
        self.connection = connection
        self.answers = Answers()
        self.request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()

    @abstractmethod
    def begin(self) -> None:
        """Before the normal traffic does; may wait. Afterwards, the connection doesn't block."""

    @abstractmethod
    def turn(self) -> None: ...


class Silent(Member):
    """Asks once, and then says nothing. Its turn is when something happens to its connection: that it ends."""

    def ask(self) -> None:
        self.connection.sendall(self.request)

    def begin(self) -> None:
        while not self.answers.receive(self.connection, 65_536):
            pass
        self.connection.setblocking(False)

    def turn(self) -> None:
        self.answers.receive(self.connection, 65_536)


class SlowReader(Member):
    """Asks for a large file, takes a little of it at each turn, and asks again at its end."""

    def begin(self) -> None:
        self.connection.sendall(self.request)
        self.answers.receive(self.connection, READ_BYTES)
        self.connection.setblocking(False)

    def turn(self) -> None:
        if self.answers.receive(self.connection, READ_BYTES):
            self.connection.sendall(self.request)


class SlowSender(Member):
    """Sends a request byte by byte, one at each turn, waits for the answer, and begins again."""

    sent = 0  # bytes of the request

    def begin(self) -> None:
        self.connection.setblocking(False)

    def turn(self) -> None:
        if self.sent < len(self.request):
            self.sent += self.connection.send(self.request[self.sent:self.sent + 1])
        elif self.answers.receive(self.connection, 65_536):
            self.sent = 0
