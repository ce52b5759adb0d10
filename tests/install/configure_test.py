#!/usr/bin/env python3
"""What a plain `cmake -S . -B build` builds, and what it says where something is missing."""

import os
import subprocess
import tempfile
import unittest

SOURCE = os.environ["WEIR_SOURCE_DIR"]
CMAKE = os.environ["CMAKE_COMMAND"]
WITHOUT_TESTS = "-DCMAKE_DISABLE_FIND_PACKAGE_GTest=ON"
WITHOUT_COMMAND = "-DCMAKE_DISABLE_FIND_PACKAGE_CLI11=ON"


class Configuring(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="weir-configure-")
        self.addCleanup(directory.cleanup)
        self.build = directory.name

    def configure(self, *arguments):
        compiler = f"-DCMAKE_CXX_COMPILER={os.environ['CXX_COMPILER']}"
        done = subprocess.run([CMAKE, "-S", SOURCE, "-B", self.build, compiler, *arguments], capture_output=True, text=True, check=False)
        return done.returncode, " ".join((done.stdout + done.stderr).split())

    def targets(self):
        listed = subprocess.run([CMAKE, "--build", self.build, "--target", "help"], capture_output=True, text=True, check=True)
        return {word for line in listed.stdout.splitlines() for word in line.replace(":", " ").split()}

    def test_without_googletest_there_are_no_tests(self):
        status, said = self.configure(WITHOUT_TESTS)
        self.assertEqual(status, 0, said)
        self.assertIn("WEIR_BUILD_TESTS is off: the tests need GoogleTest with GMock", said)
        self.assertIn("apt-get install libgtest-dev libgmock-dev", said)
        targets = self.targets()
        self.assertLessEqual({"libweir", "libweir_shared"}, targets)
        self.assertNotIn("http_test", targets)

    def test_without_cli11_there_is_the_library(self):
        status, said = self.configure(WITHOUT_TESTS, WITHOUT_COMMAND)
        self.assertEqual(status, 0, said)
        self.assertIn("WEIR_BUILD_CLI is off: the command needs CLI11, which is not found", said)
        self.assertIn("apt-get install libcli11-dev", said)
        targets = self.targets()
        self.assertIn("libweir", targets)
        self.assertNotIn("weir_cli", targets)

    def test_what_is_asked_for_must_be_there(self):
        for wanted, missing in (("-DWEIR_BUILD_TESTS=ON", WITHOUT_TESTS), ("-DWEIR_BUILD_CLI=ON", WITHOUT_COMMAND)):
            with self.subTest(wanted):
                status, said = self.configure(wanted, missing)
                self.assertNotEqual(status, 0)
                self.assertIn("apt-get install", said)


if __name__ == "__main__":
    unittest.main()
