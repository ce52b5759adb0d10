"""Upgrades whose new generation waits for the test: it reads the secret of session tickets from a pipe."""

import contextlib
import os
import re
import socket
import threading
import time
import unittest

from authority import Authority
from served import PATIENCE_SECONDS, wait_until
from tls_clients import open_connection
from versions import Versions

SECRET = "secret" * 10
CALLER_SECONDS = 5  # how long a supervisor waits for the rest of a line


class UpgradeSteps(Versions):
    def setUp(self):
        super().setUp()
        self.authority = Authority(self.folder)
        self.chain, self.key = self.authority.issue("site", "localhost")
        (self.folder / "keys").mkdir()
        self.tickets = self.folder / "keys" / "tickets"
        self.file = self.folder / "weir.toml"

    def serve_tls(self, *options):
        self.text = f'root = "{self.site}"\ntls-cert = "{self.chain}"\ntls-key = "{self.key}"\n'
        self.file.write_text(self.text, encoding="utf-8")
        return self.start("serve", "--config", self.file, "--port", "0", "--control", self.control, *options).wait_for_banner()

    def prepare_upgrade(self):
        """The new generation will wait for what is written into a pipe."""
        os.mkfifo(self.tickets)
        self.file.write_text(f'{self.text}tls-tickets = "{self.tickets}"\n', encoding="utf-8")  # the old one watches no pipe
        self.install(self.versions[1])

    def begin_upgrade(self):
        """Goes on until the new generation reads the pipe."""
        self.prepare_upgrade()
        answer = self.tell_meanwhile("upgrade")
        self.pipe = open(self.tickets, "w", encoding="ascii")  # waits for the reader
        self.addCleanup(self.pipe.close)
        self.assertIn("a new generation starts", self.tell("status")[1])
        return answer

    def end_upgrade(self, secret=SECRET):
        """The pipe gives way to a file, for the generations to come."""
        self.tickets.unlink()
        self.tickets.write_text(SECRET, encoding="ascii")
        with self.pipe:
            self.pipe.write(secret)

    def tell_meanwhile(self, command):
        answers = []
        teller = threading.Thread(target=lambda: answers.append(self.tell(command)))
        teller.start()

        def answer():
            teller.join()
            return answers[0]
        return answer

    def expect_the_old_one(self, server):
        self.assertEqual(self.versions_of_status(), [self.version] * 2)
        open_connection(server.port, self.authority.client()).close()

    def test_one_that_is_not_ready_in_time_is_ended(self):
        """It need not have come as far as the pipe."""
        server = self.serve_tls("--ready-timeout", "2s")
        self.prepare_upgrade()
        status, _, errors = self.tell("upgrade")
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"generation 2 \(pid \d+\) was not ready within 2 s \(--ready-timeout\); generation 1 ")
        self.expect_the_old_one(server)

    def test_one_that_finds_a_fault_changes_nothing(self):
        server = self.serve_tls()
        answer = self.begin_upgrade()
        self.end_upgrade("short")
        status, _, errors = answer()
        self.assertEqual(status, 1)
        self.assertIn("has less than 32 bytes", errors)
        self.assertIn("; generation 1 ", errors)
        self.expect_the_old_one(server)

    def test_one_that_dies_changes_nothing(self):
        server = self.serve_tls()
        answer = self.begin_upgrade()
        supervisor = server.process.pid
        with open(f"/proc/{supervisor}/task/{supervisor}/children", encoding="ascii") as children:
            starting = max(int(child) for child in children.read().split() if int(child) != self.serving())
        os.kill(starting, 9)
        status, _, errors = answer()
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"generation 2 \(pid \d+\) died of SIGKILL; generation 1 ")
        self.expect_the_old_one(server)

    def test_a_supervisor_that_cannot_be_replaced_goes_on(self):
        server = self.serve_tls()
        answer = self.begin_upgrade()
        self.program.chmod(0o644)
        self.end_upgrade()
        status, _, errors = answer()
        self.assertEqual(status, 1)
        self.assertIn(f"the supervisor stays weir {self.version}, because {self.program} cannot replace it: Permission denied", errors)
        self.assertEqual(self.versions_of_status(), self.versions[::-1])
        self.program.chmod(0o755)
        self.assertEqual(self.reload(), "nothing changed")
        self.assertEqual(self.versions_of_status(), self.versions[::-1])
        self.upgrade()
        self.assertEqual(self.versions_of_status(), [self.versions[1]] * 2)
        self.end(server)

    def test_requests_that_wait_are_answered_by_the_next_supervisor(self):
        server = self.serve_tls()
        answer = self.begin_upgrade()
        descriptors = f"/proc/{server.process.pid}/fd"
        before = len(os.listdir(descriptors))
        reload = self.tell_meanwhile("reload")
        with socket.socket(socket.AF_UNIX) as slow:
            slow.settimeout(PATIENCE_SECONDS)
            began = time.monotonic()
            slow.connect(f"{self.folder}/control")
            slow.sendall(b"sta")
            wait_until(lambda: len(os.listdir(descriptors)) >= before + 2)  # it has accepted both
            self.end_upgrade()
            server.wait_for_line(f"the supervisor is weir {self.versions[1]} now")
            with contextlib.suppress(BrokenPipeError):  # where this test itself has stood still
                slow.sendall(b"tus\n")
            if time.monotonic() - began < CALLER_SECONDS:
                self.assertIn(f"supervisor: pid {server.process.pid}, weir {self.versions[1]}", slow.recv(1000).decode())
            self.assertIn(f"weir {self.version} -> {self.versions[1]}", answer()[1])
            status, said, _ = reload()
            self.assertEqual((status, re.sub(r"\d+", "N", said)), (0, "generation N (pid N) serves; nothing changed\n"))
        self.end(server)

    def test_a_stop_ends_it(self):
        server = self.serve_tls("--stop-timeout", "1s")
        answer = self.begin_upgrade()
        self.end(server)
        self.assertEqual(answer()[0], 1)


if __name__ == "__main__":
    unittest.main()
