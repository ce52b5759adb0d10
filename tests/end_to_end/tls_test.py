"""HTTPS with every engine: real clients, certificates that are replaced, and plain HTTP where HTTPS is spoken."""

import hashlib
import os
import signal
import socket
import ssl
import subprocess
import unittest
from http.client import HTTPSConnection
from pathlib import Path
from tempfile import TemporaryDirectory

import prefork_test
from authority import Authority
from served import PATIENCE_SECONDS, EndToEnd, fetch, for_each_engine

BIG = bytes(range(256)) * 40_000  # many batches of records
REPLACEMENTS = 5
NEXT_CLIENTS = 8  # more than there are listeners: the kernel chooses one for each client
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


def certificate_in(chain):
    return ssl.PEM_cert_to_DER_cert(Path(chain).read_text(encoding="ascii"))


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
        """Once a line says so, each client is shown the new one. There may be a line more: the files were watched, too."""
        server = self.serve_tls("replaced")
        for number in range(REPLACEMENTS):
            chain, _ = authority.issue(f"replaced-{self.engine}", "localhost", f"replaced{number}.test")
            server.signal(signal.SIGHUP)
            server.wait_for_line(f"certificates were read again: localhost, replaced{number}.test ")
            for _ in range(NEXT_CLIENTS):
                self.assertEqual(shown_by(server.port), certificate_in(chain))

    def test_a_wrong_one_replaces_nothing(self):
        server = self.serve_tls("wrong")
        first = shown_by(server.port)
        Path(self.key).write_text("no key", encoding="ascii")
        server.signal(signal.SIGHUP)
        server.wait_for_line(f"warning: the certificates stay as they were: {self.key}")
        self.assertEqual(shown_by(server.port), first)

    def test_a_stop_finishes_what_is_under_way(self):
        server = self.serve_tls("stop", "--stop-timeout", "10m")
        connection = self.connect_tls(server)
        connection.request("GET", "/big.bin")
        response = connection.getresponse()
        server.signal(signal.SIGTERM)
        self.assertEqual(len(response.read()), len(BIG))
        connection.close()
        self.assertEqual(server.wait(), 0)


class TlsOfWorkerProcesses(EndToEnd):
    engine = "prefork"
    workers = prefork_test.Prefork.workers

    def test_nothing_is_said_while_a_worker_of_before_may_accept(self):
        """The files are watched. Nothing else has the workers replaced here."""
        chain, key = authority.issue("held", "localhost")
        self.server = self.serve(site, "--tls-cert", chain, "--tls-key", key, "--workers", "2", "--worker-timeout", "0",
                                 "--stop-timeout", "10m")
        held, other = self.workers()
        os.kill(held, signal.SIGSTOP)
        authority.issue("held", "localhost", "held.test")
        prefork_test.until(lambda: other not in self.workers(), "end of the other worker")
        self.assertFalse([line for line in self.server.lines if "read again" in line])
        os.kill(held, signal.SIGCONT)
        self.server.wait_for_line("certificates were read again: localhost, held.test ")
        self.assertEqual(shown_by(self.server.port), certificate_in(chain))


if __name__ == "__main__":
    unittest.main()
