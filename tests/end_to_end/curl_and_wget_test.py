"""curl and wget get every page, image, range and 304 right, from every engine."""

import subprocess
import tempfile
import unittest
from pathlib import Path

from served import PATIENCE_SECONDS, SITE, EndToEnd, for_each_engine
from site_files import site_files

FILE = "images/water.bmp"
CONTENT = (SITE / FILE).read_bytes()


class Client(EndToEnd):
    def setUp(self):
        self.server = self.serve()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def command(self, *arguments, status=0):
        done = subprocess.run(arguments, cwd=self.folder, capture_output=True, timeout=PATIENCE_SECONDS, check=False)
        self.assertEqual(done.returncode, status, done.stderr.decode(errors="replace"))
        return done


@for_each_engine
class Curl(Client):
    def curl(self, *arguments, target=FILE):
        return self.command("curl", "--silent", "--show-error", "--noproxy", "*", *arguments, f"{self.server.url}{target}").stdout

    def test_every_file_on_one_connection(self):
        targets = list(site_files())
        wanted = "".join(f'url = "{self.server.url}{target[1:]}"\noutput = "{index}"\n' for index, target in enumerate(targets))
        (self.folder / "wanted").write_text(wanted, encoding="utf-8")
        done = self.command("curl", "--silent", "--show-error", "--fail", "--noproxy", "*", "--config", "wanted", "--write-out", "%{num_connects} ")
        self.assertEqual([int(word) for word in done.stdout.split()], [1] + [0] * (len(targets) - 1))
        for index, content in enumerate(site_files().values()):
            self.assertEqual((self.folder / str(index)).read_bytes(), content)

    def test_a_range(self):
        self.assertEqual(self.curl("--range", "100-199"), CONTENT[100:200])
        self.assertEqual(self.curl("--range", "-7"), CONTENT[-7:])

    def test_a_download_cut_short_is_continued(self):
        (self.folder / "part").write_bytes(CONTENT[:5000])
        self.curl("--continue-at", "-", "--output", "part")
        self.assertEqual((self.folder / "part").read_bytes(), CONTENT)

    def test_an_entity_tag_saves_the_body(self):
        self.curl("--etag-save", "tag", "--output", "first")
        self.assertTrue((self.folder / "tag").read_text(encoding="ascii").strip())
        self.assertEqual(self.curl("--etag-compare", "tag", "--write-out", "%{http_code} %{size_download}"), b"304 0")

    def test_a_date_saves_the_body(self):
        self.assertEqual(self.curl("--time-cond", str(SITE / FILE), "--write-out", "%{http_code} %{size_download}"), b"304 0")

    def test_head(self):
        head = self.curl("--head").decode("ascii").split("\r\n")
        self.assertEqual(head[0], "HTTP/1.1 200 OK")
        self.assertIn(f"content-length: {len(CONTENT)}", [line.lower() for line in head])

    def test_http_1_0_is_answered_and_closed(self):
        self.assertEqual(self.curl("--http1.0"), CONTENT)

    def test_a_missing_page_is_404(self):
        self.assertEqual(self.curl("--write-out", "%{http_code}", "--output", "page", target="nowhere"), b"404")
        self.assertEqual((self.folder / "page").read_bytes(), (SITE / "404.html").read_bytes())


@for_each_engine
class Wget(Client):
    def wget(self, *arguments):
        return self.command("wget", "--no-verbose", "--no-proxy", "--tries=1", *arguments)

    def test_the_site_is_mirrored(self):
        self.wget("--recursive", "--page-requisites", "--no-host-directories", "--directory-prefix=mirror", "-e", "robots=off",
                  "--reject=robots.txt", self.server.url)
        mirror = self.folder / "mirror"
        got = {f"/{path.relative_to(mirror)}": path.read_bytes() for path in mirror.rglob("*") if path.is_file()}
        # The error page stands behind no link, the bitmap is a script's, and wget doesn't look into <source>.
        unlinked = {"/404.html", "/images/water.jpg", "/images/water.bmp", "/images/weir-narrow.svg"}
        wanted = {target: content for target, content in site_files().items() if target not in unlinked}
        self.assertEqual(set(got), set(wanted))
        self.assertEqual([target for target in wanted if got[target] != wanted[target]], [])

    def test_a_file_that_has_not_changed_is_not_fetched_again(self):
        self.wget("--timestamping", f"{self.server.url}{FILE}")
        again = self.wget("--timestamping", "--server-response", f"{self.server.url}{FILE}")
        self.assertIn(b"HTTP/1.1 304", again.stderr)
        self.assertEqual((self.folder / "water.bmp").read_bytes(), CONTENT)

    def test_a_download_cut_short_is_continued(self):
        (self.folder / "water.bmp").write_bytes(CONTENT[:7777])
        done = self.wget("--continue", "--server-response", f"{self.server.url}{FILE}")
        self.assertIn(b"HTTP/1.1 206", done.stderr)
        self.assertEqual((self.folder / "water.bmp").read_bytes(), CONTENT)


if __name__ == "__main__":
    unittest.main()
