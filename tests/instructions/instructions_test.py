#!/usr/bin/env python3
"""The judgement of instructions.py catches what it is for."""

import unittest

from instructions import judge


class Judgement(unittest.TestCase):
    def test_what_grew_by_more_than_three_percent_is_named(self) -> None:
        self.assertEqual(judge({"head": 1031, "server": 1029}, {"head": 1000, "server": 1000}),
                         ["head: 1031 instructions, where 1000 were committed (+3.1%)"])

    def test_less_is_never_wrong(self) -> None:
        self.assertEqual(judge({"head": 500}, {"head": 1000}), [])

    def test_what_nothing_was_committed_of_is_not_judged(self) -> None:
        self.assertEqual(judge({"head": 500}, {}), [])


if __name__ == "__main__":
    unittest.main()
