"""Two servers with equal files: their entity tags are equal, and one validates what the other one has sent."""

import os
import shutil
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from served import EndToEnd

FILES = {"small.txt": b"hello", "page.html": b"<p>" + b"x" * 50_000, "large.bin": b"x" * 2_000_000, "small.txt.gz": b"not really gzip"}


class ContentTags(EndToEnd):
    def setUp(self):
        super().setUp()
        place = TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.sites = Path(place.name, "one"), Path(place.name, "two")
        self.sites[0].mkdir()
        for name, content in FILES.items():
            path = self.sites[0] / name
            path.write_bytes(content)
            os.utime(path, (1_700_000_000, 1_700_000_000))
        shutil.copytree(self.sites[0], self.sites[1])  # with their times

    def tag(self, server, name, **fields):
        response, _ = self.fetch(server, f"/{name}", **fields)
        self.assertEqual(response.status, 200)
        return response.headers["ETag"]

    def test_equal_files_have_equal_tags(self):
        one, two = (self.serve(site, "--content-tags") for site in self.sites)
        for name in FILES:
            with self.subTest(name):
                tag = self.tag(one, name)
                self.assertEqual(self.tag(two, name), tag)
                response, _ = self.fetch(two, f"/{name}", If_None_Match=tag)
                self.assertEqual(response.status, 304)
        self.assertEqual(self.tag(one, "small.txt", Accept_Encoding="gzip"), self.tag(two, "small.txt.gz"))

    def test_another_content_has_another_tag(self):
        server = self.serve(self.sites[0], "--content-tags")
        before = self.tag(server, "page.html")
        path = self.sites[0] / "page.html"
        times = path.stat().st_mtime_ns
        path.write_bytes(FILES["page.html"].replace(b"x", b"y", 1))
        os.utime(path, ns=(times, times))
        after = self.tag(server, "page.html")
        self.assertNotEqual(after, before)
        self.assertEqual(self.fetch(server, "/page.html", If_None_Match=before)[0].status, 200)

    def test_without_the_option_each_disk_has_its_own(self):
        one, two = (self.serve(site) for site in self.sites)
        self.assertNotEqual(self.tag(one, "small.txt"), self.tag(two, "small.txt"))


if __name__ == "__main__":
    unittest.main()
