#!/usr/bin/env python3
"""The figures of the engines count what their description says, and nothing else."""

import unittest

import engine_figures
import engine_rows
from engine_figures import Copies


def engine(name: str, members: str, tail: str = "") -> str:
    return (f"// {name}: what it is.\n//\n// Who waits: nobody.\n\n#include <poll.h>\n\n"
            f"namespace weir::engines {{\nnamespace {{\n\n"
            f"class {name.title()} {{\n   public:\n{members}\n}};\n\n}}  // namespace\n\n"
            f"std::error_code run_{name}(Host& host) {{ return {name.title()}{{host}}.run(); }}\n{tail}}}\n")


RUN = "    void run() {\n        step();  // %s\n        // %s\n\n        step();\n    }\n"


class EnginesTest(unittest.TestCase):
    def test_an_engine_is_the_file_named_after_its_function(self):
        self.assertTrue(engine_figures.defines_engine("one", engine("one", "")))
        self.assertTrue(engine_figures.defines_engine("one", "std::error_code run_one(Host&) { return {}; }\n"))
        self.assertFalse(engine_figures.defines_engine("one_unavailable", engine("one", "")))
        two_parameters = "std::error_code run_loops(Host& host, Open open) {}\n"
        self.assertFalse(engine_figures.defines_engine("loops", two_parameters))

    def test_the_working_tree_has_those_of_the_rows(self):
        self.assertEqual(set(engine_figures.engines_at(None)), {one.function for one in engine_rows.read().engines})


class CopiesTest(unittest.TestCase):
    def copies(self, *members: str) -> Copies:
        return engine_figures.copies({f"engine{i}": engine(f"engine{i}", text) for i, text in enumerate(members)})

    def test_every_copy_after_the_first_counts(self):
        one = RUN % ("a", "b")
        self.assertEqual(self.copies(one), Copies(4, 0))
        self.assertEqual(self.copies(one, one), Copies(8, 4))
        self.assertEqual(self.copies(one, one, one), Copies(12, 8))

    def test_comments_blank_lines_and_indentation_do_not_matter(self):
        other = "   void run() {\n      step();\n      step();\n   }\n"
        self.assertEqual(self.copies(RUN % ("a", "b"), other), Copies(8, 4))

    def test_another_name_is_no_copy(self):
        self.assertEqual(self.copies(RUN % ("a", "b"), (RUN % ("a", "b")).replace("run", "go")), Copies(8, 0))

    def test_a_repetition_in_the_same_engine_is_no_copy(self):
        other = "};\nclass Other {\n" + RUN % ("a", "b")
        self.assertEqual(self.copies(RUN % ("a", "b") + other), Copies(8, 0))

    def test_constructors_variables_and_free_functions_do_not_count(self):
        member = ("    explicit Engine0(int a)\n        : a_{a} {}\n    ~Engine0() { stop(); }\n"
                  "    int a_ = f(3);\n    Gate b_{1};\n")
        self.assertEqual(self.copies(member), Copies(0, 0))

    def test_drive_can_be_left_out(self):
        engines = {name: engine(name, RUN.replace("run", "drive") + RUN) for name in ("one", "two")}
        self.assertEqual(engine_figures.copies(engines), Copies(16, 8))
        self.assertEqual(engine_figures.copies(engines, lambda name: name != "drive"), Copies(8, 4))

    def test_the_list_names_the_function_and_its_holders(self):
        engines = {name: engine(name, RUN % (name, name)) for name in ("one", "two")}
        self.assertEqual(engine_figures.copied_functions(engines), ["  4 lines  run: one, two"])


class LengthTest(unittest.TestCase):
    def test_the_opening_comment_does_not_count(self):
        self.assertEqual(engine_figures.length("// a\n// b\n\n#include <a>\n// c\nint a;\n"), 4)


class DifferenceTest(unittest.TestCase):
    def difference(self, one: str, other: str) -> str:
        return engine_figures.difference("one", "two", {"one": engine("one", one), "two": engine("two", other, "\n")})

    def test_own_names_comments_and_includes_do_not_count(self):
        found = self.difference(RUN % ("a", "b"), RUN % ("c", "d"))
        self.assertTrue(found.startswith("0 (-0 +0; raw -5 +6)"), found)

    def test_a_changed_line_counts_once(self):
        found = self.difference("    int a = 1;\n    int b = 2;\n    int c = 3;\n",
                                "    int a = 1;\n    int b = 9;\n    int c = 3;\n    int d;\n")
        self.assertTrue(found.startswith("2 (-1 +2;"), found)

    def test_an_engine_that_is_not_there_has_no_difference(self):
        self.assertEqual(engine_figures.difference("one", "three", {"one": ""}), "-")


class TableTest(unittest.TestCase):
    def test_both_trees_stand_side_by_side(self):
        before = engine_figures.figures({"one": engine("one", RUN)})
        now = engine_figures.figures({"one": engine("one", ""), "two": engine("two", "")})
        rows = engine_figures.table({"old": before, "now": now}).splitlines()
        self.assertEqual(rows[0].split(), ["old", "now"])
        self.assertIn(["lines", "of", "two", "-", "15"], [row.split() for row in rows])


if __name__ == "__main__":
    unittest.main()
