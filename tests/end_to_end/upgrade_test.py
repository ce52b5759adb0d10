"""`weir upgrade` and SIGUSR2: another version takes over, in the same process, and no request is lost.

usage: upgrade_test.py [REQUESTS] [TEST]: so many requests for each engine, 500 if nothing else is said"""

import os
import signal
import sys
import unittest
from pathlib import Path

from served import ENGINES, run, wait_until
from supervised import Load, ask_on_a_connection_each, ask_on_one_connection
from versions import Versions

REQUESTS = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 500
# One connection at a time: one that is kept gives way to those that wait.
KEEPS_NO_CONNECTION = {"blocking"}


class Upgrade(Versions):
    def test_no_request_is_lost(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                self.upgrade_under_load(10 if self.engine == "per-core" else 2)

    def upgrade_under_load(self, upgrades_min):
        server = self.serve_supervised("--stop-timeout", "10m")
        try:
            self.expect_no_loss(server, upgrades_min)
        finally:
            server.stop()

    def expect_no_loss(self, server, upgrades_min):
        ways = [ask_on_a_connection_each]
        if self.engine not in KEEPS_NO_CONNECTION:
            ways.append(ask_on_one_connection)
        upgrades = 0
        with Load(server.port, REQUESTS, ways) as load:
            while load.goes_on() or upgrades < upgrades_min:
                self.upgrade_to_the_next()
                upgrades += 1
        print(f"{self.engine}: {load.answered} requests, {upgrades} upgrades, {len(load.lost)} lost")
        self.assertEqual(load.lost, [])
        self.assertEqual(self.versions_of_status(), [self.versions[0]] * 2)
        self.end(server)

    def test_the_process_stays_and_runs_the_new_file(self):
        server = self.serve_supervised()
        supervisor = server.process.pid
        self.assertEqual(self.versions_of_status(), [self.version] * 2)
        self.assertIn(f"supervisor: pid {supervisor}, ", self.tell("status")[1])
        descriptors = len(os.listdir(f"/proc/{supervisor}/fd"))
        for _ in range(3):
            self.upgrade_to_the_next()
            self.wait_for_one_generation()
            self.assertEqual(self.versions_of_status(), [self.versions[0]] * 2)
            self.assertIn(f"supervisor: pid {supervisor}, ", self.tell("status")[1])
            self.assertTrue(os.path.samefile(f"/proc/{supervisor}/exe", self.program))
            self.assertTrue(os.path.samefile(f"/proc/{self.serving()}/exe", self.program))
            self.assertEqual(Path(f"/proc/{supervisor}/comm").read_text(encoding="ascii"), "weir\n")
        self.assertEqual(len(os.listdir(f"/proc/{supervisor}/fd")), descriptors)
        self.assertNotIn("WEIR_SUPERVISOR", Path(f"/proc/{self.serving()}/environ").read_text(encoding="utf-8"))
        self.end(server)
        self.assertFalse((self.folder / "control").exists())

    def test_a_signal_upgrades(self):
        server = self.serve_supervised()
        self.install(self.versions[1])
        server.signal(signal.SIGUSR2)
        server.wait_for_line(rf"generation 2 \(pid \d+\) serves; weir {self.version} -> {self.versions[1]}")
        server.wait_for_line(f"the supervisor is weir {self.versions[1]} now")
        os.kill(self.serving(), signal.SIGUSR2)  # only orders of the supervisor count
        self.assertEqual(self.versions_of_status(), [self.versions[1]] * 2)
        self.end(server)

    def test_a_server_without_a_supervisor_ignores_the_signal(self):
        server = self.serve(self.site)
        server.signal(signal.SIGUSR2)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        self.end(server)

    def test_a_reload_runs_the_program_that_was_started(self):
        self.serve_supervised()
        self.install(self.versions[1])
        self.assertEqual(self.reload(), "nothing changed")
        self.assertEqual(self.versions_of_status(), [self.version] * 2)

    def test_a_link_is_followed_anew(self):
        other = self.folder / "other"
        other.write_bytes(self.patched(self.versions[1]))
        other.chmod(0o755)
        kept = self.program.rename(self.folder / "first")
        self.program.symlink_to(kept)
        self.serve_supervised()
        self.program.unlink()
        self.program.symlink_to(other)
        self.upgrade()
        self.assertEqual(self.versions_of_status(), [self.versions[1]] * 2)

    def test_files_that_cannot_take_over_change_nothing(self):
        server = self.serve_supervised()
        before = self.serving()
        silent = self.whole.replace(b"\nhandover ", b"\nhangover ")
        for content, mode, why in ((b"garbage", 0o755, "Exec format error"), (Path("/bin/true").read_bytes(), 0o755, "does not say"),
                                   (self.whole, 0o644, "Permission denied"), (silent, 0o755, "does not say that it can take over: weir")):
            with self.subTest(why=why):
                self.replace(content, mode)
                self.refuses(why)
        self.program.unlink()
        self.refuses("No such file")
        self.assertEqual(self.serving(), before)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        self.install(self.versions[1])
        self.upgrade()

    def refuses(self, why):
        status, said, errors = self.tell("upgrade")
        self.assertEqual((status, said), (1, ""))
        self.assertIn(why, errors)
        self.assertRegex(errors, r"; generation \d+ \(pid \d+\) goes on\n$")

    def test_a_supervisor_that_dies_takes_its_generations_along(self):
        server = self.serve_supervised()
        self.upgrade_to_the_next()
        serving = self.serving()
        server.signal(signal.SIGKILL)
        server.wait()
        wait_until(lambda: not Path(f"/proc/{serving}").exists())

    def test_a_generation_that_dies_after_it_is_replaced(self):
        server = self.serve_supervised()
        self.upgrade_to_the_next()
        os.kill(self.serving(), signal.SIGKILL)
        server.wait_for_line(r"generation 2 \(pid \d+\) died of SIGKILL; another one starts")
        server.wait_for_line(r"generation 3 \(pid \d+\) serves")
        self.assertEqual(self.versions_of_status(), [self.versions[0]] * 2)

    def test_only_the_process_itself_finds_a_state(self):
        status, _, errors = run("version", WEIR_SUPERVISOR="1")
        self.assertEqual((status, errors), (1, "weir: WEIR_SUPERVISOR names no state of this process\n"))


class UpgradeWithAFile(Versions):
    def test_options_of_the_file_change_with_it(self):
        file = self.folder / "weir.toml"
        file.write_text(f'root = "{self.site}"\n', encoding="utf-8")
        self.start("serve", "--config", file, "--port", "0", "--control", self.control).wait_for_banner()
        file.write_text(f'root = "{self.site}"\nspa = true\n', encoding="utf-8")
        self.install(self.versions[1])
        self.assertRegex(self.upgrade(), rf"weir {self.version} -> {self.versions[1]}; spa false -> true\n$")

    def test_a_wrong_file_changes_nothing(self):
        file = self.folder / "weir.toml"
        file.write_text(f'root = "{self.site}"\n', encoding="utf-8")
        self.start("serve", "--config", file, "--port", "0", "--control", self.control).wait_for_banner()
        file.write_text("listning = true\n", encoding="utf-8")
        self.install(self.versions[1])
        status, _, errors = self.tell("upgrade")
        self.assertEqual(status, 1)
        self.assertIn("weir.toml:1:1: ", errors)
        self.assertIn("goes on", errors)
        self.assertEqual(self.versions_of_status(), [self.version] * 2)


if __name__ == "__main__":
    unittest.main()
