"""Files that clients put into a site: whole or not at all, by PUT and by forms, with limits and rights; under each engine."""

import json
import os
import shutil
import socket
import stat
import struct
import subprocess
import sys
import threading
import unittest
from pathlib import Path

from http2_test import CURL, has_http2
from passwords_test import CHANGED_UNDER, HAS_CRYPT, basic, password_line
from served import PATIENCE_SECONDS, InAFolder, for_each_engine, links_of, processes, run, wait_until

NOBODY = 65534
PLACES = 16  # uploads at a time
CALLS = {"x86_64": {"fsync": 74, "linkat": 265, "renameat2": 316}, "aarch64": {"fsync": 82, "linkat": 37, "renameat2": 276}}.get(os.uname().machine)
FILTER = Path(__file__).with_name("call_filter.py")
EIO, ENOSPC = 5, 28


def form(*files):
    text = b"".join(b'--x\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\n%s\r\n' % file for file in files)
    return text + b"--x--\r\n"


class InASite(InAFolder):
    def setUp(self):
        super().setUp()
        self.top.chmod(0o755)
        self.site = self.top / "site"
        (self.site / "in").mkdir(parents=True)
        (self.site / "in").chmod(0o777)
        (self.site / "page").write_text("page", encoding="ascii")

    def taking(self, *options, **added):
        return self.serve(self.site, "--upload=/in", *options, **added)

    def send(self, server, method, target, content, **headers):
        return self.fetch(server, target, method, content, **headers)

    def put(self, server, target, content=b"x", **headers):
        return self.send(server, "PUT", target, content, **headers)[0].status

    def post(self, server, target, *files, **headers):
        return self.send(server, "POST", target, form(*files), Content_Type="multipart/form-data; boundary=x", **headers)

    def begin(self, server, target, size, content):
        """A PUT of which only a part has been sent."""
        peer = socket.create_connection(("127.0.0.1", server.port), PATIENCE_SECONDS)
        self.addCleanup(peer.close)
        peer.sendall(f"PUT {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n".encode() + content)
        return peer

    def names(self):
        return sorted(os.listdir(self.site / "in"))


def open_files(server, folder):
    """How often the server has files in the folder open."""
    return sum(link.startswith(f"{folder}/") for pid in processes(server.process.pid) for link in links_of(pid))


@for_each_engine
class Uploads(InASite):
    def test_a_file_is_put_as_a_whole(self):
        server = self.taking()
        content = os.urandom(3_000_000)
        response, _ = self.send(server, "PUT", "/in/a%20file", content)
        self.assertEqual((response.status, response.getheader("Location")), (201, "./a%20file"))
        self.assertEqual((self.site / "in" / "a file").read_bytes(), content)
        self.assertEqual(self.fetch(server, "/in/a%20file")[1], content)
        self.assertEqual(stat.S_IMODE((self.site / "in" / "a file").stat().st_mode) & ~0o644, 0)
        self.assertEqual(self.put(server, "/page"), 405)
        self.assertEqual(self.names(), ["a file"])

    def test_a_form_puts_its_files_into_the_folder(self):
        server = self.taking()
        self.assertIn(b'<form id="uploads"', self.fetch(server, "/in/")[1])
        self.assertNotIn(b'<form id="uploads"', self.fetch(server, "/")[1])
        response, _ = self.post(server, "/in/", (b"one", b"1"), (b"two", b"2" * 300_000))
        self.assertEqual((response.status, response.getheader("Location")), (303, "./"))
        self.assertIn(b'href="./two"', self.fetch(server, "/in/")[1])
        self.assertEqual((self.site / "in" / "two").read_bytes(), b"2" * 300_000)
        self.assertEqual(self.names(), ["one", "two"])

    def test_a_name_that_is_taken_stays(self):
        server = self.taking()
        self.assertEqual(self.put(server, "/in/a", b"old"), 201)
        self.assertEqual(self.put(server, "/in/a", b"new"), 409)
        self.assertEqual(self.put(server, "/in/a", b"new", If_None_Match="*"), 412)
        self.assertEqual(self.fetch(server, "/in/a")[1], b"old")
        server.stop()
        os.utime(self.site / "in" / "a", (1_700_000_000, 1_700_000_000))  # the tag of a file that was made just now is weak
        server = self.taking("--upload-overwrite")
        tag = self.fetch(server, "/in/a")[0].getheader("ETag")
        self.assertEqual(self.put(server, "/in/a", b"new", If_Match=tag), 204)
        self.assertEqual(self.put(server, "/in/a", b"newer", If_Match=tag), 412)
        self.assertEqual((self.site / "in" / "a").read_bytes(), b"new")
        wait_until(lambda: self.fetch(server, "/in/a")[1] == b"new")
        self.assertEqual(self.names(), ["a"])

    @unittest.skipUnless(has_http2("curl"), "this curl has no HTTP/2")
    def test_by_http2(self):
        server = self.taking("--h2c")
        large = self.top / "large"
        large.write_bytes(os.urandom(3_000_000))
        for more in ((), ("-H", "Content-Length:")):
            done = subprocess.run([*CURL, *more, "-w", "%{http_code}", "-T", large, f"{server.url}in/large{len(more)}"], capture_output=True,
                                  text=True, timeout=PATIENCE_SECONDS, check=False)
            self.assertEqual((done.returncode, done.stdout), (0, "201"), done.stderr)
            self.assertEqual((self.site / "in" / f"large{len(more)}").read_bytes(), large.read_bytes())

    def test_clients_that_leave_leave_no_file_and_hold_no_place(self):
        server = self.taking()
        for number in range(PLACES + 4):
            peer = self.begin(server, f"/in/{number}", 1_000_000, b"x" * 300_000)
            if number % 2:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # a reset
            peer.close()
        wait_until(lambda: self.put(server, "/in/whole") in (201, 409))
        wait_until(lambda: open_files(server, self.site / "in") == 0)
        self.assertEqual(self.names(), ["whole"])


