"""The kinds of background client. The server sees each as a connection that holds its resources and brings little
traffic.

act() raises OSError or ValueError if the server has closed the connection or sent a wrong response."""

from __future__ import annotations

import socket
from abc import ABC, abstractmethod

from weir_lab.clients.http_client import ResponseReader, get
from weir_lab.core.scenario import MIB

LARGE_FILE = f"/{10 * MIB}.bin"
READ_BYTES = 4096  # of a slow reader, each time it acts


class Client(ABC):
    def __init__(self, connection: socket.socket, path: str, content: bytes | None = None) -> None:
        self.connection = connection
        self.responses = ResponseReader(content)
        self.request = get(path)

    @abstractmethod
    def begin(self) -> None:
        """Prepares the connection before the measured traffic begins. May block; afterwards the connection does not
        block."""

    @abstractmethod
    def act(self) -> None:
        """Does the client's next small piece of work."""


class IdleClient(Client):
    """Sends one request, and then nothing. It acts only when its socket becomes readable: on a response or on a
    close."""

    def ask(self) -> None:
        self.connection.sendall(self.request)

    def begin(self) -> None:
        while not self.responses.receive(self.connection, 65_536):
            pass
        self.connection.setblocking(False)

    def act(self) -> None:
        self.responses.receive(self.connection, 65_536)


class SlowReader(Client):
    """Asks for a large file, reads a little of it at a time, and asks again at its end."""

    def begin(self) -> None:
        self.connection.sendall(self.request)
        self.responses.receive(self.connection, READ_BYTES)
        self.connection.setblocking(False)

    def act(self) -> None:
        if self.responses.receive(self.connection, READ_BYTES):
            self.connection.sendall(self.request)


class SlowSender(Client):
    """Sends a request byte by byte, waits for the response, and begins again."""

    sent = 0  # bytes of the request

    def begin(self) -> None:
        self.connection.setblocking(False)

    def act(self) -> None:
        if self.sent < len(self.request):
            self.sent += self.connection.send(self.request[self.sent : self.sent + 1])
        elif self.responses.receive(self.connection, 65_536):
            self.sent = 0
