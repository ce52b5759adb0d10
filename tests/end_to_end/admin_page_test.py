#!/usr/bin/env python3
"""What the live page of --admin needs: figures of /status that no metric has, and the drawing of the engine."""

import json
import os
import socket
import unittest
from pathlib import Path

from admin_test import AdminTest
from served import ENGINES, PATIENCE_SECONDS, wait_until

DRAWINGS = Path(os.environ["WEIR_SOURCE_DIR"]) / "www/images/engines"


class Waiting(AdminTest):
    def test_connections_wait_in_the_kernel(self):
        self.engine = "blocking"
        silent = self.enterContext(socket.create_server(("127.0.0.1", 0)))
        proxied = ("--proxy", f"/api: http://127.0.0.1:{silent.getsockname()[1]}", "--proxy-timeout", "1h")
        server = self.serve(self.site, "--admin", f"unix:{self.admin}", *proxied)
        self.assertEqual(self.waiting(), 0)
        self.open_connection(server).sendall(b"GET /api HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: self.figure("http_server_active_requests") == 1)
        for length in (1, 2):
            self.open_connection(server)
            wait_until(lambda length=length: self.waiting() == length)
        self.assertEqual(self.figure("weir_connections_waiting"), 2)

    def open_connection(self, server):
        return self.enterContext(socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS))

    def waiting(self):
        return json.loads(self.get("/status")[1])["connections_waiting"]


class Threads(AdminTest):
    def test_each_says_what_it_does(self):
        for self.engine in ("per-core", "prefork", "reactor"):
            with self.subTest(self.engine):
                server = self.serve(self.site, "--admin", f"unix:{self.admin}", "--workers", "2")
                self.assertEqual(self.threads(), [])
                for _ in range(20):
                    self.fetch(server, "/")
                wait_until(lambda: sum(each["requests"] for each in self.threads()) == 20)
                self.assertEqual([each["place"] for each in self.threads()], list(range(len(self.threads()))))
                self.assertLessEqual({each["active"] for each in self.threads()}, {0})
                self.end(server)

    def test_an_engine_without_workers_has_none(self):
        self.engine = "thread-per-connection"
        server = self.serve(self.site, "--admin", f"unix:{self.admin}")
        self.fetch(server, "/")
        self.assertNotIn("threads", json.loads(self.get("/status")[1]))

    def threads(self):
        return json.loads(self.get("/status")[1])["threads"]


class Page(AdminTest):
    def test_each_engine_has_its_drawing(self):
        for self.engine in ENGINES:
            with self.subTest(self.engine):
                server = self.serve(self.site, "--admin", f"unix:{self.admin}")
                status, drawing, response = self.get("/engine.svg")
                self.assertEqual((status, response.headers["Content-Type"]), (200, "image/svg+xml"))
                self.assertEqual(drawing, (DRAWINGS / f"{self.engine}.svg").read_text(encoding="utf-8"))
                self.end(server)

    def test_a_frame_may_have_the_live_page_on_this_machine_alone(self):
        self.serve(self.site, "--admin", f"unix:{self.admin}")
        policy = self.get("/")[2].headers["Content-Security-Policy"]
        self.assertIn("frame-ancestors http://127.0.0.1:*", policy.split("; "))


if __name__ == "__main__":
    unittest.main()
