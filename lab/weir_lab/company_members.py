"""The members of a company: what each does when it is its turn. A turn raises OSError or ValueError where the server has closed the
connection, or has not answered as it should."""

from __future__ import annotations

import re
import socket
import struct
from abc import ABC, abstractmethod

from weir_lab.scenario import MIB
from weir_lab.targets.target import CannotServe

LARGE_FILE = f"/{10 * MIB}.bin"
READ_BYTES = 4096  # at each turn of a slow reader
CONNECT_SECONDS = 10.0  # for a connection to be made, and for each part of its first answer
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: on closing; else each would keep a port for a minute (TIME-WAIT)
IP_BIND_ADDRESS_NO_PORT = 24  # ip(7); Python 3.12 has a name for it
CONTENT_LENGTH = re.compile(rb"^content-length: *(\d+)\r?$", re.IGNORECASE | re.MULTILINE)


class NoCompany(CannotServe):
    """The server doesn't take, or doesn't answer, as many connections as the scenario asks for."""


class WrongAnswer(ValueError):
    """`kind` is one of those of Load.errors."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


def connect(port: int, source: str = "", receive_buffer_bytes: int | None = None) -> socket.socket:
    """From any address of this machine's own, 127.0.0.0/8: each has ports of its own, which the kernel picks when it connects."""
    connection = socket.socket()
    try:
        connection.settimeout(CONNECT_SECONDS)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if receive_buffer_bytes:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer_bytes)
        if source:
            connection.setsockopt(socket.IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1)
            connection.bind((source, 0))
        connection.connect(("127.0.0.1", port))
    except BaseException:
        connection.close()
        raise
    return connection


class Answers:
    """Answers on one connection as they come in, one after the other. Where their content is known, any other is wrong."""

    def __init__(self, content: bytes | None = None) -> None:
        self.count = 0  # received in whole
        self._content = content
        self._head = b""
        self.body_bytes_left: int | None = None  # still to come; None before the head's end

    def receive(self, connection: socket.socket, bytes_max: int) -> bool:
        """True at the end of an answer."""
        received = connection.recv(bytes_max)
        if not received:
            raise WrongAnswer("read", "the server closed the connection")
        if self.body_bytes_left is None:
            received = self._read_head(received)
        if self.body_bytes_left is None:
            return False
        self._check(received)
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
                raise WrongAnswer(
                    "status", f"the server answered {self._head.splitlines()[0].decode(errors='replace')}"
                )
            self.body_bytes_left = int(length[1])
            if self._content is not None and self.body_bytes_left != len(self._content):
                raise WrongAnswer(
                    "body", f"the server announced {self.body_bytes_left} bytes, not {len(self._content)}"
                )
        return rest

    def _check(self, received: bytes) -> None:
        assert self.body_bytes_left is not None
        if len(received) > self.body_bytes_left:
            raise WrongAnswer("body", "the server sent more than it announced")
        if self._content is not None:
            begin = len(self._content) - self.body_bytes_left
            if received != self._content[begin : begin + len(received)]:
                raise WrongAnswer("body", "the server sent other content than the file's")


class Member(ABC):
    def __init__(self, connection: socket.socket, path: str, content: bytes | None = None) -> None:
        self.connection = connection
        self.answers = Answers(content)
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
            self.sent += self.connection.send(self.request[self.sent : self.sent + 1])
        elif self.answers.receive(self.connection, 65_536):
            self.sent = 0
