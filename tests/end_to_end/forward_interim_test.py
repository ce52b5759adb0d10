"""Interim responses of servers of --proxy pass to the client (RFC 9110 15.2)."""

import socket
import unittest

from served import PATIENCE_SECONDS, InAFolder, for_each_engine

import http2  # served.py adds its folder

INTERIM = (b"HTTP/1.1 102 Processing\r\nX-A: 1\r\n\r\n", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", b"HTTP/1.1 199 Unknown\r\n\r\n")
FINAL = b"HTTP/1.1 204 No Content\r\n\r\n"


class Http2(http2.Connection):
    def __init__(self):
        super().__init__()
        self.statuses = []

    def _take_section(self, answer):
        self.statuses.append(int(dict(http2.Section(self._section).fields())[":status"]))
        super()._take_section(answer)


class WithAServer(InAFolder):
    """The server behind weir is the test itself."""

    def setUp(self):
        super().setUp()
        behind = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(behind.close)
        behind.settimeout(PATIENCE_SECONDS)
        self.behind = behind

    def asked(self, request, *options):
        """A client that has sent the request, and the server that has it."""
        server = self.serve(self.top, "--proxy", f"/: http://127.0.0.1:{self.behind.getsockname()[1]}", *options)
        client = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
        self.addCleanup(client.close)
        client.sendall(request)
        peer, _ = self.behind.accept()
        self.addCleanup(peer.close)
        peer.settimeout(PATIENCE_SECONDS)
        while not peer.recv(1 << 16).endswith(b"\r\n\r\n"):
            pass
        return client, peer


def heads(client, count):
    data = b""
    while data.count(b"\r\n\r\n") < count and (more := client.recv(1 << 16)):
        data += more
    return data


@for_each_engine
class UnderAnyEngine(WithAServer):
    def test_each_passes(self):
        client, peer = self.asked(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        peer.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")  # weir has asked for none on behalf of the client
        for interim in INTERIM:
            peer.sendall(interim)
            self.assertEqual(heads(client, 1), interim)
        peer.sendall(FINAL)
        self.assertTrue(heads(client, 1).startswith(b"HTTP/1.1 204 "))


class Protocols(WithAServer):
    def test_none_passes_to_a_client_of_http_1_0(self):
        client, peer = self.asked(b"GET / HTTP/1.0\r\nHost: a\r\n\r\n")
        for interim in INTERIM:
            peer.sendall(interim)
        peer.sendall(FINAL)
        self.assertTrue(heads(client, 1).startswith(b"HTTP/1.1 204 "))

    def test_each_passes_to_a_stream_of_http_2(self):
        stream = Http2()
        stream.request("/")
        client, peer = self.asked(stream.take(), "--h2c")
        for interim in (*INTERIM, FINAL):
            peer.sendall(interim)
            seen = len(stream.statuses)
            while len(stream.statuses) == seen:
                stream.receive(client.recv(1 << 16))
        self.assertEqual(stream.statuses, [102, 103, 199, 204])


if __name__ == "__main__":
    unittest.main()
