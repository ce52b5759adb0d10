#!/usr/bin/env python3
"""Comments are read as blocks, and openings that docs/style.md forbids are found."""

import unittest

from comments import comments, comments_open_with_nouns, fault_of

SOURCE = """\
/// The first line
/// and the second.
int a;  // in bytes
// Another.

// A third one.
const char* b = "// no comment";
"""


class CommentsTest(unittest.TestCase):
    def test_lines_that_follow_each_other_are_one(self):
        self.assertEqual(
            list(comments(SOURCE)),
            [(1, "The first line and the second."), (3, "in bytes"), (4, "Another."), (6, "A third one.")],
        )

    def test_a_clause_is_no_subject(self):
        for text in ("What is left.", "Whoever calls.", "who waits", "The rest. What comes next is read.", "Nobody has it."):
            self.assertIsNotNone(fault_of(text), text)

    def test_a_pronoun_comes_behind_its_noun(self):
        for text in ("It is over.", "Those of the file.", "One that waits.", "That is all.", "They go."):
            self.assertIsNotNone(fault_of(text), text)
        for text in ("One connection.", "This function.", "The list. It is sorted.", "Bytes, if that is known."):
            self.assertIsNone(fault_of(text), text)

    def test_headers_and_sources_are_read_and_tests_are_not(self):
        tree = {"src/a.h": "// What is left.\n", "tests/a.cpp": "// What is left.\n", "src/a.md": "// What is left.\n"}
        self.assertEqual([(finding.path, finding.line) for finding in comments_open_with_nouns(tree)], [("src/a.h", 1)])


if __name__ == "__main__":
    unittest.main()
