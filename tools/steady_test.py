#!/usr/bin/env python3
"""`./run steady` names what was red once or slow once, and leaves no busy process behind."""

import contextlib
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path
from unittest import mock

import steady

PATIENCE_SECONDS = 60
# In place of ctest: it lists two tests; of its runs, the second has a failure.
CTEST = """#!/bin/sh
case "$*" in
*--show-only*)
    echo '{"tests": [{"name": "a|b", "properties": [{"name": "TIMEOUT", "value": 100.0}]},
                     {"name": "quick", "properties": [{"name": "TIMEOUT", "value": 100.0}]}]}'
    exit ;;
esac
echo "$*" >>"$FAKE_CTEST/commands"
[ ! -p "$FAKE_CTEST/fifo" ] || echo started >"$FAKE_CTEST/fifo"
[ ! -p "$FAKE_CTEST/fifo" ] || exec cat "$FAKE_CTEST/fifo"
while [ "$1" != --output-junit ]; do shift; done
status=run
[ "$(wc -l <"$FAKE_CTEST/commands")" -ne 2 ] || status=fail
echo "<testsuite><testcase name='a|b' time='60' status='run'/><testcase name='quick' time='2' status='$status'/></testsuite>" >"$2"
[ $status = run ] || exit 8
"""


def children_of(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()]


def lives(pid: int) -> bool:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, 0)
        return True
    return False


class Steady(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "ctest").write_text(CTEST, encoding="ascii")
        (self.folder / "ctest").chmod(0o755)
        self.environment = os.environ | {"PATH": f"{self.folder}:{os.environ['PATH']}", "FAKE_CTEST": str(self.folder)}

    def run_steady(self, *arguments: str) -> tuple[int, list[str]]:
        output = io.StringIO()
        with (mock.patch.dict(os.environ, self.environment), contextlib.redirect_stdout(output),
              contextlib.redirect_stderr(io.StringIO())):
            status = steady.main([str(self.folder), *arguments])
        return status, output.getvalue().splitlines()

    def test_what_was_red_once_or_took_long_is_in_the_table(self) -> None:
        status, lines = self.run_steady("3", "--jobs", "2", "--", "-R", "some")
        self.assertEqual(status, 1)
        self.assertIn("3 rounds of 2 tests, 4 at a time", lines[0])
        self.assertEqual(lines[-2:], ["| `quick` | 2 | 2.0 | 3 | 100 |", "| `a\\|b` | none | 60.0 | 3 | 100 |"])
        commands = (self.folder / "commands").read_text(encoding="ascii").splitlines()
        self.assertEqual(len(commands), 3)
        for command in commands:
            self.assertIn("--schedule-random -j 4 ", command)
            self.assertTrue(command.endswith(" -R some"), command)

    def test_an_interrupted_run_goes_on_after_its_last_whole_round(self) -> None:
        self.run_steady("1")
        run = steady.Interrupted(self.folder / "steady", [steady.source(), "4"])
        run.add(60)
        status, lines = self.run_steady("2", "--jobs", "2")  # the second run of ctest is the red one
        self.assertEqual(status, 1)
        self.assertEqual(len((self.folder / "commands").read_text(encoding="ascii").splitlines()), 2)
        self.assertIn("2 rounds of 2 tests", lines[0])
        self.assertEqual(lines[-2], "| `quick` | 2 | 2.0 | 2 | 100 |")
        self.assertEqual(steady.Interrupted(self.folder / "steady", run.run).seconds, [])  # it was not interrupted
        run.add(60)
        for others in (["another source", "4"], [steady.source(), "8"], [steady.source(), "4", "-R", "some"]):
            self.assertEqual(steady.Interrupted(self.folder / "steady", others).seconds, [])

    def test_without_a_red_test_it_passes(self) -> None:
        self.assertEqual(self.run_steady("1")[0], 0)

    def test_nothing_to_name_is_said(self) -> None:
        self.assertEqual(steady.table({"a": steady.Seen(limit=60, slowest=30, slowest_round=1)}),
                         ["No test was red, and none took more than half of its limit."])

    def test_a_run_without_a_report_is_no_round(self) -> None:
        (self.folder / "ctest").write_text(CTEST.replace("while ", "exit 1; while "), encoding="ascii")
        with self.assertRaisesRegex(SystemExit, "ctest ended with 1"):
            self.run_steady("1")

    def test_the_busy_processes_end_with_it(self) -> None:
        with self.assertRaises(ZeroDivisionError), steady.busy(3) as pids:
            self.assertEqual([lives(pid) for pid in pids], [True] * 3)
            raise ZeroDivisionError
        self.assertEqual([lives(pid) for pid in pids], [False] * 3)

    def test_the_busy_processes_end_at_a_signal(self) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                self.interrupt(number)

    def interrupt(self, number: signal.Signals) -> None:
        fifo = self.folder / "fifo"
        os.mkfifo(fifo)
        try:
            process = subprocess.Popen([sys.executable, steady.__file__, str(self.folder), "1"], env=self.environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.assertEqual(fifo.read_text(encoding="ascii"), "started\n")
            children = children_of(process.pid)
            self.assertEqual(len(children), steady.BUSY_PER_PROCESSOR * (os.cpu_count() or 1) + 1)
            process.send_signal(number)
            self.assertEqual(process.wait(PATIENCE_SECONDS), 128 + number)
            until = time.monotonic() + PATIENCE_SECONDS
            while any(map(lives, children)):  # ctest is init's child for a moment
                self.assertLess(time.monotonic(), until)
        finally:
            fifo.unlink()


if __name__ == "__main__":
    unittest.main()