class Limits(InASite):
    def test_size_and_quota(self):
        server = self.taking("--upload-max", "1000", "--upload-quota", "1500")
        self.assertEqual(self.put(server, "/in/a", b"x" * 1001), 413)
        self.assertEqual(self.put(server, "/in/a", b"x" * 1000), 201)
        self.assertEqual(self.put(server, "/in/b", b"x" * 501), 507)
        response, body = self.post(server, "/in/", (b"b", b"x" * 400), (b"c", b"x" * 200), (b"d", b""), Accept="application/json")
        self.assertEqual(response.status, 507)
        self.assertEqual([file["status"] for file in json.loads(body)["files"]], [201, 507, 201])
        self.assertEqual(self.names(), ["a", "b", "d"])

    def test_a_large_file_is_refused_before_it_is_sent(self):
        server = self.taking("--upload-max", "1000")
        peer = self.begin(server, "/in/a", 1 << 40, b"")
        self.assertTrue(peer.recv(100).startswith(b"HTTP/1.1 413 "))

    def test_other_clients_wait_for_a_place(self):
        server = self.taking("--workers", "1")
        peers = [self.begin(server, f"/in/{number}", 1, b"") for number in range(PLACES)]
        wait_until(lambda: open_files(server, self.site / "in") == PLACES)
        response, _ = self.send(server, "PUT", "/in/more", b"x")
        self.assertEqual((response.status, response.getheader("Retry-After")), (503, "5"))
        for peer in peers:
            peer.sendall(b"x")
            self.assertTrue(peer.recv(100).startswith(b"HTTP/1.1 201 "))
        self.assertEqual(self.put(server, "/in/more"), 201)

    def test_names(self):
        server = self.taking()
        for target, status in (("/in/%2E%2E%2Fa", 405), ("/in/..%2fpage", 405), ("/in/.hidden", 403), ("/in/a%00", 405), ("/in/a%0d", 400),
                               ("/in/" + "n" * 256, 400), ("/in/none/a", 404), ("/in/%ff", 400)):
            with self.subTest(target=target):
                self.assertIn(self.put(server, target), (status, 400))
        for name in (b"../page", b"/etc/x", b".hidden", b"", b"a/b", b"..", b"%0D"):
            with self.subTest(name=name):
                self.assertIn(self.post(server, "/in/", (name, b"x"))[0].status, (400, 403))
        self.assertEqual(self.names(), [])
        self.assertEqual(sorted(os.listdir(self.site)), ["in", "page"])


