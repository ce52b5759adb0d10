"""Background connections are open, keep going, and are counted as lost if the server closes them."""

import dataclasses
import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from weir_lab.clients import background as connections
from weir_lab.clients.background import LARGE_FILE, BackgroundConnections, CannotOpen, SlowReader, SlowSender
from weir_lab.core.scenario import MIB, SCENARIOS, Scenario

PLAIN = SCENARIOS["keep-alive"]
DEADLINE_SECONDS = 60.0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: "Server"

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(self.server.status)
        content = bytes(10 * MIB if self.path == LARGE_FILE else 1024)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        try:
            self.wfile.write(content)
            self.server.note_written(self.path)
        except ConnectionError:
            pass

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[str] = []
        self._written: list[str] = []  # answers that the sockets have taken in whole
        self._grown = threading.Condition()
        self.status = 200
        self.connections: list[socket.socket] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        assert isinstance(request, socket.socket)
        request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)  # a reader comes to the end of it soon
        self.connections.append(request)
        super().process_request(request, client_address)

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # clients reset their connections when they leave

    def note_written(self, path: str) -> None:
        with self._grown:
            self._written.append(path)
            self._grown.notify_all()

    def has_written(self, path: str) -> bool:
        with self._grown:
            return path in self._written

    def written(self, count: int) -> list[str]:
        """Waits for so many answers. A client may have read an answer before this server's thread has noted it."""
        with self._grown:
            self._grown.wait_for(lambda: len(self._written) >= count, DEADLINE_SECONDS)
            return list(self._written)

    def close_some(self, count: int) -> None:
        for connection in self.connections[:count]:
            connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.shutdown()
    running.server_close()


def background(server: Server, **members: int) -> BackgroundConnections:
    return BackgroundConnections(dataclasses.replace(PLAIN, **members), server.server_address[1])  # type: ignore[arg-type]


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.005)


def test_a_scenario_without_background_connections_opens_none(server: Server) -> None:
    with background(server) as none:
        assert (none.open(), none.lost()) == (0, 0)
    assert not server.connections


def test_idle_connections_have_had_one_answer_each(server: Server) -> None:
    with background(server, idle_connections=700) as idle:
        assert (idle.open(), idle.lost()) == (700, 0)
        assert server.written(700) == [PLAIN.path] * 700
        assert len(server.connections) == 700


def test_idle_connections_that_the_server_closes_are_lost(server: Server) -> None:
    with background(server, idle_connections=20) as idle:
        server.close_some(7)
        wait_until(lambda: idle.lost() == 7)
        assert idle.open() == 13


def test_slow_readers_never_read_the_whole_file(server: Server) -> None:
    with background(server, slow_readers=3) as readers, background(server, idle_connections=1):
        assert readers.open() == 3
        assert server.asked.count(LARGE_FILE) == 3
        assert not server.has_written(LARGE_FILE)  # the server waits for them, and answers others meanwhile
        assert readers.lost() == 0


def test_slow_readers_go_on_reading(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[SlowReader] = []

    class Recorded(SlowReader):
        def begin(self) -> None:
            super().begin()
            opened.append(self)

    monkeypatch.setattr(connections, "SlowReader", Recorded)
    monkeypatch.setattr(connections, "INTERVAL_SECONDS", 0.001)
    with background(server, slow_readers=2):
        assert len(opened) == 2
        wait_until(lambda: all((one.responses.body_bytes_left or 0) < 10 * MIB - 30_000 for one in opened))


def test_slow_readers_that_the_server_closes_are_lost(server: Server) -> None:
    with background(server, slow_readers=2) as readers:
        server.close_some(1)
        wait_until(lambda: readers.lost() == 1)


def test_a_slow_sender_sends_one_byte_at_a_time() -> None:
    ours, served = socket.socketpair()
    with ours, served:
        sender = SlowSender(ours, PLAIN.path)
        sender.begin()
        for byte in sender.request:
            sender.act()
            assert served.recv(4096) == bytes([byte])


def test_slow_senders_are_answered_in_the_end(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "INTERVAL_SECONDS", 0.001)
    with background(server, slow_senders=5) as senders:
        assert server.written(5) == [PLAIN.path] * 5
        assert (senders.open(), senders.lost()) == (5, 0)


def test_slow_senders_that_the_server_closes_are_lost(server: Server) -> None:
    with background(server, slow_senders=2) as senders:
        wait_until(lambda: len(server.connections) == 2)
        server.close_some(2)
        wait_until(lambda: senders.lost() == 2)


def test_leaves_no_connection_and_keeps_no_port(server: Server) -> None:
    with background(server, idle_connections=50):
        pass
    ours = f":{server.server_address[1]:04X}"
    table = Path("/proc/net/tcp")
    wait_until(
        lambda: not any(line.split()[2].endswith(ours) for line in table.read_text(encoding="ascii").splitlines()[1:])
    )


def test_says_when_the_server_answers_something_else(server: Server) -> None:
    server.status = 503
    with (
        pytest.raises(
            CannotOpen,
            match=r"the server took 0 background connections, but not the next: the server answered HTTP/1\.1 503",
        ),
        background(server, idle_connections=3),
    ):
        pass


def test_says_when_no_server_is_there() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        unanswered = BackgroundConnections(Scenario("s", "", slow_senders=1), closed.getsockname()[1])
        with pytest.raises(CannotOpen, match="refused"), unanswered:
            pass
