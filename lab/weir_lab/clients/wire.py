"""One connection to a server, by a client that believes nothing. It reads each answer whole, and says exactly what is
wrong with one that it can't read."""

from __future__ import annotations

import contextlib
import hashlib
import re
import socket
import ssl
import struct
from dataclasses import dataclass

from weir_lab.clients.http_client import connect
from weir_lab.core import tls

HEAD_BYTES_MAX = 64 * 1024
STATUS_LINE = re.compile(rb"(HTTP/\d\.\d) (\d{3})(?: ([^\r\n]*))?")
RECEIVE_BYTES = 256 * 1024
CHUNKED_BYTES_MAX = 64 * 1024 * 1024
CHUNK_SIZE = re.compile(rb"([0-9A-Fa-f]{1,8})(?:[ \t]*;.*)?")  # RFC 9112, 7.1
CLOSED = "the server closed in place of an answer"
BYTES_RECEIVED_AT = 128  # in struct tcp_info (linux/tcp.h)


class Wrong(Exception):
    """The message says what came, and what should have come."""


@dataclass(frozen=True)
class Answer:
    version: str
    status: int
    reason: str
    fields: tuple[tuple[str, str], ...]  # names in small letters
    head_bytes: int
    body: bytes

    def field(self, name: str) -> str | None:
        return next((value for one, value in self.fields if one == name), None)

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.body).hexdigest()

    def text(self) -> str:
        """The head, in the lab's own writing."""
        return f"{self.version} {self.status} {self.reason}\n" + "".join(f"{k}: {v}\n" for k, v in self.fields)


class Wire:
    def __init__(self, port: int, seconds: float, client: tls.Client | None = None, takes_chunks: bool = False) -> None:
        """Each wait for the server takes at most that long. Raises OSError, as do all others here: TimeoutError is
        one."""
        self._takes_chunks = takes_chunks
        self._socket = connect(port, seconds=seconds)
        self._tls = client
        if client:
            begun = client.begin(self._socket)
            self._socket = begun
            client.finish(begun)
        self._received = b""
        self.answers = 0

    def __enter__(self) -> Wire:
        return self

    def __exit__(self, *raised: object) -> None:
        self.leave()

    def leave(self) -> None:
        if self._tls and self.answers and isinstance(self._socket, ssl.SSLSocket):
            self._tls.learn(self._socket)
        self._socket.close()

    def cut(self) -> None:
        """From another thread: whoever waits in here for the server waits no longer."""
        with contextlib.suppress(OSError):  # it is not connected any more
            socket.socket.shutdown(self._socket, socket.SHUT_RDWR)  # that of SSLSocket would give up TLS

    def fileno(self) -> int:
        return self._socket.fileno()

    def received_bytes(self) -> int | None:
        """By the kernel: what the server has sent, TLS and all. None if the kernel does not say."""
        found = self._socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, BYTES_RECEIVED_AT + 8)
        if len(found) < BYTES_RECEIVED_AT + 8:
            return None
        return int(struct.unpack_from("=Q", found, BYTES_RECEIVED_AT)[0])

    def send(self, request: bytes) -> None:
        """Raises Wrong if the server has closed."""
        try:
            self._socket.sendall(request)
        except (BrokenPipeError, ConnectionResetError):
            raise Wrong(CLOSED) from None

    def answer(self, is_head: bool = False) -> Answer:
        """The next one. Raises Wrong."""
        head = self._head()
        status_line, *lines = head.split(b"\r\n")
        match = STATUS_LINE.fullmatch(status_line)
        if not match:
            raise Wrong(f"no status line came, but {status_line[:40]!r}")
        fields = tuple(_field(line) for line in lines)
        body = b"" if is_head or match[2] in {b"204", b"304"} else self._content(fields)
        self.answers += 1
        return Answer(
            match[1].decode(), int(match[2]), (match[3] or b"").decode(errors="replace"), fields, len(head) + 4, body
        )

    def rest(self) -> int:
        """How many bytes have come that belong to no answer. More may follow."""
        return len(self._received)

    def ends(self) -> bool:
        """Waits until the server closes. False if it doesn't, or sends more instead."""
        try:
            return self.rest() == 0 and self._socket.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False

    def _head(self) -> bytes:
        while (end := self._received.find(b"\r\n\r\n")) < 0:
            if len(self._received) > HEAD_BYTES_MAX:
                raise Wrong(f"no end of a head came in {HEAD_BYTES_MAX:,} bytes")
            self._received += self._more("the head")
        head, self._received = self._received[:end], self._received[end + 4 :]
        return head

    def _content(self, fields: tuple[tuple[str, str], ...]) -> bytes:
        if self._takes_chunks and ("transfer-encoding", "chunked") in fields:
            return self._chunks()
        return self._body(_length(fields))

    def _chunks(self) -> bytes:
        parts: list[bytes] = []
        while size := self._chunk_size():
            parts.append(self._body(size))
            if sum(map(len, parts)) > CHUNKED_BYTES_MAX:
                raise Wrong(f"the chunks do not end in {CHUNKED_BYTES_MAX:,} bytes")
            if self._line():
                raise Wrong("a chunk is longer than it announces")
        while self._line():  # a field of the trailer
            pass
        return b"".join(parts)

    def _chunk_size(self) -> int:
        line = self._line()
        match = CHUNK_SIZE.fullmatch(line)
        if not match:
            raise Wrong(f"no size of a chunk came, but {line[:40]!r}")
        return int(match[1], 16)

    def _line(self) -> bytes:
        while (end := self._received.find(b"\r\n")) < 0:
            if len(self._received) > HEAD_BYTES_MAX:
                raise Wrong(f"no end of a line came in {HEAD_BYTES_MAX:,} bytes of chunks")
            self._received += self._more("the chunks")
        line, self._received = self._received[:end], self._received[end + 2 :]
        return line

    def _body(self, length: int) -> bytes:
        parts, have = [self._received[:length]], min(len(self._received), length)
        self._received = self._received[length:]
        while have < length:
            more = self._more(f"the content ({have:,} of {length:,} bytes came)", length - have)
            have += len(more)
            parts.append(more)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _more(self, what: str, most: int = RECEIVE_BYTES) -> bytes:
        try:
            more = self._socket.recv(min(most, RECEIVE_BYTES))
        except TimeoutError:
            raise TimeoutError(f"the server sent nothing more in {what}") from None
        except ConnectionResetError:
            more = b""
        if not more:
            nothing = what == "the head" and not self._received
            raise Wrong(CLOSED if nothing else f"the server closed in {what}")
        return more


def _field(line: bytes) -> tuple[str, str]:
    name, colon, value = line.partition(b":")
    if not colon or not name or name != name.strip():
        raise Wrong(f"a line of the head is no field: {line[:40]!r}")
    return name.decode(errors="replace").lower(), value.decode(errors="replace").strip()


def _length(fields: tuple[tuple[str, str], ...]) -> int:
    lengths = [value for name, value in fields if name == "content-length"]
    if any(name == "transfer-encoding" for name, _ in fields):
        raise Wrong("the answer came in chunks, without a Content-Length")
    if len(lengths) != 1:
        raise Wrong("the answer has no Content-Length" if not lengths else "the answer has several Content-Lengths")
    if not lengths[0].isdecimal():
        raise Wrong(f"Content-Length is no number: {lengths[0][:40]!r}")
    return int(lengths[0])
