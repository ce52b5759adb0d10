"""A reload with a file of settings and with an admin: everything may change, and the probes go on."""

import socket
import unittest
from http.client import HTTPConnection

from served import PATIENCE_SECONDS, fetch
from supervised import Supervised


class ReloadConfig(Supervised):
    def setUp(self):
        super().setUp()
        self.sites = {}
        for name in ("one", "two"):
            self.sites[name] = self.folder / name
            self.sites[name].mkdir()
            (self.sites[name] / "index.html").write_text(name, encoding="ascii")
        self.file = self.folder / "weir.toml"

    def write(self, text):
        self.file.write_text(text, encoding="utf-8")

    def serve_config(self, text):
        self.write(text)
        return self.start("serve", "--config", self.file, "--port", "0", "--control", self.control).wait_for_banner()

    def test_sites_headers_and_engine_change(self):
        server = self.serve_config(f'root = "{self.sites["one"]}"\nengine = "per-core"\n')
        self.assertEqual(self.fetch(server, "/")[1], b"one")
        self.write(f'engine = "epoll-edge"\n[[site]]\nname = "two.test"\nroot = "{self.sites["two"]}"\nheader = ["/**: X-New: yes"]\n'
                   f'[[site]]\ndefault = true\nroot = "{self.sites["one"]}"\n')
        self.reload()
        self.wait_for_one_generation()
        response, body = self.fetch(server, "/", Host="two.test")
        self.assertEqual((response.headers["X-New"], body), ("yes", b"two"))
        self.assertEqual(self.fetch(server, "/", Host="else.test")[1], b"one")

    def test_an_error_is_named_and_changes_nothing(self):
        server = self.serve_config(f'root = "{self.sites["one"]}"\n')
        before = self.serving()
        self.write(f'root = "{self.sites["two"]}"\nlistning = true\n')
        status, _, errors = self.tell("reload")
        self.assertEqual(status, 1)
        self.assertIn(f"{self.file}:2:1: ", errors)
        self.assertIn("goes on", errors)
        self.assertEqual(self.serving(), before)
        self.assertEqual(self.fetch(server, "/")[1], b"one")

    def serve_admin(self, address):
        server = self.start("serve", self.sites["one"], "--port", "0", "--control", self.control, "--admin", address)
        server.wait_for_line("Ctrl-C")
        return server

    def test_the_admin_goes_over_to_the_next_generation(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        server = self.serve_admin(f"127.0.0.1:{port}")
        kept = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        self.addCleanup(kept.close)
        kept.request("GET", "/readyz")
        self.assertEqual(kept.getresponse().status, 200)
        self.reload()
        self.wait_for_one_generation()
        self.assertEqual(fetch(port, "/readyz")[0].status, 200)
        self.end(server)

    def test_so_does_the_admins_file(self):
        path = self.folder / "admin"
        server = self.serve_admin(f"unix:{path}")
        self.reload()
        self.wait_for_one_generation()
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(PATIENCE_SECONDS)
            client.connect(str(path))
            client.sendall(b"GET /readyz HTTP/1.0\r\n\r\n")
            self.assertTrue(client.recv(1000).startswith(b"HTTP/1.1 200 "))
        self.end(server)
        self.assertFalse(path.exists())


if __name__ == "__main__":
    unittest.main()
