"""A program with routes that lies: `bad_program_server.py HOW PORT`. Its own reading of RFC 6455 has nothing in common
with the lab's. It has a thread for each connection. Later lies begin after the first answers, so that the lab's
questions before the run are answered right."""

import base64
import contextlib
import hashlib
import itertools
import json
import socket
import sys
import threading

FIRST_ANSWERS = 400
HOW, PORT = sys.argv[1], int(sys.argv[2])
LIE = HOW.removeprefix("later ")
TEXT, JSON = "text/plain; charset=utf-8", "application/json"
BINARY, CLOSE, PING, PONG = 2, 8, 9, 10
answers = itertools.count()


def is_lie(name: str) -> bool:
    """Of each answer it may be asked once."""
    return name == LIE and (not HOW.startswith("later ") or next(answers) >= FIRST_ANSWERS)


def answer(status: str, body: bytes, fields: str = "") -> bytes:
    return f"HTTP/1.1 {status}\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body


def text(name: str) -> bytes:
    if is_lie("another text"):
        return answer("200 OK", f"hello, {name}!\n".encode(), f"Content-Type: {TEXT}\r\n")
    media = "text/html" if LIE == "another type" else TEXT
    return answer("200 OK", f"Hello, {name}!\n".encode(), f"Content-Type: {media}\r\n")


def object_of(name: str) -> bytes:
    members: dict[str, object] = {"active": True, "id": 42, "name": name, "score": 12.5, "tags": ["http", "json"]}
    if is_lie("another value"):
        members["id"] = 43
    if LIE == "another order":
        members = dict(reversed(members.items()))
    content = json.dumps(members, separators=None if LIE == "spaces" else (",", ":")).encode()
    if LIE == "no json":
        content = content[:-1] + b"]"
    return answer("200 OK", content, f"Content-Type: {TEXT if LIE == 'another type' else JSON}\r\n")


def reply(method: str, path: str) -> bytes:
    _, folder, name = (*path.split("/"), "")[:3]
    name = "reader" if LIE == "one name" else name
    made = {"hello": text, "json": object_of}.get(folder)
    said = made(name) if made and name else answer("404 Not Found", b"")
    return said.partition(b"\r\n\r\n")[0] + b"\r\n\r\n" if method == "HEAD" else said


def upgraded(head: bytes) -> bytes:
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    original = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
    if b"sec-websocket-key" not in fields or LIE == "no upgrade":
        return answer("426 Upgrade Required", b"")
    key = next(value for name, value in original.items() if name.lower() == b"sec-websocket-key")
    key = b"another" if LIE == "another key" else key
    accept = base64.b64encode(hashlib.sha1(key + b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11").digest()).decode()
    more = "Sec-WebSocket-Extensions: permessage-deflate\r\n" if LIE == "extension" else ""
    return (
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Sec-WebSocket-Accept: {accept}\r\n{more}\r\n"
    ).encode()


def frame(kind: int, content: bytes) -> bytes:
    first = kind if LIE == "in pieces" else 0x80 | kind
    if len(content) < 126:
        length = bytes([len(content)])
    elif len(content) < 65_536 or LIE == "sixteen bits":
        length = b"\x7e" + (len(content) & 0xFFFF).to_bytes(2, "big")
    else:
        length = b"\x7f" + len(content).to_bytes(8, "big")
    if LIE == "masked":
        return bytes([first, length[0] | 0x80]) + length[1:] + bytes(4) + content
    return bytes([first]) + length + content


class Echo:
    def __init__(self, connection: socket.socket) -> None:
        self._stream = connection.makefile("rb")
        self._connection = connection
        self._last = b""

    def serve(self) -> None:
        while head := self._stream.read(2):
            length = head[1] & 0x7F
            if length >= 126:
                length = int.from_bytes(self._stream.read(2 if length == 126 else 8), "big")
            mask = self._stream.read(4)
            content = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self._stream.read(length)))
            kind = head[0] & 0xF
            self._connection.sendall(self._answer(kind, content))
            if kind == CLOSE:
                return

    def _answer(self, kind: int, content: bytes) -> bytes:
        if kind == PING:
            return frame(PONG, b"nothing" if LIE == "another pong" else content)
        if kind == CLOSE:
            return frame(CLOSE, (1011).to_bytes(2, "big") if LIE == "another close" else content)
        last, self._last = self._last, content
        return frame(1 if LIE == "as text" else BINARY, self._echo(content, last))

    @staticmethod
    def _echo(content: bytes, last: bytes) -> bytes:
        if is_lie("another byte") and content:
            return content[:-1] + bytes([content[-1] ^ 1])
        if LIE == "always the same":
            return b"x" * len(content)
        if LIE == "the one before" and len(last) == len(content):
            return last
        return content[:-1] if LIE == "shorter" else content


def serve(connection: socket.socket) -> None:
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    received = b""
    with connection:
        while more := connection.recv(65536):
            *heads, received = (received + more).split(b"\r\n\r\n")
            for head in heads:
                method, path, _ = head.split(b"\r\n")[0].decode().split(" ")
                said = upgraded(head) if path == "/echo" else reply(method, path)
                connection.sendall(said)
                if said.startswith(b"HTTP/1.1 101 "):
                    Echo(connection).serve()
                    return
                if b"connection: close" in head.lower():
                    return


def quietly(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):  # the client has gone
        serve(connection)


with socket.create_server(("127.0.0.1", PORT), backlog=4096) as listener:
    while True:
        threading.Thread(target=quietly, args=(listener.accept()[0],), daemon=True).start()
