"""HTTPS with every engine: real clients, certificates that are replaced, and plain HTTP where HTTPS is spoken."""

import hashlib
import signal
import socket
import ssl
import subprocess
import unittest
from http.client import HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import PATIENCE_SECONDS, EndToEnd, fetch, for_each_engine, wait_until

BIG = bytes(range(256)) * 40_000  # many batches of records
VERSIONS = {"1.2": ssl.TLSVersion.TLSv1_2, "1.3": ssl.TLSVersion.TLSv1_3}


def setUpModule():
    global folder, authority, site
    folder = TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    authority = Authority(folder.name)
    site = Path(folder.name, "site")
    site.mkdir()
    (site / "index.html").write_text("hello", encoding="ascii")
    (site / "big.bin").write_bytes(BIG)


def shown_by(port):
    """The certificate that a new client gets."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS) as plain:
        with authority.client().wrap_socket(plain, server_hostname="localhost") as connection:
            return connection.getpeercert(binary_form=True)


@for_each_engine
class Tls(EndToEnd):
    def serve_tls(self, name, *options):
        self.chain, self.key = authority.issue(f"{name}-{self.engine}", "localhost")
        return self.serve(site, "--tls-cert", self.chain, "--tls-key", self.key, *options)

    def connect_tls(self, server, version="1.3"):
        connection = HTTPSConnection("localhost", server.port, timeout=PATIENCE_SECONDS,
                                     context=authority.client(version=VERSIONS[version]))
        self.addCleanup(connection.close)
        return connection

    def ask(self, connection, path="/"):
        connection.request("GET", path)
        return connection.getresponse().read()

    def test_requests_of_both_versions(self):
        server = self.serve_tls("requests")
        for version in VERSIONS:
            connection = self.connect_tls(server, version)
            for _ in range(3):
                self.assertEqual(self.ask(connection), b"hello")
            self.assertEqual(connection.sock.version(), f"TLSv{version}")
            self.assertEqual(hashlib.sha256(self.ask(connection, "/big.bin")).digest(), hashlib.sha256(BIG).digest())
            connection.close()

    def test_curl(self):
        server = self.serve_tls("curl")
        for version in VERSIONS:
            for wanted, spoken in (("--http1.1", "1.1"), ("--http2", "2")):
                done = subprocess.run(["curl", "-sS", "--cacert", authority.certificate, "--tls-max", version, wanted, "-w",
                                       "%{http_version}", f"https://localhost:{server.port}/"],
                                      capture_output=True, text=True, check=True)
                self.assertEqual(done.stdout, f"hello{spoken}")

    def test_http_is_answered_in_http(self):
        server = self.serve_tls("plain")
        response, body = fetch(server.port, "/")
        self.assertEqual(response.status, 400)
        self.assertIn(b"https://", body)

    def test_certificates_are_replaced_while_it_serves(self):
        server = self.serve_tls("replaced")
        first = shown_by(server.port)
        authority.issue(f"replaced-{self.engine}", "localhost")
        server.signal(signal.SIGHUP)
        server.wait_for_line("certificates were read again: localhost")
        if self.engine == "prefork":  # until the old workers have gone, each may answer
            wait_until(lambda: all(shown_by(server.port) != first for _ in range(8)))
        self.assertNotEqual(shown_by(server.port), first)

    def test_a_wrong_one_replaces_nothing(self):
        server = self.serve_tls("wrong")
        first = shown_by(server.port)
        Path(self.key).write_text("no key", encoding="ascii")
        server.signal(signal.SIGHUP)
        server.wait_for_line(f"warning: the certificates stay as they were: {self.key}")
        self.assertEqual(shown_by(server.port), first)

    def test_a_stop_finishes_what_is_under_way(self):
        server = self.serve_tls("stop")
        connection = self.connect_tls(server)
        connection.request("GET", "/big.bin")
        response = connection.getresponse()
        server.signal(signal.SIGTERM)
        self.assertEqual(len(response.read()), len(BIG))
        connection.close()
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    unittest.main()
