"""What the validators of a file (ETag, Last-Modified) say when it is deployed again, copied, or changed behind the server's back."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from served import EndToEnd, for_each_engine, wait_until

# A file that the cache holds in memory, one that it hashes at its descriptor, and one that it does not read.
SIZES = {"small.txt": 10, "bundle.js": 100_000, "film.mp4": 1_100_000}
HASHED = ("small.txt", "bundle.js")
LONG_AGO = 1_234_567_890 * 10**9 + 987_654_321  # nanoseconds
EPOCH_DATE = "Thu, 01 Jan 1970 00:00:01 GMT"


def content(name, letter="a"):
    return letter.encode() * SIZES[name]


def set_time(path, nanoseconds):
    os.utime(path, ns=(nanoseconds, nanoseconds))


class Validators(EndToEnd):
    def folder(self, letter="a", time=LONG_AGO):
        """Each file has a second name: weir then looks at it for each request, and nothing depends on when a change is reported."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = Path(folder.name) / "root"
        root.mkdir()
        for name in SIZES:
            (root / name).write_bytes(content(name, letter))
            set_time(root / name, time)
            os.link(root / name, root / f".{name}")
        return root

    def tag(self, server, name, method="HEAD", **headers):
        """Once the file has settled. Before, each answer has a tag of its own."""
        found = [None]

        def has_settled():
            found.append(self.fetch(server, f"/{name}", method, **headers)[0].headers["ETag"])
            return found[-1] == found[-2] and found[-1].startswith('"')

        wait_until(has_settled)
        return found[-1]

    def tags(self, server):
        return {name: self.tag(server, name) for name in SIZES}


def rewrite(path, data):
    before = path.stat()
    path.write_bytes(data)
    set_time(path, before.st_mtime_ns)


def write_manifest(root, before=""):
    """Waits for the clock of files to move on: before, a manifest says nothing."""
    manifest, beside = root / "SHA256SUMS", root.with_name("beside")
    sums = subprocess.run(["sha256sum", *SIZES], cwd=root, check=True, capture_output=True, text=True).stdout
    manifest.write_text(before + sums)

    def clock():
        beside.write_text("")
        return beside.stat().st_ctime_ns

    wait_until(lambda: clock() > manifest.stat().st_ctime_ns + 50_000_000)


def replace(path, data):
    beside = path.with_suffix(".new")
    beside.write_bytes(data)
    set_time(beside, path.stat().st_mtime_ns)
    beside.replace(path)
    os.link(path, beside)
    beside.replace(path.with_name(f".{path.name}"))


class Changing(Validators):
    def see(self, server, name, known):
        """The content of an answer: its tag may name no other."""
        response, body = self.fetch(server, f"/{name}")
        tag = response.headers["ETag"].removeprefix("W/")
        self.assertEqual(known.setdefault(tag, body[:1]), body[:1], f"{name}: {tag} names two contents")
        return body

    def check(self, change, *options):
        root = self.folder()
        server = self.serve(root, *options)
        for name in SIZES:
            with self.subTest(name=name, options=options):
                known = {}
                self.tag(server, name)
                self.see(server, name, known)
                change(root / name, content(name, "b"))
                for _ in range(3):
                    self.assertEqual(self.see(server, name, known), content(name, "b"))
                self.tag(server, name)
                for _ in range(3):
                    self.assertEqual(self.see(server, name, known), content(name, "b"))
                self.assertGreaterEqual(len(known), 2)


@for_each_engine
class WhileItRuns(Changing):
    """No tag names two contents, whichever worker answers."""

    def test_a_file_that_is_rewritten_and_gets_its_time_back(self):
        self.check(rewrite)

    def test_a_file_that_is_replaced_by_one_of_the_same_time_and_size(self):
        self.check(replace)


