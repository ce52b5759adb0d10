"""One connection over WebSocket (RFC 6455), in the lab's own reading of it: to a server that sends each message back. A
message takes the place of a request, and its echo that of the answer, so that all else of the lab need not know."""

import base64
import hashlib
import os
import struct
from collections import deque

from weir_lab.clients.wire import Answer, Wire, Wrong

ACCEPT_SUFFIX = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
TEXT, BINARY, CLOSE, PING, PONG = 0x1, 0x2, 0x8, 0x9, 0xA
FINAL, MASKED = 0x80, 0x80
IN_TWO_BYTES, IN_EIGHT_BYTES = 126, 127  # in place of a length


class WebSocketWire(Wire):
    def __init__(self, port: int, seconds: float, path: str, message_bytes: int) -> None:
        """Raises Wrong if the server does not speak WebSocket there."""
        super().__init__(port, seconds)
        self._message_bytes = message_bytes
        self._sent: deque[bytes] = deque()  # messages whose echo nobody has taken, oldest first
        self._upgrade = self._upgraded(port, path)

    def _upgraded(self, port: int, path: str) -> Answer:
        key = base64.b64encode(os.urandom(16))
        try:
            super().send(_request(port, path, key))
            answer = super().answer(is_head=True)
            _check(answer, key)
        except BaseException:
            self.leave()
            raise
        self.answers = 0
        return answer

    def send(self, request: bytes) -> None:
        """Another message each time, whatever the request says: a server can't know its echo before."""
        self.send_message(os.urandom(self._message_bytes))

    def send_message(self, message: bytes) -> None:
        self._sent.append(message)
        self.send_frame(BINARY, message)

    def send_frame(self, kind: int, content: bytes) -> None:
        super().send(frame(kind, content, os.urandom(4)))

    def answer(self, is_head: bool = False) -> Answer:
        """The echo of the oldest message. Raises Wrong if it is another message."""
        kind, content, head_bytes = self.receive_frame()
        while kind == PING:
            self.send_frame(PONG, content)
            kind, content, head_bytes = self.receive_frame()
        if kind != BINARY:
            raise Wrong(f"a frame of the kind {kind} came in place of the echo")
        self.answers += 1
        if words := _difference(content, self._sent.popleft()):
            raise Wrong(words)
        one = self._upgrade
        return Answer(one.version, one.status, one.reason, one.fields, head_bytes, content)

    def receive_frame(self) -> tuple[int, bytes, int]:
        """The kind of a frame, its content, and the bytes of its head."""
        first, length = self._head_bytes(2)
        head_bytes = 2
        if first & ~0xF != FINAL:
            raise Wrong(f"a frame begins with {first:#x}: the message is in pieces, or compressed")
        if length & MASKED:
            raise Wrong("the server masks its frames")
        if length in {IN_TWO_BYTES, IN_EIGHT_BYTES}:
            more = 2 if length == IN_TWO_BYTES else 8
            length, head_bytes = int.from_bytes(self._head_bytes(more), "big"), head_bytes + more
        return first & 0xF, self._body(length), head_bytes

    def _head_bytes(self, size: int) -> bytes:
        while len(self._received) < size:
            self._received += self._more("the head")
        found, self._received = self._received[:size], self._received[size:]
        return found


def frame(kind: int, content: bytes, mask: bytes = b"") -> bytes:
    """Without a mask it is one of a server."""
    masked = MASKED if mask else 0
    size = len(content)
    if size < IN_TWO_BYTES:
        head = struct.pack("!BB", FINAL | kind, masked | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", FINAL | kind, masked | IN_TWO_BYTES, size)
    else:
        head = struct.pack("!BBQ", FINAL | kind, masked | IN_EIGHT_BYTES, size)
    return head + mask + (unmasked(content, mask) if mask else content)


def unmasked(content: bytes, mask: bytes) -> bytes:
    """Or masked: it is the same."""
    whole = (mask * (len(content) // 4 + 1))[: len(content)]
    return (int.from_bytes(content, "big") ^ int.from_bytes(whole, "big")).to_bytes(len(content), "big")


def accept(key: bytes) -> str:
    """What the server makes of the key."""
    return base64.b64encode(hashlib.sha1(key + ACCEPT_SUFFIX).digest()).decode()


def _request(port: int, path: str, key: bytes) -> bytes:
    lines = (
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key.decode()}",
        "Sec-WebSocket-Version: 13",
    )
    return "\r\n".join((*lines, "", "")).encode()


def _check(answer: Answer, key: bytes) -> None:
    if answer.status != 101:
        raise Wrong(f"the server answers with status {answer.status}, not 101, where it should upgrade to WebSocket")
    if (answer.field("upgrade") or "").lower() != "websocket":
        raise Wrong(f"the server upgrades to {answer.field('upgrade')}, not to websocket")
    if answer.field("sec-websocket-accept") != accept(key):
        raise Wrong(f"Sec-WebSocket-Accept is {answer.field('sec-websocket-accept')}, not {accept(key)}")
    if extensions := answer.field("sec-websocket-extensions"):
        raise Wrong(f"the server uses an extension that nobody offered: {extensions}")


def _difference(echo: bytes, message: bytes) -> str:
    if len(echo) != len(message):
        return f"the echo has {len(echo)} bytes, and the message {len(message)}"
    at = next((at for at, (is_there, right) in enumerate(zip(echo, message, strict=True)) if is_there != right), None)
    return "" if at is None else f"byte {at} of the echo is {echo[at]:#04x}, not {message[at]:#04x}"
