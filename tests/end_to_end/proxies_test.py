"""Behind proxies: whose address the log, the rules and the limits see, by the PROXY protocol and by fields."""

import json
import signal
import socket
import ssl
import struct
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import PATIENCE_SECONDS, SITE, EndToEnd, for_each_engine, run

SIGNATURE = b"\r\n\r\n\0\r\nQUIT\n"
CLIENT = "198.51.100.9"
LINE = f"PROXY TCP4 {CLIENT} 203.0.113.1 5000 443\r\n".encode()


def binary_header(client=CLIENT, extension=b""):
    addresses = socket.inet_aton(client) + socket.inet_aton("203.0.113.1") + struct.pack("!HH", 5000, 443) + extension
    return SIGNATURE + b"\x21\x11" + struct.pack("!H", len(addresses)) + addresses


def setUpModule():
    global folder, authority
    folder = TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    authority = Authority(folder.name)


class Proxied(EndToEnd):
    """Each test has a log of its own."""

    def setUp(self):
        super().setUp()
        place = TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.log = Path(place.name, "access.log")

    def serve_logged(self, *options):
        return self.serve(SITE, "--access-log", self.log, "--access-log-format", "json", *options)

    def exchange(self, server, data, wrap=None):
        """What the server sends until it closes."""
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as peer:
            try:
                peer.sendall(data)
                with wrap(peer) if wrap else peer as speaking:
                    return b"".join(iter(lambda: speaking.recv(65536), b""))
            except ConnectionResetError:
                return b""

    @staticmethod
    def get(*fields, path="/"):
        lines = [f"GET {path} HTTP/1.1", "Host: weir.test", "Connection: close", *fields]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def status(self, server, data):
        answer = self.exchange(server, data)
        return int(answer.split(b" ", 2)[1]) if answer else None

    def logged(self, server):
        """The addresses in the log, which is whole once the server has ended. Workers may swap lines."""
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        return [json.loads(line)["remote"] for line in self.log.read_text(encoding="ascii").splitlines()]


@for_each_engine
class UnderEachEngine(Proxied):
    def test_the_header_names_the_client(self):
        server = self.serve_logged("--proxy-protocol", "127.0.0.0/8")
        for header in (LINE, binary_header(), binary_header(extension=b"\x04\x00\x03abc")):
            self.assertEqual(self.status(server, header + self.get()), 200)
        self.assertEqual(self.status(server, b"PROXY UNKNOWN\r\n" + self.get()), 200)
        self.assertCountEqual(self.logged(server), [CLIENT] * 3 + ["127.0.0.1"])

    def test_without_a_header_the_connection_is_cut(self):
        server = self.serve_logged("--proxy-protocol", "127.0.0.1")
        self.assertIsNone(self.status(server, self.get()))
        server.wait_for_line("PROXY header")
        self.assertEqual(self.status(server, LINE + self.get()), 200)

    def test_a_field_names_the_client(self):
        server = self.serve_logged("--trust", "127.0.0.1")
        self.assertEqual(self.status(server, self.get(f"X-Forwarded-For: 10.0.0.1, {CLIENT}")), 200)
        self.assertEqual(self.status(server, self.get()), 200)
        self.assertCountEqual(self.logged(server), [CLIENT, "127.0.0.1"])


class Trust(Proxied):
    def test_the_rules_see_the_client(self):
        server = self.serve(SITE, "--trust", "127.0.0.1", "--trust", "10.0.0.0/8", "--deny", CLIENT)
        for value, status in ((CLIENT, 403), (f"{CLIENT}, 10.1.2.3", 403), (f"{CLIENT}:1234", 403), (f"[::ffff:{CLIENT}]:80", 403),
                              (f"{CLIENT}, 192.0.2.1", 200), ("unknown", 200), ("10.0.0.1", 200), ("", 200)):
            with self.subTest(value):
                self.assertEqual(self.status(server, self.get(f"X-Forwarded-For: {value}")), status)

    def test_what_cannot_be_read_is_refused(self):
        """Otherwise a client could pass for the proxy."""
        server = self.serve(SITE, "--trust", "127.0.0.1", "--allow", "127.0.0.1")
        for value in ("nonsense", "1.2.3", "192.0.2.1:port", "[192.0.2.1]", "[::1", f"{CLIENT} x"):
            with self.subTest(value):
                self.assertEqual(self.status(server, self.get(f"X-Forwarded-For: {value}")), 400)
        self.assertEqual(self.status(server, self.get("X-Forwarded-For: unknown")), 403)
        self.assertEqual(self.status(server, self.get()), 200)

    def test_one_field_is_believed(self):
        fields = f"Forwarded: for={CLIENT};proto=https, for=\"[::1]:80\"", "X-Forwarded-For: 192.0.2.1"
        server = self.serve_logged("--trust", "127.0.0.1", "--trust", "::1", "--trust-field", "forwarded")
        self.assertEqual(self.status(server, self.get(*fields)), 200)
        self.assertEqual(self.status(server, self.get("Forwarded: for=\"x, for=192.0.2.2")), 400)
        self.assertEqual(self.logged(server)[0], CLIENT)

    def test_nobody_else_is_believed(self):
        server = self.serve_logged("--trust", "10.0.0.0/8")
        self.assertEqual(self.status(server, self.get(f"X-Forwarded-For: {CLIENT}")), 200)
        self.assertEqual(self.logged(server), ["127.0.0.1"])

    def test_lines_are_one_list(self):
        server = self.serve_logged("--trust", "127.0.0.1")
        self.assertEqual(self.status(server, self.get("X-Forwarded-For: 192.0.2.1", f"x-forwarded-for: {CLIENT}")), 200)
        self.assertEqual(self.logged(server), [CLIENT])


class ProxyProtocol(Proxied):
    @unittest.skipUnless("openssl" in run("--version")[1], "built without OpenSSL")
    def test_tls_begins_behind_the_header(self):
        chain, key = authority.issue("proxied", "localhost")
        server = self.serve_logged("--tls-cert", chain, "--tls-key", key, "--proxy-protocol", "127.0.0.1")
        context = ssl.create_default_context(cafile=authority.certificate)

        def wrap(peer):
            secure = context.wrap_socket(peer, server_hostname="localhost", suppress_ragged_eofs=False)
            secure.sendall(self.get())
            return secure

        self.assertTrue(self.exchange(server, binary_header(), wrap).startswith(b"HTTP/1.1 200 "))
        self.assertEqual(self.logged(server), [CLIENT])

    def test_others_need_no_header(self):
        server = self.serve_logged("--proxy-protocol", "10.0.0.0/8")
        self.assertEqual(self.status(server, self.get()), 200)
        self.assertEqual(self.status(server, LINE + self.get()), 400)

    def test_both_ways_add_up(self):
        server = self.serve_logged("--proxy-protocol", "127.0.0.1", "--trust", CLIENT)
        self.assertEqual(self.status(server, LINE + self.get("X-Forwarded-For: 192.0.2.55")), 200)
        self.assertEqual(self.logged(server), ["192.0.2.55"])

    def test_wrong_use_is_told(self):
        for options, words in ((("--trust", "10.0.0.1/8"), "10.0.0.0/8"), (("--proxy-protocol", "proxy.test"), "no network"),
                               (("--trust-field", "via"), "forwarded"), (("--trust-field", "forwarded"), "needs --trust")):
            with self.subTest(options):
                status, _, told = run("serve", SITE, *options)
                self.assertEqual(status, 2)
                self.assertIn(words, told)


if __name__ == "__main__":
    unittest.main()
