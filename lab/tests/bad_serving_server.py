"""A server that compresses, or asks for a password, and lies: `bad_serving_server.py HOW PORT FILE AUTHORIZATION`. The
last is the field of the right password; empty: it asks for none. It has a thread for each connection. Later lies begin
after the first answers, so that the lab's questions before the run are answered right."""

import contextlib
import gzip
import itertools
import socket
import sys
import threading
from pathlib import Path

FIRST_ANSWERS = 600
HOW, PORT, FILE, AUTHORIZATION = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4].lower().encode()
BODY = FILE.read_bytes()
answers = itertools.count()


def packed(content: bytes, level: int = 6) -> bytes:
    return gzip.compress(content, level, mtime=0)


RIGHT = packed(BODY)
INSTEAD = {  # of the right compressed content
    "other bytes": packed(bytes(len(BODY))),
    "later other bytes": packed(bytes(len(BODY))),
    "stored": packed(BODY, 0),
    "no gzip": b"x" * 1000,
    "cut": RIGHT[:-10],
    "longer": RIGHT + b"more",
    "more content": packed(BODY + bytes(100_000)),
}
CHUNKED = {  # in place of a Content-Length
    "chunks": b"%x;name=value\r\n%b\r\n0\r\nname: value\r\n\r\n" % (len(RIGHT), RIGHT),
    "chunk longer than announced": b"%x\r\n%b\r\n0\r\n\r\n" % (len(RIGHT) - 1, RIGHT),
    "no size of a chunk": b"many\r\n%b\r\n0\r\n\r\n" % RIGHT,
}


def answer(status: str, body: bytes, fields: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body


def is_later() -> bool:
    return next(answers) >= FIRST_ANSWERS


def is_let_in(head: bytes) -> bool:
    if not AUTHORIZATION or HOW == "no password" or (HOW == "forgets the password" and is_later()):
        return True
    return AUTHORIZATION in head or (HOW == "any password" and b"authorization: " in head)


def file(accepts: bool) -> bytes:
    """The whole answer to a GET."""
    lies = is_later() or not HOW.startswith("later ")
    if (HOW in {"plain", "later plain"} and lies) or not (accepts or HOW == "always compressed"):
        return answer("200 OK", BODY)
    coded = "Content-Encoding: gzip\r\n"
    if HOW in CHUNKED:
        return f"HTTP/1.1 200 OK\r\n{coded}Transfer-Encoding: chunked\r\n\r\n".encode() + CHUNKED[HOW]
    return answer("200 OK", INSTEAD.get(HOW, RIGHT) if lies else RIGHT, coded)


def reply(head: bytes) -> bytes:
    method, path, _ = head.split(b"\r\n")[0].decode().split(" ")
    if not is_let_in(head.lower()):
        return answer("401 Unauthorized", b"", "" if HOW == "no challenge" else 'WWW-Authenticate: Basic realm="x"\r\n')
    said = file(b"accept-encoding: gzip" in head.lower()) if path == f"/{FILE.name}" else answer("404 Not Found", b"")
    return said.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if method == "HEAD" else said


def serve(connection: socket.socket) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    received = b""
    with connection:
        while more := connection.recv(65536):
            *heads, received = (received + more).split(b"\r\n\r\n")
            for head in heads:
                connection.sendall(reply(head))
                if b"connection: close" in head.lower():
                    return


def quietly(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the client has gone
        serve(connection)


with socket.create_server(("127.0.0.1", PORT), backlog=4096) as listener:
    while True:
        threading.Thread(target=quietly, args=(listener.accept()[0],), daemon=True).start()
