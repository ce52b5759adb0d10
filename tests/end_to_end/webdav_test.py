"""WebDAV of the command: what litmus does not try. Nothing outside of its folders, rights, limits, and locks of all processes."""

import os
import re
import socket
import stat
import threading
import unittest
import xml.etree.ElementTree as ElementTree

from passwords_test import CHANGED_UNDER, HAS_CRYPT, basic, password_line
from served import PATIENCE_SECONDS, InAFolder, for_each_engine, run, wait_until

NOBODY = 65534
LOCK = (b'<lockinfo xmlns="DAV:"><lockscope><exclusive/></lockscope><locktype><write/></locktype><owner>me</owner></lockinfo>')
DAV = "{DAV:}"


class InASite(InAFolder):
    def setUp(self):
        super().setUp()
        self.top.chmod(0o755)
        self.site = self.top / "site"
        self.folder = self.site / "in"
        (self.folder / "a").mkdir(parents=True)
        for folder in (self.folder, self.folder / "a"):
            folder.chmod(0o777)
        (self.site / "page").write_text("page", encoding="ascii")
        (self.top / "secret").write_text("secret", encoding="ascii")
        (self.folder / "a" / "file").write_text("file", encoding="ascii")

    def taking(self, *options, **added):
        return self.serve(self.site, "--upload=/in", "--webdav", *options, **added)

    def ask(self, server, method, target, content=None, **headers):
        return self.fetch(server, target, method, content, **headers)

    def status(self, server, method, target, content=None, **headers):
        return self.ask(server, method, target, content, **headers)[0].status

    def lead(self, server, method, source, destination, **headers):
        return self.status(server, method, source, Destination=destination, **headers)

    def listed(self, server, target, **headers):
        response, body = self.ask(server, "PROPFIND", target, Depth="1", **headers)
        self.assertEqual(response.status, 207, body)
        return [each.findtext(f"{DAV}href") for each in ElementTree.fromstring(body).findall(f"{DAV}response")]

    def lock(self, server, target, **headers):
        response, body = self.ask(server, "LOCK", target, LOCK, **headers)
        self.assertIn(response.status, (200, 201), body)
        return response.getheader("Lock-Token")

    def tree(self):
        return sorted(str(path.relative_to(self.top)) for path in self.top.rglob("*"))


@for_each_engine
class WebDav(InASite):
    def test_files_are_made_listed_moved_and_removed(self):
        server = self.taking()
        content = os.urandom(3_000_000)
        self.assertEqual(self.status(server, "MKCOL", "/in/new/"), 201)
        self.assertEqual(self.status(server, "PUT", "/in/new/large", content), 201)
        self.assertEqual(self.status(server, "PUT", "/in/new/%C3%A4%20%26b", b"1"), 201)
        self.assertEqual(sorted(self.listed(server, "/in/new/")), ["/in/new/", "/in/new/%C3%A4%20%26b", "/in/new/large"])
        self.assertEqual(self.lead(server, "COPY", "/in/new/", f"{server.url}in/copy/"), 201)
        self.assertEqual((self.folder / "copy" / "large").read_bytes(), content)
        self.assertEqual(self.lead(server, "MOVE", "/in/copy/large", "/in/moved"), 201)
        self.assertEqual(self.fetch(server, "/in/moved")[1], content)
        self.assertEqual(self.status(server, "DELETE", "/in/new/"), 204)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "copy", "moved"])

    def test_locks_hold_in_all_processes(self):
        server = self.taking()
        token = self.lock(server, "/in/a/file")
        for _ in range(8):
            self.assertEqual(self.status(server, "PUT", "/in/a/file", b"other"), 423)
            self.assertEqual(self.status(server, "PUT", "/in/a/file", b"mine", If=f"({token})"), 204)
        self.assertEqual(self.status(server, "UNLOCK", "/in/a/file", Lock_Token=token), 204)
        self.assertEqual(self.status(server, "PUT", "/in/a/file", b"other"), 204)

    def test_one_of_many_gets_the_lock(self):
        server = self.taking()
        granted = []

        def want():
            response, _ = self.ask(server, "LOCK", "/in/a/file", LOCK)
            granted.append(response.status)

        threads = [threading.Thread(target=want) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_SECONDS)
        self.assertEqual(sorted(granted), [200] + [423] * 11)

    def test_nothing_outside_is_seen_or_changed(self):
        (self.folder / "away").symlink_to(self.top)
        (self.folder / "link").symlink_to(self.top / "secret")
        server = self.taking()
        before = self.tree()
        for target in ("/page", "/in/../page", "/in/%2e%2e/page", "/in/..%2fpage", "/in/away/secret", "/in/link", "/../secret", "/in/a/../../page",
                       "/in%2f..%2fpage", "//in//..//page", "/in/a/%00"):
            for method in ("PROPFIND", "DELETE", "LOCK", "MKCOL", "PROPPATCH"):
                with self.subTest(target=target, method=method):
                    self.assertGreaterEqual(self.status(server, method, target, Depth="0"), 400)
            for method in ("COPY", "MOVE"):
                with self.subTest(target=target, method=method):
                    self.assertGreaterEqual(self.lead(server, method, target, "/in/x"), 400)
                    self.assertGreaterEqual(self.lead(server, method, "/in/a/file", target), 400)
                    self.assertGreaterEqual(self.lead(server, method, "/in/a/file", f"http://elsewhere{target}"), 400)
        self.assertEqual(self.tree(), before)
        self.assertEqual((self.top / "secret").read_text(encoding="ascii"), "secret")
        self.assertEqual(self.listed(server, "/in/"), ["/in/", "/in/a/"])


