#!/usr/bin/env python3
"""Runs clang-tidy over src/, but only where something has changed since a file was last found clean, in any clone.

A file's key is a hash of all that its verdict rests on: the tool's version, its configuration, the compile command, the
bytes of the file and of every header that it reaches, ours and the system's. A clean pass
leaves an empty file with that name in the store, ${XDG_CACHE_HOME:-~/.cache}/weir/tidy."""

import argparse
import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# From PyPI: Debian 12 has none that leaves the declarations of system headers out, and that takes a third of the time.
TOOL = ROOT / "build/lab/venv/bin/clang-tidy"
DIAGNOSTIC = re.compile(r"^(?=\S[^\n]*:\d+:\d+: (?:error|warning): )", re.MULTILINE)
OURS = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)
SYSTEM = re.compile(rb"^[ \t]*#[ \t]*include[ \t]*<([^>\n]+)>", re.MULTILINE)
ANY = re.compile(rb'^[ \t]*#[ \t]*include(?:_next)?[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
KEPT_SECONDS = 30 * 24 * 3600


def store() -> Path:
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "weir" / "tidy"


def reached(path: Path, root: Path, seen: set[Path]) -> set[Path]:
    """The file and all of our headers below it."""
    if path in seen:
        return seen
    seen.add(path)
    for name in OURS.findall(path.read_bytes()):
        for directory in (root / "src", root / "include", path.parent):
            if (header := directory / name.decode()).is_file():
                reached(header.resolve(), root, seen)
                break
    return seen


def system_headers(files: set[Path], entry: dict) -> list[Path]:
    """All that the headers in angle brackets reach, as the compiler of `entry` finds them."""
    names = sorted({name.decode() for path in files for name in SYSTEM.findall(path.read_bytes())})
    source = "".join(f"#if __has_include(<{name}>)\n#include <{name}>\n#endif\n" for name in names)
    words = shlex.split(entry["command"])
    flags = [word for word in words[1 : words.index("-o")] if word not in ("-c", "-Werror")]
    listed = subprocess.run(
        [words[0], *flags, "-w", "-M", "-x", "c++", "-"],
        input=source, capture_output=True, text=True, check=True, cwd=entry["directory"],
    ).stdout
    return [Path(name) for name in listed.replace("\\\n", " ").split()[1:] if Path(name).is_absolute()]


class SystemHeaders:
    """What each header of the system reaches. Conditions are not looked at, and a name stands for each header that ends with it:
    too many files may be reached, but none too few."""

    def __init__(self, paths: list[Path]):
        self.digests = {path: hashlib.sha256(path.read_bytes()).digest() for path in paths}
        self.named: dict[str, list[Path]] = {}
        for path in paths:
            for start in range(1, len(path.parts)):
                self.named.setdefault("/".join(path.parts[start:]), []).append(path)
        self.next = {path: [below for name in ANY.findall(path.read_bytes()) for below in self.find(name)] for path in paths}

    def find(self, name: bytes) -> list[Path]:
        return self.named.get(os.path.normpath(name.decode()).lstrip("./"), [])

    def reached_by(self, files: set[Path]) -> bytes:
        due = [header for path in files for name in SYSTEM.findall(path.read_bytes()) for header in self.find(name)]
        seen: set[Path] = set()
        while due:
            header = due.pop()
            if header not in seen:
                seen.add(header)
                due += self.next[header]
        return b"".join(sorted(self.digests[header] for header in seen))


def key(entry: dict, common: bytes, files: set[Path], system: SystemHeaders, root: Path) -> str:
    """The names of the clone and of its build are no part of it."""
    command = entry["command"].replace(str(root), ".")
    digest = hashlib.sha256(common + command.encode() + system.reached_by(files))
    for path in sorted(files):
        digest.update(b"\0" + os.path.relpath(path, root).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def keys_of(entries: list[dict], version: bytes, root: Path) -> dict[str, str]:
    files = {entry["file"]: reached(Path(entry["file"]).resolve(), root, set()) for entry in entries}
    system = SystemHeaders(system_headers(set().union(*files.values()), entries[0]))
    common = version + (root / ".clang-tidy").read_bytes()
    return {entry["file"]: key(entry, common, files[entry["file"]], system, root) for entry in entries}


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


def forget_old(clean: Path) -> None:
    """What no run has asked for in a month. Another run may remove it at the same time."""
    for stamp in clean.iterdir():
        if time.time() - stamp.stat().st_mtime > KEPT_SECONDS:
            stamp.unlink(missing_ok=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("build", type=Path, help="a configured build directory with compile_commands.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()

    database = json.loads((arguments.build / "compile_commands.json").read_text())
    entries = [e for e in database if Path(e["file"]).resolve().is_relative_to(ROOT / "src")]
    version = subprocess.run([TOOL, "--version"], capture_output=True, check=True).stdout
    keys = keys_of(entries, version, ROOT)

    clean = store()
    clean.mkdir(parents=True, exist_ok=True)
    due = []
    for entry in entries:
        stamp = clean / keys[entry["file"]]
        if stamp.exists():
            stamp.touch()
        else:
            due.append(entry)
    print(f"clang-tidy: {len(due)} of {len(entries)} files to look at", file=sys.stderr)

    failed, seen = 0, set()
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for entry, (status, output) in zip(due, pool.map(lambda e: tidy(e, arguments.build), due), strict=True):
            if status == 0:
                (clean / keys[entry["file"]]).touch()
            else:
                failed += 1
                print(f"--- {Path(entry['file']).relative_to(ROOT)}\n{new_diagnostics(output, seen)}", flush=True)
    forget_old(clean)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