class Deployed(Changing):
    def test_with_other_tags(self):
        for option in ("content", "inode"):
            self.check(rewrite, "--etag", option)
            self.check(replace, "--etag", option)

    def test_a_file_that_is_rewritten_all_the_time(self):
        root = self.folder()
        server, known = self.serve(root), {}
        for number in range(40):
            (root / "small.txt").write_bytes(bytes([65 + number]) * 10)
            self.see(server, "small.txt", known)

    def test_a_mode_changes_nothing(self):
        root = self.folder()
        server = self.serve(root)
        before = {name: self.tag(server, name) for name in HASHED}
        for name in HASHED:
            (root / name).chmod(0o600)
        self.assertEqual({name: self.tag(server, name) for name in HASHED}, before)

    def test_a_deployment_of_the_same_files_changes_nothing(self):
        root = self.folder()
        current = root.with_name("current")
        current.symlink_to(root)
        server = self.serve(current)
        before = {name: self.tag(server, name) for name in HASHED}
        again = root.with_name("again")
        shutil.copytree(root, again)  # with the times
        (again / "new.txt").write_text("new")
        beside = current.with_name("beside")
        beside.symlink_to(again)
        beside.replace(current)
        wait_until(lambda: self.fetch(server, "/new.txt")[0].status == 200)
        self.assertEqual({name: self.tag(server, name) for name in HASHED}, before)



class Tags(Validators):
    def test_are_the_same_on_another_machine(self):
        here = self.folder()
        there = here.with_name("copy")
        shutil.copytree(here, there)
        before = self.tags(self.serve(here))
        self.assertEqual(self.tags(self.serve(there)), before)
        for name in SIZES:
            (here / name).chmod(0o600)
        self.assertEqual(self.tags(self.serve(here)), before, "after chmod and a new start")
        for name in SIZES:
            set_time(here / name, LONG_AGO + 1)
        after = self.tags(self.serve(here))
        self.assertEqual({name for name in SIZES if after[name] == before[name]}, set(), "a nanosecond later")

    def test_by_content_are_of_nothing_else(self):
        here, there = self.folder(), self.folder(time=LONG_AGO + 5 * 10**9)
        one, other = (self.tags(self.serve(root, "--etag", "content")) for root in (here, there))
        self.assertEqual({name for name in SIZES if one[name] == other[name]}, set(HASHED))
        changed = self.tags(self.serve(self.folder("b"), "--etag", "content"))
        self.assertEqual({name for name in HASHED if one[name] == changed[name]}, set())

    def test_a_manifest_gives_large_files_one_tag(self):
        options = ("--etag", "content", "--etag-manifest", "SHA256SUMS")
        here, there, other = self.folder(), self.folder(time=LONG_AGO + 5 * 10**9), self.folder("b")
        for root in (here, there, other):
            write_manifest(root)
        one, again, another = (self.serve(root, *options) for root in (here, there, other))
        tags = self.tags(one)
        self.assertEqual(self.tags(again), tags)
        self.assertEqual({name for name, tag in self.tags(another).items() if tag == tags[name]}, set())
        rewrite(here / "film.mp4", content("film.mp4", "b"))
        self.assertNotIn(self.tag(one, "film.mp4"), (tags["film.mp4"], self.tag(another, "film.mp4")))
        write_manifest(here)
        self.assertEqual(self.tag(one, "film.mp4"), self.tag(another, "film.mp4"))

    def test_a_manifest_of_one_of_two_sites(self):
        root = self.folder()
        write_manifest(root)
        config = root.with_name("weir.toml")
        config.write_text("".join(f'[[site]]\nhost = "{host}"\nroot = "root"\netag = "content"\n{more}' for host, more in (
            ("a.example", 'etag-manifest = "SHA256SUMS"\n'), ("b.example", ""))))
        server = self.start("serve", "--port", "0", "--config", config).wait_for_banner()
        one, other = (self.tag(server, "film.mp4", Host=host) for host in ("a.example", "b.example"))
        self.assertEqual(one, self.tag(self.serve(root, "--etag", "content", "--etag-manifest", "SHA256SUMS"), "film.mp4"))
        self.assertNotEqual(one, other)

    def test_lines_of_a_manifest_that_are_wrong_are_named_once(self):
        root = self.folder()
        write_manifest(root, "wrong\n")
        server = self.serve(root, "--etag", "content", "--etag-manifest", "SHA256SUMS")
        for _ in range(2):
            self.tag(server, "film.mp4")
            (root / "film.mp4").chmod(0o600)
        server.stop()
        said = [line for line in server.lines if "SHA256SUMS" in line]
        self.assertEqual(said, [f"weir: warning: {root}/SHA256SUMS:1: it does not begin with a hash, as sha256sum writes it; the line is ignored"])

    def test_by_inode_are_of_this_machine(self):
        here = self.folder()
        there = here.with_name("copy")
        shutil.copytree(here, there)
        one, other = (self.tags(self.serve(root, "--etag", "inode")) for root in (here, there))
        self.assertEqual({name for name in SIZES if one[name] == other[name]}, set())

    def test_of_sidecars_are_their_own(self):
        root = self.folder()
        for suffix in (".gz", ".br", ".zst"):
            shutil.copy2(root / "small.txt", root / f"small.txt{suffix}")  # the same bytes, time and size
        for option in ("mtime", "content", "inode"):
            server = self.serve(root, "--etag", option)
            tags = {self.tag(server, "small.txt", Accept_Encoding=coding) for coding in ("identity", "gzip", "br", "zstd")}
            self.assertEqual(len(tags), 4, option)

    def test_are_useful(self):
        for option in ("mtime", "content", "inode"):
            server = self.serve(self.folder(), "--etag", option)
            for name, tag in self.tags(server).items():
                with self.subTest(option=option, name=name):
                    self.assertEqual(self.fetch(server, f"/{name}", If_None_Match=tag)[0].status, 304)
                    self.assertEqual(self.fetch(server, f"/{name}", If_None_Match=f"W/{tag}")[0].status, 304)
                    self.assertEqual(self.fetch(server, f"/{name}", Range="bytes=0-3", If_Range=tag)[0].status, 206)
                    self.assertEqual(self.fetch(server, f"/{name}", Range="bytes=0-3", If_Range=f"W/{tag}")[0].status, 200)


