"""The company is there, keeps going, and is missed when the server sends it away."""

import dataclasses
import http.server
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from weir_lab.company import Company
from weir_lab.company_members import LARGE_FILE, NoCompany
from weir_lab.scenario import MIB, SCENARIOS, Scenario

PLAIN = SCENARIOS["keep-alive"]
DEADLINE_SECONDS = 20.0


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
            self.server.written.append(self.path)
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
        self.written: list[str] = []  # answers that the sockets have taken in whole
        self.status = 200
        self.connections: list[socket.socket] = []
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        assert isinstance(request, socket.socket)
        request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16_384)  # a reader comes to the end of it soon
        self.connections.append(request)
        super().process_request(request, client_address)

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # those who leave, leave without a word

    def send_away(self, count: int) -> None:
        for connection in self.connections[:count]:
            connection.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.shutdown()
    running.server_close()


def company(server: Server, **members: int) -> Company:
    return Company(dataclasses.replace(PLAIN, **members), server.server_address[1])  # type: ignore[arg-type]


def wait_until(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + DEADLINE_SECONDS
    while not is_so():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.005)


def test_nobody_is_no_company(server: Server) -> None:
    with company(server) as nobody:
        assert (nobody.open(), nobody.lost()) == (0, 0)
    assert not server.connections


def test_silent_ones_have_had_one_answer_each(server: Server) -> None:
    with company(server, idle_connections=700) as silent:
        assert (silent.open(), silent.lost()) == (700, 0)
        assert server.written == [PLAIN.path] * 700
        assert len(server.connections) == 700


def test_those_whom_the_server_sends_away_are_counted(server: Server) -> None:
    with company(server, idle_connections=20) as silent:
        server.send_away(7)
        wait_until(lambda: silent.lost() == 7)
        assert silent.open() == 13


def test_slow_readers_are_never_given_all(server: Server) -> None:
    with company(server, slow_readers=3) as readers, company(server, idle_connections=1):
        assert readers.open() == 3
        assert server.asked.count(LARGE_FILE) == 3
        assert LARGE_FILE not in server.written  # the server waits for them, and answers others meanwhile
        assert readers.lost() == 0


def test_slow_readers_take_some_at_each_turn(server: Server) -> None:
    with company(server, slow_readers=2) as readers:
        taken = [one.answers for _, _, one in readers._turns]
        before = [one.body_bytes_left for one in taken]
        wait_until(
            lambda: all(
                (one.body_bytes_left or 0) < (was or 0) - 20_000 for one, was in zip(taken, before, strict=True)
            )
        )


def test_slow_readers_that_are_sent_away_are_counted(server: Server) -> None:
    with company(server, slow_readers=2) as readers:
        server.send_away(1)
        wait_until(lambda: readers.lost() == 1)


def test_slow_senders_are_answered_in_the_end(server: Server) -> None:
    with company(server, slow_senders=5) as senders:
        assert not server.written  # ten bytes a second
        wait_until(lambda: len(server.written) == 5)
        assert (senders.open(), senders.lost()) == (5, 0)


def test_slow_senders_that_are_sent_away_are_counted(server: Server) -> None:
    with company(server, slow_senders=2) as senders:
        wait_until(lambda: len(server.connections) == 2)
        server.send_away(2)
        wait_until(lambda: senders.lost() == 2)


def test_leaves_no_connection_and_keeps_no_port(server: Server) -> None:
    with company(server, idle_connections=50):
        pass
    ours = f":{server.server_address[1]:04X}"
    table = Path("/proc/net/tcp")
    wait_until(
        lambda: not any(line.split()[2].endswith(ours) for line in table.read_text(encoding="ascii").splitlines()[1:])
    )


def test_says_when_the_server_answers_something_else(server: Server) -> None:
    server.status = 503
    with pytest.raises(
        NoCompany,
        match="0 connections beside the normal traffic were taken, and the next was not: the server answered HTTP/1.1 503",
    ):
        with company(server, idle_connections=3):
            pass


def test_says_when_nobody_is_there() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        lonely = Company(Scenario("s", "", slow_senders=1), closed.getsockname()[1])
        with pytest.raises(NoCompany, match="refused"), lonely:
            pass
