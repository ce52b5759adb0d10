"""The form for files in a real browser: chosen or dropped, with JavaScript and without, and what it says of refused ones."""

import tempfile
from pathlib import Path

from browser import WithBrowser, main
from served import wait_until

# As a drop of the user's hand; only the browser could make that one.
DROP = """(() => {
  const dataTransfer = new DataTransfer();
  for (const [name, text] of %s) dataTransfer.items.add(new File([text], name));
  document.querySelector('h1').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
})()"""
SAID = "document.querySelector('#uploads output').textContent"


class Form(WithBrowser):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = Path(folder.name)
        self.root = self.top / "site"
        self.root.mkdir()

    def open(self, *options):
        self.browser.open(self.serve(self.root, "--upload", *options).url)

    def choose(self, *paths):
        node = self.browser.call("Runtime.evaluate", expression="document.getElementById('files')")["result"]["objectId"]
        self.browser.call("DOM.setFileInputFiles", files=[str(path) for path in paths], objectId=node)

    def submit(self):
        self.browser.evaluate("document.querySelector('#uploads button').click()")

    def complaints(self):
        """A site without an icon is no fault."""
        return [each for each in self.browser.complaints() if "favicon.ico" not in each]

    def wait_for_rows(self, *names):
        """The page is loaded again after an upload."""
        script = "[...document.querySelectorAll('tbody a')].map((link) => link.textContent)"

        def shows():
            try:
                return self.browser.evaluate(script) == list(names)
            except RuntimeError:  # it is just being loaded
                return False
        wait_until(shows)

    def test_files_that_are_dropped_are_sent(self):
        self.open()
        self.browser.evaluate(DROP % "[['a.txt', 'one'], ['\u00e4 \\u0022b\\u0022.txt', 'two'], ['empty', '']]")
        self.wait_for_rows("a.txt", "empty", '\u00e4 "b".txt')
        self.assertEqual((self.root / "a.txt").read_text(encoding="utf-8"), "one")
        self.assertEqual((self.root / '\u00e4 "b".txt').read_text(encoding="utf-8"), "two")
        self.assertEqual(self.complaints(), [])

    def test_files_that_are_chosen_are_sent_without_scripts_too(self):
        for scripts in (True, False):
            with self.subTest(scripts=scripts):
                if not scripts:
                    self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
                    self.addCleanup(self.browser.call, "Emulation.setScriptExecutionDisabled", value=False)
                chosen = [self.top / f"{name}-{scripts}" for name in ("a", "b")]
                for path in chosen:
                    path.write_text(path.name, encoding="ascii")
                self.open()
                self.choose(*chosen)
                self.submit()
                wait_until(lambda chosen=chosen: all((self.root / path.name).exists() for path in chosen))
                self.wait_for_rows(*sorted(path.name for path in self.root.iterdir()))

    def test_says_which_files_were_not_taken_and_shows_how_far_it_is(self):
        (self.root / "taken").write_text("old", encoding="ascii")
        self.open("--upload-max", "1M")
        self.browser.evaluate("new MutationObserver((all) => { for (const one of all) (window.seen ??= []).push(one.target.value); })"
                              ".observe(document.querySelector('#uploads progress'), { attributes: true, attributeFilter: ['value'] })")
        self.browser.evaluate(DROP % "[['large', 'x'.repeat(1048577)], ['taken', 'new'], ['good', 'y'.repeat(1000000)]]")
        wait_until(lambda: not self.browser.evaluate("document.querySelector('#uploads button').disabled"))
        self.assertEqual(self.browser.evaluate(SAID), "large: A file may have 1.0 MB at most.\ntaken: The folder has a file of this name.")
        self.assertEqual(sorted(path.name for path in self.root.iterdir()), ["good", "taken"])
        seen = self.browser.evaluate("window.seen")
        self.assertEqual(seen, sorted(seen))
        self.assertGreater(seen[-1], 0.99)

    def test_is_there_where_files_are_taken_alone(self):
        (self.root / "in").mkdir()
        server = self.serve(self.root, "--upload=/in")
        for path, there in (("", False), ("in/", True)):
            self.browser.open(server.url + path)
            self.assertEqual(self.browser.evaluate("document.getElementById('uploads') !== null"), there)
            self.assertEqual(self.complaints(), [])


if __name__ == "__main__":
    main()
