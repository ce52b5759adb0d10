"""`weir serve --auth` and `weir password`, with the command's own processes, files and logs."""

import base64
import gzip
import json
import os
import pty
import shutil
import signal
import subprocess
import termios
import threading
import unittest

from served import PATIENCE_SECONDS, InAFolder, binary, environment, for_each_engine, run, wait_until

HAS_CRYPT = " crypt" in run("--version")[1]
CHANGED_UNDER = ("per-core", "io-uring", "thread-pool", "prefork", "fork-per-connection")
HAS_TLS = "openssl" in run("--version")[1]


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def password_line(user, password, method="yescrypt"):
    done = subprocess.run([binary(), "password", user, "--method", method], input=password + "\n", capture_output=True, text=True,
                          env=environment(), timeout=PATIENCE_SECONDS, check=True)
    return done.stdout


class InASite(InAFolder):
    @classmethod
    def setUpClass(cls):
        cls.ada, cls.bob = password_line("ada", "secret"), password_line("bob", "other")

    def setUp(self):
        super().setUp()
        self.site = self.top / "site"
        (self.site / "private").mkdir(parents=True)
        (self.site / "index.html").write_text("public", encoding="ascii")
        (self.site / "private" / "a.txt").write_text("private", encoding="ascii")
        self.users = self.top / "etc" / "users"
        self.users.parent.mkdir()
        self.write_users(self.ada)

    def write_users(self, text):
        """Another file takes the place of the old one, as careful programs do it. Its time is not that of a file which may be only
        half written: weir would wait."""
        following = self.users.with_name("next")
        following.write_text(text, encoding="utf-8")
        os.utime(following, (1_700_000_000, 1_700_000_000))
        following.rename(self.users)

    def serve_private(self, *options):
        return self.serve(self.site, "--auth", f"/private: {self.users}", *options)

    def ask(self, server, user=None, password="secret", target="/private/a.txt", method="GET"):
        headers = {"Authorization": basic(user, password)} if user else {}
        return self.fetch(server, target, method, **headers)

    def status(self, server, *given, **asked):
        return self.ask(server, *given, **asked)[0].status


@unittest.skipUnless(HAS_CRYPT, "built without libcrypt")
@for_each_engine
class UnderEngine(InASite):
    def test_passwords_are_asked_for_compared_remembered_and_limited(self):
        log = self.top / "log"
        server = self.serve_private("--auth-tries", "2", "--access-log", log, "--access-log-format", "json")
        self.assertEqual(self.fetch(server, "/")[1], b"public")
        response, _ = self.ask(server)
        self.assertEqual((response.status, response.headers["WWW-Authenticate"]), (401, 'Basic realm="weir", charset="UTF-8"'))
        for _ in range(3):
            self.assertEqual(self.ask(server, "ada")[1], b"private")
        self.assertEqual([self.status(server, "ada", "wrong"), self.status(server, "eve")], [401, 401])
        further = []

        def is_limited():
            """Not yet where half a minute has passed."""
            further.append(self.status(server, "ada", ""))
            return further[-1] == 429

        wait_until(is_limited)
        self.assertEqual(self.ask(server, "ada")[1], b"private")  # it is remembered: no try
        wait_until(lambda: log.exists() and len(log.read_text().splitlines()) == 8 + len(further))
        users = [(line["status"], line.get("user")) for line in map(json.loads, log.read_text().splitlines())]
        self.assertEqual((users.count((200, "ada")), users.count((200, None)), [user for _, user in users].count(None)), (4, 1, 4 + len(further)))

    def test_a_file_that_changes_is_read_again(self):
        """It takes a second."""
        if self.engine not in CHANGED_UNDER:
            self.skipTest("its processes and threads are like another engine's")
        server = self.serve_private("--auth-tries", "0")
        self.assertEqual(self.status(server, "ada"), 200)
        self.write_users(self.bob)
        wait_until(lambda: self.status(server, "ada") == 401)
        wait_until(lambda: self.status(server, "bob", "other") == 200)  # each process looks at the file by itself


