"""A control group of the lab's own, which counts the CPU time of all its processes, those that have ended too
(cgroups(7)). It limits nothing."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

NAME = "weir-lab"

_numbers = itertools.count()


@dataclass(frozen=True)
class Group:
    folder: Path
    counts: str  # the file with the CPU time

    def seconds(self) -> float:
        text = (self.folder / self.counts).read_text(encoding="ascii")
        if self.counts == "cpuacct.usage":
            return int(text) / 1e9
        match = re.match(r"usage_usec (\d+)", text)
        assert match, f"{self.counts} has no usage_usec"
        return int(match[1]) / 1e6

    def take(self, pids: Sequence[int]) -> bool:
        """What they start from now on belongs to the group too. Returns False if the kernel does not allow it."""
        try:
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
                    (self.folder / "cgroup.procs").write_text(str(pid), encoding="ascii")
        except OSError:
            return False
        return True


@contextlib.contextmanager
def group() -> Iterator[Group | None]:
    """None if this process may not make one. On leaving, its processes go back to where the lab is."""
    for above, counts in places():
        _remove_stale(above)
        folder = above / f"{NAME}-{os.getpid()}-{next(_numbers)}"
        try:
            folder.mkdir()
        except OSError:
            continue
        try:
            yield Group(folder, counts)
        finally:
            _dissolve(folder, above)
        return
    yield None


def places(process: str = "self") -> Iterator[tuple[Path, str]]:
    """Where that process is now, in each hierarchy that counts CPU time. Nothing if it has ended."""
    try:
        lines = Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return
    own = dict(line.split(":", 2)[1:] for line in lines if line)
    for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines():
        _, folder, kind, options, *_ = line.split()
        if kind == "cgroup2" and "" in own:
            yield Path(folder + own[""]), "cpu.stat"
        if kind == "cgroup" and "cpuacct" in options.split(","):
            names = next((names for names in own if "cpuacct" in names.split(",")), None)
            if names is not None:
                yield Path(folder + own[names]), "cpuacct.usage"


def _dissolve(folder: Path, above: Path) -> None:
    """A group can be removed once nobody is in it. A process that ends is in it until its last moment, and nobody can
    be told when that is over: what is left then is removed by the next lab."""
    with contextlib.suppress(OSError):
        while pids := (folder / "cgroup.procs").read_text(encoding="ascii").split():
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    (above / "cgroup.procs").write_text(pid, encoding="ascii")
        folder.rmdir()


def _remove_stale(above: Path) -> None:
    """Groups of this process that were still busy, and those of labs that have ended."""
    for folder in above.glob(f"{NAME}-*-*"):
        pid = folder.name.split("-")[-2]
        if pid == str(os.getpid()) or not Path(f"/proc/{pid}").exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
