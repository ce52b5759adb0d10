#!/usr/bin/env python3
"""docs/library.md: every program and every fragment of it compiles, and its first program is examples/hello."""

import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BLOCKS = re.findall(r"```cpp\n(.*?)```", (ROOT / "docs/library.md").read_text(), re.DOTALL)
COMPILER = sys.argv.pop() if len(sys.argv) > 1 else "c++"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]

# What the page says that its fragments stand in. Each has a function of its own, because names may come again.
PRELUDE = """#include <weir/web.h>
#include <weir/access/passwords.h>
#include <weir/compress/compress.h>
#include <weir/compress/permessage_deflate.h>
#include <weir/logs/spdlog.h>
#include <weir/server/own_loop.h>
#include <weir/server/queued_log.h>
#include <weir/site/site.h>
#include <weir/tls/encrypted_cookies.h>
#include <weir/web/openapi.h>
#include <unistd.h>
#include <chrono>
#include <iostream>
#include <thread>
namespace spdlog {
std::shared_ptr<logger> default_logger();
}
using namespace std::chrono_literals;
using namespace weir;
using namespace weir::web;
"""


def is_program(block: str) -> bool:
    return block.startswith("#include")


def compiled(code: str) -> str:
    """What the compiler says."""
    command = [COMPILER, "-std=c++23", *WARNINGS, "-fsyntax-only", f"-I{ROOT / 'include'}", "-x", "c++", "-"]
    return subprocess.run(command, input=code, capture_output=True, text=True, check=False).stderr


class Page(unittest.TestCase):
    def test_programs_compile(self) -> None:
        programs = [block for block in BLOCKS if is_program(block)]
        self.assertGreaterEqual(len(programs), 2)
        for program in programs:
            self.assertEqual(compiled(program), "", program)

    def test_fragments_compile(self) -> None:
        fragments = [block for block in BLOCKS if not is_program(block)]
        self.assertGreaterEqual(len(fragments), 10)
        functions = (f"void fragment_{i}([[maybe_unused]] Router& router, [[maybe_unused]] Workers& workers) {{\n{block}}}\n"
                     for i, block in enumerate(fragments))
        self.assertEqual(compiled(PRELUDE + "".join(functions)), "")

    def test_the_usual_short_name_of_a_json_library_is_free(self) -> None:
        self.assertEqual(compiled(PRELUDE + "struct Value {};\nusing json = Value;\njson value();\n"), "")

    def test_the_header_stays_light(self) -> None:
        """Most of its lines are the standard library's, so the limit holds for one version of that."""
        said = subprocess.run([COMPILER, "-dumpfullversion"], capture_output=True, text=True, check=True).stdout
        if not said.startswith("12."):
            self.skipTest(f"the limit is for GCC 12, and this is {said}")
        command = [COMPILER, "-std=c++23", "-E", "-P", f"-I{ROOT / 'include'}", "-x", "c++", "-"]
        made = subprocess.run(command, input="#include <weir/web.h>", capture_output=True, text=True, check=True).stdout
        self.assertLess(len(made.splitlines()), 75_000)

    def test_the_compiler_is_asked(self) -> None:
        self.assertIn("error", compiled(PRELUDE + "void fragment(Router& router) { router.none(); }\n"))

    def test_the_first_program_is_the_example(self) -> None:
        hello = (ROOT / "examples/hello/main.cpp").read_text()
        self.assertEqual(BLOCKS[0], hello)
        self.assertIn(f"```cpp\n{hello}```\n", (ROOT / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
