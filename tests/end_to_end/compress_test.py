"""`weir serve --compress`, seen by curl and by Python's client."""

import gzip
import os
import subprocess
import unittest
from http.client import HTTPConnection
from pathlib import Path

from fields_test import Site
from served import PATIENCE_SECONDS, for_each_engine, run, wait_until

TEXT = "".join(f"line {number} of a page that weir compresses\n" for number in range(200_000)).encode()
SMALL, MIDDLE, LARGE = TEXT[:3_000], TEXT[:200_000], TEXT[:1_000_000]


class CompressedSite(Site):
    def write(self, root, files):
        """Files of long ago: the tag of one that was written just now is weak, and valid for one answer only."""
        super().write(root, files)
        for name in files:
            os.utime(root / name, (1_000_000, 1_000_000))
        return root

    def site(self, *options, **files):
        self.root = self.write(self.folder(), {"small.html": SMALL, "middle.css": MIDDLE, "large.json": LARGE, "tiny.txt": "tiny",
                                               "a.png": b"\x89PNG\r\n\x1a\n" + SMALL, "index.html": "<p>index"} | files)
        return self.serve(self.root, "--compress", *options)

    def curl(self, server, target, *options):
        """What curl has read and decompressed."""
        return subprocess.run(["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", *options, f"{server.url}{target}"],
                              capture_output=True, timeout=PATIENCE_SECONDS, check=True).stdout

    def read(self, server, target):
        return gzip.decompress(self.ask(server, target, "gzip")[1])

    def ask(self, server, target, accepted, method="GET", **headers):
        return self.fetch(server, target, method, Accept_Encoding=accepted, **headers)


@for_each_engine
class EveryEngine(CompressedSite):
    def test_curl_reads_small_and_large_files(self):
        server = self.site("--h2c")
        for target, content in (("small.html", SMALL), ("middle.css", MIDDLE), ("large.json", LARGE)):
            for _ in range(2):
                self.assertEqual(self.curl(server, target, "--compressed"), content)
            self.assertEqual(self.curl(server, target, "--compressed", "--http2-prior-knowledge"), content)
        self.assertEqual(self.curl(server, "large.json"), LARGE)


