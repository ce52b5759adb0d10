"""Folders as archives: what is in them, and what is kept back; under each engine."""

import base64
import io
import os
import subprocess
import tarfile
import unittest
import zipfile
from pathlib import Path

from served import InAFolder, binary, environment, for_each_engine, run, wait_until

AVAILABLE = "libarchive" in run("--version")[1]


class InASite(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        for name, text in (("a/one.txt", "1"), ("a/b/two.txt", "2" * 100_000), ("private/x", "p"), ("top", "t")):
            path = self.site / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="ascii")

    def members(self, server, target, **headers):
        """Names and contents of the files."""
        response, body = self.fetch(server, target, **headers)
        self.assertEqual(response.status, 200)
        return self.members_of(target, body)

    def members_of(self, target, body):
        if target.endswith("zip"):
            with zipfile.ZipFile(io.BytesIO(body)) as archive:
                self.assertIsNone(archive.testzip())
                return {name: archive.read(name) for name in archive.namelist() if not name.endswith("/")}
        with tarfile.open(fileobj=io.BytesIO(body)) as archive:
            return {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}


@unittest.skipUnless(AVAILABLE, "built without libarchive")
@for_each_engine
class Archives(InASite):
    def test_have_all_of_the_folder(self):
        server = self.serve(self.site, "--archive", "--engine", self.engine)
        for kind in ("zip", "tar", "tar.gz"):
            self.assertEqual(self.members(server, f"/a/?archive={kind}"), {"a/one.txt": b"1", "a/b/two.txt": b"2" * 100_000})
        self.assertEqual(self.fetch(server, "/a/?archive=zip", "HEAD")[0].getheader("Content-Type"), "application/zip")
        self.assertIn(b'href="?archive=tar.gz"', self.fetch(server, "/a/")[1])

    def test_have_names_in_utf8(self):
        (self.site / "a" / "b" / "\u00e4").write_text("a", encoding="ascii")
        server = self.serve(self.site, "--archive", "--engine", self.engine)
        for kind in ("zip", "tar"):
            self.assertIn("b/\u00e4", self.members(server, f"/a/b/?archive={kind}"))

    def test_have_names_that_are_not_utf8(self):
        Path(os.fsdecode(os.fsencode(self.site) + b"/a/b/\xff")).write_text("f", encoding="ascii")
        server = self.serve(self.site, "--archive", "--engine", self.engine)
        self.assertEqual(set(self.members(server, "/a/b/?archive=zip")), {"b/%FF", "b/two.txt"})
        self.assertEqual(set(self.members(server, "/a/b/?archive=tar")), {"b/\udcff", "b/two.txt"})

    def test_a_client_that_leaves_holds_nothing(self):
        with (self.site / "a" / "large").open("wb") as large:
            large.truncate(1 << 30)
        server = self.serve(self.site, "--archive", "--engine", self.engine)

        def leave():
            connection = self.connect(server)
            connection.request("GET", "/a/?archive=tar")
            status = connection.getresponse().status
            connection.close()
            return status == 200  # or 503, as long as the server has not noticed that others left

        for _ in range(20):  # more than there may be at a time
            wait_until(leave)
        answers = []
        wait_until(lambda: answers.append(self.fetch(server, "/a/b/?archive=tar")) or answers[-1][0].status == 200)
        self.assertEqual(self.members_of("tar", answers[-1][1]), {"b/two.txt": b"2" * 100_000})


@unittest.skipUnless(AVAILABLE, "built without libarchive")
class Loaded(InASite):
    def maps(self, server):
        return Path(f"/proc/{server.process.pid}/maps").read_text(encoding="utf-8")

    def test_it_is_there_where_it_is_asked_for_alone(self):
        self.assertNotIn("libarchive", self.maps(self.serve(self.site)))
        self.assertIn("libarchive", self.maps(self.serve(self.site, "--archive")))

    def test_one_that_cannot_be_loaded_is_named(self):
        (self.top / "libarchive.so.13").touch()
        done = subprocess.run([binary(), "serve", self.site, "--archive", "-p", "0"], capture_output=True, text=True, check=False,
                              env=environment() | {"LD_LIBRARY_PATH": str(self.top)})
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1), done)
        self.assertRegex(done.stderr, r"--archive: .*libarchive\.so\.13.*; install libarchive13")


@unittest.skipUnless(AVAILABLE, "built without libarchive")
class KeptBack(InASite):
    def test_networks(self):
        server = self.serve(self.site, "--archive", "--deny", "/private: 127.0.0.1", "--deny", "/a/b/*.txt: 0.0.0.0/0")
        self.assertEqual(set(self.members(server, "/?archive=zip")), {"files/top", "files/a/one.txt"})
        self.assertEqual(self.fetch(server, "/private/?archive=zip")[0].status, 403)

    @unittest.skipUnless(" crypt" in run("--version")[1], "built without libcrypt")
    def test_passwords(self):
        made = subprocess.run([binary(), "password", "ada"], input="secret\n", capture_output=True, text=True, env=environment(), check=True)
        (self.top / "users").write_text(made.stdout, encoding="ascii")
        server = self.serve(self.site, "--archive", "--auth", f"/private: {self.top}/users")
        ada = {"Authorization": "Basic " + base64.b64encode(b"ada:secret").decode()}
        self.assertEqual(set(self.members(server, "/?archive=zip", **ada)), {"files/top", "files/a/one.txt", "files/a/b/two.txt"})
        self.assertEqual(self.fetch(server, "/private/?archive=zip")[0].status, 401)
        self.assertEqual(self.members(server, "/private/?archive=zip", **ada), {"private/x": b"p"})

    def test_a_rule_for_the_index_page_opens_no_other_file(self):
        (self.site / "a" / "index.html").write_text("page", encoding="ascii")
        server = self.serve(self.site, "--archive", "--deny", "/a: 0.0.0.0/0", "--allow", "/a/index.html: 127.0.0.1")
        self.assertEqual(self.fetch(server, "/a/one.txt")[0].status, 403)
        self.assertEqual(self.members(server, "/a/?archive=zip"), {"a/index.html": b"page"})

    def test_a_rule_for_a_path_below_the_prefix(self):
        server = self.serve(self.site, "--archive", "--prefix", "/docs", "--deny", "/docs/private: 0.0.0.0/0")
        self.assertEqual(self.fetch(server, "/docs/private/x")[0].status, 403)
        self.assertEqual(set(self.members(server, "/docs/?archive=zip")), {"files/top", "files/a/one.txt", "files/a/b/two.txt"})

    def test_hidden_names_links_and_what_a_prefix_leaves(self):
        (self.top / "secret").write_text("s", encoding="ascii")
        (self.site / "a" / "link").symlink_to(self.top / "secret")
        (self.site / "a" / ".env").write_text("e", encoding="ascii")
        server = self.serve(self.site, "--archive", "--hide", "/a/b", "--prefix", "/docs")
        self.assertEqual(self.members(server, "/docs/a/?archive=zip"), {"a/one.txt": b"1"})
        self.assertEqual(self.fetch(server, "/a/?archive=zip")[0].status, 404)

    def test_a_file_has_none(self):
        done = run("serve", self.site / "top", "--archive", "-p", "0")
        self.assertEqual((done[0], done[2].count("\n")), (2, 1))
        self.assertIn("--archive is for folders", done[2])


if __name__ == "__main__":
    unittest.main()
