"""A large listing by HTTP/2 and TLS: all pages at once, as streams of one connection, and one through a small window."""

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from authority import Authority
from served import ENGINES, PATIENCE_SECONDS, EndToEnd

FILES, A_PAGE = 10_000, 1_000  # more than is read at once
PAGES = FILES // A_PAGE
NAMES = [f"file{number}" for number in range(FILES)]


def setUpModule():
    global folder, authority, site
    folder = TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    authority = Authority(folder.name)
    site = Path(folder.name, "site")
    site.mkdir()
    (site / NAMES[0]).touch()
    for name in NAMES[1:]:
        os.link(site / NAMES[0], site / name)


def of_json(page):
    return [entry["name"] for entry in json.loads(page)["entries"]]


def of_html(page):
    return re.findall(r'<a href="\./(file\d+)"', page)


class Listing:
    def setUp(self):
        chain, key = authority.issue(self.engine, "localhost")
        self.server = self.serve(site, "--tls-cert", chain, "--tls-key", key)
        pages = TemporaryDirectory()
        self.addCleanup(pages.cleanup)
        self.pages = Path(pages.name)

    def run_client(self, *command):
        done = subprocess.run(command, cwd=self.pages, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def url(self, query):
        return f"https://localhost:{self.server.port}/?{query}"

    def test_all_pages_have_all_names_in_order(self):
        for accept, names_of in (("text/html", of_html), ("application/json", of_json)):
            told = self.run_client("curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--http2", "--parallel", "--cacert",
                                   authority.certificate, "--header", f"Accept: {accept}", "--output", "#1", "--write-out",
                                   "%{http_version} %{http_code}\n", self.url(f"page=[1-{PAGES}]"))
            self.assertEqual(told, "2 200\n" * PAGES)
            pages = [(self.pages / str(number)).read_text(encoding="utf-8") for number in range(1, PAGES + 1)]
            self.assertEqual([name for page in pages for name in names_of(page)], NAMES)

    @unittest.skipUnless(shutil.which("nghttp"), "no nghttp here")
    def test_a_page_through_a_small_window(self):
        """It is much larger than the window of its stream."""
        told = self.run_client("nghttp", "--window-bits=12", "--header=accept: application/json", self.url(f"sort=size&page={PAGES}"))
        self.assertEqual(of_json(told), NAMES[-A_PAGE:])


for engine in ENGINES:
    if engine in ("per-core", "io-uring", "thread-pool", "prefork"):
        name = f"Listing_{engine.replace('-', '_')}"
        globals()[name] = type(name, (Listing, EndToEnd), {"engine": engine, "__module__": __name__})

if __name__ == "__main__":
    unittest.main()
