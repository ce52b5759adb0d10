"""`weir serve --allow`, `--deny` and `--rate`: by the client's address, for all paths or for some."""

import socket
import unittest
from http.client import HTTPConnection

from served import PATIENCE_SECONDS, InAFolder, exchange, for_each_engine


class InASite(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        (self.site / "admin").mkdir(parents=True)
        (self.site / "index.html").write_text("public", encoding="ascii")
        (self.site / "admin" / "a.txt").write_text("admin", encoding="ascii")

    def status(self, server, target="/", source="127.0.0.1"):
        """The client's address is one of the loopback network."""
        connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS, source_address=(source, 0))
        try:
            return exchange(connection, target)[0].status
        finally:
            connection.close()


@for_each_engine
class UnderEngine(InASite):
    def test_the_address_decides(self):
        server = self.serve(self.site, "--allow", "/admin: 127.0.0.2", "--deny", "127.0.0.3")
        asked = [(target, source) for target in ("/", "/admin/a.txt") for source in ("127.0.0.1", "127.0.0.2", "127.0.0.3")]
        self.assertEqual([self.status(server, *one) for one in asked], [200, 200, 403, 403, 200, 403])

    def test_one_address_has_one_rate(self):
        server = self.serve(self.site, "--rate", "2/h burst 3", "--rate", "/admin: 1/h")
        self.assertEqual([self.status(server, "/admin/a.txt") for _ in range(3)], [200, 429, 429])
        self.assertEqual([self.status(server) for _ in range(4)], [200, 200, 429, 429])
        self.assertEqual(self.status(server, source="127.0.0.2"), 200)
        response = self.fetch(server, "/")[0]
        self.assertEqual(response.status, 429)
        self.assertIn(int(response.headers["Retry-After"]), range(1, 1801))


class Networks(InASite):
    def test_no_other_spelling_leads_in(self):
        server = self.serve(self.site, "--deny", "/admin: 127.0.0.0/8", "--listing")
        for target in ("/admin", "/admin/", "/admin/a.txt", "//admin/a.txt", "/%61dmin/a.txt", "/x/../admin/a.txt", "/ADMIN/a.txt", "/admin%2fa.txt"):
            self.assertEqual(self.status(server, target), 403, target)
        self.assertEqual(self.status(server), 200)

    def test_unix_sockets(self):
        path = self.top / "socket"
        for options, status in ((["--allow", "unix"], b"200"), (["--allow", "127.0.0.1"], b"403"), (["--deny", "unix"], b"403")):
            server = self.start("serve", self.site, "--engine", self.engine, "--bind", f"unix:{path}", *options)
            server.wait_for_line("Ctrl-C")
            with socket.socket(socket.AF_UNIX) as client:
                client.settimeout(PATIENCE_SECONDS)
                client.connect(str(path))
                client.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
                self.assertEqual(client.recv(12), b"HTTP/1.1 " + status, options)
            server.stop()


if __name__ == "__main__":
    unittest.main()
