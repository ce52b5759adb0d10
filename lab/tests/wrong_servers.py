"""Servers in a thread of the test, each wrong in one way, and one that is right."""

from __future__ import annotations

import contextlib
import socket
import socketserver
import struct
import threading
from collections.abc import Iterator

BODY = b"x" * 1024
SHORT = b"short"


class _Handler(socketserver.BaseRequestHandler):
    """Answers one request after the other, as many as there are in what came."""

    server: _Server

    def handle(self) -> None:
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        received = b""
        while data := self.request.recv(65536):
            received += data
            *heads, received = received.split(b"\r\n\r\n")
            for head in heads:
                if not self.answer(head.lower()):
                    return

    def answer(self, head: bytes) -> bool:
        """Whether the connection goes on."""
        keep = b"connection: close" not in head and (b"http/1.1" in head or b"keep-alive" in head)
        match self.server.how:
            case "right":
                self.send("200 OK", len(BODY), BODY, keep)
            case "post":  # what it gets beside the head stands before the next one
                is_right = b"post / http/1.1" in head and b"content-length: 300\r\n" in head + b"\r\n"
                self.send("200 OK" if is_right else "400 Bad Request", len(BODY), BODY, keep)
            case "500":
                self.send("500 Internal Server Error", len(SHORT), SHORT, keep)
            case "302":
                self.send("302 Found\r\nLocation: /", len(SHORT), SHORT, keep)
            case "short":
                self.send("200 OK", len(BODY), SHORT, keep)
                return False
            case "other length":
                self.send("200 OK", len(SHORT), SHORT, keep)
            case "reset":
                self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.request.close()
                return False
            case "silent":
                self.server.stopped.wait()
        return keep

    def send(self, status: str, length: int, body: bytes, keep: bool) -> None:
        connection = "keep-alive" if keep else "close"
        self.request.sendall(
            f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: {connection}\r\n\r\n".encode() + body
        )


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 512

    def __init__(self, how: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.how = how
        self.stopped = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """Peers that go away are nothing to speak of."""


@contextlib.contextmanager
def server(how: str) -> Iterator[str]:
    """Its URL."""
    if how == "refused":
        with _nobody() as url:
            yield url
        return
    with _Server(how) as one:
        thread = threading.Thread(target=one.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{one.server_address[1]}/"
        one.stopped.set()
        one.shutdown()
        thread.join()


@contextlib.contextmanager
def _nobody() -> Iterator[str]:
    """The port is kept, so that no client gets it as its own and connects to itself."""
    with socket.socket() as kept:
        kept.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{kept.getsockname()[1]}/"
