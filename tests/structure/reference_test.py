#!/usr/bin/env python3
"""Doxygen makes the reference of the public headers without a warning, and finds in it what they declare."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class Reference(unittest.TestCase):
    def test_it_has_no_warnings(self) -> None:
        with tempfile.TemporaryDirectory(prefix="weir-reference-") as output:
            settings = (ROOT / "docs" / "Doxyfile").read_text() + f"OUTPUT_DIRECTORY = {output}\n"
            done = subprocess.run(["doxygen", "-"], input=settings, cwd=ROOT, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
            page = (Path(output) / "html" / "classweir_1_1server_1_1OwnLoop.html").read_text()
            self.assertTrue("takes the next request, runs the handler" in page)
            http = (Path(output) / "html" / "namespaceweir_1_1http.html").read_text()
            self.assertTrue("the kernel took the last byte" in http, "comments behind members are left out")


if __name__ == "__main__":
    if not shutil.which("doxygen"):
        print("doxygen is not installed")
        sys.exit(77)
    unittest.main()
