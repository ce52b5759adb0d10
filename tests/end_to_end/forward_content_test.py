"""The content of requests to servers of --proxy has a limit: --proxy-content-max."""

import socket
import unittest

from served import PATIENCE_SECONDS, InAFolder, for_each_engine, run

import http2  # served.py adds its folder

MOST = 1024
LONGER = MOST + 1
HEAD = b"POST /%s HTTP/1.1\r\nHost: a\r\n%s\r\n\r\n"


class WithAServer(InAFolder):
    """The server behind weir is the test itself."""

    def setUp(self):
        super().setUp()
        self.behind = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(self.behind.close)
        self.behind.settimeout(PATIENCE_SECONDS)

    def serving(self, *options):
        return self.serve(self.top, "--proxy", f"/: http://127.0.0.1:{self.behind.getsockname()[1]}", "--proxy-content-max", "1K", *options)

    def client_of(self, server):
        client = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
        self.addCleanup(client.close)
        return client

    def accepted(self):
        peer, _ = self.behind.accept()
        self.addCleanup(peer.close)
        peer.settimeout(PATIENCE_SECONDS)
        return peer


def until(peer, end):
    data = b""
    while not data.endswith(end) and (more := peer.recv(1 << 16)):
        data += more
    return data


def drained(peer):
    """True once the connection has ended, whichever way."""
    try:
        while peer.recv(1 << 16):
            pass
    except ConnectionError:
        pass
    return True


@for_each_engine
class UnderAnyEngine(WithAServer):
    def test_content_that_is_announced_as_too_long_is_refused_at_once(self):
        """The first connection to the server is that of the request after it."""
        server = self.serving()
        with self.client_of(server) as client:
            client.sendall(HEAD % (b"large", b"Content-Length: %d" % LONGER))
            self.assertIn(b" 413 ", client.recv(1 << 16)[:13])
        with self.client_of(server) as client:
            client.sendall(HEAD % (b"small", b"Content-Length: %d" % MOST) + b"a" * MOST)
            peer = self.accepted()
            asked = until(peer, b"a" * MOST)
            self.assertTrue(asked.startswith(b"POST /small "), asked[:80])
            peer.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            self.assertIn(b" 204 ", client.recv(1 << 16)[:13])

    def test_content_that_grows_beyond_it_ends_the_exchange(self):
        server = self.serving()
        client = self.client_of(server)
        client.sendall(HEAD % (b"large", b"Transfer-Encoding: chunked") + b"400\r\n" + b"a" * MOST + b"\r\n")
        peer = self.accepted()
        self.assertTrue(until(peer, b"a" * MOST + b"\r\n").startswith(b"POST /large "))
        client.sendall(b"1\r\na\r\n")
        self.assertIn(b" 413 ", client.recv(1 << 16)[:13])
        self.assertTrue(drained(peer))


class Limits(WithAServer):
    def test_holds_for_streams_of_http_2(self):
        server = self.serving("--h2c")
        peer = http2.Connection()
        announced = peer.request("/", "POST", ("content-length", str(LONGER)), content=b"a" * LONGER)
        grown = peer.request("/", "POST", content=b"a" * LONGER)
        with self.client_of(server) as client:
            client.sendall(peer.take())
            for stream in (announced, grown):
                while not peer.answers[stream].status:
                    peer.receive(client.recv(1 << 16))
                self.assertEqual(peer.answers[stream].status, 413)

    def test_there_is_none_by_default(self):
        server = self.serving("--proxy-content-max", "0")
        with self.client_of(server) as client:
            client.sendall(HEAD % (b"", b"Content-Length: %d" % LONGER) + b"a" * LONGER)
            self.assertTrue(until(self.accepted(), b"a" * LONGER).endswith(b"a" * LONGER))

    def test_stands_in_a_file(self):
        config = self.top / "weir.toml"
        config.write_text('proxy = "/: http://127.0.0.1:1"\nproxy-content-max = "1K"\n', encoding="ascii")
        status, out, err = run("serve", "--config", str(config), "--print-config")
        self.assertEqual(status, 0, err)
        self.assertIn("proxy-content-max", out)
        self.assertEqual(run("check-config", str(config))[0], 0)


if __name__ == "__main__":
    unittest.main()
