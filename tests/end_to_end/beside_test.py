"""The processes beside the server, and their death: of --admin, and weir-keeper, which starts it again."""

import os
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from admin_pages import KEPT_UNDER, AdminTest, left_behind, name_of, processes_of_pages, requests, wait_for_one_process
from served import is_running, processes, wait_until

AS_PROCESS_1 = ("unshare", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc", "--")
MAY_BE_PROCESS_1 = shutil.which("unshare") and subprocess.run([*AS_PROCESS_1, "true"], capture_output=True, check=False).returncode == 0


class Killed(AdminTest):
    """A process of the pages that dies is reaped, and the next one goes on with the counts."""

    def check(self, server):
        self.fetch(server, "/")
        wait_until(lambda: requests(self.figures(), 200) == 1)
        for deaths in (1, 2):
            wait_for_one_process(server)
            [pages] = processes_of_pages(server)
            os.kill(pages, signal.SIGKILL)
            server.wait_for_line("the process of --admin died of SIGKILL; the next one begins (in|at once)")
            wait_until(lambda pages=pages: processes_of_pages(server) not in ([], [pages]))
            self.assertEqual(self.get("/readyz")[:2], (200, "serving\n"))
            figures = self.figures()
            self.assertEqual(requests(figures, 200), 1)
            self.assertEqual(figures["weir_troubles_total", frozenset({("kind", "workers")})], deaths)
            self.assertEqual(left_behind(server), [])
        self.end(server)

    def test_it_is_started_again(self):
        for self.engine in KEPT_UNDER:
            with self.subTest(self.engine):
                self.check(self.serve(self.site, "--admin", f"unix:{self.admin}"))
                self.assertFalse(Path(self.admin).exists())

    def test_it_is_started_again_under_a_supervisor(self):
        for self.engine in KEPT_UNDER:
            with self.subTest(self.engine):
                self.check(self.serve_supervised("--admin", f"unix:{self.admin}"))

    def test_a_keeper_that_is_killed_is_named_and_a_reload_starts_both(self):
        server = self.serve_supervised("--admin", f"unix:{self.admin}")
        self.assertEqual(self.get("/livez")[0], 200)
        [pages] = processes_of_pages(server)
        [keeper] = [pid for pid in processes(server.process.pid) if name_of(pid) == "weir-keeper"]
        os.kill(keeper, signal.SIGKILL)
        server.wait_for_line("the process of --admin ends, because weir-keeper, which starts it again, was killed; a restart or `weir reload`")
        wait_until(lambda: not is_running(pages))
        self.reload_to_the_next(server)
        self.assertEqual(self.get("/readyz")[:2], (200, "serving\n"))
        self.end(server)

    def test_signals_of_a_service_are_for_the_server_alone(self):
        """A terminal, and a manager of services, send them to all processes of the service."""
        server = self.serve(self.site, "--admin", f"unix:{self.admin}")
        wait_for_one_process(server)  # weir serves before the process beside it has its name
        [pages] = processes_of_pages(server)
        beside = [pid for pid in processes(server.process.pid) if name_of(pid) in ("weir-admin", "weir-keeper")]
        for each in beside:
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(each, number)
        self.assertEqual(self.get("/livez")[0], 200)
        self.assertEqual(processes_of_pages(server), [pages])
        self.end(server)
        self.assertNotIn("ends", "".join(server.lines))
        wait_until(lambda: not any(map(is_running, beside)))

    def test_after_a_reload_none_is_left(self):
        server = self.serve_supervised("--admin", f"unix:{self.admin}")
        self.reload()
        self.wait_for_one_generation()

        def counts():
            names = [name_of(pid) for pid in processes(server.process.pid)]
            return names.count("weir-admin"), names.count("weir-keeper")

        wait_until(lambda: counts() == (1, 1))


@unittest.skipUnless(MAY_BE_PROCESS_1, "no namespace of processes can be made here")
class Process1(AdminTest):
    """In a container weir is process 1, and the parent of what a generation leaves behind."""

    def test_after_reloads_no_process_is_left(self):
        server = self.serve_supervised("--admin", f"unix:{self.admin}", prefix=AS_PROCESS_1)
        for number in (2, 3, 4):
            self.assertIn(f"generation {number} ", self.tell("reload")[1])
        self.wait_for_one_generation()

        def keepers():
            return [pid for pid in processes(server.process.pid) if name_of(pid) == "weir-keeper"]

        wait_until(lambda: not left_behind(server) and len(keepers()) == 1)


if __name__ == "__main__":
    unittest.main()
