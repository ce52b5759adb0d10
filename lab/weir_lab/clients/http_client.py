"""A small HTTP/1.1 client for connections that the lab itself opens: one socket, and a check of each response."""

import re
import socket
import struct

CONNECT_SECONDS = 10.0  # to connect, and for each part of the first response
RESET = struct.pack(
    "ii", 1, 0
)  # SO_LINGER: closing resets; otherwise each connection keeps a port for a minute (TIME_WAIT)
IP_BIND_ADDRESS_NO_PORT = 24  # ip(7); Python 3.12 has a name for it
CONTENT_LENGTH = re.compile(rb"^content-length: *(\d+)\r?$", re.IGNORECASE | re.MULTILINE)


class WrongResponse(ValueError):
    """`kind` is one of the kinds of Load.errors."""

    def __init__(self, kind: str, words: str) -> None:
        super().__init__(words)
        self.kind = kind


def connect(
    port: int, source: str = "", receive_buffer_bytes: int | None = None, seconds: float | None = None
) -> socket.socket:
    """Connects to 127.0.0.1. `source` is any address in 127.0.0.0/8: each has its own ports, so that there are enough
    of them."""
    connection = socket.socket()
    try:
        connection.settimeout(CONNECT_SECONDS if seconds is None else seconds)
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


def get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


class ResponseReader:
    """Reads the responses on one connection, one after the other. If `content` is given, any other content is an
    error."""

    def __init__(self, content: bytes | None = None) -> None:
        self.count = 0  # complete responses
        self._content = content
        self._head = b""
        self.body_bytes_left: int | None = None  # still to come; None before the end of the head

    def receive(self, connection: socket.socket, bytes_max: int) -> bool:
        """Receives once. Returns True at the end of a response."""
        received = connection.recv(bytes_max)
        if not received:
            raise WrongResponse("read", "the server closed the connection")
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
        """Returns the bytes after the head."""
        self._head, end, rest = (self._head + received).partition(b"\r\n\r\n")
        if end:
            length = CONTENT_LENGTH.search(self._head)
            if not self._head.startswith(b"HTTP/1.1 200 ") or length is None:
                status_line = self._head.splitlines()[0].decode(errors="replace")
                raise WrongResponse("status", f"the server answered {status_line}")
            self.body_bytes_left = int(length[1])
            if self._content is not None and self.body_bytes_left != len(self._content):
                raise WrongResponse(
                    "body", f"the server announced {self.body_bytes_left} bytes, not {len(self._content)}"
                )
        return rest

    def _check(self, received: bytes) -> None:
        assert self.body_bytes_left is not None
        if len(received) > self.body_bytes_left:
            raise WrongResponse("body", "the server sent more than it announced")
        if self._content is not None:
            begin = len(self._content) - self.body_bytes_left
            if received != self._content[begin : begin + len(received)]:
                raise WrongResponse("body", "the server sent other content than the file's")
