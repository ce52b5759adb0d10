"""What the command gives up before it serves: every thread and process of every engine is locked in, and still serves,
reloads and rotates its log. What the limits forbid is tried in tests/unit/sandbox."""

import os
import platform
import shutil
import signal
import subprocess
import tempfile
import unittest
from pathlib import Path

import served
from call_filter import without_calls
from served import EndToEnd, for_each_engine, processes, text_of, threads_of, wait_until

NOBODY = 65534
SECCOMP = {"x86_64": 317, "aarch64": 277}.get(platform.machine())
LANDLOCK_CREATE_RULESET = 444  # on all architectures


def sandbox_lines():
    """What a server says with -v about its sandbox."""
    server = served.Server("serve", served.SITE, "-p", "0", "-v")
    try:
        server.wait_for_line("only this machine")
        return [line for line in server.lines if line.startswith("sandbox: ")]
    finally:
        server.stop()


LINES = sandbox_lines()
HAS_FILES, HAS_CALLS = ("files (Landlock" in LINES[0], "system calls (seccomp)" in LINES[0])


def statuses(server):
    """/proc/PID/status of all threads of all processes, but those that end meanwhile."""
    for pid in processes(server.process.pid):
        yield from filter(None, (text_of(thread / "status") for thread in threads_of(pid)))


class InFolder(EndToEnd):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        self.folder.chmod(0o755)
        self.root, self.logs = self.folder / "site", self.folder / "log"
        for each in (self.root, self.logs):
            each.mkdir()
        self.log = self.logs / "access.log"
        (self.root / "index.html").write_text("page", encoding="ascii")

    def asserts_page(self, server):
        self.assertEqual(self.fetch(server, "/")[1], b"page")

    def rotate(self, server, number):
        """Renames the log, and asks until a line is in a new one."""
        wait_until(self.log.exists)
        self.log.rename(self.log.with_suffix(".old"))
        server.signal(number)
        wait_until(lambda: self.asserts_page(server) or (self.log.exists() and self.log.stat().st_size > 0))

    def restricted(self, restrict, *arguments):
        """The output of a server that serves under a restriction, until it is stopped."""
        process = subprocess.Popen([served.binary(), "serve", self.root, "-p", "0", "-e", self.engine, *arguments],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   env=served.environment(), preexec_fn=restrict)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        lines = []
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            if match := served.BANNER_URL.search(line):
                self.port = int(match[2])
            if line.startswith("only this machine"):
                self.assertEqual(self.fetch(self, "/")[1], b"page")
                process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 0)
        return lines


@for_each_engine
class Locked(InFolder):
    def test_is_every_thread_in(self):
        server = self.serve(self.root, "--access-log", self.log)
        connection = self.connect(server)
        connection.request("GET", "/")
        self.assertEqual(connection.getresponse().read(), b"page")
        for status in statuses(server):
            self.assertIn("\nNoNewPrivs:\t1\n", status)
            if HAS_CALLS:
                self.assertIn("\nSeccomp:\t2\n", status)
            if HAS_CALLS and "Seccomp_filters" in status:  # since Linux 5.9
                self.assertIn(f"\nSeccomp_filters:\t{2 if self.engine == 'io-uring' else 1}\n", status)
        for pid in processes(server.process.pid):
            self.assertRegex(Path(f"/proc/{pid}/limits").read_text(encoding="ascii"), r"Max core file size +0 +0 ")

    def test_rotates_and_reloads(self):
        server = self.serve(self.root, "--access-log", self.log)
        self.asserts_page(server)
        for number in (signal.SIGUSR1, signal.SIGHUP):
            self.rotate(server, number)
        (self.root / "index.html").write_text("new page", encoding="ascii")
        wait_until(lambda: self.fetch(server, "/")[1] == b"new page")
        server.signal(signal.SIGTERM)
        self.assertEqual(server.wait(), 0)


