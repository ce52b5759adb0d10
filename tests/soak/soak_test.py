#!/usr/bin/env python3
"""The soak notices what it is there for: a wrong byte, an old version, a line that is missing, what grows."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from content import LINE, content, versions_in
from folder import Folder
from journal import Journal, Logged, account
from server import HAS_TLS, SOURCE, Use
from soak import faults_of_stop, flatness


class ContentTest(unittest.TestCase):
    def test_any_stretch_of_it_is_known(self):
        whole = content("large", 7, 10 * LINE)
        for offset, size in ((0, 10 * LINE), (1, 9 * LINE), (LINE - 1, 200), (5 * LINE, LINE)):
            self.assertEqual(versions_in(whole[offset : offset + size], "large", offset), {7})

    def test_a_wrong_byte_and_a_wrong_place_are_noticed(self):
        whole = content("large", 7, 4 * LINE)
        for wrong in (whole[:70] + b"\0" + whole[71:], whole[1:], whole.replace(b"large", b"small")):
            with self.assertRaises(ValueError):
                versions_in(wrong, "large", 0)


class FolderTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Folder(Path(place.name))
        self.folder.versions["small-1"] = [(0.0, 1), (100.0, 2), (200.0, 3)]

    def check(self, version, asked_at):
        self.folder.check("small-1", content("small-1", version, LINE), 0, asked_at)

    def test_the_version_of_the_time_and_those_after_it_are_right(self):
        self.check(2, 150.0)
        self.check(3, 150.0)
        self.check(1, 101.0)  # the change has only just been

    def test_an_old_version_is_noticed(self):
        with self.assertRaises(ValueError):
            self.check(1, 150.0)
        with self.assertRaises(ValueError):
            self.check(2, 210.0)

    def test_a_mixture_of_versions_is_noticed(self):
        mixed = content("small-1", 2, LINE) + content("small-1", 3, 2 * LINE)[LINE:]
        with self.assertRaises(ValueError):
            self.folder.check("small-1", mixed, 0, 150.0)


class AccountTest(unittest.TestCase):
    def account(self, lines, lost=()):
        journal = Journal(asked=4, answered={1: 200, 2: 404})
        logged = Logged()
        logged.take("\n".join(lines))
        return account(journal, logged, set(lost))

    ONE = '{"target":"/a?n=1","status":200}'
    TWO = '{"target":"/b?n=2","status":404}'

    def test_each_answer_with_its_line_is_right(self):
        self.assertEqual(self.account([self.ONE, self.TWO, '{"target":"/c?n=3","status":200}']), [])

    def test_what_is_wrong_is_said(self):
        for lines, words in (
            ([self.ONE], "1 answers are not in the log"),
            ([self.ONE, self.TWO, self.TWO], "more than once"),
            ([self.ONE, self.TWO.replace("404", "200")], "another status"),
            ([self.ONE, self.TWO, '{"target":"/c?n=9","status":200}'], "nobody sent"),
            ([self.ONE, self.TWO[:9] + self.TWO], "is broken"),
        ):
            faults = self.account(lines)
            self.assertEqual(len(faults), 1 if words != "is broken" else 2, faults)
            self.assertIn(words, faults[0])

    def test_a_line_may_be_cut_by_the_end_of_a_process_alone(self):
        journal, logged = Journal(asked=1, answered={1: 200}), Logged()
        logged.take(self.ONE + '\n{"target":"/b?n=2","sta')
        self.assertEqual(account(journal, logged, set(), cut_may_be=1), [])
        self.assertEqual(account(journal, logged, set()), ["1 lines of the log were cut"])

    def test_a_line_that_was_cut_may_be_ended_twice(self):
        journal, logged = Journal(asked=1, answered={1: 200}), Logged()
        logged.take(self.ONE + '\n{"target":"/b?n=2","sta\n\n')
        self.assertEqual(account(journal, logged, set(), cut_may_be=1), [])
        logged.take("\n")
        self.assertEqual(account(journal, logged, set(), cut_may_be=1), ["a line of the log is broken: "])

    def test_lines_that_it_tells_of_or_that_died_may_be_missing(self):
        self.assertEqual(self.account([self.ONE, '{"dropped_lines":1}']), [])
        self.assertEqual(self.account([self.ONE], lost=[2]), [])


class FlatnessTest(unittest.TestCase):
    def test_what_grows_after_the_first_round_is_noticed(self):
        flat = [Use(1000, 5, 2, 0), *[Use(5000, 9, 3, 0)] * 3]
        self.assertEqual(flatness(flat), [])
        self.assertIn("memory grew", flatness([*flat, Use(9000, 9, 3, 0)])[0])
        self.assertIn("descriptors grew", flatness([*flat, Use(5000, 10, 3, 0)])[0])
        self.assertIn("threads grew", flatness([*flat, Use(5000, 9, 4, 0)])[0])


class StopTest(unittest.TestCase):
    def test_one_that_waits_or_fails_is_noticed(self):
        self.assertEqual(faults_of_stop(0, ["finishing the requests in progress, for 10 s at most"]), [])
        self.assertEqual(len(faults_of_stop(0, ["finishing 1 request, for 10 s at most"])), 1)
        self.assertEqual(len(faults_of_stop(1, [])), 1)


class RunTest(unittest.TestCase):
    def play(self, kind, name):
        """A short soak finds nothing, and reports."""
        with tempfile.TemporaryDirectory() as place:
            report = Path(place) / "report.md"
            done = subprocess.run([sys.executable, SOURCE / "tests/soak/soak.py", "0.05", "per-core", "--rounds", "1", "--only", kind,
                                   "--report", report], env=os.environ | {"SOAK_TIMEOUT": "10"}, capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"| {name} |", report.read_text(encoding="utf-8"))

    def test_plain(self):
        self.play("plain", "per-core")

    @unittest.skipUnless(HAS_TLS, "there is no OpenSSL")
    def test_tls(self):
        self.play("tls", "per-core, TLS")


if __name__ == "__main__":
    unittest.main()
