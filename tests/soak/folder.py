"""The folder that is served: files of several sizes, of which some change all the time."""

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

from content import content, versions_in

KIB = 1024
SMALL = {f"small-{number}": KIB for number in range(40)}
MIDDLE = {f"middle-{number}": 140 * KIB for number in range(8)}  # past what the cache keeps in memory
LARGE = {"large": 8 * KIB * KIB}
REPLACED = {f"replaced-{number}": (KIB, 200 * KIB)[number % 2] for number in range(6)}  # by rename
SIZES = SMALL | MIDDLE | LARGE | REPLACED

# How long after a change an answer may still be of the version before: the time of an inotify event, on a loaded machine.
STALE_SECONDS = 5.0


@dataclass
class Folder:
    root: Path
    versions: dict = field(default_factory=dict)  # name -> [(when it stood there, version)]

    def fill(self):
        for name in SIZES:
            self.versions[name] = []
            self.write(name, 1)

    def write(self, name, version):
        """Under another name first, then renamed: at each moment one whole version stands there."""
        aside = self.root / f".{name}.new"
        aside.write_bytes(content(name, version, SIZES[name]))
        os.rename(aside, self.root / name)
        self.versions[name] = [*self.versions[name], (time.monotonic(), version)][-200:]

    def replace_next(self, turn):
        name = list(REPLACED)[turn % len(REPLACED)]
        self.write(name, self.versions[name][-1][1] + 1)

    def check(self, name, stretch, offset, asked_at):
        """ValueError where the stretch is not one of a version that stood there since `asked_at`, or shortly before."""
        found = versions_in(stretch, name, offset)
        if len(found) > 1:
            raise ValueError(f"{name}: one answer has lines of the versions {sorted(found)}")
        for version in found:
            if version not in self.versions_since(name, asked_at - STALE_SECONDS):
                raise ValueError(f"{name}: version {version} came although {self.versions[name][-1][1]} stands there")

    def versions_since(self, name, instant):
        """Those that stood there at that instant, or came after it."""
        known = self.versions[name]
        current = [number for number, (since, _) in enumerate(known) if since <= instant]
        return {version for _, version in known[current[-1] if current else 0 :]}