class Serving(CompressedSite):
    def test_by_what_the_client_accepts(self):
        server = self.site()
        for accepted, coding in (("gzip, deflate, br, zstd", "zstd"), ("br, gzip", "br"), ("gzip", "gzip"), ("gzip;q=0", None),
                                 ("gzip;q=0.1, br;q=0.2", "br"), ("", None), ("identity", None)):
            with self.subTest(accepted=accepted):
                response, body = self.ask(server, "/small.html", accepted)
                self.assertEqual(response.headers["Content-Encoding"], coding)
                self.assertEqual(response.headers["Vary"], "Accept-Encoding")
                self.assertEqual(int(response.headers["Content-Length"]), len(body))
                self.assertEqual(len(body) < len(SMALL) / 2, coding is not None)

    def test_not_what_is_small_or_of_another_type(self):
        server = self.site()
        for target in ("/tiny.txt", "/a.png"):
            response, _ = self.ask(server, target, "gzip")
            self.assertIsNone(response.headers["Content-Encoding"])
            self.assertEqual(response.headers["Vary"], "Accept-Encoding")

    def test_all_for_those_that_refuse_the_file_as_it_is(self):
        server = self.site()
        self.write(self.root, {"app.js": SMALL, "app.js.gz": gzip.compress(SMALL)})
        for target in ("/tiny.txt", "/a.png", "/small.html", "/large.json"):
            for headers in ({}, {"Range": "bytes=0-9"}):
                with self.subTest(target=target, headers=headers):
                    response, body = self.ask(server, target, "gzip, identity;q=0", **headers)
                    self.assertEqual((response.status, response.headers["Content-Encoding"]), (200, "gzip"))
                    self.assertEqual(response.headers["Vary"], "Accept-Encoding")
                    self.assertEqual(gzip.decompress(body), (self.root / target[1:]).read_bytes())
            self.assertEqual(self.ask(server, target, "identity;q=0")[0].headers["Vary"], "Accept-Encoding")
        response, body = self.ask(server, "/app.js", "gzip, identity;q=0", Range="bytes=0-9")
        self.assertEqual((response.status, gzip.decompress(body)), (200, SMALL))

    def test_the_order_the_size_and_the_types_can_be_chosen(self):
        server = self.serve(self.write(self.folder(), {"small.html": SMALL, "a.png": b"\x89PNG" + SMALL}), "--compress=gzip,br",
                            "--compress-min", "2K", "--compress-type", "image/png", "--compress-level", "1", "--compress-cache", "0")
        response, body = self.ask(server, "/a.png", "br, gzip")
        self.assertEqual(response.headers["Content-Encoding"], "gzip")
        self.assertEqual(gzip.decompress(body), b"\x89PNG" + SMALL)
        self.assertIsNone(self.ask(server, "/small.html", "br, gzip")[0].headers["Content-Encoding"])

    def test_conditions_know_the_tags(self):
        server = self.site()
        for target, content in (("/small.html", SMALL), ("/middle.css", MIDDLE), ("/large.json", LARGE)):
            with self.subTest(target=target):
                plain = self.ask(server, target, "identity")[0].headers["ETag"]
                response, body = self.ask(server, target, "gzip")
                tag = response.headers["ETag"]
                self.assertEqual(tag, plain[:-1] + '-gzip"')
                self.assertEqual(gzip.decompress(body), content)
                for given in (tag, f'"x", {tag}', plain):
                    response, body = self.ask(server, target, "gzip", If_None_Match=given)
                    self.assertEqual((response.status, body), (304, b""))
                    self.assertEqual(response.headers["Vary"], "Accept-Encoding")
                self.assertEqual(self.ask(server, target, "br", If_None_Match=tag)[0].status, 200)
                self.assertEqual(self.ask(server, target, "gzip", If_Match=tag)[0].status, 200)
                self.assertEqual(self.ask(server, target, "gzip", If_Match='"x-gzip"')[0].status, 412)

    def test_ranges_are_those_of_the_file(self):
        server = self.site()
        response, body = self.ask(server, "/small.html", "gzip", Range="bytes=10-19")
        self.assertEqual((response.status, body), (206, SMALL[10:20]))
        self.assertIsNone(response.headers["Content-Encoding"])
        self.assertEqual(response.headers["Vary"], "Accept-Encoding")
        tag = self.ask(server, "/small.html", "gzip")[0].headers["ETag"]
        response, body = self.ask(server, "/small.html", "gzip", Range="bytes=10-19", If_Range=tag)
        self.assertEqual((response.status, body), (200, SMALL))

    def test_head_says_what_get_does(self):
        server = self.site()
        for target in ("/small.html", "/middle.css", "/large.json", "/tiny.txt", "/a.png", "/none"):
            for _ in range(2):
                head, body = self.ask(server, target, "gzip", "HEAD")
                self.assertEqual(body, b"")
                got = self.ask(server, target, "gzip")[0]
                for name in ("Content-Encoding", "ETag", "Vary", "Content-Type", "Last-Modified"):
                    self.assertEqual(head.headers[name], got.headers[name], f"{target} {name}")

    def test_precompressed_files_win(self):
        server = self.site(**{"app.js": SMALL})
        self.write(self.root, {"app.js.gz": gzip.compress(b"made before", mtime=0)})
        response, body = self.ask(server, "/app.js", "gzip")
        self.assertEqual((response.headers["Content-Encoding"], gzip.decompress(body)), ("gzip", b"made before"))
        self.assertNotIn("-gzip", response.headers["ETag"])
        for accepted in ("br", "gzip, identity;q=0"):
            self.assertEqual(self.ask(server, "/app.js", accepted)[0].headers["Content-Encoding"], accepted.split(",")[0])

    def test_one_that_refuses_the_file_as_it_is(self):
        server = self.site()
        response, body = self.ask(server, "/tiny.txt", "gzip, identity;q=0")
        self.assertEqual((response.status, gzip.decompress(body)), (200, b"tiny"))
        self.assertEqual(self.ask(server, "/tiny.txt", "identity;q=0")[0].status, 406)

    def test_a_file_that_changes(self):
        server = self.site()
        for content in (SMALL, SMALL[::-1], SMALL[:2000]):
            (self.root / "small.html").write_bytes(content)
            wait_until(lambda content=content: self.read(server, "/small.html") == content)  # the kernel reports changes
            for _ in range(3):
                self.assertEqual(self.read(server, "/small.html"), content)

    def test_listings_and_errors(self):
        server = self.site("--listing")
        for folder, count in (("some", 40), ("many", 1500)):
            (self.root / folder).mkdir()
            for number in range(count):
                (self.root / folder / f"{number}.txt").touch()
            for target in (f"/{folder}/", f"/{folder}/?view=list"):
                plain = self.ask(server, target, "identity")[1]
                for _ in range(2):
                    response, body = self.ask(server, target, "gzip")
                    self.assertEqual(response.headers["Content-Encoding"], "gzip")
                    self.assertEqual(gzip.decompress(body), plain)
        (self.root / "404.html").write_bytes(SMALL)
        response, body = self.ask(server, "/none", "gzip")
        self.assertEqual((response.status, gzip.decompress(body)), (404, SMALL))

    def test_answers_that_set_a_cookie_are_left_alone_unless_asked_for(self):
        cookie = ("--header", "/small.html: Set-Cookie: a=b")
        response, body = self.ask(self.site(*cookie), "/small.html", "gzip")
        self.assertEqual((response.headers["Content-Encoding"], body), (None, SMALL))
        response, body = self.ask(self.site(*cookie, "--compress-cookies"), "/small.html", "gzip")
        self.assertEqual((response.headers["Content-Encoding"], gzip.decompress(body)), ("gzip", SMALL))

    def test_a_file_that_was_written_just_now(self):
        server = self.site()
        for size in (3_000, 300_000):
            (self.root / "new.txt").write_bytes(TEXT[:size])
            for _ in range(3):
                self.assertEqual(self.read(server, "/new.txt"), TEXT[:size])
            (self.root / "new.txt").unlink()
            wait_until(lambda: self.ask(server, "/new.txt", "gzip")[0].status == 404)

    def test_an_application_that_routes_in_the_browser(self):
        server = self.site("--spa", **{"index.html": MIDDLE})
        for target in ("/", "/users/7"):
            response, body = self.ask(server, target, "gzip", Accept="text/html")
            self.assertEqual((response.status, gzip.decompress(body)), (200, MIDDLE))

    def test_no_transform(self):
        server = self.site("--cache-control", "/small.html: no-transform")
        self.assertEqual(self.ask(server, "/small.html", "gzip")[1], SMALL)
        self.assertEqual(self.ask(server, "/middle.css", "gzip")[0].headers["Content-Encoding"], "gzip")

    def test_a_client_that_leaves_and_one_that_reads_slowly(self):
        server = self.site()
        for _ in range(20):
            connection = HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_SECONDS)
            connection.request("GET", "/large.json", headers={"Accept-Encoding": "gzip"})
            connection.sock.close()
        connection = self.connect(server)
        connection.request("GET", "/large.json", headers={"Accept-Encoding": "gzip"})
        response = connection.getresponse()
        body = b""
        while piece := response.read(7_001):
            body += piece
        self.assertEqual(gzip.decompress(body), LARGE)


class Off(CompressedSite):
    def test_nothing_is_compressed_and_nothing_varies(self):
        server = self.serve(self.write(self.folder(), {"small.html": SMALL}))
        response, body = self.ask(server, "/small.html", "gzip")
        self.assertEqual(body, SMALL)
        self.assertIsNone(response.headers["Vary"])

    def test_wrong_use(self):
        for options, message in ((["--compress-level", "3"], "--compress-level needs --compress"),
                                 (["--compress=lzma"], "--compress: 'lzma' is neither gzip, br nor zstd"),
                                 (["--compress", "--compress-level", "10"], "--compress-level: "),
                                 (["--compress", "--compress-type", "text"], "--compress-type: 'text' is not a media type")):
            status, _, error = run("serve", Path(__file__).parent, "-p", "0", *options)
            self.assertEqual(status, 2)
            self.assertIn(message, error)


if __name__ == "__main__":
    unittest.main()
