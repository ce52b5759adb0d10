#!/usr/bin/env python3
"""The judgement of instructions.py catches what it is for."""

import contextlib
import io
import json
import unittest
from unittest import mock

import instructions
from instructions import judge


class Judgement(unittest.TestCase):
    def test_what_grew_by_more_than_three_percent_is_named(self) -> None:
        self.assertEqual(judge({"head": 1031, "server": 1029}, {"head": 1000, "server": 1000}),
                         ["head: 1031 instructions, where 1000 were committed (+3.1%)"])

    def test_less_is_never_wrong(self) -> None:
        self.assertEqual(judge({"head": 500}, {"head": 1000}), [])

    def test_what_nothing_was_committed_of_is_not_judged(self) -> None:
        self.assertEqual(judge({"head": 500}, {}), [])


class Elsewhere(unittest.TestCase):
    def passes(self, measured_with: str) -> bool:
        """Where each work costs far more than was committed."""
        with (mock.patch.object(instructions, "measured_with", return_value=measured_with),
              mock.patch.object(instructions, "work_of", return_value=list(instructions.WORK)),
              mock.patch.object(instructions, "of_a_request", return_value=10**9),
              mock.patch.object(instructions.shutil, "which"), contextlib.redirect_stdout(io.StringIO())):
            return instructions.main("hot_path") == 0

    def test_other_tools_are_compared_with_nothing(self) -> None:
        for committed in json.loads(instructions.FIGURES.read_text(encoding="utf-8")):
            self.assertFalse(self.passes(committed))
        self.assertTrue(self.passes("gcc 99.1.0, libstdc++ 20990101, glibc 9.9, scalar, valgrind-9"))


if __name__ == "__main__":
    unittest.main()
