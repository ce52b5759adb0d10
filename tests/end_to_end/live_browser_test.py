#!/usr/bin/env python3
"""`weir serve --live-reload` in a browser: which changes load the page again, and which its style sheets alone."""

import signal
import tempfile
from pathlib import Path

from browser import WithBrowser, main
from served import wait_until

PAGE = """<!doctype html><title>{title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="style.css">
<h1>{title}</h1>"""
COLOUR = "getComputedStyle(document.querySelector('h1')).color"
SHEETS = "document.querySelectorAll('link[rel=stylesheet]').length"
IN_FRAME = "getComputedStyle(document.querySelector('iframe').contentDocument.querySelector('h1')).color"
RED, BLUE, GREEN = "rgb(255, 0, 0)", "rgb(0, 0, 255)", "rgb(0, 128, 0)"


class LiveReload(WithBrowser):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name).resolve()
        self.site = self.top / "site"
        self.site.mkdir()
        self.write("index.html", PAGE.format(title="one"))
        self.colour("red")

    def write(self, name, text):
        """As an editor does: the file is whole under its name."""
        (self.top / "beside").write_text(text, encoding="ascii")
        (self.top / "beside").rename(self.site / name)

    def colour(self, name):
        self.write("style.css", f"h1 {{ color: {name} }}")

    def open(self, *options, target=""):
        """The page, once it listens: its first event has come, and it has a mark that is lost when it is loaded again."""
        self.server = self.serve(self.site, "--live-reload", *options)
        self.browser.open(f"{self.server.url}{target}")
        self.wait_for_stream()
        self.browser.evaluate("window.mark = 'kept'")

    def wait_for_stream(self):
        wait_until(lambda: self.browser.evaluate("1") and any(url.endswith("/.weir/live") and status == 200
                                                              for url, status in self.browser.responses()))

    def wait_for(self, expression, value):
        """A page that is being loaded has no such element for a moment."""
        wait_until(lambda: self.browser.evaluate(f"(() => {{ try {{ return {expression}; }} catch {{}} }})()") == value)

    def is_same_page(self):
        return self.browser.evaluate("window.mark") == "kept"

    def test_a_style_sheet_is_loaded_without_the_page(self):
        self.open()
        self.assertEqual(self.browser.evaluate(COLOUR), RED)
        for name, colour in (("blue", BLUE), ("green", GREEN)):
            self.colour(name)
            self.wait_for(COLOUR, colour)
            self.wait_for(SHEETS, 1)
        self.assertTrue(self.is_same_page())
        self.assertEqual(self.browser.complaints(), [])

    def test_a_style_sheet_of_a_style_sheet_is_loaded_too(self):
        self.write("base.css", "h1 { color: red }")
        self.write("style.css", "@import 'base.css';")
        self.open()
        self.write("base.css", "h1 { color: blue }")
        self.wait_for(COLOUR, BLUE)
        self.assertTrue(self.is_same_page())

    def test_another_file_loads_the_page(self):
        self.open()
        self.write("index.html", PAGE.format(title="two"))
        self.wait_for("document.title", "two")
        self.assertFalse(self.is_same_page())
        self.browser.evaluate("window.mark = 'kept'")
        self.write("data.json", "{}")
        self.wait_for("window.mark", None)

    def test_a_page_that_was_missing_is_loaded_once_it_is_there(self):
        self.open(target="later.html")
        self.write("later.html", PAGE.format(title="there"))
        self.wait_for("document.title", "there")

    def test_a_frame_has_its_style_sheets_loaded(self):
        self.write("outer.html", "<!doctype html><title>outer</title><link rel='icon' href='data:,'><iframe src='/'></iframe>")
        self.open(target="outer.html")
        self.wait_for(IN_FRAME, RED)
        self.colour("blue")
        self.wait_for(IN_FRAME, BLUE)
        self.assertTrue(self.is_same_page())
        streams = [url for url, _ in self.browser.responses() if url.endswith("/.weir/live")]
        self.assertEqual(len(streams), 1)

    def test_a_strict_policy_lets_it_run(self):
        for policy in ("default-src 'none'; style-src 'self'; img-src data:",
                       "script-src 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' 'strict-dynamic'; object-src 'none'"):
            with self.subTest(policy):
                self.colour("red")
                self.open("--header", f"/**: Content-Security-Policy: {policy}")
                self.colour("blue")
                self.wait_for(COLOUR, BLUE)
                self.assertTrue(self.is_same_page())
                self.assertEqual(self.browser.complaints(), [])

    def test_a_server_that_is_started_again_is_found(self):
        self.open()
        port = self.server.port
        self.server.signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(), 0)
        self.write("index.html", PAGE.format(title="two"))
        self.start("serve", self.site, "--live-reload", "--port", str(port)).wait_for_banner()
        self.wait_for("document.title", "two")


if __name__ == "__main__":
    main()
