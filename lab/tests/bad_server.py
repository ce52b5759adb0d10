"""A server that lies: `bad_server.py HOW PORT FILE [HELPER]`. HOW is a name of LIES, or one that the connections or the
process know. Later lies begin after FIRST answers, so that the lab's questions before the run are answered right."""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

FIRST = 300
ACCEPTED_MAX = 1000
OLD_CONNECTIONS = 40
QUESTIONS_CONNECTIONS = 10  # those of the lab's questions before the run
PIPELINED = 4  # requests that come together, at least: then they are pipelined
DATE = "Date: Mon, 01 Jan 2001 00:00:00 GMT\r\n"


@dataclass
class State:
    answered: int = 0
    connected: int = 0
    server: asyncio.Server | None = None


@dataclass
class Asked:
    method: str
    path: str
    connection: int  # its number
    is_last: bool = False  # on its connection


state = State()
HOW, PORT, FILE = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
BODY = FILE.read_bytes()


def answer(status: str, body: bytes, fields: str = "", length: int | None = None) -> bytes:
    said = len(body) if length is None else length
    return f"HTTP/1.1 {status}\r\n{fields}Content-Length: {said}\r\n\r\n".encode() + body


def right(asked: Asked) -> bytes:
    if asked.path != f"/{FILE.name}":
        return answer("404 Not Found", b"no such file")
    return answer("200 OK", b"", length=len(BODY)) if asked.method == "HEAD" else answer("200 OK", BODY)


def always(lie: bytes) -> Callable[[Asked], bytes]:
    """In place of the file."""
    return lambda asked: lie if asked.method == "GET" and asked.path == f"/{FILE.name}" else right(asked)


def later(lie: bytes, each: int = 1) -> Callable[[Asked], bytes]:
    """Each so many answers, once the first are over."""
    lying = always(lie)
    return lambda asked: lying(asked) if state.answered > FIRST and state.answered % each == 0 else right(asked)


def on_new_connections(asked: Asked) -> bytes:
    is_new = state.answered > FIRST and asked.connection > OLD_CONNECTIONS
    return LIES["zeros"](asked) if is_new else right(asked)


ZEROS = answer("200 OK", bytes(len(BODY)))
FOUND = answer("302 Found", BODY, "Location: /\r\n")
TEN_SHORT = answer("200 OK", BODY[:-10])
HALF = answer("200 OK", BODY[: len(BODY) // 2])
EMPTY = answer("200 OK", b"")
# As many bytes as the right answer, and another sum of head and content.
SAME_SUM = f"HTTP/1.1 200\r\nContent-Length: {len(BODY) + 3}\r\n\r\n".encode() + BODY + b"abc"

LIES: dict[str, Callable[[Asked], bytes]] = {
    "right": right,
    "302": always(FOUND),
    "zeros": always(ZEROS),
    "ten short": always(TEN_SHORT),
    "shorter than announced": always(answer("200 OK", BODY[:-10], length=len(BODY))),
    "longer than announced": always(answer("200 OK", BODY + b"ten  more!", length=len(BODY))),
    "same sum": always(SAME_SUM),
    "http/1.0": always(answer("200 OK", BODY).replace(b"HTTP/1.1", b"HTTP/1.0")),
    "chunks": always(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    "two lengths": always(answer("200 OK", BODY, "Content-Length: 5\r\n")),
    "old date": always(answer("200 OK", BODY, DATE)),
    "200 for all": lambda asked: right(Asked(asked.method, f"/{FILE.name}", asked.connection)),
    "head with content": lambda asked: answer("200 OK", BODY) if asked.method == "HEAD" else right(asked),
    "second connection": lambda asked: (right if asked.connection <= 3 else always(ZEROS))(asked),
    "later 302": later(FOUND),
    "later zeros": later(ZEROS),
    "later ten short": later(TEN_SHORT),
    "later same sum": later(SAME_SUM),
    "1 % empty": later(EMPTY, 100),
    "1 % 304": later(b"HTTP/1.1 304 Not Modified\r\n\r\n", 100),
    "2 % half": later(HALF, 50),
    "1 % zeros": later(ZEROS, 100),
    "500": later(answer("500 Internal Server Error", BODY)),
    "short": later(answer("200 OK", BODY[:100])),
    "zeros on new connections": on_new_connections,
}


CLOSES_AFTER = {"closes each thousand": 1000, "closes each ten": 10}


class Connection(asyncio.Protocol):
    helper: socket.socket | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        state.connected += 1
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.number, self.received, self.asked = transport, state.connected, b"", 0
        if HOW == "thousand" and state.connected == ACCEPTED_MAX and state.server:
            state.server.close()

        if self.helper and HOW == "gives connections away" and self.number > QUESTIONS_CONNECTIONS:
            socket.send_fds(self.helper, [b"!"], [transport.get_extra_info("socket").fileno()])
            transport.abort()

    def data_received(self, data: bytes) -> None:
        *heads, self.received = (self.received + data).split(b"\r\n\r\n")
        asked = [self.understand(head) for head in heads]
        answers = [self.reply(one) for one in asked]
        if HOW == "pipelined out of order" and len(heads) >= PIPELINED:
            answers.reverse()
        if HOW == "pipelined merged" and len(heads) >= PIPELINED:
            answers.pop()
        if HOW == "drop" and self.number % 100 == 99:
            self.transport.abort()
            return
        if not (HOW == "silent" and state.answered > FIRST):
            self.transport.write(b"".join(answers))
        if any(one.is_last for one in asked):
            self.transport.close()

    def understand(self, head: bytes) -> Asked:
        method, path, _ = head.decode().split("\r\n")[0].split(" ")
        self.asked += 1
        is_last = self.asked == CLOSES_AFTER.get(HOW) or (b"\r\nconnection: close" in head.lower())
        return Asked(method, path, self.number, is_last and HOW != "never closes")

    def reply(self, asked: Asked) -> bytes:
        state.answered += 1
        if self.helper and HOW == "has a helper":
            self.helper.send(b"?")
            self.helper.recv(1)
        said = LIES.get(HOW, right)(asked)
        return said.replace(b"\r\n", b"\r\nConnection: close\r\n", 1) if asked.is_last else said


async def serve() -> None:
    state.server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", PORT, backlog=4096)
    await asyncio.Event().wait()


def become_no_child() -> None:
    """The process that the lab started does nothing. Its grandchild, whose parent has ended, serves."""
    if os.fork() != 0:
        os.wait()
        signal.pause()
    if os.fork() != 0:
        os._exit(0)


if HOW == "is no child":
    become_no_child()
if HOW in {"has a helper", "gives connections away"}:
    Connection.helper = socket.socket(socket.AF_UNIX)
    Connection.helper.connect(sys.argv[4])
asyncio.run(serve())
