#!/usr/bin/env python3
"""The vcpkg port and the Conan recipe are of this version, and set options that the build has: CMake ignores others."""

import json
import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["WEIR_SOURCE_DIR"])
PACKAGING = SOURCE / "packaging"
OPTIONS = (SOURCE / "cmake" / "WeirOptions.cmake").read_text()
VERSION = re.search(r"project\(weir VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text())[1]


class Ports(unittest.TestCase):
    def check_options(self, names):
        self.assertGreaterEqual(len(names), 4)
        for name in names:
            self.assertRegex(OPTIONS, rf"(set|option)\({name}\b")

    def test_vcpkg(self):
        port = (PACKAGING / "vcpkg" / "weir" / "portfile.cmake").read_text()
        manifest = json.loads((PACKAGING / "vcpkg" / "weir" / "vcpkg.json").read_text())
        self.assertEqual(manifest["version-semver"], VERSION)
        self.check_options(set(re.findall(r"\bWEIR_\w+", port)))
        self.assertEqual(set(re.findall(r"^        (\w+) WEIR_", port, re.MULTILINE)), set(manifest["features"]))

    def test_conan(self):
        recipe = (PACKAGING / "conan" / "conanfile.py").read_text()
        optional = re.search(r"^PACKAGES = \{(.*?)\}$", recipe, re.MULTILINE | re.DOTALL)[1]
        names = {f"WEIR_WITH_{name.upper()}" for name in re.findall(r'"(\w+)":', optional)}
        self.check_options(names | set(re.findall(r'"(WEIR_\w+)":', recipe)))


if __name__ == "__main__":
    unittest.main()
