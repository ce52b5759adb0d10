"""Search in listings: what is found, and what is kept back; under each engine."""

import functools
import json
import tempfile
import unittest
from pathlib import Path

from served import InAFolder, for_each_engine, run


@functools.cache
def large_tree():
    """One for all engines: to make and to remove it takes longer than to search it."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    for number in range(3000):
        (Path(folder.name) / f"d{number}").mkdir()
    return folder.name


class InATree(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        for name in ("report.txt", "a/b/Report 1.pdf", "a/b/other", "private/report", "a/.report"):
            path = self.site / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("text", encoding="ascii")

    def found(self, server, target):
        response, body = self.fetch(server, target, Accept="application/json")
        self.assertEqual(response.status, 200)
        return [entry["name"] for entry in json.loads(body)["entries"]]


@for_each_engine
class Search(InATree):
    def test_finds_names_in_the_folder_and_below(self):
        server = self.serve(self.site, "--search", "--listing")
        self.assertEqual(self.found(server, "/?q=report"), ["a/b/Report 1.pdf", "private/report", "report.txt"])
        self.assertEqual(self.found(server, "/a/?q=1+report"), ["b/Report 1.pdf"])
        response, body = self.fetch(server, "/?q=report")
        self.assertIn(b'href="./a/b/Report%201.pdf"', body)
        self.assertEqual(self.fetch(server, "/a/b/Report%201.pdf")[1], b"text")

    def test_a_large_tree_holds_nobody(self):
        server = self.serve(large_tree(), "--search", "--listing")
        self.assertEqual(self.found(server, "/?q=d2999"), ["d2999"])
        self.assertEqual(self.found(server, "/?q=d1"), sorted((f"d{number}" for number in range(3000) if "d1" in f"d{number}"),
                                                              key=lambda name: int(name[1:]))[:1000])


class KeptBack(InATree):
    def test_what_rules_of_access_are_for(self):
        server = self.serve(self.site, "--search", "--listing", "--deny", "/private: 127.0.0.1", "--deny", "/a/b/*.pdf: 0.0.0.0/0")
        self.assertEqual(self.found(server, "/?q=report"), ["report.txt"])
        self.assertEqual(self.fetch(server, "/private/?q=report")[0].status, 403)

    def test_what_rules_below_a_prefix_are_for(self):
        server = self.serve(self.site, "--search", "--listing", "--prefix", "/docs", "--deny", "/docs/private: 0.0.0.0/0")
        self.assertEqual(self.found(server, "/docs/?q=report"), ["a/b/Report 1.pdf", "report.txt"])

    def test_hidden_names_and_links(self):
        (self.top / "report-outside").write_text("secret", encoding="ascii")
        (self.site / "report-link").symlink_to(self.top / "report-outside")
        (self.site / "a" / "circle").symlink_to("..")
        server = self.serve(self.site, "--search", "--listing", "--hide", "/a/b")
        self.assertEqual(self.found(server, "/?q=report"), ["private/report", "report.txt"])


class Option(InATree):
    def test_without_it_a_listing_is_the_folder(self):
        server = self.serve(self.site, "--listing")
        self.assertEqual(self.found(server, "/?q=report"), ["a", "private", "report.txt"])
        self.assertNotIn(b"<form", self.fetch(server, "/")[1])

    def test_a_file_has_none(self):
        done = run("serve", self.site / "report.txt", "--search", "-p", "0")
        self.assertEqual((done[0], done[2].count("\n")), (2, 1))
        self.assertIn("--search is for folders", done[2])


if __name__ == "__main__":
    unittest.main()
