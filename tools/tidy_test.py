#!/usr/bin/env python3
"""A file that changed, by one byte anywhere that counts, is looked at again; the same file in another clone is not."""

import shutil
import tempfile
import unittest
from pathlib import Path

from tidy import keys_of

FILES = {
    ".clang-tidy": "Checks: '*'\n",
    "src/net/a.cpp": '#include "net/a.h"\n#include <of_system.h>\nint a() { return b; }\n',
    "src/net/a.h": '#include "weir/b.h"\n',
    "include/weir/b.h": "inline int b = 1;\n",
    "src/net/other.h": "int unused;\n",
    "src/net/alone.cpp": "int alone;\n",
}
SYSTEM = {"of_system.h": "#include <below.h>\n", "below.h": "int c;\n"}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


class Keys(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name).resolve()
        self.system = self.place / "system"
        self.root = self.place / "clone"
        write(self.system, SYSTEM)
        write(self.root, FILES)

    def keys(self, root: Path, version: bytes = b"19", flags: str = "") -> dict[str, str]:
        sources = [str(root / "src/net" / name) for name in ("a.cpp", "alone.cpp")]
        command = f"g++ -I{root}/include -I{root}/src -isystem {self.system} {flags} -o a.o -c "
        entries = [{"file": source, "command": command + source, "directory": str(root)} for source in sources]
        return {Path(source).name: found for source, found in keys_of(entries, version, root).items()}

    def key(self, root: Path | None = None, **changed: str | bytes) -> str:
        return self.keys(root or self.root, **changed)["a.cpp"]

    def test_the_same_has_the_same_in_another_clone_too(self) -> None:
        shutil.copytree(self.root, self.place / "another")
        self.assertEqual(self.key(), self.key())
        self.assertEqual(self.key(), self.key(self.place / "another"))

    def test_a_byte_of_each_file_that_counts_changes_it(self) -> None:
        seen = {self.key()}
        changed = [self.root / name for name in FILES if name not in ("src/net/other.h", "src/net/alone.cpp")]
        for path in changed + [self.system / name for name in SYSTEM]:
            with self.subTest(path.name):
                path.write_text(path.read_text() + "\n")
                self.assertNotIn(self.key(), seen)
                seen.add(self.key())

    def test_a_header_that_nothing_includes_does_not(self) -> None:
        before = self.key()
        (self.root / "src/net/other.h").write_text("long unused;\n")
        self.assertEqual(self.key(), before)

    def test_a_header_of_the_system_that_another_file_begins_to_include_does_not(self) -> None:
        write(self.system, {"new.h": "int d;\n"})
        before = self.keys(self.root)
        write(self.root, {"src/net/alone.cpp": "#include <new.h>\nint alone;\n"})
        after = self.keys(self.root)
        self.assertEqual(after["a.cpp"], before["a.cpp"])
        self.assertNotEqual(after["alone.cpp"], before["alone.cpp"])

    def test_a_header_that_comes_first_now_changes_it(self) -> None:
        before = self.key()
        write(self.root, {"src/weir/b.h": "inline int b = 2;\n"})
        self.assertNotEqual(self.key(), before)

    def test_version_and_command_change_it(self) -> None:
        self.assertEqual(len({self.key(), self.key(version=b"20"), self.key(flags="-DNDEBUG")}), 3)


if __name__ == "__main__":
    unittest.main()
