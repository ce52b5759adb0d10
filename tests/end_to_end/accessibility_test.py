"""Every kind of page under axe-core, which is not packaged: WEIR_AXE names its axe.min.js (npm pack axe-core), or nothing is tried."""

import os
import sys
import tempfile
from pathlib import Path

from browser import WithBrowser, main
from served import SKIPPED, wait_until

# Rules of WCAG 2.2 A and AA, and what axe counts as good practice.
RUN = """axe.run(document, { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } }).then((result) => ({
  passed: result.passes.map((rule) => rule.id),
  undecided: result.incomplete.map((rule) => rule.id),
  violations: result.violations.map((rule) => `${rule.id}: ${rule.nodes.map((node) => node.html).slice(0, 3).join(' ')}`),
}))"""
VIEWS = [(width, scheme) for width in (1280, 360) for scheme in ("light", "dark")]


class Accessibility(WithBrowser):
    def check(self, url, ready="true"):
        for width, scheme in VIEWS:
            with self.subTest(url=url, width=width, scheme=scheme):
                self.browser.look(width, 800, scheme, phone=width < 500)
                self.browser.open(url)
                wait_until(lambda: self.browser.evaluate(ready))
                self.browser.evaluate(AXE)
                found = self.browser.evaluate(RUN)
                print(f"{url} {width} {scheme}: {len(found['passed'])} rules passed, {len(found['violations'])} violated, undecided {found['undecided']}")
                self.assertEqual(found["violations"], [])
                self.assertIn("color-contrast", found["passed"])

    def folder(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return Path(folder.name)

    def test_listings(self):
        root = self.folder()
        (root / "sub" / "empty").mkdir(parents=True)
        (root / "sub" / "large").mkdir()
        for name in ("file2.txt", "sub/file10.txt"):
            (root / name).write_text("x", encoding="utf-8")
        (root / "sub" / "README.md").write_text("# Title\n" + "long " * 20_000, encoding="utf-8")
        url = self.serve(root).url
        for number in range(1, 1100):
            (root / "sub" / "large" / f"file{number}").touch()
        for path in ("", "sub/", "sub/?sort=size&order=desc", "sub/?view=grid", "sub/empty/", "sub/large/?page=2"):
            self.check(url + path)

    def test_error_pages(self):
        root = self.folder()
        (root / "folder").mkdir()
        url = self.serve(root, "--bind", "0.0.0.0").url
        for path in ("nothing", "folder/", "%zz"):
            self.check(url + path)

    def test_the_demonstration_site(self):
        url = self.serve().url
        for path in ("", "architectures.html", "documents.html", "nothing", "images/"):
            self.check(url + path)

    def test_the_live_page(self):
        server = self.start("serve", self.folder(), "--port", "0", "--admin", "127.0.0.1:0")
        url = server.wait_for_line(r"metrics and probes at (http://127.0.0.1:\d+/)")[1]
        self.check(url, "document.querySelector('[data-of=open]')?.textContent === '0 open'")

    def test_a_violation_is_seen(self):
        root = self.folder()
        (root / "index.html").write_text("<!doctype html><title>x</title><img src=x.png>", encoding="utf-8")
        self.browser.open(self.serve(root).url)
        self.browser.evaluate(AXE)
        violations = str(self.browser.evaluate(RUN)["violations"])
        self.assertIn("image-alt", violations)
        self.assertIn("html-has-lang", violations)


if __name__ == "__main__":
    if not (path := os.environ.get("WEIR_AXE")):
        print("WEIR_AXE names no axe.min.js; axe-core of npm has one")
        sys.exit(SKIPPED)
    AXE = Path(path).read_text(encoding="utf-8")
    main()
