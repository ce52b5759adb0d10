"""curl, nghttp and h2load speak HTTP/2 with every engine: files, ranges, uploads, many streams, the log, the stop."""

import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from served import PATIENCE_SECONDS, SITE, EndToEnd, for_each_engine
from site_files import site_files

FILE = "images/water.bmp"
CONTENT = (SITE / FILE).read_bytes()
CURL = ("curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--http2-prior-knowledge")


def has_http2(program):
    if not shutil.which(program):
        return False
    return program != "curl" or "HTTP2" in subprocess.run(["curl", "--version"], capture_output=True, text=True, check=True).stdout


class Client(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, *arguments):
        done = subprocess.run(arguments, cwd=self.folder, capture_output=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr.decode(errors="replace"))
        return done.stdout


@for_each_engine
@unittest.skipUnless(has_http2("curl"), "this curl has no HTTP/2")
class Curl(Client):
    def setUp(self):
        super().setUp()
        self.server = self.serve(SITE, "--h2c")

    def curl(self, *arguments, target=FILE):
        return self.command(*CURL, *arguments, f"{self.server.url}{target}")

    def test_files_of_all_sizes(self):
        """Each on its own connection: curl 7.88 can't use one twice that it opened with prior knowledge."""
        by_size = sorted(site_files().items(), key=lambda file: len(file[1]))
        for target, content in (by_size[0], by_size[len(by_size) // 2], by_size[-1]):
            self.assertEqual(self.curl("--write-out", "%{http_version}", target=target[1:]), content + b"2")

    def test_a_range_a_head_and_a_date(self):
        self.assertEqual(self.curl("--range", "100-199"), CONTENT[100:200])
        self.assertIn(f"content-length: {len(CONTENT)}\r\n".encode(), self.curl("--head"))
        self.assertEqual(self.curl("--time-cond", str(SITE / FILE), "--write-out", "%{http_code} %{size_download}"), b"304 0")

    def test_an_upload_that_nobody_wants_gets_its_answer(self):
        (self.folder / "upload").write_bytes(b"u" * 3_000_000)
        told = subprocess.run([*(word for word in CURL if word != "--fail"), "--output", "/dev/null", "--data-binary", "@upload",
                               "--write-out", "%{http_code}", self.server.url],
                              cwd=self.folder, capture_output=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(told.stdout, b"405", told.stderr)

    def test_http1_beside_it(self):
        self.assertEqual(self.curl("--http1.1", "--write-out", "%{http_version}", "--output", "a"), b"1.1")


class Echo(Client):
    @unittest.skipUnless(has_http2("curl"), "this curl has no HTTP/2")
    def test_content_in_both_directions(self):
        server = self.start("target", "--port", "0", "--h2c", "--engine", self.engine).wait_for_banner()
        (self.folder / "upload").write_bytes(CONTENT[:900_000])
        self.assertEqual(self.command(*CURL, "--data-binary", "@upload", f"{server.url}echo"), CONTENT[:900_000])
        self.assertEqual(len(self.command(*CURL, f"{server.url}stream?bytes=5M")), 5 * 1024 * 1024)


class Log(Client):
    @unittest.skipUnless(has_http2("curl"), "this curl has no HTTP/2")
    def test_the_protocol_is_named(self):
        log = self.folder / "log"
        server = self.serve(SITE, "--h2c", "--access-log", log, "--access-log-format", "json")
        self.command(*CURL, "--output", "a", server.url)
        self.command(*CURL, "--http1.1", "--output", "a", server.url)
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        self.assertEqual(sorted(line["protocol"] for line in lines), ["HTTP/1.1", "HTTP/2.0"])  # two workers log in any order
        self.assertEqual({line["outcome"] for line in lines}, {"sent"})


@for_each_engine
@unittest.skipUnless(has_http2("h2load"), "h2load is missing (nghttp2-client)")
class Load(Client):
    def test_1_32_and_100_streams_without_an_error(self):
        server = self.serve(SITE, "--h2c")
        # Under `blocking`, clients give way to those that wait. h2load counts as failed what GOAWAY
        # refuses; the contract has a client that sends it again.
        clients = "1" if self.engine == "blocking" else "4"
        for streams in (1, 32, 100):
            said = self.command("h2load", "-n", "2000", "-c", clients, "-m", str(streams), server.url + FILE).decode()
            counted = re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", said)
            self.assertEqual([int(number) for number in counted.groups()], [2000, 0, 0, 0], said)

    def test_nghttp_gets_a_page_and_its_links(self):
        server = self.serve(SITE, "--h2c")
        said = self.command("nghttp", "--null-out", "--stat", "--get-assets", server.url).decode()
        self.assertNotIn(" 404 ", said)
        self.assertGreater(said.count(" 200 "), 1, said)


if __name__ == "__main__":
    if not has_http2("curl") and not has_http2("h2load"):
        print("neither curl with HTTP/2 nor h2load is there")
        sys.exit(77)
    unittest.main()
