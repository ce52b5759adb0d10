"""The demonstration site in a real browser: nothing in the console, every resource there, its trials pass."""

import gzip
import struct
import tempfile
from pathlib import Path

from browser import WithBrowser, main
from served import ENGINES

PAGES = ("index.html", "architectures.html", "documents.html")

# Scrolls down the page, as a reader would, and waits for every image.
READ_THROUGH = """(async () => {
  for (const image of document.images) { image.loading = 'eager'; image.scrollIntoView(); }
  await Promise.all([...document.images].map((image) => image.decode()));
  return [...document.images].filter((image) => !image.naturalWidth).map((image) => image.src);
})()"""

# Brings a trial into sight, which starts it, and waits for what it says.
TRIAL = """new Promise((resolve) => {
  const trial = document.getElementById('%s'), verdict = trial.querySelector('.verdict');
  const said = () => verdict.textContent && resolve(verdict.textContent);
  new MutationObserver(said).observe(verdict, { childList: true });
  trial.scrollIntoView();
  said();
})"""

# WCAG 2.2, 1.4.3: the contrast of every text with the nearest opaque background behind it.
LOW_CONTRAST = """(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => channels(colour).slice(0, 3).map((value) => value / 255)
    .map((value) => value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [.2126, .7152, .0722][index], 0);
  const opaque = (colour) => (channels(colour)[3] ?? 1) === 1;
  const behind = (node) => { for (; node; node = node.parentElement) {
    const colour = getComputedStyle(node).backgroundColor; if (opaque(colour)) return colour; } };
  const own_text = (node) => [...node.childNodes].some((child) => child.nodeType === 3 && child.textContent.trim());
  return [...document.querySelectorAll('body *')].filter((node) => own_text(node) && node.checkVisibility() && !node.closest('svg, script, noscript')).map((node) => {
    const [low, high] = [light(getComputedStyle(node).color), light(behind(node))].sort((a, b) => a - b);
    return [(high + .05) / (low + .05), node.className + ' ' + node.textContent.trim().slice(0, 40)];
  }).filter(([contrast]) => contrast < 4.5);
})()"""


class Kinds(WithBrowser):
    def test_text_is_shown(self):
        names = ("a.csv", "a.tsv", "a.md", "a.yaml", "a.yml", "a.toml", "a.sql", "a.sh", "a.py", "a.ts", "README")
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                (Path(folder) / name).write_text(f"name: {name}\n")
            server = self.serve(folder)
            for name in names:  # one that is downloaded cannot be opened
                self.browser.open(server.url + name)
                self.assertEqual(self.browser.evaluate("document.body.innerText").strip(), f"name: {name}")

    def test_a_compressed_image_is_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.svgz").write_bytes(gzip.compress(b'<svg xmlns="http://www.w3.org/2000/svg"/>'))
            self.browser.open(self.serve(folder).url + "a.svgz")
            self.assertEqual(self.browser.evaluate("document.documentElement.localName"), "svg")


class Pages(WithBrowser):
    def test_load_without_a_word_in_the_console(self):
        for self.engine in ENGINES:
            server = self.serve()
            for page in PAGES:
                with self.subTest(engine=self.engine, page=page):
                    self.browser.open(server.url + page)
                    self.assertEqual(self.browser.evaluate(READ_THROUGH), [])
                    self.assertEqual(self.browser.complaints(), [])
                    responses = self.browser.responses()
                    self.assertGreater(len(responses), 3)
                    self.assertEqual([response for response in responses if response[1] not in (200, 304)], [])

    def test_the_trials_pass(self):
        for self.engine in ENGINES:
            with self.subTest(engine=self.engine):
                self.browser.open(self.serve().url)
                self.assertIn("headers, no bytes of body", self.browser.evaluate(TRIAL % "trial-headers"))
                self.assertIn("304 saved", self.browser.evaluate(TRIAL % "trial-conditions"))
                self.assertRegex(self.browser.evaluate(TRIAL % "trial-ranges"), "^25 answers of 206 put together equal the whole file")
                self.assertEqual(self.browser.complaints(), [])

    def test_two_architectures_stand_side_by_side(self):
        self.browser.open(self.serve().url + "architectures.html")
        chosen = self.browser.evaluate("""(() => { const left = document.getElementById('left'); left.value = 'per-core';
            left.dispatchEvent(new Event('change')); return [...document.querySelectorAll('.compared h3')].map((name) => name.textContent); })()""")
        self.assertEqual(chosen, ["per-core", "epoll-edge"])

    def test_the_theme_can_be_chosen_and_is_kept(self):
        url = self.serve().url
        self.browser.open(url)
        ground = "getComputedStyle(document.documentElement).backgroundColor"
        before = self.browser.evaluate(ground)
        after = self.browser.evaluate(f"document.getElementById('theme').click(), {ground}")
        self.assertNotEqual(after, before)
        self.browser.open(url + "architectures.html")
        self.assertEqual(self.browser.evaluate(ground), after)

    def test_text_stands_out_and_nothing_is_wider_than_the_window(self):
        server = self.serve()
        for scheme in ("light", "dark"):
            for width in (1280, 360):
                self.browser.look(width, 800, scheme)
                for page in (*PAGES, "404.html"):
                    with self.subTest(page=page, scheme=scheme, width=width):
                        self.browser.open(server.url + page)
                        self.assertEqual(self.browser.evaluate(LOW_CONTRAST), [])
                        self.assertEqual(self.browser.evaluate("document.documentElement.scrollWidth"), width)

    def test_a_missing_page_is_the_sites_own(self):
        server = self.serve()
        self.browser.open(server.url + "deep/down/nowhere")
        self.assertEqual(self.browser.responses()[0][1], 404)
        self.assertEqual(self.browser.evaluate("document.querySelector('h1').textContent"), "Page not found")
        self.assertTrue(self.browser.evaluate("document.styleSheets.length > 0 && [...document.images].every((image) => image.naturalWidth)"))

    def test_a_screenshot_shows_the_page(self):
        self.browser.open(self.serve().url)
        picture = self.browser.screenshot()
        self.assertEqual((picture[:8], struct.unpack(">II", picture[16:24])), (b"\x89PNG\r\n\x1a\n", (1280, 800)))
        self.assertGreater(len(picture), 20_000)  # an empty page has 5,000


class Harness(WithBrowser):
    """That the tests above can fail: each kind of fault is seen."""

    def complaints_of(self, body):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        (Path(folder.name) / "index.html").write_text(f"<!doctype html><link rel=icon href=data:,><body>{body}", encoding="utf-8")
        self.browser.open(self.serve(folder.name).url)
        return "\n".join(self.browser.complaints())

    def test_nothing_wrong_is_nothing_said(self):
        self.assertEqual(self.complaints_of("<p>fine"), "")

    def test_a_missing_image_is_seen(self):
        self.assertIn("404", self.complaints_of("<img src=missing.png>"))

    def test_an_exception_is_seen(self):
        self.assertIn("Uncaught", self.complaints_of("<script>nothing.at_all</script>"))

    def test_a_console_message_is_seen(self):
        self.assertIn("look here", self.complaints_of("<script>console.warn('look here')</script>"))

    def test_low_contrast_is_seen(self):
        self.complaints_of("<body style='background:#fff'><p style='color:#999'>pale")
        self.assertIn("pale", str(self.browser.evaluate(LOW_CONTRAST)))


if __name__ == "__main__":
    main()
