"""docs/http.md and docs/features.md name a test for each of their claims, and the tests exist."""

import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ.get("WEIR_SOURCE_DIR", Path(__file__).parents[3]))
NAME = re.compile(r"`([^`]+)`")
GOOGLE_TEST = re.compile(r"^(?:TYPED_)?TEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\)", re.MULTILINE)
PYTHON_TEST = re.compile(r"^ +def (test_\w+)", re.MULTILINE)
ERROR_CODE = "[A-Z]+(?:_[A-Z]+)+"  # of HTTP/2 (RFC 9113 7), or RST_STREAM
CLOSE_CODE = r"10[01]\d"  # of WebSocket (RFC 6455 7.4)
ANSWER = re.compile(rf"yes|no|partly|[45]\d\d|{CLOSE_CODE}|{ERROR_CODE}(?: or {ERROR_CODE})?")
CASE = re.compile(r"^## (.+)$", re.MULTILINE)


def existing_tests():
    names = set()
    for path in (SOURCE / "tests").rglob("*_test.cpp"):
        names |= {f"{suite}.{name}" for suite, name in GOOGLE_TEST.findall(path.read_text(encoding="utf-8"))}
    for path in (SOURCE / "tests").rglob("*_test.py"):
        names |= {f"{path.name}: {name}" for name in PYTHON_TEST.findall(path.read_text(encoding="utf-8"))}
    for path in (SOURCE / "tests" / "corpus").glob("*.md"):
        names |= {f"{path.name}: {title}" for title in CASE.findall(path.read_text(encoding="utf-8"))}
    return names


def rows(text):
    """Yields the cells of each row of the tables with `shown by` as their last column."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) >= 3 and cells[-1] != "shown by" and set(cells[0]) != {"-"}:
            yield cells


def findings(text, existing):
    for *_, what, here, shown_by in rows(text):
        names = NAME.findall(shown_by)
        yield from (f"{what}: there is no test {name}" for name in names if name not in existing)
        if not names and here != "no":
            yield f"{what}: nothing shows it"
        if not ANSWER.fullmatch(here):
            yield f"{what}: '{here}' says nothing"


class HttpTable(unittest.TestCase):
    def test_names_tests_that_exist(self):
        existing = existing_tests()
        for page in ("http.md", "features.md"):
            with self.subTest(page):
                text = (SOURCE / "docs" / page).read_text(encoding="utf-8")
                self.assertGreater(len(list(rows(text))), 80)
                self.assertEqual(list(findings(text, existing)), [])

    def test_would_notice_one_that_does_not(self):
        text = "| a | b | c | shown by |\n|---|---|---|---|\n| 1 | x | yes | `A.B`, `A.C` |\n| 2 | y | yes | |\n| 3 | z | no | |\n"
        self.assertEqual(list(findings(text, {"A.B"})), ["x: there is no test A.C", "y: nothing shows it"])


if __name__ == "__main__":
    unittest.main()
