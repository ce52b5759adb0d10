"""A control group: version 2 (`cpu.stat`), or the controller `cpuacct` of version 1."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weir_lab.processes import Cpu

ADVICE = (
    'cpu = "cgroup" needs a control group of its own, and none can be made here; run the lab as root, or with '
    "systemd-run --user --scope -p Delegate=yes ./run lab ..."
)
MICROSECONDS, NANOSECONDS = 1e6, 1e9
REMOVE_SECONDS = 2.0  # the kernel takes a moment to give up processes that have ended
_numbers = itertools.count(1)


class NoGroup(Exception):
    """The message has the fix."""


@dataclass(frozen=True)
class Group:
    folder: Path

    @staticmethod
    def make() -> Group:
        """Raises NoGroup."""
        for parent in _parents("self"):
            folder = parent / f"weir-lab-{os.getpid()}-{next(_numbers)}"
            with contextlib.suppress(OSError):
                folder.mkdir()
                if os.access(folder / "cgroup.procs", os.W_OK):
                    return Group(folder)
                folder.rmdir()
        raise NoGroup(ADVICE)

    @staticmethod
    def of_process(pid: int) -> Group | None:
        """None if this process has ended, or shares the lab's group."""
        own = list(_parents("self"))
        return next((Group(folder) for folder in _parents(str(pid)) if folder not in own), None)

    def around(self, command: Sequence[str]) -> list[str]:
        """A shell joins the group, and then becomes the program."""
        return ["sh", "-c", 'echo $$ >"$0" && exec "$@"', str(self.folder / "cgroup.procs"), *command]

    def pids(self) -> list[int]:
        """With those in groups below it: a container may have made some."""
        found: list[int] = []
        for file in [self.folder / "cgroup.procs", *self.folder.glob("**/*/cgroup.procs")]:
            with contextlib.suppress(OSError):
                found += map(int, file.read_text(encoding="ascii").split())
        return found

    def cpu(self) -> Cpu:
        """Of all that have ever been in it."""
        if (self.folder / "cpu.stat").exists() and not (self.folder / "cpuacct.usage_user").exists():
            lines = (self.folder / "cpu.stat").read_text(encoding="ascii").splitlines()
            said = {name: int(value) for name, value in (line.split() for line in lines)}
            return Cpu(said["user_usec"] / MICROSECONDS, said["system_usec"] / MICROSECONDS)
        user, system = (
            int((self.folder / f"cpuacct.usage_{who}").read_text(encoding="ascii")) for who in ("user", "sys")
        )
        return Cpu(user / NANOSECONDS, system / NANOSECONDS)

    def remove(self) -> None:
        """It must be empty. One that can't be removed stays, and does no harm."""
        until = time.monotonic() + REMOVE_SECONDS
        while self.folder.exists():
            with contextlib.suppress(OSError):
                self.folder.rmdir()
            if time.monotonic() > until:
                return
            time.sleep(0.001)


def _parents(process: str) -> Iterator[Path]:
    """Folders of the groups in which a process is: of version 2 first, then of `cpuacct`. Version 2 counts CPU time
    without its controller `cpu`."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    try:
        groups = [
            line.split(":", 2) for line in Path(f"/proc/{process}/cgroup").read_text(encoding="utf-8").splitlines()
        ]
    except (FileNotFoundError, ProcessLookupError):
        return
    for kind, controller in (("cgroup2", ""), ("cgroup", "cpuacct")):
        places = [
            Path(one[1]) for one in mounts if one[2] == kind and (not controller or controller in one[3].split(","))
        ]
        paths = [one[2] for one in groups if controller in one[1].split(",")]
        for place, path in zip(places, paths, strict=False):
            folder = place / path.lstrip("/")
            if (folder / ("cpuacct.usage_user" if controller else "cpu.stat")).exists() or folder == place:
                yield folder
