"""--pin: each worker keeps to one core, and what has no workers says so."""

import os
import re
import time
import unittest

from served import PATIENCE_SECONDS, SITE, EndToEnd, available_engines, processes, run, text_of, threads_of

CORES = sorted(os.sched_getaffinity(0))
ENGINES = available_engines()


def cores_of_tasks(pid):
    """For each thread of a process and of its descendants: the cores that it may use (proc(5))."""
    for process in processes(pid):
        for thread in threads_of(process):
            yield from re.findall(r"^Cpus_allowed_list:\s+(\S+)$", text_of(thread / "status"), re.MULTILINE)


class Pinning(EndToEnd):
    def pinned(self, workers, count, *options):
        """The cores of those tasks that have only one, as soon as there are so many of them."""
        server = self.serve(SITE, "--workers", workers, *options)
        self.assertEqual(self.fetch(server, "/")[0].status, 200)
        until = time.monotonic() + PATIENCE_SECONDS
        while True:
            pinned = sorted(words for words in cores_of_tasks(server.process.pid) if words.isdigit())
            if len(pinned) == count or time.monotonic() > until:
                return pinned

    def test_each_worker_keeps_to_one_core(self):
        for engine in (engine["name"] for engine in ENGINES if engine["has_workers"]):
            with self.subTest(engine=engine):
                workers = len(CORES) + 1
                wanted = sorted(str(CORES[worker % len(CORES)]) for worker in range(workers))
                self.engine = engine
                self.assertEqual(self.pinned(workers, workers, "--pin"), wanted)

    @unittest.skipIf(len(CORES) == 1, "this process may use one core only")
    def test_only_where_it_is_asked_for(self):
        self.assertEqual(self.pinned(2, 0), [])

    def test_an_engine_without_workers_has_none_to_pin_or_count(self):
        for engine in (engine["name"] for engine in ENGINES if not engine["has_workers"]):
            for options in (("--pin",), ("--workers", "2")):
                status, _, words = run("serve", SITE, "--port", "0", "--engine", engine, *options)
                self.assertEqual(status, 2)
                self.assertIn(f"weir serve: {options[0]}: the engine {engine} has no workers; use it with ", words)


if __name__ == "__main__":
    unittest.main()
