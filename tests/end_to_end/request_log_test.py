"""The log of requests has the lines and the fields that its options ask for, under every engine."""

import json
import re
import subprocess
import unittest
from pathlib import Path
from tempfile import TemporaryDirectory

from served import SITE, SOURCE, EndToEnd, binary, for_each_engine, wait_until


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


class Documents(unittest.TestCase):
    def test_they_have_the_fields_of_the_help(self):
        page = " ".join(subprocess.run([binary(), "serve", "--help-all"], capture_output=True, text=True, check=True).stdout.split())
        names = re.search(r"braces, such as '.*?', of (.*?) \(default", page)[1]
        serve = (SOURCE / "docs" / "serve.md").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r"^\| `\{([\w:]+)\}` \|", serve, re.MULTILINE), re.split(", | and ", names))


if __name__ == "__main__":
    unittest.main()
