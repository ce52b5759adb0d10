"""Markdown shown as HTML: `weir serve --markdown`, and the README of a listing."""

import base64
import gzip
import hashlib
import os
import re
import unittest

from served import InAFolder, for_each_engine, run, wait_until

BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
PAGE = "text/html; charset=utf-8"
TEXT = "# Weirs\n\n~~a~~ [more](sub/more.md)\n\n|b|\n|-|\n|c|\n\n<script>alert(1)</script> [d](javascript:alert(1))\n"


class Markdown(InAFolder):
    def setUp(self):
        super().setUp()
        self.root = self.top / "site"
        self.write("README.md", TEXT)
        self.write("sub/more.md", "More\n====\n" + "text " * 10_000)
        self.write("index.txt", "text")

    def write(self, name, text):
        """A file of long ago: the tag of one that was written just now is weak, and valid for one answer only."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        os.utime(path, (1_000_000, 1_000_000))

    def browse(self, server, target, method="GET", **headers):
        return self.fetch(server, target, method, **{"Accept": BROWSER} | headers)

    def assert_safe(self, body):
        self.assertNotIn(b"alert(1)", body)
        self.assertNotIn(b"javascript:", body)


@for_each_engine
class UnderEachEngine(Markdown):
    def test_a_browser_gets_a_page_and_others_the_file(self):
        server = self.serve(self.root, "--markdown", "--listing")
        for _ in range(2):
            response, body = self.browse(server, "/README.md")
            self.assertEqual((response.status, response.headers["Content-Type"], response.headers["Vary"]), (200, PAGE, "Accept"))
            self.assertIn(b"<title>Weirs</title>", body)
            self.assertIn(b'<del>a</del> <a href="sub/more.md">more</a>', body)
            self.assert_safe(body)
            self.assertIn(b"<h1>More</h1>", self.browse(server, "/sub/more.md")[1])
            response, body = self.fetch(server, "/README.md", Accept="*/*")
            self.assertEqual((body.decode(), response.headers["Vary"]), (TEXT, "Accept"))
            self.assertEqual(self.browse(server, "/README.md?raw")[1].decode(), TEXT)
            self.assertIn(b"<h3>Weirs</h3>", self.browse(server, "/")[1])


class Pages(Markdown):
    def test_conditions_know_the_tag_of_the_page(self):
        server = self.serve(self.root, "--markdown")
        page = self.browse(server, "/README.md")[0].headers["ETag"]
        file = self.fetch(server, "/README.md")[0].headers["ETag"]
        self.assertNotEqual(page, file)
        response, body = self.browse(server, "/README.md", If_None_Match=page)
        self.assertEqual((response.status, body, response.headers["ETag"], response.headers["Vary"]), (304, b"", page, "Accept"))
        self.assertEqual(self.browse(server, "/README.md", If_None_Match=file)[0].status, 200)
        self.assertEqual(self.fetch(server, "/README.md", If_None_Match=file)[0].status, 304)
        self.assertEqual(self.fetch(server, "/README.md", If_None_Match=page)[0].status, 200)
        self.assertEqual(self.browse(server, "/README.md", If_Match=file)[0].status, 412)

    def test_head_and_ranges(self):
        server = self.serve(self.root, "--markdown")
        head, body = self.browse(server, "/README.md", "HEAD", Range="bytes=0-3")
        got, page = self.browse(server, "/README.md", Range="bytes=0-3")
        self.assertEqual((head.status, got.status, body), (200, 200, b""))
        self.assertEqual(int(head.headers["Content-Length"]), len(page))
        self.assertEqual(self.fetch(server, "/README.md", Range="bytes=0-3")[1], TEXT[:4].encode())

    def test_the_policy_allows_the_style_of_the_page_alone(self):
        response, body = self.browse(self.serve(self.root, "--markdown"), "/README.md")
        style = re.search(rb"<style>(.*?)</style>", body, re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(style).digest()).decode()
        policy = response.headers["Content-Security-Policy"]
        self.assertIn(f"style-src 'sha256-{digest}'", policy)
        self.assertIn("default-src 'none'; img-src 'self';", policy)
        self.assertNotIn("unsafe", policy)

    def test_a_change_of_the_file_is_a_change_of_the_page(self):
        server = self.serve(self.root, "--markdown")
        first = self.browse(server, "/README.md")[0].headers["ETag"]
        (self.root / "README.md").write_text("# Dams", encoding="utf-8")
        wait_until(lambda: self.browse(server, "/README.md", If_None_Match=first)[0].status == 200)  # inotify tells of it
        self.assertIn(b"<h1>Dams</h1>", self.browse(server, "/README.md")[1])

    def test_what_is_not_served_has_no_page(self):
        for name in (".hidden.md", "drafts/a.md", "private/a.md", "b.bak.md"):
            self.write(name, "# Secret")
        self.write("../outside.md", "# Secret")
        (self.root / "link.md").symlink_to(self.top / "outside.md")
        server = self.serve(self.root, "--markdown", "--listing", "--hide", "/drafts", "--hide", "*.bak.md", "--deny", "/private: 127.0.0.1")
        for target in ("/.hidden.md", "/drafts/a.md", "/private/a.md", "/b.bak.md", "/link.md", "/../outside.md", "/%2e%2e/outside.md", "/none.md"):
            for query in ("", "?raw"):
                response, body = self.browse(server, target + query)
                self.assertIn(response.status, (400, 403, 404), target)
                self.assertNotIn(b"Secret", body)

    def test_only_with_the_option(self):
        server = self.serve(self.root)
        response, body = self.browse(server, "/README.md")
        self.assertEqual((body.decode(), response.headers["Vary"]), (TEXT, None))

    def test_rules_and_downloads(self):
        self.write("a.md", "# A")
        self.write("b.md", "# B")
        server = self.serve(self.root, "--markdown", "--header", "b.md: Content-Disposition: attachment", "--media-type", "a.md: text/markdown",
                            "--cache-control", "*.md: max-age=60", "--cors", "https://example.org")
        response, body = self.browse(server, "/a.md", Origin="https://example.org")
        self.assertIn(b"<h1>A</h1>", body)
        self.assertEqual((response.headers["Cache-Control"], response.headers["Access-Control-Allow-Origin"]), ("max-age=60", "https://example.org"))
        self.assertEqual(self.browse(server, "/b.md")[1], b"# B")

    @unittest.skipUnless(" gzip" in run("--version")[1], "built without zlib")
    def test_pages_are_compressed(self):
        server = self.serve(self.root, "--markdown", "--compress")
        for _ in range(2):  # the second one is kept from the first
            response, body = self.browse(server, "/README.md", Accept_Encoding="gzip")
            self.assertEqual(response.headers["Content-Encoding"], "gzip")
            self.assertIn(b"<title>Weirs</title>", gzip.decompress(body))
            self.assertEqual(response.headers.get_all("Vary"), ["Accept", "Accept-Encoding"])
            tag = response.headers["ETag"]
            self.assertEqual(self.browse(server, "/README.md", Accept_Encoding="gzip", If_None_Match=tag)[0].status, 304)
            plain, body = self.browse(server, "/README.md")
            self.assertIn(b"<title>Weirs</title>", body)
            self.assertNotEqual(plain.headers["ETag"], tag)

    def test_what_is_too_long_or_too_deep_is_sent_as_it_is(self):
        server = self.serve(self.root, "--markdown")
        texts = ("a" * 300_000, ">" * 1000, "![[]()" * 40_000, "[a]: " + "u" * 100_000 + "\n\n" + "[a]" * 40_000)
        for number, text in enumerate(texts):
            self.write(f"{number}.md", text)
            self.assertTrue(self.browse(server, f"/{number}.md")[1].decode() == text)
        self.assertIn(b"<h1>Weirs</h1>", self.browse(server, "/README.md")[1])


class Readme(Markdown):
    def test_a_listing_shows_its_readme_as_html(self):
        server = self.serve(self.root, "--listing")
        response, body = self.browse(server, "/")
        section = body[body.index(b"<section") :]
        self.assertIn(b'<h3>Weirs</h3>\n<p><del>a</del> <a href="sub/more.md">more</a></p>\n<table>', section)
        self.assert_safe(section)
        self.assertNotIn("unsafe", response.headers["Content-Security-Policy"])

    def test_up_to_a_size(self):
        server = self.serve(self.root, "--listing")
        self.write("README.md", "*a* and more words\n\n" * 13_000)
        self.assertTrue(b"<em>a</em> and" in self.browse(server, "/")[1])
        self.write("README.md", "*a* and more words\n\n" * 14_000)
        body = self.browse(server, "/")[1]
        self.assertTrue(b"<pre>\n*a* and" in body)
        self.assertTrue(b"Only the first 64 KB are shown." in body)

    def test_text_stays_text(self):
        self.write("README", "# no *Markdown*")
        self.assertIn(b"<pre>\n# no *Markdown*</pre>", self.browse(self.serve(self.root, "--listing"), "/")[1])


class Version(unittest.TestCase):
    def test_names_cmark(self):
        self.assertIn(" cmark-gfm", run("version")[1])


if __name__ == "__main__":
    unittest.main()
