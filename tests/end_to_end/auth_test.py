"""`weir serve --auth` and `weir password`, with the command's own processes, files and logs."""

import base64
import json
import os
import pty
import subprocess
import tempfile
import threading
import unittest
from pathlib import Path

from served import ENGINES, PATIENCE_SECONDS, EndToEnd, binary, environment, run, wait_until


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def password_line(user, password, method="sha256"):
    done = subprocess.run([binary(), "password", user, "--method", method], input=password + "\n", capture_output=True, text=True,
                          env=environment(), timeout=PATIENCE_SECONDS, check=True)
    return done.stdout


class Folder(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "site"
        (self.root / "private").mkdir(parents=True)
        (self.root / "index.html").write_text("public")
        (self.root / "private" / "a.txt").write_text("private")
        self.users = Path(folder.name) / "etc" / "users"
        self.users.parent.mkdir()
        self.write_users(password_line("ada", "secret"))
        self.log = Path(folder.name) / "access.log"

    def write_users(self, text):
        """Another file takes the place of the old one, as careful programs do it."""
        next_file = self.users.with_name("next")
        next_file.write_text(text)
        next_file.rename(self.users)

    def serve_private(self, *options):
        return self.serve(self.root, "--auth", f"/private/**: {self.users}", *options)

    def ask(self, server, user=None, password="secret", target="/private/a.txt"):
        headers = {"Authorization": basic(user, password)} if user else {}
        return self.fetch(server, target, **headers)


class UnderEngine(Folder):
    def test_passwords_are_asked_for_and_compared(self):
        server = self.serve_private("--realm", "the cellar", "--access-log", self.log, "--access-log-format", "json")
        self.assertEqual(self.fetch(server, "/")[1], b"public")
        response, _ = self.ask(server)
        self.assertEqual(response.status, 401)
        self.assertEqual(response.headers["WWW-Authenticate"], 'Basic realm="the cellar", charset="UTF-8"')
        self.assertEqual(self.ask(server, "ada", "wrong")[0].status, 401)
        self.assertEqual(self.ask(server, "eve")[0].status, 401)
        for _ in range(3):
            self.assertEqual(self.ask(server, "ada")[1], b"private")
        self.assertEqual(self.ask(server, target="/%70rivate//a.txt")[0].status, 401)
        wait_until(lambda: self.log.exists() and len(self.log.read_text().splitlines()) == 8)
        users = [json.loads(line).get("user") for line in self.log.read_text().splitlines()]
        self.assertEqual(users.count("ada"), 3)
        self.assertEqual(users.count(None), 5)


for name in ENGINES:
    of_engine = f"UnderEngine_{name.replace('-', '_')}"
    globals()[of_engine] = type(of_engine, (UnderEngine,), {"engine": name, "__module__": __name__, "__qualname__": of_engine})
del UnderEngine


class Users(Folder):
    def test_a_file_that_changes_is_read_again(self):
        server = self.serve_private()
        self.assertEqual(self.ask(server, "ada")[0].status, 200)
        self.write_users(password_line("bob", "secret"))
        wait_until(lambda: self.ask(server, "ada")[0].status == 401)
        self.assertEqual(self.ask(server, "bob")[0].status, 200)
        self.write_users("bob:secret\n")
        wait_until(lambda: self.ask(server, "bob")[0].status == 200 and any("line 1" in line for line in server.lines))
        server.wait_for_line(r"weir: warning: .*users: line 1 has a plain password .*; the users from before stay")

    def test_tries_are_limited(self):
        server = self.serve_private("--auth-tries", "2")
        for wrong in ("a", "b"):
            self.assertEqual(self.ask(server, "ada", wrong)[0].status, 401)
        response, _ = self.ask(server, "ada", "c")
        self.assertEqual(response.status, 429)
        self.assertIn(int(response.headers["Retry-After"]), range(1, 61))

    def test_many_clients_at_once_and_the_loop_serves_others(self):
        self.write_users("".join(password_line(f"user{i}", "secret", "sha512") for i in range(6)))
        server = self.serve_private("--auth-tries", "0")
        statuses = []
        clients = [threading.Thread(target=lambda i=i: statuses.append(self.ask(server, f"user{i % 6}")[0].status)) for i in range(24)]
        for client in clients:
            client.start()
        self.assertEqual(self.fetch(server, "/")[1], b"public")
        for client in clients:
            client.join()
        self.assertEqual(statuses, [200] * 24)

    def test_the_combined_log_has_the_user(self):
        self.write_users(password_line("ada b", "secret"))
        server = self.serve_private("--access-log", self.log)
        self.ask(server, "ada b")
        wait_until(lambda: self.log.exists() and self.log.read_text().endswith("\n"))
        self.assertRegex(self.log.read_text(), r"^127\.0\.0\.1 - ada\\x20b \[")


class WrongUse(Folder):
    def test_a_file_that_is_wrong_is_refused_at_the_start(self):
        for text, what in (("ada:$apr1$x$y\n", "line 1 has an MD5 hash (apr1), which is too weak"), ("\n\nx\n", "line 3 is not of the form")):
            self.write_users(text)
            status, _, errors = run("serve", self.root, "-p", "0", "--auth", self.users)
            self.assertEqual((status, errors.count("\n")), (1, 1), errors)
            self.assertIn(f"weir serve: --auth: {self.users}: {what}", errors)
        status, _, errors = run("serve", self.root, "-p", "0", "--auth", self.root / "none")
        self.assertEqual(status, 1)
        self.assertIn("No such file or directory", errors)

    def test_a_file_that_would_be_served_is_refused(self):
        users = self.root / "users"
        users.write_text(self.users.read_text())
        status, _, errors = run("serve", self.root, "-p", "0", "--auth", users)
        self.assertEqual(status, 1)
        self.assertIn("is in the folder that is served", errors)

    def test_options_that_need_it(self):
        for option in (("--realm", "x"), ("--auth-tries", "3")):
            status, _, errors = run("serve", self.root, *option)
            self.assertEqual(status, 2)
            self.assertIn(f"{option[0]} needs --auth", errors)


class Password(unittest.TestCase):
    def test_lines_are_made_by_each_method(self):
        for method, start in (("yescrypt", "$y$"), ("bcrypt", "$2b$12$"), ("sha512", "$6$"), ("sha256", "$5$")):
            self.assertTrue(password_line("ada", "secret", method).startswith(f"ada:{start}"))

    def test_what_is_wrong_is_said(self):
        for arguments, given, status, what in ((["a:b"], "x", 2, "is no user"), (["ada"], "", 1, "there is no password"), (["ada"], "\n", 1, "is empty"),
                                               (["ada", "--method", "md5"], "x", 2, "neither yescrypt"), (["ada"], "a\tb\n", 1, "control character"),
                                               ([], "x\n", 2, "USER is missing"), (["ada", "--method", "bcrypt"], "x" * 73, 1, "first 72 bytes")):
            with self.subTest(arguments=arguments, given=given):
                kept = {name: value for name, value in environment().items() if name != "USER"}
                done = subprocess.run([binary(), "password", *arguments], input=given, capture_output=True, text=True, env=kept,
                                      timeout=PATIENCE_SECONDS, check=False)
                self.assertEqual((done.returncode, done.stdout), (status, ""))
                self.assertIn(what, done.stderr)

    def on_a_terminal(self, *typed):
        """(exit status, what the terminal shows, standard output). Each text is typed when it is asked for."""
        controller, terminal = pty.openpty()
        process = subprocess.Popen([binary(), "password", "ada", "--method", "sha256"], stdin=terminal, stdout=subprocess.PIPE, stderr=terminal,
                                   env=environment())
        os.close(terminal)
        shown = b""
        for text in typed:
            while not shown.endswith(b": "):
                shown += os.read(controller, 1000)
            os.write(controller, text + b"\n")
            shown += b" "
        output = process.stdout.read()
        status = process.wait(PATIENCE_SECONDS)
        process.stdout.close()
        try:
            shown += os.read(controller, 1000)
        except OSError:
            pass  # the terminal has nothing more, and its other end is closed
        os.close(controller)
        return status, shown, output

    def test_a_terminal_asks_twice_and_shows_nothing(self):
        status, shown, output = self.on_a_terminal(b"secret", b"secret")
        self.assertEqual(status, 0, shown)
        self.assertTrue(output.startswith(b"ada:$5$"))
        self.assertNotIn(b"secret", shown)
        status, shown, output = self.on_a_terminal(b"secret", b"other")
        self.assertEqual((status, output), (1, b""), shown)
        self.assertIn(b"the two passwords differ", shown)


if __name__ == "__main__":
    unittest.main()