class AtOnce(InASite):
    """Among the processes of an engine, too."""

    def at_once(self, server, targets, content):
        statuses = []
        threads = [threading.Thread(target=lambda each=each: statuses.append(self.put(server, each, content))) for each in targets]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sorted(statuses)

    def test_one_of_several_gets_the_name(self):
        for self.engine in ("prefork", "per-core", "fork-per-connection"):
            name = f"/in/{self.engine}"
            self.assertEqual(self.at_once(self.taking("--workers", "2") if self.engine != "fork-per-connection" else self.taking(),
                                          [name] * 8, b"x" * 200_000), [201] + [409] * 7)

    def test_the_quota_holds_for_all(self):
        self.engine = "prefork"
        server = self.taking("--workers", "2", "--upload-quota", "500000")
        self.assertEqual(self.at_once(server, [f"/in/{number}" for number in range(8)], b"x" * 200_000), [201] * 2 + [507] * 6)
        self.assertEqual(len(self.names()), 2)


class Faults(InASite):
    """A server that has begun under a limit of the kernel says what became of a file, and leaves none."""

    def begun_by(self, *prefix):
        return self.taking(prefix=prefix)

    @unittest.skipUnless(shutil.which("prlimit"), "no prlimit here")
    def test_a_full_disk(self):
        server = self.begun_by("prlimit", "--fsize=500000", "--")
        for content in (b"x" * 500_001, iter([b"x" * 300_000] * 2)):
            self.assertEqual(self.put(server, "/in/a", content), 507)
        self.assertEqual(self.put(server, "/in/b", b"x" * 500_000), 201)
        self.assertEqual(self.names(), ["b"])

    @unittest.skipUnless(CALLS, "the numbers of system calls are not known here")
    def test_each_step_of_the_end(self):
        for call, error, status in (("fsync", EIO, 500), ("fsync", ENOSPC, 507), ("linkat", ENOSPC, 507), ("linkat", EIO, 500)):
            with self.subTest(call=call, error=error):
                server = self.begun_by(sys.executable, str(FILTER), str(error), str(CALLS[call]))
                self.assertEqual(self.put(server, "/in/a", b"x" * 300_000), status)
                self.assertEqual(self.post(server, "/in/", (b"a", b"x"), (b"b", b"y"))[0].status, status)
                self.assertEqual(self.fetch(server, "/page")[1], b"page")
                self.assertEqual((self.names(), open_files(server, self.site / "in")), ([], 0))

    @unittest.skipUnless(CALLS, "the numbers of system calls are not known here")
    def test_a_file_that_cannot_take_the_place_of_another(self):
        (self.site / "in" / "a").write_text("old", encoding="ascii")
        server = self.serve(self.site, "--upload=/in", "--upload-overwrite",
                            prefix=(sys.executable, str(FILTER), str(EIO), str(CALLS["renameat2"])))
        self.assertEqual(self.put(server, "/in/a", b"new"), 500)
        self.assertEqual(self.fetch(server, "/in/a")[1], b"old")
        self.assertEqual(self.names(), ["a"])