class Sandbox(InFolder):
    def test_is_entered_before_there_are_threads(self):
        self.assertFalse([line for line in LINES if "threads" in line])

    def test_is_said_with_verbose_alone(self):
        self.assertFalse([line for line in self.serve(self.root).lines if "sandbox" in line])
        self.assertRegex(LINES[0], r"^sandbox: limits on new privileges, capabilities, core files")

    def test_is_left_out_on_demand(self):
        for arguments, variables in ((["--no-sandbox"], {}), ([], {"WEIR_NO_SANDBOX": "1"})):
            server = self.serve(self.root, "-v", *arguments, **variables)
            self.asserts_page(server)
            self.assertFalse([line for line in server.lines if "sandbox" in line])
            for status in statuses(server):
                self.assertIn("\nNoNewPrivs:\t0\n", status)
                self.assertIn("\nSeccomp:\t0\n", status)

    @unittest.skipUnless(HAS_CALLS and SECCOMP, "no filters here")
    def test_is_as_far_as_a_container_lets_it(self):
        lines = self.restricted(without_calls(SECCOMP, LANDLOCK_CREATE_RULESET), "-v")
        self.assertIn("sandbox: limits on new privileges, capabilities, core files", lines)
        self.assertIn("sandbox: no limits on files: Landlock is forbidden here: Operation not permitted", lines)
        self.assertIn("sandbox: no limits on system calls: seccomp is forbidden here: Operation not permitted", lines)

    @unittest.skipUnless(HAS_CALLS and SECCOMP, "no filters here")
    def test_is_as_far_as_the_kernel_has_it(self):
        lines = self.restricted(without_calls(LANDLOCK_CREATE_RULESET, error=38), "-v")
        self.assertIn("sandbox: limits on new privileges, capabilities, core files, system calls (seccomp)", lines)
        self.assertIn("sandbox: no limits on files: this kernel has no Landlock (5.13 has it)", lines)

    @unittest.skipUnless(HAS_FILES, "no Landlock here")
    def test_keeps_the_log_in_its_folder(self):
        server = self.serve(self.root, "--access-log", self.log)
        (self.folder / "outside").mkdir()
        self.log.unlink()
        self.log.symlink_to(self.folder / "outside" / "access.log")
        server.signal(signal.SIGUSR1)
        server.wait_for_line(f"access log {self.log} cannot be reopened: Permission denied; .*: weir reload, or a restart")
        self.assertFalse(list((self.folder / "outside").iterdir()))


@for_each_engine
@unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
class User(InFolder):
    def test_serves(self):
        os.chown(self.logs, NOBODY, NOBODY)
        server = self.serve(self.root, "--access-log", self.log, "--user", f"{NOBODY}:{NOBODY}")
        connection = self.connect(server)
        connection.request("GET", "/")
        self.assertEqual(connection.getresponse().read(), b"page")
        for status in statuses(server):
            self.assertRegex(status, rf"\nUid:{f'{chr(9)}{NOBODY}' * 4}\nGid:{f'{chr(9)}{NOBODY}' * 4}\n")
            self.assertRegex(status, r"\nCapEff:\t0{16}\n")
            self.assertRegex(status, rf"\nGroups:\s({NOBODY})?\s*\n")
        connection.close()
        for number in (signal.SIGUSR1, signal.SIGHUP):
            self.rotate(server, number)
        self.assertEqual(self.log.stat().st_uid, NOBODY)
        (self.root / "index.html").write_text("new page", encoding="ascii")
        wait_until(lambda: self.fetch(server, "/")[1] == b"new page")


class Refused(InFolder):
    def refusal(self, *arguments, program=None, **more):
        done = subprocess.run([program or served.binary(), "serve", self.root, "-p", "0", *arguments], stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, env=served.environment(), timeout=served.PATIENCE_SECONDS,
                              check=False, **more)
        self.assertEqual(done.stdout, "")
        return done.returncode, done.stderr.rstrip("\n")

    def test_is_a_user_that_is_not_there(self):
        status, words = self.refusal("--user", "nobody-knows")
        self.assertEqual(status, 2)
        self.assertIn("--user: there is no user 'nobody-knows' in /etc/passwd", words)

    def test_is_root(self):
        status, words = self.refusal("--user", "root")
        self.assertEqual(status, 2)
        self.assertIn("--user: to become root gives up nothing", words)

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_is_what_only_root_can(self):
        program = shutil.copy(served.binary(), self.root)  # the build may lie where only root may look
        self.assertEqual(self.refusal("--user", "daemon", program=program, user=NOBODY),
                         (1, "weir serve: only root can become the user daemon; start weir as that user, or leave out --user"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_is_a_folder_that_the_user_cannot_read(self):
        self.root.chmod(0o700)
        self.assertEqual(self.refusal("--user", "daemon"),
                         (1, f"weir serve: the user daemon cannot read {self.root}: Permission denied"))

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_is_a_log_that_the_user_cannot_write(self):
        self.assertEqual(self.refusal("--user", "daemon", "--access-log", self.log),
                         (1, f"weir serve: cannot write the access log {self.log}: Permission denied"))


if __name__ == "__main__":
    unittest.main()
