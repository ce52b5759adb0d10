"""A real browser lets the pages of other origins read what --cors allows and nothing else, and shows source code."""

import tempfile
import unittest
from pathlib import Path

from browser import Browser
from served import EndToEnd, exchange, is_missing

# What a page learns of a file of another origin: status, a header that CORS must expose, and the content.
READ = """fetch('%s', {headers: %s}).then(
    async (response) => [response.status, response.headers.get('Content-Range'), await response.text()],
    () => 'refused')"""
FILES = {"index.html": "<!doctype html><link rel=icon href=data:,>", "a.txt": "content", "a.rs": "fn main() {}", "a.ts": "let a: number",
         "README": "<h1>none", "a.md": "# a", "a.yaml": "a: 1", "a.toml": "a = 1", "a.sh": "true", "a.csv": "a,b", "a.json5": "{}", "a.py": "None"}


@unittest.skipIf(reason := is_missing("chromium"), reason)
class WithBrowser(EndToEnd):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name)
        for name, content in FILES.items():
            (cls.root / name).write_text(content, encoding="utf-8")


class Cors(WithBrowser):
    def setUp(self):
        self.page = self.serve(self.root)
        self.origin = self.page.url.rstrip("/")
        self.browser.open(self.page.url)

    def read(self, server, file="a.txt", headers="{}"):
        return self.browser.evaluate(READ % (server.url + file, headers))

    def test_without_it_nobody_reads(self):
        self.assertEqual(self.read(self.serve(self.root)), "refused")

    def test_for_all_or_for_the_origin_that_asks(self):
        for option in (("--cors",), ("--cors", self.origin), ("--cors", "https://a.example", "--cors", self.origin)):
            with self.subTest(option=option):
                server = self.serve(self.root, *option)
                self.assertEqual(self.read(server), [200, None, "content"])
                self.assertEqual(self.read(server, "none")[0], 404, "an error can be read too")

    def test_a_request_that_needs_a_preflight(self):
        for option in (("--cors",), ("--cors", self.origin)):
            with self.subTest(option=option):
                server = self.serve(self.root, *option)
                self.assertEqual(self.read(server, headers="{'Range': 'bytes=1-3', 'If-Range': '\"x\"', 'X-Custom': '1'}"), [200, None, "content"])
                self.assertEqual(self.read(server, headers="{'Range': 'bytes=1-3', 'X-Custom': '1'}"), [206, "bytes 1-3/7", "ont"])

    def test_another_origin_is_refused(self):
        server = self.serve(self.root, "--cors", "https://a.example")
        self.assertEqual(self.read(server), "refused")
        self.assertEqual(self.read(server, headers="{'X-Custom': '1'}"), "refused")

    def test_a_redirect_is_followed(self):
        (self.root / "docs").mkdir(exist_ok=True)
        (self.root / "docs" / "index.html").write_text("docs", encoding="utf-8")
        self.assertEqual(self.read(self.serve(self.root, "--cors", self.origin), "docs"), [200, None, "docs"])

    def test_a_cached_answer_is_not_given_to_another_origin(self):
        server = self.serve(self.root, "--cors", "https://a.example", "--cors", self.origin, "--cache-control", "/**: max-age=3600")
        response, _ = exchange(self.connect(server), "/a.txt", Origin="https://a.example")
        self.assertEqual((response.headers["Access-Control-Allow-Origin"], response.headers["Vary"]), ("https://a.example", "Origin"))
        self.assertEqual(self.read(server), [200, None, "content"])


class Sources(WithBrowser):
    def test_are_shown_and_not_downloaded(self):
        server = self.serve(self.root)
        for name in set(FILES) - {"index.html"}:
            with self.subTest(name=name):
                self.browser.open(server.url + name)
                self.assertEqual(self.browser.evaluate("[document.contentType, document.body.innerText.trim()]"), ["text/plain", FILES[name]])


if __name__ == "__main__":
    unittest.main()
