"""HTTP/2 by TLS with every engine: clients that ask for it in the handshake (ALPN) get it, and others get HTTP/1.1."""

import signal
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import PATIENCE_SECONDS, EndToEnd, for_each_engine

BIG = bytes(range(256)) * 60_000  # more than sockets and a pipe hold
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


def run(*command, cwd=None):
    return subprocess.run(command, cwd=cwd, capture_output=True, timeout=PATIENCE_SECONDS, check=False)


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

    def test_a_connection_carries_many_files_at_a_time(self):
        server = self.serve_tls()
        names = ["small.txt", "small.txt", "small.txt", "big.bin"] * 4
        wanted = "".join(f'url = "https://localhost:{server.port}/{name}"\noutput = "{index}"\n'
                         for index, name in enumerate(names))
        with TemporaryDirectory() as place:
            Path(place, "wanted").write_text(wanted, encoding="utf-8")
            done = run("curl", "--silent", "--show-error", "--fail", "--cacert", authority.certificate, "--http2", "--config", "wanted",
                       "--parallel", "--parallel-max", "50", "--write-out", "%{http_version} %{num_connects} ", cwd=place)
            self.assertEqual(done.returncode, 0, done.stderr)
            told = done.stdout.decode().split()
            self.assertEqual((set(told[::2]), sum(map(int, told[1::2]))), ({"2"}, 1))
            for index, name in enumerate(names):
                self.assertEqual(Path(place, str(index)).read_bytes(), (site / name).read_bytes())

    def test_http1_alone(self):
        server = self.serve_tls("--no-h2")
        self.assertEqual(self.curl(server, "/small.txt", "--http2"), (b"hello", "1.1 200"))

    def test_a_stop_finishes_what_is_under_way(self):
        server = self.serve_tls("--stop-timeout", "10m")
        client = subprocess.Popen(
            ["curl", "--silent", "--cacert", authority.certificate, "--http2", "--write-out", CURL_TELLS,
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
