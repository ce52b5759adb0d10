#!/usr/bin/env python3
"""The live page of --admin in a browser: its figures move, and it says when the server has gone."""

import re
import signal
import socket
import tempfile
from pathlib import Path

from browser import WithBrowser, main
from served import PATIENCE_SECONDS, wait_until

STATE = "document.getElementById('state').textContent"
REQUESTS = "document.querySelector('output').textContent"
SAID = "document.getElementById('said').textContent"
POINTS = "document.querySelector('polyline').getAttribute('points') || ''"


class LivePage(WithBrowser):
    def setUp(self):
        super().setUp()
        self.server = self.start("serve", "--port", "0", "--admin", "127.0.0.1:0")
        self.port = int(self.server.wait_for_line(r"^ *http://127.0.0.1:(\d+)/$")[1])
        self.pages = self.server.wait_for_line(r"metrics and probes at (http://127.0.0.1:\d+/)")[1]

    def says(self, pattern):
        return re.search(pattern, self.browser.evaluate(STATE)) is not None

    def test_figures_move(self):
        self.browser.open(self.pages)
        wait_until(lambda: self.says("^serving for"))
        self.server.wait_for_line("engine")
        url = self.pages  # a page of its own counts nothing
        self.assertEqual(self.browser.evaluate("document.title"), "weir: live")
        wait_until(lambda: self.browser.evaluate(REQUESTS) == "0")
        wait_until(lambda: len(self.browser.evaluate(POINTS).split()) > 2)
        self.assertEqual(self.browser.complaints(), [])
        self.assertTrue(all(each.startswith(url) for each, _ in self.browser.responses()))

    def test_the_engine_is_drawn_with_its_figures(self):
        self.browser.open(self.pages)
        wait_until(lambda: re.fullmatch(r"delay [\d,.]+ [mµ]s", self.figure("delay")))
        self.assertEqual([self.figure(name) for name in ("waiting", "open", "active")], ["0 waiting", "0 open", "0 under way"])
        self.assertRegex(self.figure("loops"), r"^\d+ loops$")
        self.assertEqual(self.browser.evaluate("document.querySelector('figure svg title').textContent"), "per-core")
        self.assertIn("Waiting in the kernel: 0. Open connections: 0.", self.browser.evaluate(SAID))
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_SECONDS):
            wait_until(lambda: self.figure("open") == "1 open")
        self.assertEqual(self.browser.complaints(), [])

    def test_each_thread_has_a_row(self):
        self.browser.open(self.pages)
        rows = "document.querySelectorAll('#threads tbody tr').length"
        wait_until(lambda: self.says("^serving for"))
        self.assertEqual(self.browser.evaluate(rows), 0)
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE_SECONDS) as client:
            client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            wait_until(lambda: self.browser.evaluate(rows) == 1)
        self.assertEqual(self.browser.evaluate("document.querySelector('#threads tbody th').textContent"), "1")
        self.assertEqual(self.browser.complaints(), [])

    def test_figures_that_the_engine_has_not_are_left_out(self):
        other = self.start("serve", "--port", "0", "--engine", "thread-pool", "--workers", "2", "--admin", "127.0.0.1:0")
        self.browser.open(other.wait_for_line(r"metrics and probes at (http://127.0.0.1:\d+/)")[1])
        wait_until(lambda: self.figure("busy") == "0 of 2 busy")
        self.assertRegex(self.figure("queue"), r"^0 of [\d,]+$")
        self.assertNotIn("Delay", self.browser.evaluate(SAID))

    def figure(self, name):
        return self.browser.evaluate(f"document.querySelector('[data-of={name}]')?.textContent || ''")

    def test_it_says_that_the_server_has_gone(self):
        self.browser.open(self.pages)
        wait_until(lambda: self.says("^serving for"))
        self.server.signal(signal.SIGTERM)
        wait_until(lambda: self.says("does not answer"))

    def test_a_page_of_this_machine_may_have_it_in_a_frame(self):
        page = f'<!doctype html><title>Frame</title><link rel="icon" href="data:,"><iframe src="{self.pages}"></iframe>'
        folder = self.enterContext(tempfile.TemporaryDirectory())
        (Path(folder) / "index.html").write_text(page, encoding="ascii")
        server = self.start("serve", folder, "--port", "0")
        port = server.wait_for_line(r"^ *http://127.0.0.1:(\d+)/$")[1]
        self.browser.open(f"http://127.0.0.1:{port}/")
        wait_until(lambda: self.browser.evaluate("1") and (self.pages + "status", 200) in self.browser.responses())
        self.assertEqual(self.browser.complaints(), [])
        self.browser.open(f"http://localhost:{port}/")
        self.assertIn("frame-ancestors", " ".join(self.browser.complaints()))

    def test_it_fits_a_phone(self):
        self.browser.look(360, 700, phone=True)
        self.browser.open(self.pages)
        wait_until(lambda: self.figure("open") == "0 open")
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)


if __name__ == "__main__":
    main()
