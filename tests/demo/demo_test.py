#!/usr/bin/env python3
"""`./run demo`, as README has it, in a fresh clone of HEAD with an empty build tree: the page comes at the address that the banner names.

The port is a free one (WEIR_PORT=0). `.ci/run` runs this test, and not ctest, since it builds all of weir."""

import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
BANNER = re.compile(r"http://127\.0\.0\.1:\d+/")


class Demo(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clone = Path(folder.name) / "weir"
        subprocess.run(["git", "clone", "--quiet", str(SOURCE), str(self.clone)], check=True)
        self.typed = self.command_of_readme()

    def command_of_readme(self) -> list[str]:
        """The first command of the first block."""
        block = re.search(r"(?s)```sh\n(.*?)```", (self.clone / "README.md").read_text(encoding="utf-8"))
        self.assertIsNotNone(block)
        return block[1].splitlines()[0].split("#")[0].split()

    def start(self) -> None:
        """In a session of its own, so that all that it starts can be ended."""
        self.process = subprocess.Popen(self.typed, cwd=self.clone, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                                        env=os.environ | {"WEIR_PORT": "0"}, start_new_session=True)
        self.addCleanup(self.process.stdout.close)
        self.addCleanup(self.end_all)

    def end_all(self) -> None:
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def url_of_banner(self) -> str:
        for line in self.process.stdout:
            if found := BANNER.search(line):
                return found[0]
        self.fail(f"{self.typed} ended with {self.process.wait()}, and named no address")

    def get(self, url: str) -> bytes:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url) as response:
            self.assertEqual(response.status, 200)
            return response.read()

    def test_the_first_command_shows_the_page(self) -> None:
        self.assertEqual(self.typed, ["./run", "demo"])
        began = time.monotonic()
        self.start()
        url = self.url_of_banner()
        print(f"the page came after {time.monotonic() - began:.0f} s", flush=True)
        self.assertEqual(self.get(url), (self.clone / "www" / "index.html").read_bytes())
        self.assertEqual(self.get(url + "architectures.html"), (self.clone / "www" / "architectures.html").read_bytes())
        documents = re.findall(rb'<dt><a href="(docs/[a-z-]+\.md)">', self.get(url + "documents.html"))
        self.assertGreater(len(documents), 10)
        for path in map(bytes.decode, documents):
            self.assertEqual(self.get(url + path), (self.clone / path).read_bytes())
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(), 0)
        self.next_commands_find_the_program()
        self.an_example_starts()

    def an_example_starts(self) -> None:
        """The page of the library names this command, too."""
        self.typed = ["./run", "example", "upload", "127.0.0.1:0", "build"]
        self.assertIn(" ".join(self.typed[:3]), (self.clone / "docs/library.md").read_text(encoding="utf-8"))
        self.start()
        put = urllib.request.Request(self.url_of_banner() + "files/note.txt", data=b"hello", method="PUT")
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(put) as response:
            self.assertEqual(response.status, 201)
        self.assertEqual((self.clone / "build/note.txt").read_bytes(), b"hello")
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(), 0)

    def next_commands_find_the_program(self) -> None:
        said = subprocess.run([self.clone / "build/release/weir", "--version"], capture_output=True, text=True, check=True).stdout
        self.assertRegex(said, r"^weir \d")


if __name__ == "__main__":
    unittest.main()
