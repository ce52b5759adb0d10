#!/usr/bin/env python3
"""The documents: no dead link, and what they say of the engines is said of those that there are."""

import json
import os
import re
import subprocess
import unittest
from urllib.parse import unquote

from served import PATIENCE_SECONDS, SOURCE

WEIR = os.environ["WEIR_BINARY"]
SERVE_PAGE = SOURCE / "docs" / "serve.md"
TARGET_PAGE = SOURCE / "docs" / "target.md"
ENGINES_PAGE = SOURCE / "docs" / "engines.md"
LINK = re.compile(r"\]\(([^)\s]+)\)")
DIFF = re.compile(r"`diff (\S+) (\S+)`")


def documents():
    return [*SOURCE.glob("*.md"), *(SOURCE / "docs").rglob("*.md"), *(SOURCE / "tests").rglob("*.md")]


def prose(path):
    """A document without what stands in its fences, where brackets are no links."""
    return re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


def anchors(path):
    """What a page of the forge makes of its headings: lower case, hyphens for spaces, no other punctuation."""
    headings = re.findall(r"^#+ (.+)$", prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def printed(*arguments):
    return subprocess.run([WEIR, *arguments], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True).stdout


def described_engines():
    return json.loads(printed("engines", "--json"))


def engines():
    return [engine["name"] for engine in described_engines()]


def section_of_man(page, title):
    """(name, text) of each entry of a section, without what troff makes of it."""
    text = printed("man", page).replace("\\-", "-").replace("\\(aq", "'")
    section = re.search(rf"(?ms)^\.SH {title}\n(.*?)(?=^\.SH |\Z)", text)[1]
    return [(re.sub(r"\\f[BIR]", "", name), words) for name, words in re.findall(r"(?m)^\.TP\n(.*)\n(.*)$", section)]


def options(command):
    """The long name of each option, and what the program says of it."""
    return {re.search(r"--[\w-]+", name)[0]: words for name, words in section_of_man(f"weir-{command}", "OPTIONS")}


def rows(path):
    """The cells of each row of a document's tables."""
    return [line.strip("|").split(" | ") for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("|")]


def option_rows(path):
    """(long name, row) for each row of a table that begins with an option."""
    return [(name[1], " | ".join(row)) for row in rows(path) if (name := re.search(r"`(--[\w-]+)", row[0]))]


def troubles():
    """(kind, the text with which its line begins); an empty text where each case has a line of its own."""
    kinds = re.search(r"enum class Trouble .*?\{(.*?)\n\};", (SOURCE / "src/base/troubles.h").read_text(encoding="ascii"), re.DOTALL)[1]
    source = (SOURCE / "src/server/log/trouble_reports.cpp").read_text(encoding="ascii")
    texts = dict(re.findall(r'case Trouble::(\w+):\s*return\s*\{\s*"([^"]+)"', source))
    return [(kind, texts.get(kind, "")) for kind in re.findall(r"^    (\w+),", kinds, re.MULTILINE) if kind != "count"]


class Troubles(unittest.TestCase):
    def test_the_runbook_has_all(self):
        table = [row for row in rows(SOURCE / "docs/operate.md") if len(row) == 4 and re.fullmatch(r" `\w+`", row[0])]
        self.assertEqual(len(troubles()), len(table))
        for (kind, text), row in zip(troubles(), table, strict=True):
            with self.subTest(kind):
                self.assertEqual(row[0], f" `{kind}`")
                self.assertEqual(text or row[1], row[1])
                self.assertTrue(all(cell.strip() for cell in row))

    def test_each_but_one_has_a_line(self):
        self.assertEqual([kind for kind, text in troubles() if not text], ["workers"])


class Links(unittest.TestCase):
    def test_lead_to_files_and_headings(self):
        links = [(path, link) for path in documents() for link in LINK.findall(prose(path)) if "://" not in link]
        self.assertGreater(len(links), 50)
        for path, link in links:
            with self.subTest(document=path.name, link=link):
                file, _, fragment = unquote(link).partition("#")
                target = path.parent / file if file else path
                self.assertTrue(target.exists())
                if fragment:
                    self.assertIn(fragment, anchors(target))


class Threats(unittest.TestCase):
    """docs/threats.md names a test for each attack."""

    def test_are_met_by_tests_that_exist(self):
        sources = SOURCE / "tests"
        tests = {f"{suite}.{name}" for path in sources.rglob("*.cpp")
                 for suite, name in re.findall(r"^TEST(?:_F|_P)?\((\w+),\s*(\w+)\)", path.read_text(encoding="utf-8"), re.MULTILINE)}
        attacks = [row for row in rows(SOURCE / "docs" / "threats.md") if len(row) == 3 and row[0].strip() != "attack"]
        self.assertGreater(len(attacks), 30)
        for row in attacks:
            names = re.findall(r"`([^`]+)`", row[2])
            with self.subTest(attack=row[0].strip()):
                self.assertTrue(names)
                for name in names:
                    self.assertTrue((SOURCE / name).exists() if "/" in name else name in tests, name)


class Options(unittest.TestCase):
    def test_have_one_row_each(self):
        served = options("serve")
        self.assertEqual(sorted(name for name, _ in option_rows(SERVE_PAGE)), sorted(served))
        own = [name for name in options("target") if name not in served]
        self.assertEqual(sorted(name for name, _ in option_rows(TARGET_PAGE)), sorted(own))

    def test_have_the_defaults_that_the_program_states(self):
        documented = dict(option_rows(SERVE_PAGE) + option_rows(TARGET_PAGE))
        stated = {name: default[1] for command in ("serve", "target") for name, words in options(command).items()
                  if (default := re.search(r"\(default: (.*)\)$", words))}
        self.assertGreater(len(stated), 10)
        for name, default in stated.items():
            with self.subTest(option=name):
                self.assertIn(f"`{default}`", documented[name])

    def test_exit_codes_and_signals_are_all_in_tables(self):
        first_cells = [row[0].strip() for row in rows(SERVE_PAGE)]
        for title in ("SIGNALS", "EXIT STATUS"):
            for name, _ in section_of_man("weir-serve", title):
                self.assertEqual(first_cells.count(name), 1, name)
        self.assertEqual([cell for cell in first_cells if cell.isdigit()], [name for name, _ in section_of_man("weir-serve", "EXIT STATUS")])
        self.assertEqual([cell for cell in first_cells if cell.startswith("SIG")], [name for name, _ in section_of_man("weir-serve", "SIGNALS")])

    def test_of_an_engine_are_those_of_the_example(self):
        example = json.loads(re.search(r"```json\n(.*?)```", TARGET_PAGE.read_text("utf-8"), re.DOTALL)[1])
        engine, = (engine for engine in described_engines() if engine["name"] == example["name"])
        self.assertEqual(example, {key: "..." if example[key] == "..." else value for key, value in engine.items()})


class Engines(unittest.TestCase):
    def setUp(self):
        self.page = ENGINES_PAGE.read_text(encoding="utf-8")

    def test_each_has_a_section_with_its_drawing_in_the_order_of_the_table(self):
        sections = re.findall(r"^### ([\w-]+)\n\n!\[[^\]]+\]\((\S+)\)$", self.page, re.MULTILINE)
        self.assertEqual(sections, [(name, f"../www/images/engines/{name}.svg") for name in engines()])

    def test_each_is_compared_by_diff_with_another(self):
        compared = set()
        for one, other in DIFF.findall(self.page):
            self.assertNotEqual((SOURCE / one).read_text(encoding="utf-8"), (SOURCE / other).read_text(encoding="utf-8"))
            compared |= {one, other}
        self.assertEqual(compared, {f"src/engines/{name.replace('-', '_')}.cpp" for name in engines()})


if __name__ == "__main__":
    unittest.main()