@unittest.skipUnless(HAS_CRYPT, "built without libcrypt")
class Paths(InASite):
    def assert_asked(self, server, *targets):
        for target in targets:
            with self.subTest(target):
                self.assertEqual(self.status(server, target=target), 401)

    def test_no_other_spelling_leads_in(self):
        server = self.serve_private("--listing")
        self.assert_asked(server, "/private", "/private/", "/private/a.txt", "//private//a.txt", "/./private/a.txt", "/x/../private/a.txt",
                          "/%70rivate/a.txt", "/private%2fa.txt", "/private/%2e/a.txt", "/PRIVATE/a.txt", "/private/none", "/private/?sort=size",
                          f"http://127.0.0.1:{server.port}/private/a.txt")
        for method in ("HEAD", "OPTIONS", "POST", "DELETE"):
            self.assertEqual(self.status(server, method=method), 401, method)
        self.assertEqual(self.status(server, target="/"), 200)
        self.assertEqual(self.status(server, "ada", target="/private/"), 200)

    def test_a_file_is_protected_at_all_its_addresses(self):
        for name in ("index.html", "about.html", "b.js", "README.md"):
            (self.site / "private" / name).write_text("private", encoding="ascii")
        (self.site / "private" / "b.js.gz").write_bytes(gzip.compress(b"private"))
        options = [option for name in ("index.html", "about.html", "*.js", "README.md")
                   for option in ("--auth", f"{name if '*' in name else '/private/' + name}: {self.users}")]
        server = self.serve(self.site, *options, "--clean-urls", "--listing")
        self.assert_asked(server, "/private/", "/private/index.html", "/private/about", "/private/about.html", "/private/about/", "/private/b.js",
                          "/private/b.js.gz")
        self.assertEqual(self.status(server, target="/private/a.txt"), 200)
        (self.site / "private" / "index.html").unlink()
        self.assert_asked(server, "/private/")  # its listing has the README

    def test_the_page_of_an_application_is_protected_at_each_path(self):
        server = self.serve(self.site, "--spa", "--auth", f"/index.html: {self.users}")
        self.assert_asked(server, "/", "/index.html", "/users/7", "/none.js")
        self.assertEqual(self.status(server, "ada", target="/users/7"), 200)

    def test_one_file(self):
        server = self.serve(self.site / "index.html", "--auth", f"*.html: {self.users}")
        self.assert_asked(server, "/", "/index.html")