class Names(InASite):
    def test_that_are_hidden_or_withheld_stay_so(self):
        log = self.top / "log"
        (self.folder / "a" / ".env").write_text("e", encoding="ascii")
        (self.folder / "a" / "x.key").write_text("k", encoding="ascii")
        server = self.taking("--access-log", log, "--hide", "*.key")
        self.fetch(server, "/page")
        wait_until(log.exists)
        os.link(log, self.folder / "a" / "access.log")
        self.assertEqual(self.listed(server, "/in/a/"), ["/in/a/", "/in/a/file"])
        for name in (".env", "x.key", "access.log"):
            self.assertGreaterEqual(self.status(server, "DELETE", f"/in/a/{name}"), 400)
            self.assertGreaterEqual(self.lead(server, "MOVE", f"/in/a/{name}", "/in/y"), 400)
            self.assertGreaterEqual(self.lead(server, "COPY", f"/in/a/{name}", "/in/y"), 400)
            self.assertGreaterEqual(self.lead(server, "MOVE", "/in/a/file", f"/in/a/{name}"), 400)
        self.assertEqual(self.status(server, "DELETE", "/in/a/"), 403)
        self.assertEqual(self.lead(server, "COPY", "/in/a/", "/in/b/"), 201)
        self.assertEqual(os.listdir(self.folder / "b"), ["file"])


class Limits(InASite):
    def test_of_size_quota_and_xml(self):
        server = self.taking("--upload-max", "1000", "--upload-quota", "1500")
        self.assertEqual(self.status(server, "PUT", "/in/large", b"x" * 1001), 413)
        self.assertEqual(self.status(server, "PUT", "/in/b", b"x" * 800), 201)
        self.assertEqual(self.lead(server, "COPY", "/in/b", "/in/c"), 507)
        for body, status in ((b"<a>" * 20_000, 400), (b"<a" + b" " * 70_000, 413), (b"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", 400),
                             (b"<propfind xmlns='DAV:'>" + b"<a/>" * 3000 + b"</propfind>", 400)):
            self.assertEqual(self.status(server, "PROPFIND", "/in/", body, Depth="0"), status)
        self.assertEqual(self.status(server, "PROPFIND", "/in/", Depth="infinity"), 403)

    def test_of_locks(self):
        server = self.taking()
        statuses = [self.status(server, "LOCK", f"/in/{number}", LOCK) for number in range(1001)]
        self.assertEqual(statuses, [201] * 1000 + [507])
        response, body = self.ask(server, "LOCK", "/in/a/", LOCK, Timeout="Infinite")
        self.assertEqual(response.status, 507, body)

    def test_of_time(self):
        server = self.taking()
        response, body = self.ask(server, "LOCK", "/in/a/file", LOCK, Timeout="Infinite, Second-4100000000")
        self.assertEqual(re.findall(rb"Second-(\d+)", body), [b"3600"])
        self.assertEqual(self.status(server, "UNLOCK", "/in/a/file", Lock_Token=response.getheader("Lock-Token")), 204)
        self.lock(server, "/in/a/file", Timeout="Second-1")
        wait_until(lambda: self.status(server, "PUT", "/in/a/file", b"x") == 204)

    def test_nothing_becomes_executable(self):
        (self.folder / "a" / "file").chmod(0o755)
        server = self.taking()
        self.assertEqual(self.lead(server, "COPY", "/in/a/", "/in/b/"), 201)
        self.assertEqual(stat.S_IMODE((self.folder / "b" / "file").stat().st_mode) & 0o111, 0)

    def test_clients_that_leave_stop_nothing(self):
        (self.folder / "a" / "large").write_bytes(b"x" * 20_000_000)
        server = self.taking()
        for number in range(20):
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS) as peer:
                peer.sendall(f"COPY /in/a/ HTTP/1.1\r\nHost: localhost\r\nDestination: /in/{number}\r\n\r\n".encode())
        wait_until(lambda: self.lead(server, "COPY", "/in/a/", "/in/last/") in (201, 204))
        self.assertEqual((self.folder / "last" / "large").stat().st_size, 20_000_000)


