"""WebSockets through weir, to a server of --proxy."""

import signal
import socket
import unittest
from contextlib import suppress

from served import PATIENCE_SECONDS, InAFolder, run, wait_until


class Tunnels(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        self.site.mkdir()

    def tunnel(self, *options):
        """A server with a WebSocket through it: the server, the client's side and that of the server behind it."""
        upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"
        behind = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        behind.settimeout(PATIENCE_SECONDS)
        server = self.serve(self.site, "--proxy", f"/: http://127.0.0.1:{behind.getsockname()[1]}", *options)
        client = self.enterContext(socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS))
        client.sendall(b"GET /x HTTP/1.1\r\nHost: a\r\n" + upgrade + b"\r\n")
        peer = self.enterContext(behind.accept()[0])
        peer.settimeout(PATIENCE_SECONDS)
        peer.recv(1 << 16)
        peer.sendall(b"HTTP/1.1 101 Switching Protocols\r\n" + upgrade + b"\r\n")
        self.assertIn(b" 101 ", client.recv(1 << 16))
        return server, client, peer

    def test_one_that_its_server_ends_is_over(self):
        _, client, peer = self.tunnel()
        peer.shutdown(socket.SHUT_WR)
        self.assertEqual(client.recv(16), b"")
        client.close()
        with suppress(ConnectionResetError):
            self.assertEqual(peer.recv(16), b"")

    def test_one_goes_on_after_a_reload(self):
        control = f"unix:{self.top}/control"
        _, client, peer = self.tunnel("--control", control, "--stop-timeout", "1h")
        self.assertEqual(run("reload", "--control", control)[0], 0)
        for message in (b"one", b"two"):
            client.sendall(message)
            self.assertEqual(peer.recv(16), message)
            peer.sendall(message)
            self.assertEqual(client.recv(16), message)
        peer.close()
        self.assertEqual(client.recv(16), b"")
        client.close()
        wait_until(lambda: "finish" not in run("status", "--control", control)[1])

    def test_one_that_outlives_the_time_of_a_stop_is_cut(self):
        log = self.top / "log"
        server, _, _ = self.tunnel("--stop-timeout", "100ms", "--access-log", log, "--access-log-format", "{outcome}")
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        self.assertEqual(log.read_text(encoding="ascii"), "stopped\n")


if __name__ == "__main__":
    unittest.main()
