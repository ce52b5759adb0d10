"""A client that sees what is on the wire."""

from __future__ import annotations

import socket

DEADLINE_SECONDS = 60.0


class Asking:
    """One connection. Answers are read as they come, in order."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), DEADLINE_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._incoming = self._socket.makefile("rb")

    def __enter__(self) -> Asking:
        return self

    def __exit__(self, *raised: object) -> None:
        self.leave()

    def send(self, text: str) -> None:
        self._socket.sendall(text.encode())

    def say_no_more(self) -> None:
        self._socket.shutdown(socket.SHUT_WR)

    def leave(self) -> None:
        self._incoming.close()
        self._socket.close()

    def answer(self) -> tuple[dict[str, str], bytes]:
        """The fields, with names in small letters and the status as ":status", and the body."""
        fields = {":status": self._line().split(" ")[1]}
        while line := self._line():
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        return fields, self._incoming.read(int(fields["content-length"]))

    def is_closed(self) -> bool:
        """Waits for it."""
        return self._incoming.read(1) == b""

    def _line(self) -> str:
        line = self._incoming.readline()
        assert line.endswith(b"\r\n"), f"the connection ended after {line!r}"
        return line[:-2].decode("ascii")


def request(path: str, *fields: str, version: str = "1.1") -> str:
    return "\r\n".join((f"GET {path} HTTP/{version}", "Host: 127.0.0.1", *fields, "", ""))
