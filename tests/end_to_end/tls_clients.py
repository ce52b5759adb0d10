"""Clients over TLS, with HTTP/1.1 and HTTP/2, that notice each request that is lost."""

import contextlib
import http.client
import socket
import ssl
import sys
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "support"))

import http2  # noqa: E402
from served import PATIENCE_SECONDS, Clients, KeptConnection, in_time  # noqa: E402

CLIENTS = 4  # of each version of HTTP
REQUESTS_PER_CONNECTION = 50
STREAMS = 10
CONTENT = b"weir\n" * 200


def open_connection(port, context, session=None, shakes_hands=True):
    plain = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
    return context.wrap_socket(plain, server_hostname="localhost", session=session, do_handshake_on_connect=shakes_hands)


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
    that GOAWAY names; the server has done nothing of those above (RFC 9113 6.8). A client that stands still before its first request may
    hear nothing of the end."""
    asked, before = 0, time.monotonic()
    with open_connection(port, context, shakes_hands=False) as channel:
        connection = http2.Connection()
        if not in_time(before, channel.do_handshake, lambda: True):
            return 0
        while asked < count and connection.goaway is None:
            streams = [connection.request("/") for _ in range(min(STREAMS, count - asked))]
            if asked:
                receive_all(connection, streams, channel)
            elif not in_time(before, lambda: send(connection, channel), lambda now=streams: receive_all(connection, now, channel)):
                return 0
            taken = [stream for stream in streams if stream <= connection.last_stream]
            for stream in taken:
                answer = connection.answers.pop(stream)
                if (answer.status, answer.body) != (200, CONTENT):
                    raise AssertionError(f"a wrong answer: {answer.status}, reset {answer.reset}")
            asked += len(taken)
    return asked


def send(connection, channel):
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # what came before can be read
        channel.sendall(connection.take())


def receive_all(connection, streams, channel):
    """True once each answer of these streams is over."""
    while not all(connection.answers[stream].is_over for stream in streams if stream <= connection.last_stream):
        send(connection, channel)
        if not (data := channel.recv(1 << 16)):
            raise ConnectionError("a connection was closed before its last answer")
        connection.receive(data)
    return True


class TlsLoad(Clients):
    """Clients that ask until all requests are answered, or one is lost."""

    def __init__(self, port, authority, requests):
        self.port, self.lost, self.answered = port, [], 0
        self.lock = threading.Lock()
        each = requests // (2 * CLIENTS)
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
