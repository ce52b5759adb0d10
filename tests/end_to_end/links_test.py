"""The demonstration site as it lies in the folder: no dead link, nothing from elsewhere, nothing left over."""

import re
import sys
import unittest
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin
from xml.etree import ElementTree

from served import SITE, SOURCE

sys.dont_write_bytecode = True
sys.path.insert(0, str(SOURCE / "docs" / "images" / "draw"))

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
IN_SCRIPT = re.compile(r"""['"]((?:css|js|images)/[\w./-]+)['"]""")  # as the page's scripts name files: relative to the page
DRAWN_BY_THE_LAB = "which-wins.svg"  # a test of the lab compares it


class Page(HTMLParser):
    """The links of a page, the ids that can be linked to, and what is wrong with it."""

    def __init__(self, words):
        super().__init__()
        self.links, self.ids, self.faults, self._open = [], [], [], []
        self.feed(words)
        self.faults += [f"<{tag}> is not closed" for tag in self._open]

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.links += [values[name] for name in ("href", "src") if name in values]
        self.links += [part.split()[0] for part in values.get("srcset", "").split(",") if part.strip()]
        self.ids += [values["id"]] if "id" in values else []
        if tag == "img" and "alt" not in values:
            self.faults.append(f"no alt: {values.get('src')}")
        if "style" in values or any(name.startswith("on") for name in values):
            self.faults.append(f"style or script inside <{tag}>, which a strict Content-Security-Policy forbids")
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag):
        if not self._open or self._open.pop() != tag:
            self.faults.append(f"</{tag}> at line {self.getpos()[0]} closes nothing")


def pages():
    return {path.relative_to(SITE).as_posix(): Page(path.read_text(encoding="utf-8")) for path in sorted(SITE.rglob("*.html"))}


def targets(name, links):
    """Where links lead that stand in the file of this name: (path in the site, fragment)."""
    for link in links:
        path, fragment = urldefrag(urljoin(f"/{name}", link))
        yield path.lstrip("/") or "index.html", fragment


class Links(unittest.TestCase):
    def test_every_link_leads_to_a_file_and_a_place_in_it(self):
        all_pages = pages()
        for name, page in all_pages.items():
            for path, fragment in targets(name, page.links):
                with self.subTest(page=name, link=path, fragment=fragment):
                    self.assertTrue((SITE / path).is_file())
                    if fragment and path.endswith(".html"):
                        self.assertIn(fragment, all_pages[path].ids)

    def test_every_document_is_named(self):
        named = re.findall(r"<dt><code>(docs/[\w-]+\.md)</code></dt>", (SITE / "documents.html").read_text(encoding="utf-8"))
        self.assertEqual(sorted(named), sorted(f"docs/{path.name}" for path in (SOURCE / "docs").glob("*.md")))

    def test_the_first_screen_says_what_it_is_for(self):
        first = (SITE / "index.html").read_text(encoding="utf-8").partition('<div class="page opening">')[2].partition('<figure class="panorama">')[0]
        for words in ("To serve a folder", "To write a program", "To compare architectures", "--tls", "sudo apt install", 'href="documents.html#folder"',
                      'href="documents.html#program"', 'href="documents.html#compare"'):
            self.assertIn(words, first)

    def test_scripts_name_files_that_exist(self):
        named = [match for script in SITE.rglob("*.js") for match in IN_SCRIPT.findall(script.read_text(encoding="utf-8"))]
        self.assertGreater(len(named), 1)
        for path in named:
            self.assertTrue((SITE / path).is_file(), path)

    def test_nothing_comes_from_elsewhere(self):
        for path in (path for kind in ("*.html", "*.css", "*.js", "*.svg") for path in SITE.rglob(kind)):
            words = re.sub(r'xmlns(:\w+)?="[^"]*"|http://127\.0\.0\.1:8000', "", path.read_text(encoding="utf-8"))
            self.assertNotRegex(words, r"https?://|@import|['\"(]//\w", path.name)

    def test_nothing_is_left_over(self):
        used = {path for name, page in pages().items() for path, _ in targets(name, page.links)} | {"404.html"}
        for script in SITE.rglob("*.js"):
            used |= set(IN_SCRIPT.findall(script.read_text(encoding="utf-8")))
        self.assertEqual({path.relative_to(SITE).as_posix() for path in SITE.rglob("*") if path.is_file()} - used, set())


class Files(unittest.TestCase):
    def test_pages_are_well_formed(self):
        for name, page in pages().items():
            self.assertEqual(page.faults, [], name)
            self.assertEqual(len(page.ids), len(set(page.ids)), name)

    def test_drawings_are_well_formed_and_titled(self):
        for path in SITE.rglob("*.svg"):
            self.assertTrue(ElementTree.parse(path).getroot().findtext("{http://www.w3.org/2000/svg}title"), path.name)

    def test_drawings_are_what_the_drawing_program_draws(self):
        import draw
        drawn = dict(draw.drawings())
        found = {path.relative_to(SITE / "images").as_posix() for path in SITE.rglob("*.svg")}
        self.assertEqual(found - {DRAWN_BY_THE_LAB}, set(drawn))
        for name, words in drawn.items():
            self.assertEqual((SITE / "images" / name).read_text(encoding="utf-8"), words, f"{name}: python3 docs/images/draw/draw.py")

    def test_every_architecture_has_its_drawing(self):
        from engines import ENGINES
        page = (SITE / "architectures.html").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r'<img src="images/engines/([\w-]+).svg"', page)), set(ENGINES))


if __name__ == "__main__":
    unittest.main()