@for_each_engine
class Sidecars(Validators):
    def test_one_that_is_too_old_is_named(self):
        root = self.folder()
        for suffix, age in ((".gz", 3 * 10**9), (".br", 2 * 10**9)):
            (root / f"small.txt{suffix}").write_text(suffix)
            set_time(root / f"small.txt{suffix}", LONG_AGO - age)
        server = self.serve(root, "--verbose", "--access-log", "off")
        for _ in range(4):
            self.assertEqual(self.fetch(server, "/small.txt", Accept_Encoding="br")[1], b".br")
            self.assertEqual(self.fetch(server, "/small.txt", Accept_Encoding="gzip")[1], content("small.txt"))
        server.stop()
        said = [line for line in server.lines if "is older than" in line]
        self.assertEqual(said, ["weir: /small.txt.gz is not sent, because it is older than /small.txt; compress that again"])


class SidecarsInSilence(Validators):
    def test_none_is_named_without_verbose(self):
        root = self.folder()
        (root / "small.txt.gz").write_text("old")
        set_time(root / "small.txt.gz", LONG_AGO - 3 * 10**9)
        server = self.serve(root)
        self.fetch(server, "/small.txt")
        server.stop()
        self.assertNotIn("is older than", "".join(server.lines))


class WithoutADate(Validators):
    def test_the_content_decides(self):
        for time in (0, 1):
            one, again, other = (self.folder(letter, time * 10**9) for letter in "aab")
            server, second, third = (self.serve(root) for root in (one, again, other))
            for name in SIZES:
                with self.subTest(name=name, time=time):
                    tag = self.tag(server, name)
                    self.assertNotEqual(self.tag(third, name), tag, "another content of the same size")
                    if name in HASHED:
                        self.assertEqual(self.tag(second, name), tag)
                    self.assertEqual(self.fetch(server, f"/{name}", If_None_Match=tag)[0].status, 304)

    def test_there_is_no_last_modified(self):
        server = self.serve(self.folder(time=10**9), "--listing")
        for name in SIZES:
            with self.subTest(name=name):
                response, _ = self.fetch(server, f"/{name}", "HEAD")
                self.assertNotIn("Last-Modified", response.headers)
                self.assertEqual(self.fetch(server, f"/{name}", If_Modified_Since=EPOCH_DATE)[0].status, 200)
                self.assertEqual(self.fetch(server, f"/{name}", If_Unmodified_Since="Thu, 01 Jan 1970 00:00:00 GMT")[0].status, 200)
                self.assertEqual(self.fetch(server, f"/{name}", Range="bytes=0-3", If_Range=EPOCH_DATE)[0].status, 200)
        _, page = self.fetch(server, "/")
        self.assertNotIn(b"1970", page)
        self.assertIn(b"film.mp4", page)
        entries = json.loads(self.fetch(server, "/", Accept="application/json")[1])["entries"]
        self.assertEqual({entry["modified"] for entry in entries}, {None})


if __name__ == "__main__":
    unittest.main()
