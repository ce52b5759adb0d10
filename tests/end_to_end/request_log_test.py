"""The log of requests has the lines and the fields that its options ask for, under every engine."""

import contextlib
import json
import re
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from served import SITE, SOURCE, EndToEnd, binary, for_each_engine, wait_until


# The log is written by a thread, by one of each worker process, or by the process of a connection.
WRITERS = ("per-core", "io-uring", "thread-pool", "prefork", "fork-per-connection")


class WithLog(EndToEnd):
    def setUp(self):
        holder = TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.log = Path(holder.name) / "log"

    def serve_logged(self, *options):
        return self.serve(SITE, "--access-log", self.log, *options)

    def lines(self):
        return self.log.read_text(encoding="ascii").splitlines()

    def lines_at(self, count):
        wait_until(lambda: len(self.lines()) >= count)
        return self.lines()


@for_each_engine
class Chosen(WithLog):
    def test_a_format_of_the_user(self):
        own = '{remote} {method} {path} {status} {bytes} "{header:x-test}" {header:x-test}'
        server = self.serve_logged("--access-log-format", own)
        connection = self.connect(server)
        connection.request("GET", "/none?q", headers={"X-Test": 'a" b\\'})
        size = len(connection.getresponse().read())
        self.assertEqual(self.lines_at(1), [f'127.0.0.1 GET /none 404 {size} "a\\x22 b\\x5c" a\\x22\\x20b\\x5c'])

    def test_some_paths_are_left_out(self):
        server = self.serve_logged("--log-skip", "/index.html", "--log-skip", "/none/*")
        for path in ("/index.html", "/none/a", "/%69ndex.html", "/index.html?kept=no", "/kept"):
            self.fetch(server, path)
        self.assertRegex(self.lines_at(1)[0], '"GET /kept HTTP/1.1" 404 ')
        self.assertEqual(len(self.lines()), 1)

    def test_one_in_so_many(self):
        server = self.serve_logged("--log-sample", "3", "--access-log-format", "json")
        for _ in range(6):
            self.fetch(server, "/index.html")
        self.fetch(server, "/none")
        lines = [json.loads(line) for line in self.lines_at(3)]
        self.assertEqual(sorted((line["status"], line.get("sample")) for line in lines), [(200, 3), (200, 3), (404, None)])


@for_each_engine
class Rotated(WithLog):
    """Each line has more than 128 bytes, so a file of 1 KB has at most seven of them."""

    def setUp(self):
        super().setUp()
        if self.engine not in WRITERS:
            self.skipTest("another engine writes its log in the same way")

    def texts(self):
        """By name. A file may be renamed meanwhile."""
        texts = {}
        for path in [self.log, *(Path(f"{self.log}.{number}") for number in range(1, 9))]:
            with contextlib.suppress(FileNotFoundError, IsADirectoryError):
                texts[path.name] = path.read_text(encoding="ascii")
        return texts

    def numbers(self):
        return [int(number) for text in self.texts().values() for number in re.findall(r"/none\?(\d+)", text)]

    def ask(self, server, numbers):
        """The log writes up to three lines at once."""
        for first in numbers[::3]:
            three = [number for number in numbers if first <= number < first + 3]
            for number in three:
                self.fetch(server, f"/none?{number}", user_agent="x" * 60)
            wait_until(lambda three=three: set(three) <= set(self.numbers()))

    def test_the_log_is_rotated(self):
        server = self.serve_logged("--access-log-rotate", "1K", "--access-log-keep", "3")
        self.ask(server, range(20))
        self.assertIn("log.2", self.texts())
        self.assertEqual(sorted(self.numbers()), list(range(20)))
        # Its processes look at the size when a connection comes, so the lines of three that are under way may follow.
        size_max = 1024 + 3 * 160 if self.engine == "fork-per-connection" else 1024
        self.assertEqual([name for name, text in self.texts().items() if len(text) > size_max], [])
        self.ask(server, range(20, 44))
        self.assertEqual(list(self.texts()), ["log", "log.1", "log.2", "log.3"])
        self.assertNotIn(0, self.numbers())
        self.log.rename(f"{self.log}.moved")
        self.fetch(server, "/after")
        wait_until(lambda: self.log.exists() and "/after" in self.log.read_text(encoding="ascii"))

    def test_a_file_that_cannot_be_renamed_is_told(self):
        server = self.serve_logged("--access-log-rotate", "1K", "--access-log-keep", "1")
        Path(f"{self.log}.1").mkdir()
        self.ask(server, range(12))
        server.wait_for_line("cannot be rotated: ")
        self.assertEqual(sorted(self.numbers()), list(range(12)))


class Documents(unittest.TestCase):
    def test_they_have_the_fields_of_the_help(self):
        page = " ".join(subprocess.run([binary(), "serve", "--help-all"], capture_output=True, text=True, check=True).stdout.split())
        names = re.search(r"braces, such as '.*?', of (.*?) \(default", page)[1]
        serve = (SOURCE / "docs" / "serve.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\| `\{([\w:]+)\}` \|", serve, re.MULTILINE), re.split(", | and ", names))


if __name__ == "__main__":
    unittest.main()
