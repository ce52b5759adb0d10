"""The files _headers and _redirects of a folder: --folder-rules."""

import os
import unittest

from served import InAFolder, for_each_engine, run, wait_until

REDIRECTS = """
# comments and empty lines say nothing
/old/:page   /new/:page
/go/*        https://example.org/:splat   302   # there
/shut/*      /elsewhere/:splat 302!
/here.txt    /elsewhere
/v1/*        /docs/:splat      200
/en/*        /en/404.html      404
/app/*       /index.html       200
/fr  /en  301  Country=fr
"""

HEADERS = """
/*
  X-Frame-Options: DENY
  X-Many: one
/docs/*.txt
  X-Many: two
  Cache-Control: max-age=60
  Content-Length: 7
/docs/plain/*
  ! X-Frame-Options
"""


class FolderRules(InAFolder):
    def setUp(self):
        super().setUp()
        self.root = self.top / "site"
        self.write(self.root, "home", REDIRECTS, HEADERS)

    @staticmethod
    def write(root, home, redirects, headers):
        files = {"index.html": home, "docs/a.txt": "a", "docs/plain/b.txt": "b", "here.txt": "here", "shut/a": "shut", "en/404.html": "none",
                 "admin/secret.txt": "secret", "_redirects": redirects, "_headers": headers}
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="ascii")

    def found(self, server, target, method="GET", **headers):
        response, content = self.fetch(server, target, method, **headers)
        return response.status, response.headers["Location"] or content

    def status(self, server, target):
        return self.fetch(server, target)[0].status


@for_each_engine
class UnderEachEngine(FolderRules):
    def test_both_files_are_followed(self):
        server = self.serve(self.root, "--folder-rules")
        for target, status, what in (("/", 200, b"home"), ("/old/a%20b?q=1", 301, "/new/a%20b?q=1"), ("/go/x/y", 302, "https://example.org/x/y"),
                                     ("/shut/a", 302, "/elsewhere/a"), ("/here.txt", 200, b"here"), ("/v1/a.txt", 200, b"a"),
                                     ("/en/nothing", 404, b"none"), ("/app/route/x", 200, b"home")):
            self.assertEqual(self.found(server, target), (status, what), target)
        fields = self.fetch(server, "/docs/a.txt")[0].headers
        self.assertEqual((fields["X-Frame-Options"], fields["X-Many"], fields["Cache-Control"], fields["Content-Length"]),
                         ("DENY", "one, two", "max-age=60", "1"))
        self.assertIsNone(self.fetch(server, "/docs/plain/b.txt")[0].headers["X-Frame-Options"])
        for target, status in (("/nothing", 404), ("/x%2fy", 404), ("/%zz", 400), ("/x%00", 400)):
            response, _ = self.fetch(server, target)
            self.assertEqual((response.status, response.headers["X-Frame-Options"]), (status, "DENY"), target)

    def test_a_change_is_followed_and_a_release_has_its_own_rules(self):
        releases = self.top / "releases"
        for number in "12":
            self.write(releases / number, number, f"/which /is-{number}\n", f"/*\n  X-Release: {number}\n")
        current = self.top / "current"
        current.symlink_to("releases/1")
        server = self.serve(current, "--folder-rules")
        self.assertEqual(self.found(server, "/which"), (301, "/is-1"))
        (self.top / "next").symlink_to("releases/2")
        os.replace(self.top / "next", current)

        def release():
            response, content = self.fetch(server, "/")
            self.assertEqual(response.headers["X-Release"], content.decode())
            return content

        wait_until(lambda: release() == b"2")
        wait_until(lambda: self.found(server, "/which") == (301, "/is-2"))  # each worker of prefork follows by itself
        (releases / "2" / "_redirects").write_text("/which /is-3\n", encoding="ascii")
        wait_until(lambda: self.found(server, "/which") == (301, "/is-3"))


class Faults(FolderRules):
    def test_are_told_with_their_places(self):
        server = self.serve(self.root, "--folder-rules")
        self.assertEqual(self.status(server, "/fr"), 404)
        server.stop()
        told = "\n".join(server.lines)
        self.assertIn("_redirects:10: 'Country=fr' is not supported", told)
        self.assertIn("_headers:8: the field 'Content-Length' can't be set", told)
        self.assertEqual(told.count("is ignored"), 2, told)

    def test_options_that_do_not_fit(self):
        for arguments, what in (((self.root, "--spa"), "can't be combined: in place of --spa, write '/* /index.html 200'"), ((self.root / "here.txt",), "is for folders")):
            status, _, errors = run("serve", *arguments, "--folder-rules")
            self.assertEqual((status, errors.count("\n")), (2, 1), errors)
            self.assertIn(what, errors)


class Access(FolderRules):
    def test_the_files_are_not_for_clients(self):
        (self.root / "_redirects").write_text("/* /index.html 200\n/x /_headers 200!\n", encoding="ascii")
        server = self.serve(self.root, "--folder-rules", "--listing")
        for target in ("/_redirects", "/_headers", "/%5fheaders", "//_redirects", "/./_headers"):
            self.assertEqual(self.status(server, target), 404, target)
        self.assertEqual(self.found(server, "/x")[1], b"home")
        (self.root / "index.html").unlink()
        listing = self.fetch(server, "/")[1]
        self.assertIn(b"docs", listing)
        self.assertNotIn(b"_headers", listing)
        self.assertNotIn(b"_redirects", listing)

    def test_rules_of_access_hold_for_both_paths(self):
        (self.root / "_redirects").write_text("/public/* /admin/:splat 200\n/admin/moved /docs/a.txt 302!\n/admin/* /docs/a.txt 200\n",
                                              encoding="ascii")
        server = self.serve(self.root, "--folder-rules", "--deny", "/admin: 127.0.0.0/8")
        for target in ("/admin/secret.txt", "/public/secret.txt", "/%70ublic/secret.txt", "/admin/moved", "/admin/nothing"):
            self.assertEqual(self.status(server, target), 403, target)
        hidden = self.serve(self.root, "--folder-rules", "--hide", "/admin")
        self.assertEqual(self.status(hidden, "/public/secret.txt"), 404)

    def test_no_target_leads_to_another_host(self):
        (self.root / "_redirects").write_text("/to/* /:splat 302\n/up/* /docs/:splat 200\n", encoding="ascii")
        server = self.serve(self.root, "--folder-rules")
        for target in ("/to//evil.example", "/to/%2Fevil.example", "/to/%5Cevil.example"):
            status, place = self.found(server, target)
            self.assertIn(status, (302, 404), target)
            if status == 302:
                self.assertRegex(place, r"^/[^/\\]", target)
        self.assertEqual(self.status(server, "/up/%252e%252e/admin/secret.txt"), 404)

    def test_below_a_prefix(self):
        server = self.serve(self.root, "--folder-rules", "--prefix", "/below")
        self.assertEqual(self.found(server, "/below/old/a"), (301, "/below/new/a"))
        self.assertEqual(self.found(server, "/below/v1/a.txt"), (200, b"a"))
        self.assertEqual(self.status(server, "/old/a"), 404)


if __name__ == "__main__":
    unittest.main()
