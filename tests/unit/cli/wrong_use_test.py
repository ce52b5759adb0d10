"""Wrong use: exit code 2, and one line that says what is wrong and suggests a similar word if there is one."""

import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

PATIENCE_SECONDS = 60
WEIR = os.environ["WEIR_BINARY"]
CLEAN = {name: value for name, value in os.environ.items() if not name.startswith("WEIR_")}


def run(*arguments, **variables):
    return subprocess.run([WEIR, *arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          env=CLEAN | variables, timeout=PATIENCE_SECONDS, check=False)


class WrongUse(unittest.TestCase):
    def test_is_told_in_one_line_and_exits_2(self):
        for arguments in (["nonsense"], ["serve", "--nonsense"], ["serve", "-p", "x"], ["serve", "a", "-r", "b"],
                          ["serve", "-e", "nonsense"], ["serve", "--header", "*: ETag: x"], ["serve", "--index", "a/b"],
                          ["serve", "--queue", "1"], ["serve", "--pin", "-e", "blocking"], ["serve", "--busy-poll", "50"], ["--port", "80"], ["version", "x"],
                          ["help", "serve", "x"], ["completion"], ["completion", "tcsh"], ["engines", "--nonsense"], ["engines", "--json", "more"], ["target", "--nonsense"],
                          ["target", "--sleep", "1ms", "--timer", "1ms"]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done)

    def test_without_a_command_lists_the_commands(self):
        done = run()
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertTrue(done.stderr.startswith("weir: missing command\n"))
        self.assertIn("\n  serve         serve a folder over HTTP\n", done.stderr)

    def test_of_a_variable_names_it(self):
        done = run("serve", WEIR_KEEP_ALIVE_TIMEOUT="long")
        self.assertEqual(done.returncode, 2)
        self.assertIn("WEIR_KEEP_ALIVE_TIMEOUT: 'long'", done.stderr)


    def test_names_what_may_have_been_meant(self):
        for arguments, meant in ((["server"], "serve"), (["sevre"], "serve"), (["engine"], "engines"), (["help", "targt"], "target"),
                                 (["engines", "--jsno"], "--json"), (["man", "weir-srve"], "weir-serve")):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done)
            self.assertIn(f"did you mean {meant}?", done.stderr)

    def test_of_a_folder_as_a_command_says_how_to_serve_it(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn(f"weir serve {folder};", run(folder).stderr)

    def test_comes_after_help(self):
        for arguments in (["serve", "--nonsense", "-h"], ["nonsense", "--help"], ["target", "--sleep", "--help"], ["engines", "x", "-h"]):
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)


class UnknownVariables(unittest.TestCase):
    def warned(self, **variables):
        done = run("serve", "/nowhere", "-p", "0", **variables)
        self.assertEqual(done.returncode, 1, done)
        return done.stderr.splitlines()[:-1]  # without the last line, which says that there is no such folder

    def test_are_warned_of(self):
        self.assertEqual(self.warned(WEIR_NONSENSE="1"), ["weir serve: warning: the variable WEIR_NONSENSE is unknown and has no effect"])
        self.assertIn("did you mean WEIR_PORT?", self.warned(WEIR_PROT="1")[0])

    def test_are_not_those_of_another_command(self):
        self.assertEqual(self.warned(WEIR_SLEEP="1ms", WEIR_QUIET="1"), [])

    def test_are_not_those_of_the_tests_and_of_the_lab(self):
        source = Path(os.environ["WEIR_SOURCE_DIR"])
        files = [source / "run", source / ".ci" / "run", *(source / "lab").rglob("*.py"), *(source / "tests").rglob("*.py")]
        text = "".join(file.read_text("utf-8") for file in files)
        names = set(re.findall(r"""environ(?:\.get\(|\[)["'](WEIR_\w+)""", text)) | set(re.findall(r"\$\{(WEIR_\w+)", text))
        self.assertLessEqual({"WEIR_BINARY", "WEIR_SOURCE_DIR", "WEIR_JOBS"}, names)
        self.assertEqual(self.warned(**dict.fromkeys(names, "1")), [])

    def test_are_no_matter_to_help(self):
        self.assertEqual(run("serve", "--help", WEIR_NONSENSE="1").stderr, "")


if __name__ == "__main__":
    unittest.main()
