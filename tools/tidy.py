#!/usr/bin/env python3
"""Runs clang-tidy over src/, but only where something changed since it was last content.

A file's key is a hash of all that the verdict rests on: the tool, its configuration, the compile command, and the file
with every header of ours that it reaches. A clean pass leaves an empty file named by the key in <build>/clean/."""

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOL = "clang-tidy-19"
DIAGNOSTIC = re.compile(r"^(?=\S[^\n]*:\d+:\d+: (?:error|warning): )", re.MULTILINE)
INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


def reached(path: Path, seen: set[Path]) -> set[Path]:
    """The file and all of our headers below it; system headers change with the tool's version."""
    if path in seen:
        return seen
    seen.add(path)
    for name in INCLUDE.findall(path.read_bytes()):
        for directory in (ROOT / "src", ROOT / "include", path.parent):
            if (header := directory / name.decode()).is_file():
                reached(header.resolve(), seen)
                break
    return seen


def key(entry: dict, common: bytes) -> str:
    digest = hashlib.sha256(common + entry["command"].encode())
    for path in sorted(reached(Path(entry["file"]).resolve(), set())):
        digest.update(str(path).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def tidy(entry: dict, build: Path) -> tuple[int, str]:
    command = [TOOL, "--quiet", "-p", str(build), entry["file"]]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    shown = result.stdout if result.stdout.strip() else result.stderr
    return result.returncode, shown


def new_diagnostics(output: str, seen: set[str]) -> str:
    """What several files say about one header is said once."""
    fresh = [block for block in DIAGNOSTIC.split(output) if block.strip() and block not in seen]
    seen.update(fresh)
    return "".join(fresh) or "(nothing that was not said above)\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="a configured build directory with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    database = json.loads((arguments.build / "compile_commands.json").read_text())
    entries = [e for e in database if Path(e["file"]).resolve().is_relative_to(ROOT / "src")]
    version = subprocess.run([TOOL, "--version"], capture_output=True, check=True).stdout
    common = version + (ROOT / ".clang-tidy").read_bytes()

    clean = arguments.build / "clean"
    clean.mkdir(exist_ok=True)
    keys = {e["file"]: key(e, common) for e in entries}
    due = [e for e in entries if not (clean / keys[e["file"]]).exists()]
    print(f"clang-tidy: {len(due)} of {len(entries)} files to look at", file=sys.stderr)

    failed, seen = 0, set()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for entry, (status, output) in zip(due, pool.map(lambda e: tidy(e, arguments.build), due), strict=True):
            if status == 0:
                (clean / keys[entry["file"]]).touch()
            else:
                failed += 1
                print(f"--- {Path(entry['file']).relative_to(ROOT)}\n{new_diagnostics(output, seen)}", flush=True)

    for stale in clean.iterdir():
        if stale.name not in keys.values():
            stale.unlink()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
