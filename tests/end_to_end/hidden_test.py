"""`weir serve --hide`: what it names is not there."""

import gzip
import unittest

from served import InAFolder, for_each_engine, run


class InASite(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top
        (self.site / "drafts").mkdir()
        for name in ("a.txt", "a.bak", "drafts/a.txt", "page.js"):
            (self.site / name).write_text("text", encoding="ascii")
        (self.site / "page.js.gz").write_bytes(gzip.compress(b"text"))


@for_each_engine
class UnderEngine(InASite):
    def test_it_is_neither_served_nor_listed(self):
        server = self.serve(self.site, "--listing", "--hide", "*.bak", "--hide", "/drafts", "--hide", "*.gz")
        asked = ("/a.txt", "/a.bak", "/A.BAK", "/%61.bak", "/drafts", "/drafts/", "//drafts/a.txt", "/page.js.gz")
        self.assertEqual([self.fetch(server, target)[0].status for target in asked], [200] + 7 * [404])
        page = self.fetch(server, "/")[1]
        self.assertIn(b"a.txt", page)
        for name in (b"a.bak", b"drafts", b"page.js.gz"):
            self.assertNotIn(name, page)
        self.assertIsNone(self.fetch(server, "/page.js", Accept_Encoding="gzip")[0].headers["Content-Encoding"])


class WrongUse(InASite):
    def test_what_is_wrong_is_said(self):
        for options, what in ((["--hide", "*"], "--hide: '*' would hide everything"), (["--hide", "a/b"], "so it must begin with '/'")):
            status, _, said = run("serve", self.site, *options)
            self.assertEqual((status, said.count("\n")), (2, 1))
            self.assertIn(what, said)
        self.assertIn("--hide is for folders", run("serve", self.site / "a.txt", "--hide", "*.bak")[2])


if __name__ == "__main__":
    unittest.main()
