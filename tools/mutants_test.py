#!/usr/bin/env python3
"""Mutants are made of code alone, one place at a time, and the report counts them."""

import unittest

from mutant_judge import noticed, stages
from mutants import summary
from mutation import Mutant, mutants

CODE = """\
// if (a == b) in a comment
static_assert(a == b);
const char* text = "a == b";
void f(int a, int b) {
    if (a == b && !done(a)) return;
    count += 2;
    connection.close(now);
    for (int i = 0; i < a; ++i) continue;
}
"""


def changed(path: str) -> Mutant:
    return Mutant(path, 1, 1, 0, 0, "", "")


class MutationTest(unittest.TestCase):
    def setUp(self):
        self.found = list(mutants("src/x/y.cpp", CODE))
        self.changes = {(each.was.strip(), each.becomes) for each in self.found}

    def test_operators_literals_and_statements_change(self):
        for change in [("==", "!="), ("&&", "||"), ("!", ""), ("<", "<="), ("+=", "-="), ("++", "--"), ("2", "3"),
                       ("continue;", "{}"), ("connection.close(now);", "{}"), ("count += 2;", "{}"),
                       ("if (a == b && !done(a))", "if (false)")]:
            self.assertIn(change, self.changes)

    def test_comments_literals_and_assertions_stay(self):
        self.assertEqual({each.line for each in self.found if each.was == "=="}, {5})

    def test_one_place_changes(self):
        for mutant in self.found:
            changed = mutant.applied_to(CODE)
            self.assertEqual(changed[: mutant.start], CODE[: mutant.start])
            self.assertTrue(changed.endswith(CODE[mutant.end :]))
            self.assertNotEqual(changed, CODE)


class MutantsTest(unittest.TestCase):
    def test_the_tests_of_its_own_floor_come_first(self):
        self.assertEqual(next(stages(changed("src/site/files/cache.cpp"))).targets, ["site_test"])

    def test_the_contract_is_asked_of_engines_that_use_the_file(self):
        contract = [each for each in stages(changed("src/engines/ring/ring_loop.h")) if each.targets == ["contract_test"]]
        self.assertEqual([each.pattern for each in contract], ["*/io_uring:*/io_uring_of_old"])
        contract = [each for each in stages(changed("src/engines/poll.cpp")) if each.targets == ["contract_test"]]
        self.assertEqual([each.pattern for each in contract], ["*/poll"])

    def test_a_test_notices_by_failing_and_by_never_ending(self):
        self.assertEqual(noticed("[ RUN      ] A.B/0\n[  FAILED  ] A.B/0, where GetParam() = x (7 ms)\n"), ("A.B/0", "7 ms"))
        self.assertEqual(noticed("[ RUN      ] A.B\n[       OK ] A.B (1 ms)\n[ RUN      ] A.C\n"), ("A.C", "never ended"))

    def test_the_summary_leaves_out_what_does_not_compile(self):
        records = [{"mutant": "src/net/a.cpp:1: x", "result": result} for result in ("killed", "killed", "survived", "stillborn")]
        self.assertEqual(summary(records), "net: 2 of 3 killed, 1 did not compile")


if __name__ == "__main__":
    unittest.main()
