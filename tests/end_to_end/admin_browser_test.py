#!/usr/bin/env python3
"""The live page of --admin in a browser: its figures move, and it says when the server has gone."""

import re
import signal

from browser import WithBrowser, main
from served import wait_until

STATE = "document.getElementById('state').textContent"
REQUESTS = "document.querySelector('output').textContent"
POINTS = "document.querySelector('polyline').getAttribute('points') || ''"


class LivePage(WithBrowser):
    def setUp(self):
        super().setUp()
        self.server = self.start("serve", "--port", "0", "--admin", "127.0.0.1:0")
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

    def test_it_says_that_the_server_has_gone(self):
        self.browser.open(self.pages)
        wait_until(lambda: self.says("^serving for"))
        self.server.signal(signal.SIGTERM)
        wait_until(lambda: self.says("does not answer"))

    def test_it_fits_a_phone(self):
        self.browser.look(360, 700, phone=True)
        self.browser.open(self.pages)
        self.assertLessEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)


if __name__ == "__main__":
    main()
