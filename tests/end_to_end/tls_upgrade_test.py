"""Reloads and upgrades of a server with TLS: no request is lost, and sessions are resumed.

usage: tls_upgrade_test.py [REQUESTS]: so many requests for each engine, 500 if nothing else is said"""

import contextlib
import re
import sys
import unittest
from pathlib import Path

from authority import Authority
from served import ENGINES
from tls_clients import TlsLoad, open_connection
from versions import Versions

REQUESTS = int(sys.argv.pop()) if len(sys.argv) > 1 and sys.argv[-1].isdigit() else 500
UPGRADED = ("per-core", "prefork", "fork-per-connection", "thread-pool", "io-uring")
RESUMED = ("per-core", "prefork")


class TlsUpgrade(Versions):
    def setUp(self):
        super().setUp()
        self.authority = Authority(self.folder)
        self.chain, self.key = self.authority.issue("site", "localhost")

    def serve_tls(self, *options):
        return self.serve_supervised("--tls-cert", self.chain, "--tls-key", self.key, "--stop-timeout", "10m", *options)

    def test_no_request_is_lost(self):
        for self.engine in [engine for engine in UPGRADED if engine in ENGINES]:
            with self.subTest(engine=self.engine):
                self.upgrade_under_load()

    def upgrade_under_load(self):
        server = self.serve_tls()
        upgrades = 0
        with TlsLoad(server.port, self.authority, REQUESTS) as load:
            while load.goes_on() or upgrades < 2:
                self.upgrade_to_the_next()
                upgrades += 1
        print(f"{self.engine}: {load.answered} requests, {upgrades} upgrades, {len(load.lost)} lost")
        self.assertEqual(load.lost, [])
        self.end(server)

    def session(self, server, context, before=None):
        """The session of a new connection, and whether it has resumed the one before."""
        with open_connection(server.port, context, before) as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            while connection.recv(1 << 16):  # the ticket comes with it (RFC 8446 4.6.1)
                pass
            return connection.session, connection.session_reused

    def test_a_session_outlives_reloads_and_upgrades(self):
        for self.engine in RESUMED:
            with self.subTest(engine=self.engine):
                self.resume_after_each_change()

    def resume_after_each_change(self):
        server = self.serve_tls()
        context = self.authority.client()
        session, is_resumed = self.session(server, context)
        self.assertFalse(is_resumed)
        for change in (self.reload, self.upgrade_to_the_next, self.upgrade_to_the_next, self.reload):
            change()
            self.wait_for_one_generation()
            session, is_resumed = self.session(server, context, session)
            self.assertTrue(is_resumed, change)
        self.end(server)

    def test_another_server_has_other_keys(self):
        server = self.serve_tls()
        context = self.authority.client()
        session, _ = self.session(server, context)
        self.end(server)
        self.assertFalse(self.session(self.serve_tls(), context, session)[1])

    def test_the_secret_is_in_no_environment_and_cannot_be_changed(self):
        server = self.serve_tls()
        self.upgrade_to_the_next()
        supervisor = server.process.pid
        secret = self.memory(supervisor, "tickets")
        self.assertEqual(len(secret.read_bytes()), 32)
        with self.assertRaises(PermissionError), open(secret, "r+b", buffering=0) as file:
            file.write(b"x")
        self.wait_for_one_generation()
        self.assertIsNone(self.memory(self.serving(), "tickets"))

    def memory(self, pid, name):
        """The descriptor of a memory file (memfd_create(2))."""
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # it may be closed meanwhile
                if re.match(f"/memfd:{name} ", str(link.readlink())):
                    return link
        return None


if __name__ == "__main__":
    unittest.main()