class Rights(InASite):
    def users(self, *lines):
        path = self.top / f"users{len(lines)}"
        path.write_text("".join(lines), encoding="ascii")
        return path

    @unittest.skipUnless(HAS_CRYPT, "built without libcrypt")
    def test_passwords_are_asked_for_before_a_file_alone(self):
        server = self.taking("--upload-auth", self.users(password_line("ada", "secret")))
        ada = {"Authorization": basic("ada", "secret")}
        self.assertEqual(self.fetch(server, "/in/")[0].status, 200)
        response, _ = self.send(server, "PUT", "/in/a", b"x")
        self.assertEqual((response.status, response.getheader("WWW-Authenticate")), (401, 'Basic realm="weir uploads", charset="UTF-8"'))
        self.assertEqual(self.put(server, "/in/a", Authorization=basic("ada", "wrong")), 401)
        self.assertEqual(self.post(server, "/in/", (b"a", b"x"))[0].status, 401)
        self.assertEqual(self.names(), [])
        self.assertEqual(self.put(server, "/in/a", **ada), 201)
        self.assertEqual(self.post(server, "/in/", (b"b", b"x"), **ada)[0].status, 303)
        self.assertEqual(self.fetch(server, "/in/a")[1], b"x")

    @unittest.skipUnless(HAS_CRYPT, "built without libcrypt")
    def test_with_a_password_for_reading_a_client_needs_one_of_both_files(self):
        ada, bob = password_line("ada", "secret"), password_line("bob", "other")
        server = self.taking("--auth", self.users(ada, bob), "--upload-auth", self.users(ada))
        for who, status in ((None, 401), (basic("bob", "other"), 401), (basic("ada", "secret"), 201)):
            self.assertEqual(self.put(server, "/in/a", **({"Authorization": who} if who else {})), status)
        self.assertEqual(self.fetch(server, "/in/a", Authorization=basic("bob", "other"))[1], b"x")

    def test_rules_for_a_path_hold_for_forms_too(self):
        for options, prefix in ((("--deny", "/in/*.css: 0.0.0.0/0"), ""), (("--prefix", "/docs", "--deny", "/docs/in/*.css: 0.0.0.0/0"), "/docs"),
                                (("--rewrite", "/other/{rest...}: /in/{rest}", "--deny", "/other/*.css: 0.0.0.0/0"), "/other")):
            with self.subTest(options=options):
                server = self.taking(*options)
                folder = "/other/" if prefix == "/other" else f"{prefix}/in/"
                self.assertEqual(self.put(server, f"{folder}a.css"), 403)
                self.assertEqual(self.post(server, folder, (b"a.css", b"x"))[0].status, 403)
                self.assertEqual(self.names(), [])
                response, _ = self.post(server, folder, (b"open", b"x"))
                self.assertEqual((response.status, response.getheader("Location"), self.names()), (303, "./", ["open"]))
                (self.site / "in" / "open").unlink()

    def test_a_rule_for_the_folder_keeps_all_out(self):
        server = self.taking("--deny", "/in: 127.0.0.1")
        self.assertEqual(self.put(server, "/in/a"), 403)
        self.assertEqual(self.post(server, "/in/", (b"a", b"x"))[0].status, 403)
        self.assertEqual(self.names(), [])

    def test_pages_of_other_sites_put_nothing(self):
        server = self.taking()
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            self.assertEqual(self.post(server, "/in/", (b"a", b"x"), **headers)[0].status, 403)
            self.assertEqual(self.put(server, "/in/a", **headers), 403)
        self.assertEqual(self.names(), [])
        own = {"Origin": f"http://127.0.0.1:{server.port}"}
        self.assertEqual(self.post(server, "/in/", (b"a", b"x"), **own)[0].status, 303)
        self.assertEqual(self.put(server, "/in/b", **own, Sec_Fetch_Site="same-origin"), 201)

    def test_nobody_is_let_in_by_an_oversight(self):
        for address in ("0.0.0.0", f"unix:{self.top}/socket"):
            done = run("serve", self.site, "--upload", "-b", address, "-p", "0")
            self.assertEqual((done[0], done[2].count("\n")), (2, 1), done)
            self.assertIn("anyone could put files there; add --upload-auth FILE", done[2])
        self.serve(self.site, "--upload", "--upload-anyone", "-b", "0.0.0.0")

    def test_a_folder_that_is_none_is_named(self):
        (self.site / "link").symlink_to("in")
        for folder in ("/none", "/page", "/link", "/../x"):
            with self.subTest(folder=folder):
                status, _, error = run("serve", self.site, f"--upload={folder}", "-p", "0")
                self.assertIn(status, (1, 2))
                self.assertIn("--upload", error)
                self.assertEqual(error.count("\n"), 1)


@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class User(InASite):
    def test_puts_files_of_its_own(self):
        os.chown(self.site / "in", NOBODY, NOBODY)
        (self.site / "in").chmod(0o755)
        for self.engine in CHANGED_UNDER:
            with self.subTest(engine=self.engine):
                server = self.taking("--user", f"{NOBODY}:{NOBODY}", "--upload-overwrite")
                self.assertEqual(self.put(server, f"/in/{self.engine}", b"x" * 300_000), 201)
                self.assertEqual(self.put(server, f"/in/{self.engine}", b"new"), 204)
                self.assertEqual((self.site / "in" / self.engine).stat().st_uid, NOBODY)
                server.stop()

    def test_that_may_not_write_there_is_named(self):
        (self.site / "in").chmod(0o755)
        status, _, error = run("serve", self.site, "--upload=/in", "-p", "0", "--user", f"{NOBODY}:{NOBODY}")
        self.assertEqual(status, 1)
        self.assertRegex(error, rf"the user \w+ cannot write to {self.site}/in: Permission denied")


if __name__ == "__main__":
    unittest.main()
