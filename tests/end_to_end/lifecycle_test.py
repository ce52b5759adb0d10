"""How a server ends: what is under way is finished, nothing new is begun, and a second signal ends it at once. And how
one that was only stopped goes on."""

import os
import select
import signal
import socket
import tempfile
import time
import unittest
from http.client import HTTPResponse
from pathlib import Path

from served import PATIENCE_SECONDS, EndToEnd, for_each_engine, processes, state_of, wait_until

SIZE = 64 << 20  # far more than both sockets' buffers hold

# The thread that has a listener is at the download; others wait in the backlog, served or reset after it.
WAIT_FOR_ONE_PEER = ("blocking", "epoll-blocking")

# A server knows what it finishes once all its loops have run; it says so without the number where they take a fifth of a second.
TRIES = 20


class Download:
    """A client that has asked for a large file, read the head of the answer, and reads on when told to."""

    def __init__(self, server):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
        self.socket.settimeout(PATIENCE_SECONDS)
        self.socket.connect(("127.0.0.1", server.port))
        self.socket.sendall(b"GET /large.bin HTTP/1.1\r\nHost: weir\r\n\r\n")
        self.response = HTTPResponse(self.socket)
        self.response.begin()

    def finish(self):
        """How many bytes came before the end, or before the connection was cut."""
        count, buffer = 0, bytearray(1 << 16)
        try:
            while got := self.response.readinto(buffer):
                count += got
        except ConnectionResetError:
            pass
        return count

    def close(self):
        self.response.close()
        self.socket.close()


@for_each_engine
class Lifecycle(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(Path(folder.name) / "large.bin", "wb") as file:
            file.truncate(SIZE)
        (Path(folder.name) / "small.txt").write_text("small", encoding="ascii")
        self.folder = folder.name
        self.begin()

    def begin(self):
        # So long a stop that a test notices when it is the timer that ends the server.
        self.server = self.serve(self.folder, "--stop-timeout", "10m")

    def download(self):
        download = Download(self.server)
        self.addCleanup(download.close)
        self.assertEqual(download.response.status, 200)
        return download

    def wait_until_refused(self):
        """Connects until that is refused; the signal takes its moment to arrive."""
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.server.port), PATIENCE_SECONDS).close()
            except ConnectionRefusedError:
                return
            except ConnectionResetError:  # was in the backlog as the listener closed
                continue
        self.fail("connections are still accepted after the signal")

    def until_known(self, stop):
        """`stop` ends the server, and returns whether that knew what it finished."""
        for _ in range(TRIES):
            if stop():
                return
            self.begin()
        self.fail(f"{TRIES} servers did not know what they finished")

    def test_sigterm_finishes_the_download_under_way(self):
        self.until_known(self.stop_a_download)

    def stop_a_download(self):
        download = self.download()
        self.server.signal(signal.SIGTERM)
        line = self.server.wait_for_line("^finishing (1 request|the requests in progress), for 600 s at most; a second signal ends it at once$")
        if self.engine not in WAIT_FOR_ONE_PEER:
            self.wait_until_refused()
        self.assertIsNone(self.server.process.poll())
        self.assertEqual(download.finish(), SIZE)
        self.assertEqual(self.server.wait(), 0)
        self.wait_until_refused()
        return line[1] == "1 request" or self.engine in WAIT_FOR_ONE_PEER

    def test_one_that_was_stopped_goes_on(self):
        download = self.download()
        all_of_it = list(processes(self.server.process.pid))
        for number, states in ((signal.SIGSTOP, "T"), (signal.SIGCONT, "RSD")):
            for pid in all_of_it:
                os.kill(pid, number)
            wait_until(lambda states=states: all(state_of(pid) in states for pid in all_of_it))
        self.assertEqual(download.finish(), SIZE)
        self.assertEqual(self.fetch(self.server, "/small.txt")[1], b"small")

    def test_sigint_ends_an_idle_server(self):
        self.until_known(self.stop_an_idle_server)

    def stop_an_idle_server(self):
        connection = self.connect(self.server)
        connection.request("GET", "/small.txt")
        self.assertEqual(connection.getresponse().read(), b"small")
        self.server.signal(signal.SIGINT)
        self.assertEqual(connection.sock.recv(1), b"")  # a kept connection without a request is closed, not waited for
        self.assertEqual(self.server.wait(), 0)
        lines = [line for line in self.server.lines if "finishing" in line]
        self.assertFalse([line for line in lines if "finishing the requests in progress" not in line])
        return not lines

    def test_the_second_signal_ends_it_at_once(self):
        download = self.download()
        self.server.signal(signal.SIGTERM)
        self.server.signal(signal.SIGINT)  # another, because two of the same may become one before they are delivered
        self.server.wait()
        self.assertLess(download.finish(), SIZE)

    def test_a_client_that_leaves_takes_nobody_along(self):
        self.download().close()
        response, body = self.fetch(self.server, "/small.txt")
        self.assertEqual((response.status, body), (200, b"small"))
        self.server.signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)


REQUEST = b"GET /small.txt HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Crowds(EndToEnd):
    """More connections than a loop hears of at once: 256 from epoll, some twenty from io_uring."""

    CLIENTS = 600

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "small.txt").write_text("small", encoding="ascii")
        self.folder = folder.name

    def client(self, server):
        client = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
        self.addCleanup(client.close)
        return client

    def crowd(self, server):
        clients = [self.client(server) for _ in range(self.CLIENTS)]
        for client in clients:
            client.sendall(REQUEST)
            client.recv(1024)
        return clients

    def begin(self):
        return self.serve(self.folder, "--workers", "1", "--keep-alive-timeout", "1s")

    def let_the_timeout_pass(self):
        """An idle connection of another server, begun now, has its timeout."""
        idle = self.client(self.clock)
        idle.sendall(REQUEST)
        while idle.recv(1024):
            pass

    def still_open(self, clients):
        """A slow machine may have had timeouts before the stop."""
        poll = select.poll()
        for client in clients:
            poll.register(client, select.POLLIN)
        ended = {fd for fd, _ in poll.poll(0)}
        return [client for client in clients if client.fileno() not in ended]

    def is_answered(self, client):
        try:
            return client.recv(1024).startswith(b"HTTP/1.1 200")
        except ConnectionResetError:
            return False

    def test_that_sent_while_the_server_was_stopped_are_answered(self):
        self.clock = self.begin()
        for self.engine in ("per-core", "epoll-level", "coroutines", "prefork", "io-uring"):
            with self.subTest(self.engine):
                self.stop_and_go_on(self.begin())

    def stop_and_go_on(self, server):
        clients = self.crowd(server)
        all_of_it = list(processes(server.process.pid))
        for pid in all_of_it:
            os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: all(state_of(pid) == "T" for pid in all_of_it))
        awaited = self.still_open(clients)
        for client in awaited:
            client.sendall(REQUEST)
        self.let_the_timeout_pass()
        for pid in all_of_it:
            os.kill(pid, signal.SIGCONT)
        self.assertEqual(sum(not self.is_answered(client) for client in awaited), 0)
        for client in clients:
            client.close()
        server.stop()


if __name__ == "__main__":
    unittest.main()
