#!/usr/bin/env python3
"""The words about an engine follow from the report of its contract tests."""

import contextlib
import io
import tempfile
import unittest
from pathlib import Path

import contract_grade

REPORT = """<testsuite>
<testcase name="contract.Engines/Peers.ResetAtOnce/spin" status="run"/>
<testcase name="contract.Engines/Stop.NewConnectionsAreRefused/spin" status="fail"><failure message=""/><system-out>
a_test.cpp:7: Failure
Expected equality of these values:
  1
  2

later words
</system-out></testcase>
<testcase name="contract.Engines/Later.ManyAtOnce/spin" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
<testcase name="contract.Engines/Answers.Small/spin" status="run"/>
</testsuite>"""


def grade(report: str) -> tuple[int, str]:
    output = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        path = Path(folder) / "report.xml"
        path.write_text(report)
        return contract_grade.main(str(path), "spin"), output.getvalue()


class GradeTest(unittest.TestCase):
    def test_a_failure_stands_under_its_duty_with_what_was_expected(self):
        status, text = grade(REPORT)
        self.assertEqual(status, 1)
        self.assertIn("NOT YET  7. The stop", text)
        self.assertIn("    stop: new connections are refused [Stop.NewConnectionsAreRefused]", text)
        self.assertIn("Expected equality of these values:", text)
        self.assertNotIn("later words", text)
        self.assertIn("1 of 4 tests say: not yet.", text)

    def test_what_holds_and_what_is_not_meant_for_it_are_counted(self):
        _, text = grade(REPORT)
        self.assertIn("held     6. A lost peer (1 of 1 tests pass)", text)
        self.assertIn("held     5. Completions (0 of 0 tests pass, 1 not meant for it)", text)
        self.assertIn("held     What connection.h says of steps and bytes (1 of 1 tests pass)", text)

    def test_without_failures_it_passes(self):
        status, text = grade(REPORT.replace('status="fail"><failure message=""/>', 'status="run">'))
        self.assertEqual(status, 0)
        self.assertIn("spin passes the contract.", text)

    def test_an_engine_without_tests_is_said(self):
        status, text = grade("<testsuite/>")
        self.assertEqual(status, 1)
        self.assertIn("no contract test ran for 'spin'", text)


if __name__ == "__main__":
    unittest.main()
