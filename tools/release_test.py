#!/usr/bin/env python3
"""A release is refused while its places name several versions, or while something is neither released nor committed."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import release


class Tree(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in (*release.PLACES, "docs/install.md"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(release.ROOT / name, self.root / name)
        self.version = release.versions(release.ROOT)[release.BUILD_FILE][0]

    def change(self, name: str, old: str, new: str) -> None:
        path = self.root / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")


class Versions(Tree):
    def test_of_this_tree_are_one(self) -> None:
        self.assertEqual(release.disagreements(release.ROOT), [])

    def test_each_place_that_differs_is_named(self) -> None:
        for name in release.PLACES:
            if name != release.BUILD_FILE:
                with self.subTest(name):
                    self.change(name, self.version, "9.8.7")
                    wrong, = release.disagreements(self.root)
                    self.assertIn(name, wrong)
                    self.assertIn("9.8.7", wrong)
                    self.change(name, "9.8.7", self.version)

    def test_a_second_mention_in_a_place_counts(self) -> None:
        for name in release.MENTIONS:
            with self.subTest(name):
                self.change(name, f"weir-{self.version}.tar.gz", "weir-9.8.7.tar.gz")
                wrong, = release.disagreements(self.root)
                self.assertIn(f"{name} names", wrong)
                self.change(name, "weir-9.8.7.tar.gz", f"weir-{self.version}.tar.gz")

    def test_a_new_version_must_be_named_everywhere(self) -> None:
        self.change(release.BUILD_FILE, f"VERSION {self.version}", "VERSION 9.8.7")
        wrong = release.disagreements(self.root)
        self.assertEqual(len(wrong), len(release.PLACES))  # without CMakeLists.txt, with docs/install.md
        self.assertIn("libweir9", wrong[-1])

    def test_a_place_without_a_version_is_named(self) -> None:
        self.change("flake.nix", "version = ", "version=")
        self.assertEqual(release.disagreements(self.root), [f"flake.nix names no version, but CMakeLists.txt names {self.version}"])


class Readiness(Tree):
    def setUp(self) -> None:
        super().setUp()
        changelog = self.root / "CHANGELOG.md"
        before, _, rest = changelog.read_text(encoding="utf-8").partition("## [Unreleased]\n")
        changelog.write_text(f"{before}## [Unreleased]\n\n{rest[rest.index('## ['):]}", encoding="utf-8")
        self.git("init", "--quiet")
        self.commit()

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@example.org", *words], cwd=self.root, check=True)

    def commit(self) -> None:
        self.git("add", ".")
        self.git("commit", "--quiet", "-m", "all")

    def test_a_whole_tree_is_ready(self) -> None:
        self.assertEqual(release.problems(self.root), [])

    def test_entries_that_are_unreleased_are_a_problem(self) -> None:
        self.change("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n\n### Added\n\n- A thing.\n")
        self.commit()
        wrong, = release.problems(self.root)
        self.assertIn("[Unreleased]", wrong)

    def test_a_file_that_is_not_committed_is_a_problem(self) -> None:
        (self.root / "new").touch()
        wrong, = release.problems(self.root)
        self.assertIn("git status", wrong)

    def test_a_tag_that_exists_is_a_problem(self) -> None:
        self.git("tag", f"v{self.version}")
        wrong, = release.problems(self.root)
        self.assertIn(f"the tag v{self.version} exists", wrong)


class Made(Tree):
    def setUp(self) -> None:
        super().setUp()
        (self.root / "dist").mkdir()
        (self.root / "dist" / "weir.deb").touch()
        (self.root / "dist" / "SHA256SUMS").write_text(f"{'0' * 64}  weir.deb\n")
        for name in ("weir", "weir_static"):
            self.command(name, self.version)

    def command(self, name: str, version: str) -> None:
        path = self.root / "build" / "package" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\necho 'weir {version}'\necho more\n")
        path.chmod(0o755)

    def test_what_fits_is_no_problem(self) -> None:
        self.assertEqual(release.made(self.root), [])

    def test_a_command_of_another_version_is_one(self) -> None:
        self.command("weir_static", "9.8.7")
        wrong, = release.made(self.root)
        self.assertIn("'weir 9.8.7'", wrong)

    def test_a_file_without_a_sum_is_one(self) -> None:
        (self.root / "dist" / "other.deb").touch()
        wrong, = release.made(self.root)
        self.assertTrue(wrong.endswith(": other.deb"), wrong)


if __name__ == "__main__":
    unittest.main()