@unittest.skipUnless(HAS_CRYPT, "built without libcrypt")
class Users(InASite):
    def test_a_file_that_cannot_be_used_leaves_those_from_before(self):
        server = self.serve_private("--auth-tries", "0")
        for text, why in (("bob:secret\n", "line 1 has a plain password"), ("", "has no user"), ("ada:$y$j9T$ab", "line 1 has a hash that is cut")):
            self.write_users(text)
            wait_until(lambda why=why: self.status(server, "ada") == 200 and any(why in line for line in server.lines))
        self.users.unlink()
        wait_until(lambda: self.status(server, "ada") == 200 and any("No such file" in line for line in server.lines))
        told = [line for line in server.lines if "the users from before stay" in line]
        self.assertEqual(len(told), 4, told)
        self.assertRegex(told[0], r"warning: .*/users: line 1 has a plain password")
        self.write_users(self.bob)
        wait_until(lambda: self.status(server, "bob", "other") == 200)
        self.assertEqual(self.status(server, "ada"), 401)

    def test_every_method_and_users_beside_the_file(self):
        hashes = [password_line(method, "p\u00e4ss:word", method) for method in ("yescrypt", "bcrypt", "sha512")]
        self.write_users("# people\n" + hashes[0] + "\n" + hashes[1].rstrip("\n"))
        server = self.serve_private("--auth-user", hashes[2].strip())
        for user in ("yescrypt", "bcrypt", "sha512"):
            self.assertEqual(self.status(server, user, "p\u00e4ss:word"), 200, user)
            self.assertEqual(self.status(server, user, "p\u00e4ss"), 401, user)
        alone = self.serve(self.site, "--auth-user", self.ada.strip())
        self.assertEqual((self.status(alone, target="/"), self.status(alone, "ada", target="/")), (401, 200))

    def test_a_flood_of_wrong_passwords_keeps_nobody_waiting(self):
        self.write_users(password_line("ada", "secret", "sha512"))
        server = self.serve_private("--auth-tries", "0", "--workers", "1")
        statuses = []
        clients = [threading.Thread(target=lambda i=i: statuses.append(self.status(server, "ada", f"wrong{i}"))) for i in range(60)]
        for client in clients:
            client.start()
        for _ in range(20):
            self.assertEqual(self.fetch(server, "/")[1], b"public")
        for client in clients:
            client.join()
        self.assertEqual(set(statuses) - {401, 503}, set())
        self.assertEqual(self.status(server, "ada"), 200)

    def test_the_combined_log_has_the_user(self):
        self.write_users(password_line("ada b", "secret"))
        for options, target in (((), "/private/a.txt"), (("--prefix", "/below"), "/below/private/a.txt"), (("--rewrite", "/p: /private/a.txt"), "/p")):
            log = self.top / f"log{target.replace('/', '-')}"
            server = self.serve_private("--access-log", log, *options)
            self.assertEqual(self.status(server, "ada b", target=target), 200)
            wait_until(lambda log=log: log.exists() and log.read_text().endswith("\n"))
            self.assertRegex(log.read_text(), r"^127\.0\.0\.1 - ada\\x20b \[")

    @unittest.skipUnless(shutil.which("curl"), "no curl")
    def test_http_2(self):
        server = self.serve_private("--h2c")
        url = f"http://127.0.0.1:{server.port}/private/a.txt"
        asked = subprocess.run(["curl", "-si", "--http2-prior-knowledge", url], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
        self.assertTrue(asked.stdout.startswith("HTTP/2 401"), asked.stdout)
        self.assertIn('\nwww-authenticate: Basic realm="weir", charset="UTF-8"\n', asked.stdout)
        given = subprocess.run(["curl", "-s", "--http2-prior-knowledge", "-u", "ada:secret", url], capture_output=True, text=True,
                               timeout=PATIENCE_SECONDS, check=True)
        self.assertEqual(given.stdout, "private")


@unittest.skipUnless(HAS_CRYPT, "built without libcrypt")
class AtTheStart(InASite):
    def assert_refused(self, sentence, *options, status=1):
        done = run("serve", self.site, "--port", 0, *options)
        self.assertEqual((done[0], done[1], done[2].count("\n")), (status, "", 1), done)
        self.assertIn(sentence, done[2])

    def test_a_file_that_is_wrong(self):
        for text, why in (("ada:$apr1$x$y\n", "line 1 has an MD5 hash (apr1), which is too weak"), ("\n\nx\n", "line 3 is not of the form user:hash"),
                          ("", "has no user"), ("ada:{SHA}x\n", "line 1 has a SHA-1 hash")):
            self.write_users(text)
            self.assert_refused(f"weir serve: --auth: {self.users}", "--auth", self.users)
            self.assert_refused(why, "--auth", self.users)
        self.assert_refused("--auth: there is no file", "--auth", self.top / "none", status=2)
        self.assert_refused(f"--auth: cannot read {self.top}: Is a directory", "--auth", self.top)

    def test_a_file_that_would_be_served(self):
        for path in (self.site / "users", self.site / "private" / ".users"):
            path.write_text(self.ada, encoding="ascii")
            self.assert_refused(f"the file of passwords {path} is below {self.site}, which is served: anyone could download it", "--auth", path,
                                "--dotfiles")
        self.serve(self.site, "--auth", self.site / "private" / ".users")
        os.link(self.users, self.site / "linked")
        server = self.serve_private()
        self.assertEqual(self.status(server, target="/linked"), 404)

    def test_passwords_need_tls_where_others_reach_the_address(self):
        self.assert_refused("passwords without TLS at an address that others reach", "--auth", self.users, "--bind", "0.0.0.0:0", status=2)
        self.serve(self.site, "--auth", self.users, "--bind", "0.0.0.0:0", "--auth-over-plain")
        self.serve(self.site, "--auth", self.users, "--bind", "127.0.0.1:0")
        if HAS_TLS:
            self.serve(self.site, "--auth", self.users, "--bind", "0.0.0.0:0", "--tls", XDG_STATE_HOME=str(self.top / "state"))


@unittest.skipUnless(HAS_CRYPT, "built without libcrypt")
class Password(unittest.TestCase):
    def test_lines_are_made_by_each_method(self):
        for method, start in (("yescrypt", "$y$"), ("bcrypt", "$2b$12$"), ("sha512", "$6$rounds=100000$")):
            self.assertTrue(password_line("ada", "secret", method).startswith(f"ada:{start}"))

    def test_what_is_wrong_is_said(self):
        for arguments, given, status, what in ((["a:b"], "x", 2, "is no name of a user"), (["ada"], "", 1, "there is no password"),
                                               (["ada"], "\n", 1, "is empty"), (["ada", "--method", "md5"], "x", 2, "none of yescrypt, bcrypt and sha512"),
                                               (["ada"], "a\tb\n", 1, "control character"), ([], "x\n", 2, "NAME is missing"),
                                               (["ada", "--method", "bcrypt"], "x" * 73, 1, "first 72 bytes"), (["ada"], "x" * 600, 1, "longer than 511")):
            with self.subTest(arguments=arguments, given=given):
                kept = {name: value for name, value in environment().items() if name != "USER"}
                done = subprocess.run([binary(), "password", *arguments], input=given, capture_output=True, text=True, env=kept,
                                      timeout=PATIENCE_SECONDS, check=False)
                self.assertEqual((done.returncode, done.stdout), (status, ""))
                self.assertIn(what, done.stderr)

    def on_a_terminal(self, *typed):
        """(exit status, what the terminal shows, standard output). Each text is typed when it is asked for."""
        controller, terminal = pty.openpty()
        self.addCleanup(os.close, controller)
        process = subprocess.Popen([binary(), "password", "ada"], stdin=terminal, stdout=subprocess.PIPE, stderr=terminal, env=environment(),
                                   start_new_session=True)
        shown = b""
        for text in typed:
            while not shown.endswith(b": "):
                shown += os.read(controller, 1000)
            if text is None:
                process.send_signal(signal.SIGINT)
            else:
                os.write(controller, text + b"\n")
            shown += b" "
        output = process.stdout.read()
        status = process.wait(PATIENCE_SECONDS)
        process.stdout.close()
        echoes = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
        os.close(terminal)
        try:
            while True:  # what was written in two pieces may come so
                shown += os.read(controller, 1000)
        except OSError:
            pass  # the terminal has nothing more, and its other end is closed
        self.assertTrue(echoes, "the terminal is left as it was")
        return status, shown, output

    def test_a_terminal_asks_twice_and_shows_nothing(self):
        status, shown, output = self.on_a_terminal(b"secret", b"secret")
        self.assertEqual(status, 0, shown)
        self.assertTrue(output.startswith(b"ada:$y$"))
        self.assertNotIn(b"secret", shown)
        status, shown, output = self.on_a_terminal(b"secret", b"other")
        self.assertEqual((status, output), (1, b""), shown)
        self.assertIn(b"the two passwords differ", shown)

    def test_an_interrupted_terminal_shows_again_what_is_typed(self):
        status, shown, output = self.on_a_terminal(b"secret", None)
        self.assertEqual((status, output), (1, b""), shown)


if __name__ == "__main__":
    unittest.main()
