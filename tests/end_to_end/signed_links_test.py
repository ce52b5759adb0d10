"""`weir serve --signed` and `weir sign`: links that everybody may follow until they expire."""

import os
import unittest

from served import InAFolder, for_each_engine, run, wait_until


class InASite(InAFolder):
    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        (self.site / "private").mkdir(parents=True)
        for name in ("index.html", "private/a.txt", "private/b.txt"):
            (self.site / name).write_text(name, encoding="ascii")
        self.key = self.top / "secret"
        self.key.write_bytes(os.urandom(64))

    def signed(self, url, *options):
        status, link, said = run("sign", url, "--signed", self.key, *options)
        self.assertEqual((status, said), (0, ""))
        return link.rstrip("\n")

    def status(self, server, target):
        return self.fetch(server, target)[0].status


@for_each_engine
class UnderEngine(InASite):
    def test_a_link_lets_in_to_one_file(self):
        server = self.serve(self.site, "--signed", f"/private: {self.key}", "--listing")
        link = self.signed("/private/a.txt", "--expires", "7d")
        query = link.partition("?")[2]
        self.assertEqual(self.fetch(server, link)[1], b"private/a.txt")
        asked = ("/", "/private/a.txt", f"/private/b.txt?{query}", f"/private/?{query}", link[:-1], self.signed("/private/"))
        self.assertEqual([self.status(server, target) for target in asked], [200, 403, 403, 403, 403, 200])


class Links(InASite):
    def test_expire(self):
        server = self.serve(self.site, "--signed", self.key)
        link = self.signed("/private/a.txt", "--expires", "2s")
        wait_until(lambda: self.status(server, link) == 403)
        self.assertIn(b"has expired", self.fetch(server, link)[1])

    def test_keep_the_url(self):
        link = self.signed("https://example.org/private/?sort=size")
        self.assertRegex(link, r"^https://example\.org/private/\?sort=size&expires=\d{10}&signature=[\w-]{43}$")


class WrongUse(InASite):
    def test_what_is_wrong_is_said(self):
        short = self.top / "short"
        short.write_text("short", encoding="ascii")
        for arguments, status, what in ((["sign"], 2, "URL is missing"), (["sign", "/a"], 2, "--signed FILE is missing"),
                                        (["sign", "a", "--signed", self.key], 2, "has no path"),
                                        (["sign", "ftp://example.org/a", "--signed", self.key], 2, "has no path"),
                                        (["sign", "/a#b", "--signed", self.key], 2, "a fragment"),
                                        (["sign", "/a%00", "--signed", self.key], 2, "does not serve"),
                                        (["sign", "/a", "--signed", self.key, "--expires", "0d"], 2, "is not a time such as"),
                                        (["sign", "/a", "--signed", short], 1, "has fewer than 32 bytes"),
                                        (["serve", self.site, "--signed", short], 1, "has fewer than 32 bytes"),
                                        (["serve", self.site, "--signed", "/a: none"], 1, "No such file or directory")):
            done = run(*arguments)
            self.assertEqual((done[0], done[1], done[2].count("\n")), (status, "", 1), done)
            self.assertIn(what, done[2])

    def test_a_secret_that_would_be_served(self):
        key = self.site / "secret"
        key.write_bytes(os.urandom(64))
        status, _, said = run("serve", self.site, "--signed", key)
        self.assertEqual(status, 1)
        self.assertIn(f"the secret of signed links {key} is below {self.site}, which is served", said)
        os.link(self.key, self.site / "linked")
        self.assertEqual(self.status(self.serve(self.site, "--signed", f"/private: {self.key}"), "/linked"), 404)


if __name__ == "__main__":
    unittest.main()
