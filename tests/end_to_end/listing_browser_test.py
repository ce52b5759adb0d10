"""A listing in a real browser, with JavaScript and without: sorted, filtered, in local time, on a phone too."""

import os
import tempfile
from pathlib import Path

from browser import WithBrowser, main

NAMES = ("[...document.querySelectorAll('tbody tr:not([hidden]):not(.up)')].filter((row) => !row.closest('.markdown'))"
         ".map((row) => row.cells[0].textContent)")
HOSTILE = ('"><script>document.title="run"</script>', "'><img src=x onerror=document.title='run'>", "a\nb", "100%41?c#d&e;f", "...", "javascript:alert(1)",
           os.fsdecode(b"\xff\xfe<script>"))
# Written as one types it.
TYPE = "(() => { const box = document.getElementById('filter'); box.value = %r; box.dispatchEvent(new Event('input')); })()"


class Listing(WithBrowser):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "zoo").mkdir()
        for name, size in (("file10.txt", 10), ("file2.txt", 300), ("photo.png", 20)):
            (self.root / name).write_bytes(b"x" * size)
        self.write("README.md", "Read <b>me</b>\n" + "long " * 100)
        os.utime(self.root / "photo.png", (784_111_777, 784_111_777))  # 1994-11-06T08:49:37Z

    def write(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def open(self, path="/"):
        self.browser.open(self.serve(self.root, "--dotfiles").url.rstrip("/") + path)

    def names(self):
        return self.browser.evaluate(NAMES)

    def without_scripts(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.addCleanup(self.browser.call, "Emulation.setScriptExecutionDisabled", value=False)

    def click(self, selector):
        """Follows a link, and waits for the page behind it."""
        self.browser.open(self.browser.evaluate(f"document.querySelector({selector!r}).href"))

    def test_is_sorted_by_its_headings(self):
        for scripts in (True, False):
            if not scripts:
                self.without_scripts()
            with self.subTest(scripts=scripts):
                self.open()
                self.assertEqual(self.names(), ["zoo/", "file2.txt", "file10.txt", "photo.png", "README.md"])
                self.click("th:nth-child(2) a")
                self.assertEqual(self.names(), ["zoo/", "README.md", "file2.txt", "photo.png", "file10.txt"])
                self.click("th:nth-child(2) a")
                self.assertEqual(self.names(), ["zoo/", "file10.txt", "photo.png", "file2.txt", "README.md"])
                self.click("th:nth-child(3) a")
                self.assertEqual(self.names()[-1], "photo.png")
                self.assertEqual(self.browser.evaluate("document.querySelector('th:nth-child(3)').ariaSort"), "descending")

    def test_is_filtered_as_one_types(self):
        self.open()
        self.browser.evaluate(TYPE % "FILE")
        self.assertEqual(self.names(), ["file2.txt", "file10.txt"])
        self.assertEqual(self.browser.evaluate("document.getElementById('shown').textContent"), "2 of 5 shown")
        self.browser.evaluate(TYPE % "")
        self.assertEqual(len(self.names()), 5)

    def test_has_no_filter_and_utc_without_scripts(self):
        self.without_scripts()
        self.open()
        self.assertFalse(self.browser.evaluate("document.getElementById('filter').checkVisibility()"))
        self.assertIn("Modified (UTC)", self.browser.evaluate("document.querySelector('thead').innerText"))
        self.assertIn("1994-11-06 08:49", self.browser.evaluate("document.querySelector('tbody').innerText"))

    def test_times_are_local(self):
        self.browser.call("Emulation.setTimezoneOverride", timezoneId="Asia/Kathmandu")  # 5:30 ahead of UTC in 1994, now 5:45
        self.addCleanup(self.browser.call, "Emulation.setTimezoneOverride", timezoneId="")
        self.open()
        self.assertIn("1994-11-06 14:34", self.browser.evaluate("document.querySelector('tbody').innerText"))
        self.assertNotIn("UTC", self.browser.evaluate("document.querySelector('thead').innerText"))

    def test_leads_down_and_up(self):
        (self.root / "zoo" / "ape").mkdir()
        self.open("/zoo/ape/")
        self.assertEqual(self.browser.evaluate("document.querySelector('h1').textContent"), "ape")
        self.assertEqual(self.browser.evaluate("document.querySelector('.trail').textContent"), "Home / zoo /")
        self.click(".up a")
        self.assertEqual(self.names(), ["ape/"])
        self.click(".up a")
        self.assertIn("zoo/", self.names())
        self.assertIsNone(self.browser.evaluate("document.querySelector('.up')"))

    def test_shows_the_readme_without_its_html(self):
        self.write("README.md", "Read <b>me</b>\n\n|a|\n|-|\n|no entry|\n")
        self.open()
        self.assertIn("no entry", self.browser.evaluate("document.querySelector('section').textContent"))
        self.assertIsNone(self.browser.evaluate("document.querySelector('section b')"))
        self.browser.evaluate(TYPE % "no entry")  # a row of the README is no entry: the filter neither counts nor hides it
        self.assertEqual(self.browser.evaluate("document.getElementById('shown').textContent"), "0 of 5 shown")
        self.assertTrue(self.browser.evaluate("document.querySelector('section tbody tr').checkVisibility()"))

    def press(self, key):
        self.browser.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")

    def focused(self):
        return self.browser.evaluate("document.activeElement.id || document.activeElement.textContent")

    def test_keys_lead_from_entry_to_entry(self):
        for view in ("/", "/?view=grid"):
            self.open(view)
            self.press("/")
            self.assertEqual(self.focused(), "filter")
            self.assertEqual(self.browser.evaluate("document.activeElement.value"), "")
            for key, focused in (("ArrowDown", "zoo/"), ("ArrowDown", "file2.txt"), ("ArrowUp", "zoo/"), ("ArrowUp", "filter")):
                self.press(key)
                self.assertEqual(self.focused(), focused)

    def test_all_spaces_show(self):
        self.write(" a  b ", "x")
        self.open()
        self.assertIn(" a  b ", self.browser.evaluate("[...document.querySelectorAll('bdi')].map((name) => name.innerText)"))

    def test_a_grid_shows_pictures(self):
        (self.root / "drawing.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', encoding="utf-8")
        self.open("/?view=grid")
        self.assertEqual(self.browser.evaluate("Promise.all([...document.images].map((image) => image.decode().then(() => true, () => false)"
                                               ".then((shows) => [shows, image.closest('a').textContent])))"),
                         [[True, "drawing.svg"], [False, "photo.png"]])
        self.browser.evaluate(TYPE % "file")
        self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('.grid li:not([hidden]) bdi')].map((name) => name.textContent)"),
                         ["file2.txt", "file10.txt"])

    def test_fits_on_a_phone_with_its_dates(self):
        self.write("a_name_without_any_place_to_break_" * 5, "x")
        self.browser.look(360, 780, phone=True)
        self.open("/?view=grid")
        self.assertEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)
        self.open()
        self.assertTrue(self.browser.evaluate("[...document.querySelectorAll('time')].every((time) => time.getClientRects().length === 1 && "
                                              "time.getBoundingClientRect().height < 30)"), "a date takes one line")
        self.assertEqual(self.browser.evaluate("document.documentElement.scrollWidth"), 360)
        self.assertTrue(self.browser.evaluate("[...document.querySelectorAll('time')].every((time) => { const { left, right } = "
                                              "time.getBoundingClientRect(); return time.checkVisibility() && left > 0 && right < 360; })"))

    def test_no_name_is_run_or_lost(self):
        for name in HOSTILE:
            (self.root / name.replace("/", "")).write_text("found", encoding="utf-8")
        self.open()
        self.assertEqual(self.browser.evaluate("document.title"), "Index of /")
        links = "[...document.querySelectorAll('tbody tr:not(.up) a')]"
        self.assertEqual(len(self.names()), 5 + len(HOSTILE))
        self.assertTrue(self.browser.evaluate(f"{links}.every((link) => link.protocol === 'http:' && !link.search && !link.hash)"))
        self.assertEqual([complaint for complaint in self.browser.complaints() if "favicon" not in complaint], [])
        for target in self.browser.evaluate(f"{links}.map((link) => link.pathname)"):
            if not target.endswith("/"):
                self.assertEqual(self.fetch(self.servers[-1], target)[0].status, 200, target)


if __name__ == "__main__":
    main()
