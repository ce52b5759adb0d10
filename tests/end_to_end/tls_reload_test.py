"""Certificates are replaced again and again while clients ask: no request is lost, over HTTP/1.1 and HTTP/2.

usage: tls_reload_test.py [REQUESTS]: so many requests for each engine, 2,000 if nothing else is said"""

import signal
import ssl
import sys
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import ENGINES, EndToEnd
from tls_clients import CONTENT, TlsLoad, open_connection

REQUESTS = int(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].isdigit() else 2000
RELOADED = ("per-core", "prefork", "fork-per-connection", "thread-pool", "io-uring")


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
                server = self.serve(self.site, "--tls-cert", chain, "--tls-key", key, "--stop-timeout", "10m")
                reloads = 0
                with TlsLoad(server.port, self.authority, REQUESTS) as load:
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
