"""A control group: version 2 (`cpu.stat`), or the controller `cpuacct` of version 1."""

from __future__ import annotations

import contextlib
import itertools
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from weir_lab.kernel import cgroups
from weir_lab.kernel.processes import Cpu

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
        for parent, _ in cgroups.places():
            folder = parent / f"weir-lab-own-{os.getpid()}-{next(_numbers)}"
            with contextlib.suppress(OSError):
                folder.mkdir()
                if os.access(folder / "cgroup.procs", os.W_OK):
                    return Group(folder)
                folder.rmdir()
        raise NoGroup(ADVICE)

    @staticmethod
    def of_process(pid: int) -> Group | None:
        """None if this process has ended, or shares the lab's group."""
        own = list(cgroups.places())
        return next((Group(folder) for folder, counts in cgroups.places(str(pid)) if (folder, counts) not in own), None)

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
