"""HTTP/2 by TLS with every engine: clients that ask for it in the handshake (ALPN) get it, and others get HTTP/1.1."""

import hashlib
import re
import signal
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import PATIENCE_SECONDS, EndToEnd, for_each_engine

BIG = bytes(range(256)) * 20_000
CURL_TELLS = "\n%{http_version} %{http_code}"


def setUpModule():
    global folder, authority, site
    folder = TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    authority = Authority(folder.name)
    site = Path(folder.name, "site")
    site.mkdir()
    (site / "small.txt").write_text("hello", encoding="ascii")
    (site / "big.bin").write_bytes(BIG)


def run(*command):
    return subprocess.run(command, capture_output=True, timeout=PATIENCE_SECONDS, check=False)


@for_each_engine
class Alpn(EndToEnd):
    def serve_tls(self, *options):
        chain, key = authority.issue(f"alpn-{self.engine}", "localhost")
        return self.serve(site, "--tls-cert", chain, "--tls-key", key, *options)

    def curl(self, server, path, *options):
        """(content, "version status")"""
        done = run("curl", "--silent", "--cacert", authority.certificate, "--write-out", CURL_TELLS, *options,
                   f"https://localhost:{server.port}{path}")
        self.assertEqual(done.returncode, 0, done.stderr)
        content, _, told = done.stdout.rpartition(b"\n")
        return content, told.decode()

    def test_the_client_chooses(self):
        server = self.serve_tls()
        self.assertEqual(self.curl(server, "/small.txt", "--http2"), (b"hello", "2 200"))
        self.assertEqual(self.curl(server, "/small.txt", "--http1.1"), (b"hello", "1.1 200"))
        self.assertEqual(self.curl(server, "/small.txt", "--no-alpn"), (b"hello", "1.1 200"))
        self.assertEqual(self.curl(server, "/small.txt", "--http2", "--tls-max", "1.2"), (b"hello", "2 200"))

    def test_a_large_file_is_whole(self):
        content, told = self.curl(self.serve_tls(), "/big.bin", "--http2")
        self.assertEqual(told, "2 200")
        self.assertEqual(hashlib.sha256(content).digest(), hashlib.sha256(BIG).digest())

    def test_http1_alone(self):
        server = self.serve_tls("--no-h2")
        self.assertEqual(self.curl(server, "/small.txt", "--http2"), (b"hello", "1.1 200"))

    def test_many_at_a_time(self):
        """h2load sends 32 requests at a time on each of its connections, and compares nothing but their end."""
        server = self.serve_tls()
        done = run("h2load", "-n", "2000", "-c", "4", "-m", "32", f"https://localhost:{server.port}/small.txt")
        self.assertRegex(done.stdout.decode(), re.compile(r"2000 succeeded, 0 failed, 0 errored, 0 timeout"))

    def test_a_stop_finishes_what_is_under_way(self):
        server = self.serve_tls()
        client = subprocess.Popen(
            ["curl", "--silent", "--cacert", authority.certificate, "--http2", "--limit-rate", "4M", "--write-out", CURL_TELLS,
             f"https://localhost:{server.port}/big.bin"], stdout=subprocess.PIPE)
        self.addCleanup(client.stdout.close)
        first = client.stdout.read(1000)
        server.signal(signal.SIGTERM)
        rest = client.stdout.read()
        self.assertEqual(client.wait(PATIENCE_SECONDS), 0)
        self.assertEqual((first + rest).rpartition(b"\n"), (BIG, b"\n", b"2 200"))
        self.assertEqual(server.wait(), 0)


if __name__ == "__main__":
    unittest.main()
