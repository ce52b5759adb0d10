#!/usr/bin/env python3
"""The documents: no dead link, and what they say of the engines is said of those that there are."""

import json
import os
import re
import subprocess
import unittest
from urllib.parse import unquote

from served import PATIENCE_SECONDS, SITE, SOURCE

WEIR = os.environ["WEIR_BINARY"]
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


def engines():
    done = subprocess.run([WEIR, "engines", "--json"], capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=True)
    return [engine["name"] for engine in json.loads(done.stdout)]


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


class Engines(unittest.TestCase):
    def setUp(self):
        self.page = ENGINES_PAGE.read_text(encoding="utf-8")

    def test_each_has_a_section_with_its_drawing_in_the_order_of_the_table(self):
        sections = re.findall(r"^### ([\w-]+)\n\n!\[[^\]]+\]\((\S+)\)$", self.page, re.MULTILINE)
        self.assertEqual(sections, [(name, f"../www/images/engines/{name}.svg") for name in engines()])

    def test_each_is_in_both_tables_of_the_page(self):
        self.assertEqual(re.findall(r"^\| \[`([\w-]+)`\]\(#\1\) \|", self.page, re.MULTILINE), engines())
        self.assertEqual(re.findall(r"^\| `([\w-]+)` \|", self.page, re.MULTILINE)[:len(engines())], engines())

    def test_each_is_compared_by_diff_with_another(self):
        compared = set()
        for one, other in DIFF.findall(self.page):
            self.assertNotEqual((SOURCE / one).read_text(encoding="utf-8"), (SOURCE / other).read_text(encoding="utf-8"))
            compared |= {one, other}
        self.assertEqual(compared, {f"src/engines/{name.replace('-', '_')}.cpp" for name in engines()})

    def test_each_is_on_the_demonstration_site_and_in_the_readme(self):
        site = (SITE / "architectures.html").read_text(encoding="utf-8")
        self.assertEqual(re.findall(r'<article class="architecture" id="([\w-]+)">', site), engines())
        rows = re.findall(r"^\| (`[^|]+) \|", (SOURCE / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual([name for row in rows for name in re.findall(r"`([\w-]+)`", row)], engines())


if __name__ == "__main__":
    unittest.main()
