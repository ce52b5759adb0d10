"""`weir upgrade`: another program takes the place of one that serves, or nothing happens.

usage: upgrade_test.py [REQUESTS] [TEST]: so many requests for each engine, 2,000 if nothing else is said"""

import os
import shutil
import signal
import sys
import unittest
from pathlib import Path

from served import ENGINES, binary, wait_until
from supervised import Load, Supervised, ask_on_a_connection_each, ask_on_one_connection

REQUESTS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 2000
UPGRADED = ("per-core", "prefork", "epoll-edge", "io-uring", "thread-pool")


class Upgrade(Supervised):
    def setUp(self):
        super().setUp()
        self.first = self.folder / "weir-1"
        self.second = self.folder / "weir-2"
        for each in (self.first, self.second):
            shutil.copy(binary(), each)
        self.installed = self.folder / "weir"
        self.install(self.first)

    def install(self, file):
        """As a package manager does: at no moment is there no file."""
        new = self.folder / "new"
        new.symlink_to(file)
        new.replace(self.installed)

    def serve_installed(self, *options):
        before = os.environ.get("WEIR_BINARY")
        os.environ["WEIR_BINARY"] = str(self.installed)
        try:
            return self.serve_supervised(*options)
        finally:
            os.environ["WEIR_BINARY"] = before

    def program_of(self, pid):
        return Path(f"/proc/{pid}/exe").readlink()

    def test_no_request_is_lost(self):
        for self.engine in [engine for engine in UPGRADED if engine in ENGINES]:
            with self.subTest(engine=self.engine):
                self.install(self.first)
                server = self.serve_installed()
                try:
                    self.expect_no_loss(server)
                finally:
                    server.stop()

    def expect_no_loss(self, server):
        upgrades = 0
        with Load(server.port, REQUESTS, [ask_on_a_connection_each, ask_on_one_connection]) as load:
            while load.goes_on() or upgrades == 0:
                self.install(self.second if upgrades % 2 == 0 else self.first)
                self.reload("upgrade")
                upgrades += 1
        print(f"{self.engine}: {load.answered} requests, {upgrades} upgrades, {len(load.lost)} lost")
        self.assertEqual(load.lost, [])
        self.end(server)

    def test_generation_and_supervisor_are_the_new_program(self):
        server = self.serve_installed()
        self.assertEqual(self.program_of(self.serving()), self.first)
        self.install(self.second)
        serving = self.reload()
        self.assertEqual(self.program_of(serving), self.first)
        serving = self.reload("upgrade")
        self.assertEqual(self.program_of(serving), self.second)
        wait_until(lambda: self.program_of(server.process.pid) == self.second)
        self.reload()
        self.assertEqual(self.program_of(self.serving()), self.second)
        server.signal(signal.SIGHUP)
        server.wait_for_line("generation 5 .* serves")
        os.kill(self.serving(), signal.SIGKILL)
        server.wait_for_line("generation 6 .* serves")
        self.end(server)
        self.assertFalse((self.folder / "control").exists())

    def test_a_signal_upgrades(self):
        server = self.serve_installed()
        self.install(self.second)
        server.signal(signal.SIGUSR2)
        server.wait_for_line(r"generation 2 \(pid \d+\) serves")
        wait_until(lambda: self.program_of(server.process.pid) == self.second)

    def expect_no_upgrade(self, server, serving, why):
        status, said, errors = self.tell("upgrade")
        self.assertEqual((status, said), (1, ""))
        self.assertRegex(errors, f"^weir upgrade: upgrade failed: .*{why}.*goes on\n$")
        self.assertEqual(self.serving(), serving)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        self.assertEqual(self.program_of(server.process.pid), self.first)

    def test_a_program_that_fails_changes_nothing(self):
        server = self.serve_installed()
        serving = self.serving()
        script = self.folder / "broken"
        for text, why in (("#!/bin/sh\nexit 3\n", "exited with status 3"), ("#!/bin/sh\nkill -SEGV $$\n", "died of SIGSEGV"),
                          ("no program", "cannot run"), (None, "cannot run")):
            with self.subTest(text=text):
                script.unlink(missing_ok=True)
                if text:
                    script.write_text(text, encoding="ascii")
                    script.chmod(0o755)
                self.install(script)
                self.expect_no_upgrade(server, serving, why)
        self.install(self.second)
        self.reload("upgrade")

    def test_a_program_that_hangs_changes_nothing(self):
        server = self.serve_installed("--ready-timeout", "500ms")
        script = self.folder / "hangs"
        script.write_text("#!/bin/sh\nexec sleep 1000\n", encoding="ascii")
        script.chmod(0o755)
        self.install(script)
        self.expect_no_upgrade(server, self.serving(), "was not ready within 500 ms")


if __name__ == "__main__":
    unittest.main()
