#!/usr/bin/env python3
"""What a run of the tests says at its end follows from ctest's report."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import test_summary

CASE = '<testcase name="unit.{0:02}" time="{0}.5" status="run"/>'
SKIPPED = """<testcase name="browser" time="0.1" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
<system-out>looking
Chromium is not installed
</system-out></testcase>"""
FAILED = '<testcase name="stop" time="99" status="fail"><failure message=""/></testcase>'


def said(*cases: str) -> tuple[int, list[str]]:
    output = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        report = Path(folder) / "report.xml"
        report.write_text(f"<testsuite>{''.join(cases)}</testsuite>" if cases else "", encoding="utf-8")
        return test_summary.main(str(report), "7"), output.getvalue().splitlines()


class Summary(unittest.TestCase):
    def test_the_last_line_counts(self) -> None:
        self.assertEqual(said(CASE.format(1), CASE.format(2))[1][-2:], ["took 7 s, building included", "2 passed, 0 failed"])

    def test_a_failure_is_named_and_told_by_the_status(self) -> None:
        status, lines = said(CASE.format(1), FAILED)
        self.assertEqual((status, lines[0], lines[-1]), (1, "failed: stop", "1 passed, 1 failed"))

    def test_a_skipped_test_gives_its_reason(self) -> None:
        status, lines = said(CASE.format(1), SKIPPED)
        self.assertEqual((status, lines[:2]), (0, ["skipped: browser (Chromium is not installed)", "1 skipped"]))

    def test_the_ten_slowest_come_first(self) -> None:
        lines = said(*map(CASE.format, range(12)))[1]
        begin = lines.index("the slowest tests:") + 1
        self.assertEqual(lines[begin:-2], [f"{number:6}.5 s  unit.{number:02}" for number in range(11, 1, -1)])

    def test_a_report_that_is_missing_or_empty_is_a_failure(self) -> None:
        status, lines = said()
        self.assertEqual(status, 1)
        self.assertIn("no test report was written", lines[0])


if __name__ == "__main__":
    unittest.main()
