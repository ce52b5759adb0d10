#!/usr/bin/env python3
"""What ./run thorough calls passed has passed, for this source; what was interrupted goes on."""

import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import thorough


class Thorough(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.runs = Path(folder.name) / "runs"
        self.source = "first"
        steps = (thorough.Step("good", f"sh -c 'echo good >> {self.runs}'", "a moment"), thorough.Step("bad", "false", "a moment"),
                 thorough.Step("idle", "sh -c 'echo 2 skipped'", "a moment"),
                 thorough.Step("ruled_out", "sh -c 'echo 2 skipped'", "a moment", may_skip=True),
                 thorough.Step("absent", "sh -c 'echo 1 skipped; echo 0 passed, 0 failed; exit 1'", "a moment"),
                 thorough.Step("worse", "sh -c 'echo 1 skipped; echo 0 passed, 1 failed; exit 1'", "a moment"))
        for name, value in (("PLACE", Path(folder.name) / "place"), ("ROOT", Path(folder.name)), ("STEPS", steps),
                            ("source", lambda: self.source)):
            patch = mock.patch.object(thorough, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def run_it(self, *arguments: str) -> tuple[int, str]:
        said = io.StringIO()
        with mock.patch.object(sys, "argv", ["thorough", *arguments]), contextlib.redirect_stdout(said):
            return thorough.main(), said.getvalue()

    def times_run(self) -> int:
        return len(self.runs.read_text().splitlines())

    def test_a_step_that_fails_stops_no_other_and_is_told(self) -> None:
        status, said = self.run_it()
        self.assertEqual(status, 1)
        self.assertRegex(said, r"\| good \|.*\| passed \|")
        self.assertRegex(said, r"\| bad \|.*\| failed \|")
        self.assertRegex(said, r"\| idle \|.*\| 2 skipped \|")
        self.assertRegex(said, r"\| ruled_out \|.*\| passed \|")
        self.assertRegex(said, r"\| absent \|.*\| 1 skipped \|")
        self.assertRegex(said, r"\| worse \|.*\| failed \|")

    def test_what_has_passed_is_not_run_again_until_the_source_changes(self) -> None:
        self.assertEqual(self.run_it("good")[0], 0)
        self.assertEqual(self.run_it("good")[0], 0)
        self.assertEqual(self.times_run(), 1)
        self.source = "second"
        self.assertRegex(self.run_it("--list")[1], r"\| good \|.*\| not run \|")
        self.run_it("good")
        self.run_it("good", "--again")
        self.assertEqual(self.times_run(), 3)

    def test_a_result_that_was_cut_is_as_none(self) -> None:
        self.run_it("good")
        (thorough.PLACE / "results.json").write_text('{"good": {"resu')
        self.assertEqual(self.run_it("good")[0], 0)
        self.assertEqual(self.times_run(), 2)

    def test_an_unknown_step_is_named(self) -> None:
        with self.assertRaisesRegex(SystemExit, "no step 'goood'"):
            self.run_it("goood")


class Source(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        patch = mock.patch.object(thorough, "ROOT", self.root)
        patch.start()
        self.addCleanup(patch.stop)
        self.git("init", "--quiet")
        for name in ("a.cpp", "docs/page.html", "README.md"):
            self.write(name, "old")
        self.commit()
        self.before = thorough.source()

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.root, check=True)

    def write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(exist_ok=True)
        (self.root / name).write_text(text)

    def commit(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "a")

    def test_documents_do_not_change_it(self) -> None:
        self.write("docs/page.html", "new")
        self.write("README.md", "new")
        self.assertEqual(thorough.source(), self.before)
        self.commit()
        self.assertEqual(thorough.source(), self.before)

    def test_anything_else_does(self) -> None:
        self.write("a.cpp", "new")
        changed = thorough.source()
        self.assertNotEqual(changed, self.before)
        self.write("a.cpp", "newer")
        self.assertNotEqual(thorough.source(), changed)
        self.commit()
        self.assertNotEqual(thorough.source(), self.before)


if __name__ == "__main__":
    unittest.main()
