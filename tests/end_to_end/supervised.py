"""Servers under a supervisor, and clients that notice each request that is lost."""

import re
import signal
import socket
import threading
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from served import PATIENCE_SECONDS, Clients, EndToEnd, in_time, run, wait_until

CONTENT = b"weir\n" * 200
SERVES = r"\(pid (\d+)\) serves"
LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


class Lost(Exception):
    pass


def ask(connection, last=False):
    """One request; whether the server says that the connection ends."""
    send(connection, last)
    return receive(connection)


def ask_if_in_time(connection, before, last=False):
    """The same; nothing where the connection ended because this client has stood still since `before`."""
    return in_time(before, lambda: send(connection, last), lambda: receive(connection))


def send(connection, last):
    field = b"Connection: close\r\n" if last else b""
    connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + field + b"\r\n")


def receive(connection):
    received = b""
    while b"\r\n\r\n" not in received:
        if not (data := connection.recv(1 << 16)):
            lost = f"the connection ended after {len(received)} bytes of a head"
            raise Lost(lost) if received else ConnectionError(lost)
        received += data
    head, _, body = received.partition(b"\r\n\r\n")
    length = LENGTH.search(head + b"\r\n")
    while length and len(body) < int(length[1]):
        if not (data := connection.recv(1 << 16)):
            raise Lost(f"the connection ended after {len(body)} bytes of content")
        body += data
    if not head.startswith(b"HTTP/1.1 200 ") or not body:
        raise Lost(f"a wrong answer: {head[:80]!r}")
    return b"\r\nconnection: close" in head.lower(), body


def ask_on_one_connection(port, count):
    """How many requests were answered: `count`, or fewer if the connection ended, as the server said, or as it may."""
    asked = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as connection:
        for number in range(count):
            before, asked = asked, time.monotonic()
            if not (answer := ask_if_in_time(connection, before)):
                return number
            if answer[0]:
                return number + 1
    return count


def ask_on_a_connection_each(port, count):
    for number in range(count):
        before = time.monotonic()
        with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as connection:
            if not ask_if_in_time(connection, before, last=True):
                return number
    return count


class Load(Clients):
    """Clients that ask until all requests are answered, or one is lost."""

    def __init__(self, port, requests, ways, clients=2):
        self.port, self.lost, self.answered = port, [], 0
        self.lock = threading.Lock()
        each = max(requests // (len(ways) * clients), 1)
        self.threads = [threading.Thread(target=self.run, args=(way, each)) for way in ways for _ in range(clients)]

    def run(self, way, count):
        try:
            while count > 0 and not self.lost:
                answered = way(self.port, min(count, 50))
                count -= answered
                with self.lock:
                    self.answered += answered
        except (OSError, Lost) as lost:
            self.lost.append(f"{way.__name__}: {type(lost).__name__} {lost}")


class Supervised(EndToEnd):
    def setUp(self):
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.site = self.folder / "site"
        self.site.mkdir()
        (self.site / "index.html").write_bytes(CONTENT)
        self.control = f"unix:{self.folder}/control"

    def serve_supervised(self, *options, **added):
        return self.serve(self.site, "--control", self.control, *options, **added)

    def tell(self, command):
        return run(command, "--control", self.control)

    def reload(self):
        """What has changed, in words."""
        status, said, errors = self.tell("reload")
        self.assertEqual((status, errors), (0, ""))
        return re.fullmatch(r"generation \d+ \(pid \d+\) serves; (.*)\n", said)[1]

    def serving(self):
        """The process that serves; the banner may be a little earlier."""
        found = []

        def is_there():
            found[:] = re.findall(SERVES, self.tell("status")[1])
            return found

        wait_until(is_there)
        return int(found[0])

    def wait_for_one_generation(self):
        wait_until(lambda: "finish" not in self.tell("status")[1])

    def end(self, server):
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
