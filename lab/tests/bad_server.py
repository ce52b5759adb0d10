"""A server that is wrong on purpose: `bad_server.py HOW PORT [FILE]`. What it does wrong, the lab must find out."""

import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path

HOW, PORT = sys.argv[1], int(sys.argv[2])
BODY = Path(sys.argv[3]).read_bytes() if len(sys.argv) > 3 else b"x" * 1024
ACCEPTED_MAX = 1000


@dataclass
class State:
    answered: int = 0
    connected: int = 0
    server: asyncio.Server | None = None


state = State()


def head(status: str, length: int) -> bytes:
    return f"HTTP/1.1 {status}\r\nContent-Length: {length}\r\n\r\n".encode()


def answer() -> bytes:
    """The first few are right: a server that is wrong from the start is never measured."""
    state.answered += 1
    if HOW == "500" and state.answered > 3:
        return head("500 Internal Server Error", len(BODY)) + BODY
    if HOW == "short" and state.answered > 3:
        return head("200 OK", 100) + BODY[:100]
    return head("200 OK", len(BODY)) + BODY


class Connection(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        state.connected += 1
        assert isinstance(transport, asyncio.Transport)
        self.transport, self.number, self.received = transport, state.connected, b""
        if HOW == "thousand" and state.connected == ACCEPTED_MAX and state.server:
            state.server.close()

    def data_received(self, data: bytes) -> None:
        self.received += data
        while b"\r\n\r\n" in self.received:
            if HOW == "drop" and self.number % 100 == 99:
                self.transport.abort()
                return
            self.received = self.received.partition(b"\r\n\r\n")[2]
            self.transport.write(answer())


async def serve() -> None:
    state.server = await asyncio.get_running_loop().create_server(Connection, "127.0.0.1", PORT, backlog=4096)
    await asyncio.Event().wait()


asyncio.run(serve())
