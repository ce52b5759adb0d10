#!/usr/bin/env python3
"""docs/write-an-engine.md leads to the engine that is tested: its code stands in spin.cpp, and its template compiles."""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tools"))
import engine_rows  # noqa: E402
import new_engine  # noqa: E402

PAGE = (ROOT / "docs/write-an-engine.md").read_text()
COMPILER = sys.argv.pop() if len(sys.argv) > 1 else "c++"


def squeezed(code: str) -> str:
    """Without comments and indentation: the page says in prose what a comment says in the file."""
    lines = (re.sub(r"\s*//.*", "", line).strip() for line in code.splitlines())
    return "\n".join(line for line in lines if line)


class Page(unittest.TestCase):
    def test_its_code_is_that_of_the_engine(self):
        spin = squeezed((ROOT / "tests/contract/write_an_engine/spin.cpp").read_text())
        natures = (ROOT / "tests/contract/contract.cpp").read_text().replace("spin-of-the-page", "spin")
        blocks = re.findall(r"```cpp\n(.*?)```", PAGE, re.DOTALL)
        self.assertGreaterEqual(len(blocks), 5)
        for block in blocks:
            self.assertTrue(squeezed(block) in spin or block.strip() in natures, f"not in spin.cpp:\n{block}")

    def test_the_template_says_what_the_engine_says_elsewhere(self):
        """What the page does not give is in the template."""
        template = new_engine.source_of("spin")
        for line in ("void on_accepted(Peer& peer) { drive(peer); }", "run_loop(host, loop_of<Spin>)"):
            self.assertIn(line, template)


class NewEngine(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        for file in (*engine_rows.FILES, engine_rows.ROWS):
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / file, self.root / file)

    def test_adds_a_row_that_compiles(self):
        source = new_engine.add(self.root, "my-engine")
        self.assertEqual(engine_rows.outdated(self.root), {})
        includes = [f"-I{path}" for path in (self.root / "src", ROOT / "src", ROOT / "include")]
        for file in (source, self.root / "src/engines/engines.cpp"):
            command = [COMPILER, "-std=c++23", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", *includes, str(file)]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("        my_engine.cpp\n", (self.root / "src/engines/CMakeLists.txt").read_text())

    def test_refuses_a_name_that_is_taken_or_none(self):
        for name in ("epoll-edge", "Spin", "a--b", "../x", ""):
            with self.subTest(name=name), self.assertRaises(new_engine.Refused):
                new_engine.add(self.root, name)


if __name__ == "__main__":
    unittest.main()
