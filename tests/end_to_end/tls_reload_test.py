"""Certificates are replaced again and again while clients ask: no request is lost, over HTTP/1.1 and HTTP/2.

usage: tls_reload_test.py [REQUESTS]: so many requests for each engine, 2,000 if nothing else is said"""

import contextlib
import http.client
import signal
import socket
import ssl
import sys
import threading
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.append(str(Path(__file__).parents[1] / "support"))

import http2  # noqa: E402
from authority import Authority  # noqa: E402
from served import ENGINES, PATIENCE_SECONDS, Clients, EndToEnd, KeptConnection  # noqa: E402

REQUESTS = int(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].isdigit() else 2000
RELOADED = ("per-core", "prefork", "fork-per-connection", "thread-pool", "io-uring")
CLIENTS = 4  # of each version of HTTP
REQUESTS_PER_CONNECTION = 50
STREAMS = 10
CONTENT = b"weir\n" * 200


def open_connection(port, context):
    plain = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
    return context.wrap_socket(plain, server_hostname="localhost")


def ask_by_http1(port, context, count):
    """How many requests of one connection were answered: `count`, or fewer if the server said that it ends."""
    connection = http.client.HTTPSConnection("localhost", port, timeout=PATIENCE_SECONDS, context=context)
    try:
        kept = KeptConnection(connection)
        for number in range(count):
            if not (answer := kept.ask("/")):
                return number
            if (answer[0].status, answer[1]) != (200, CONTENT):
                raise AssertionError("a wrong answer")
            if answer[0].will_close:
                return number + 1
        return count
    finally:
        connection.close()


def ask_by_http2(port, context, count):
    """The same. Once the server leaves, the client opens no more streams. It gets all that it has asked for, up to the last stream
    that GOAWAY names; the server has done nothing of those above (RFC 9113 6.8)."""
    asked = 0
    with open_connection(port, context) as channel:
        connection = http2.Connection()
        while asked < count and connection.goaway is None:
            streams = [connection.request("/") for _ in range(min(STREAMS, count - asked))]
            receive_all(connection, streams, channel)
            taken = [stream for stream in streams if stream <= connection.last_stream]
            for stream in taken:
                answer = connection.answers.pop(stream)
                if (answer.status, answer.body) != (200, CONTENT):
                    raise AssertionError(f"a wrong answer: {answer.status}, reset {answer.reset}")
            asked += len(taken)
    return asked


def receive_all(connection, streams, channel):
    while not all(connection.answers[stream].is_over for stream in streams if stream <= connection.last_stream):
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # what came before can be read
            channel.sendall(connection.take())
        if not (data := channel.recv(1 << 16)):
            raise AssertionError("a connection was closed before its last answer")
        connection.receive(data)


class Load(Clients):
    """Clients that ask until all requests are answered, or one is lost."""

    def __init__(self, port, authority):
        self.port, self.lost, self.answered = port, [], 0
        self.lock = threading.Lock()
        each = REQUESTS // (2 * CLIENTS)
        contexts = {ask_by_http1: authority.client(), ask_by_http2: authority.client()}
        contexts[ask_by_http2].set_alpn_protocols(["h2"])
        self.threads = [threading.Thread(target=self.run, args=(ask, context, each))
                        for ask, context in contexts.items() for _ in range(CLIENTS)]

    def run(self, ask, context, count):
        try:
            while count and not self.lost:
                answered = ask(self.port, context, min(count, REQUESTS_PER_CONNECTION))
                count -= answered
                with self.lock:
                    self.answered += answered
        except (OSError, ssl.SSLError, http.client.HTTPException, AssertionError) as lost:
            self.lost.append(f"{ask.__name__}: {type(lost).__name__} {lost}")


class TlsReload(EndToEnd):
    def setUp(self):
        folder = TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.site = Path(folder.name) / "site"
        self.site.mkdir()
        (self.site / "index.html").write_bytes(CONTENT)
        self.authority = Authority(folder.name)

    def reload(self, server, number):
        """Whoever connects once the line is there is shown the new certificate."""
        chain, _ = self.authority.issue("site", "localhost", f"reload{number}.test")
        server.signal(signal.SIGHUP)
        server.wait_for_line(f"certificates were read again: localhost, reload{number}.test ")
        self.assertEqual(self.certificate(server), ssl.PEM_cert_to_DER_cert(chain.read_text(encoding="ascii")))

    def test_no_request_is_lost(self):
        for self.engine in [engine for engine in RELOADED if engine in ENGINES]:
            with self.subTest(engine=self.engine):
                chain, key = self.authority.issue("site", "localhost")
                server = self.serve(self.site, "--tls-cert", chain, "--tls-key", key)
                reloads = 0
                with Load(server.port, self.authority) as load:
                    while load.goes_on() or reloads == 0:
                        self.reload(server, reloads)
                        reloads += 1
                print(f"{self.engine}: {load.answered} requests, {reloads} reloads, {len(load.lost)} lost")
                self.assertEqual(load.lost, [])
                server.signal(signal.SIGTERM)
                self.assertEqual(server.wait(), 0)

    def certificate(self, server):
        with open_connection(server.port, self.authority.client()) as connection:
            return connection.getpeercert(binary_form=True)


if __name__ == "__main__":
    unittest.main()
