#!/usr/bin/env python3
"""Duties are read from their comment, and each must name tests that exist."""

import unittest

from duties import HOST, duties, duties_name_tests

HEADER = """\
/// Beyond that contract an engine has these duties.
///
/// 1. Accepting. Accept from all listeners, and no more
///    than the limit. [Requests.OnEveryListener, Overload.ManyWait]
/// 2. A lost peer. Where the system says so, fail() it.
///    [Peers.ResetAtOnce]
struct Host {};
"""
TESTS = "TEST_P(Requests, OnEveryListener) {\n}\nTEST_P(Overload, ManyWait) {\n}\n"


def findings(header: str, tests: str) -> list[str]:
    return [finding.message for finding in duties_name_tests({HOST: header, "tests/contract/a_test.cpp": tests})]


class DutiesTest(unittest.TestCase):
    def test_each_has_a_name_its_text_and_its_tests(self):
        first, second = duties(HEADER)
        self.assertEqual(first.name, "1. Accepting")
        self.assertEqual(first.text, "Accept from all listeners, and no more than the limit.")
        self.assertEqual(first.tests, ["Requests.OnEveryListener", "Overload.ManyWait"])
        self.assertEqual(second.name, "2. A lost peer")

    def test_a_test_that_is_not_there_is_found(self):
        self.assertEqual(
            findings(HEADER, TESTS), ["duty 2. A lost peer names Peers.ResetAtOnce, which is no test of all engines"]
        )
        self.assertEqual(findings(HEADER, TESTS + "TEST_P(Peers, ResetAtOnce) {\n}\n"), [])

    def test_a_duty_may_name_a_file_of_tests_alone(self):
        header = "/// 1. Memory. tests/faults/b_test.cpp holds it.\n/// 2. Nothing is left. [Requests.OnEveryListener]\nstruct Host {};\n"
        self.assertEqual([duty.tests for duty in duties(header)], [[], ["Requests.OnEveryListener"]])
        self.assertEqual(findings(header, TESTS), ["no test holds duty 1. Memory"])
        tree = {HOST: header, "tests/contract/a_test.cpp": TESTS, "tests/faults/b_test.cpp": ""}
        self.assertEqual(list(duties_name_tests(tree)), [])

    def test_a_test_elsewhere_does_not_count(self):
        tree = {HOST: HEADER, "tests/unit/a_test.cpp": TESTS}
        self.assertEqual(len(list(duties_name_tests(tree))), 3)


if __name__ == "__main__":
    unittest.main()
