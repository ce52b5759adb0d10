"""Control groups (cgroups(7)) of version 2 (`cpu.stat`), or of the controller `cpuacct` of version 1. A group counts
the CPU time of all its processes, those that have ended too. The lab's own groups limit nothing."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir_lab.kernel.processes import Cpu

NAME = "weir-lab"
ADVICE = (
    'cpu = "cgroup" needs a control group of its own, and none can be made here; run the lab as root, or with '
    "systemd-run --user --scope -p Delegate=yes ./run lab ..."
)
REMOVE_SECONDS = 2.0  # the kernel takes a moment to give up processes that have ended
_numbers = itertools.count()


class NoGroup(Exception):
    """The message has the fix."""


@dataclass(frozen=True)
class Group:
    folder: Path
    counts: str  # the file with the CPU time

    @staticmethod
    def make() -> Group:
        """Raises NoGroup."""
        for above, counts in places():
            _remove_stale(above)
            folder = above / f"{NAME}-{os.getpid()}-{next(_numbers)}"
            with contextlib.suppress(OSError):
                folder.mkdir()
                if os.access(folder / "cgroup.procs", os.W_OK):
                    return Group(folder, counts)
                folder.rmdir()
        raise NoGroup(ADVICE)

    @staticmethod
    def of_process(pid: int) -> Group | None:
        """None if this process has ended, or shares the lab's group."""
        own = list(places())
        return next((Group(*place) for place in places(str(pid)) if place not in own), None)

    def seconds(self) -> float:
        """To the nanosecond in version 1, and to the microsecond in version 2."""
        return self._read("cpuacct.usage") / 1e9 if self.counts == "cpuacct.usage" else self._stat("usage_usec")

    def cpu(self) -> Cpu:
        if self.counts == "cpuacct.usage":
            return Cpu(self._read("cpuacct.usage_user") / 1e9, self._read("cpuacct.usage_sys") / 1e9)
        return Cpu(self._stat("user_usec"), self._stat("system_usec"))

    def _read(self, file: str) -> int:
        return int((self.folder / file).read_text(encoding="ascii"))

    def _stat(self, name: str) -> float:
        lines = (self.folder / "cpu.stat").read_text(encoding="ascii").splitlines()
        return int(dict(line.split() for line in lines)[name]) / 1e6

    def around(self, command: Sequence[str]) -> list[str]:
        """A shell joins the group, and then becomes the program."""
        return ["sh", "-c", 'echo $$ >"$0" && exec "$@"', str(self.folder / "cgroup.procs"), *command]

    def take(self, pids: Sequence[int]) -> bool:
        """What they start from now on belongs to the group too. Returns False if the kernel does not allow it."""
        try:
            _move(pids, self.folder)
        except OSError:
            return False
        return True

    def pids(self) -> list[int]:
        """With those in groups below it: a container may have made some."""
        found: list[int] = []
        for file in [self.folder / "cgroup.procs", *self.folder.glob("**/*/cgroup.procs")]:
            with contextlib.suppress(OSError):
                found += map(int, file.read_text(encoding="ascii").split())
        return found

    def remove(self) -> None:
        """It must be empty. One that can't be removed stays, and does no harm."""
        until = time.monotonic() + REMOVE_SECONDS
        while self.folder.exists():
            with contextlib.suppress(OSError):
                self.folder.rmdir()
            if time.monotonic() > until:
                return
            time.sleep(0.001)

    def dissolve(self) -> None:
        """Its processes go back to where the lab is. A process that ends is in it until its last moment, and nobody can
        be told when that is over: what is left then is removed by the next lab."""
        with contextlib.suppress(OSError):
            while pids := self.pids():
                _move(pids, self.folder.parent)
            self.folder.rmdir()


@contextlib.contextmanager
def group() -> Iterator[Group | None]:
    """None if this process may not make one. On leaving, its processes go back to where the lab is."""
    try:
        made = Group.make()
    except NoGroup:
        yield None
        return
    try:
        yield made
    finally:
        made.dissolve()


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


def _move(pids: Sequence[int], folder: Path) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
            (folder / "cgroup.procs").write_text(str(pid), encoding="ascii")


def _remove_stale(above: Path) -> None:
    """Groups of this process that were still busy, and those of labs that have ended."""
    for folder in above.glob(f"{NAME}-*-*"):
        pid = folder.name.split("-")[-2]
        if pid == str(os.getpid()) or not Path(f"/proc/{pid}").exists():
            with contextlib.suppress(OSError):
                folder.rmdir()
