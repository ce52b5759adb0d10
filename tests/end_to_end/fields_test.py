"""What the options for headers, media types, CORS and clean URLs do to answers, seen by curl and by Python's client."""

import gzip
import subprocess
import tempfile
import unittest
from pathlib import Path

from served import PATIENCE_SECONDS, EndToEnd, for_each_engine

PLAIN = "text/plain; charset=utf-8"


class Site(EndToEnd):
    """A folder of the test's own."""

    def folder(self, **files):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return self.write(Path(folder.name), {name.replace("_", "."): content for name, content in files.items()})

    def write(self, root, files):
        for name, content in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        return root


class MediaTypes(Site):
    def test_source_code_is_text(self):
        names = """a.rs a.ts a.tsx a.go a.py a.sh a.diff a.patch a.toml a.yaml a.md LICENSE Makefile Dockerfile README a.c a.java
                   a.sql a.lock a.vue .gitignore a.csv a.unheard-of""".split()
        root = self.write(self.folder(), dict.fromkeys(names, "<script>alert(1)</script> ü\n"))
        server = self.serve(root, "--dotfiles")
        for name in names:
            with self.subTest(name=name):
                response, _ = self.fetch(server, f"/{name}")
                self.assertEqual(response.headers["Content-Type"], PLAIN)
                self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")

    def test_binary_and_large_files_are_told_by_their_first_bytes(self):
        root = self.write(self.folder(), {"core": b"\x7fELF\x02\0", "large": b"x" * 1_000_000, "large.ts": b"\0" * 1_000_000})
        server = self.serve(root)
        for name, media_type in (("core", "application/octet-stream"), ("large", PLAIN), ("large.ts", "application/octet-stream")):
            self.assertEqual(self.fetch(server, f"/{name}", "HEAD")[0].headers["Content-Type"], media_type)

    def test_have_the_names_of_the_registry(self):
        types = {"a.tgz": "application/gzip", "a.flac": "audio/flac", "a.vcf": "text/vcard; charset=utf-8", "a.mkv": "video/matroska"}
        server = self.serve(self.write(self.folder(), dict.fromkeys(types, "x")))
        for name, media_type in types.items():
            self.assertEqual(self.fetch(server, f"/{name}")[0].headers["Content-Type"], media_type)

    def test_a_compressed_image_says_its_coding(self):
        image = gzip.compress(b"<svg/>")
        server = self.serve(self.write(self.folder(), {"a.svgz": image, "plain.svgz": b"<svg/>"}))
        response, body = self.fetch(server, "/a.svgz", Accept_Encoding="gzip")
        self.assertEqual((response.headers["Content-Type"], response.headers["Content-Encoding"], body), ("image/svg+xml", "gzip", image))
        response, body = self.fetch(server, "/plain.svgz", Accept_Encoding="gzip")
        self.assertEqual((response.headers["Content-Type"], response.headers["Content-Encoding"], body), ("image/svg+xml", None, b"<svg/>"))

    def test_may_be_chosen(self):
        root = self.folder(a_foo="x", b_foo="x")
        server = self.serve(root, "--media-type", "*.foo: application/x-foo", "--media-type", "/b.foo: text/html")
        self.assertEqual(self.fetch(server, "/a.foo")[0].headers["Content-Type"], "application/x-foo")
        self.assertEqual(self.fetch(server, "/b.foo")[0].headers["Content-Type"], "text/html; charset=utf-8")


@for_each_engine
class Headers(Site):
    def test_reach_every_answer_of_the_site(self):
        root = self.folder(a_txt="text")
        (root / "docs").mkdir()
        server = self.serve(root, "--header", "/**: X-A: 1", "--header", "/**: Vary: Accept-Language",
                            "--cache-control", "/**: max-age=31536000, immutable")
        for target, method, status, headers in (
                ("/a.txt", "GET", 200, {}), ("/a.txt", "HEAD", 200, {}), ("/a.txt", "GET", 206, {"Range": "bytes=0-1"}),
                ("/a.txt", "GET", 304, {"If_None_Match": "*"}), ("/docs", "GET", 301, {}), ("/none", "GET", 404, {}),
                ("/a.txt", "DELETE", 405, {}), ("/a.txt", "GET", 412, {"If_Match": '"x"'}), ("/a.txt", "GET", 416, {"Range": "bytes=9-"}),
                ("/a.txt", "BREW", 501, {}), ("/a.txt", "OPTIONS", 204, {})):
            with self.subTest(method=method, status=status):
                response, _ = self.fetch(server, target, method, **headers)
                self.assertEqual(response.status, status)
                self.assertEqual(response.headers["X-A"], "1")
                self.assertEqual(response.headers["Vary"], "Accept-Language")
                self.assertEqual("immutable" in response.headers.get("Cache-Control", ""), status in (200, 206, 304))


class Lists(Site):
    """A field that weir sends already is added to."""

    def test_a_link_is_added_to_those_of_a_listing(self):
        root = self.write(self.folder(), {f"{number}.txt": "x" for number in range(1001)})
        added = ["</style,1.css>; rel=preload; as=style", "</app.js>; rel=modulepreload"]
        server = self.serve(root, *(f"--header=/**: Link: {link}" for link in added))
        for accept in ("text/html", "application/json"):
            links = self.fetch(server, "/", Accept=accept)[0].headers.get_all("Link")
            self.assertIn('<?page=2>; rel="next"', links[0])
            self.assertEqual(links[1:], added)
        self.assertEqual(self.fetch(server, "/0.txt")[0].headers.get_all("Link"), added)

    def test_pages_may_read_more(self):
        server = self.serve(self.folder(a_txt="text"), "--cors", "--header", "/**: Access-Control-Expose-Headers: X-Mine")
        exposed = self.fetch(server, "/a.txt")[0].headers.get_all("Access-Control-Expose-Headers")
        self.assertRegex(", ".join(exposed), "ETag.*, X-Mine$")


@for_each_engine
class Pages(Site):
    def test_are_asked_for_each_time(self):
        root = self.write(self.folder(), {"index.html": "page", "kept.html": "page", "bare.html": "page", "app.3f9a2c1d.js": "1"})
        server = self.serve(root, "--cache-control", "kept.html: max-age=60", "--header", "bare.html: Cache-Control:")
        for target, control in (("/", "no-cache"), ("/index.html", "no-cache"), ("/kept.html", "max-age=60"), ("/bare.html", None),
                                ("/app.3f9a2c1d.js", None), ("/missing", None)):
            with self.subTest(target=target):
                self.assertEqual(self.fetch(server, target)[0].headers["Cache-Control"], control)
                self.assertEqual(self.fetch(server, target, If_None_Match="*")[0].headers["Cache-Control"], control)


class CleanUrls(Site):
    def test_lead_to_the_one_address_of_a_page(self):
        root = self.write(self.folder(), {"index.html": "root", "about.html": "about", "docs/index.html": "docs"})
        server = self.serve(root, "--clean-urls")
        for asked, address, content in (("about.html?a=1", "about?a=1", "about"), ("about/?a=1", "about?a=1", "about"), ("about", "about", "about"),
                                        ("index.html", "", "root"), ("docs/index.html", "docs/", "docs"), ("docs", "docs/", "docs")):
            with self.subTest(asked=asked):
                done = subprocess.run(["curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--location", "--max-redirs", "1",
                                       "--write-out", " %{url_effective}", f"{server.url}{asked}"],
                                      capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
                self.assertEqual(done.stdout, f"{content} {server.url}{address}")


if __name__ == "__main__":
    unittest.main()