class Rights(InASite):
    def test_nobody_mounts_by_an_oversight(self):
        status, _, error = run("serve", self.site, "--webdav", "-p", "0")
        self.assertEqual((status, "--webdav needs --upload" in error), (2, True), error)
        status, _, error = run("serve", self.site, "--upload=/in/a", "--webdav=/in", "-p", "0")
        self.assertEqual((status, "is in none of --upload" in error), (2, True), error)
        status, _, error = run("serve", self.site, "--upload", "--webdav", "-b", "0.0.0.0:0")
        self.assertEqual((status, "anyone could put files there" in error), (2, True), error)

    @unittest.skipUnless(HAS_CRYPT, "this build asks for no passwords")
    def test_passwords_are_asked_for(self):
        users = self.top / "users"
        users.write_text(password_line("ada", "secret") + password_line("bob", "other"), encoding="ascii")
        ada, bob = basic("ada", "secret"), basic("bob", "other")
        server = self.taking("--upload-auth", users)
        self.assertEqual(self.status(server, "OPTIONS", "/in/"), 204)
        self.assertEqual(self.status(server, "GET", "/in/a/file"), 200)
        for method in ("PROPFIND", "PROPPATCH", "MKCOL", "PUT", "DELETE", "COPY", "MOVE", "LOCK", "UNLOCK"):
            self.assertEqual(self.status(server, method, "/in/a/file"), 401, method)
        for target in ("/in/", "/in/.", "/in/%2e", "//in//", "/in/a/.."):
            self.assertEqual(self.status(server, "POST", target), 401, target)
        token = self.lock(server, "/in/a/file", Authorization=ada)
        self.assertEqual(self.status(server, "PUT", "/in/a/file", b"x", Authorization=bob, If=f"({token})"), 423)
        self.assertEqual(self.status(server, "UNLOCK", "/in/a/file", Authorization=bob, Lock_Token=token), 403)
        self.assertEqual(self.status(server, "PUT", "/in/a/file", b"x", Authorization=ada, If=f"({token})"), 204)

    @unittest.skipUnless(HAS_CRYPT, "this build asks for no passwords")
    def test_rules_for_paths_hold_inside_of_folders(self):
        users = self.top / "users"
        users.write_text(password_line("ada", "secret"), encoding="ascii")
        (self.folder / "kept").mkdir()
        (self.folder / "kept" / "file").write_text("kept", encoding="ascii")
        server = self.taking("--auth", f"/in/kept: {users}")
        self.assertEqual(self.listed(server, "/in/"), ["/in/", "/in/a/"])
        self.assertEqual(self.status(server, "PROPFIND", "/in/kept/", Depth="1"), 401)
        self.assertEqual(self.lead(server, "COPY", "/in/a/file", "/in/kept/x"), 403)
        self.assertEqual(self.lead(server, "MOVE", "/in/a/file", "/in/kept/x"), 403)
        self.assertEqual(self.listed(server, "/in/kept/", Authorization=basic("ada", "secret")), ["/in/kept/", "/in/kept/file"])

    def test_below_a_prefix(self):
        server = self.taking("--prefix", "/app")
        self.assertEqual(self.listed(server, "/app/in/"), ["/app/in/", "/app/in/a/"])
        self.assertEqual(self.lead(server, "MOVE", "/app/in/a/file", "/app/in/b"), 201)
        self.assertEqual(self.lead(server, "MOVE", "/app/in/b", "/in/c"), 502)
        self.assertEqual((self.folder / "b").read_text(encoding="ascii"), "file")

    def test_a_rewritten_address_is_none(self):
        server = self.taking("--rewrite", "/old/{rest...}: /in/{rest...}")
        self.assertEqual(self.status(server, "PROPFIND", "/old/a/", Depth="0"), 403)

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_of_another_user(self):
        for self.engine in CHANGED_UNDER:
            with self.subTest(engine=self.engine):
                server = self.taking("--user", f"{NOBODY}:{NOBODY}")
                self.assertEqual(self.status(server, "MKCOL", f"/in/{self.engine}"), 201)
                self.assertEqual((self.folder / self.engine).stat().st_uid, NOBODY)
                server.stop()


if __name__ == "__main__":
    unittest.main()
